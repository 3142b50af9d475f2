//! How the tests that are there look.

use std::fs;
use std::path::{Path, PathBuf};

use jinsi_testwriter::Junit;

/// Sources that are looked at, and directories: somebody may name a root that has everything.
const MOST: usize = 500;
const MOST_DIRECTORIES: usize = 5000;
/// What a written test has where nothing speaks against it.
const USUAL: &str = "    ";

/// The Java sources below a directory.
pub(super) struct Neighbours {
    tests: Vec<Looks>,
}

struct Looks {
    directory: PathBuf,
    /// A level of its indentation.
    indent: Option<&'static str>,
    junit: Option<Junit>,
}

impl Neighbours {
    /// What cannot be read is left out.
    pub(super) fn below(root: &Path) -> Self {
        let mut tests = Vec::new();
        let mut directories = vec![root.to_owned()];
        for _ in 0..MOST_DIRECTORIES {
            let Some(directory) = directories.pop().filter(|_| tests.len() < MOST) else {
                break;
            };
            let entries = fs::read_dir(&directory).into_iter().flatten().flatten();
            let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
            paths.sort_unstable();
            for path in paths {
                if path.is_dir() && !path.is_symlink() {
                    directories.push(path);
                } else if path.extension().is_some_and(|e| e == "java") && tests.len() < MOST {
                    let text = fs::read_to_string(&path).unwrap_or_default();
                    tests.push(Looks {
                        directory: directory.clone(),
                        indent: indent(&text),
                        junit: junit(&text),
                    });
                }
            }
        }
        Self { tests }
    }

    /// The version of JUnit that most are for.
    pub(super) fn junit(&self) -> Option<Junit> {
        let of = |version| {
            self.tests
                .iter()
                .filter(|t| t.junit == Some(version))
                .count()
        };
        let (four, five) = (of(Junit::Four), of(Junit::Five));
        match four.cmp(&five) {
            std::cmp::Ordering::Greater => Some(Junit::Four),
            std::cmp::Ordering::Less => Some(Junit::Five),
            std::cmp::Ordering::Equal => (five > 0).then_some(Junit::Five),
        }
    }

    /// What most in this directory are indented by, or, if there are none, most of all.
    pub(super) fn indent(&self, directory: &Path) -> &'static str {
        let near = self.tests.iter().filter(|t| t.directory == directory);
        most(near)
            .or_else(|| most(self.tests.iter()))
            .unwrap_or(USUAL)
    }
}

fn most<'a>(tests: impl Iterator<Item = &'a Looks>) -> Option<&'static str> {
    let indents: Vec<&str> = tests.filter_map(|t| t.indent).collect();
    let often = |unit: &str| indents.iter().filter(|i| **i == unit).count();
    [USUAL, "  ", "\t"]
        .into_iter()
        .filter(|unit| often(unit) > 0)
        .max_by_key(|unit| often(unit))
}

/// What the first line of a class is indented by.
fn indent(text: &str) -> Option<&'static str> {
    let class = text
        .lines()
        .skip_while(|l| !l.trim_end().ends_with('{'))
        .skip(1);
    let mut members = class.filter(|l| !l.trim().is_empty() && !l.trim_start().starts_with('*'));
    let first = members.next()?;
    let blanks = &first[..first.len() - first.trim_start().len()];
    [USUAL, "  ", "\t"].into_iter().find(|unit| *unit == blanks)
}

/// The version of JUnit that a test imports. What is written for JUnit 4 is nearer to one of JUnit 3.
fn junit(text: &str) -> Option<Junit> {
    let mut imports = text
        .lines()
        .filter_map(|l| l.trim().strip_prefix("import "));
    imports.find_map(|import| {
        let name = import.trim_start().trim_start_matches("static ");
        if name.starts_with("org.junit.jupiter.") {
            Some(Junit::Five)
        } else if name.starts_with("org.junit.") || name.starts_with("junit.framework.") {
            Some(Junit::Four)
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_of_a_test() {
        let five = "package a;\n\nimport static org.junit.jupiter.api.Assertions.fail;\n\nclass ATest {\n\n  int a;\n}\n";
        assert_eq!((indent(five), junit(five)), (Some("  "), Some(Junit::Five)));
        let four = "import java.util.List;\nimport org.junit.Test;\n\n/**\n * About {@code\n */\npublic class BTest {\n\t@Test\n";
        assert_eq!((indent(four), junit(four)), (Some("\t"), Some(Junit::Four)));
        let three =
            "import junit.framework.TestCase;\npublic class C extends TestCase\n{\n    int c;\n";
        assert_eq!(
            (indent(three), junit(three)),
            (Some("    "), Some(Junit::Four))
        );
        assert_eq!((indent("class D {}"), junit("class D {}")), (None, None));
    }

    #[test]
    fn the_nearest_decide() {
        let looks = |directory: &str, indent, junit| Looks {
            directory: directory.into(),
            indent: Some(indent),
            junit: Some(junit),
        };
        let all = Neighbours {
            tests: vec![
                looks("a", "  ", Junit::Four),
                looks("b", "    ", Junit::Five),
                looks("b", "    ", Junit::Five),
            ],
        };
        assert_eq!(all.indent(Path::new("a")), "  ");
        assert_eq!(all.indent(Path::new("c")), "    ");
        assert_eq!(all.junit(), Some(Junit::Five));
        let none = Neighbours { tests: Vec::new() };
        assert_eq!((none.indent(Path::new("a")), none.junit()), ("    ", None));
    }
}
