//! Programs in surroundings that a recorder might not expect: they run on, and one line says what became of the recording.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use jinsi_jdk::Jdk;
use jinsi_platform::files::{mode, set_mode};
use jinsi_platform::process::without_rights;
use jinsi_trace::reader::Trace;
use tempfile::{TempDir, tempdir};

use super::support::{
    agent, has, jdks, jinsi, json, programs, run, stderr, stdout, succeed, tried_jdks,
};

/// A user without any rights, on every Linux system.
const NOBODY: u32 = 65_534;

/// Since this version JVMs make AOT caches.
const AOT: u32 = 24;

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
    let output = succeed(&mut program(directory.path(), programs(), &[]));
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
    for (path, wanted) in [
        (directory.path(), 0o777),
        (&library, 0o755),
        (&classes, 0o755),
    ] {
        set_mode(path, wanted).unwrap();
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
            said[0].contains("its second options \"observe=nothing.*"),
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

/// In many containers `/proc` is read-only. Where nobody may make such a place, there is nothing to try.
#[test]
fn a_proc_that_cannot_be_written() {
    let directory = tempdir().unwrap();
    let namespaces: [&[&str]; 2] = [&["-m"], &["-r", "-m"]];
    let is_allowed = |options: &&&[&str]| {
        let made = Command::new("unshare").args(**options).arg("true").output();
        made.is_ok_and(|output| output.status.success())
    };
    let Some(options) = namespaces.iter().find(is_allowed) else {
        eprintln!("not tried: no right to mount /proc read-only");
        return;
    };
    let java = program(
        directory.path(),
        programs(),
        &[option(&agent(), "observe=busy.*,out=t.jinsi")],
    );
    let mut inside = Command::new("unshare");
    inside.args(*options).current_dir(directory.path());
    inside.env_remove("JAVA_TOOL_OPTIONS").args([
        "sh",
        "-c",
        "mount -o bind /proc /proc && mount -o remount,ro,bind /proc && ! echo x 2>&- > /proc/self/comm && exec \"$@\"",
        "sh",
    ]);
    inside.arg(java.get_program()).args(java.get_args());
    let lines = lines(&mut inside);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("recorded in"), "{lines:?}");
    assert_eq!(traces(directory.path()).len(), 1);
}

/// A user without rights records where it may write, and runs on where it may not. Tests that are not run by root are such a user's.
#[test]
fn a_user_without_rights() {
    let (_directory, library, root) = for_everybody();
    let as_nobody = |directory: &Path| {
        let mut command = program(directory, &root, &[option(&library, "observe=busy.*")]);
        without_rights(&mut command, NOBODY);
        command
    };
    let said = lines(&mut as_nobody(&root));
    assert_eq!(said.len(), 1, "{said:?}");
    let trace = traces(&root).pop().expect("a trace");
    assert_eq!(mode(&std::fs::metadata(&trace).unwrap()), 0o600);

    let closed = root.join("closed");
    std::fs::create_dir(&closed).unwrap();
    set_mode(&closed, 0o555).unwrap();
    let said = lines(&mut as_nobody(&closed));
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].ends_with("; nothing is recorded"), "{said:?}");
}

/// A program that waits for a line on its standard input, recorded with these options.
fn waiting(directory: &Path, jdk: &Jdk, options: &str) -> Child {
    let mut java = Command::new(jdk.java());
    java.current_dir(directory)
        .env_remove("JAVA_TOOL_OPTIONS")
        .args([&option(&agent(), options), "-cp"])
        .arg(programs())
        .arg("waiting.Main")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = java.spawn().unwrap();
    let mut ready = String::new();
    let stdout = child.stdout.as_mut().unwrap();
    BufReader::new(stdout).read_line(&mut ready).unwrap();
    assert_eq!(ready, "ready\n");
    child
}

#[test]
fn a_mark_keeps_the_trace_of_a_running_program() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let options = "observe=waiting.*,on=failure,out=t.jinsi";
        let mut program = waiting(directory.path(), &jdk, options);
        let pid = program.id().to_string();
        succeed(jinsi().args(["mark", &pid, "the total, is = wrong"]));

        // The program still runs; what it did so far can be carried away.
        let trace = directory.path().join("t.jinsi");
        let packed = succeed(jinsi().args(["--json", "pack"]).arg(&trace));
        let packed = json(&packed);
        assert_eq!(packed["complete"], false);
        assert!(packed["events"].as_u64().unwrap() > 0);
        assert_eq!(packed["notes"][0]["text"], "the total, is = wrong");

        writeln!(program.stdin.take().unwrap()).unwrap();
        let ended = program.wait_with_output().unwrap();
        assert!(ended.status.success(), "{}", stderr(&ended));
        let whole = Trace::open(&trace).unwrap();
        assert!(whole.end().is_some());
        assert_eq!(whole.notes().len(), 1);
        let mailed = Trace::open(&directory.path().join("t.packed.jinsi")).unwrap();
        assert_eq!(mailed.notes(), whole.notes());
    }
}

#[test]
fn who_is_not_recorded_cannot_be_marked() {
    let directory = tempdir().unwrap();
    let mut other = Command::new("sleep").arg("60").spawn().unwrap();
    let marked = run(jinsi()
        .current_dir(&directory)
        .args(["mark", &other.id().to_string()]));
    assert!(other.try_wait().unwrap().is_none(), "it was sent a signal");
    other.kill().unwrap();
    other.wait().unwrap();
    assert_eq!(marked.status.code(), Some(1));
    has(&stderr(&marked), "is no Java program");
}

/// A JVM that checks native code (`-Xcheck:jni`) has nothing to say of ours, wherever it was instructed to.
#[test]
fn checked_calls_of_jni() {
    let directory = tempdir().unwrap();
    let file = directory.path().join("arguments");
    std::fs::write(&file, "-Xcheck:jni\n").unwrap();
    let in_a_file = format!("@{}", file.display());
    for jdk in tried_jdks() {
        for (detail, check) in [
            ("boundary", "-Xcheck:jni"),
            ("interactions", in_a_file.as_str()),
            ("instructions", "-Xcheck:jni"),
        ] {
            let printed = |recorded: Option<String>| {
                let output = run(Command::new(jdk.java())
                    .env_remove("JAVA_TOOL_OPTIONS")
                    .current_dir(directory.path())
                    .arg(check)
                    .args(recorded)
                    .arg("-cp")
                    .arg(programs())
                    .args(["unwound.Main", "interrupt"]));
                let said = stderr(&output);
                let others = said.lines().filter(|l| !l.starts_with("jinsi: "));
                (stdout(&output), others.collect::<Vec<_>>().join("\n"))
            };
            let options = format!("observe=unwound.*,detail={detail}");
            assert_eq!(
                printed(Some(option(&agent(), &options))),
                printed(None),
                "Java {}, {detail}",
                jdk.version()
            );
        }
    }
}

/// The program in a jar: classes in directories are in no archive.
fn packed(jdk: &Jdk, directory: &Path) -> PathBuf {
    let jar = directory.join("busy.jar");
    let packed = run(Command::new(jdk.java().with_file_name("jar"))
        .arg("cf")
        .arg(&jar)
        .arg("-C")
        .args([programs(), Path::new("busy")]));
    assert!(packed.status.success(), "{}", stderr(&packed));
    jar
}

/// A JVM that makes an archive of classes for later starts: an AOT cache is made of the
/// program's run without us, and of the older archives the JVM itself says that it makes none beside an agent.
#[test]
fn archives_of_classes() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let recorded = [option(&agent(), "observe=busy.*")];
        let jar = packed(&jdk, directory.path());
        let with = |options: &[&str]| {
            let mut java = Command::new(jdk.java());
            java.current_dir(directory.path())
                .env_remove("JAVA_TOOL_OPTIONS")
                .args(options)
                .args(&recorded)
                .arg("-cp")
                .arg(&jar)
                .args(["busy.Main", "2000"]);
            java
        };
        let dumped = run(&mut with(&["-XX:ArchiveClassesAtExit=busy.jsa"]));
        let said = stdout(&dumped) + &stderr(&dumped);
        has(&said, "does not support native JVMTI agent");
        if jdk.version().feature < AOT {
            continue;
        }
        let options = ["-XX:AOTMode=record", "-XX:AOTConfiguration=busy.conf"];
        let trained = run(&mut with(&options));
        // The JVM says there that it has made one.
        assert!(stdout(&trained).starts_with(&plain()));
        let said = stderr(&trained);
        assert!(trained.status.success(), "{said}");
        assert!(said.contains("; nothing is recorded"), "{said}");
        assert!(directory.path().join("busy.conf").is_file());
    }
}

/// A JVM that was to start from an AOT cache, which it cannot use beside an agent: nothing about that is among what the program prints.
#[test]
fn an_unused_cache_is_not_spoken_of() {
    for jdk in jdks() {
        if jdk.version().feature < AOT {
            continue;
        }
        let directory = tempdir().unwrap();
        let jar = packed(&jdk, directory.path());
        let finish = |mut command: Command, option: &str| {
            let output = succeed(
                command
                    .current_dir(directory.path())
                    .env_remove("JAVA_TOOL_OPTIONS")
                    .arg(option)
                    .arg("-cp")
                    .arg(&jar)
                    .args(["busy.Main", "2000"]),
            );
            stdout(&output)
        };
        finish(Command::new(jdk.java()), "-XX:AOTCacheOutput=busy.aot");
        let mut recorded = jinsi();
        recorded
            .args(["record", "--observe", "busy.*", "--"])
            .arg(jdk.java());
        assert_eq!(finish(recorded, "-XX:AOTCache=busy.aot"), plain());
    }
}

/// Since this version scoped values are in the language, and scopes of tasks a preview.
const SCOPED: u32 = 25;
/// A garden whose tasks look at a scoped value, within a scope that lambdas are made in.
const GARDEN: &str = "package garden;
import java.util.concurrent.StructuredTaskScope;
public class Garden {
    static final ScopedValue<String> SEASON = ScopedValue.newInstance();
    interface Plant { String grow(); }
    static class Rose implements Plant {
        public String grow() { return \"rose in \" + SEASON.get(); }
    }
    static String plant(String season) throws Exception {
        return ScopedValue.where(SEASON, season).call(() -> {
            try (var scope = StructuredTaskScope.open()) {
                Plant tulip = () -> \"tulip in \" + SEASON.get();
                var one = scope.fork(tulip::grow);
                var other = scope.fork(() -> new Rose().grow());
                scope.join();
                return one.get() + \", \" + other.get();
            }
        });
    }
    public static void main(String[] args) throws Exception {
        System.out.println(plant(\"spring\"));
        System.out.println(plant(\"autumn\"));
    }
}
";

/// The JVM takes a thread's scoped values from it where an error of the JVM's own is thrown, even if it is caught at once. So no probe
/// brings one about.
#[test]
fn scopes_stay_whole() {
    for jdk in jdks() {
        if jdk.version().feature < SCOPED {
            continue;
        }
        let directory = tempdir().unwrap();
        let source = directory.path().join("Garden.java");
        std::fs::write(&source, GARDEN).unwrap();
        let release = jdk.version().feature.to_string();
        let compiled = run(Command::new(jdk.java().with_file_name("javac"))
            .args(["--enable-preview", "--release", &release, "-d"])
            .args([directory.path(), &source]));
        assert!(compiled.status.success(), "{}", stderr(&compiled));
        for detail in ["boundary", "interactions"] {
            let options = format!("observe=garden.*,detail={detail}");
            let output = succeed(
                Command::new(jdk.java())
                    .current_dir(directory.path())
                    .env_remove("JAVA_TOOL_OPTIONS")
                    .arg(option(&agent(), &options))
                    .args(["--enable-preview", "-cp", ".", "garden.Garden"]),
            );
            assert_eq!(
                stdout(&output),
                "tulip in spring, rose in spring\ntulip in autumn, rose in autumn\n"
            );
        }
    }
}
