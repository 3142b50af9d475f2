//! The list of libraries: `group:artifact:version` a line.

use std::fmt;

use anyhow::{Result, ensure};

/// A library that publishes its tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Library {
    pub(crate) group: String,
    pub(crate) artifact: String,
    pub(crate) version: String,
}

impl fmt::Display for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.group, self.artifact, self.version)
    }
}

/// The libraries of a list, in its order. Blank lines are skipped, and so is what is behind a `#`.
///
/// # Errors
/// A line is something else, or the list names a library twice.
pub(crate) fn parse(list: &str) -> Result<Vec<Library>> {
    let mut all: Vec<Library> = Vec::new();
    for line in list.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let parts: Vec<&str> = line.split(':').collect();
        // Such parts need no escaping in XML, and are names of files.
        let is_part = |part: &&str| {
            let known = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
            !part.is_empty() && !part.starts_with('.') && part.chars().all(known)
        };
        ensure!(
            parts.len() == 3 && parts.iter().all(is_part),
            "`{line}` is not group:artifact:version"
        );
        let library = Library {
            group: parts[0].into(),
            artifact: parts[1].into(),
            version: parts[2].into(),
        };
        ensure!(!all.contains(&library), "{library} is in the list twice");
        all.push(library);
    }
    ensure!(!all.is_empty(), "the list names no library");
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_are_no_libraries() {
        let all = parse("# rule\n\n  a.b:c-d:1.0  # why\ne:f:2\n").unwrap();
        let names: Vec<String> = all.iter().map(Library::to_string).collect();
        assert_eq!(names, ["a.b:c-d:1.0", "e:f:2"]);
    }

    #[test]
    fn what_is_no_library_is_named() {
        for bad in ["a:b", "a:b:c:d", "a:<b>:1", "a::1", "../a:b:c"] {
            let error = parse(bad).unwrap_err().to_string();
            assert!(error.contains(bad), "{error}");
        }
        assert!(parse("a:b:1\na:b:1").is_err());
        assert!(parse("# nothing").is_err());
    }

    #[test]
    fn the_list_of_the_repository_is_long_enough() {
        let list = parse(include_str!("../libraries.txt")).unwrap();
        assert!(list.len() >= 25, "{}", list.len());
        // Groups stand in for publishers, who are known only once the POMs are there.
        let apache = list
            .iter()
            .filter(|l| l.group.starts_with("org.apache") || l.group.starts_with("commons-"));
        assert!(apache.count() * 2 <= list.len());
    }
}
