//! What is typed wrong, or meets a machine on which it cannot be done: one clear sentence, and the next step.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use jinsi_platform::files::set_mode;
use jinsi_platform::process::without_rights;
use tempfile::{TempDir, tempdir};

use super::support::{has, jdks, jinsi, programs, record, run, stderr, stdout};

/// Who may do nothing.
const NOBODY: u32 = 65534;
/// Where the version of the format stands in a trace.
const VERSION_AT: usize = 8;

/// A trace with all interactions of a failing program, alone in its directory. All tests share it.
fn trace() -> &'static Path {
    static RECORDED: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, trace) = RECORDED.get_or_init(|| {
        let directory = tempdir().unwrap();
        let trace = record(&jdks()[0], directory.path(), "xmltree.Main", "xmltree.*");
        (directory, trace)
    });
    trace
}

/// A copy of it, which a test may spoil.
fn copied(into: &Path) -> PathBuf {
    let copy = into.join("copy.jinsi");
    fs::copy(trace(), &copy).unwrap();
    copy
}

/// One line of ours, and all of these texts behind each other's lines.
fn assert_says(output: &Output, status: i32, texts: &[&str], call: &str) {
    let said = stderr(output);
    assert_eq!(output.status.code(), Some(status), "{call}: {said}");
    assert!(!said.contains("panicked"), "{call}: {said}");
    for text in texts {
        assert!(said.contains(text), "{call}: {text:?} is not in: {said}");
    }
}

/// A call, in which FILE is the trace, DIR its directory and EMPTY a directory with nothing in it; its exit status; and what it says.
type Call = (&'static str, i32, &'static [&'static str]);

const CALLS: [Call; 27] = [
    ("tre FILE", 2, &["exists: 'tree'"]),
    ("at FILE failure --shw i", 2, &["exists: '--show'"]),
    ("at FILE failurre", 2, &["a moment is written THREAD:EVENT"]),
    (
        "at DIR failure",
        1,
        &[
            "is a directory, and a trace is a file\n",
            "this is a trace  ",
        ],
    ),
    (
        "slice EMPTY",
        1,
        &["is a directory, and a trace is a file\n", "no trace is in "],
    ),
    (
        "at FILE failure --show nubmer",
        1,
        &["there is no variable nubmer at this moment"],
    ),
    (
        "at FILE failure --object it",
        2,
        &["it is a number, such as 12"],
    ),
    ("at FILE 7:0", 1, &["the trace has no thread 7"]),
    (
        "at FILE failure --object 9999",
        1,
        &["the recording has no object #9999"],
    ),
    (
        "origin FILE number failure",
        2,
        &["'number' is no moment", " failure number\n"],
    ),
    (
        "origin FILE failure",
        1,
        &["name the expression whose value you ask about"],
    ),
    (
        "history FILE XMLElement.nmae",
        1,
        &["the nearest name  XMLElement.name\n"],
    ),
    (
        "history FILE name",
        1,
        &["'name' is no variable: write CLASS.FIELD"],
    ),
    (
        "logpoint FILE XMLElemnt.java:41 i",
        1,
        &["the nearest name  XMLElement.java:41\n"],
    ),
    (
        "slice FILE --at XMLElment:41",
        1,
        &["the nearest name  XMLElement\n"],
    ),
    (
        "where FILE --at XMLElement:999",
        1,
        &["the nearest name  XMLElement:4"],
    ),
    ("where FILE --report EMPTY", 1, &["to write a report  "]),
    (
        "view EMPTY --no-open",
        1,
        &["is a directory without a report"],
    ),
    (
        "why-not FILE --call XMLElement.addChlid",
        1,
        &["the nearest name  XMLElement.addChild\n"],
    ),
    (
        "why-not FILE --line XMLElement.java:999",
        1,
        &["the nearest name  XMLElement.java:4"],
    ),
    (
        "why-not FILE --field XMLElement.nam",
        1,
        &["the nearest name  XMLElement.name\n"],
    ),
    (
        "events FILE --class xmltre.*",
        0,
        &[
            "no event matches; leave out an option",
            "the nearest name  xmltree.*\n",
        ],
    ),
    (
        "events FILE --thread 9",
        1,
        &["there is no thread 9; 'jinsi info FILE' lists the threads"],
    ),
    (
        "replay FILE --observe xmltre.*",
        1,
        &["no observed class matches xmltre.*; observed were xmltree.*"],
    ),
    (
        "minimize FILE --out EMPTY --wrong XMLElement.addChlid",
        1,
        &["  XMLElement.addChild\n"],
    ),
    ("ask FILE --thread x", 2, &["it is a number, such as 12"]),
    ("minimize FILE --out FILE", 1, &["t.jinsi"]),
];

#[test]
fn wrong_names_places_and_options_have_one_clear_answer() {
    let empty = tempdir().unwrap();
    let directory = trace().parent().unwrap();
    for (call, status, texts) in CALLS {
        let words = call.split(' ').map(|word| match word {
            "FILE" => trace().as_os_str(),
            "DIR" => directory.as_os_str(),
            "EMPTY" => empty.path().as_os_str(),
            word => word.as_ref(),
        });
        let output = run(jinsi().args(words).current_dir(empty.path()));
        assert_says(&output, status, texts, call);
        // Replays that are kept are none of what a user names.
        assert!(
            !stderr(&output).contains("replayed.jinsi\n  a trace"),
            "{call}"
        );
    }
}

#[test]
fn a_main_class_that_is_not_there() {
    let directory = tempdir().unwrap();
    let output = run(jinsi()
        .args(["debug", "--out"])
        .arg(directory.path().join("report"))
        .arg("--")
        .arg(jdks()[0].java())
        .arg("-cp")
        .arg(programs())
        .arg("xmltree.Mian"));
    let texts = [
        "java did not find the main class xmltree.Mian",
        "the nearest name  xmltree.Main\n",
    ];
    assert_says(&output, 1, &texts, "debug");
}

#[test]
fn traces_of_other_versions() {
    let directory = tempdir().unwrap();
    let copy = copied(directory.path());
    let whole = fs::read(&copy).unwrap();
    for (version, who) in [
        (1, "an older jinsi wrote it"),
        (200, "a newer jinsi wrote it"),
    ] {
        let mut other = whole.clone();
        other[VERSION_AT] = version;
        fs::write(&copy, other).unwrap();
        for command in ["info", "slice"] {
            let output = run(jinsi().arg(command).arg(&copy));
            let format = format!("has trace format {version}, and this jinsi reads format ");
            assert_says(&output, 1, &[&format, who], command);
            assert_eq!(stderr(&output).lines().count(), 2, "{}", stderr(&output));
        }
    }
}

#[test]
fn no_java_and_one_that_is_too_old() {
    let directory = tempdir().unwrap();
    let copy = copied(directory.path());
    let none = || {
        let mut command = jinsi();
        command
            .env_remove("JAVA_HOME")
            .env("PATH", directory.path());
        command
    };
    for call in [&["slice"][..], &["minimize"]] {
        let output = run(none().args(call).arg(&copy).current_dir(directory.path()));
        assert_says(&output, 1, &["no Java found: ", " doctor\n"], call[0]);
    }
    let java = |home: &Path| {
        run(jinsi()
            .arg("at")
            .arg(&copy)
            .args(["failure", "--java-home"])
            .arg(home))
    };
    let output = java(directory.path());
    assert_says(
        &output,
        1,
        &["is no Java installation", " doctor\n"],
        "none",
    );
    fs::create_dir(directory.path().join("bin")).unwrap();
    let link = directory.path().join("bin/java");
    jinsi_platform::files::symbolic_link(jdks()[0].java(), link).unwrap();
    fs::write(
        directory.path().join("release"),
        "JAVA_VERSION=\"1.8.0_292\"\n",
    )
    .unwrap();
    let output = java(directory.path());
    assert_says(
        &output,
        1,
        &["is version 1.8.0_292; jinsi needs 11 or later"],
        "old",
    );
}

#[test]
fn files_that_may_not_be_read_or_written() {
    let directory = tempdir().unwrap();
    let copy = copied(directory.path());
    let nobody = |arguments: &[&str]| {
        let mut command = jinsi();
        command.args(arguments).current_dir("/").env("HOME", "/");
        run(without_rights(&mut command, NOBODY))
    };
    let path = copy.to_str().unwrap();
    set_mode(&copy, 0o000).unwrap();
    let output = nobody(&["info", path]);
    assert_says(
        &output,
        1,
        &["cannot read ", "you lack the rights  "],
        "info",
    );
    // The answer comes all the same where the replay cannot be kept.
    set_mode(&copy, 0o644).unwrap();
    set_mode(directory.path(), 0o555).unwrap();
    let output = nobody(&["at", path, "failure"]);
    set_mode(directory.path(), 0o700).unwrap();
    assert_says(
        &output,
        0,
        &[
            "replayed first",
            "not kept, so the next question replays again",
        ],
        "at",
    );
    has(&stdout(&output), "number = 0");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

/// As on a full disk, but for the reason.
#[test]
fn no_room_for_a_file() {
    let directory = tempdir().unwrap();
    let copy = copied(directory.path());
    let limited = run(Command::new("sh")
        .args(["-c", "ulimit -f 8; exec \"$0\" \"$@\""])
        .arg(jinsi().get_program())
        .args(["minimize", "--out"])
        .arg(directory.path().join("report"))
        .arg(&copy));
    assert_says(
        &limited,
        1,
        &["File too large", "the disk is full  "],
        "minimize",
    );
}
