//! Threads: a recorded run of several replays in the recorded order, the same each time.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use jinsi_analysis::pipeline::{Config, Run};
use jinsi_jdk::{Jdk, Walls, compile};
use jinsi_level::verdict::{TestOutcome, TestResult};
use jinsi_natural::Natural;
use tempfile::{TempDir, tempdir};

use super::support::{jdks, minimize, numbers, record, tried_jdks};

/// The ways in which `gang.app.Main` has threads work on the same objects.
const WAYS: [&str; 5] = ["executor", "waiting", "virtual", "future", "subclass"];

/// How often each is replayed.
const TIMES: usize = 20;

/// The classes of the replay worker.
fn harness() -> &'static Path {
    static COMPILED: OnceLock<TempDir> = OnceLock::new();
    let compiled = COMPILED.get_or_init(|| {
        let out = TempDir::new().expect("temporary directory");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("java-harness/replay/jinsi");
        let files = std::fs::read_dir(sources.join("replay")).expect("the worker's sources");
        let files: Vec<PathBuf> = files.map(|f| f.expect("readable").path()).collect();
        let oldest = jdks().into_iter().min_by_key(|j| j.version().feature);
        compile::javac(&oldest.expect("a JDK"), &files, &[], out.path()).expect("it compiles");
        out
    });
    compiled.path()
}

/// What a replay needs.
pub(crate) fn config(jdk: &Jdk) -> Config {
    Config {
        jdk: jdk.clone(),
        compiler: jdk.clone(),
        harness: harness().to_owned(),
        test_server: PathBuf::new(),
        junit_sources: Vec::new(),
        natural: Natural::default(),
        walls: Walls::Confined,
    }
}

#[test]
#[ignore = "long: many programs"]
fn threads_replay_in_the_recorded_order() {
    for jdk in tried_jdks() {
        for way in WAYS {
            let directory = tempdir().unwrap();
            let main = format!("gang.app.Main {way}");
            let trace = record(&jdk, directory.path(), &main, "gang.app.*");
            let run = Run::open(&trace).unwrap();
            let config = config(&jdk);
            let mut replay = run.replay(&config, None).unwrap();
            let all = replay.level();
            assert!(all.is_threaded(), "{way}: {all:#?}");
            let results: Vec<TestResult> = (0..TIMES).map(|_| replay.strict().unwrap()).collect();
            assert_eq!(
                results[0].outcome,
                TestOutcome::Failing,
                "{way}: {results:#?}"
            );
            for again in &results {
                assert_eq!(again.outcome, results[0].outcome, "{way}: {again:#?}");
                assert_eq!(again.used_answers, results[0].used_answers, "{way}");
            }
            for level in run.levels() {
                replay.load(&level.observed).unwrap();
                let result = replay.strict().unwrap();
                let diverged = matches!(result.outcome, TestOutcome::Unresolved(_));
                assert!(!diverged, "{way}, {}: {result:#?}", level.name);
            }
        }
    }
}

/// Of what other threads did, what the failure of one needs is left.
#[test]
fn a_failure_of_several_threads_is_minimized() {
    let directory = tempdir().unwrap();
    let main = "gang.app.Main failing";
    let trace = record(&jdks()[0], directory.path(), main, "gang.app.*");
    let report = minimize(&trace, "gang.app.Tally");
    let level = &report["levels"][0];
    assert_eq!(level["strict_replay"], "reproduced", "{level:#}");
    // Main has made and limited it, a thread has added little, and another one too much; then main has looked at it.
    assert_eq!(level["interactions"], 5, "{level:#}");
    assert_eq!(numbers(&level["kept"]), [1, 2, 4], "{level:#}");
    assert_eq!(level["test_outcome"], "reproduces", "{level:#}");
}

/// An observed thread is asked for what every object can do: that is done again, and not answered from the recording.
#[test]
fn what_a_thread_has_of_an_object_runs_for_real() {
    let directory = tempdir().unwrap();
    let trace = record(&jdks()[0], directory.path(), "worker.Main", "worker.Worker");
    let report = minimize(&trace, "worker.Worker");
    let level = &report["levels"][0];
    assert_eq!(level["strict_replay"], "reproduced", "{level:#}");
    assert_eq!(numbers(&level["kept"]), [1, 3, 4], "{level:#}");
}
