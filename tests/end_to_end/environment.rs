//! Replay asks nobody: what a program has heard of clocks, zone, locale, chance, settings, files, services and sockets is in the recording.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jinsi_jdk::Jdk;
use jinsi_platform::files::{set_mode, symbolic_link};
use tempfile::tempdir;

use super::support::{has, jinsi, json, programs, run, stderr, tried_jdks};

/// A `java` that has another zone, language, character set, user and home for the replay worker, and no network.
const ELSEWHERE: &str = include_str!("../../evaluation/src/replay_suite/elsewhere.sh");

/// Records `env.app.Main` in Los Angeles, with what it asks for in `directory`, which is taken away afterwards.
fn recorded(jdk: &Jdk, directory: &Path) -> PathBuf {
    let place = directory.join("place");
    let services = place.join("META-INF/services");
    std::fs::create_dir_all(&services).unwrap();
    std::fs::write(services.join("env.out.Greeting"), "env.out.Hello\n").unwrap();
    std::fs::write(place.join("words"), "one\ntwo\n").unwrap();
    let trace = directory.join("t.jinsi");
    let class_path = std::env::join_paths([programs(), &place]).unwrap();
    let output = run(jinsi()
        .current_dir(&place)
        .env("ENV_TEST", "set")
        .args(["record", "--observe", "env.app.*", "-o"])
        .arg(&trace)
        .arg("--")
        .arg(jdk.java())
        .args([
            "-Duser.timezone=America/Los_Angeles",
            "-Duser.language=de",
            "-Duser.country=DE",
            "-Denv.number=5",
            "-Denv.flag=true",
            "-cp",
        ])
        .arg(class_path)
        .arg("env.app.Main"));
    has(&stderr(&output), "hello from");
    std::fs::remove_dir_all(place).unwrap();
    trace
}

/// The home of a JDK whose workers run elsewhere.
fn elsewhere(jdk: &Jdk, directory: &Path) -> PathBuf {
    let home = directory.join("jdk");
    std::fs::create_dir_all(home.join("bin")).unwrap();
    symbolic_link(jdk.home().join("release"), home.join("release")).unwrap();
    let isolated = Command::new("unshare")
        .args(["-n", "true"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    let text = ELSEWHERE
        .replace("@JAVA@", &jdk.java().display().to_string())
        .replace("@NETWORK@", if isolated { "unshare -n" } else { "" })
        .replace("@WATCH@", "");
    let java = home.join("bin/java");
    std::fs::write(&java, text).unwrap();
    set_mode(&java, 0o755).unwrap();
    home
}

#[test]
fn what_the_machine_said_is_in_the_recording() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = recorded(&jdk, directory.path());
        let home = elsewhere(&jdk, directory.path());
        let empty = tempdir().unwrap();
        let output = run(jinsi()
            .current_dir(empty.path())
            // That JVM is a script, which starts other programs.
            .args(["--json", "replay", "--levels", "--unconfined"])
            .arg("--java-home")
            .arg(&home)
            .arg(&trace));
        let document = json(&output);
        assert_eq!(document["diverged"], 0, "{}: {document:#}", jdk.version());
        // The failure tells all that was heard, so it has appeared only if all of it was the same.
        let levels = document["levels"].as_array().unwrap();
        assert_eq!(levels[0]["level"], "all");
        assert_eq!(levels[0]["outcome"], "failing", "{document:#}");
        assert!(levels.iter().any(|l| l["level"] == "env.app.Parts"));
    }
}
