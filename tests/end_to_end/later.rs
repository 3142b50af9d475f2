//! Functions that are handed over, and called later by threads of somebody else: their failure belongs to the call that handed them over.
//! What such a thread works on may be made where nothing shows it.

use serde_json::Value;
use tempfile::tempdir;

use super::support::{has, is_plain, jinsi, json, programs, run, stderr, tried_jdks};

/// The report of `PROGRAM.out.Main`, called with `args` and recorded at the boundary; and the source of its recommended test.
fn minimized(program: &str, args: &[&str]) -> (Value, String) {
    let jdk = tried_jdks().remove(0);
    let directory = tempdir().unwrap();
    let trace = directory.path().join("thin.jinsi");
    let output = run(jinsi()
        .args(["record", "--detail", "boundary"])
        .args(["--observe", &format!("{program}.app.*")])
        .args(["--fail", "java.lang.ArithmeticException", "-o"])
        .arg(&trace)
        .arg("--")
        .arg(jdk.java())
        .arg("-cp")
        .arg(programs())
        .arg(format!("{program}.out.Main"))
        .args(args));
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
    let (report, source) = minimized("later", &["buy"]);
    is_plain(&report["levels"][0]);
    // How many calls are left depends on which thread did what. Each is waited for.
    let calls = source.matches(".buy(\"lamp\")").count();
    assert!(calls > 0, "{source}");
    assert_eq!(
        source.matches(".buy(\"lamp\").join()").count(),
        calls,
        "{source}"
    );
    has(&source, "Executors.newCachedThreadPool()");
    has(&source, "void buyDoesNotThrowArithmeticException()");
    has(&source, "java.util.concurrent.CompletionException.class,");
}

/// A task fails that a pool has got: the test waits for it.
#[test]
fn a_task_fails_where_it_is_waited_for() {
    let (report, source) = minimized("later", &["share"]);
    is_plain(&report["levels"][0]);
    assert!(source.contains(".share(\"lamp\", 1)"), "{source}");
    assert!(source.contains(".get();"), "{source}");
    has(&source, "java.util.concurrent.ExecutionException.class,");
}

/// A server's constructor begins threads, and keeps nothing of what they work on. Run for real it shows nothing of that, so a test makes what it made.
/// Of a thousand calls, the one that the failure needs is the first, and has the same key.
#[test]
fn what_a_server_makes_for_its_threads_is_made_by_the_test() {
    let (report, source) = minimized("depot", &[]);
    let level = &report["levels"][0];
    is_plain(level);
    assert_eq!(level["engine"], "direct", "{level}");
    let made = ["new Store();", ".put(\"lamp\", 0);", ".share(\"lamp\");"];
    assert!(made.iter().all(|text| source.contains(text)), "{source}");
    assert_eq!(level["minimized"], 3, "{level}");
}
