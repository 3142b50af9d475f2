//! Finding JDKs, compiling, and passing classes to and from a JVM.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A class by internal name, and its bytes.
pub(crate) type NamedClass = (String, Vec<u8>);

/// Homes of the JDK that `JAVA_HOME` or the `PATH` names and of its siblings on this machine.
fn homes() -> Vec<PathBuf> {
    let named = env::var_os("JAVA_HOME").map(PathBuf::from);
    let on_path = env::var_os("PATH").and_then(|path| {
        env::split_paths(&path)
            .map(|dir| dir.join("javac"))
            .find(|javac| javac.is_file())
            .and_then(|javac| fs::canonicalize(javac).ok())
            .and_then(|javac| Some(javac.parent()?.parent()?.to_owned()))
    });
    let first = named
        .or(on_path)
        .expect("these tests need a JDK: JAVA_HOME, or javac on the PATH");
    let mut homes = vec![first.clone()];
    let siblings = first.parent().and_then(|dir| fs::read_dir(dir).ok());
    let mut seen = BTreeSet::from([fs::canonicalize(&first).unwrap()]);
    for home in siblings.into_iter().flatten().flatten().map(|e| e.path()) {
        if let Ok(real) = fs::canonicalize(&home)
            && real.join("bin/java").is_file()
            && seen.insert(real.clone())
        {
            homes.push(real);
        }
    }
    homes
}

/// Runs a tool of a JDK; its standard output, after checking that it succeeded.
pub(crate) fn run(home: &Path, tool: &str, args: &[&str]) -> String {
    // The quick compiler is enough for what ends within a second.
    let prefix = if tool == "java" { "" } else { "-J" };
    let quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
    let output = Command::new(home.join("bin").join(tool))
        .args(quick.map(|option| format!("{prefix}{option}")))
        .args(args)
        .output()
        .unwrap_or_else(|e| panic!("{tool} of {}: {e}", home.display()));
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{tool} {args:?} of {}: {}\n{out}\n{}",
        home.display(),
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    out
}

/// Compiles one source text; all classes that come out.
pub(crate) fn compile(home: &Path, release: &str, name: &str, source: &str) -> Vec<NamedClass> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(format!("{name}.java"));
    fs::write(&file, source).unwrap();
    let out = dir.path().join("out");
    run(
        home,
        "javac",
        &[
            "--release",
            release,
            "-g",
            "-Xlint:none",
            "-nowarn",
            "-d",
            text(&out),
            text(&file),
        ],
    );
    classes_below(&out)
}

/// All class files below a directory.
pub(crate) fn classes_below(root: &Path) -> Vec<NamedClass> {
    let mut found = Vec::new();
    let mut dirs = vec![root.to_owned()];
    while let Some(dir) = dirs.pop() {
        for path in fs::read_dir(&dir).unwrap().map(|e| e.unwrap().path()) {
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|e| e == "class") {
                let name = path.strip_prefix(root).unwrap().with_extension("");
                found.push((text(&name).to_owned(), fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// A path as text.
pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The Java side of the tests, `Bundle` with `Probe`, compiled by one JDK.
pub(crate) struct Harness {
    pub(crate) home: PathBuf,
    dir: PathBuf,
}

/// A harness for each JDK; compiled once.
pub(crate) fn harnesses() -> &'static [Harness] {
    static HARNESSES: OnceLock<Vec<Harness>> = OnceLock::new();
    HARNESSES.get_or_init(|| {
        let base = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let numbered = homes().into_iter().enumerate();
        numbered
            .map(|(n, home)| Harness::new(home, base.join(format!("jdk-{n}"))))
            .collect()
    })
}

impl Harness {
    fn new(home: PathBuf, dir: PathBuf) -> Self {
        fs::create_dir_all(&dir).unwrap();
        let at = |name: &str| text(&dir.join(name)).to_owned();
        for (name, source) in [
            ("Probe", include_str!("../java/Probe.java")),
            ("Bundle", include_str!("../java/Bundle.java")),
        ] {
            fs::write(at(&format!("{name}.java")), source).unwrap();
        }
        let (boot, app) = (at("boot"), at("app"));
        run(&home, "javac", &["-d", &boot, &at("Probe.java")]);
        run(
            &home,
            "javac",
            &["-cp", &boot, "-d", &app, &at("Bundle.java")],
        );
        fs::write(
            at("manifest"),
            "Premain-Class: Bundle\nCan-Redefine-Classes: true\n",
        )
        .unwrap();
        run(
            &home,
            "jar",
            &["cfm", &at("agent.jar"), &at("manifest"), "-C", &app, "."],
        );
        Harness { home, dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Runs `Bundle` with all classes verified, the boot loader's too.
    fn bundle(&self, args: &[&str]) -> String {
        let boot = format!("-Xbootclasspath/a:{}", text(&self.path("boot")));
        let jar = text(&self.path("agent.jar")).to_owned();
        let agent = format!("-javaagent:{jar}");
        let mut all = vec![
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:+BytecodeVerificationLocal",
            "-XX:+BytecodeVerificationRemote",
            "-Xshare:auto",
            "--add-reads",
            "java.base=ALL-UNNAMED",
            &boot,
            &agent,
            "-cp",
            &jar,
            "Bundle",
        ];
        all.extend(args);
        run(&self.home, "java", &all)
    }

    /// Every `every`th class of a module.
    pub(crate) fn module(&self, module: &str, every: usize) -> Vec<NamedClass> {
        let file = tempfile::NamedTempFile::new().unwrap();
        self.bundle(&["dump", module, &every.to_string(), text(file.path())]);
        read_bundle(&fs::read(file.path()).unwrap())
    }

    /// Runs a main class; what it printed.
    pub(crate) fn main(&self, classes: &[NamedClass], main: &str) -> String {
        let file = write_bundle(classes);
        self.bundle(&["run", text(file.path()), main])
    }

    /// Loads and links classes; fails on any that does not verify.
    pub(crate) fn load(&self, classes: &[NamedClass]) -> String {
        let file = write_bundle(classes);
        checked(&self.bundle(&["load", text(file.path())]))
    }

    /// Redefines classes of the JDK and puts the originals back; fails on any that does not verify.
    pub(crate) fn redefine(&self, original: &[NamedClass], rewritten: &[NamedClass]) -> String {
        let original = write_bundle(original);
        let rewritten = write_bundle(rewritten);
        checked(&self.bundle(&["redefine", text(original.path()), text(rewritten.path())]))
    }
}

fn write_bundle(classes: &[NamedClass]) -> tempfile::NamedTempFile {
    let mut out = Vec::new();
    for (name, bytes) in classes {
        out.extend((name.len() as u16).to_be_bytes());
        out.extend(name.as_bytes());
        out.extend((bytes.len() as u32).to_be_bytes());
        out.extend(bytes);
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), out).unwrap();
    file
}

fn read_bundle(mut rest: &[u8]) -> Vec<NamedClass> {
    let mut classes = Vec::new();
    while let Some((len, behind)) = rest.split_first_chunk() {
        let (name, behind) = behind.split_at(usize::from(u16::from_be_bytes(*len)));
        let (len, behind) = behind.split_first_chunk().unwrap();
        let (bytes, behind) = behind.split_at(u32::from_be_bytes(*len) as usize);
        classes.push((String::from_utf8(name.to_vec()).unwrap(), bytes.to_vec()));
        rest = behind;
    }
    classes
}

/// The last line of the output of `load` and `redefine`, if nothing went wrong before.
fn checked(out: &str) -> String {
    let bad: Vec<_> = out.lines().filter(|l| l.starts_with("BAD")).collect();
    assert!(
        bad.is_empty(),
        "{} classes do not verify:\n{}",
        bad.len(),
        bad[..bad.len().min(10)].join("\n")
    );
    let last = out.lines().last().unwrap_or_default();
    assert!(last.starts_with("done "), "{out}");
    last.to_owned()
}
