//! What a confined shell, and the programs that it becomes, can and cannot do.

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jinsi_confine::{Confinement, Limits, spawn, support};
use tempfile::TempDir;

/// A place of its own, and something outside of it.
struct Cell {
    own: TempDir,
    outside: TempDir,
}

/// How a shell ended, and what it printed.
struct Ended {
    success: bool,
    text: String,
}

impl Cell {
    fn new() -> Self {
        assert_eq!(support().missing(), None, "{}", support());
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "outside").unwrap();
        Self {
            own: tempfile::tempdir().unwrap(),
            outside,
        }
    }

    fn confinement(&self) -> Confinement {
        let programs = [
            "/bin",
            "/usr/bin",
            "/lib",
            "/lib64",
            "/usr/lib",
            "/usr/lib64",
        ];
        Confinement {
            read: vec![PathBuf::from("/etc/ld.so.cache")],
            programs: programs.iter().map(PathBuf::from).collect(),
            write: vec![self.own.path().to_owned()],
            limits: Limits {
                memory: 256 << 20,
                file: 1 << 20,
                disk: 4 << 20,
                threads: 16,
            },
        }
    }

    /// A shell in its own directory, which runs a script; `$OUT` is the directory outside.
    fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("/bin/bash");
        command
            .args(["-c", script])
            .current_dir(self.own.path())
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("OUT", self.outside.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs a script in it.
    fn run(&self, script: &str) -> Ended {
        let mut command = self.shell(script);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = spawn(command, &self.confinement()).unwrap();
        let mut text = String::new();
        let (mut stdout, mut stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        stdout.read_to_string(&mut text).unwrap();
        stderr.read_to_string(&mut text).unwrap();
        Ended {
            success: child.wait().unwrap().success(),
            text,
        }
    }

    fn refused(&self, script: &str) {
        let ended = self.run(script);
        assert!(!ended.success, "{script}: {}", ended.text);
        let permission = [
            "Permission denied",
            "Operation not permitted",
            "Invalid cross-device link",
            "Read-only file system",
        ];
        assert!(
            permission.iter().any(|p| ended.text.contains(p)),
            "{script}: {}",
            ended.text
        );
    }

    fn secret(&self) -> PathBuf {
        self.outside.path().join("secret")
    }
}

#[test]
fn its_own_directory_is_its_own() {
    let cell = Cell::new();
    let ended = cell.run("echo one > a && echo two > b && read x < a && echo $x && exec rm a");
    assert!(ended.success, "{}", ended.text);
    assert_eq!(ended.text, "one\n");
    assert_eq!(
        fs::read_to_string(cell.own.path().join("b")).unwrap(),
        "two\n"
    );
    assert!(!cell.own.path().join("a").exists());
}

#[test]
fn files_outside_are_neither_read_nor_changed() {
    let cell = Cell::new();
    let mode = fs::metadata(cell.secret()).unwrap();
    fs::write(cell.own.path().join("own"), "mine").unwrap();
    for script in [
        "read x < $OUT/secret",
        "echo x > $OUT/secret",
        "echo x >> $OUT/new",
        "exec rm $OUT/secret",
        "exec mv $OUT/secret $OUT/other",
        "exec mv $OUT/secret .",
        "exec ln $OUT/secret mine",
        "exec ln -s $OUT/secret mine",
        "exec mkfifo pipe",
        "exec mkdir $OUT/d",
        "exec chmod 777 $OUT/secret",
        "exec chmod 777 /dev/null",
        "exec chmod 4755 own",
        "exec chmod 2755 own",
        "exec chown 1 $OUT/secret",
        "exec touch -d 2001-01-01 $OUT/secret",
        "exec truncate -s 0 $OUT/secret",
        "exec ls $OUT",
        "exec ls /root/../tmp",
        "exec cat /proc/1/environ",
    ] {
        cell.refused(script);
        let now = fs::metadata(cell.secret()).unwrap();
        assert_eq!(
            fs::read_to_string(cell.secret()).unwrap(),
            "outside",
            "{script}"
        );
        assert_eq!(
            now.modified().unwrap(),
            mode.modified().unwrap(),
            "{script}"
        );
        assert_eq!(now.permissions(), mode.permissions(), "{script}");
    }
    assert_eq!(fs::read_dir(cell.outside.path()).unwrap().count(), 1);
    assert_eq!(fs::read_dir(cell.own.path()).unwrap().count(), 1);
}

/// Not where the machine gives its users no mount namespaces: then it is refused, as for files outside.
#[test]
fn its_own_files_have_modes_and_times() {
    let cell = Cell::new();
    let ended = cell.run("echo x > a && exec chmod 640 a");
    if ended.text.contains("Operation not permitted") {
        return;
    }
    assert!(ended.success, "{}", ended.text);
    let own = fs::metadata(cell.own.path().join("a")).unwrap();
    assert_eq!(own.permissions().mode() & 0o7777, 0o640);
    let ended = cell.run("exec touch -d 2001-01-01T00:00:00Z a");
    assert!(ended.success, "{}", ended.text);
    let own = fs::metadata(cell.own.path().join("a")).unwrap();
    assert_eq!(own.mtime(), 978_307_200);
}

/// A stream was opened before everything else became read-only.
#[test]
fn streams_are_no_way_to_what_is_outside() {
    let cell = Cell::new();
    let before = fs::metadata("/dev/null").unwrap();
    for script in [
        "exec chmod 600 /proc/self/fd/0",
        "exec touch -d 2001-01-01 /proc/self/fd/0",
    ] {
        let ended = cell.run(script);
        let now = fs::metadata("/dev/null").unwrap();
        assert_eq!(now.permissions(), before.permissions(), "{}", ended.text);
        assert_eq!(now.mtime(), before.mtime(), "{}", ended.text);
    }
    let log = cell.outside.path().join("log");
    let named = fs::File::create(&log).unwrap();
    let mut command = cell.shell("exec chmod 600 /proc/self/fd/1");
    command.stdout(named).stderr(Stdio::null());
    let before = fs::metadata(&log).unwrap().permissions();
    let ended = spawn(command, &cell.confinement()).unwrap().wait().unwrap();
    assert!(!ended.success());
    assert_eq!(fs::metadata(&log).unwrap().permissions(), before);
}

#[test]
fn no_socket_is_opened_and_no_process_started() {
    let cell = Cell::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    cell.refused(&format!("echo x > /dev/tcp/127.0.0.1/{port}"));
    cell.refused("echo x > /dev/udp/127.0.0.1/9");
    assert!(listener.accept().is_err());
    let ended = cell.run("ls; echo after");
    assert!(ended.text.contains("fork"), "{}", ended.text);
}

#[test]
fn nobody_else_is_signalled() {
    let cell = Cell::new();
    let mut other = Command::new("sleep").arg("1000").spawn().unwrap();
    cell.refused(&format!("kill -9 {}", other.id()));
    cell.refused(&format!("exec prlimit --pid {} --nofile=1", other.id()));
    assert!(other.try_wait().unwrap().is_none());
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn descriptors_and_environment_are_not_inherited() {
    let cell = Cell::new();
    // SAFETY: the call takes a path and flags; the descriptor is meant to be inheritable, and stays open.
    let fd = unsafe { libc::open(c"/etc/hostname".as_ptr(), libc::O_RDONLY) };
    assert!(fd > 2);
    let ended = cell.run(&format!("read x <&{fd}"));
    assert!(ended.text.contains("Bad file descriptor"), "{}", ended.text);
    let ended = cell.run("echo $HOME $USER");
    assert_eq!(ended.text, "\n");
}

#[test]
fn what_it_takes_is_bounded() {
    let cell = Cell::new();
    // One file.
    let ended = cell.run("trap '' XFSZ; x=$(printf '%1000s' x) 2>/dev/null; exec dd if=/dev/zero of=large bs=64k count=100");
    assert!(!ended.success, "{}", ended.text);
    assert!(length(&cell.own.path().join("large")) <= 1 << 20);
    // Many.
    let ended = cell.run(
        "printf -v x '%100000s' x; for ((i = 0; i < 1000000; i++)); do echo \"$x$x\" > f$i; done",
    );
    assert!(!ended.success, "{}", ended.text);
    let ended = cell.run("for ((i = 0; i < 1000000; i++)); do : > e$i; done");
    assert!(!ended.success, "{}", ended.text);
    // Memory.
    let ended = cell.run("printf -v x '%1000000s' x; while :; do x=\"$x$x\"; done");
    assert!(!ended.success, "{}", ended.text);
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let cell = Cell::new();
    let error = spawn(Command::new("/nowhere/java"), &cell.confinement()).unwrap_err();
    assert!(error.to_string().contains("No such file"), "{error}");
}

fn length(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |m| m.len())
}
