//! The recommended test: does it fail with the defect, and pass without it, and does it call more than the test that failed?

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_classfile::{ClassFile, insn, opcode};
use jinsi_ground::files::files_below;
use jinsi_jdk::compile;

use crate::answer::Keep;
use crate::engines;
use crate::jvm::{Request, Runner};
use crate::outcomes::{End, Ran};
use crate::site::Site;

/// Seconds for a written test.
const LIMIT: u64 = 60;

/// A written test that was compiled.
pub(crate) struct Compiled {
    /// In front of the class path of the tests: its classes.
    classes: tempfile::TempDir,
    /// Behind it: what it needs besides.
    needs: Vec<PathBuf>,
    name: String,
    /// It calls the failed test's class alone, and nothing of the library.
    pub(crate) only_the_test: bool,
}

/// It does not compile.
pub(crate) struct Refused {
    /// What the compiler says.
    pub(crate) complaint: String,
}

impl Compiled {
    /// Compiles a written test against the library and its tests; the complaint of the compiler if it does not compile.
    pub(crate) fn of(
        keep: &Keep,
        runner: &Runner<'_>,
        failed: &str,
        directory: &Path,
    ) -> Result<std::result::Result<Compiled, Refused>> {
        let site = runner.site;
        let tests = keep.reports.join("tests");
        let own = site.class_path();
        let with_engines = engines::for_written_tests(own.clone())?;
        let mut needs = with_engines[own.len()..].to_vec();
        needs.push(tests.clone());
        let extensions = [directory, &keep.reports].map(|place| place.join("lib/jinsi-junit"));
        needs.extend(extensions.into_iter().filter(|place| place.is_dir()));
        let class_path = [own, needs.clone()].concat();
        let classes = tempfile::tempdir()?;
        let sources = [keep.source.clone()];
        if let Err(error) = compile::javac(runner.jdk, &sources, &class_path, classes.path()) {
            let text = error.to_string();
            let complaint = text.lines().next().unwrap_or_default().to_owned();
            return Ok(Err(Refused { complaint }));
        }
        let name = keep.source.strip_prefix(&tests).unwrap_or(&keep.source);
        let name = name.with_extension("").display().to_string();
        Ok(Ok(Compiled {
            only_the_test: only_the_test(classes.path(), site, failed)?,
            classes,
            needs,
            name: name.replace('/', "."),
        }))
    }

    /// Runs it with the library as it lies there; why it does not pass, if it does not.
    pub(crate) fn run(&self, runner: &Runner<'_>) -> Result<Outcome> {
        let classes = [self.name.as_str()];
        let mut request = Request::new(&classes, LIMIT);
        request.first = vec![self.classes.path().to_owned()];
        request.last = self.needs.clone();
        let ran = runner.run(&request)?;
        Ok(ran.first().map_or_else(
            || Outcome::NotRun("the JVM did not start".into()),
            Outcome::of,
        ))
    }
}

/// How a written test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    /// By this exception, or because it took too long.
    Failed(String),
    /// It was skipped or aborted, or not found: why.
    NotRun(String),
}

impl Outcome {
    fn of(ran: &Ran) -> Self {
        if ran.end == End::TimedOut {
            return Self::Failed("it takes too long".into());
        }
        if let Some(test) = ran.tests.iter().find(|t| t.failed()) {
            let thrown = test.outcome.trim_start_matches("FAILED").trim();
            return Self::Failed(thrown.to_owned());
        }
        // One that is skipped or aborted says nothing.
        let other = ran.tests.iter().find(|t| !t.passed());
        match (other, &ran.tests[..], ran.end) {
            (Some(test), ..) => Self::NotRun(test.outcome.clone()),
            (None, [], _) => Self::NotRun("there is no test in it".into()),
            (None, _, End::Through) => Self::Passed,
            (None, ..) => Self::NotRun("the JVM ended in its midst".into()),
        }
    }
}

/// Do the classes below a directory, a written test, call the failed test's class, and nothing of the library?
fn only_the_test(directory: &Path, site: &Site, failed: &str) -> Result<bool> {
    let mut called = BTreeSet::new();
    for file in files_below(directory) {
        called.extend(owners(&ClassFile::parse(&fs::read(&file)?)?)?);
    }
    let own: BTreeSet<&str> = site.own.iter().map(String::as_str).collect();
    let of_tests: BTreeSet<&str> = site.of_tests.iter().map(String::as_str).collect();
    Ok(calls_only(&called, &own, &of_tests, failed))
}

/// Of the classes that are called: none is the library's, and of the tests' only the failed one and what is nested in it.
fn calls_only(
    called: &BTreeSet<String>,
    own: &BTreeSet<&str>,
    of_tests: &BTreeSet<&str>,
    failed: &str,
) -> bool {
    called.iter().map(String::as_str).all(|class| {
        let outermost = class.split('$').next().unwrap_or(class);
        !own.contains(class) && (outermost == failed || !of_tests.contains(class))
    })
}

/// Binary names of the classes whose methods and fields a class uses, constructors included, and of those that it may name to have them
/// initialized.
fn owners(class: &ClassFile) -> Result<BTreeSet<String>> {
    let mut owners = BTreeSet::new();
    for method in &class.methods {
        let Some(code) = method.code(&class.pool)? else {
            continue;
        };
        for insn in insn::decode(&code.bytes)? {
            if matches!(insn.opcode, opcode::LDC | opcode::LDC_W) {
                let text = insn.pool_index().map(|index| class.pool.string(index));
                owners.extend(text.and_then(Result::ok).map(Cow::into_owned));
                continue;
            }
            let uses = matches!(insn.opcode, opcode::GETSTATIC..=opcode::INVOKEINTERFACE);
            if !uses {
                continue;
            }
            let index = insn.pool_index().context("the instruction has a member")?;
            owners.insert(class.pool.member_owner(index)?.replace('/', "."));
        }
    }
    Ok(owners)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcomes;

    #[test]
    fn a_test_that_calls_nothing_of_the_library_is_known() {
        let own = BTreeSet::from(["l.Cart"]);
        let of_tests = BTreeSet::from(["l.CartTest", "l.CartTest$Inner", "l.Helper"]);
        let only = |called: &[&str]| {
            let called = called.iter().map(|&c| c.to_owned()).collect();
            calls_only(&called, &own, &of_tests, "l.CartTest")
        };
        assert!(only(&["l.CartTest", "l.CartTest$Inner", "java.util.List"]));
        assert!(only(&["org.junit.jupiter.api.Assertions"]));
        assert!(!only(&["l.CartTest", "l.Cart"]));
        assert!(!only(&["l.Helper"]));
    }

    #[test]
    fn only_what_ran_and_passed_has_passed() {
        let outcome = |line: &str| {
            let lines = format!("BEGIN\tT\n{line}\nEND\tT\t1\n");
            Outcome::of(&outcomes::parse(&lines)[0])
        };
        let test = |outcome: &str| format!("TEST\t{outcome}\tT\tm\tjunit5\t[m]");
        assert_eq!(outcome(&test("SUCCESSFUL")), Outcome::Passed);
        assert_eq!(
            outcome(&test("FAILED java.lang.Error")),
            Outcome::Failed("java.lang.Error".into())
        );
        for line in [&test("ABORTED x.Aborted"), "REFUSED\tT\tx"] {
            assert!(matches!(outcome(line), Outcome::NotRun(_)), "{line}");
        }
        assert!(matches!(
            Outcome::of(&outcomes::parse("BEGIN\tT\nTIMEOUT\tT\n")[0]),
            Outcome::Failed(_)
        ));
    }
}
