//! Builds of all kinds, each without jinsi and with it: the same tests have to run and end the same way, and of the one that fails a test has to be kept
//! that passes on the repaired program.

mod choices;
mod distribution;
mod outcome;
mod pairs;
mod plugins;
mod project;
mod sources;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use jinsi_jdk::{Jdk, compile, process};
use jinsi_repository::doctor;
use serde::Serialize;

use choices::{Choice, Switch};
use outcome::Outcome;
use project::Project;

/// Longest time for one build; the first ones download.
const LIMIT: Duration = Duration::from_secs(900);
/// How Maven's own JVM runs. It lives for seconds, so the quick compiler serves it best.
const MAVEN_JVM: &str = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
/// Part of the recorded builds whose kept test has to flip.
const GOAL: f64 = 0.95;
/// Feature release of the JDK that every build is tried on, beside the newest.
const COMMON_JDK: u32 = 17;

/// Which of the builds are made.
#[derive(clap::Args)]
pub(super) struct Selection {
    /// Only builds of the matrix with this text in their names, which --json prints; given several times, with one of the texts
    #[arg(long, value_name = "SUBSTRING")]
    pub(super) only: Vec<String>,
    /// Only so many builds of the matrix, taken at even distances
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) sample: Option<u32>,
}

impl Selection {
    /// Is it not the whole matrix?
    pub(super) fn is_partial(&self) -> bool {
        !self.only.is_empty() || self.sample.is_some()
    }

    fn of<T: Clone>(&self, all: &[T], name: impl Fn(&T) -> String) -> Vec<T> {
        let fits = |one: &&T| {
            let name = name(one);
            self.only.is_empty() || self.only.iter().any(|only| name.contains(only))
        };
        let fitting: Vec<&T> = all.iter().filter(fits).collect();
        let count = self
            .sample
            .map_or(fitting.len(), |n| fitting.len().min(n as usize));
        (0..count)
            .map(|i| fitting[i * fitting.len() / count].clone())
            .collect()
    }
}

/// What became of one build.
#[derive(Serialize)]
pub(super) struct Build {
    pub(super) name: String,
    maven: &'static str,
    surefire: &'static str,
    framework: &'static str,
    jdk: u32,
    switch: &'static str,
    /// Tests, their outcomes and the exit status are those of the build without jinsi.
    pub(super) same: bool,
    /// Can the failed test be recorded with this switch?
    recorded: bool,
    /// A test is recommended.
    kept: bool,
    /// The recommended test fails on the program, and passes on the repaired one.
    flips: bool,
    /// Why the build is not the same, or no test is kept, or the kept one does not flip.
    pub(super) why_not: Option<String>,
    /// What jinsi said of it in one line, where nothing can be recorded.
    said: Option<String>,
    /// Of the build without jinsi, and with it.
    seconds: [f64; 2],
}

/// How many builds are as they have to be.
#[derive(Serialize)]
pub(super) struct Totals {
    builds: usize,
    same: usize,
    recorded: usize,
    kept: usize,
    flips: usize,
}

impl Totals {
    pub(super) fn of(builds: &[Build]) -> Totals {
        let count = |is: fn(&Build) -> bool| builds.iter().filter(|b| is(b)).count();
        Totals {
            builds: builds.len(),
            same: count(|b| b.same),
            recorded: count(|b| b.recorded),
            kept: count(|b| b.recorded && b.kept),
            flips: count(|b| b.recorded && b.flips),
        }
    }

    /// All the same, and as many flips as there have to be.
    pub(super) fn hold(&self) -> bool {
        self.same == self.builds && self.flips as f64 >= GOAL * self.recorded as f64
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} builds are the same with jinsi; of {} failed tests that are recorded, {} leave a test, and {} a test that flips",
            self.same, self.builds, self.recorded, self.kept, self.flips
        )
    }
}

/// Makes the selected builds below `place`; `progress` is told of each when it is through.
pub(super) fn run(
    selection: &Selection,
    place: &Path,
    progress: impl Fn(&Build),
) -> Result<Vec<Build>> {
    let jdks = jdks()?;
    let features: Vec<u32> = jdks.iter().map(|jdk| jdk.version().feature).collect();
    let selected = selection.of(&choices::chosen(&features), Choice::name);
    ensure!(
        !selected.is_empty(),
        "no build of the matrix has such a name"
    );
    fs::create_dir_all(place)?;
    let repaired = repaired_program(&jdks[0], place)?;
    let mut builds = Vec::new();
    for choice in &selected {
        let jdk = jdks.iter().find(|jdk| jdk.version().feature == choice.jdk);
        let jdk = jdk.context("a JDK that was chosen is there")?;
        let build = build(choice, jdk, &repaired, place).with_context(|| choice.name())?;
        progress(&build);
        builds.push(build);
    }
    Ok(builds)
}

/// The common one and the newest of the machine, which may be the same.
fn jdks() -> Result<Vec<Jdk>> {
    let all = doctor::usable_jdks()?;
    let common = all.iter().find(|jdk| jdk.version().feature == COMMON_JDK);
    let newest = all.iter().max_by_key(|jdk| jdk.version().feature);
    let mut jdks: Vec<Jdk> = common.into_iter().chain(newest).cloned().collect();
    jdks.dedup_by_key(|jdk| jdk.version().feature);
    ensure!(!jdks.is_empty(), "no JDK {COMMON_JDK} or later was found");
    Ok(jdks)
}

/// Class files of the repaired program.
fn repaired_program(jdk: &Jdk, place: &Path) -> Result<PathBuf> {
    let source = place.join("repaired/src/shop/Cart.java");
    fs::create_dir_all(source.parent().context("a file is in a directory")?)?;
    fs::write(&source, sources::repaired())?;
    let classes = place.join("repaired/classes");
    compile::javac(jdk, &[source], &[], &classes)?;
    Ok(classes)
}

/// A build that has ended.
struct Ended {
    project: Project,
    outcome: Outcome,
    said: String,
    seconds: f64,
}

fn build(choice: &Choice, jdk: &Jdk, repaired: &Path, place: &Path) -> Result<Build> {
    let maven = distribution::program(choice.maven, &place.join("maven"))?;
    let run =
        |choice: &Choice, name: &str, jinsi| made(choice, jdk, &maven, &place.join(name), jinsi);
    if choice.switch == Switch::Offline {
        // What the build needs is fetched before.
        let online = Choice {
            switch: Switch::Nothing,
            ..choice.clone()
        };
        run(&online, "online", false)?;
    }
    let plain = run(choice, "without", false)?;
    let with = run(choice, "with", true)?;
    let same = plain.outcome == with.outcome && plain.outcome.is_as_meant();
    let recorded = choice.switch.is_recorded();
    let mut why_not = None;
    let (mut kept, mut flips) = (false, false);
    if !plain.outcome.is_as_meant() {
        why_not = Some(format!("without jinsi: {}", plain.outcome.text()));
    } else if !same {
        let (without, with) = (plain.outcome.text(), with.outcome.text());
        why_not = Some(format!("without jinsi: {without}; with it: {with}"));
    } else if recorded {
        match outcome::kept(&with.project)? {
            Ok(test) => {
                kept = true;
                let judged = outcome::flips(jdk, &test, &with.project, repaired)?;
                flips = judged.is_ok();
                why_not = judged.err().map(|missing| missing.to_string());
            }
            Err(missing) => why_not = Some(missing.to_string()),
        }
    }
    Ok(Build {
        name: choice.name(),
        maven: choice.maven,
        surefire: choice.surefire,
        framework: choice.framework.name(),
        jdk: choice.jdk,
        switch: choice.switch.name(),
        same,
        recorded,
        kept,
        flips,
        why_not,
        said: line_of(&with.said),
        seconds: [plain.seconds, with.seconds],
    })
}

/// The line in which the plugin says that nothing is recorded.
fn line_of(said: &str) -> Option<String> {
    let said = said
        .lines()
        .find_map(|line| line.split_once("[jinsi] tests are not recorded: "));
    said.map(|(_, why)| why.to_owned())
}

/// Writes the project anew and builds it.
fn made(choice: &Choice, jdk: &Jdk, maven: &Path, root: &Path, jinsi: bool) -> Result<Ended> {
    if root.exists() {
        fs::remove_dir_all(root).with_context(|| format!("cannot remove {}", root.display()))?;
    }
    let project = project::write(choice, jdk, root, jinsi)?;
    let mut command = Command::new(maven);
    command
        .current_dir(&project.root)
        .args(project::words(choice))
        .env("JAVA_HOME", jdk.home());
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "MAVEN_ARGS"] {
        command.env_remove(variable);
    }
    command.env("MAVEN_OPTS", MAVEN_JVM);
    if choice.switch == Switch::NoCacheDirectory {
        command.env("XDG_CACHE_HOME", "/dev/null/none");
    }
    let began = Instant::now();
    let finished = process::run(&mut command, LIMIT)?;
    let said = finished.stdout + &finished.stderr;
    fs::write(root.join("build.log"), &said)?;
    Ok(Ended {
        outcome: Outcome::of(&project, finished.status.code())?,
        project,
        said,
        seconds: began.elapsed().as_secs_f64(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_over_what_fits() {
        let selection = |only: &[&str], sample| Selection {
            only: only.iter().map(|text| (*text).to_owned()).collect(),
            sample,
        };
        let all: Vec<u32> = (0..100).collect();
        let of = |selection: &Selection| selection.of(&all, u32::to_string);
        assert_eq!(of(&selection(&[], None)), all);
        assert_eq!(of(&selection(&[], Some(4))), [0, 25, 50, 75]);
        assert_eq!(of(&selection(&["99"], Some(4))), [99]);
        assert_eq!(of(&selection(&["99", "10"], None)), [10, 99]);
        assert_eq!(of(&selection(&["x"], Some(4))), Vec::<u32>::new());
        assert!(!selection(&[], None).is_partial() && selection(&[], Some(1)).is_partial());
    }

    #[test]
    fn what_holds() {
        let totals = |same, flips| Totals {
            builds: 100,
            same,
            recorded: 80,
            kept: 80,
            flips,
        };
        assert!(totals(100, 76).hold());
        assert!(!totals(99, 80).hold());
        assert!(!totals(100, 75).hold());
    }

    #[test]
    fn the_line_that_says_why() {
        let said = "[INFO] x\n[WARNING] [jinsi] tests are not recorded: no agent\n[INFO] y";
        assert_eq!(line_of(said).as_deref(), Some("no agent"));
        assert_eq!(line_of("[INFO] x"), None);
    }
}
