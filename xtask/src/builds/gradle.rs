//! Gradle without its distribution: the runtime that is published for authors of plugins, laid out as a distribution is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use jinsi_jdk::{Jdk, compile, maven, process};
use jinsi_platform::files;

use super::Built;
use jinsi_repository as repository;

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
    /// The script that runs it.
    program: PathBuf,
    /// Gradle's home of the user: caches.
    home: PathBuf,
}

impl Gradle {
    /// Fetches it and lays it out below `directory`, with `bin/gradle` that runs it; builds keep their caches in `home` there.
    pub(crate) fn lay_out(jdk: &Jdk, directory: &Path) -> Result<Gradle> {
        let runtime = format!("dev.gradleplugins:gradle-api:{VERSION}");
        let mut jars = maven::fetch(&[runtime.as_str()])?;
        jars.extend(maven::fetch(&LANGUAGES)?);
        let [classes, installation, bin] =
            ["classes", "installation", "bin"].map(|name| directory.join(name));
        for left in [&classes, &installation, &bin] {
            if left.exists() {
                fs::remove_dir_all(left)
                    .with_context(|| format!("cannot remove {}", left.display()))?;
            }
        }
        let beacon = classes.join("beacon");
        let programs = classes.join("programs");
        let (mark, rest): (Vec<_>, Vec<_>) = repository::java_sources(PROGRAMS)?
            .into_iter()
            .partition(|source| source.ends_with("beacon/InstallationBeacon.java"));
        compile::javac(jdk, &mark, &[], &beacon)?;
        compile::javac(jdk, &rest, &jars, &programs)?;
        let mut lay = Command::new(jdk.java());
        lay.arg("-cp")
            .arg(&programs)
            .arg("gradle.GradleInstallation");
        lay.arg(&installation).arg(VERSION).arg(&beacon);
        repository::run(lay.args(&jars))?;
        let script = script(jdk, &programs, &installation.join("lib"))?;
        fs::create_dir_all(&bin)?;
        let program = bin.join("gradle");
        fs::write(&program, script)
            .and_then(|()| files::set_mode(&program, 0o755))
            .with_context(|| format!("cannot write {}", program.display()))?;
        Ok(Gradle {
            program,
            home: directory.join("home"),
        })
    }

    /// The script that runs it: takes tasks and the options that `GradleBuild` takes, and builds the project in the current directory.
    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// Runs a build of the project in `directory`; `words` as [`Gradle::program`] takes them.
    pub(crate) fn build(&self, directory: &Path, words: &[&str]) -> Result<Built> {
        let mut command = Command::new(&self.program);
        command
            .current_dir(directory)
            .env("GRADLE_USER_HOME", &self.home)
            .env_remove("JAVA_TOOL_OPTIONS")
            .args(words);
        let began = Instant::now();
        let finished = process::run(&mut command, LIMIT)?;
        Ok(Built {
            seconds: began.elapsed().as_secs_f64(),
            succeeded: finished.status.success(),
            said: finished.stdout + &finished.stderr,
        })
    }
}

/// What `bin/gradle` is: the program that runs a build in its own process, with the beacon by which Gradle finds its installation, and the jars with classes.
fn script(jdk: &Jdk, programs: &Path, lib: &Path) -> Result<String> {
    let mut path = vec![
        programs.to_owned(),
        lib.join(format!("gradle-installation-beacon-{VERSION}.jar")),
        lib.join(format!("gradle-api-{VERSION}.jar")),
    ];
    for language in maven::fetch(&LANGUAGES)? {
        path.push(lib.join(language.file_name().context("a jar has a name")?));
    }
    let texts: Vec<_> = path.iter().map(|p| p.display().to_string()).collect();
    let unfit = |path: &String| path.contains([':', '\'']);
    ensure!(!texts.iter().any(unfit), "a path has a colon or a quote");
    let opened: String = OPENED
        .iter()
        .map(|package| format!(" --add-opens=java.base/{package}=ALL-UNNAMED"))
        .collect();
    let initial = repository::root().join(PROGRAMS).join("init.gradle");
    Ok(format!(
        "#!/bin/sh\nexec '{java}'{opened} -Dorg.gradle.native=false -cp '{class_path}' gradle.GradleBuild \"$PWD\" \\\n    \
         \"${{GRADLE_USER_HOME:-$HOME/.gradle}}\" '{initial}' \"$@\"\n",
        java = jdk.java().display(),
        class_path = texts.join(":"),
        initial = initial.display(),
    ))
}
