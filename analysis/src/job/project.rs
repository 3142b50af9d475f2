//! The recommended tests go among those of a project.

mod neighbours;

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use jinsi_testwriter::{Dialect, Form, placed, words};

use crate::report::json::Report;
use neighbours::Neighbours;

/// Names that are tried for a class; nobody has as many tests of one.
const MOST_NAMES: u32 = 1000;

/// Directories of test sources that have one for Java beside them, by the layout that Maven, Gradle and sbt share.
const FOREIGN: [&str; 3] = ["kotlin", "scala", "groovy"];

/// Why a test is not put into a project.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The directory is not there.
    #[error("no such directory; name the root of your test sources, such as src/test/java")]
    NoDirectory,
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file or directory cannot be made.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// All names are taken.
    #[error("{} has tests under all names for {name}; remove some of them", directory.display())]
    NoName {
        /// Where the test was to go.
        directory: PathBuf,
        /// Its name in the report.
        name: String,
    },
}

fn unread(path: &Path) -> impl FnOnce(io::Error) -> ProjectError + '_ {
    move |source| ProjectError::Read {
        path: path.to_owned(),
        source,
    }
}

fn unwritten(path: &Path) -> impl FnOnce(io::Error) -> ProjectError + '_ {
    move |source| ProjectError::Write {
        path: path.to_owned(),
        source,
    }
}

/// Where tests go.
pub struct Project {
    /// The root of the test sources, above the packages.
    root: PathBuf,
    /// The directory that was named, and the language of its tests, if that is not Java.
    foreign: Option<(PathBuf, &'static str)>,
}

impl Project {
    /// The one with these test sources: the directory above their packages.
    ///
    /// # Errors
    /// There is no such directory.
    pub fn at(root: &Path) -> Result<Self, ProjectError> {
        if !root.is_dir() {
            return Err(ProjectError::NoDirectory);
        }
        let language = Neighbours::below(root).language();
        let is_of = |name: &&str| root.ends_with(Path::new("test").join(name));
        let beside = language.filter(|_| FOREIGN.iter().any(is_of));
        Ok(Self {
            root: match beside {
                Some(_) => root.with_file_name("java"),
                None => root.to_owned(),
            },
            foreign: language.map(|language| (root.to_owned(), language)),
        })
    }

    /// The words in which most of its tests are written.
    pub fn dialect(&self) -> Dialect {
        let own = Neighbours::below(&self.root).dialect();
        let named = self.foreign.as_ref();
        own.or_else(|| Neighbours::below(&named?.0).dialect())
            .unwrap_or_default()
    }

    /// Puts the recommended test of the report in `directory` there, and gives the sentences that say so. A report that recommends none changes nothing.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn take(&self, directory: &Path) -> Result<Vec<String>, ProjectError> {
        let report = directory.join("report.json");
        let report = Report::read(&report).map_err(unread(&report))?;
        let mut sentences = Vec::new();
        let Some(file) = &report.keep else {
            let why = report.keep_why_not.as_deref().unwrap_or_default();
            let root = self.root.display();
            sentences.push(format!("nothing is put into {root}. {why}"));
            return Ok(sentences);
        };
        let level = report
            .levels
            .iter()
            .find(|l| l.test_file.as_ref() == Some(file));
        let form = level
            .and_then(|l| l.test_form.as_deref())
            .unwrap_or_default();
        if let Some((named, language)) = &self.foreign {
            sentences.push(format!(
                "the tests in {} are {language}, and jinsi writes Java: the test goes into {}",
                named.display(),
                self.root.display()
            ));
        }
        let placed = self.place(&directory.join(file), Path::new(file))?;
        sentences.push(format!("the test to keep is now in {}", placed.display()));
        let needs = needs(form, directory);
        sentences.extend(needs.map(|needs| format!("it needs {needs}")));
        Ok(sentences)
    }

    /// Copies the test `source` under a free name. `relative`: its path from the report on, `tests/a/BLevel2Test.java`.
    fn place(&self, source: &Path, relative: &Path) -> Result<PathBuf, ProjectError> {
        let text = fs::read_to_string(source).map_err(unread(source))?;
        let package = relative.strip_prefix("tests").unwrap_or(relative);
        let package = package.parent().unwrap_or(Path::new(""));
        let old = source.file_stem().unwrap_or_default().to_string_lossy();
        let into = self.root.join(package);
        fs::create_dir_all(&into).map_err(unwritten(&into))?;
        let indent = Neighbours::below(&self.root).indent(&into);
        for number in 1..MOST_NAMES {
            let new = placed::name(&old, number);
            let target = into.join(format!("{new}.java"));
            let written = placed::indented(&words::renamed(&text, &old, &new), indent);
            match write_new(&target, written.as_bytes()) {
                Err(e) if e.kind() == ErrorKind::AlreadyExists => continue,
                Err(e) => return Err(unwritten(&target)(e)),
                Ok(()) => {}
            }
            let script = source.with_extension("jinsi");
            if script.is_file() {
                self.place_script(&script, &package.join(format!("{new}.jinsi")))?;
            }
            return Ok(target);
        }
        Err(ProjectError::NoName {
            directory: into,
            name: old.into_owned(),
        })
    }

    /// What a test of the replay form reads is a resource.
    fn place_script(&self, script: &Path, name: &Path) -> Result<(), ProjectError> {
        let resources = match self.root.ends_with("test/java") {
            true => self.root.with_file_name("resources"),
            false => self.root.clone(),
        };
        let target = resources.join(name);
        let bytes = fs::read(script).map_err(unread(script))?;
        let above = target.parent().unwrap_or(&resources);
        fs::create_dir_all(above)
            .and_then(|()| write_new(&target, &bytes))
            .map_err(unwritten(&target))
    }
}

fn write_new(file: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::File::create_new(file)?.write_all(bytes)
}

/// What a test of this form needs besides JUnit.
fn needs(form: &str, directory: &Path) -> Option<String> {
    match form {
        f if f == Form::Mockito.name() => {
            Some("org.mockito:mockito-core among the dependencies of the tests".into())
        }
        f if f == Form::Replay.name() => {
            const EXTENSION: &str = "lib/jinsi-junit";
            let own = directory.join(EXTENSION);
            // All tests of a suite have one together.
            let shared = directory.parent().map(|root| root.join(EXTENSION));
            let found = shared.filter(|shared| !own.is_dir() && shared.is_dir());
            Some(format!(
                "{} on the class path of the tests",
                found.unwrap_or(own).display()
            ))
        }
        _ => None,
    }
}
