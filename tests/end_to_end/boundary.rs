//! `detail=boundary`: only what crosses the edge of the observed classes is recorded, and replay computes the rest.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Output;

use jinsi_jdk::Jdk;
use jinsi_replay::expand::{Comparison, compare};
use jinsi_trace::model::{Detail, EventKind};
use jinsi_trace::reader::Trace;
use serde_json::Value;
use tempfile::tempdir;

use super::support::{
    compile_programs, has, jdks, jinsi, jod3, json, programs, run, stderr, tried_jdks,
};

fn recorded(
    jdk: &Jdk,
    directory: &Path,
    detail: &str,
    class_path: &OsStr,
    program: (&str, &str),
) -> PathBuf {
    recorded_with(jdk, directory, detail, class_path, program, &[])
}

fn recorded_with(
    jdk: &Jdk,
    directory: &Path,
    detail: &str,
    class_path: &OsStr,
    (main, observe): (&str, &str),
    options: &[&str],
) -> PathBuf {
    let trace = directory.join(detail);
    let output = run(jinsi()
        .current_dir(directory)
        .args(["record", "--detail", detail, "--observe", observe, "-o"])
        .arg(&trace)
        .arg("--")
        .arg(jdk.java())
        .arg("-Duser.timezone=America/Los_Angeles")
        .args(options)
        .arg("-cp")
        .arg(class_path)
        .arg(main));
    assert!(output.status.success(), "{}", stderr(&output));
    trace
}

fn events(trace: &Path, kind: EventKind) -> u64 {
    let trace = Trace::open(trace).unwrap();
    trace.kind_stats().get(&kind).map_or(0, |s| s.events)
}

/// Another whole recording, of a run with other identity hash codes: what differs from run to run is not compared.
fn recorded_again(
    jdk: &Jdk,
    directory: &Path,
    class_path: &OsStr,
    program: (&str, &str),
) -> PathBuf {
    let directory = directory.join("again");
    std::fs::create_dir(&directory).unwrap();
    // HotSpot draws them from a generator that begins the same in each run, unless it is configured otherwise.
    let options = ["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=0"];
    recorded_with(
        jdk,
        &directory,
        "interactions",
        class_path,
        program,
        &options,
    )
}

fn expand(trace: &Path, to: &Path) -> Output {
    run(jinsi().arg("expand").arg(trace).arg("-o").arg(to))
}

/// Programs of all kinds: exceptions through several classes, call-backs, containers, inherited code, constructors, objects that no
/// constructor made, a neighbour that is not observed, objects that are taken out of what holds them.
const PROGRAMS: [(&str, &str); 10] = [
    ("ledger.app.Main", "ledger.*"),
    ("vending.Main", "vending.*"),
    ("xmltree.Main", "xmltree.*"),
    ("restored.Main", "restored.*"),
    ("replayed.app.Main", "replayed.app.*"),
    ("golden.Directions", "golden.*"),
    ("inheritance.ListingMain", "inheritance.*"),
    ("chain.Main", "chain.*"),
    ("edges.app.Main", "edges.app.*"),
    ("taken.Main", "taken.shelf.*"),
];

#[test]
#[ignore = "long: many programs"]
fn what_is_left_out_is_computed_again() {
    for jdk in tried_jdks() {
        for (main, observe) in PROGRAMS {
            let directory = tempdir().unwrap();
            let classes = programs().as_os_str();
            let record =
                |detail| recorded(&jdk, directory.path(), detail, classes, (main, observe));
            let (trace, whole) = (record("boundary"), record("interactions"));
            assert_ne!(events(&trace, EventKind::Enter), 0, "{main}");
            let output = run(jinsi().args(["--json", "replay", "--levels"]).arg(&trace));
            let document = json(&output);
            assert_eq!(document["diverged"], 0, "{main}: {document:#}");
            assert_eq!(document["levels"].as_array().unwrap().len(), 1, "{main}");
            for kind in [EventKind::Enter, EventKind::Call] {
                let (few, all) = (events(&trace, kind), events(&whole, kind));
                assert!(few <= all, "{main}: {few} of {all} {kind:?} events");
            }
            for kind in [EventKind::ArrayLoad, EventKind::ArrayStore] {
                assert_eq!(events(&trace, kind), 0, "{main}");
            }
            let expanded = directory.path().join("expanded");
            let output = expand(&trace, &expanded);
            assert!(output.status.success(), "{main}: {}", stderr(&output));
            let again = recorded_again(&jdk, directory.path(), classes, (main, observe));
            let [whole, expanded, again] =
                [whole, expanded, again].map(|file| Trace::open(&file).unwrap());
            let compared = compare(&whole, &expanded, &[again]).unwrap();
            assert_eq!(compared, Comparison::Same, "{main}");
        }
    }
}

/// Buffers that a method keeps to itself make no events; one that the environment gets makes some.
#[test]
fn own_buffers_are_filled_again() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let classes = programs().as_os_str();
        let program = ("edges.app.Main", "edges.app.*");
        let trace = recorded(&jdk, directory.path(), "boundary", classes, program);
        let document = json(&run(jinsi().args(["events", "--json"]).arg(&trace)));
        let rows = document.as_array().unwrap().iter();
        let calls = rows.filter(|row| {
            let text = row["text"].as_str().unwrap_or_default();
            row["kind"] == "Call" && text.starts_with("java.lang.StringBuffer.")
        });
        let places: Vec<_> = calls.map(|row| row["at"].as_str().unwrap()).collect();
        let shared = places.iter().filter(|at| at.contains("sharedBuffer"));
        assert_eq!(shared.count(), 3, "{places:?}");
        assert!(
            !places.iter().any(|at| at.contains("ownBuffers")),
            "{places:?}"
        );
    }
}

/// A class that inherits from an observed one, and is not, may be loaded at any time: calls on its objects are outgoing from then on.
#[test]
fn strays_are_answered_for_whenever_they_come() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let classes = programs().as_os_str();
        let program = ("strays.app.Main", "strays.app.*");
        let trace = recorded(&jdk, directory.path(), "boundary", classes, program);
        let document = json(&run(jinsi().args(["events", "--json"]).arg(&trace)));
        let rows = document.as_array().unwrap().iter();
        let calls = rows.filter(|row| row["kind"] == "Call");
        let texts: Vec<_> = calls.map(|row| row["text"].as_str().unwrap()).collect();
        // Without argument, with a primitive of either kind, with a reference; and by an interface.
        for asked in [
            "Shape.area(",
            "Shape.scaled(",
            "Shape.stretched(",
            "Shape.covers(",
            "Named.name(",
        ] {
            let found = texts.iter().filter(|text| text.contains(asked));
            assert_eq!(found.count(), 1, "{asked} {texts:?}");
        }
        let output = expand(&trace, &directory.path().join("expanded"));
        assert!(output.status.success(), "{}", stderr(&output));
    }
}

/// Code that a class inherits from an observed one, and is not observed itself, is the environment's on its objects: what it calls, makes,
/// reads and changes of what is observed is in the recording, and nothing else of it.
#[test]
fn what_inherited_code_does_for_others_is_their_doing() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let classes = programs().as_os_str();
        let program = ("heirs.app.Main", "heirs.app.*");
        let record = |detail| recorded(&jdk, directory.path(), detail, classes, program);
        let (trace, whole) = (record("boundary"), record("interactions"));
        let document = json(&run(jinsi().args(["events", "--json"]).arg(&trace)));
        let rows = document.as_array().unwrap().iter();
        let calls = rows.filter(|row| row["kind"] == "Call");
        let texts: Vec<_> = calls.map(|row| row["text"].as_str().unwrap()).collect();
        // By our own desk, not by those of others.
        for (called, times) in [("IntSupplier.getAsInt(", 3), ("System.getProperty(", 2)] {
            let found = texts.iter().filter(|text| text.contains(called));
            assert_eq!(found.count(), times, "{called} {texts:?}");
        }
        let expanded = directory.path().join("expanded");
        let output = expand(&trace, &expanded);
        assert!(output.status.success(), "{}", stderr(&output));
        // Events of such code that replays do without are in a whole recording only.
        let levels = |trace: &Path| {
            let document = json(&run(jinsi()
                .args(["--json", "replay", "--levels"])
                .arg(trace)));
            let levels = document["levels"].as_array().unwrap().iter();
            let outcome = |level: &Value| (level["level"].clone(), level["outcome"].clone());
            assert_eq!(document["diverged"], 0, "{document:#}");
            levels.map(outcome).collect::<Vec<_>>()
        };
        let levels = [whole, expanded].map(|trace| levels(&trace));
        assert_eq!(levels[0], levels[1]);
        assert_eq!(levels[0].len(), 7);
    }
}

/// What the environment appends to a builder of observed code, or hands over in one of its own, is in the recording, whatever its detail.
#[test]
fn what_others_append_is_appended_again() {
    for (nr, jdk) in tried_jdks().into_iter().enumerate() {
        let directory = tempdir().unwrap();
        let path = directory.path();
        let classes = programs().as_os_str();
        let record = |detail| {
            let trace = path.join(detail);
            let options = ["--observe", "offers.app.*", "--detail", detail, "-o"];
            let recording = run(jinsi()
                .arg("record")
                .args(options)
                .arg(&trace)
                .arg("--")
                .arg(jdk.java())
                .arg("-cp")
                .arg(classes)
                .arg("offers.lib.Names"));
            assert!(stderr(&recording).contains("large lamp"), "{recording:?}");
            trace
        };
        let whole = record("interactions");
        let expanded = path.join("expanded");
        let output = expand(&record("boundary"), &expanded);
        assert!(output.status.success(), "{nr}: {}", stderr(&output));
        for trace in [whole, expanded] {
            let options = ["--json", "replay", "--observe", "offers.app.*"];
            let replayed = json(&run(jinsi().args(options).arg(&trace)));
            assert_eq!(replayed["outcome"], "failing", "{nr}: {replayed:#}");
        }
    }
}

/// Classes that the program did without are not there in a replay either: one that would have been observed, of which there is no event, and
/// one of which there is a call.
#[test]
fn what_was_missing_is_missing_again() {
    let classes = compile_programs(&["gone", "rates"], &[]);
    for missing in ["gone/Extra.class", "rates/Rates.class"] {
        std::fs::remove_file(classes.path().join(missing)).unwrap();
    }
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let class_path = classes.path().as_os_str();
        let program = ("gone.Main", "gone.*");
        let trace = recorded(&jdk, directory.path(), "boundary", class_path, program);
        let out = directory.path().join("report");
        let options = ["--json", "minimize", "--out"];
        let report = json(&run(jinsi().args(options).arg(&out).arg(&trace)));
        assert_eq!(report["capture"]["not_expanded"], Value::Null, "{report:#}");
        for level in report["levels"].as_array().unwrap() {
            assert_eq!(level["test_outcome"], "reproduces", "{level:#}");
        }
    }
}

/// The order in which immutable sets and maps iterate, which a JVM draws when it starts, is that of the program; on each JDK.
#[test]
fn sets_iterate_in_replay_as_they_did() {
    let jdks = jdks();
    for jdk in &jdks {
        let directory = tempdir().unwrap();
        let classes = programs().as_os_str();
        let program = ("edges.app.Orders", "edges.app.*");
        let trace = recorded(jdk, directory.path(), "interactions", classes, program);
        for other in &jdks {
            let output = run(jinsi()
                .args(["--json", "replay", "--levels", "--java-home"])
                .arg(other.home())
                .arg(&trace));
            let document = json(&output);
            assert_eq!(document["diverged"], 0, "{document:#}");
            assert_eq!(document["levels"].as_array().unwrap().len(), 1);
        }
    }
}

/// What is said of a failure is what was said of it at the boundary.
#[test]
fn an_expanded_failure_has_its_own_stack() {
    let directory = tempdir().unwrap();
    let jdk = &jdks()[0];
    let program = ("ledger.app.Main", "ledger.*");
    let trace = recorded(
        jdk,
        directory.path(),
        "boundary",
        programs().as_os_str(),
        program,
    );
    let to = directory.path().join("expanded");
    assert!(expand(&trace, &to).status.success());
    let [before, after] = [&trace, &to].map(|file| Trace::open(file).unwrap());
    let failure = |trace: &Trace| {
        let [failure] = trace.failures() else {
            panic!("one failure, not {:?}", trace.failures());
        };
        let thrown = trace.throwable(failure.throwable).unwrap();
        (failure.kind, thrown.text.clone(), thrown.frames.clone())
    };
    assert_eq!(failure(&before), failure(&after));
    assert!(after.meta().expanded);
    assert_eq!(after.end(), before.end());

    // It can be looked at as any of its classes sees it, and need not be expanded again.
    let output = run(jinsi().args(["--json", "replay", "--levels"]).arg(&to));
    let document = json(&output);
    assert_eq!(document["diverged"], 0, "{document:#}");
    assert!(document["levels"].as_array().unwrap().len() > 2);
    let refused = expand(&to, &directory.path().join("more"));
    assert_eq!(refused.status.code(), Some(1));
    has(&stderr(&refused), "detail=interactions");
    // Nothing is overwritten.
    let refused = expand(&trace, &to);
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(Trace::open(&to).unwrap().meta(), after.meta());
}

const TOLL: &str = r#"package toll;

import gate.Gate;
import java.util.Map;

public class Toll {
    private static final Map<String, Integer> CENTS = Map.of("car", 300, "van", 450);

    public int cents(String kind, int axles) {
        int each = CENTS.get(kind);
        return each * axles;
    }

    public static void main(String[] args) {
        Toll toll = new Toll();
        System.out.println(Gate.open(() -> toll.cents("car", 2)) + Gate.open(() -> toll.cents("bus", 2)));
    }
}
"#;

/// It is not observed.
const GATE: &str = r#"package gate;

import java.util.concurrent.Callable;

public class Gate {
    public static int open(Callable<Integer> toll) {
        try {
            return toll.call();
        } catch (Exception e) {
            throw new IllegalStateException("the gate stays closed", e);
        }
    }
}
"#;

/// A replay calls bridges in the places of methods. What the JVM says of these is not said of the cause of a failure.
#[test]
fn the_cause_of_an_expanded_failure_is_in_the_words_of_the_program() {
    let directory = tempdir().unwrap();
    let jdk = &tried_jdks()[0];
    let sources = [("Toll", TOLL), ("Gate", GATE)].map(|(name, text)| {
        let file = directory.path().join(format!("{name}.java"));
        std::fs::write(&file, text).unwrap();
        file
    });
    let classes = directory.path().join("classes");
    jinsi_jdk::compile::javac(jdk, &sources, &[], &classes).unwrap();
    let program = ("toll.Toll", "toll.*");
    let trace = recorded(
        jdk,
        directory.path(),
        "boundary",
        classes.as_os_str(),
        program,
    );
    let to = directory.path().join("expanded");
    assert!(expand(&trace, &to).status.success());
    let [before, after] = [&trace, &to].map(|file| Trace::open(file).unwrap());
    let cause = |trace: &Trace| {
        let thrown = trace.throwable(trace.failures()[0].throwable).unwrap();
        let cause = trace.throwable(thrown.cause).unwrap();
        (cause.message.clone(), cause.frames.clone())
    };
    let said = cause(&after).0.unwrap_or_default();
    assert!(!said.contains("jinsi$"), "{said}");
    assert_eq!(cause(&before), cause(&after));
}

/// A replay that differs from the recording gives no trace, and says where it differs.
#[test]
fn what_does_not_replay_is_not_expanded() {
    let directory = tempdir().unwrap();
    let jdk = &jdks()[0];
    let program = ("late.app.Main", "late.app.*");
    let trace = recorded(
        jdk,
        directory.path(),
        "boundary",
        programs().as_os_str(),
        program,
    );
    let to = directory.path().join("expanded");
    let refused = expand(&trace, &to);
    assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
    has(&stderr(&refused), "the replay diverged");
    assert!(!to.exists());
}

/// What `jinsi debug` makes of one of the test programs, in the directory `out`.
fn debugged(out: &Path, options: &[&str], program: &[&str]) -> Output {
    run(jinsi()
        .args(["--json", "debug", "--out"])
        .arg(out)
        .args(options)
        .arg("--")
        .arg(jdks()[0].java())
        .arg("-cp")
        .arg(programs())
        .args(program))
}

/// The developer's machine can run the program once more, with all interactions recorded, and the report says so.
#[test]
fn what_is_not_expanded_is_recorded_once_more() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("report");
    let observe = ["--observe", "late.app.*"];
    let output = debugged(&out, &observe, &["late.app.Main", "once"]);
    let said = stderr(&output);
    assert!(said.contains("The program is run once more"), "{said}");
    let report = json(&output);
    let why = report["capture"]["recorded_once_more"].as_str();
    assert!(
        why.is_some_and(|why| why.contains("the replay diverged")),
        "{report:#}"
    );
    assert_eq!(report["capture"]["not_expanded"], Value::Null);
    assert_eq!(
        report["levels"][0]["test_outcome"], "reproduces",
        "{report:#}"
    );
    let detail = |name: &str| Trace::open(&out.join(name)).unwrap().meta().detail;
    assert_eq!(detail("boundary.jinsi"), Detail::Boundary);
    assert_eq!(detail("trace.jinsi"), Detail::Interactions);
}

/// The replay of what did not end is stopped in the loop, where the program was.
#[test]
fn a_run_without_end_is_expanded() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("report");
    let options = ["--detail=boundary", "--time-limit=3", "--observe=spin.*"];
    let output = debugged(&out, &options, &["spin.Main"]);
    let report = json(&output);
    assert_eq!(report["failure"]["kind"], "hang", "{}", stderr(&output));
    assert_eq!(report["capture"]["not_expanded"], Value::Null, "{report:#}");
    let levels = report["levels"].as_array().unwrap();
    assert_eq!(levels[0]["test_outcome"], "reproduces", "{report:#}");
    assert!(out.join("trace.jinsi").exists());
}

/// The failure of a library is reproduced from what crossed its edge.
#[test]
fn a_failure_is_minimized_from_its_boundary() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let class_path = jod3();
        let record = |detail| {
            let program = ("jod3.Jod3", "org.joda.time.*");
            recorded(&jdk, directory.path(), detail, class_path.as_ref(), program)
        };
        let (trace, whole) = (record("boundary"), record("interactions"));
        let total = |trace: &Path| -> u64 {
            let trace = Trace::open(trace).unwrap();
            trace.kind_stats().values().map(|s| s.events).sum()
        };
        let (few, all) = (total(&trace), total(&whole));
        assert!(few * 20 < all, "{few} of {all} events");

        let out = directory.path().join("report");
        let output = run(jinsi()
            .args(["--json", "minimize", "--levels=2", "--out"])
            .arg(&out)
            .arg(&trace));
        let report = json(&output);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(report["capture"]["events"], few, "{report:#}");
        assert_eq!(report["capture"]["expanded_events"], all, "{report:#}");
        let levels = report["levels"].as_array().unwrap();
        assert_eq!(levels.len(), 2, "{report:#}");
        for level in levels {
            assert!(
                level["minimized_of_observed"].as_u64() <= Some(2),
                "{report:#}"
            );
            assert_ne!(level["test_file"], Value::Null, "{report:#}");
        }

        let refused = run(jinsi()
            .args(["replay", "--observe", "org.joda.time.Period"])
            .arg(&trace));
        assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
        has(&stderr(&refused), "detail=boundary");
    }
}

/// The failing thread met nothing that others made, but they changed what it had made. All threads are expanded then, and each level replays.
#[test]
#[ignore = "long: several programs"]
fn what_other_threads_did_is_computed_again() {
    let ways = [
        "executor", "waiting", "virtual", "failing", "future", "subclass",
    ];
    for (nr, way) in ways.into_iter().enumerate() {
        all_levels_replay(nr, way);
    }
}

/// Threads share atomics and containers that are made for that, enter a monitor twice in one method, and look at a volatile field; tasks are forked.
#[test]
fn what_threads_share_is_computed_again() {
    for (nr, way) in ["shared", "halves"].into_iter().enumerate() {
        all_levels_replay(nr, way);
    }
}

/// Records a way of `gang.app.Main` at the boundary, on one of the JDKs; what it is expanded to replays strictly, on each level.
fn all_levels_replay(nr: usize, way: &str) {
    let jdks = jdks();
    let directory = tempdir().unwrap();
    let trace = directory.path().join("thin.jinsi");
    let output = run(jinsi()
        .args(["record", "--detail", "boundary", "--observe", "gang.app.*"])
        .arg("-o")
        .arg(&trace)
        .arg("--")
        .arg(jdks[nr % jdks.len()].java())
        .arg("-cp")
        .arg(programs())
        .args(["gang.app.Main", way]));
    assert!(output.status.success(), "{}", stderr(&output));
    let whole = directory.path().join("whole.jinsi");
    let output = expand(&trace, &whole);
    assert!(output.status.success(), "{way}: {}", stderr(&output));
    let replayed = json(&run(jinsi()
        .args(["--json", "replay", "--levels"])
        .arg(&whole)));
    let levels = replayed["levels"].as_array().unwrap();
    assert!(!levels.is_empty(), "{way}: {replayed:#}");
    let diverged = levels.iter().find(|level| !level["why"].is_null());
    assert!(diverged.is_none(), "{way}: {replayed:#}");
}
