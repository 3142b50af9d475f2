//! Whether what is written compiles, against declarations of just what it uses.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::super::{Candidate, Written};
use jinsi_jdk::compile::{CompileError, javac};
use jinsi_jdk::server::{Setting, TestServer};
use jinsi_jdk::{Jdk, Walls};

/// One JVM for all tests: a compiler that is warm needs a tenth of the time.
static COMPILER: OnceLock<Mutex<TestServer>> = OnceLock::new();

/// The first candidate that compiles must be `expected` places behind the best.
pub(super) fn assert_compiles(written: &Written, expected: usize) {
    for (at, candidate) in written.candidates.iter().enumerate() {
        match compile(candidate) {
            Ok(()) => return assert_eq!(at, expected, "{}", candidate.source),
            Err(CompileError::Rejected { text, .. }) if at < expected => assert!(!text.is_empty()),
            Err(error) => panic!("{error}\n{}", candidate.source),
        }
    }
    panic!("no candidate compiles");
}

fn start() -> Mutex<TestServer> {
    let jdk = Jdk::find(None).unwrap();
    let classes = tempfile::tempdir().unwrap().keep();
    let source = crate_directory().join("../../java-harness/server/jinsi/server/TestServer.java");
    javac(&jdk, &[source], &[], &classes).unwrap();
    let server = TestServer::start(&Setting {
        jdk: &jdk,
        classes: &classes,
        class_path: &[],
        jvm_args: &[],
        walls: Walls::Unconfined,
        visible: &[],
        read: &[],
    });
    Mutex::new(server.unwrap())
}

fn crate_directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn compile(candidate: &Candidate) -> Result<(), CompileError> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(candidate.source_path());
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, &candidate.source).unwrap();
    // The compiler takes what it needs from sources on the class path.
    let declarations = crate_directory().join("src/tests/java");
    let out: &Path = &dir.path().join("out");
    let compiler = COMPILER.get_or_init(start);
    let mut compiler = compiler.lock().unwrap_or_else(PoisonError::into_inner);
    let done = compiler.javac(&["-nowarn"], None, &[file], &[declarations], out);
    done.map(drop)
}
