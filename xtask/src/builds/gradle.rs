//! Gradle without its distribution: the runtime that is published for authors of plugins, laid out as a distribution is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use jinsi_jdk::{Jdk, compile, maven, process};

use super::Built;
use jinsi_evaluation::repository;

/// The release that runs. Later ones are not published in this form.
pub(super) const VERSION: &str = "8.11.1";
/// The programs that lay Gradle out and run it, and what every build needs.
const PROGRAMS: &str = "xtask/java/gradle";
/// Longest time for one build.
const LIMIT: Duration = Duration::from_secs(600);
/// What Gradle is written in, besides Java.
const LANGUAGES: [&str; 7] = [
    "org.codehaus.groovy:groovy:3.0.22",
    "org.codehaus.groovy:groovy-ant:3.0.22",
    "org.codehaus.groovy:groovy-json:3.0.22",
    "org.codehaus.groovy:groovy-templates:3.0.22",
    "org.codehaus.groovy:groovy-xml:3.0.22",
    "org.codehaus.groovy:groovy-nio:3.0.22",
    "org.jetbrains.kotlin:kotlin-stdlib:2.0.20",
];
/// Packages of `java.base` that Gradle's start scripts open to it.
const OPENED: [&str; 6] = [
    "java.lang",
    "java.lang.invoke",
    "java.net",
    "java.nio.charset",
    "java.util",
    "java.util.concurrent.atomic",
];

/// A Gradle that can run builds.
pub(crate) struct Gradle {
    jdk: Jdk,
    classes: PathBuf,
    installation: PathBuf,
    /// Gradle's home of the user: caches.
    home: PathBuf,
}

impl Gradle {
    /// Fetches it and lays it out below `directory`; builds keep their caches there.
    pub(crate) fn lay_out(jdk: &Jdk, directory: &Path) -> Result<Gradle> {
        let runtime = format!("dev.gradleplugins:gradle-api:{VERSION}");
        let mut jars = maven::fetch(&[runtime.as_str()])?;
        jars.extend(maven::fetch(&LANGUAGES)?);
        let gradle = Gradle {
            jdk: jdk.clone(),
            classes: directory.join("classes"),
            installation: directory.join("installation"),
            home: directory.join("home"),
        };
        for left in [&gradle.classes, &gradle.installation] {
            if left.exists() {
                fs::remove_dir_all(left)
                    .with_context(|| format!("cannot remove {}", left.display()))?;
            }
        }
        let beacon = gradle.classes.join("beacon");
        let programs = gradle.classes.join("programs");
        let (mark, rest): (Vec<_>, Vec<_>) = repository::java_sources(PROGRAMS)?
            .into_iter()
            .partition(|source| source.ends_with("beacon/InstallationBeacon.java"));
        compile::javac(jdk, &mark, &[], &beacon)?;
        compile::javac(jdk, &rest, &jars, &programs)?;
        let mut lay = Command::new(jdk.java());
        lay.arg("-cp")
            .arg(&programs)
            .arg("gradle.GradleInstallation");
        lay.arg(&gradle.installation).arg(VERSION).arg(&beacon);
        repository::run(lay.args(&jars))?;
        Ok(gradle)
    }

    /// Runs a build of the project in `directory`; `words` are tasks and the options that `GradleBuild` takes.
    pub(crate) fn build(&self, directory: &Path, words: &[&str]) -> Result<Built> {
        let mut command = Command::new(self.jdk.java());
        for package in OPENED {
            command.arg(format!("--add-opens=java.base/{package}=ALL-UNNAMED"));
        }
        command
            .env_remove("JAVA_TOOL_OPTIONS")
            .arg("-Dorg.gradle.native=false")
            .arg("-cp")
            .arg(self.class_path()?)
            .arg("gradle.GradleBuild")
            .args([directory, &self.home])
            .arg(repository::root().join(PROGRAMS).join("init.gradle"))
            .args(words);
        let began = Instant::now();
        let finished = process::run(&mut command, LIMIT)?;
        Ok(Built {
            seconds: began.elapsed().as_secs_f64(),
            succeeded: finished.status.success(),
            said: finished.stdout + &finished.stderr,
        })
    }

    /// The program, the beacon by which Gradle finds its installation, and the jars with classes.
    fn class_path(&self) -> Result<String> {
        let lib = self.installation.join("lib");
        let mut path = vec![
            self.classes.join("programs"),
            lib.join(format!("gradle-installation-beacon-{VERSION}.jar")),
            lib.join(format!("gradle-api-{VERSION}.jar")),
        ];
        for language in maven::fetch(&LANGUAGES)? {
            path.push(lib.join(language.file_name().context("a jar has a name")?));
        }
        let texts: Vec<_> = path.iter().map(|p| p.display().to_string()).collect();
        ensure!(!texts.iter().any(|p| p.contains(':')), "a path has a colon");
        Ok(texts.join(":"))
    }
}
