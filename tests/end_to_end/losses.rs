//! `jinsi info` says what was not recorded, and how often.

use std::process::Command;

use serde_json::{Value, json as value};
use tempfile::tempdir;

use super::support::{
    compile_programs, jdks, jinsi, json, recording_option, run, stdout, succeed, tried_jdks,
};

#[test]
fn info_counts_what_is_not_recorded() {
    let classes = compile_programs(&["losses"], &[]);
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = directory.path().join("t.jinsi");
        let agent = recording_option("observe=losses.*", &trace);
        let output = succeed(
            Command::new(jdk.java())
                .args([&agent, "-cp"])
                .arg(classes.path())
                .arg("losses.Main"),
        );
        // What the program counts itself.
        assert!(stdout(&output).contains("loads 1\n"), "{}", stdout(&output));
        let info = json(&run(jinsi().args(["info", "--json"]).arg(&trace)));
        check_callers(&info);
        check_losses(&info["losses"]);
        let text = stdout(&run(jinsi().arg("info").arg(&trace)));
        for line in [
            "4 by the driver",
            "not recorded  losses.Main.twice(I)I: native code, 2 calls of it are\n",
            "not recorded  who called losses.Main$Accessed.<clinit>()V, 1 times\n",
            ": hidden classes are shown to no agent\n",
            "not recorded  1 contents of arrays, collections or objects larger than the bound\n",
        ] {
            assert!(text.contains(line), "no '{line}' in {text}");
        }
    }
}

/// Who called observed code, and of which calls nobody knows.
fn check_callers(info: &Value) {
    let losses = &info["losses"];
    let callers = &losses["callers"];
    let number = |key: &str| callers[key].as_u64().unwrap();
    // Of main, of a thread's run, of a cleaner's and of a shutdown hook's.
    assert_eq!(number("driver"), 4, "{losses:#}");
    // A class initializer at an access of a static field; the class loader, asked by the JVM.
    assert_eq!(
        callers["missed_methods"],
        value!([
            {"method": "losses.Main$Accessed.<clinit>()V", "calls": 1},
            {
                "method": "losses.Main$Loader.loadClass(Ljava/lang/String;Z)Ljava/lang/Class;",
                "calls": 1
            },
        ]),
        "{losses:#}"
    );
    assert_eq!(number("missed"), 2);
    assert_eq!(
        number("enters"),
        info["kinds"]["Enter"]["events"].as_u64().unwrap()
    );
    let sum: u64 = ["direct", "driver", "callbacks", "missed"]
        .iter()
        .map(|key| number(key))
        .sum();
    assert_eq!(sum, number("enters"));
}

/// What else is missing.
fn check_losses(losses: &Value) {
    assert_eq!(
        losses["natives_crossed"],
        value!([{"method": "losses.Main.twice(I)I", "calls": 2}])
    );
    assert_eq!(losses["contents_dropped"], 1);
    assert_eq!(losses["events_dropped"], 0);
    let hidden: Vec<&str> = losses["classes_hidden"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect();
    let [name] = hidden[..] else {
        panic!("{hidden:?}")
    };
    assert!(name.starts_with("losses.Hidden.0x"), "{name}");
    for none in [
        "classes_skipped",
        "classes_early",
        "methods_thinned",
        "threads_refused",
    ] {
        assert_eq!(losses[none], Value::Array(vec![]), "{none}");
    }
}

/// A failure that happens again and again is recorded a hundred times, and counted from then on.
#[test]
fn a_failure_that_repeats_is_counted() {
    let jdk = &jdks()[0];
    let directory = tempdir().unwrap();
    let source = directory.path().join("Again.java");
    std::fs::write(
        &source,
        "public class Again {
            public static void main(String[] a) {
                int caught = 0;
                for (int i = 0; i < 250; i++) {
                    try { refuse(i); } catch (IllegalStateException e) { caught++; }
                }
                System.out.println(caught);
            }
            static void refuse(int i) { throw new IllegalStateException(\"no \" + i); }
        }",
    )
    .unwrap();
    jinsi_jdk::compile::javac(jdk, std::slice::from_ref(&source), &[], directory.path()).unwrap();
    let trace = directory.path().join("t.jinsi");
    let output = run(jinsi()
        .args(["record", "--observe", "Again", "--fail"])
        .arg("java.lang.IllegalStateException")
        .arg("-o")
        .arg(&trace)
        .arg("--")
        .arg(jdk.java())
        .arg("-cp")
        .arg(directory.path())
        .arg("Again"));
    assert_eq!(stdout(&output), "250\n");
    let info = json(&run(jinsi().args(["info", "--json"]).arg(&trace)));
    assert_eq!(info["failures"].as_array().unwrap().len(), 100);
    let repeated = &info["losses"]["failures_repeated"];
    assert_eq!(repeated.as_array().unwrap().len(), 1, "{repeated}");
    assert_eq!(repeated[0]["class"], "java.lang.IllegalStateException");
    assert_eq!(
        repeated[0]["reason"],
        "150 more failures like the first 100 at Again.refuse:9"
    );
}
