//! Contents of arrays (Burger 2011, Section 8.5.3): what observed code computes with when interactions are left out, for an array
//! and for a list.

use tempfile::tempdir;

use super::support::{jinsi, json, record, run, succeed, tried_jdks};

/// A row: the run that was recorded, the interactions that are replayed, and what the array holds then; `None`: there is none. The last
/// interaction of each run shows it, by the failure.
const ROWS: [(&str, &[u32], Option<&str>); 13] = [
    // 1 constructor · 2 setValues{1,2} · 3 init(7,8) · 4 transform · 5 show
    ("init", &[1, 2, 3, 4, 5], Some("[8, 9]")),
    ("init", &[1, 3, 4, 5], Some("[8, 9]")),
    ("init", &[1, 2, 4, 5], Some("[2, 3]")),
    ("init", &[1, 4, 5], None),
    // 1 · 2 · 3 addValue(7) · 4 addValue(8) · 5 transform · 6 show
    ("add", &[1, 2, 3, 4, 5, 6], Some("[8, 9]")),
    ("add", &[1, 2, 5, 6], Some("[2, 3]")),
    ("add", &[1, 2, 3, 5, 6], Some("[8, 3]")),
    ("add", &[1, 2, 4, 5, 6], Some("[9, 3]")),
    ("add", &[1, 5, 6], None),
    // 1 · 2 · 3 readValues (7,8) · 4 transform · 5 show
    ("read", &[1, 2, 3, 4, 5], Some("[8, 9]")),
    ("read", &[1, 2, 4, 5], Some("[2, 3]")),
    ("read", &[1, 2, 3, 5], Some("[7, 8]")),
    ("read", &[1, 4, 5], None),
];

#[test]
#[ignore = "long: all subsets"]
fn what_is_computed_with_is_true_in_every_subset() {
    for jdk in tried_jdks() {
        for (form, class) in [("array", "golden.Bytes"), ("list", "golden.Numbers")] {
            for of_run in ["init", "add", "read"] {
                let directory = tempdir().unwrap();
                let main = format!("golden.Truth {form} {of_run}");
                let trace = record(&jdk, directory.path(), &main, class);
                for (_, subset, truth) in ROWS.iter().filter(|row| row.0 == of_run) {
                    let numbers: Vec<String> = subset.iter().map(u32::to_string).collect();
                    let output = succeed(
                        jinsi()
                            .args(["--json", "replay", "--observe", class, "--only"])
                            .arg(numbers.join(","))
                            .arg(&trace),
                    );
                    let result = json(&output);
                    let row = format!("{form} {of_run} {subset:?}: {result}");
                    match truth {
                        Some("[8, 9]") => assert_eq!(result["outcome"], "failing", "{row}"),
                        Some(values) => {
                            assert_eq!(result["why"], "other_exception", "{row}");
                            let detail = result["detail"].as_str().unwrap();
                            let shown =
                                format!("java.lang.IllegalStateException: {values} at golden.");
                            assert!(detail.starts_with(&shown), "{row}");
                        }
                        None => {
                            let detail = result["detail"].as_str().unwrap();
                            assert!(detail.contains("NullPointerException"), "{row}");
                        }
                    }
                }
            }
        }
    }
}

/// Beyond the bound on contents, what was read is answered.
#[test]
fn what_was_read_of_large_contents_is_there() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = record(&jdk, directory.path(), "golden.Large", "golden.Large");
        let output = run(jinsi().args(["--json", "replay"]).arg(&trace));
        let result = json(&output);
        assert_eq!(result["outcome"], "failing", "{result}");
        assert_eq!(result["resynchronized"], false);
    }
}
