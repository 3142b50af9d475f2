//! The failed tests of one trace: each has its own failure in the recording of a whole suite.

use std::collections::HashSet;

use jinsi_trace::model::{Failure, FailureKind, ThreadNo};

use super::run::{Run, causes, history, with_message_of_jdk};
use super::{Case, PipelineError};
use jinsi_history::failures::NoCrash;
use jinsi_oracle;

/// Longest name of a test's directory.
const NAME: usize = 120;

/// A test that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedTest {
    /// Class and method, `com.foo.BarTest.adds`, and `[2]` behind it of the second run of a test that is run several times.
    pub name: String,
    failure: Failure,
}

impl FailedTest {
    /// A name for a directory of its own: one that every file system takes, and that is not `taken`, in any case of letters.
    pub fn directory(&self, taken: &mut HashSet<String>) -> String {
        directory(&self.name, taken)
    }

    /// The name without the number of the run.
    pub fn method(&self) -> &str {
        without_number(&self.name)
    }

    /// Is it the one, or one of those, that `wanted` names: by its whole name, its class, or its method, the number left out or not?
    pub fn is_named(&self, wanted: &str) -> bool {
        let wanted = wanted.replace('#', ".");
        let plain = self.method();
        let parts = plain.rsplit_once('.').unwrap_or(("", plain));
        [&self.name, plain, parts.0, parts.1].contains(&wanted.as_str())
    }
}

fn without_number(name: &str) -> &str {
    match name.rfind('[') {
        Some(at) if name.ends_with(']') => &name[..at],
        _ => name,
    }
}

impl Run {
    /// The tests that failed, in the order of their failures. Empty if no test framework told of tests.
    pub fn failed_tests(&self) -> Vec<FailedTest> {
        let tests = self.trace.failures().iter();
        tests
            .filter(|f| f.kind == FailureKind::Test)
            .map(|failure| {
                let name = match (self.trace.test_of(failure), failure.test) {
                    (Some(mark), _) => mark.full_name(),
                    (None, no) => format!("test {}", no.unwrap_or_default()),
                };
                FailedTest {
                    name,
                    failure: failure.clone(),
                }
            })
            .collect()
    }

    /// Puts this test's failure in the place of the one that [`Run::open`] chose. What failed is the exception with which the test
    /// ended, or the first of its causes that went through recorded code: assertions like `assertThrows` wrap what they did not expect.
    ///
    /// # Errors
    /// Its thread has too many events.
    pub fn turn_to(&mut self, test: &FailedTest) -> Result<(), PipelineError> {
        let chain = causes(&self.trace, test.failure.throwable);
        // A framework may run a test on another thread than the one on which it tells of its end.
        let reporting = test.failure.thread;
        let mut threads: Vec<ThreadNo> = self.trace.threads().iter().map(|t| t.no).collect();
        threads.sort_by_key(|&t| (t != reporting, std::cmp::Reverse(self.trace.event_count(t))));
        self.crash = Err(NoCrash::InTest);
        for thread in threads {
            if self.thread != thread {
                self.history = history(&self.trace, thread)?;
                self.thread = thread;
            }
            let class = self
                .trace
                .test_of(&test.failure)
                .map(|mark| mark.class.replace('.', "/"));
            let mark = test.failure.test.zip(class);
            let mut crashes = chain
                .iter()
                .map(|&id| jinsi_oracle::failure(&self.history, id, mark.clone()));
            if let Some(crash) = crashes.find_map(Result::ok) {
                self.crash = Ok(with_message_of_jdk(crash, &self.trace));
                break;
            }
        }
        self.test = Some(test.name.clone());
        self.test_no = test.failure.test;
        Ok(())
    }
}

impl<'a> Case<'a> {
    /// The failure of a run, ready to be analysed.
    ///
    /// # Errors
    /// The run has none.
    pub fn of(run: &'a Run) -> Result<Self, PipelineError> {
        match &run.crash {
            Ok(crash) => Ok(Self { run, crash }),
            Err(none) => Err((*none).into()),
        }
    }
}

fn directory(test: &str, taken: &mut HashSet<String>) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-$".contains(c);
    let safe: String = test
        .trim_start_matches('.')
        .chars()
        .take(NAME)
        .map(|c| if plain(c) { c } else { '_' })
        .collect();
    let names = (1..).map(|n| match n {
        1 => safe.clone(),
        _ => format!("{safe}-{n}"),
    });
    let mut free = names.skip_while(|name| taken.contains(&name.to_lowercase()));
    let name = free.next().unwrap_or_default();
    taken.insert(name.to_lowercase());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_safe_and_different() {
        let mut taken = HashSet::new();
        let mut name = |test: &str| directory(test, &mut taken);
        assert_eq!(name("a.B.c[2]"), "a.B.c_2_");
        assert_eq!(name("a.B.c(2)"), "a.B.c_2_-2");
        assert_eq!(name("a.b.C[2]"), "a.b.C_2_-3");
        assert_eq!(name("../../etc/passwd"), "_.._etc_passwd");
        assert_eq!(name("a.B.tæst/\n"), "a.B.t_st__");
        assert_eq!(name(&"x".repeat(500)).len(), NAME);
    }

    #[test]
    fn tests_go_by_several_names() {
        let test = FailedTest {
            name: "a.BTest.adds[2]".into(),
            failure: Failure {
                kind: FailureKind::Test,
                throwable: 1,
                thread: 0,
                test: Some(0),
            },
        };
        for name in [
            "a.BTest.adds[2]",
            "a.BTest#adds[2]",
            "a.BTest.adds",
            "a.BTest",
            "adds",
        ] {
            assert!(test.is_named(name), "{name}");
        }
        for name in ["a.BTest.adds[1]", "BTest", "a", "a.BTest.add", ""] {
            assert!(!test.is_named(name), "{name}");
        }
    }
}
