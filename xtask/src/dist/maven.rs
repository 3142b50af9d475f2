//! The artifacts for Maven and Gradle, laid out as a repository is.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use md5::Md5;
use sha1::{Digest, Sha1};
use sha2::Sha256;

use super::tree::{DATA, Tree};
use jinsi_repository as repository;

/// Where the group is in a repository.
const GROUP: &str = "io/github/jinsi";
/// Directories of `java-harness` and artifacts; those without a jar are only described.
const ARTIFACTS: [(&str, &str, bool); 5] = [
    (".", "jinsi-parent", false),
    ("build-support", "jinsi-build-support", true),
    ("maven-plugin", "jinsi-maven-plugin", true),
    ("gradle-plugin", "jinsi-gradle-plugin", true),
    ("gradle-marker", "io.github.jinsi.gradle.plugin", false),
];
/// What belongs to an artifact with a jar.
const JARS: [&str; 3] = ["", "-sources", "-javadoc"];

/// Builds the artifacts with the natives of a directory, and lays them out with their checksums. Maven builds anew: what earlier builds left
/// may have other natives.
pub(super) fn repository(natives: &Path, version: &str) -> Result<Tree> {
    let harness = repository::root().join("java-harness");
    for (directory, _, _) in ARTIFACTS {
        let target = harness.join(directory).join("target");
        if target.exists() {
            fs::remove_dir_all(&target)
                .with_context(|| format!("cannot remove {}", target.display()))?;
        }
    }
    let mut mvn = Command::new("mvn");
    mvn.env_remove("JAVA_TOOL_OPTIONS")
        .args(["-q", "-B", "-Pgradle,dist", "-DskipTests", "-f"]);
    mvn.arg(harness.join("pom.xml"));
    mvn.arg(format!("-Djinsi.natives={}", natives.display()));
    repository::run(mvn.arg("package"))?;
    let mut tree = Tree::default();
    for (directory, artifact, has_jar) in ARTIFACTS {
        let directory = harness.join(directory);
        let name = format!("{artifact}-{version}");
        let place = format!("{GROUP}/{artifact}/{version}/{name}");
        add(
            &mut tree,
            format!("{place}.pom"),
            &directory.join("pom.xml"),
        )?;
        let jars = if has_jar { &JARS[..] } else { &[] };
        for suffix in jars {
            let jar = directory.join(format!("target/{name}{suffix}.jar"));
            add(&mut tree, format!("{place}{suffix}.jar"), &jar)?;
        }
    }
    Ok(tree)
}

/// Adds a file with its checksums, as repositories ask for them.
fn add(tree: &mut Tree, path: String, from: &Path) -> Result<()> {
    let bytes = fs::read(from).with_context(|| format!("Maven did not make {}", from.display()))?;
    tree.add(format!("{path}.md5"), DATA, hex(&Md5::digest(&bytes)));
    tree.add(format!("{path}.sha1"), DATA, hex(&Sha1::digest(&bytes)));
    tree.add(format!("{path}.sha256"), DATA, hex(&Sha256::digest(&bytes)));
    tree.add(path, DATA, bytes);
    Ok(())
}

/// Bytes in hex digits, as checksums are written.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_its_checksums() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "abc").unwrap();
        let mut tree = Tree::default();
        add(&mut tree, "a.pom".to_owned(), file.path()).unwrap();
        let files: Vec<_> = tree
            .files()
            .map(|(path, file)| (path, String::from_utf8(file.bytes.clone()).unwrap()))
            .collect();
        let expected = [
            ("a.pom", "abc"),
            ("a.pom.md5", "900150983cd24fb0d6963f7d28e17f72"),
            ("a.pom.sha1", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "a.pom.sha256",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
        ];
        assert_eq!(files, expected.map(|(path, text)| (path, text.to_owned())));
    }

    #[test]
    fn every_artifact_is_described() {
        for (directory, artifact, _) in ARTIFACTS {
            let pom = repository::root()
                .join("java-harness")
                .join(directory)
                .join("pom.xml");
            let text = fs::read_to_string(pom).unwrap();
            assert!(text.contains(&format!("<artifactId>{artifact}</artifactId>")));
            assert!(text.contains(&format!("<version>{}</version>", env!("CARGO_PKG_VERSION"))));
        }
    }
}
