//! What runs tests, in versions that go with the frameworks of a library, as Surefire chooses them.

use std::path::{Path, PathBuf};

use anyhow::Result;
use jinsi_jdk::maven;

/// JUnit 5 where a library says nothing.
const JUPITER: &str = "5.10.2";
/// JUnit 4 in place of older ones, which what runs its tests does not know.
const JUNIT_4: [&str; 2] = maven::JUNIT_4;
/// Runs tests of TestNG on the JUnit Platform.
const TESTNG: &str = "org.junit.support:testng-engine:1.0.5";

/// The class path with all that is needed to run the tests that it has frameworks for.
pub(crate) fn complete(class_path: Vec<PathBuf>) -> Result<Vec<PathBuf>> {
    let has = |name: &str| version(&class_path, name).is_some();
    let (jupiter, junit_4, testng) = (has("junit-jupiter-api"), has("junit"), has("testng"));
    let release = release(&class_path);
    let mut wanted = platform(&release);
    if jupiter {
        wanted.extend(of_jupiter(&release));
    }
    if junit_4 {
        wanted.push(format!("org.junit.vintage:junit-vintage-engine:{release}"));
    }
    if testng {
        wanted.push(TESTNG.to_owned());
    }
    let mut class_path = class_path;
    if version(&class_path, "junit").is_some_and(|v| is_before_4_12(&v)) {
        class_path.retain(|jar| artifact(jar).is_none_or(|(name, _)| name != "junit"));
    }
    if junit_4 {
        wanted.extend(JUNIT_4.map(str::to_owned));
    }
    add_missing(&mut class_path, &wanted)?;
    Ok(class_path)
}

/// The class path on which a written test runs: it may be for JUnit 5, and use Mockito, where the library's tests do not.
pub(crate) fn for_written_tests(mut class_path: Vec<PathBuf>) -> Result<Vec<PathBuf>> {
    let release = release(&class_path);
    let mut wanted = of_jupiter(&release);
    wanted.extend(platform(&release));
    wanted.push(format!("org.junit.vintage:junit-vintage-engine:{release}"));
    wanted.extend(JUNIT_4.map(str::to_owned));
    if version(&class_path, "mockito-core").is_none() {
        wanted.extend(maven::MOCKITO.map(str::to_owned));
    }
    add_missing(&mut class_path, &wanted)?;
    Ok(class_path)
}

/// The release of JUnit 5 or later that is there: all of its parts have to be of one.
fn release(class_path: &[PathBuf]) -> String {
    let of_jupiter = ["junit-jupiter-api", "junit-vintage-engine"];
    let mut found = of_jupiter.iter().filter_map(|n| version(class_path, n));
    let of_platform = || version(class_path, "junit-platform-engine").map(|v| jupiter_of(&v));
    let found = found.next().or_else(of_platform);
    found.unwrap_or_else(|| JUPITER.to_owned())
}

fn platform(jupiter: &str) -> Vec<String> {
    let release = platform_of(jupiter);
    let of = |name: &str| format!("org.junit.platform:junit-platform-{name}:{release}");
    let mut all: Vec<String> = ["launcher", "engine", "commons"].map(of).into();
    all.push("org.opentest4j:opentest4j:1.3.0".to_owned());
    all
}

fn of_jupiter(release: &str) -> Vec<String> {
    ["api", "engine", "params"]
        .map(|name| format!("org.junit.jupiter:junit-jupiter-{name}:{release}"))
        .into()
}

/// Version 5.x of Jupiter goes with 1.x of the platform; from 6 on, both have the same.
fn platform_of(jupiter: &str) -> String {
    match jupiter.strip_prefix("5.") {
        Some(rest) => format!("1.{rest}"),
        None => jupiter.to_owned(),
    }
}

fn jupiter_of(platform: &str) -> String {
    match platform.strip_prefix("1.") {
        Some(rest) => format!("5.{rest}"),
        None => platform.to_owned(),
    }
}

/// Adds those artifacts that no jar of the class path is of.
fn add_missing(class_path: &mut Vec<PathBuf>, wanted: &[String]) -> Result<()> {
    let missing: Vec<&str> = wanted
        .iter()
        .filter(|coordinates| {
            let name = coordinates.split(':').nth(1).unwrap_or_default();
            // Hamcrest's classes have come in jars of several names.
            let another = name == "hamcrest-core" && version(class_path, "hamcrest").is_some();
            version(class_path, name).is_none() && !another
        })
        .map(String::as_str)
        .collect();
    class_path.extend(maven::fetch(&missing)?);
    Ok(())
}

/// The version of the first jar of this artifact.
fn version(class_path: &[PathBuf], wanted: &str) -> Option<String> {
    let mut all = class_path.iter().filter_map(|jar| artifact(jar));
    all.find(|(name, _)| name == wanted).map(|(_, v)| v)
}

/// Artifact and version of a jar in a local repository: `ARTIFACT/VERSION/ARTIFACT-VERSION.jar`.
fn artifact(jar: &Path) -> Option<(String, String)> {
    let version = jar.parent()?;
    let name = version.parent()?.file_name()?.to_str()?;
    let version = version.file_name()?.to_str()?;
    Some((name.to_owned(), version.to_owned()))
}

fn is_before_4_12(version: &str) -> bool {
    let mut numbers = version
        .split(['.', '-'])
        .map(|part| part.parse().unwrap_or(0));
    let mut next = || numbers.next().unwrap_or(0);
    (next(), next()) < (4, 12)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_go_together() {
        assert_eq!(platform_of("5.9.1"), "1.9.1");
        assert_eq!(platform_of("6.0.0"), "6.0.0");
        assert_eq!(jupiter_of("1.9.1"), "5.9.1");
        assert_eq!(jupiter_of("6.0.0"), "6.0.0");
    }

    #[test]
    fn all_parts_are_of_the_release_that_is_there() {
        let jar = |name: &str, version: &str| PathBuf::from(format!("/r/{name}/{version}/x.jar"));
        assert_eq!(release(&[jar("junit", "4.13")]), JUPITER);
        assert_eq!(release(&[jar("junit-vintage-engine", "5.8.2")]), "5.8.2");
        assert_eq!(release(&[jar("junit-platform-engine", "1.7.0")]), "5.7.0");
        let both = [
            jar("junit-platform-engine", "1.7.0"),
            jar("junit-jupiter-api", "5.9.0"),
        ];
        assert_eq!(release(&both), "5.9.0");
    }

    #[test]
    fn old_junits_are_known() {
        for old in ["3.8.1", "4.11", "4.5-beta"] {
            assert!(is_before_4_12(old), "{old}");
        }
        for new in ["4.12", "4.13.2", "4.13-rc-1"] {
            assert!(!is_before_4_12(new), "{new}");
        }
    }

    #[test]
    fn a_jar_is_known_by_its_directories() {
        let jar = PathBuf::from("/r/junit/junit/4.12/junit-4.12.jar");
        let class_path = [PathBuf::from("/x.jar"), jar];
        assert_eq!(version(&class_path, "junit").as_deref(), Some("4.12"));
        assert_eq!(version(&class_path, "testng"), None);
    }
}
