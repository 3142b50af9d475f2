//! Bad input gets one clear line and the right exit status; nothing panics.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use jinsi_platform::files::symbolic_link;
use tempfile::tempdir;

use serde_json::json as json_value;

use super::support::{
    agent, has, jdks, jinsi, json, programs, record, recording_option, run, stderr, stdout, succeed,
};

fn with_agent(options: &str, directory: &Path) -> Output {
    let agent = format!("-agentpath:{}={options}", agent().display());
    let mut command = Command::new(jdks()[0].java());
    run(command
        .current_dir(directory)
        .arg(agent)
        .arg("-cp")
        .arg(programs())
        .arg("xmltree.Main"))
}

fn our_lines(output: &Output) -> Vec<String> {
    stderr(output)
        .lines()
        .filter(|l| l.starts_with("jinsi: "))
        .map(String::from)
        .collect()
}

#[test]
fn a_wrong_option_stops_the_start() {
    let directory = tempdir().unwrap();
    for (options, line) in [
        ("observe=a,colour=red", "jinsi: unknown option 'colour'"),
        ("exclude=a", "jinsi: observe= is required"),
        ("observe=a,on=never", "jinsi: on=never"),
        ("observe=a,detail=everything", "jinsi: detail=everything"),
    ] {
        let output = with_agent(options, directory.path());
        assert_eq!(output.status.code(), Some(1), "{options}");
        let ours = our_lines(&output);
        assert_eq!(ours.len(), 1, "{options}: {ours:?}");
        assert!(ours[0].starts_with(line), "{options}: {ours:?}");
        // The JVM itself speaks of the failed start there; we do not.
        assert!(!stdout(&output).contains("jinsi:"), "{options}");
    }
}

#[test]
#[ignore = "long: a large trace"]
fn a_trace_stays_below_the_size_it_may_have() {
    let run_busy = |options: &str| {
        let directory = tempdir().unwrap();
        let trace = directory.path().join("t.jinsi");
        let agent = recording_option(&format!("observe=busy.*{options}"), &trace);
        let output = succeed(
            Command::new(jdks()[0].java())
                .args([&agent, "-cp"])
                .arg(programs())
                .args(["busy.Main", "1500000"]),
        );
        let info = json(&run(jinsi().args(["info", "--json"]).arg(&trace)));
        let compacted = json(&run(jinsi().args(["compact", "--json"]).arg(&trace)));
        assert_eq!(compacted["events"], info["events"]);
        assert!(compacted["bytes_after"].as_u64() <= compacted["bytes_before"].as_u64());
        (stdout(&output), our_lines(&output), info, directory)
    };
    let (printed, _, whole, _) = run_busy("");
    assert!(whole["bytes"].as_u64().unwrap() > 8_000_000, "{whole:#}");
    assert_eq!(whole["losses"]["recording_cut"], json_value!([]));

    let (stopped, lines, info, _) = run_busy(",max-size=1M");
    assert_eq!(stopped, printed);
    assert!(lines[0].contains("max-size"), "{lines:?}");
    // It is noticed a buffer at a time, and what had been handed over by then is kept.
    assert!(info["events"].as_u64() < whole["events"].as_u64());
    let cut = info["losses"]["recording_cut"][0].as_str().unwrap();
    assert!(cut.contains("max-size"), "{cut}");

    let (rolled, _, info, directory) = run_busy(",max-size=1M,at-max=oldest");
    assert_eq!(rolled, printed);
    assert!(info["bytes"].as_u64().unwrap() < 1_200_000, "{info:#}");
    let cut = info["losses"]["recording_cut"][0].as_str().unwrap();
    assert!(cut.contains("beginning"), "{cut}");
    assert_eq!(info["damage"], json_value!([]));
    let trace = directory.path().join("t.jinsi");
    let refused = run(jinsi().arg("replay").arg(&trace));
    assert_eq!(refused.status.code(), Some(1));
    has(&stderr(&refused), "were dropped while recording");
    let events = stdout(&run(jinsi().arg("events").arg(&trace)));
    let last = events.lines().last().unwrap_or_default();
    has(last, "Exit");
    has(last, "busy.Main.main returns");
}

#[test]
fn help_is_printed() {
    let directory = tempdir().unwrap();
    let output = with_agent("help", directory.path());
    for key in [
        "observe=",
        "exclude=",
        "out=",
        "detail=",
        "on=",
        "max-size=",
        "at-max=",
        "fail=",
    ] {
        assert!(stderr(&output).contains(key), "{key}");
    }
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_pattern_that_matches_nothing_is_said_at_the_end() {
    let directory = tempdir().unwrap();
    let output = with_agent("observe=com.nobody.*,out=t.jinsi", directory.path());
    let ours = our_lines(&output);
    assert_eq!(ours.len(), 1, "{ours:?}");
    assert!(
        ours[0].contains("no class matched observe=com.nobody.*"),
        "{ours:?}"
    );
}

#[test]
fn a_program_that_does_not_fail() {
    let directory = tempdir().unwrap();
    let source = directory.path().join("Fine.java");
    fs::write(
        &source,
        "public class Fine { public static void main(String[] a) { System.out.println(1); } }",
    )
    .unwrap();
    let jdk = &jdks()[0];
    jinsi_jdk::compile::javac(jdk, &[source], &[], directory.path()).unwrap();
    let mut command = jinsi();
    command
        .args(["debug", "--observe", "Fine", "--out"])
        .arg(directory.path().join("report"))
        .arg("--");
    let output = run(command
        .arg(jdk.java())
        .arg("-cp")
        .arg(directory.path())
        .arg("Fine"));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "1\n");
    assert!(
        our_lines(&output)
            .iter()
            .any(|l| l.contains("no failure was recorded")),
        "{}",
        stderr(&output)
    );
}

#[test]
fn usage_is_status_two() {
    for arguments in [
        &["minimise"][..],
        &["info"],
        &["info", "a", "b"],
        &["debug"],
        &["replay", "--only", "x", "t"],
    ] {
        let output = run(jinsi().args(arguments));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(run(jinsi().arg("--help")).status.code(), Some(0));
}

#[test]
fn no_trace_at_all() {
    let directory = tempdir().unwrap();
    let text = directory.path().join("no.jinsi");
    fs::write(
        &text,
        "this is a text file, and not a short one: longer than a header. ".repeat(100),
    )
    .unwrap();
    for path in [
        directory.path().join("absent.jinsi"),
        text,
        directory.path().to_path_buf(),
    ] {
        for command in ["info", "events", "replay", "minimize"] {
            let output = run(jinsi()
                .current_dir(directory.path())
                .arg(command)
                .arg(&path));
            assert_eq!(
                output.status.code(),
                Some(1),
                "{command} {}",
                path.display()
            );
            let ours = our_lines(&output);
            assert_eq!(
                (ours.len(), stderr(&output).lines().count()),
                (1, 2),
                "one line, and the next step: {}",
                stderr(&output)
            );
            assert!(ours[0].contains(&path.display().to_string()), "{ours:?}");
        }
    }
}

/// Whatever is cut off or damaged: a clear end, never a panic, and what is whole is still read.
#[test]
fn truncated_and_damaged_traces() {
    let directory = tempdir().unwrap();
    let trace = record(&jdks()[0], directory.path(), "xmltree.Main", "xmltree.*");
    let whole = fs::read(&trace).unwrap();
    let damaged = directory.path().join("damaged.jinsi");
    let mut inputs: Vec<Vec<u8>> = (1..8)
        .map(|n| whole[..whole.len() * n / 8].to_vec())
        .collect();
    inputs.extend((0..24).map(|n| {
        let mut bytes = whole.clone();
        let at = bytes.len() * (2 * n + 1) / 48;
        bytes[at] ^= 1 << (n % 8);
        bytes
    }));
    for (i, bytes) in inputs.iter().enumerate() {
        fs::write(&damaged, bytes).unwrap();
        for command in ["info", "events"] {
            let output = run(jinsi().arg(command).arg(&damaged));
            let status = output.status.code();
            assert!(
                matches!(status, Some(0 | 1)),
                "input {i}, {command}: {status:?} {}",
                stderr(&output)
            );
            assert!(
                !stderr(&output).contains("panicked"),
                "input {i}: {}",
                stderr(&output)
            );
            if status == Some(1) {
                assert_eq!(
                    our_lines(&output).len(),
                    1,
                    "input {i}: {}",
                    stderr(&output)
                );
            }
        }
    }
}

/// `minimize` with a Java that has no compiler; its `release` file is given.
fn minimize_without_compiler(directory: &Path, release: &str) -> Output {
    let trace = record(&jdks()[0], directory, "xmltree.Main", "xmltree.*");
    let home = directory.join("jre");
    fs::create_dir_all(home.join("bin")).unwrap();
    symbolic_link(jdks()[0].java(), home.join("bin/java")).unwrap();
    fs::write(home.join("release"), release).unwrap();
    run(jinsi()
        .args(["minimize", "--java-home"])
        .arg(&home)
        .arg("--out")
        .arg(directory.join("r"))
        .arg(&trace))
}

/// What such a Java runs, another JDK of the machine compiles.
#[test]
fn a_runtime_borrows_a_compiler() {
    let directory = tempdir().unwrap();
    let release = fs::read_to_string(jdks()[0].home().join("release")).unwrap();
    let output = minimize_without_compiler(directory.path(), &release);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    has(&stdout(&output), "plain Java: keep it");
}

/// None of the machine is as new as this one says it is.
#[test]
fn no_compiler_for_a_runtime() {
    let directory = tempdir().unwrap();
    let output = minimize_without_compiler(directory.path(), "JAVA_VERSION=\"99.0.1\"\n");
    assert_eq!(output.status.code(), Some(1));
    let ours = our_lines(&output);
    assert_eq!(ours.len(), 1, "{}", stderr(&output));
    assert!(ours[0].contains("javac"), "{ours:?}");
}

/// Nothing of an existing file is lost.
#[test]
fn a_trace_is_not_overwritten() {
    let directory = tempdir().unwrap();
    let existing = directory.path().join("t.jinsi");
    fs::write(&existing, "precious").unwrap();
    let output = with_agent(
        &format!("observe=xmltree.*,out={}", existing.display()),
        directory.path(),
    );
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read_to_string(&existing).unwrap(), "precious");
    assert!(
        our_lines(&output)[0].contains("t.jinsi"),
        "{}",
        stderr(&output)
    );
}
