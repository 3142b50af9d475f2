//! Programs that end inside a call: one that ends the JVM, as command lines do, and one that waits until another thread does, as servers do. What was
//! recorded until then is replayed, so that the light recording is enough.

use std::fs;
use std::path::{Path, PathBuf};

use jinsi_jdk::{Jdk, compile};
use tempfile::tempdir;

use super::as_they_are::passes;
use super::support::{jinsi, json, run, stderr, tried_jdks};

/// What runs the program's tasks and catches what they throw. It is not observed.
const RUNNER: &str = r#"package runner;

import java.util.concurrent.Callable;

public class Runner {
    public static int status(Callable<String> task) {
        try {
            System.out.println(task.call());
            return 0;
        } catch (Exception e) {
            return 1;
        }
    }

    /** Runs them in another thread, and ends the program. */
    public static void serve(Callable<String> first, Callable<String> second) throws InterruptedException {
        Thread thread = new Thread(() -> System.exit(status(first) + status(second)));
        thread.setDaemon(true);
        thread.start();
        Thread.sleep(60_000);
    }
}
"#;

const FERRY: &str = r#"package ferry;

import java.util.ArrayList;
import java.util.List;

public class Deck {
    private final List<Integer> lanes = new ArrayList<>();

    public void board(int metres) {
        lanes.add(metres);
    }

    public String longest() {
        int longest = lanes.get(0);
        for (int at = 1; at <= lanes.size(); at++) {
            longest = Math.max(longest, lanes.get(at));
        }
        return longest + " m";
    }
}
"#;

const MAIN: &str = r#"package ferry;

import runner.Runner;

public class Main {
    public static void main(String[] args) throws Exception {
        Deck deck = new Deck();
        deck.board(4);
        deck.board(12);
        if (args[0].equals("exits")) {
            System.exit(Runner.status(deck::longest));
        }
        Runner.serve(() -> "on board", deck::longest);
    }
}
"#;

fn compiled(jdk: &Jdk, directory: &Path, deck: &str) -> Vec<PathBuf> {
    let classes = directory.join("classes");
    fs::create_dir_all(&classes).unwrap();
    let texts = [("Runner", RUNNER), ("Deck", deck), ("Main", MAIN)];
    let sources = texts.map(|(name, text)| {
        let file = directory.join(format!("{name}.java"));
        fs::write(&file, text).unwrap();
        file
    });
    compile::javac(jdk, &sources, &[], &classes).unwrap();
    vec![classes]
}

#[test]
fn what_ends_inside_a_call_is_replayed_until_there() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let [broken, repaired] =
            [("broken", "<= lanes"), ("repaired", "< lanes")].map(|(name, bound)| {
                let deck = FERRY.replace("<= lanes", bound);
                compiled(&jdk, &directory.path().join(name), &deck)
            });
        for way in ["exits", "waits"] {
            let output = run(jinsi()
                .current_dir(directory.path())
                .args(["--json", "debug", "--out", way, "--observe", "ferry.*"])
                .args(["--fail", "java.lang.IndexOutOfBoundsException"])
                .args(["--detail", "boundary", "--"])
                .arg(jdk.java())
                .arg("-cp")
                .arg(&broken[0])
                .args(["ferry.Main", way]));
            let (report, said) = (json(&output), stderr(&output));
            assert!(!said.contains("run once more"), "{way}: {said}");
            assert!(
                report["capture"]["expanded_events"].is_u64(),
                "{way}: {report:#}"
            );
            let keep = report["keep"].as_str();
            let keep = keep.unwrap_or_else(|| panic!("{way}: {said}\n{report:#}"));
            let test = directory.path().join(way).join(keep);
            assert!(!passes(&jdk, &test, &broken), "{way}");
            assert!(passes(&jdk, &test, &repaired), "{way}");
        }
    }
}
