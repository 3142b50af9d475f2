//! Another agent that redefines the program's classes while they load, while the recording ends, and while the JVM does.

use std::path::{Path, PathBuf};
use std::process::Command;

use jinsi_jdk::Jdk;
use jinsi_trace::reader::Trace;
use tempfile::tempdir;

use super::support::{programs, recording_option, run, stderr, stdout, tried_jdks};

/// How often each thread of the program loads its classes.
const TIMES: &str = "8";

/// A jar that says which class of the program is the other agent.
fn other_agent(jdk: &Jdk, directory: &Path) -> PathBuf {
    let manifest = directory.join("manifest");
    let lines = "Premain-Class: redefined.Agent\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n";
    std::fs::write(&manifest, lines).unwrap();
    let jar = directory.join("other.jar");
    let output = run(Command::new(jdk.java().with_file_name("jar"))
        .arg("cfm")
        .args([&jar, &manifest]));
    assert!(output.status.success(), "{}", stderr(&output));
    jar
}

/// A class keeps the shape that it was loaded with: redefining it never fails for what jinsi adds to it.
#[test]
fn another_agent_redefines_classes_under_load() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let other = other_agent(&jdk, directory.path());
        // One of the recordings ends by its size while the classes are redefined.
        for (detail, size) in [
            ("boundary", "1G"),
            ("interactions", "1G"),
            ("instructions", "1G"),
            ("instructions", "1M"),
        ] {
            let path = directory.path().join("t.jinsi");
            let output = run(Command::new(jdk.java())
                .env_remove("JAVA_TOOL_OPTIONS")
                .arg(recording_option(
                    &format!("observe=redefined.app.*,detail={detail},max-size={size}"),
                    &path,
                ))
                .arg(format!("-javaagent:{}", other.display()))
                .arg("-cp")
                .arg(programs())
                .args(["redefined.Main", TIMES]));
            let context = format!(
                "Java {}, {detail}, {size}: {}",
                jdk.version(),
                stderr(&output)
            );
            assert!(output.status.success(), "{context}");
            assert_eq!(stdout(&output), "redefined: true\n", "{context}");
            let trace = Trace::open(&path).unwrap();
            assert!(trace.damage().is_empty(), "{context}");
            std::fs::remove_file(&path).unwrap();
        }
    }
}
