//! What jinsi leaves on the disk: files that only their owner can read, and no temporary directories, however it ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use jinsi_platform::files::{mode, set_mode};
use tempfile::tempdir;

use super::support::{compile_programs, jdks, jinsi, record, run, stderr};

/// Until a command has a worker, at most.
const PATIENCE: Duration = Duration::from_secs(60);

/// All that is below a directory, with its mode.
fn modes(directory: &Path) -> Vec<(PathBuf, u32)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let found_mode = mode(&fs::symlink_metadata(&path).unwrap());
        found.push((path.clone(), found_mode));
        if path.is_dir() {
            found.extend(modes(&path));
        }
    }
    found
}

fn assert_private(directory: &Path) {
    let found = modes(directory);
    assert!(found.len() > 5, "{found:?}");
    for (path, mode) in found {
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode, expected, "{} has {mode:o}", path.display());
    }
}

#[test]
#[ignore = "long: every command"]
fn what_is_written_is_the_owners_only() {
    let classes = compile_programs(&["secrets/app", "secrets/vault"], &[]);
    let java = jdks()[0].java();
    for junit in ["4", "5"] {
        let place = tempdir().unwrap();
        let (debugged, minimized) = (place.path().join("debugged"), place.path().join("made/for"));
        let output = run(jinsi()
            .args([
                "debug",
                "--observe",
                "secrets.app.*",
                "--junit",
                junit,
                "--out",
            ])
            .arg(&debugged)
            .arg("--")
            .arg(&java)
            .args([
                "-Dpassword=Quetzalcoatl7",
                "-Dtoken=Xochimilco",
                "-Dpin=9182736450",
            ])
            .arg("-cp")
            .arg(classes.path())
            .arg("secrets.app.Main"));
        assert!(output.status.success(), "{}", stderr(&output));
        // A file that others could read does not stay so; a directory of the user's does.
        fs::create_dir_all(&minimized).unwrap();
        set_mode(&minimized, 0o755).unwrap();
        fs::write(minimized.join("report.json"), "").unwrap();
        let output = run(jinsi()
            .args(["minimize", "--junit", junit, "--out"])
            .arg(&minimized)
            .arg(debugged.join("trace.jinsi")));
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(mode(&fs::metadata(&minimized).unwrap()), 0o755);
        assert_eq!(mode(&fs::metadata(&debugged).unwrap()), 0o700);
        assert_private(&debugged);
        assert_private(&minimized);
    }
}

/// `jinsi minimize` with its temporary files in `temporary`, at work.
fn at_work(trace: &Path, out: &Path, temporary: &Path) -> Child {
    let before = ours(temporary);
    let mut child = jinsi()
        .args(["minimize", "--out"])
        .arg(out)
        .arg(trace)
        .env("TMPDIR", temporary)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // It has its directories, and a worker in one of them.
    let own = || {
        ours(temporary)
            .into_iter()
            .filter(|path| !before.contains(path))
    };
    let deadline = Instant::now() + PATIENCE;
    while own().count() < 2 {
        let ended = child.try_wait().unwrap();
        if ended.is_some() || Instant::now() > deadline {
            let _ = child.kill();
            panic!("it has no worker: {ended:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

fn ours(temporary: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(temporary).unwrap().flatten();
    let paths = entries.map(|entry| entry.path());
    let ours = |path: &PathBuf| path.to_string_lossy().contains("jinsi");
    paths.filter(ours).collect()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args(["-s", name, &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

#[test]
fn temporary_directories_go_with_their_process() {
    let place = tempdir().unwrap();
    let at = |name: &str| {
        let path = place.path().join(name);
        fs::create_dir(&path).unwrap();
        path
    };
    let trace = record(&jdks()[0], place.path(), "vending.Main", "vending.*");
    for name in ["TERM", "HUP"] {
        let temporary = at(name);
        let mut child = at_work(&trace, &place.path().join("report"), &temporary);
        signal(&child, name);
        // Ended by the signal, as whoever sent it expects.
        let status = child.wait().unwrap();
        assert_eq!(status.code(), None, "{name}: {status}");
        assert_eq!(ours(&temporary), Vec::<PathBuf>::new(), "{name}");
    }

    let temporary = at("killed");
    let mut child = at_work(&trace, &place.path().join("report"), &temporary);
    signal(&child, "KILL");
    child.wait().unwrap();
    assert!(!ours(&temporary).is_empty());
    // While another one is at work, its own stay. What it finds may still be in use: the killed one's workers have to notice.
    let mut other = at_work(&trace, &place.path().join("other"), &temporary);
    let output = run(jinsi()
        .args(["minimize", "--out"])
        .arg(place.path().join("report"))
        .arg(&trace)
        .env("TMPDIR", &temporary));
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(other.wait().unwrap().success());
    assert_eq!(ours(&temporary), Vec::<PathBuf>::new());
}
