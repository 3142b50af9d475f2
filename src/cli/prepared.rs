//! What has to be at hand before anything is replayed: a JDK, and the Java of this command.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_analysis::pipeline::Config;
use jinsi_files::temporary;
use jinsi_jdk::{Jdk, Walls};
use jinsi_natural::Natural;

use super::embedded;
use super::messages::{self, Cannot, NotRecorded};

/// The oldest Java that replays and runs written tests.
const OLDEST: u32 = 11;

/// How replay is done.
#[derive(Clone, clap::Args)]
pub(crate) struct ReplayOptions {
    /// JDK for replay and the written tests (default: JAVA_HOME, else java on the PATH)
    #[arg(long, value_name = "DIR")]
    java_home: Option<PathBuf>,
    /// File with more natural classes, in the form of the built-in list
    #[arg(long, value_name = "FILE")]
    natural: Option<PathBuf>,
    /// Run recorded code and written tests with your own rights, instead of in a sandbox: without your files, network and
    /// processes. For machines that cannot do that, and traces whose origin you would trust with a program
    #[arg(long)]
    unconfined: bool,
}

/// The pipeline's configuration, and the directory that holds what it points to.
pub(crate) struct Prepared {
    pub(crate) config: Config,
    _unpacked: temporary::Directory,
}

impl ReplayOptions {
    /// The first of these that is given.
    pub(crate) fn name(&self) -> Option<&'static str> {
        let java_home = self.java_home.as_ref().map(|_| "--java-home");
        let natural = self.natural.as_ref().map(|_| "--natural");
        java_home
            .or(natural)
            .or_else(|| self.unconfined.then_some("--unconfined"))
    }

    /// Is replayed as everybody replays? A JDK, and its sandbox, change nothing of what a strict replay does.
    pub(crate) fn is_usual(&self) -> bool {
        self.natural.is_none()
    }

    /// To look at a JDK on any machine.
    pub(crate) fn with_jdk(java_home: Option<PathBuf>) -> Self {
        Self {
            java_home,
            natural: None,
            unconfined: true,
        }
    }

    /// Whether what is run is in a sandbox; an error if it has to be, and cannot.
    pub(crate) fn walls(&self) -> Result<Walls> {
        let walls = match self.unconfined {
            true => Walls::Unconfined,
            false => Walls::Confined,
        };
        let checked = walls.check();
        checked.context(NotRecorded::Unconfined)?;
        Ok(walls)
    }

    /// Finds the JDK and unpacks the worker. Unless the user chose a JDK, it is that of `recorded_with`.
    pub(crate) fn prepare(&self, recorded_with: Option<&Path>) -> Result<Prepared> {
        let walls = self.walls()?;
        let jdk = match &self.java_home {
            Some(chosen) => Jdk::find(Some(chosen))?,
            None => Jdk::find(recorded_with)?.for_replay(),
        };
        jdk.require_feature(OLDEST)?;
        let compiler = jdk.compiler().unwrap_or_else(|_| jdk.clone());
        let unpacked = temporary::directory().context(Cannot::Temporary)?;
        let mut natural = Natural::default();
        if let Some(file) = &self.natural {
            let text = std::fs::read_to_string(file).with_context(|| messages::unread(file))?;
            natural = natural
                .with_extra(&text)
                .with_context(|| file.display().to_string())?;
        }
        let config = Config {
            jdk,
            compiler,
            harness: embedded::unpack_worker(unpacked.path())?,
            test_server: embedded::unpack_test_server(unpacked.path())?,
            junit_sources: embedded::unpack_junit_sources(unpacked.path())?,
            natural,
            walls,
        };
        Ok(Prepared {
            config,
            _unpacked: unpacked,
        })
    }
}
