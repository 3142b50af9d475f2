//! How the tests that are there look.

use std::fs;
use std::path::{Path, PathBuf};

use jinsi_testwriter::{Dialect, Framework};

/// Sources that are looked at, and directories: somebody may name a root that has everything.
const MOST: usize = 500;
const MOST_DIRECTORIES: usize = 5000;
/// What a written test has where nothing speaks against it.
const USUAL: &str = "    ";
/// Suffixes of sources, and the languages.
const LANGUAGES: [(&str, &str); 4] = [
    ("java", JAVA),
    ("kt", "Kotlin"),
    ("scala", "Scala"),
    ("groovy", "Groovy"),
];
const JAVA: &str = "Java";

/// The sources below a directory.
pub(super) struct Neighbours {
    tests: Vec<Looks>,
}

struct Looks {
    directory: PathBuf,
    language: &'static str,
    /// A level of its indentation.
    indent: Option<&'static str>,
    framework: Option<Framework>,
    /// It asserts with AssertJ.
    assertj: bool,
}

impl Looks {
    fn of(directory: &Path, language: &'static str, text: &str) -> Self {
        Self {
            directory: directory.to_owned(),
            language,
            indent: indent(text).filter(|_| language == JAVA),
            framework: framework(text),
            assertj: imports(text).any(|name| name.starts_with("org.assertj.")),
        }
    }
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
                } else if let Some(language) = language(&path)
                    && tests.len() < MOST
                {
                    let text = fs::read_to_string(&path).unwrap_or_default();
                    tests.push(Looks::of(&directory, language, &text));
                }
            }
        }
        Self { tests }
    }

    /// The words in which most are written, if there are any.
    pub(super) fn dialect(&self) -> Option<Dialect> {
        let known = self.tests.iter().filter(|t| t.framework.is_some());
        let of = |framework| {
            let with = |t: &&Looks| t.framework == Some(framework);
            self.tests.iter().filter(with).count()
        };
        // The newest, of those that are as frequent.
        let by_age = [
            Framework::Junit3,
            Framework::TestNg,
            Framework::Junit4,
            Framework::Junit5,
        ];
        let framework = by_age.into_iter().max_by_key(|&framework| of(framework))?;
        let with_assertj = known.clone().filter(|t| t.assertj).count();
        (of(framework) > 0).then(|| Dialect {
            framework,
            assertj: 2 * with_assertj >= known.count(),
        })
    }

    /// The language of the sources, if none is Java.
    pub(super) fn language(&self) -> Option<&'static str> {
        let java = self.tests.iter().any(|t| t.language == JAVA);
        let first = self.tests.first().filter(|_| !java);
        first.map(|test| test.language)
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

/// The language of a source, by its suffix.
fn language(path: &Path) -> Option<&'static str> {
    let suffix = path.extension()?.to_str()?;
    let known = LANGUAGES.iter().find(|(of, _)| *of == suffix)?;
    Some(known.1)
}

/// What a source imports.
fn imports(text: &str) -> impl Iterator<Item = &str> {
    let imports = text
        .lines()
        .filter_map(|l| l.trim().strip_prefix("import "));
    imports.map(|import| {
        import
            .trim_start()
            .trim_start_matches("static ")
            .trim_start()
    })
}

/// What a test is for, by what it imports.
fn framework(text: &str) -> Option<Framework> {
    let of = [
        ("org.junit.jupiter.", Framework::Junit5),
        ("org.junit.", Framework::Junit4),
        ("org.testng.", Framework::TestNg),
        ("junit.framework.", Framework::Junit3),
    ];
    let imported = |package: &str| imports(text).any(|name| name.starts_with(package));
    let found = of.iter().find(|(package, _)| imported(package));
    found.map(|(_, framework)| *framework)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_of_a_test() {
        let of = |text| {
            let looks = Looks::of(Path::new(""), JAVA, text);
            (looks.indent, looks.framework, looks.assertj)
        };
        let five = "package a;\n\nimport static org.junit.jupiter.api.Assertions.fail;\n\nclass ATest {\n\n  int a;\n}\n";
        assert_eq!(of(five), (Some("  "), Some(Framework::Junit5), false));
        let four = "import java.util.List;\nimport junit.framework.Assert;\nimport org.junit.Test;\n\n/**\n * About {@code\n */\npublic class BTest {\n\t@Test\n";
        assert_eq!(of(four), (Some("\t"), Some(Framework::Junit4), false));
        let three =
            "import junit.framework.TestCase;\npublic class C extends TestCase\n{\n    int c;\n";
        assert_eq!(of(three), (Some("    "), Some(Framework::Junit3), false));
        let ng = "import static org.assertj.core.api.Assertions.assertThat;\nimport org.testng.annotations.Test;\nclass E {\n";
        assert_eq!(of(ng), (None, Some(Framework::TestNg), true));
        assert_eq!(of("class D {}"), (None, None, false));
    }

    fn looks(directory: &str, indent: &'static str, framework: Framework, assertj: bool) -> Looks {
        Looks {
            directory: directory.into(),
            language: JAVA,
            indent: Some(indent),
            framework: Some(framework),
            assertj,
        }
    }

    #[test]
    fn the_nearest_decide() {
        let all = Neighbours {
            tests: vec![
                looks("a", "  ", Framework::Junit4, true),
                looks("b", "    ", Framework::TestNg, true),
                looks("b", "    ", Framework::TestNg, false),
            ],
        };
        assert_eq!(all.indent(Path::new("a")), "  ");
        assert_eq!(all.indent(Path::new("c")), "    ");
        let dialect = Dialect {
            framework: Framework::TestNg,
            assertj: true,
        };
        assert_eq!(all.dialect(), Some(dialect));
        let none = Neighbours { tests: Vec::new() };
        assert_eq!(
            (none.indent(Path::new("a")), none.dialect()),
            ("    ", None)
        );
        assert_eq!(none.language(), None);
    }

    #[test]
    fn a_directory_without_java_has_another_language() {
        let kotlin = Looks::of(Path::new(""), "Kotlin", "import org.junit.Test\n");
        assert_eq!(kotlin.framework, Some(Framework::Junit4));
        let mut all = Neighbours {
            tests: vec![kotlin],
        };
        assert_eq!(all.language(), Some("Kotlin"));
        all.tests.push(looks("", "  ", Framework::Junit4, false));
        assert_eq!(all.language(), None);
    }
}
