//! Both plugins, from the repository that was packed and from nowhere else.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_jdk::{Jdk, process};

use super::super::Packed;
use crate::builds::{self, Check, Gradle};

/// Longest time for a build; the first one downloads Maven's own plugins.
const LIMIT: Duration = Duration::from_secs(1200);
/// Identifier of the repository that was packed.
const ID: &str = "packed";

pub(super) fn check(packed: &Packed, jdk: &Jdk, place: &Path) -> Result<Vec<Check>> {
    let mut checks = with_maven(packed, place)?;
    checks.push(with_gradle(packed, jdk, place)?);
    Ok(checks)
}

/// Builds the sample project of Maven with an empty local repository: none of jinsi's artifacts are in it.
fn with_maven(packed: &Packed, place: &Path) -> Result<Vec<Check>> {
    let project = builds::project("maven-sample", place, "maven-sample")?;
    let url = format!("file://{}", packed.repository().display());
    let repositories = format!(
        "  <pluginRepositories>\n    <pluginRepository>\n      <id>{ID}</id>\n      <url>{url}</url>\n    \
         </pluginRepository>\n  </pluginRepositories>\n\n  <build>"
    );
    replace(&project.join("pom.xml"), "  <build>", &repositories)?;
    let local = place.join("local-repository");
    let ours = local.join("io/github/jinsi");
    if ours.exists() {
        fs::remove_dir_all(&ours)?;
    }
    let mut mvn = Command::new("mvn");
    mvn.current_dir(&project).env_remove("JAVA_TOOL_OPTIONS");
    mvn.args(["-B", "test"])
        .arg(format!("-Dmaven.repo.local={}", local.display()));
    let finished = process::run(&mut mvn, LIMIT)?;
    let from = fs::read_to_string(ours.join(format!(
        "jinsi-maven-plugin/{}/_remote.repositories",
        super::super::VERSION
    )))
    .unwrap_or_default();
    let resolved = from.contains(&format!(".jar>{ID}="));
    let name = "Maven finds the plugin in the repository that was packed, and nowhere else";
    let said = finished.stdout + &finished.stderr;
    let found = if resolved {
        "its jar is from there"
    } else {
        &said
    };
    let mut checks = vec![Check::of(name, resolved, found)];
    let reports = project.join("target/jinsi/tests.json");
    let name = "Maven: failed tests have reports";
    let found = if reports.is_file() {
        "target/jinsi/tests.json"
    } else {
        &said
    };
    checks.push(Check::of(name, reports.is_file(), found));
    Ok(checks)
}

/// Builds the sample project of Gradle, which knows of no other repository of plugins.
fn with_gradle(packed: &Packed, jdk: &Jdk, place: &Path) -> Result<Check> {
    let gradle = Gradle::lay_out(jdk, &place.join("gradle"))?;
    let project = builds::project("gradle-sample", place, "gradle-sample")?;
    let settings = project.join("settings.gradle");
    let url = format!("maven {{ url '{}' }}", packed.repository().display());
    replace(&settings, "mavenLocal()", &url)?;
    replace(&settings, "gradlePluginPortal()", "")?;
    let built = gradle.build(&project, &["test"])?;
    let reports = project.join("build/jinsi/test/tests.json");
    let ok = !built.succeeded && reports.is_file();
    let name = "Gradle finds the plugin in that repository alone, and failed tests have reports";
    let found = if ok {
        "build/jinsi/test/tests.json"
    } else {
        &built.said
    };
    Ok(Check::of(name, ok, found))
}

/// Replaces a text that a file has.
fn replace(file: &Path, old: &str, new: &str) -> Result<()> {
    let unreadable = || format!("cannot change {}", file.display());
    let text = fs::read_to_string(file).with_context(unreadable)?;
    ensure!(text.contains(old), "{} has no {old}", file.display());
    fs::write(file, text.replacen(old, new, 1)).with_context(unreadable)
}
