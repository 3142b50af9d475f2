//! Whether what is written compiles, against declarations of just what it uses.

use std::fs;
use std::path::Path;

use super::super::{Candidate, Written};
use jinsi_jdk::Jdk;
use jinsi_jdk::compile::{CompileError, javac};

/// The first candidate that compiles must be `expected` places behind the best.
pub(super) fn assert_compiles(written: &Written, expected: usize) {
    let jdk = Jdk::find(None).unwrap();
    for (at, candidate) in written.candidates.iter().enumerate() {
        match compile(&jdk, candidate) {
            Ok(()) => return assert_eq!(at, expected, "{}", candidate.source),
            Err(CompileError::Rejected { text, .. }) if at < expected => assert!(!text.is_empty()),
            Err(error) => panic!("{error}\n{}", candidate.source),
        }
    }
    panic!("no candidate compiles");
}

fn compile(jdk: &Jdk, candidate: &Candidate) -> Result<(), CompileError> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(candidate.source_path());
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, &candidate.source).unwrap();
    // The compiler takes what it needs from sources on the class path.
    let declarations = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/java");
    javac(jdk, &[file], &[declarations], &dir.path().join("out"))
}
