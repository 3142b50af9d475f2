//! A library, its tests, and what these need, as the library's own POM says it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use jinsi_jdk::{Jdk, maven, process};

use crate::engines;
use crate::libraries::Library;
use crate::publisher;

/// The plugin that resolves, pinned so that every machine runs the same one.
const PLUGIN: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1";
/// Time for one run of Maven, which fetches whatever is not there yet.
const LIMIT: Duration = Duration::from_secs(900);

/// Jars of a library, and of what its tests need.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) jar: PathBuf,
    pub(crate) tests: PathBuf,
    /// All else on the class path of the tests: dependencies, and what runs the tests.
    pub(crate) class_path: Vec<PathBuf>,
    /// Who publishes it, as its POM says.
    pub(crate) publisher: String,
}

/// Resolves a library by Maven, in a directory of its own.
///
/// # Errors
/// It publishes no tests, its POM cannot be used, or something that it needs cannot be had.
pub(crate) fn resolve(library: &Library, jdk: &Jdk, directory: &Path) -> Result<Resolved> {
    fs::create_dir_all(directory)?;
    let coordinates = library.to_string();
    let jars = maven::fetch(&[&coordinates, &format!("{coordinates}:tests")])?;
    let [jar, tests] = &jars[..] else {
        bail!("Maven has not both jars of {library}");
    };
    let pom = jar.with_extension("pom");
    if !pom.is_file() {
        fetch_pom(library, directory)?;
    }
    ensure!(pom.is_file(), "{} is not there", pom.display());
    let class_path = dependencies(&pom, jdk, directory)?;
    Ok(Resolved {
        publisher: publisher::of(&pom, &library.group),
        class_path: engines::complete(class_path)?,
        jar: jar.clone(),
        tests: tests.clone(),
    })
}

fn fetch_pom(library: &Library, directory: &Path) -> Result<()> {
    let mut mvn = mvn(directory);
    mvn.arg(format!("{PLUGIN}:get"))
        .args(["-Dtransitive=false"])
        .arg(format!("-Dartifact={library}:pom"));
    run(&mut mvn)
}

/// What a build of the library has on the class path of its tests, besides its own classes.
fn dependencies(pom: &Path, jdk: &Jdk, directory: &Path) -> Result<Vec<PathBuf>> {
    // Its parent comes out of the repository, as there is none beside it.
    let project = directory.join("pom.xml");
    fs::copy(pom, &project)?;
    let list = directory.join("class-path.txt");
    let mut mvn = mvn(directory);
    mvn.env("JAVA_HOME", jdk.home())
        .arg(format!("{PLUGIN}:build-classpath"))
        .args(["-N", "-DincludeScope=test"])
        .arg(format!("-Dmdep.outputFile={}", list.display()));
    run(&mut mvn)?;
    let text = fs::read_to_string(&list).context("Maven wrote no class path")?;
    let jars = env::split_paths(text.trim()).filter(|jar| jar.is_file());
    Ok(jars.collect())
}

fn mvn(directory: &Path) -> Command {
    let mut mvn = Command::new("mvn");
    mvn.current_dir(directory).args(["-q", "-B"]);
    mvn
}

fn run(mvn: &mut Command) -> Result<()> {
    let finished = process::run(mvn, LIMIT)?;
    if finished.status.success() {
        return Ok(());
    }
    let said = finished.stdout + &finished.stderr;
    let error = said.lines().find(|line| line.contains("ERROR"));
    bail!("Maven: {}", error.unwrap_or("it failed"))
}
