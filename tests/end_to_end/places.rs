//! Where a trace goes: whatever is there, the program starts and runs on, and one line says what became of the recording.

use std::path::Path;
use std::process::{Command, Output};

use jinsi_jdk::Jdk;
use jinsi_platform::files;
use jinsi_trace::model::LossKind;
use jinsi_trace::reader::Trace;
use tempfile::tempdir;

use super::support::{agent, has, jdks, jinsi, json, programs, run, stderr, stdout, tried_jdks};

fn option(options: &str) -> String {
    format!("-agentpath:{}={options}", agent().display())
}

/// A JVM in `directory` whose variable has the agent with these options.
fn java(jdk: &Jdk, directory: &Path, options: &str) -> Command {
    let mut java = Command::new(jdk.java());
    java.current_dir(directory)
        .env("JAVA_TOOL_OPTIONS", option(options))
        .arg("-cp")
        .arg(programs());
    java
}

/// The agent's lines of a program that ran as it does without the agent.
fn lines(output: &Output) -> Vec<String> {
    let said = stderr(output);
    assert!(output.status.success(), "{said}");
    assert_eq!(stdout(output).lines().count(), 1, "{said}");
    let ours = said.lines().filter_map(|l| l.strip_prefix("jinsi: "));
    ours.map(str::to_owned).collect()
}

fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    let names = entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Every JVM that inherits the variable has its own trace, and the program fails as it does without any.
#[test]
fn a_family_of_jvms() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let mut command = java(&jdk, directory.path(), "observe=family.*,out=t.jinsi");
        let output = run(command.args(["family.Main", "2"]));
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert_eq!(stdout(&output), "below: 2\nbelow: 1\nbelow: 0\n");
        assert_eq!(
            names(directory.path()),
            ["t-2.jinsi", "t-3.jinsi", "t.jinsi"]
        );
        for (name, failures) in [("t.jinsi", 0), ("t-2.jinsi", 0), ("t-3.jinsi", 1)] {
            let trace = Trace::open(&directory.path().join(name)).unwrap();
            assert!(trace.end().is_some(), "{name}");
            assert_eq!(trace.failures().len(), failures, "{name}");
        }
        let taken = said.matches("t.jinsi exists; recording to ").count();
        assert_eq!(taken, 2, "{said}");
    }
}

/// The same command twice, and one whose file may not even be written.
#[test]
fn a_trace_that_is_there() {
    let jdk = &jdks()[0];
    let directory = tempdir().unwrap();
    let precious = directory.path().join("t.jinsi");
    std::fs::write(&precious, "precious").unwrap();
    files::set_mode(&precious, 0o400).unwrap();
    let mut command = java(jdk, directory.path(), "observe=busy.*,out=t.jinsi");
    let said = lines(&run(command.args(["busy.Main", "2000"])));
    let (precious_is, other) = (precious.display(), directory.path().join("t-2.jinsi"));
    let first = format!("{precious_is} exists; recording to {}", other.display());
    assert_eq!(said.len(), 2, "{said:?}");
    assert_eq!(said[0], first);
    assert!(said[1].contains("t-2.jinsi"), "{said:?}");
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "precious");
    assert!(Trace::open(&other).unwrap().end().is_some());

    // And of the command, which names the trace that came into being.
    let recorded = run(jinsi()
        .args(["--json", "record", "--observe", "busy.*", "-o"])
        .arg(&precious)
        .arg("--")
        .arg(jdk.java())
        .arg("-cp")
        .arg(programs())
        .args(["busy.Main", "2000"]));
    let third = directory.path().join("t-3.jinsi");
    assert_eq!(json(&recorded)["trace"], third.to_str().unwrap());
}

#[test]
fn a_directory_that_is_not_there() {
    let jdk = &jdks()[0];
    let directory = tempdir().unwrap();
    let mut command = java(jdk, directory.path(), "observe=busy.*,out=a/b/t.jinsi");
    let said = lines(&run(command.args(["busy.Main", "2000"])));
    assert_eq!(said.len(), 1, "{said:?}");
    for made in ["a", "a/b"] {
        let made = directory.path().join(made).metadata().unwrap();
        assert_eq!(files::mode(&made), 0o700);
    }
    let trace = directory.path().join("a/b/t.jinsi");
    assert!(Trace::open(&trace).unwrap().end().is_some());
}

#[test]
fn places_where_no_trace_can_be() {
    let jdk = &jdks()[0];
    let directory = tempdir().unwrap();
    std::fs::write(directory.path().join("file"), "precious").unwrap();
    let long = format!("{}/t.jinsi", "long".repeat(100));
    for place in ["file/t.jinsi", "/sys/kernel/a/t.jinsi", long.as_str()] {
        let options = format!("observe=busy.*,out={place}");
        let mut command = java(jdk, directory.path(), &options);
        let said = lines(&run(command.args(["busy.Main", "2000"])));
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].starts_with("cannot write "), "{said:?}");
        assert!(said[0].ends_with("; nothing is recorded"), "{said:?}");
        assert_eq!(names(directory.path()), ["file"]);
    }
}

/// What is wrong with the options is better known before the run than behind it.
#[test]
fn options_that_are_misspelt() {
    let directory = tempdir().unwrap();
    let mut command = java(&jdks()[0], directory.path(), "observe=busy.*,outt=t.jinsi");
    let output = run(command.args(["busy.Main", "2000"]));
    assert!(!output.status.success());
    let computed = stdout(&output).lines().any(|l| l.parse::<f64>().is_ok());
    assert!(!computed, "{}", stdout(&output));
    let said = stderr(&output);
    assert!(said.contains("jinsi: unknown option 'outt'"), "{said}");
}

/// No file may become longer than so many blocks of 512 bytes, as on a full disk: enough for the beginning of a trace.
#[test]
#[ignore = "long: several recordings; a sample of `kill` is among the tests"]
fn a_trace_that_cannot_be_written_to_its_end_says_so() {
    const BLOCKS: &str = "36000";
    const NUMBERS: &str = "1000000";
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let mut plain = java(&jdk, directory.path(), "");
        plain.env_remove("JAVA_TOOL_OPTIONS");
        let plain = run(plain.args(["spent.Main", NUMBERS, "0"]));
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "ulimit -f \"$0\" && exec \"$@\"", BLOCKS])
            .arg(jdk.java())
            .arg(option("observe=spent.*,out=t.jinsi,max-size=none"))
            .arg("-cp")
            .arg(programs())
            .args(["spent.Main", NUMBERS, "0"]);
        let limited = run(shell.current_dir(directory.path()));
        assert_eq!(stdout(&limited), stdout(&plain), "{}", stderr(&limited));
        assert_eq!(limited.status.code(), plain.status.code());

        let file = directory.path().join("t.jinsi");
        let trace = Trace::open(&file).unwrap();
        assert_eq!((trace.end(), trace.damage()), (None, &[][..]));
        let unwritten = |loss: &&jinsi_trace::model::Skipped| loss.kind == LossKind::Unwritten;
        assert_eq!(trace.skipped().iter().filter(unwritten).count(), 1);
        let info = run(jinsi().arg("info").arg(&file));
        let said = stdout(&info);
        let end = said.lines().find(|l| l.starts_with("end ")).unwrap();
        has(end, "could not be written any more (File too large");
        let info = json(&run(jinsi().args(["info", "--json"]).arg(&file)));
        assert!(info["unwritten"].as_str().is_some(), "{info:#}");
        let report = directory.path().join("report");
        let refused = run(jinsi().arg("minimize").arg(&file).arg("--out").arg(&report));
        assert_eq!(refused.status.code(), Some(1));
        let said = stderr(&refused);
        has(&said, "the recording ended before the program did");
    }
}
