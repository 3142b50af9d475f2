//! The programs that are recorded, and what Wang 2007 says of them.

use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context, Result, bail, ensure};
use jinsi_ground::{commands, repository};
use jinsi_jdk::{Jdk, compile};
use jinsi_trace::reader::Trace;
use tempfile::TempDir;

use super::columns::{self, Recorded};

/// A program of `evaluation/java/bench/kernels`.
pub(super) struct Kernel {
    pub(super) name: &'static str,
    /// Size of the problem in Wang 2007, Table 3.3; its unit is the kernel's own.
    full: u32,
    /// What the size must be a multiple of; 0 for a power of two.
    unit: u32,
    /// Of the thesis, for the kernels in it.
    pub(super) thesis: Option<Thesis>,
}

/// Wang 2007, Tables 3.5 to 3.7.
pub(super) struct Thesis {
    /// All bytes of the compressed trace, of 100 bytes of the uncompressed one.
    pub(super) percent: f64,
    /// The same with SEQUITUR.
    pub(super) sequitur_percent: f64,
    /// How many digrams of SEQUITUR were looked up for one of RLESe.
    pub(super) checks_ratio: f64,
}

const fn of_thesis(percent: f64, sequitur_percent: f64, checks_ratio: f64) -> Option<Thesis> {
    Some(Thesis {
        percent,
        sequitur_percent,
        checks_ratio,
    })
}

const fn kernel(name: &'static str, full: u32, unit: u32, thesis: Option<Thesis>) -> Kernel {
    Kernel {
        name,
        full,
        unit,
        thesis,
    }
}

/// The kernels of the thesis, and two programs that allocate.
const KERNELS: [Kernel; 8] = [
    kernel("crypt", 200_000, 8, of_thesis(0.03, 0.07, 25.6)),
    kernel("sor", 100, 1, of_thesis(0.02, 0.04, 65.0)),
    kernel("fft", 1 << 15, 0, of_thesis(0.12, 0.34, 12.7)),
    kernel("heapsort", 10_000, 1, of_thesis(7.20, 7.20, 3.12)),
    kernel("lufact", 200, 1, of_thesis(0.16, 0.40, 75.9)),
    kernel("series", 200, 1, of_thesis(1.81, 2.50, 3.80)),
    kernel("trees", 200, 1, None),
    kernel("words", 60_000, 1, None),
];

/// The kernels of these names, or all.
pub(super) fn chosen(only: &[String]) -> Result<Vec<&'static Kernel>> {
    let find = |name: &String| {
        let found = KERNELS.iter().find(|kernel| kernel.name == *name);
        found.with_context(|| {
            let names: Vec<&str> = KERNELS.iter().map(|kernel| kernel.name).collect();
            format!("no kernel {name}: there are {}", names.join(", "))
        })
    };
    match only {
        [] => Ok(KERNELS.iter().collect()),
        names => names.iter().map(find).collect(),
    }
}

impl Kernel {
    /// Size of the problem for a part of the thesis' size.
    pub(super) fn size(&self, scale: f64) -> u32 {
        let wanted = (f64::from(self.full) * scale).round().clamp(8.0, 1e9) as u32;
        match self.unit {
            0 => wanted.next_power_of_two(),
            unit => wanted.next_multiple_of(unit),
        }
    }
}

/// The compiled programs, and what records them.
pub(super) struct Programs {
    jdk: Jdk,
    jinsi: PathBuf,
    classes: TempDir,
}

impl Programs {
    /// Compiles the programs.
    pub(super) fn compile(jdk: &Jdk, jinsi: PathBuf) -> Result<Self> {
        let classes = tempfile::tempdir()?;
        let sources = repository::java_sources("evaluation/java/bench/kernels")?;
        compile::javac(jdk, &sources, &[], classes.path())?;
        Ok(Self {
            jdk: jdk.clone(),
            jinsi,
            classes,
        })
    }

    /// Records a run of a kernel and takes the recording apart.
    pub(super) fn record(&self, kernel: &Kernel, size: u32) -> Result<Recorded> {
        let place = tempfile::tempdir()?;
        let path = place.path().join("run.jinsi");
        let mut command = commands::record(&self.jinsi, ("kernels.*", "interactions"), &path);
        command.env("JAVA_HOME", self.jdk.home());
        command.arg(self.jdk.java()).arg("-cp");
        command.arg(self.classes.path()).arg("kernels.Main");
        command.arg(kernel.name).arg(size.to_string());
        let output = command
            .stdin(Stdio::null())
            .output()
            .context("cannot start jinsi")?;
        if !output.status.success() {
            bail!(
                "{} {size}: {}",
                kernel.name,
                String::from_utf8_lossy(&output.stderr)
            );
        }
        let trace = Trace::open(&path)?;
        ensure!(trace.damage().is_empty(), "{:?}", trace.damage());
        columns::take_apart(&trace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_the_thesis_sizes_and_fit_the_kernels() {
        let sizes: Vec<u32> = KERNELS.iter().map(|kernel| kernel.size(1.0)).collect();
        assert_eq!(sizes[..6], [200_000, 100, 32_768, 10_000, 200, 200]);
        assert_eq!(KERNELS[0].size(0.100_01) % 8, 0);
        assert!(KERNELS[2].size(0.1).is_power_of_two());
        assert_eq!(KERNELS[1].size(0.0), 8);
    }

    #[test]
    fn unknown_kernels_are_named() {
        let names = |only: &[&str]| {
            let only: Vec<String> = only.iter().map(|name| (*name).to_owned()).collect();
            chosen(&only).map(|kernels| kernels.iter().map(|k| k.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]).unwrap().len(), 8);
        assert_eq!(names(&["sor", "fft"]).unwrap(), ["sor", "fft"]);
        assert!(names(&["sort"]).unwrap_err().to_string().contains("sort"));
    }
}
