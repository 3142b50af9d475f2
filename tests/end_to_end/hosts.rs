//! Programs in surroundings that a recorder might not expect: they run on, and one line says what became of the recording.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use jinsi_trace::reader::Trace;
use tempfile::{TempDir, tempdir};

use super::support::{agent, jdks, programs, run, stderr, stdout};

/// A user without any rights, on every Linux system.
const NOBODY: u32 = 65_534;

/// `-agentpath` with these options.
fn option(library: &Path, options: &str) -> String {
    format!("-agentpath:{}={options}", library.display())
}

/// The command that runs a program which prints something and ends well.
fn program(directory: &Path, classes: &Path, options: &[String]) -> Command {
    let mut java = Command::new(jdks()[0].java());
    java.current_dir(directory)
        .env_remove("JAVA_TOOL_OPTIONS")
        .args(options)
        .arg("-cp")
        .arg(classes)
        .args(["busy.Main", "2000"]);
    java
}

/// What the program prints without an agent.
fn plain() -> String {
    let directory = tempdir().unwrap();
    let output = run(&mut program(directory.path(), programs(), &[]));
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

/// Runs it: it has to print what it prints without agent, and end well. The agent's lines.
fn lines(command: &mut Command) -> Vec<String> {
    let output = run(command);
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert_eq!(stdout(&output), plain(), "{said}");
    let ours = said.lines().filter_map(|l| l.strip_prefix("jinsi: "));
    ours.map(str::to_owned).collect()
}

fn traces(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap();
    let paths = entries.map(|e| e.unwrap().path());
    paths
        .filter(|p| p.extension().is_some_and(|e| e == "jinsi"))
        .collect()
}

/// Copies of the agent and the programs that everybody may read, in a directory where everybody may write.
fn for_everybody() -> (TempDir, PathBuf, PathBuf) {
    let directory = tempdir().unwrap();
    let library = directory.path().join("libjinsi.so");
    std::fs::copy(agent(), &library).unwrap();
    let classes = directory.path().join("busy");
    std::fs::create_dir(&classes).unwrap();
    for entry in std::fs::read_dir(programs().join("busy")).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, classes.join(path.file_name().unwrap())).unwrap();
    }
    for (path, mode) in [
        (directory.path(), 0o777),
        (&library, 0o755),
        (&classes, 0o755),
    ] {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    }
    let root = directory.path().to_path_buf();
    (directory, library, root)
}

/// The second agent on a command line, or in `JAVA_TOOL_OPTIONS` beside one there, is ignored, and says so.
#[test]
fn a_second_agent_is_ignored() {
    let first = option(&agent(), "observe=busy.*,out=first.jinsi");
    let second = option(&agent(), "observe=nothing.*,out=second.jinsi");
    for by_variable in [false, true] {
        let directory = tempdir().unwrap();
        let mut command = if by_variable {
            // The JVM takes what is in the variable first.
            let mut command = program(directory.path(), programs(), std::slice::from_ref(&second));
            command.env("JAVA_TOOL_OPTIONS", &first);
            command
        } else {
            program(
                directory.path(),
                programs(),
                &[first.clone(), second.clone()],
            )
        };
        let said = lines(&mut command);
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(
            said[0].starts_with("loaded a second time with \"observe=nothing.*"),
            "{said:?}"
        );
        assert_eq!(
            traces(directory.path()),
            [directory.path().join("first.jinsi")]
        );
        assert!(Trace::open(&directory.path().join("first.jinsi")).is_ok());
    }
}

/// The variable alone is enough.
#[test]
fn the_agent_comes_by_the_environment() {
    let directory = tempdir().unwrap();
    let mut command = program(directory.path(), programs(), &[]);
    command.env("JAVA_TOOL_OPTIONS", option(&agent(), "observe=busy.*"));
    assert_eq!(lines(&mut command).len(), 1);
    assert_eq!(traces(directory.path()).len(), 1);
}

/// A working directory where nobody may write, which `/sys` is for root, too.
#[test]
fn a_directory_that_cannot_be_written() {
    let said = lines(&mut program(
        Path::new("/sys/kernel"),
        programs(),
        &[option(&agent(), "observe=busy.*")],
    ));
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].starts_with("cannot write /sys/kernel/jinsi-"),
        "{said:?}"
    );
    assert!(said[0].ends_with("; nothing is recorded"), "{said:?}");
}

/// A user without rights records where it may write, and runs on where it may not. Tests that are not run by root are such a user's.
#[test]
fn a_user_without_rights() {
    let (_directory, library, root) = for_everybody();
    let as_nobody = |directory: &Path| {
        let mut command = program(directory, &root, &[option(&library, "observe=busy.*")]);
        if std::fs::metadata("/proc/self")
            .is_ok_and(|m| std::os::unix::fs::MetadataExt::uid(&m) == 0)
        {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    };
    let said = lines(&mut as_nobody(&root));
    assert_eq!(said.len(), 1, "{said:?}");
    let trace = traces(&root).pop().expect("a trace");
    let mode = std::fs::metadata(&trace).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let closed = root.join("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o555)).unwrap();
    let said = lines(&mut as_nobody(&closed));
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].ends_with("; nothing is recorded"), "{said:?}");
}
