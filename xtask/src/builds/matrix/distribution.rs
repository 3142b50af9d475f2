//! Maven in the releases that builds run with.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use jinsi_repository as repository;

/// What fetches the archives.
const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";

/// The program of a release, which is fetched from Maven Central and unpacked below `directory`, unless it is there.
pub(super) fn program(version: &str, directory: &Path) -> Result<PathBuf> {
    let program = directory.join(format!("apache-maven-{version}/bin/mvn"));
    if program.is_file() {
        return Ok(program);
    }
    let mut copy = Command::new("mvn");
    // What is printed here may have to be one JSON document.
    copy.stdout(std::io::stderr());
    copy.args(["-q", "-B", COPY, "-Dmdep.overWriteReleases=false"]);
    copy.arg(format!(
        "-Dartifact=org.apache.maven:apache-maven:{version}:tar.gz:bin"
    ));
    copy.arg(format!("-DoutputDirectory={}", directory.display()));
    fs::create_dir_all(directory)?;
    repository::run(copy.current_dir(directory))?;
    let archive = directory.join(format!("apache-maven-{version}-bin.tar.gz"));
    let file = File::open(&archive).with_context(|| format!("no {}", archive.display()))?;
    tar::Archive::new(GzDecoder::new(file))
        .unpack(directory)
        .with_context(|| format!("cannot unpack {}", archive.display()))?;
    Ok(program)
}
