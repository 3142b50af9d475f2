//! Varying program flow (Burger 2011, Listing 4.1). All 16 subsets of the four calls.

use serde_json::Value;
use tempfile::tempdir;

use super::support::{jinsi, json, record, succeed, tried_jdks};

/// What a subset must give: in sync with these answers, or unresolved for this reason.
enum Expected {
    InSync(&'static [&'static str]),
    Unresolved(&'static [&'static str]),
}
use Expected::{InSync, Unresolved};

const NEW: &str = "<init>";
const WRITE: &str = "write";
const CLOSE: &str = "close";

fn expected(subset: &[u32]) -> Expected {
    match subset {
        [1, 2, 3, 4] => InSync(&[NEW, WRITE, WRITE, CLOSE]),
        [1, 2, 4] => InSync(&[NEW, CLOSE]),
        [1, 3, 4] | [1, 4] => Unresolved(&["never_recorded", "no_alternative"]),
        [] | [1, ..] => InSync(&[]),
        _ => Unresolved(&["receiver_missing"]),
    }
}

#[test]
fn all_subsets() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = record(
            &jdk,
            directory.path(),
            "numberwriter.Main",
            "numberwriter.*",
        );
        for bits in 0u32..16 {
            let subset: Vec<u32> = (1..=4).filter(|n| bits >> (n - 1) & 1 == 1).collect();
            if subset.is_empty() {
                continue; // `--only` takes numbers; that nothing gives nothing is tested by the search itself
            }
            let numbers = subset
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(",");
            let mut command = jinsi();
            command
                .args([
                    "--json",
                    "replay",
                    "--observe",
                    "numberwriter.NumberWriter",
                    "--only",
                    &numbers,
                ])
                .arg(&trace);
            let output = succeed(&mut command);
            check(&subset, &json(&output));
        }
    }
}

fn check(subset: &[u32], result: &Value) {
    match expected(subset) {
        InSync(answers) => {
            assert_eq!(result["outcome"], "passing", "{subset:?}: {result}");
            let used: Vec<&str> = result["answers"]
                .as_array()
                .unwrap()
                .iter()
                .map(|a| a.as_str().unwrap())
                .collect();
            assert_eq!(used.len(), answers.len(), "{subset:?}: {used:?}");
            for (used, name) in used.iter().zip(answers) {
                assert!(used.contains(&format!(".{name}(")), "{subset:?}: {used}");
            }
        }
        Unresolved(reasons) => {
            assert_eq!(result["outcome"], "unresolved", "{subset:?}: {result}");
            assert!(
                reasons.contains(&result["why"].as_str().unwrap()),
                "{subset:?}: {result}"
            );
        }
    }
}
