//! The index beside a trace: it is made once, says the same as one that is made anew, and is never needed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use jinsi_inspect::{Deed, Inspector, Kept, Moment, Seen, Variable, index_of};
use jinsi_trace::model::{EventId, ObjectId, Value};
use jinsi_trace::reader::Trace;
use tempfile::TempDir;

use super::support::{jdks, jinsi, json, programs, run, stderr, succeed};

/// A trace with some hundred thousand events of two threads.
pub(crate) fn recorded() -> &'static Path {
    static RECORDED: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, trace) = RECORDED.get_or_init(|| {
        let directory = TempDir::new().unwrap();
        let trace = directory.path().join("run.jinsi");
        let recorded = run(jinsi()
            .args([
                "record",
                "--observe",
                "indexed.*",
                "--detail",
                "states",
                "-o",
            ])
            .arg(&trace)
            .arg("--")
            .arg(jdks()[0].java())
            .arg("-cp")
            .arg(programs())
            .args(["indexed.Main", "4000"]));
        assert!(recorded.status.success(), "{}", stderr(&recorded));
        (directory, trace)
    });
    trace
}

/// A copy of the trace in a directory of its own.
fn copied(directory: &Path) -> PathBuf {
    let trace = directory.join("run.jinsi");
    fs::copy(recorded(), &trace).unwrap();
    trace
}

/// A part of the trace: its end is missing.
pub(crate) fn cut(directory: &Path) -> PathBuf {
    let trace = directory.join("cut.jinsi");
    let bytes = fs::read(recorded()).unwrap();
    fs::write(&trace, &bytes[..bytes.len() / 3 * 2]).unwrap();
    trace
}

/// Numbers that are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end.max(1)
    }

    fn moment(&mut self, trace: &Trace) -> Moment {
        let threads = trace.threads();
        let thread = threads[self.below(threads.len() as u64) as usize].no;
        let index = self.below(trace.event_count(thread));
        Moment::after(EventId { thread, index })
    }
}

/// All that two inspectors say of a moment.
fn said(inspector: &Inspector<'_>, moment: Moment) -> Vec<String> {
    let mut said = Vec::new();
    let Ok(state) = inspector.state(moment) else {
        return vec!["nothing".to_owned()];
    };
    let values = state.frames.iter().flat_map(|frame| {
        let locals = frame.locals.iter().map(|local| &local.value);
        locals.chain(&frame.this)
    });
    let objects: Vec<ObjectId> = values
        .filter_map(|seen| match seen.known() {
            Some(Value::Object(id)) => Some(*id),
            _ => None,
        })
        .collect();
    for id in objects {
        let object = inspector.object(id, state.moment, 0..8);
        said.push(format!("{object:?}"));
        for (name, variable) in inspector.variables_of(id, 3) {
            let held = inspector.value(&variable, state.moment);
            said.push(format!("{name} {held:?}"));
        }
    }
    let top = &state.frames[0];
    said.push(format!("{:?}", inspector.activation(top.activation)));
    said.push(format!("{:?}", inspector.outcome(top.activation)));
    said.push(format!("{:?}", inspector.changes(top.activation, None)));
    said.push(format!(
        "{:?}",
        inspector.call_behind(&top.method, state.moment)
    ));
    said.push(format!(
        "{:?}",
        inspector.call_before(&top.method, state.moment)
    ));
    said.push(format!(
        "{:?}",
        inspector.activation_events(top.activation, moment, 9)
    ));
    said.push(format!("{state:?}"));
    said
}

#[test]
fn an_index_is_kept_and_says_the_same() {
    let directory = TempDir::new().unwrap();
    let file = copied(directory.path());
    let trace = Trace::open(&file).unwrap();
    let (made, kept) = Inspector::kept(&trace, &file).unwrap();
    assert!(matches!(kept, Kept::Written), "{kept:?}");
    let (read, kept) = Inspector::kept(&trace, &file).unwrap();
    assert!(matches!(kept, Kept::Read), "{kept:?}");
    assert_eq!(read.index_bytes(), made.index_bytes());
    let mut random = Random(7);
    for _ in 0..40 {
        let moment = random.moment(&trace);
        assert_eq!(said(&made, moment), said(&read, moment), "{moment}");
    }
    for thread in trace.threads() {
        let outermost = made.outermost(thread.no).unwrap();
        assert_eq!(outermost, read.outermost(thread.no).unwrap());
        assert_eq!(
            made.exceptions(thread.no).unwrap(),
            read.exceptions(thread.no).unwrap()
        );
        assert_eq!(
            made.output(thread.no, 10).unwrap(),
            read.output(thread.no, 10).unwrap()
        );
    }
    assert_eq!(made.find("e", 100), read.find("e", 100));

    // The commands leave one, and take it.
    fs::remove_file(index_of(&file)).unwrap();
    let asked = || {
        let at = succeed(jinsi().args(["--json", "at"]).arg(&file).arg("0:70000"));
        json(&at)
    };
    let first = asked();
    let index = fs::read(index_of(&file)).unwrap();
    assert_eq!(asked(), first);
    assert_eq!(fs::read(index_of(&file)).unwrap(), index);
}

/// What is written over all of the run, against what code did, one thing after the other.
#[test]
fn histories_are_what_was_done() {
    let trace = Trace::open(recorded()).unwrap();
    let inspector = Inspector::new(&trace).unwrap();
    let mut done: BTreeMap<String, (Variable, Vec<Seen>)> = BTreeMap::new();
    for thread in trace.threads() {
        let mut wrote = |variable: Variable, value: Seen| {
            let name = format!("{variable:?}");
            let entry = done.entry(name).or_insert_with(|| (variable, Vec::new()));
            entry.1.push(value);
        };
        inspector
            .thread_acts(thread.no, &mut |act| {
                if let Deed::Wrote(variable, value) = act.deed {
                    wrote(variable, value);
                }
                true
            })
            .unwrap();
    }
    assert!(done.len() > 4000, "{}", done.len());
    let mut compared = 0;
    for (variable, values) in done.values().step_by(37) {
        let history = inspector.history(variable).unwrap();
        let mut seen: Vec<String> = history
            .iter()
            .filter(|entry| !entry.reported && entry.by.is_some())
            .map(|entry| format!("{:?}", entry.value))
            .collect();
        let mut expected: Vec<String> = values.iter().map(|v| format!("{v:?}")).collect();
        // Those of two threads are reported thread by thread.
        seen.sort_unstable();
        expected.sort_unstable();
        assert_eq!(seen, expected, "{variable:?}");
        compared += values.len();
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn what_is_no_index_is_made_anew() {
    let directory = TempDir::new().unwrap();
    let file = copied(directory.path());
    let trace = Trace::open(&file).unwrap();
    let index = Inspector::new(&trace).unwrap().index_bytes();
    let is_one = |bytes: &[u8]| Inspector::with_index(&trace, bytes).unwrap().is_some();
    assert!(is_one(&index));
    let mut random = Random(3);
    for _ in 0..300 {
        let mut bytes = index.clone();
        let at = random.below(bytes.len() as u64) as usize;
        bytes[at] ^= 1 << random.below(8);
        assert!(!is_one(&bytes), "byte {at}");
        assert!(!is_one(&index[..at]), "cut at {at}");
    }

    // The index of another trace, nonsense, and none of it can be replaced.
    let beside = index_of(&file);
    let mut other = fs::read(&file).unwrap();
    let middle = other.len() / 2;
    other[middle] ^= 1;
    let damaged = directory.path().join("damaged.jinsi");
    fs::write(&damaged, other).unwrap();
    let damaged = Trace::open(&damaged).unwrap();
    assert!(Inspector::with_index(&damaged, &index).unwrap().is_none());
    for nonsense in [&b""[..], b"nonsense", &index[..index.len() - 1]] {
        fs::write(&beside, nonsense).unwrap();
        let (_, kept) = Inspector::kept(&trace, &file).unwrap();
        assert!(matches!(kept, Kept::Written), "{kept:?}");
        assert_eq!(fs::read(&beside).unwrap(), index);
    }
    fs::remove_file(&beside).unwrap();
    fs::create_dir(&beside).unwrap();
    fs::write(beside.join("file"), "").unwrap();
    let (inspector, kept) = Inspector::kept(&trace, &file).unwrap();
    assert!(matches!(kept, Kept::NotWritten(_)), "{kept:?}");
    assert!(
        inspector
            .state(Moment::after(EventId {
                thread: 0,
                index: 70_000
            }))
            .is_ok()
    );
}

/// Somebody has made an index that has the right checksum. There is no telling what it says, but nothing breaks.
#[test]
#[ignore = "draws other forgeries with each recording: for who works on the form of the file"]
fn a_forged_index_breaks_nothing() {
    let trace = Trace::open(recorded()).unwrap();
    let index = Inspector::new(&trace).unwrap().index_bytes();
    let mut random = Random(11);
    let mut opened = 0;
    for _ in 0..120 {
        let mut bytes = index.clone();
        for _ in 0..=random.below(4) {
            let at = 40 + random.below(bytes.len() as u64 - 40) as usize;
            bytes[at] = random.below(256) as u8;
        }
        let checksum = crc32fast::hash(&bytes[16..]);
        bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
        let Some(inspector) = Inspector::with_index(&trace, &bytes).unwrap() else {
            continue;
        };
        opened += 1;
        let moment = random.moment(&trace);
        said(&inspector, moment);
        for thread in trace.threads() {
            let _ = inspector.outermost(thread.no);
        }
        inspector.find("e", 100);
    }
    assert!(opened > 10, "{opened}");
}
