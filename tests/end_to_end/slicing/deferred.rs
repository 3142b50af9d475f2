//! Slices of recordings without instructions: their replay is recorded with them.

use std::path::{Path, PathBuf};

use jinsi_ground::program_generator;
use jinsi_jdk::{Jdk, compile};
use jinsi_slice::{Kind, Slice};
use jinsi_trace::reader::Trace;
use serde_json::Value;
use tempfile::tempdir;

use super::super::support::{
    compile_programs, jdks, jinsi, json, programs, run, stderr, succeed, tried_jdks,
};
use super::{GOLDEN, record};

const GOLDEN_MAIN: (&str, &str) = ("sliced.Golden", "sliced.*");

/// Has the replay of `trace` recorded with instructions.
fn expand(jdk: &Jdk, trace: &Path) -> PathBuf {
    let steps = trace.with_extension("steps");
    let output = run(jinsi()
        .args(["expand", "--detail", "instructions", "--java-home"])
        .arg(jdk.home())
        .arg(trace)
        .arg("-o")
        .arg(&steps));
    assert!(output.status.success(), "{}", stderr(&output));
    steps
}

/// Everything about a slice but how many instructions were walked over, replay's own among them.
fn without_details(slice: Slice) -> Slice {
    Slice {
        executed: 0,
        ..slice
    }
}

#[test]
fn the_slice_of_a_replay_is_that_of_the_run() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let recorded = |detail| record(&jdk, directory.path(), detail, programs(), GOLDEN_MAIN);
        let at_once = Trace::open(&recorded("instructions")).unwrap();
        let text = GOLDEN.text.lines().enumerate();
        let criteria = text.filter(|(_, line)| line.ends_with(": criterion"));
        let criteria: Vec<String> = criteria
            .map(|(no, _)| format!("{}:{}", GOLDEN.class, no + 1))
            .collect();
        assert!(criteria.len() >= 8);
        for detail in ["boundary", "interactions"] {
            let replayed = Trace::open(&expand(&jdk, &recorded(detail))).unwrap();
            for kind in [Kind::Dynamic, Kind::Relevant] {
                for criterion in &criteria {
                    let slice = |trace| {
                        let criterion = Some(criterion.parse().unwrap());
                        without_details(jinsi_slice::slice(trace, criterion, kind).unwrap())
                    };
                    let (expected, found) = (slice(&at_once), slice(&replayed));
                    assert_eq!(expected, found, "{detail}, {criterion}");
                }
                // The exception has another number there.
                let failure = |trace| jinsi_slice::slice(trace, None, kind).unwrap().lines;
                assert_eq!(failure(&at_once), failure(&replayed));
            }
        }
    }
}

#[test]
#[ignore = "long: generated programs"]
fn generated_programs_replay_into_their_slices() {
    let jdk = &jdks()[1];
    let directory = tempdir().unwrap();
    let sources = program_generator::write(directory.path(), 1).unwrap();
    let classes = directory.path().join("classes");
    compile::javac(jdk, &sources, &[], &classes).expect("generated programs compile");
    let main = ("made.Main", "made.*");
    let recorded = |detail| record(jdk, directory.path(), detail, &classes, main);
    let at_once = Trace::open(&recorded("instructions")).unwrap();
    let replayed = Trace::open(&expand(jdk, &recorded("boundary"))).unwrap();
    let all = jinsi_slice::slice(&at_once, None, Kind::Dynamic)
        .unwrap()
        .lines;
    assert!(all.len() > 100);
    for line in all.iter().step_by(10) {
        // Replay's own instructions, before a class initializer and where a loop goes back, are on lines of the program.
        let slice = |trace| -> Vec<(String, u16)> {
            let criterion = format!("{}:{}", line.class, line.line).parse().unwrap();
            let slice = jinsi_slice::slice(trace, Some(criterion), Kind::Dynamic).unwrap();
            assert_eq!(slice.crossings, []);
            let lines = slice.lines.into_iter();
            lines.map(|line| (line.class, line.line)).collect()
        };
        assert_eq!(slice(&at_once), slice(&replayed));
    }
}

/// Accesses to arrays that one event tells of come through.
#[test]
#[ignore = "long: generated programs"]
fn gathered_accesses_are_replayed() {
    let classes = compile_programs(&["gathered"], &[]);
    let jdk = &jdks()[0];
    let directory = tempdir().unwrap();
    let main = ("Gathered", "Gathered");
    let recorded = |detail| record(jdk, directory.path(), detail, classes.path(), main);
    let at_once = Trace::open(&recorded("instructions")).unwrap();
    let replayed = Trace::open(&expand(jdk, &recorded("boundary"))).unwrap();
    assert!(replayed.sites().iter().any(|site| !site.parts.is_empty()));
    assert_eq!(at_once.event_count(0), replayed.event_count(0));
}

#[test]
fn slice_replays_by_itself() {
    let directory = tempdir().unwrap();
    let jdk = &jdks()[0];
    let recorded = |detail| record(jdk, directory.path(), detail, programs(), GOLDEN_MAIN);
    let (thin, at_once) = (recorded("boundary"), recorded("instructions"));
    let lines = |trace: &Path| -> Value {
        let output = succeed(jinsi().args(["--json", "slice"]).arg(trace));
        json(&output)["lines"].take()
    };
    assert_eq!(lines(&thin), lines(&at_once));

    // What is expanded so has the classes as replay runs them.
    let steps = expand(jdk, &thin);
    for command in ["replay", "minimize"] {
        let refused = run(jinsi()
            .current_dir(directory.path())
            .arg(command)
            .arg(&steps));
        assert_eq!(refused.status.code(), Some(1));
        let why = "use the original recording";
        assert!(stderr(&refused).contains(why), "{}", stderr(&refused));
    }
    let more = directory.path().join("more");
    let refused = run(jinsi()
        .args(["expand", "--detail", "instructions"])
        .arg(&at_once)
        .arg("-o")
        .arg(&more));
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("has its instructions already"));
    assert!(!more.exists());
}
