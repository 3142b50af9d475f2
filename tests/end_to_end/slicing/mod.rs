//! `detail=instructions` and `jinsi slice`: the worked examples, and generated programs against a slicer that keeps the whole graph.

mod deferred;
mod drawn;
mod gathered;
mod hierarchical;
mod memory;
mod oracle;
mod recorder;
mod relevant;
mod reported;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use jinsi_ground::program_generator;
use jinsi_jdk::{Jdk, compile};
use jinsi_slice::criterion::{Criterion, Seeds};
use jinsi_slice::relevant::Relevance;
use jinsi_slice::{Kind, Slice, SliceError};
use jinsi_steps::code::{MethodNo, Program};
use jinsi_steps::walk::Walker;
use jinsi_trace::reader::Trace;
use tempfile::tempdir;

use super::support::{jdks, jinsi, json, programs, run, stderr, succeed, tried_jdks};

/// A program in which lines are marked, `// METHOD: NAME`.
#[derive(Clone, Copy)]
struct Marked {
    class: &'static str,
    text: &'static str,
}

const GOLDEN: Marked = Marked {
    class: "Golden",
    text: include_str!("../../programs/sliced/Golden.java"),
};

pub(super) fn record(
    jdk: &Jdk,
    directory: &Path,
    detail: &str,
    classes: &Path,
    (main, observe): (&str, &str),
) -> PathBuf {
    let trace = directory.join(format!("{detail}.jinsi"));
    let output = run(jinsi()
        .current_dir(directory)
        .args(["record", "--detail", detail, "--observe", observe, "-o"])
        .arg(&trace)
        .arg("--")
        .arg(jdk.java())
        .arg("-cp")
        .arg(classes)
        .arg(main));
    assert!(output.status.success(), "{}", stderr(&output));
    trace
}

impl Marked {
    /// The line that is marked so.
    fn line(self, mark: &str) -> u16 {
        let marked = format!("// {mark}");
        let found = self.text.lines().position(|line| line.ends_with(&marked));
        found.unwrap_or_else(|| panic!("no line is marked '{mark}'")) as u16 + 1
    }

    /// The slice from the line that is marked so.
    fn at(self, trace: &Trace, mark: &str, rest: &str, kind: Kind) -> Slice {
        let criterion = format!("{}:{}{rest}", self.class, self.line(mark));
        jinsi_slice::slice(trace, Some(criterion.parse().unwrap()), kind).unwrap()
    }

    /// Marks of the lines of one method in a slice.
    fn marks(self, slice: &Slice, method: &str) -> BTreeSet<String> {
        let lines: BTreeSet<u16> = slice.lines.iter().map(|line| line.line).collect();
        let marked = |(no, text): (usize, &str)| {
            let (_, mark) = text.rsplit_once("// ")?;
            let rest = mark.strip_prefix(method)?.strip_prefix(": ")?;
            lines.contains(&(no as u16 + 1)).then(|| rest.to_owned())
        };
        (self.text.lines().enumerate()).filter_map(marked).collect()
    }
}

fn line(mark: &str) -> u16 {
    GOLDEN.line(mark)
}

fn at(trace: &Trace, mark: &str, rest: &str) -> Slice {
    GOLDEN.at(trace, mark, rest, Kind::Dynamic)
}

fn marks(slice: &Slice, method: &str) -> BTreeSet<String> {
    GOLDEN.marks(slice, method)
}

fn set(marks: &[&str]) -> BTreeSet<String> {
    marks.iter().map(|mark| (*mark).to_owned()).collect()
}

/// Records the worked examples.
fn golden(jdk: &Jdk, directory: &Path, detail: &str) -> PathBuf {
    let main = ("sliced.Golden", "sliced.*");
    record(jdk, directory, detail, programs(), main)
}

/// A slice that was made by hand.
struct Example {
    /// Mark of the line that it explains, behind it what of that line.
    criterion: (&'static str, &'static str),
    /// Marks of its lines, by method.
    lines: &'static [(&'static str, &'static [&'static str])],
}

const EXAMPLES: [Example; 10] = [
    // Wang 2007, Table 3.2, to its end: what is stored into the array is no matter.
    Example {
        criterion: ("sum: criterion", ":k"),
        lines: &[
            ("sum", &["object", "start", "loop", "add", "criterion"]),
            ("foo", &["odd", "even", "return"]),
        ],
    },
    Example {
        criterion: ("jmeter: criterion", ""),
        lines: &[
            ("jmeter", &["if", "else", "criterion"]),
            ("main", &["jmeter"]),
        ],
    },
    Example {
        criterion: ("nanoxml: criterion", ""),
        lines: &[("nanoxml", &["at", "buffer", "read", "append", "criterion"])],
    },
    Example {
        criterion: ("parsed: criterion", ""),
        lines: &[("parsed", &["parse", "caught", "criterion"])],
    },
    Example {
        criterion: ("parsed: after", ""),
        lines: &[("parsed", &["tries", "try", "after"])],
    },
    Example {
        criterion: ("copied: criterion", ""),
        lines: &[(
            "copied",
            &["from", "one", "into", "copy", "list", "add", "criterion"],
        )],
    },
    Example {
        criterion: ("sorted: criterion", ""),
        lines: &[
            ("sorted", &["numbers", "sort", "criterion"]),
            ("compare", &["return"]),
        ],
    },
    Example {
        criterion: ("unborn: criterion", ""),
        lines: &[(
            "unborn",
            &[
                "double",
                "new",
                "default",
                "less",
                "check",
                "throw",
                "criterion",
            ],
        )],
    },
    Example {
        criterion: ("waited: criterion", ""),
        lines: &[("waited", &["none", "loop", "count", "criterion"])],
    },
    Example {
        criterion: ("last: criterion", ""),
        lines: &[("last", &["switch", "two", "criterion"])],
    },
];

/// Criteria of the examples in which the slicer has to give up on nothing.
const FOLLOWED_THROUGHOUT: [&str; 3] = ["sum: criterion", "unborn: criterion", "waited: criterion"];

#[test]
fn worked_examples() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = Trace::open(&golden(&jdk, directory.path(), "instructions")).unwrap();
        for Example { criterion, lines } in EXAMPLES {
            let (mark, rest) = criterion;
            let slice = at(&trace, mark, rest);
            for (method, expected) in lines {
                let found = marks(&slice, method);
                assert_eq!(found, set(expected), "{criterion:?}, {method}");
            }
            if FOLLOWED_THROUGHOUT.contains(&mark) {
                assert!(slice.crossings.is_empty(), "{mark}: {:?}", slice.crossings);
            }
        }
    }
}

#[test]
fn a_failure_is_its_own_criterion() {
    let directory = tempdir().unwrap();
    let trace = golden(&jdks()[0], directory.path(), "instructions");
    let slice = jinsi_slice::slice(&Trace::open(&trace).unwrap(), None, Kind::Dynamic).unwrap();
    assert_eq!(marks(&slice, "fails"), set(&["zero", "divide", "throw"]));
    assert_eq!(marks(&slice, "main"), set(&["fails"]));
    assert_eq!(marks(&slice, "sum"), set(&[]));

    let output = succeed(jinsi().arg("--json").arg("slice").arg(&trace));
    let document = json(&output);
    assert_eq!(
        document["lines"].as_array().unwrap().len(),
        slice.lines.len()
    );
    assert_eq!(document["occurrences"], slice.occurrences);

    // The same trace is still one of interactions.
    succeed(jinsi().arg("replay").arg(&trace));
}

/// What another thread wrote of that which was used is followed there, and back from there.
#[test]
fn slices_go_on_in_other_threads() {
    const HANDOVER: Marked = Marked {
        class: "Handover",
        text: include_str!("../../programs/sliced/Handover.java"),
    };
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let main = ("sliced.Handover", "sliced.*");
        let trace = record(&jdk, directory.path(), "instructions", programs(), main);
        let trace = Trace::open(&trace).unwrap();
        let slice = jinsi_slice::slice(&trace, None, Kind::Dynamic).unwrap();
        let consumed = ["field", "element", "list", "if", "throw"];
        assert_eq!(HANDOVER.marks(&slice, "consume"), set(&consumed));
        let produced = ["double", "field", "last", "element", "add"];
        assert_eq!(HANDOVER.marks(&slice, "produce"), set(&produced));
        // Read in the other thread, and so written in this one.
        assert!(HANDOVER.marks(&slice, "main").contains("ready"));
        let started = "thread producer: what started it is not looked into";
        assert!(slice.crossings.iter().any(|c| c.what == started));

        let relevant = jinsi_slice::slice(&trace, None, Kind::Relevant).unwrap();
        let lines =
            |slice: &Slice| -> BTreeSet<u16> { slice.lines.iter().map(|line| line.line).collect() };
        assert!(lines(&relevant).is_superset(&lines(&slice)));
        let field = HANDOVER.at(&trace, "consume: field", "", Kind::Dynamic);
        assert_eq!(HANDOVER.marks(&field, "produce"), set(&["double", "field"]));
    }
}

/// Threads that hand each other what they made are followed so often, and it is said if that was not enough.
#[test]
fn a_relay_of_threads_is_followed_or_named() {
    const RELAY: Marked = Marked {
        class: "Relay",
        text: include_str!("../../programs/sliced/Relay.java"),
    };
    let directory = tempdir().unwrap();
    let main = ("sliced.Relay", "sliced.*");
    let jdk = &jdks()[0];
    let trace = record(jdk, directory.path(), "instructions", programs(), main);
    let trace = Trace::open(&trace).unwrap();
    let named = |slice: &Slice| slice.crossings.iter().any(|c| c.what.contains("in turn"));

    let whole = jinsi_slice::slice(&trace, None, Kind::Dynamic).unwrap();
    assert!(named(&whole), "{:?}", whole.crossings);

    let begun = format!("Relay:{}#2", RELAY.line("run: add"));
    let begun = jinsi_slice::slice(&trace, Some(begun.parse().unwrap()), Kind::Dynamic).unwrap();
    assert!(!named(&begun), "{:?}", begun.crossings);
    assert!(RELAY.marks(&begun, "main").contains("first"));
}

#[test]
fn occurrences_and_variables_of_a_line() {
    let directory = tempdir().unwrap();
    let trace = golden(&jdks()[0], directory.path(), "instructions");
    let trace = Trace::open(&trace).unwrap();
    // The first time it is 5, the second 2; the program runs it eight times.
    let returned = |rest| marks(&at(&trace, "foo: return", rest), "foo");
    assert_eq!(returned("#1"), set(&["even", "return"]));
    assert_eq!(returned("#2"), set(&["odd", "return"]));
    assert_eq!(returned(""), returned("#8"));
    let stored = at(&trace, "sum: store", ":i#2");
    assert_eq!(marks(&stored, "sum"), set(&["loop", "store"]));

    let refused = |text: &str| {
        let criterion = Some(text.parse().unwrap());
        jinsi_slice::slice(&trace, criterion, Kind::Dynamic).unwrap_err()
    };
    let never = format!("Golden:{}", line("last: one"));
    assert!(matches!(refused(&never), SliceError::NotReached(_)));
    let rarely = format!("Golden:{}#9", line("foo: return"));
    assert!(matches!(refused(&rarely), SliceError::NotReached(_)));
    assert!(
        refused("Golden:1")
            .to_string()
            .contains("no recorded code at line 1")
    );
    assert!(
        refused("Nobody:1")
            .to_string()
            .contains("no recorded class is named Nobody")
    );
    let unknown = format!("Golden:{}:nothing", line("foo: return"));
    assert!(refused(&unknown).to_string().contains("'nothing'"));
}

#[test]
fn slices_need_instructions() {
    let directory = tempdir().unwrap();
    let trace = golden(&jdks()[0], directory.path(), "interactions");
    // A replay could record them, if there were a JDK for it.
    let without = directory.path().join("no-jdk");
    let output = run(jinsi()
        .arg("slice")
        .arg(&trace)
        .arg("--java-home")
        .arg(without));
    assert_eq!(output.status.code(), Some(1));
    let why =
        "the trace has no instructions (detail=interactions), and a replay cannot record them: ";
    assert!(stderr(&output).contains(why), "{}", stderr(&output));
    assert!(stderr(&output).contains("no-jdk"), "{}", stderr(&output));
    let output = run(jinsi().arg("slice").arg(&trace).args(["--at", "Golden"]));
    assert_eq!(output.status.code(), Some(2));
}

/// About how many lines of a program are sliced. `JINSI_SLICE_PROGRAMS` programs are made, each with other classes.
const CRITERIA: usize = 80;

#[test]
#[ignore = "long: a generated program"]
fn generated_programs_have_the_slices_of_the_definition() {
    let many = std::env::var("JINSI_SLICE_PROGRAMS");
    let programs: u64 = many.map_or(1, |many| many.parse().unwrap());
    for seed in 0..programs {
        let jdks = jdks();
        let jdk = &jdks[seed as usize % jdks.len()];
        let directory = tempdir().unwrap();
        let sources = program_generator::write(directory.path(), seed).unwrap();
        let classes = directory.path().join("classes");
        compile::javac(jdk, &sources, &[], &classes).expect("generated programs compile");
        let main = ("made.Main", "made.*");
        let trace = record(jdk, directory.path(), "instructions", &classes, main);
        let compared = compare(&Trace::open(&trace).unwrap(), seed);
        println!("program {seed}: {compared} slices compared");
        assert!(compared >= 40, "{compared} slices only");
    }
}

/// Slices by lines that were run, and by the failure; how many.
fn compare(trace: &Trace, seed: u64) -> u64 {
    let program = Program::of(trace);
    let relevance = Rc::new(Relevance::of(trace, &program).unwrap());
    let comparison = Comparison {
        trace,
        program: &program,
        relevance: &relevance,
        seed,
    };
    let failure = Criterion::Failure(trace.failures()[0].throwable);
    let (ran, _) = comparison.one(&failure);
    let lines: BTreeSet<(String, u16)> = (ran.iter())
        .map(|&(method, at)| {
            let method = program.get(method);
            let line = method.body.as_ref().unwrap().instructions[at].line;
            (method.owner.replace('/', "."), line)
        })
        .collect();
    let step = lines.len().div_ceil(CRITERIA);
    let chosen: Vec<_> = lines.into_iter().step_by(step).collect();
    let mut larger = 0;
    for (class, line) in &chosen {
        let criterion = Criterion::Line {
            class: class.clone(),
            line: *line,
            variable: None,
            occurrence: None,
        };
        let (_, more) = comparison.one(&criterion);
        larger += u64::from(more);
    }
    assert!(
        larger > 0,
        "seed {seed}: no relevant slice is larger than the dynamic one"
    );
    println!(
        "of {} slices, {larger} are larger if relevant",
        chosen.len()
    );
    chosen.len() as u64
}

/// Compares slices with those of the definition.
struct Comparison<'a> {
    trace: &'a Trace,
    program: &'a Program,
    relevance: &'a Rc<Relevance<'a>>,
    seed: u64,
}

impl Comparison<'_> {
    /// By one criterion; the instructions that ran, and whether the relevant slice is larger than the dynamic one.
    fn one(&self, criterion: &Criterion) -> (BTreeSet<(MethodNo, usize)>, bool) {
        let seeds = Seeds::of(self.program, criterion, Some(0)).unwrap();
        let mut recorder = recorder::Recorder::new(seeds);
        (Walker::new(self.trace, self.program, 0).run(&mut recorder)).unwrap();
        let unknown = recorder.unknown.first();
        assert_eq!(unknown, None, "seed {}, {criterion}", self.seed);
        let graph = oracle::Graph::of(self.program, &recorder, self.relevance);
        let dynamic = graph.reached(false);
        let relevant = graph.reached(true);
        self.found(criterion, &None, &dynamic);
        self.found(criterion, &Some(Rc::clone(self.relevance)), &relevant);
        assert!(dynamic.1 > 0 && dynamic.0.is_subset(&relevant.0));
        (recorder.ran, relevant.1 > dynamic.1)
    }

    fn found(
        &self,
        criterion: &Criterion,
        relevance: &Option<Rc<Relevance<'_>>>,
        (instructions, occurrences): &oracle::Reached,
    ) {
        let found = jinsi_slice::find(self.trace, self.program, criterion, 0, relevance).unwrap();
        let difference: Vec<String> = (found.instructions)
            .symmetric_difference(instructions)
            .take(10)
            .map(|&(method, at)| {
                let code = self.program.get(method);
                let instruction = &code.body.as_ref().unwrap().instructions[at];
                let (bci, line) = (instruction.bci, instruction.line);
                let which = if instructions.contains(&(method, at)) {
                    "lacks"
                } else {
                    "has"
                };
                format!("{which} {}.{} at {bci}, line {line}", code.owner, code.name)
            })
            .collect();
        let (seed, relevant) = (self.seed, relevance.is_some());
        let which = format!("seed {seed}, {criterion}, relevant: {relevant}");
        assert!(difference.is_empty(), "{which}: {difference:#?}");
        assert_eq!(found.occurrences, *occurrences, "{which}");
    }
}
