//! The services: `evaluation/corpus/services.json`.

use anyhow::Result;
use jinsi_ground::manifest;
use serde::Deserialize;

/// All of the manifest.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    pub(super) runs: Vec<Service>,
}

/// A service under load.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Service {
    /// Name for people and for `--only`.
    pub(super) name: String,
    /// Directories of the repository with its sources.
    pub(super) sources: Vec<String>,
    /// Coordinates of all that it needs.
    pub(super) needs: Vec<String>,
    /// Class that starts the service and makes the requests; it is not observed.
    pub(super) main: String,
    /// Options of its JVM.
    #[serde(default)]
    pub(super) jvm: Vec<String>,
    /// Oldest release of Java that it runs on.
    #[serde(default)]
    pub(super) java: u32,
    /// The agent's `observe=`.
    pub(super) observe: String,
    /// The agent's `fail=`.
    pub(super) fail: String,
    /// Class of the exception that ends the bad request.
    pub(super) failure: String,
    /// The service's own calls, without package: `OrderService.create`. The recommended test has one of them.
    pub(super) calls: Vec<String>,
    /// Classes that start it: no recommended test calls them. Without package.
    pub(super) starts: Vec<String>,
    /// What is not as it would be in production, in words.
    #[serde(default)]
    pub(super) remark: Option<String>,
}

impl Manifest {
    /// Reads it.
    pub(super) fn read() -> Result<Self> {
        manifest::read("evaluation/corpus/services.json")
    }

    /// The services of the given names, all if there are none.
    pub(super) fn wanted(&self, names: &[String]) -> Result<Vec<&Service>> {
        manifest::wanted(&self.runs, names, |run| &run.name)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use super::*;
    use jinsi_ground::repository;

    /// The sources of a run, and their text.
    fn sources(run: &Service) -> Vec<(PathBuf, String)> {
        let mut all = Vec::new();
        for directory in &run.sources {
            let files = repository::java_sources(directory).unwrap();
            assert!(!files.is_empty(), "{}: {directory}", run.name);
            all.extend(files);
        }
        let read = |path: PathBuf| (path.clone(), std::fs::read_to_string(path).unwrap());
        all.into_iter().map(read).collect()
    }

    #[test]
    fn the_manifest_names_what_exists() {
        let manifest = Manifest::read().unwrap();
        let names: BTreeSet<&str> = manifest.runs.iter().map(|r| r.name.as_str()).collect();
        assert_eq!(names.len(), manifest.runs.len(), "names are distinct");
        for run in &manifest.runs {
            let sources = sources(run);
            let has = |class: &str| {
                let file = format!("{}.java", class.replace('.', "/"));
                sources
                    .iter()
                    .any(|(path, _)| path.ends_with(Path::new(&file)))
            };
            assert!(has(&run.main), "{}: {}", run.name, run.main);
            for class in &run.starts {
                assert!(has(class), "{}: {class}", run.name);
            }
            assert!(!run.calls.is_empty(), "{}", run.name);
            for call in &run.calls {
                let (class, method) = call.split_once('.').unwrap();
                assert!(has(class), "{}: {class}", run.name);
                let named = |(_, text): &(PathBuf, String)| text.contains(&format!(" {method}("));
                assert!(sources.iter().any(named), "{}: {method}", run.name);
            }
            assert!(
                run.needs.iter().all(|n| n.split(':').count() >= 3),
                "{}",
                run.name
            );
        }
        assert!(manifest.wanted(&["none".into()]).is_err());
        assert_eq!(manifest.wanted(&["tomcat".into()]).unwrap().len(), 1);
    }
}
