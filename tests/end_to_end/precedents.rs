//! Answers that need nobody: what calls of other runs gave for the same, and what was said of them.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::ask::ask;
use super::support::{jdks, json, record_in, stderr, stdout};

/// A run with these prices, in a directory of its own.
fn prices(directory: &Path, name: &str, prices: &str) -> PathBuf {
    let place = directory.join(name);
    std::fs::create_dir(&place).unwrap();
    let main = format!("prices.Prices {prices}");
    record_in(&jdks().remove(0), &place, &main, ("prices.*", "states"))
}

/// Calls that gave the same for the same in a run that passed are right; those that gave something else are left to who is asked.
#[test]
fn a_run_that_passed_answers() {
    let directory = TempDir::new().unwrap();
    let wrong = prices(directory.path(), "wrong", "60 100");
    let passed = prices(directory.path(), "passed", "40 60");
    let passed = passed.to_str().unwrap();
    let options = ["--strategy", "top-down", "--passed", passed];
    // main, rate, all, of 100: total, tax, discount.
    let output = ask(&wrong, &options, "n\ny\nn\nn\ny\nn\n");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    assert!(text.contains("that run passed: right"), "{text}");
    let other =
        "was given the same, and gave something else: as there, the result is 60; it should be 40";
    assert!(text.contains(other), "{text}");
    let blamed = "The defect is in prices.Prices.discount, Prices.java:14.";
    assert!(text.contains(blamed), "{text}");
    let answers = "answers: 6 of yours, 0 of the other version, 1 of other runs";
    assert!(text.contains(answers), "{text}");

    // It is marked, and can be taken back: then it is asked.
    let again = ["--strategy", "top-down", "--json", "--passed", passed];
    let document = json(&ask(&wrong, &again, "b\nb\nb\nb\nq\n"));
    let by = |no: usize| document["answers"][no]["by"].clone();
    assert_eq!(
        (by(2), by(3)),
        ("user".into(), serde_json::Value::Null),
        "{document:#}"
    );
    assert_eq!(
        document["question"]["text"], "Prices.total(60)",
        "{document:#}"
    );

    // A run that did not pass says nothing.
    let nothing = ask(&wrong, &["--fresh", "--passed", "nowhere.jinsi"], "");
    assert_ne!(nothing.status.code(), Some(0));
}

/// What was said of a call holds for calls of another run that were given the same and gave the same.
#[test]
fn answers_are_used_again() {
    let directory = TempDir::new().unwrap();
    let first = prices(directory.path(), "first", "60 100");
    let top_down = ["--strategy", "top-down"];
    let output = ask(&first, &top_down, "n\ny\nn\ny\nn\ny\nn\n");
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let second = prices(directory.path(), "second", "100 60");
    let kept = format!("{}.ask", first.display());
    let options = [&top_down[..], &["--json", "--answers", &kept]].concat();
    // main, rate, all.
    let document = json(&ask(&second, &options, "n\ny\nn\n"));
    assert_eq!(document["state"], "found", "{document:#}");
    assert_eq!(document["verdict"]["method"], "prices.Prices.discount");
    let answers = document["answers"].as_array().unwrap().iter();
    let earlier = answers.filter(|answer| answer["by"] == "earlier");
    let earlier: Vec<_> = earlier.map(|answer| answer["answer"].as_str()).collect();
    assert_eq!(
        earlier,
        [Some("invalid"), Some("valid"), Some("invalid")],
        "{document:#}"
    );
}
