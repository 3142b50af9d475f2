//! `jinsi query` and `jinsi export` hand over to the program with the engine. What that answers is tested with it, by `cargo xtask query`.

use super::support::{has, jinsi, run, stderr, stdout};

/// Prints its arguments.
const ECHO: &str = "/bin/echo";
/// Ends with 1.
const FALSE: &str = "/bin/false";

#[test]
fn the_engine_gets_the_same_words_and_says_how_it_ends() {
    let mut asked = jinsi();
    asked.env("JINSI_QUERY", ECHO);
    let words = ["--json", "query", "run.jinsi", "where_exception"];
    let said = run(asked.args(words).args(["--from", "0:17"]));
    let expected = "--json query run.jinsi where_exception --from 0:17\n";
    assert_eq!(
        (stdout(&said).as_str(), said.status.code()),
        (expected, Some(0))
    );
    let mut exported = jinsi();
    exported.env("JINSI_QUERY", FALSE);
    let said = run(exported.args(["export", "--parquet", "runs", "run.jinsi"]));
    assert_eq!(said.status.code(), Some(1));
}

#[test]
fn a_missing_engine_and_wrong_words_are_named() {
    let said = run(jinsi().env("JINSI_QUERY", "/nowhere/jinsi-query").args([
        "query",
        "run.jinsi",
        "where_exception",
    ]));
    assert_eq!(said.status.code(), Some(1));
    let text = stderr(&said);
    has(&text, "JINSI_QUERY names /nowhere/jinsi-query");
    let way = "cargo build --release --manifest-path frontends/query/engine/Cargo.toml";
    assert!(text.contains(way), "{text}");
    for (words, why) in [
        (&["query"][..], "name the runs"),
        (&["query", "run.jinsi", "--format", "xml"], "xml"),
        (&["query", "--list", "--out", "x"], "--out"),
        (&["export", "run.jinsi"], "--parquet"),
    ] {
        let said = run(jinsi().env("JINSI_QUERY", ECHO).args(words));
        assert_eq!(said.status.code(), Some(2), "{words:?}: {}", stdout(&said));
        assert!(stderr(&said).contains(why), "{}", stderr(&said));
    }
}
