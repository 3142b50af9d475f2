//! Questions about what is pointed at: a part of what a call gave.

use std::path::Path;

use jinsi_jdk::compile;
use tempfile::TempDir;

use super::ask;
use crate::support::{has, jdks, json, record_in, recorded, stderr, stdout};

fn figures(directory: &Path) -> std::path::PathBuf {
    let how = ("pointed.*", "states");
    record_in(&jdks().remove(0), directory, "pointed.Figures", how)
}

/// Who says what is wrong is asked only about calls that had a part in it; that is kept, and taken back.
#[test]
fn what_is_wrong_is_pointed_at() {
    let directory = TempDir::new().unwrap();
    let trace = figures(directory.path());
    let top_down = |answers: &str| {
        let output = ask(&trace, &["--json", "--strategy", "top-down"], answers);
        json(&output)
    };
    // main, of, the constructor, four of add, four of larger, five to eight of weighed.
    let all = top_down("")["calls"].as_u64().unwrap();
    let of = top_down("n\n");
    assert_eq!(of["question"]["method"], "pointed.Figures.of");
    assert_eq!(of["question"]["outcome"], "result");
    let refused = ask(
        &trace,
        &["--strategy", "top-down"],
        "n nobody\nn result.nothing\nq\n",
    );
    let text = stdout(&refused);
    assert!(text.contains("there is no variable nobody"), "{text}");
    assert!(text.contains("no recorded field nothing"), "{text}");

    let part = top_down("n result.largest\n");
    let left = part["suspected"].as_u64().unwrap();
    assert!(left < all - 4, "{part:#}");
    assert_eq!(part["answers"][1]["part"], "result.largest");
    let mut now = part;
    let mut asked = Vec::new();
    while now["state"] == "asking" {
        let text = now["question"]["text"].as_str().unwrap();
        asked.push(now["question"]["method"].as_str().unwrap().to_owned());
        // 24 counts half.
        let wrong = text.ends_with(", 24)") || text.ends_with("(24)");
        now = top_down(if wrong { "n\n" } else { "y\n" });
    }
    assert!(
        asked.iter().all(|m| m != "pointed.Figures.add"),
        "{asked:?}"
    );
    assert_eq!(now["verdict"]["method"], "pointed.Figures.weighed");

    // The part of a kept answer is found again; taken back, everything is suspected again.
    let given = asked.len();
    let back = top_down(&"b\n".repeat(given));
    assert_eq!(back["suspected"], left);
    let back = top_down("b\n");
    assert_eq!(back["suspected"].as_u64().unwrap(), all, "{back:#}");
}

/// A field that nobody has written: the constructor might have.
#[test]
fn what_a_constructor_left_out_had_a_part() {
    let directory = TempDir::new().unwrap();
    let how = ("fares.*", "states");
    let trace = record_in(&jdks().remove(0), directory.path(), "fares.Main", how);
    let options = ["--json", "--strategy", "top-down"];
    let mut now = json(&ask(&trace, &options, "n\n"));
    while now["question"]["method"] != "fares.Counter.open" {
        now = json(&ask(&trace, &options, "y\n"));
    }
    // It is between the constructor, which is asked about, and the one that called it.
    let pointed = json(&ask(&trace, &options, "n result.place\n"));
    assert_eq!(pointed["suspected"], 2, "{pointed:#}");
    assert_eq!(pointed["question"]["method"], "fares.Counter.<init>");
    let found = json(&ask(&trace, &options, "n\n"));
    assert_eq!(found["verdict"]["method"], "fares.Counter.<init>");
}

/// What is wrong of the run as a whole is said at the beginning.
#[test]
fn what_is_wrong_of_the_run_is_said_first() {
    let directory = TempDir::new().unwrap();
    let trace = figures(directory.path());
    let options = ["--json", "--wrong", "Figures.shown.total"];
    let first = json(&ask(&trace, &options, ""));
    assert_eq!(first["answers"].as_array().unwrap().len(), 1, "{first:#}");
    let mut now = first;
    while now["state"] == "asking" {
        let method = now["question"]["method"].as_str().unwrap();
        assert!(!method.ends_with(".larger") && !method.ends_with(".weighed"));
        let wrong = method.ends_with(".of");
        let answer = if wrong { "n result.total\n" } else { "y\n" };
        now = json(&ask(&trace, &options, answer));
    }
    assert_eq!(now["verdict"]["method"], "pointed.Figures.of");
    assert!(now["verdict"]["apart"].as_u64().unwrap() >= 8, "{now:#}");
    // All that was kept from being asked about is reported.
    let text = stdout(&ask(&trace, &options[1..], ""));
    assert!(text.contains("were not asked about"), "{text}");
    let nothing = ask(&trace, &["--fresh", "--wrong", "nothing"], "");
    has(&stderr(&nothing), "--wrong nothing");
}

/// Hermanns and Kuchen's example without its second loop: what should have been written was not. The loop's call has a part nevertheless, for its
/// branches might have led there.
#[test]
fn what_was_not_written_had_a_part() {
    let directory = TempDir::new().unwrap();
    let jdk = jdks().remove(0);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/mergesort");
    let text = std::fs::read_to_string(source.join("MergeSort.java")).unwrap();
    let loop_two = "        while (la < ra)\n            c[lb++] = a[la++];\n";
    let without = text.replace(loop_two, "");
    assert_ne!(text, without);
    let file = directory.path().join("MergeSort.java");
    std::fs::write(&file, without).unwrap();
    let classes = directory.path().join("classes");
    compile::javac(&jdk, &[file], &[], &classes).unwrap();
    let how = ("mergesort.*", "states");
    let main = "mergesort.MergeSort";
    let trace = recorded(&jdk, directory.path(), classes.as_os_str(), main, how);
    let top_down = |answers: &str| {
        let output = ask(&trace, &["--json", "--strategy", "top-down"], answers);
        json(&output)
    };
    let mut now = top_down("n\nn a[3]\n");
    assert_eq!(now["answers"][1]["part"], "a[3]", "{now:#}");
    let mut last = String::new();
    while now["state"] == "asking" {
        let text = now["question"]["text"].as_str().unwrap();
        last = text.to_owned();
        let wrong = text.contains("merge(") && text.contains("0, 2, ");
        now = top_down(if wrong { "n\n" } else { "y\n" });
    }
    assert_eq!(
        now["verdict"]["method"], "mergesort.MergeSort.merge",
        "{last}"
    );
}
