//! Runs real JVMs, and fetches real jars.

use std::fs;
use std::path::PathBuf;
use std::thread;

use jinsi_jdk::junit::{self, Failure, JunitError, JunitResult};
use jinsi_jdk::maven::FetchError;
use jinsi_jdk::{Jdk, compile, maven};

const TESTS: &str = r#"
package p;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

class SomeTest {
    static final class Answer {
        int get() { return 1; }
    }

    @Test void passes() { }

    @Test void fails() {
        Object nothing = System.getProperty("p.nothing");
        if (nothing == null) { throw new IllegalStateException("two\nlines <&> \u0001 ]]> \u00e9", new RuntimeException("cause")); }
    }

    @Test void failsWithoutMessage() { throw new IllegalStateException(); }

    @Test void asserts() { assertEquals(1, 2); }

    @Test @Disabled("later") void isDisabled() { }

    @Test void mocksAFinalClass() {
        Answer answer = mock(Answer.class);
        when(answer.get()).thenReturn(42);
        assertEquals(42, answer.get());
    }
}
"#;

/// Compiles `source` as `p.SomeTest`; the class path to run it with.
fn class_path_of(jdk: &Jdk, directory: &tempfile::TempDir, source: &str) -> Vec<PathBuf> {
    let mut class_path = maven::fetch(&[&[maven::JUNIT], &maven::MOCKITO[..]].concat()).unwrap();
    let file = directory.path().join("SomeTest.java");
    fs::write(&file, source).unwrap();
    let out = directory.path().join("classes");
    compile::javac(jdk, &[file], &class_path, &out).unwrap();
    class_path.push(out);
    class_path
}

#[test]
fn outcomes_on_every_jdk_of_the_machine() {
    let jdks = Jdk::all().unwrap();
    let usable = |jdk: &&Jdk| jdk.javac().is_some() && jdk.version().feature >= 17;
    thread::scope(|threads| {
        for jdk in jdks.iter().filter(usable) {
            threads.spawn(|| check_outcomes(jdk));
        }
    });
}

fn check_outcomes(jdk: &Jdk) {
    let directory = tempfile::tempdir().unwrap();
    let class_path = class_path_of(jdk, &directory, TESTS);
    let outcomes = junit::run(jdk, &class_path, &["p.SomeTest"], &[]).unwrap();
    assert_eq!(outcomes.len(), 6, "{outcomes:?}");
    let result = |method: &str| {
        let outcome = outcomes.iter().find(|outcome| outcome.method == method);
        &outcome
            .unwrap_or_else(|| panic!("no {method} on {}: {outcomes:?}", jdk.version()))
            .result
    };
    let failure = |method: &str| -> &Failure {
        match result(method) {
            JunitResult::Failed(failure) => failure,
            other => panic!("{method} on {}: {other:?}", jdk.version()),
        }
    };
    assert_eq!(result("passes"), &JunitResult::Passed);
    assert_eq!(result("mocksAFinalClass"), &JunitResult::Passed);
    assert!(matches!(result("isDisabled"), JunitResult::Skipped(_)));
    assert_eq!(
        failure("fails").exception,
        "java.lang.IllegalStateException"
    );
    assert_eq!(
        failure("fails").message.as_deref(),
        Some("two\nlines <&> \u{1} ]]> é")
    );
    let top = &failure("fails").frames[0];
    assert_eq!(
        (top.class.as_str(), top.method.as_str(), top.line),
        ("p.SomeTest", "fails", 20)
    );
    assert_eq!(failure("failsWithoutMessage").message, None);
    assert_eq!(
        failure("asserts").exception,
        "org.opentest4j.AssertionFailedError"
    );
    let options = ["-Dp.nothing=something".to_owned()];
    let outcomes = junit::run(jdk, &class_path, &["p.SomeTest"], &options).unwrap();
    let fails = outcomes
        .iter()
        .find(|outcome| outcome.method == "fails")
        .unwrap();
    assert_eq!(fails.result, JunitResult::Passed, "options reach the JVM");
}

#[test]
fn trouble_with_the_launcher_is_an_error() {
    let jdk = Jdk::find(None).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let source =
        "package p; class SomeTest { @org.junit.jupiter.api.Test void ends() { System.exit(0); } }";
    let class_path = class_path_of(&jdk, &directory, source);
    let error = junit::run(&jdk, &class_path, &["p.SomeTest"], &[]).unwrap_err();
    assert!(matches!(error, JunitError::NoReport { .. }), "{error}");
    let error = junit::run(&jdk, &class_path, &["p.Missing"], &[])
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("(Caused by: java.lang.ClassNotFoundException: p.Missing)"),
        "{error}"
    );
    let error = junit::run(&jdk, &[], &["p.SomeTest"], &[])
        .unwrap_err()
        .to_string();
    assert!(error.contains("ConsoleLauncher"), "{error}");

    let class_path = class_path_of(&jdk, &directory, "package p; class SomeTest { }");
    let error = junit::run(&jdk, &class_path, &["p.SomeTest"], &[]).unwrap_err();
    assert!(matches!(error, JunitError::NoTests(_)), "{error}");
}

#[test]
fn what_no_repository_has_is_named() {
    let error = maven::fetch(&["joda-time:joda-time:0.0.0-none"]).unwrap_err();
    let text = error.to_string();
    assert!(
        matches!(
            error,
            FetchError::Missing { .. } | FetchError::Offline { .. }
        ),
        "{text}"
    );
    assert!(text.contains("joda-time:joda-time:0.0.0-none"), "{text}");
}
