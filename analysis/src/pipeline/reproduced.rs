//! Is the end of a written test the recorded failure?

use std::path::PathBuf;

use crate::minimized::Reproduction;
use jinsi_jdk::junit::{self, JunitResult};
use jinsi_jdk::surefire;
use jinsi_level::chance::without_chance;
use jinsi_level::program::is_the_programs;
use jinsi_level::{CrashPredicate, frameworks};
use jinsi_oracle::assertion;
use jinsi_oracle::timeout::is_timeout;

/// The recorded failure as a level has it.
#[derive(Clone)]
pub(super) enum ExpectedFailure {
    /// An exception.
    Exception(CrashPredicate),
    /// An exception, or an assertion that another one should have come in its place.
    Instead(CrashPredicate),
    /// An exception, or an assertion about it.
    OfException(CrashPredicate),
    /// An assertion about a value that reads so, if that is known.
    Value(Option<String>),
    /// An assertion, or an exception of this class out of the test's own code.
    InTest(String),
    /// An assertion that asks a predicate, whose class is in this directory.
    Predicate(PathBuf),
    /// A time-out.
    Endless,
}

/// What became of a test; and, unless it reproduces, why.
pub(super) type Outcome = (Reproduction, String);

/// The test that ended.
#[derive(Clone, Copy)]
pub(super) struct Tried<'a> {
    /// Binary name of its class.
    pub(super) class: &'a str,
    /// Only the program's own code runs in it: nothing answers for another class, and so may throw.
    pub(super) is_plain: bool,
    /// Feature release of the JVM that ran it.
    pub(super) jdk: u32,
}

/// Is this the recorded failure?
pub(super) fn judge(
    result: &JunitResult,
    recorded: &ExpectedFailure,
    test: Tried<'_>,
) -> (Reproduction, String) {
    let JunitResult::Failed(failure) = result else {
        return (Reproduction::Passes, "the test passes".into());
    };
    let top = failure
        .frames
        .iter()
        .find(|f| !f.method.starts_with("jinsi$"));
    let same = match recorded {
        ExpectedFailure::Exception(predicate) => is_exception(failure, predicate, test),
        ExpectedFailure::Instead(predicate) => {
            is_exception(failure, predicate, test) || is_about(failure, Some(&predicate.class))
        }
        ExpectedFailure::OfException(predicate) => {
            is_exception(failure, predicate, test) || is_about(failure, None)
        }
        ExpectedFailure::Value(actual) => is_about(failure, actual.as_deref()),
        ExpectedFailure::InTest(class) => {
            is_about(failure, None) || is_thrown_in(failure, class, test.class)
        }
        ExpectedFailure::Predicate(_) => is_about(failure, None),
        ExpectedFailure::Endless => {
            let message = failure.message.as_deref().unwrap_or_default();
            is_timeout(&failure.exception, message)
        }
    };
    if same {
        return (Reproduction::Reproduces, String::new());
    }
    let place = top.map_or_else(String::new, |f| {
        format!(" at {}.{}:{}", f.class, f.method, f.line)
    });
    let message = failure.message.as_deref().unwrap_or("no message");
    (
        Reproduction::FailsOtherwise,
        format!(
            "the test fails with {} ({message}){place}",
            failure.exception
        ),
    )
}

/// Is it the recorded exception, or one that was caused by it?
fn is_exception(failure: &junit::Failure, predicate: &CrashPredicate, test: Tried<'_>) -> bool {
    std::iter::once(failure)
        .chain(&surefire::causes(&failure.trace))
        .any(|failure| is_this(failure, predicate, test))
}

/// Type, message and throwing place are compared, as in the replay.
fn is_this(failure: &junit::Failure, predicate: &CrashPredicate, test: Tried<'_>) -> bool {
    // A test shows what `getMessage()` gives, the predicate is what is stored; a class of the program may put more around it. A report has its own line ends.
    let plain = |text: &String| text.replace('\r', "");
    let shows = |stored: &String| {
        let message = failure.message.as_ref();
        message.is_some_and(|m| {
            let (m, stored) = (plain(m), plain(stored));
            m.contains(&stored) || without_chance(&m).contains(&without_chance(&stored))
        })
    };
    let worded_alike = predicate
        .message_of_jdk
        .is_none_or(|release| release == test.jdk);
    // AssertJ makes an error of JUnit's own kind, in other words, where it finds JUnit.
    let asserts_otherwise = failure.exception != predicate.class
        && frameworks::is_assertion(&failure.exception)
        && frameworks::is_assertion(&predicate.class);
    let same_message =
        !worded_alike || asserts_otherwise || predicate.message.as_ref().is_none_or(shows);
    let anywhere = predicate.at_class.is_empty();
    let own = failure.frames.iter().find(|f| {
        let class = &f.class;
        !f.method.starts_with("jinsi$") && (*class == predicate.at_class || is_the_programs(class))
    });
    // A program may take its own frames out of its own exceptions, and with them those of a test in its package.
    let is_cleaned = test.is_plain
        && own.is_none_or(|f| f.class == test.class)
        && is_the_programs(&predicate.class)
        && predicate.message.is_some();
    let is_there = own.is_some_and(|f| {
        let line = predicate.at_line <= 0 || f.line <= 0 || f.line == predicate.at_line;
        f.class == predicate.at_class && f.method == predicate.at_method && line
    });
    let same_place = anywhere || is_there || is_cleaned;
    let same_class = failure.exception == predicate.class || asserts_otherwise;
    same_class && same_message && same_place
}

/// Is it an exception of this class that the code of the test threw, or what it called that is no code of the program's?
fn is_thrown_in(failure: &junit::Failure, class: &str, test: &str) -> bool {
    let mut own = failure.frames.iter().filter(|f| is_the_programs(&f.class));
    failure.exception == class && own.next().is_some_and(|f| f.class == test)
}

/// Is it an assertion, and about a value that reads `actual`?
fn is_about(failure: &junit::Failure, actual: Option<&str>) -> bool {
    let text = failure.message.as_deref().unwrap_or_default();
    let same = actual.is_none_or(|actual| {
        let frames = failure.frames.iter();
        let frames = frames.map(|f| (f.class.as_str(), f.method.as_str()));
        assertion::is_about(text, frames, actual)
    });
    // That the replay of a test cannot go on is no finding of the test's.
    let of_replay = text.starts_with("replay: ");
    frameworks::is_assertion(&failure.exception) && same && !of_replay
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(class: &str, message: &str, frames: &[&str]) -> JunitResult {
        let frames = frames.iter().map(|class| junit::Frame {
            class: (*class).to_owned(),
            method: "count".into(),
            file: None,
            line: 7,
        });
        JunitResult::Failed(junit::Failure {
            exception: class.into(),
            message: Some(message.into()),
            frames: frames.collect(),
            trace: String::new(),
        })
    }

    #[test]
    fn what_a_program_took_its_frames_out_of_is_known_by_its_message() {
        let reproduces = |is_plain: bool, class: &str, result: JunitResult| {
            let recorded = ExpectedFailure::Exception(CrashPredicate {
                class: class.into(),
                message: Some("no cow".into()),
                at_class: "farm.Herd".into(),
                at_method: "count".into(),
                at_line: 7,
                ..CrashPredicate::default()
            });
            let test = Tried {
                class: "farm.HerdLevel1Test",
                is_plain,
                jdk: 17,
            };
            judge(&result, &recorded, test).0 == Reproduction::Reproduces
        };
        let (own, jdks) = ("farm.NoCow", "java.lang.IllegalStateException");
        let cleaned = ["farm.HerdLevel1Test"];
        for (expected, class, message, frames) in [
            (
                true,
                own,
                "no cow",
                &["farm.Herd", "farm.HerdLevel1Test"][..],
            ),
            (true, own, "no cow", &cleaned[..]),
            (true, own, "no cow", &["java.lang.Thread"][..]),
            (false, own, "no hen", &cleaned[..]),
            (
                false,
                own,
                "no cow",
                &["farm.Stable", "farm.HerdLevel1Test"][..],
            ),
            (false, jdks, "no cow", &cleaned[..]),
        ] {
            let result = failed(class, message, frames);
            assert_eq!(
                reproduces(true, class, result),
                expected,
                "{class} {message} {frames:?}"
            );
        }
        // What a mock throws is made in the test.
        assert!(!reproduces(false, own, failed(own, "no cow", &cleaned)));
    }
}
