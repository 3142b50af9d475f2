//! Which tests are recommended of a suite's: those that call the program, below the failed test.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jinsi_jdk::{Jdk, compile};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use super::suites::class_path;
use super::support::{has, jdks, jinsi, json, recording_option, run, stderr, stdout, succeed};

/// Lines that a failed test may have on the console.
const MOST: usize = 8;

const FERRY: &str = r#"package ferry;

public class Ferry {
    private int decks;

    public String board(String plate) {
        return plate.trim();
    }

    public void sail(Weather weather) {
        try {
            weather.wind();
        } catch (java.io.IOException e) {
            decks++;
            throw new IllegalStateException("no weather", e);
        }
    }
}
"#;

const WEATHER: &str = r#"package ferry;

public interface Weather {
    int wind() throws java.io.IOException;
}
"#;

/// A library: it is not observed, and wraps what its callers' code throws.
const LANE: &str = r#"package lanes;

import java.util.function.Function;

public class Lane {
    public static <A, B> B through(Function<A, B> step, A value) {
        try {
            return step.apply(value);
        } catch (RuntimeException e) {
            throw new IllegalStateException("lane closed", e);
        }
    }
}
"#;

const TEST: &str = r#"package ferry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lanes.Lane;
import org.junit.jupiter.api.Test;

class FerryTest {
    private final Ferry ferry = new Ferry();

    @Test
    void boards() {
        assertEquals("HH 1", Lane.through(ferry::board, " HH 1 "));
        Lane.through(ferry::board, (String) null);
    }

    @Test
    void readsPlates() {
        ferry.board("HH 2");
        assertEquals(3, Plates.number("HH x"));
    }

    @Test
    void countsDecks() {
        int[] decks = new int[ferry.board("  ").length()];
        decks[0]++;
    }

    @Test
    void sails() {
        ferry.sail(() -> {
            throw new java.io.IOException("storm");
        });
    }
}
"#;

/// A helper of the tests, which lies with them.
const PLATES: &str = r#"package ferry;

class Plates {
    static int number(String plate) {
        return Integer.parseInt(plate.substring(3));
    }
}
"#;

/// The suite, recorded, and what came of its failed tests.
struct Suite {
    directory: TempDir,
    reports: BTreeMap<String, Value>,
    said: String,
}

impl Suite {
    fn new() -> Self {
        let jdk = &jdks()[0];
        let directory = tempdir().unwrap();
        let root = directory.path();
        let program = compiled(
            jdk,
            root,
            "classes",
            &[("Ferry", FERRY), ("Weather", WEATHER)],
        );
        let library = compiled(jdk, root, "lanes", &[("Lane", LANE)]);
        let mut all = vec![program, library];
        all.extend(std::env::split_paths(class_path()));
        let tests = [("FerryTest", TEST), ("Plates", PLATES)];
        let sources = written(root, &tests);
        let out = root.join("test-classes");
        compile::javac(jdk, &sources, &all, &out).unwrap();
        all.insert(0, out);
        let trace = root.join("t.jinsi");
        let agent = recording_option("observe=ferry.*,on=failure", &trace);
        let recorded = run(Command::new(jdk.java())
            .current_dir(root)
            .arg(agent)
            .arg("-cp")
            .arg(std::env::join_paths(all).unwrap())
            .args(["org.junit.platform.console.ConsoleLauncher", "execute"])
            .args(["-c", "ferry.FerryTest"]));
        assert!(trace.is_file(), "{}", stderr(&recorded));
        let output = succeed(minimize(&trace, &root.join("report")).arg("--no-slice"));
        let said = stdout(&output);
        let all = fs::read(root.join("report/tests.json")).unwrap();
        let all: Value = serde_json::from_slice(&all).unwrap();
        let reports = all["tests"].as_array().unwrap().iter().map(|test| {
            let name = test["test"].as_str().unwrap();
            let name = name.rsplit('.').next().unwrap().to_owned();
            (name, test.clone())
        });
        let reports = reports.collect();
        Self {
            directory,
            reports,
            said,
        }
    }

    fn root(&self) -> &Path {
        self.directory.path()
    }

    /// The recommended test of a failed one.
    fn kept(&self, test: &str) -> Option<String> {
        let keep = self.reports[test]["keep"].as_str()?;
        Some(fs::read_to_string(self.root().join("report").join(keep)).unwrap())
    }
}

fn minimize(trace: &Path, out: &Path) -> Command {
    let mut command = jinsi();
    command.arg("minimize").arg(trace).arg("--out").arg(out);
    command
}

fn written(root: &Path, sources: &[(&str, &str)]) -> Vec<PathBuf> {
    let files = sources.iter().map(|(name, source)| {
        let file = root.join(format!("{name}.java"));
        fs::write(&file, source).unwrap();
        file
    });
    files.collect()
}

fn compiled(jdk: &Jdk, root: &Path, name: &str, sources: &[(&str, &str)]) -> PathBuf {
    let out = root.join(name);
    compile::javac(jdk, &written(root, sources), &[], &out).unwrap();
    out
}

/// The cause that a library wrapped is the failure; a test that only calls the failed one, or a helper of tests, is not recommended.
#[test]
fn only_what_calls_the_program_is_recommended() {
    let suite = Suite::new();
    let names: Vec<&str> = suite.reports.keys().map(String::as_str).collect();
    assert_eq!(names, ["boards", "countsDecks", "readsPlates", "sails"]);

    let boards = suite.kept("boards").expect("a test of Ferry");
    assert!(boards.contains(".board(null);"), "{boards}");
    assert!(!boards.contains("FerryTest."), "{boards}");
    let failure = |test: &str| suite.reports[test]["failure"].as_str().unwrap_or_default();
    assert!(failure("boards").contains("NullPointerException"));
    // What the test's own code throws is no cause of the program's.
    assert!(failure("sails").starts_with("java.lang.IllegalStateException: no weather"));

    for test in ["countsDecks", "readsPlates"] {
        let report = &suite.reports[test];
        assert_eq!(report["keep"], Value::Null, "{report:#}");
        assert_eq!(report["reproduces"], true, "{report:#}");
        assert_eq!(
            report["keep_why_not"], "Your test is already as small as we can make it.",
            "{report:#}"
        );
    }
    console(&suite.said);

    // What is not recommended is not put into a project either.
    let project = suite.root().join("src/test/java");
    fs::create_dir_all(&project).unwrap();
    let output = run(
        minimize(&suite.root().join("t.jinsi"), &suite.root().join("again"))
            .args([
                "--no-slice",
                "--levels=1",
                "--json",
                "--test",
                "FerryTest.countsDecks",
                "--into",
            ])
            .arg(&project),
    );
    assert_eq!(json(&output)["tests"][0]["keep"], Value::Null);
    let said = stderr(&output);
    assert!(said.contains("nothing is put into"), "{said}");
    assert_eq!(fs::read_dir(&project).unwrap().count(), 0);
}

/// A few lines a test: the test as code, or why there is none, where it lies, and one command; at last the page.
fn console(said: &str) {
    let lines: Vec<&str> = said.lines().collect();
    let begins = |line: &&str| line.starts_with("test     ") || line.starts_with("report   ");
    let at: Vec<usize> = (0..lines.len()).filter(|&i| begins(&lines[i])).collect();
    assert_eq!(at.len(), 5, "{said}");
    assert!(
        lines.last().unwrap().starts_with("report   file://"),
        "{said}"
    );
    for span in at.windows(2) {
        let part = &lines[span[0]..span[1]];
        assert!(part.len() <= MOST, "{part:#?}");
        let next = part.iter().filter(|line| line.starts_with("next     "));
        assert_eq!(next.count(), 1, "{part:#?}");
    }
    has(said, "         new Ferry().board(null);\nkeep     ");
    has(
        said,
        "keep     none. Your test is already as small as we can make it.\nnext     ",
    );
}
