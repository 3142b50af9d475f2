//! The published artifacts whose classes are rewritten, and what they depend on.

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use jinsi_jdk::process;

/// The list, below the root of the repository.
pub(crate) const LIST: &str = "evaluation/corpus/artifacts.txt";

/// The plugin that resolves, pinned so that every machine runs the same one.
const GOAL: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath";

/// On a new machine some 800 MB are fetched.
const LIMIT: Duration = Duration::from_secs(3600);

/// A jar of the corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Artifact {
    /// `group:artifact:version`.
    pub(crate) coordinates: String,
    pub(crate) jar: PathBuf,
    /// What it depends on.
    pub(crate) class_path: Vec<PathBuf>,
}

/// Coordinates in a list: one a line, `#` begins a comment.
pub(crate) fn coordinates(list: &str) -> Result<Vec<&str>> {
    let lines = list
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim());
    let all: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    // Such parts need no escaping in XML.
    let is_part = |part: &str| {
        let mut chars = part.chars();
        !part.is_empty() && chars.all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    for line in &all {
        let parts: Vec<_> = line.split(':').collect();
        ensure!(
            parts.len() == 3 && parts.iter().all(|part| is_part(part)),
            "{LIST}: `{line}` is not group:artifact:version"
        );
    }
    Ok(all)
}

/// Finds the jars of these coordinates with all they depend on, with one run of Maven in `directory`; none if the run before was for
/// the same list and its jars are still there.
pub(crate) fn resolve(wanted: &[&str], directory: &Path) -> Result<Vec<Artifact>> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut hasher = DefaultHasher::new();
    wanted.hash(&mut hasher);
    let directory = directory.join(format!("maven-{:016x}", hasher.finish()));
    if let Some(known) = resolved(wanted, &directory) {
        return Ok(known);
    }
    write_projects(wanted, &directory)?;
    let mut maven = Command::new("mvn");
    maven
        .current_dir(&directory)
        .args(["-q", "-B", "-T", "4", "-fae", GOAL])
        .arg("-Dmdep.outputFile=class-path.txt");
    let finished = process::run(&mut maven, LIMIT)?;
    if let Some(known) = resolved(wanted, &directory) {
        return Ok(known);
    }
    let said = finished.stdout + &finished.stderr;
    let errors: Vec<&str> = said
        .lines()
        .filter(|l| l.contains("ERROR"))
        .take(5)
        .collect();
    bail!("Maven cannot resolve all of {LIST}:\n{}", errors.join("\n"))
}

fn resolved(wanted: &[&str], directory: &Path) -> Option<Vec<Artifact>> {
    let numbered = wanted.iter().enumerate();
    let artifacts = numbered.map(|(n, coordinates)| {
        let file = directory.join(format!("a{n}/class-path.txt"));
        let text = fs::read_to_string(file).ok()?;
        let mut jars = env::split_paths(text.trim());
        let artifact = Artifact {
            coordinates: (*coordinates).to_owned(),
            jar: jars.next()?,
            class_path: jars.collect(),
        };
        let there = artifact.jar.is_file() && artifact.class_path.iter().all(|jar| jar.is_file());
        there.then_some(artifact)
    });
    artifacts.collect()
}

/// A project for each artifact, so that no two have to agree on a version of anything, and one to run them all.
fn write_projects(wanted: &[&str], directory: &Path) -> Result<()> {
    let mut modules = String::new();
    for (n, coordinates) in wanted.iter().enumerate() {
        let [group, artifact, version] = coordinates.split(':').collect::<Vec<_>>()[..] else {
            bail!("`{coordinates}` is not group:artifact:version");
        };
        let text = format!(
            "<project><modelVersion>4.0.0</modelVersion><parent><groupId>corpus</groupId><artifactId>all</artifactId>\
             <version>1</version></parent><artifactId>a{n}</artifactId><packaging>pom</packaging><dependencies><dependency>\
             <groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version></dependency>\
             </dependencies></project>\n"
        );
        let module = directory.join(format!("a{n}"));
        fs::create_dir_all(&module).with_context(|| format!("cannot make {}", module.display()))?;
        fs::write(module.join("pom.xml"), text)?;
        modules += &format!("<module>a{n}</module>\n");
    }
    let text = format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>corpus</groupId><artifactId>all</artifactId>\
         <version>1</version><packaging>pom</packaging><modules>\n{modules}</modules></project>\n"
    );
    Ok(fs::write(directory.join("pom.xml"), text)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jinsi_ground::repository;

    #[test]
    fn the_list_is_long_and_varied() {
        let list = fs::read_to_string(repository::root().join(LIST)).unwrap();
        let all = coordinates(&list).unwrap();
        assert!(all.len() >= 100);
        for language in ["kotlin", "scala", "groovy", "clojure"] {
            assert!(all.iter().any(|c| c.contains(language)), "{language}");
        }
        let mut distinct = all.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), all.len());
    }

    #[test]
    fn comments_are_none_and_bad_lines_are_named() {
        assert_eq!(coordinates("# x\n\na:b:1 # y\n").unwrap(), ["a:b:1"]);
        for bad in ["a:b", "a:b:c:d", "a:<b>:1", "a::1"] {
            let error = coordinates(bad).unwrap_err().to_string();
            assert!(error.contains(bad), "{error}");
        }
    }
}
