//! The archive and the package, each installed into an empty Debian with a JDK.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_jdk::process::{self, Finished};
use jinsi_jdk::{Jdk, compile, maven};
use serde_json::Value;

use super::super::Packed;
use crate::builds::Check;
use jinsi_repository as repository;

/// Puts a command into another root.
const INSIDE: &str = "xtask/src/dist/check/inside.sh";
/// The program that fails: 32 interactions, of which six or seven suffice.
const PROGRAM: &str = "tests/programs/vending";
/// Where its classes are in the root.
const CLASSES: &str = "srv/vending";
/// Longest time for a command inside.
const LIMIT: Duration = Duration::from_secs(600);

/// A Debian without anything but what is essential.
struct Root<'a> {
    directory: PathBuf,
    jdk: &'a Jdk,
}

pub(super) fn check(packed: &Packed, jdk: &Jdk, place: &Path) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    let root = Root::fresh(jdk, place)?;
    root.take(&packed.package(), "jinsi.deb")?;
    let installed = root.run(&["dpkg", "-i", "/jinsi.deb"])?;
    checks.push(check_of("dpkg installs the package", &installed));
    checks.extend(root.uses("the package", "/usr/bin/jinsi", "/usr")?);
    let removed = root.run(&["dpkg", "-r", "jinsi"])?;
    checks.push(check_of("dpkg removes it", &removed));

    root.take(&packed.archive(), "jinsi.tar.gz")?;
    let unpacked = root.run(&["tar", "-xzf", "/jinsi.tar.gz", "-C", "/opt"])?;
    checks.push(check_of("tar unpacks the archive", &unpacked));
    let at = format!("/opt/{}", Packed::name());
    checks.extend(root.uses("the archive", &format!("{at}/bin/jinsi"), &at)?);
    Ok(checks)
}

fn check_of(name: &str, finished: &Finished) -> Check {
    let last = finished.stdout.lines().last().unwrap_or_default();
    match finished.status.success() {
        true => Check::of(name, true, last),
        false => Check::of(
            name,
            false,
            format!("{}{}", finished.stdout, finished.stderr),
        ),
    }
}

impl Root<'_> {
    /// A new one, with the failing program and the jars of the test frameworks in a local repository of Maven, as on a machine of somebody
    /// who writes tests. The Debian is fetched once.
    fn fresh<'a>(jdk: &'a Jdk, place: &Path) -> Result<Root<'a>> {
        fs::create_dir_all(place)?;
        let pristine = place.join("debian");
        if !pristine.join("etc/debian_version").is_file() {
            let mut command = Command::new("debootstrap");
            command.args(["--variant=minbase", "stable"]).arg(&pristine);
            repository::run(&mut command)
                .context("an empty Debian is made by root with debootstrap")?;
        }
        let directory = place.join("root");
        if directory.exists() {
            fs::remove_dir_all(&directory)?;
        }
        repository::run(Command::new("cp").arg("-a").args([&pristine, &directory]))?;
        let root = Root { directory, jdk };
        fs::create_dir_all(root.path(&jdk.home().display().to_string()))?;
        compile::javac(
            jdk,
            &repository::java_sources(PROGRAM)?,
            &[],
            &root.path(CLASSES),
        )?;
        root.take_frameworks()?;
        Ok(root)
    }

    /// The same path inside.
    fn path(&self, inside: &str) -> PathBuf {
        self.directory.join(inside.trim_start_matches('/'))
    }

    fn take(&self, file: &Path, name: &str) -> Result<()> {
        fs::copy(file, self.path(name))
            .with_context(|| format!("cannot copy {}", file.display()))?;
        Ok(())
    }

    fn take_frameworks(&self) -> Result<()> {
        let jars = maven::fetch(&[&[maven::JUNIT], &maven::JUNIT_4[..], &maven::MOCKITO].concat())?;
        for jar in jars {
            let text = jar.display().to_string();
            let at = text
                .rfind("/repository/")
                .context("a local repository has this name")?;
            let to = self.path("root/.m2").join(&text[at + 1..]);
            fs::create_dir_all(to.parent().context("below the root")?)?;
            fs::copy(&jar, to)?;
        }
        Ok(())
    }

    /// Runs a command inside, with processes and mounts of its own.
    fn run(&self, words: &[&str]) -> Result<Finished> {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--pid", "--fork", "--kill-child", "sh"]);
        command.arg(repository::root().join(INSIDE));
        command
            .arg(&self.directory)
            .arg(self.jdk.home())
            .args(words);
        Ok(process::run(&mut command, LIMIT)?)
    }

    /// Has the command that lies at `jinsi` do its main job; `at` is where the package is installed.
    fn uses(&self, what: &str, jinsi: &str, at: &str) -> Result<Vec<Check>> {
        let version = self.run(&[jinsi, "--version"])?;
        let mut checks = vec![check_of(
            &format!("{what}: jinsi says its version"),
            &version,
        )];
        let doctor = self.run(&[jinsi, "--json", "doctor"])?;
        checks.push(finds_agent(what, &doctor, at)?);
        let out = "/tmp/report";
        if self.path(out).exists() {
            fs::remove_dir_all(self.path(out))?;
        }
        let classes = format!("/{CLASSES}");
        let mut words = vec![jinsi, "debug", "--observe", "vending.*", "--out", out, "--"];
        words.extend(["java", "-cp", classes.as_str(), "vending.Main"]);
        let debugged = self.run(&words)?;
        let name = format!("{what}: jinsi debug writes tests that reproduce the failure");
        let found = match self.reproducing(out) {
            Ok(found) => found,
            Err(error) => {
                let said = format!("{error:#}\n{}{}", debugged.stdout, debugged.stderr);
                checks.push(Check::of(name, false, said));
                return Ok(checks);
            }
        };
        checks.push(Check::of(name, debugged.status.success(), found));
        let trace = format!("{out}/trace.jinsi");
        let asked = self.run(&[jinsi, "query", &trace, "where_exception"])?;
        checks.push(check_of(&format!("{what}: jinsi query answers"), &asked));
        Ok(checks)
    }

    /// How many levels of a report have a test that reproduces; an error if none.
    fn reproducing(&self, out: &str) -> Result<String> {
        let report = self.path(out).join("report.json");
        let text = fs::read(&report).with_context(|| format!("no {}", report.display()))?;
        let report: Value = serde_json::from_slice(&text)?;
        let levels = report["levels"].as_array().context("no levels")?;
        let good = levels
            .iter()
            .filter(|level| level["test_outcome"] == "reproduces")
            .count();
        ensure!(good > 0, "no level's test reproduces");
        Ok(format!("{good} of {} levels", levels.len()))
    }
}

fn finds_agent(what: &str, doctor: &Finished, at: &str) -> Result<Check> {
    let document: Value = serde_json::from_str(&doctor.stdout)
        .with_context(|| format!("jinsi doctor says: {}{}", doctor.stdout, doctor.stderr))?;
    let checks = document["checks"].as_array().context("no checks")?;
    let agent = checks.iter().find(|check| check["name"] == "agent");
    let found = agent
        .and_then(|check| check["found"].as_str())
        .unwrap_or_default();
    let name = format!("{what}: jinsi finds the agent where it is installed");
    Ok(Check::of(
        name,
        found == format!("{at}/lib/jinsi/libjinsi.so"),
        found,
    ))
}
