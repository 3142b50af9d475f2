//! Java programs as class tables, for tests.

use std::fs;
use std::path::{Path, PathBuf};

use jinsi_classfile::ClassFile;
use jinsi_trace::model::{ClassDef, ClassNo, ClassOrigin};

use jinsi_jdk::{Jdk, compile};

/// All JDKs to test with.
pub(super) fn jdks() -> Vec<Jdk> {
    Jdk::all().expect("a JDK")
}

/// The JDK to compile with: the oldest, so that all can run the result.
pub(super) fn compiler() -> Jdk {
    jdks()
        .into_iter()
        .filter(|jdk| jdk.javac().is_some())
        .min_by_key(|jdk| jdk.version().feature)
        .expect("a JDK with javac")
}

/// Directory of Java sources of this module's tests.
pub(super) fn fixtures(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name)
}

/// Compiles all sources below `dirs` into `out`, for the compiler's own release.
pub(super) fn compile(dirs: &[PathBuf], out: &Path) {
    let sources = sources(dirs);
    compile::javac(&compiler(), &sources, &[], out).expect("sources that compile");
}

/// Compiles all sources below `dirs` into `out`, for Java 8.
#[cfg(test)]
pub(super) fn compile_for_8(dirs: &[PathBuf], out: &Path) {
    let javac = compiler().require_javac().expect("javac");
    let status = std::process::Command::new(javac)
        .args([
            "--release",
            "8",
            "-g",
            "-proc:none",
            "-nowarn",
            "-Xlint:-options",
            "-d",
        ])
        .arg(out)
        .args(sources(dirs))
        .status()
        .expect("javac runs");
    assert!(status.success());
}

fn sources(dirs: &[PathBuf]) -> Vec<PathBuf> {
    dirs.iter().flat_map(|dir| files(dir, "java")).collect()
}

/// The classes below `dir` as a trace has them when all are matched by `observe=`.
pub(super) fn class_table(dir: &Path) -> Vec<ClassDef> {
    let def = |(at, path): (usize, PathBuf)| {
        let bytes = fs::read(path).expect("a readable file");
        let class = ClassFile::parse(&bytes).expect("a class file");
        let interfaces = class.interface_names().expect("names");
        ClassDef {
            no: ClassNo::from_index(at),
            name: class.name().expect("a name").into_owned(),
            super_name: class.super_name().expect("a name").map(|s| s.into_owned()),
            interfaces: interfaces.into_iter().map(|i| i.into_owned()).collect(),
            access: class.access,
            origin: ClassOrigin::Observed,
            source_file: None,
            bytes: bytes.clone().into(),
        }
    };
    files(dir, "class")
        .into_iter()
        .enumerate()
        .map(def)
        .collect()
}

fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![dir.to_owned()];
    while let Some(next) = todo.pop() {
        for entry in fs::read_dir(&next).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
