//! What the program did once is never done again, by whatever way it was reached: method references.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use jinsi_jdk::Jdk;
use jinsi_trace::reader::Trace;
use tempfile::tempdir;

use super::support::{jinsi, json, programs, run, stderr, stdout, tried_jdks};

/// Two files that the recorded program has deleted.
struct Files([PathBuf; 2]);

impl Files {
    fn below(directory: &Path) -> Self {
        let files = Self(["a", "b"].map(|name| directory.join(name)));
        files.set();
        files
    }

    fn set(&self) {
        for file in &self.0 {
            fs::write(file, "untouched").unwrap();
        }
    }

    /// Runs the command on the trace; the files are as they were afterwards.
    fn spared(&self, trace: &Path, command: &[&str]) -> Output {
        self.set();
        let directory = trace.parent().unwrap();
        let output = run(jinsi()
            .current_dir(directory)
            .args(command)
            .arg(trace)
            // What replay does not do it has to spare by itself.
            .arg("--unconfined")
            .env("HANDLES_TEST", "other"));
        assert!(output.status.success(), "{command:?}: {}", stderr(&output));
        for file in &self.0 {
            let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{command:?}: {e}"));
            assert_eq!(text, "untouched", "{command:?}");
        }
        output
    }
}

fn recorded(jdk: &Jdk, directory: &Path, files: &Files, detail: &str) -> PathBuf {
    let trace = directory.join(detail);
    let output = run(jinsi()
        .current_dir(directory)
        .env("HANDLES_TEST", "set")
        .args(["record", "--detail", detail, "--observe", "handles.*", "-o"])
        .arg(&trace)
        .arg("--")
        .arg(jdk.java())
        .arg("-cp")
        .arg(programs())
        .arg("handles.Main")
        .args(&files.0));
    let said = stderr(&output);
    assert!(said.contains("IllegalStateException"), "{said}");
    assert!(!said.contains("jinsi$"), "{said}");
    assert!(!files.0.iter().any(|f| f.exists()), "{said}");
    trace
}

#[test]
#[ignore = "long: every kind of reference"]
fn method_references_are_answered_like_calls() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let files = Files::below(directory.path());
        for detail in ["interactions", "boundary", "instructions"] {
            files.set();
            let trace = recorded(&jdk, directory.path(), &files, detail);
            let document = json(&files.spared(&trace, &["--json", "replay", "--levels"]));
            assert_eq!(document["diverged"], 0, "{detail}: {document:#}");
            // The failure tells what was heard, so it has appeared only if all of it was the same.
            assert_eq!(document["levels"][0]["outcome"], "failing", "{document:#}");
            files.spared(&trace, &["minimize", "--levels", "--out", "report"]);
            let slice = stdout(&files.spared(&trace, &["slice"]));
            assert!(slice.contains("System.nanoTime"), "{slice}");
            if detail == "boundary" {
                files.spared(&trace, &["expand", "-o", "expanded"]);
                let [expanded, whole] =
                    ["expanded", "interactions"].map(|name| directory.path().join(name));
                let [expanded, whole] = [expanded, whole].map(|t| Trace::open(&t).unwrap());
                assert_eq!(expanded.event_count(0), whole.event_count(0));
            }
        }
    }
}

#[test]
fn the_program_does_not_see_what_its_method_references_became() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let plain = run(std::process::Command::new(jdk.java())
            .arg("-cp")
            .arg(programs())
            .arg("handles.Seen"));
        assert!(plain.status.success(), "{}", stderr(&plain));
        let plain = stdout(&plain);
        assert!(plain.contains("File.<init>"), "{plain}");
        for detail in ["boundary", "interactions"] {
            let recorded = run(jinsi()
                .current_dir(&directory)
                .args(["record", "--detail", detail, "--observe", "handles.*", "-o"])
                .args([detail, "--"])
                .arg(jdk.java())
                .arg("-cp")
                .arg(programs())
                .arg("handles.Seen"));
            assert_eq!(stdout(&recorded), plain, "{}", stderr(&recorded));
            let trace = Trace::open(&directory.path().join(detail)).unwrap();
            let bodies = trace.classes().iter().any(|class| {
                let name = b"lambda$jinsi$";
                class.bytes.windows(name.len()).any(|w| w == name)
            });
            assert!(bodies, "{detail}");
        }
    }
}
