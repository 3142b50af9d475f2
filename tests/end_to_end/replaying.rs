//! Strict replay at every level: a sample of `cargo xtask replay-suite`.

use serde_json::Value;
use tempfile::tempdir;

use super::support::{jdks, jinsi, json, record, run, stderr, stdout, tried_jdks};

/// Programs that replay whatever is observed; the last one does not fail.
const PROGRAMS: [(&str, &str); 7] = [
    ("ledger.app.Main", "ledger.*"),
    ("vending.Main", "vending.*"),
    ("xmltree.Main", "xmltree.*"),
    ("restored.Main", "restored.*"),
    ("replayed.app.Main", "replayed.app.*"),
    ("mocks.app.Main", "mocks.app.*"),
    ("golden.Directions", "golden.*"),
];

#[test]
fn every_level_replays_as_recorded() {
    for jdk in tried_jdks() {
        for (main, observe) in PROGRAMS {
            let directory = tempdir().unwrap();
            let trace = record(&jdk, directory.path(), main, observe);
            let output = run(jinsi().args(["--json", "replay", "--levels"]).arg(&trace));
            let document = json(&output);
            assert_eq!(document["diverged"], 0, "{main}: {document:#}");
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            let levels = document["levels"].as_array().unwrap();
            assert_eq!(levels[0]["level"], "all");
            let alone = |l: &&Value| l["observed"] == 1;
            assert!(levels.iter().any(|l| alone(&l)), "{main}: {document:#}");
        }
    }
}

/// What does not see the failure replays all the same; text and status say so.
#[test]
fn a_set_that_does_not_see_the_failure_replays() {
    let jdk = &jdks()[0];
    let directory = tempdir().unwrap();
    let trace = record(jdk, directory.path(), "golden.Builders", "golden.*");
    let observed = ["replay", "--observe", "golden.Heading"];
    let output = run(jinsi().args(observed).arg(&trace));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("passing"), "{}", stdout(&output));
    let refused = run(jinsi()
        .args(["replay", "--levels", "--only", "1"])
        .arg(&trace));
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
}
