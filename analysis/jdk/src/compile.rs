//! Compiles Java sources with the `javac` of a JDK.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jinsi_files::private;
use jinsi_platform::process::own_group;

use super::class_path::{absolute, join};
use super::jdk::{Jdk, JvmError, quiet};
use super::process::{self, ProcessError};
use super::server::{ServerError, TestServer};

/// Time for one run of the compiler.
const LIMIT: Duration = Duration::from_secs(300);
/// So that "error" means what it says; and a compiler that runs for a second is not worth to be compiled well.
const OF_THE_JVM: [&str; 4] = [
    "-J-Duser.language=en",
    "-J-Duser.country=US",
    "-J-XX:TieredStopAtLevel=1",
    "-J-XX:+UseSerialGC",
];

/// Options by which the compiler gives all warnings.
pub const LINT: [&str; 3] = ["-Xlint:all", "-Xmaxwarns", "10000"];

/// One complaint of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The source file.
    pub file: PathBuf,
    /// The line in it, from 1.
    pub line: u32,
    /// What is wrong, in English, with the lines javac adds (source line, symbol, location).
    pub message: String,
}

/// A warning of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The source file.
    pub file: PathBuf,
    /// The line in it, from 1.
    pub line: u32,
    /// Its name for `-Xlint` and `@SuppressWarnings`: `rawtypes`, `deprecation`, …
    pub category: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.message)
    }
}

/// Why sources were not compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The JDK has no compiler.
    #[error(transparent)]
    Jvm(#[from] JvmError),
    /// The compiler could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The JVM that was to compile failed.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// The directory for the class files could not be made, or not be filled.
    #[error("cannot write to the directory {}: {source}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The class path cannot be written as one argument: an entry holds the separator.
    #[error("the class path cannot be used: {0}")]
    ClassPath(#[from] env::JoinPathsError),
    /// The compiler rejects the sources. If it fails without a complaint about a source, `diagnostics` is empty.
    #[error("javac rejects the sources:\n{text}")]
    Rejected {
        /// The errors (not the warnings), in the compiler's order.
        diagnostics: Vec<Diagnostic>,
        /// All that the compiler printed.
        text: String,
    },
}

/// Compiles `sources` (UTF-8, with all debugging information, no annotation processing) against `class_path` into the directory
/// `out`, which is made if need be.
pub fn javac(
    jdk: &Jdk,
    sources: &[PathBuf],
    class_path: &[PathBuf],
    out: &Path,
) -> Result<(), CompileError> {
    javac_for(jdk, None, sources, class_path, out)
}

/// The same, against the interface of the Java release `release` and for its class file format, if one is given.
pub fn javac_for(
    jdk: &Jdk,
    release: Option<u32>,
    sources: &[PathBuf],
    class_path: &[PathBuf],
    out: &Path,
) -> Result<(), CompileError> {
    let javac = jdk.require_javac()?;
    let mut command = quiet(&javac);
    command.args(OF_THE_JVM);
    command.args(arguments(&["-nowarn"], release, sources, class_path, out)?);
    // Ctrl-C is for us: it is no verdict on a source.
    let finished = process::run(own_group(&mut command), LIMIT)?;
    let text = finished.stdout + &finished.stderr;
    accepted(finished.status.success(), text).map(drop)
}

impl TestServer {
    /// Compiles as [`javac_for`] does, with further `options`; with [`LINT`], the warnings that are about a source come back.
    ///
    /// # Errors
    /// See [`CompileError`]. After [`CompileError::Server`], this is of no more use.
    pub fn javac(
        &mut self,
        options: &[&str],
        release: Option<u32>,
        sources: &[PathBuf],
        class_path: &[PathBuf],
        out: &Path,
    ) -> Result<Vec<Warning>, CompileError> {
        // It writes at its own place alone.
        let own = self.directory()?;
        let (sources, class_path) = (absolute(sources), absolute(class_path));
        let arguments = arguments(options, release, &sources, &class_path, &own)?;
        let reply = self.ask("compile", &arguments, LIMIT)?;
        let warnings = warnings(&accepted(reply.done, reply.text)?);
        copy_directory(&own, out).map_err(|source| CompileError::Directory {
            path: out.to_owned(),
            source,
        })?;
        Ok(warnings)
    }
}

/// Copies a directory with all below it into another one, which is made if need be.
pub fn copy_directory(from: &Path, into: &Path) -> io::Result<()> {
    private::create_dir_all(into)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = into.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_directory(&entry.path(), &to)?;
        } else {
            private::copy(&entry.path(), &to)?;
        }
    }
    Ok(())
}

/// Arguments of the compiler; the directory `out` is made.
fn arguments(
    options: &[&str],
    release: Option<u32>,
    sources: &[PathBuf],
    class_path: &[PathBuf],
    out: &Path,
) -> Result<Vec<OsString>, CompileError> {
    private::create_dir_all(out).map_err(|source| CompileError::Directory {
        path: out.to_owned(),
        source,
    })?;
    let mut arguments: Vec<OsString> = ["-encoding", "UTF-8", "-g", "-proc:none"]
        .iter()
        .chain(options)
        .map(OsString::from)
        .collect();
    if let Some(release) = release {
        arguments.extend(["--release".into(), release.to_string().into()]);
    }
    arguments.extend(["-cp".into(), join(class_path)?, "-d".into(), out.into()]);
    arguments.extend(sources.iter().map(|source| source.into()));
    Ok(arguments)
}

/// What the compiler printed, unless it rejects the sources.
fn accepted(success: bool, text: String) -> Result<String, CompileError> {
    if success {
        return Ok(text);
    }
    Err(CompileError::Rejected {
        diagnostics: diagnostics(&text),
        text: text.trim_end().to_owned(),
    })
}

/// The errors in what javac prints: `FILE:LINE: error: MESSAGE`, each with the lines up to the next complaint or the final count.
fn diagnostics(text: &str) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut in_error = false;
    for line in text.lines() {
        if let Some((file, number, rest)) = head(line) {
            in_error = rest.starts_with("error: ");
            if in_error {
                let message = rest["error: ".len()..].to_owned();
                found.push(Diagnostic {
                    file: PathBuf::from(file),
                    line: number,
                    message,
                });
            }
        } else if is_count(line) {
            in_error = false;
        } else if let (true, Some(last)) = (in_error, found.last_mut()) {
            last.message.push('\n');
            last.message.push_str(line);
        }
    }
    found
}

/// The warnings in what javac prints, `FILE:LINE: warning: [CATEGORY] MESSAGE`.
fn warnings(text: &str) -> Vec<Warning> {
    text.lines()
        .filter_map(|line| {
            let (file, line, rest) = head(line)?;
            let (category, _) = rest.strip_prefix("warning: [")?.split_once(']')?;
            Some(Warning {
                file: PathBuf::from(file),
                line,
                category: category.to_owned(),
            })
        })
        .collect()
}

/// Splits the first line of a complaint into file, line number and the rest.
fn head(line: &str) -> Option<(&str, u32, &str)> {
    let at = [": error: ", ": warning: "]
        .iter()
        .filter_map(|mark| line.find(mark))
        .min()?;
    let (file, number) = line[..at].rsplit_once(':')?;
    Some((file, number.parse().ok()?, &line[at + 2..]))
}

/// `2 errors`, `1 warning`: the end of the list.
fn is_count(line: &str) -> bool {
    line.split_once(' ').is_some_and(|(number, what)| {
        number.parse::<u32>().is_ok() && matches!(what, "error" | "errors" | "warning" | "warnings")
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn complaints_are_taken_apart() {
        let text = "warning: [options] bootstrap class path not set\n\
            a b/T.java:3: error: cannot find symbol\n    foo();\n    ^\n  symbol: method foo()\n\
            a b/T.java:4: warning: [removal] x\n    old();\n\
            /U.java:10: error: ';' expected\n2 errors\n1 warning\n";
        assert_eq!(
            warnings(text),
            [Warning {
                file: "a b/T.java".into(),
                line: 4,
                category: "removal".into()
            }]
        );
        assert_eq!(
            diagnostics(text),
            [
                Diagnostic {
                    file: "a b/T.java".into(),
                    line: 3,
                    message: "cannot find symbol\n    foo();\n    ^\n  symbol: method foo()".into(),
                },
                Diagnostic {
                    file: "/U.java".into(),
                    line: 10,
                    message: "';' expected".into()
                },
            ]
        );
    }

    #[test]
    fn compiles_against_what_was_compiled_before() {
        let jdk = Jdk::find(None).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let (a, b) = (
            directory.path().join("A.java"),
            directory.path().join("B.java"),
        );
        fs::write(
            &a,
            "package p; public class A { public static String f = \"é\"; }",
        )
        .unwrap();
        fs::write(&b, "class B { String g = p.A.f; }").unwrap();
        let (out_a, out_b) = (directory.path().join("x/a"), directory.path().join("x/b"));
        javac(&jdk, &[a], &[], &out_a).unwrap();
        assert!(out_a.join("p/A.class").is_file());
        match javac(&jdk, std::slice::from_ref(&b), &[], &out_b) {
            Err(CompileError::Rejected { diagnostics, .. }) => {
                assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
                assert_eq!((&diagnostics[0].file, diagnostics[0].line), (&b, 1));
                assert!(
                    diagnostics[0]
                        .message
                        .starts_with("package p does not exist"),
                    "{diagnostics:?}"
                );
            }
            other => panic!("{other:?}"),
        }
        javac(&jdk, &[b], &[out_a], &out_b).unwrap();
        assert!(out_b.join("B.class").is_file());
    }
}
