//! Functions that are handed over, and called later by threads of somebody else: their failure belongs to the call that handed them over.

use serde_json::Value;
use tempfile::tempdir;

use super::support::{is_plain, jinsi, json, programs, run, stderr, tried_jdks};

/// The report of `later.out.Main way`, recorded at the boundary; and the source of its recommended test.
fn minimized(way: &str) -> (Value, String) {
    let jdk = tried_jdks().remove(0);
    let directory = tempdir().unwrap();
    let trace = directory.path().join("thin.jinsi");
    let output = run(jinsi()
        .args(["record", "--detail", "boundary", "--observe", "later.app.*"])
        .args(["--fail", "java.lang.ArithmeticException", "-o"])
        .arg(&trace)
        .arg("--")
        .arg(jdk.java())
        .arg("-cp")
        .arg(programs())
        .args(["later.out.Main", way]));
    assert!(output.status.success(), "{}", stderr(&output));
    let out = directory.path().join("report");
    let report = json(&run(jinsi()
        .args(["--json", "minimize", "--out"])
        .arg(&out)
        .arg(&trace)));
    let keep = report["keep"].as_str().expect("a recommended test");
    let source = std::fs::read_to_string(out.join(keep)).unwrap();
    (report, source)
}

/// A stage of a future fails: the test asks for that future, and waits for it.
#[test]
fn a_stage_fails_where_its_future_is_waited_for() {
    let (report, source) = minimized("buy");
    is_plain(&report["levels"][0]);
    // How many calls are left depends on which thread did what. Each is waited for.
    let calls = source.matches(".buy(\"lamp\")").count();
    assert!(calls > 0, "{source}");
    assert_eq!(
        source.matches(".buy(\"lamp\").join()").count(),
        calls,
        "{source}"
    );
    assert!(
        source.contains("Executors.newCachedThreadPool()"),
        "{source}"
    );
    assert!(
        source.contains("void buyDoesNotThrowArithmeticException()"),
        "{source}"
    );
    assert!(
        source.contains("java.util.concurrent.CompletionException.class,"),
        "{source}"
    );
}

/// A task fails that a pool has got: the test waits for it.
#[test]
fn a_task_fails_where_it_is_waited_for() {
    let (report, source) = minimized("share");
    is_plain(&report["levels"][0]);
    assert!(source.contains(".share(\"lamp\", 1)"), "{source}");
    assert!(source.contains(".get();"), "{source}");
    assert!(
        source.contains("java.util.concurrent.ExecutionException.class,"),
        "{source}"
    );
}
