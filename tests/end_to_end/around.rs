//! What is around a failed test: files of its project, the clock, and an end that did not come.

use std::process::Command;

use tempfile::tempdir;

use super::repairs::Repairable;
use super::suites::class_path;
use super::support::{jdks, jinsi, json, recording_option, run, stderr};

/// `/* … */` is replaced in the repaired one.
const ROUTES: &str = r#"package tram;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

public class Routes {
    private final List<String> stops;
    private final long read = System.nanoTime();

    public Routes(List<String> stops) {
        this.stops = new ArrayList<>(stops);
    }

    public static Routes of(Path file) throws IOException {
        return new Routes(Files.readAllLines(file));
    }

    public String last() {
        return stops.get(stops.size() - /* LAST */2/* LAST */);
    }

    public long age() {
        return System.nanoTime() - read;
    }
}
"#;

const TEST: &str = r#"package tram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoutesTest {
    /** By a name that is relative to where the tests run. */
    @Test
    void readsAFileOfTheProject() throws Exception {
        Routes routes = Routes.of(Path.of("src", "test", "resources", "line-4.txt"));
        assertEquals("Depot", routes.last());
    }

    /** What the object holds is another number in each run. */
    @Test
    void isAskedOfWhatHoldsATime() {
        assertEquals("Park", new Routes(List.of("Gate", "Park")).last());
    }
}
"#;

#[test]
fn files_and_times_are_no_hindrance() {
    let repaired = ROUTES.replace("/* LAST */2/* LAST */", "1");
    let program = Repairable {
        package: "tram",
        broken: &[("Routes", ROUTES)],
        repaired: &[("Routes", &repaired)],
        tests: &[("RoutesTest", TEST)],
        files: &[("src/test/resources/line-4.txt", "Gate\nPark\nDepot\n")],
    };
    let tried = program.tried(&["detail=boundary"]);
    tried.assert_flips(&[
        ("readsAFileOfTheProject", "Routes.of("),
        ("isAskedOfWhatHoldsATime", "new Routes("),
    ]);
}

const WHEEL: &str = r#"package mill;

public class Wheel {
    /** Turns until it stands at `to`; it never does if it has gone past. */
    public int turns(int to) {
        int turns = 0;
        while (place(turns) != to) {
            turns++;
        }
        return turns;
    }

    private int place(int turns) {
        return turns * 2 % 8;
    }
}
"#;

const WHEEL_TEST: &str = r#"package mill;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class WheelTest {
    @Test
    void stops() {
        // The build's patience has an end.
        Thread killer = new Thread(() -> {
            try {
                Thread.sleep(1_500);
            } catch (InterruptedException e) {
                return;
            }
            System.exit(143);
        });
        killer.setDaemon(true);
        killer.start();
        Wheel wheel = new Wheel();
        assertEquals(2, wheel.turns(4));
        assertEquals(3, wheel.turns(5));
    }
}
"#;

#[test]
fn a_test_that_was_killed_gives_the_call_that_does_not_end() {
    let directory = tempdir().unwrap();
    let jdk = &jdks()[0];
    let frameworks: Vec<_> = std::env::split_paths(class_path()).collect();
    let classes = directory.path().join("classes");
    let mut sources = Vec::new();
    for (name, source) in [("Wheel", WHEEL), ("WheelTest", WHEEL_TEST)] {
        let file = directory.path().join(format!("{name}.java"));
        std::fs::write(&file, source).unwrap();
        sources.push(file);
    }
    jinsi_jdk::compile::javac(jdk, &sources, &frameworks, &classes).unwrap();
    let trace = directory.path().join("t.jinsi");
    let option = recording_option("observe=mill.*,detail=boundary,on=failure", &trace);
    let all = [&[classes][..], &frameworks].concat();
    let killed = run(Command::new(jdk.java())
        .arg(option)
        .arg("-cp")
        .arg(std::env::join_paths(all).unwrap())
        .args(["org.junit.platform.console.ConsoleLauncher", "execute"])
        .args(["-c", "mill.WheelTest"]));
    assert_eq!(killed.status.code(), Some(143), "{}", stderr(&killed));

    let out = directory.path().join("report");
    let options = ["--json", "minimize", "--no-slice", "--hang", "--out"];
    let output = run(jinsi().args(options).arg(&out).arg(&trace));
    let report = json(&output);
    let keep = report["keep"].as_str();
    let keep = keep.unwrap_or_else(|| panic!("{}{report:#}", stderr(&output)));
    let source = std::fs::read_to_string(out.join(keep)).unwrap();
    assert!(source.contains("assertTimeoutPreemptively("), "{source}");
    assert!(source.contains("wheel.turns(5)"), "{source}");
    assert!(!source.contains("WheelTest()"), "{source}");
}
