//! What programs could notice of a recording: when their objects are collected, how their tests end. `cargo xtask transparency` looks at
//! whole test suites; this is a sample.

use std::path::{Path, PathBuf};
use std::process::Command;

use jinsi_jdk::junit::{self, JunitResult};
use jinsi_jdk::maven;
use tempfile::tempdir;

use super::support::{jinsi, json, programs, recording_option, run, stderr, stdout, tried_jdks};

fn option(observe: &str, trace: &Path) -> String {
    recording_option(&format!("observe={observe}"), trace)
}

/// What a probe copied must not keep an object alive: neither receiver nor argument nor array, whether or not the instruction throws.
#[test]
fn objects_are_collected_as_early_as_without() {
    for jdk in tried_jdks() {
        for observe in ["garbage.*", "garbage.Main"] {
            let directory = tempdir().unwrap();
            let trace = directory.path().join("t.jinsi");
            let output = run(Command::new(jdk.java())
                .arg(option(observe, &trace))
                .arg("-cp")
                .arg(programs())
                .arg("garbage.Main"));
            let lines = stdout(&output);
            let context = format!("Java {} {observe}: {}", jdk.version(), stderr(&output));
            let collected = lines.lines().filter(|l| l.ends_with(" true")).count();
            assert_eq!(collected, 9, "{context}\n{lines}");
        }
    }
}

/// One class of the tests of commons-lang3, the library observed.
#[test]
fn published_tests_end_alike() {
    const TESTS: &str = "org.apache.commons.lang3.text.StrBuilderTest";
    let class_path: Vec<PathBuf> = maven::fetch(&[
        "org.apache.commons:commons-lang3:3.14.0",
        "org.apache.commons:commons-lang3:3.14.0:tests",
        "org.hamcrest:hamcrest:2.2",
        maven::JUNIT,
    ])
    .expect("commons-lang3 from Maven Central");
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = directory.path().join("t.jinsi");
        let plain = junit::run(&jdk, &class_path, &[TESTS], &[]).unwrap();
        let agent = [option("org.apache.commons.*", &trace)];
        let observed = junit::run(&jdk, &class_path, &[TESTS], &agent).unwrap();
        assert!(plain.len() > 80, "{}", plain.len());
        assert!(plain.iter().any(|t| t.result == JunitResult::Passed));
        assert_eq!(observed, plain, "Java {}", jdk.version());
        let info = json(&run(jinsi().args(["info", "--json"]).arg(&trace)));
        let events = info["events"].as_u64();
        assert!(events.is_some_and(|n| n > 10_000), "{events:?}");
    }
}
