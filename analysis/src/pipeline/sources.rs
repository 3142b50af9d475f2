//! Where the sources of a program are that was built where it ran.

use std::path::{Path, PathBuf};

use super::run::Run;

/// Directories of sources, above the packages, in the layout that Maven, Gradle and sbt share.
const SOURCES: [&str; 4] = [
    "src/main/java",
    "src/test/java",
    "src/main/kotlin",
    "src/test/kotlin",
];

/// How deep below a project builds have directories of classes: `build/classes/java/main`.
const DEEPEST: usize = 4;

impl Run {
    /// Directories of sources of the projects whose directories of classes are on the class path.
    pub(super) fn sources(&self) -> Vec<PathBuf> {
        let classes = self.class_path_here();
        let classes = classes.iter().filter(|path| path.is_dir());
        let mut all: Vec<PathBuf> = classes.flat_map(|path| beside(path)).collect();
        let mut seen = std::collections::HashSet::new();
        all.retain(|path| seen.insert(path.clone()));
        all
    }
}

/// Directories of sources of the project in which this directory of classes is.
fn beside(classes: &Path) -> Vec<PathBuf> {
    let above = classes.ancestors().skip(1).take(DEEPEST);
    let of_project = |project: &Path| -> Vec<PathBuf> {
        let all = SOURCES.iter().map(|sources| project.join(sources));
        all.filter(|path| path.is_dir()).collect()
    };
    let mut found = above.map(of_project).filter(|found| !found.is_empty());
    found.next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn sources_are_found_beside_classes() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        for path in [
            "zoo/src/main/java",
            "zoo/src/test/kotlin",
            "zoo/build/classes/java/main",
            "bin",
        ] {
            fs::create_dir_all(at(path)).unwrap();
        }
        let expected = [at("zoo/src/main/java"), at("zoo/src/test/kotlin")];
        assert_eq!(beside(&at("zoo/build/classes/java/main")), expected);
        assert!(beside(&at("bin")).is_empty());
    }
}
