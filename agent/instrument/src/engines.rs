//! Test engines: probes where they report that a test begins, ends or fails. So the program under test needs nothing of ours on its class path.
//!
//! Each engine has one class through which all of its reports go, whoever listens: the names and descriptors below are the same in every
//! release since the first one named beside them.

use jinsi_classfile::class::ClassFile;
use jinsi_classfile::{ACC_STATIC, Asm, Editor};
use jinsi_probes::numbers;

use super::outcome::InstrumentError;

/// The probe: class, method, and its parameters. It takes what is reported, and up to two objects.
const ENGINES: &str = "java/lang/JinsiEngines";
const REPORT: &str = "report";
const REPORT_DESC: &str = "(ILjava/lang/Object;Ljava/lang/Object;)V";
/// How many objects it takes.
const OBJECTS: usize = 2;

/// A method by which an engine reports.
#[derive(Debug)]
struct Report {
    /// Internal name of its class.
    class: &'static str,
    method: &'static str,
    /// Descriptors of the parameters that it has to begin with; these are handed on.
    parameters: &'static [&'static str],
    /// One of the numbers that [`ENGINES`] knows.
    what: i32,
}

const fn report(
    class: &'static str,
    method: &'static str,
    parameters: &'static [&'static str],
    what: i32,
) -> Report {
    Report {
        class,
        method,
        parameters,
        what,
    }
}

const JUNIT_3: &str = "junit/framework/TestResult";
const JUNIT_3_TEST: &str = "Ljunit/framework/Test;";
const JUNIT_4: &str = "org/junit/runner/notification/RunNotifier";
const JUNIT_4_TEST: &str = "Lorg/junit/runner/Description;";
const JUNIT_4_FAILURE: &str = "Lorg/junit/runner/notification/Failure;";
const PLATFORM: &str = "org/junit/platform/launcher/core/ExecutionListenerAdapter";
const PLATFORM_TEST: &str = "Lorg/junit/platform/engine/TestDescriptor;";
const PLATFORM_RESULT: &str = "Lorg/junit/platform/engine/TestExecutionResult;";
/// Of TestNG 5 and 6.
const TESTNG_INVOKER: &str = "org/testng/internal/Invoker";
/// Of later ones.
const TESTNG: &str = "org/testng/internal/TestListenerHelper";
const TESTNG_RESULT: &str = "Lorg/testng/ITestResult;";

const REPORTS: &[Report] = &[
    // JUnit 3.8, also inside of later ones.
    report(
        JUNIT_3,
        "startTest",
        &[JUNIT_3_TEST],
        numbers::JUNIT_3_STARTED,
    ),
    report(JUNIT_3, "endTest", &[JUNIT_3_TEST], numbers::JUNIT_3_ENDED),
    report(
        JUNIT_3,
        "addError",
        &[JUNIT_3_TEST, "Ljava/lang/Throwable;"],
        numbers::JUNIT_3_FAILED,
    ),
    report(
        JUNIT_3,
        "addFailure",
        &[JUNIT_3_TEST, "Ljunit/framework/AssertionFailedError;"],
        numbers::JUNIT_3_FAILED,
    ),
    // JUnit 4.0, also inside of JUnit 5's vintage engine.
    report(
        JUNIT_4,
        "fireTestStarted",
        &[JUNIT_4_TEST],
        numbers::JUNIT_4_STARTED,
    ),
    report(
        JUNIT_4,
        "fireTestFinished",
        &[JUNIT_4_TEST],
        numbers::JUNIT_4_ENDED,
    ),
    report(
        JUNIT_4,
        "fireTestFailure",
        &[JUNIT_4_FAILURE],
        numbers::JUNIT_4_FAILED,
    ),
    // JUnit Platform 1.0: JUnit 5 and later, Spock 2, Kotest, jqwik, Cucumber, …
    report(
        PLATFORM,
        "executionStarted",
        &[PLATFORM_TEST],
        numbers::PLATFORM_STARTED,
    ),
    report(
        PLATFORM,
        "executionFinished",
        &[PLATFORM_TEST, PLATFORM_RESULT],
        numbers::PLATFORM_FINISHED,
    ),
    // TestNG 5.10
    report(
        TESTNG_INVOKER,
        "runTestListeners",
        &[TESTNG_RESULT],
        numbers::TESTNG_REPORTED,
    ),
    report(
        TESTNG_INVOKER,
        "runConfigurationListeners",
        &[TESTNG_RESULT],
        numbers::TESTNG_CONFIGURED,
    ),
    report(
        TESTNG,
        "runTestListeners",
        &[TESTNG_RESULT],
        numbers::TESTNG_REPORTED,
    ),
    report(
        TESTNG,
        "runPostConfigurationListeners",
        &[TESTNG_RESULT],
        numbers::TESTNG_CONFIGURED,
    ),
];

/// Does a test engine report through the class with this internal name?
pub fn is_engine(internal: &str) -> bool {
    REPORTS.iter().any(|report| report.class == internal)
}

/// The class of a test engine, with a probe at the begin of each method by which it reports; `None` if it has no such method.
///
/// # Errors
/// The class is malformed, or has no room for a probe.
pub fn watch_engine(internal: &str, bytes: &[u8]) -> Result<Option<Vec<u8>>, InstrumentError> {
    let reports: Vec<&Report> = REPORTS.iter().filter(|r| r.class == internal).collect();
    if reports.is_empty() {
        return Ok(None);
    }
    let mut class = ClassFile::parse(bytes)?;
    let mut found = false;
    for index in 0..class.methods.len() {
        let method = &class.methods[index];
        let (name, desc) = (method.name(&class.pool)?, method.desc(&class.pool)?);
        let begins = |report: &&&Report| {
            let wanted = report.parameters.concat();
            report.method == name && desc[1..].starts_with(&wanted)
        };
        let Some(report) = reports.iter().find(begins) else {
            continue;
        };
        let first = u16::from(method.access & ACC_STATIC == 0);
        let Some(code) = method.code(&class.pool)? else {
            continue;
        };
        let mut asm = Asm::new();
        asm.int(&mut class.pool, report.what);
        for no in 0..OBJECTS {
            match no < report.parameters.len() {
                true => asm.load('L', first + no as u16),
                false => asm.null(),
            };
        }
        asm.invokestatic(&mut class.pool, ENGINES, REPORT, REPORT_DESC);
        let mut editor = Editor::new(&code, class.major)?;
        editor.entry(&asm)?;
        let code = editor.finish(&mut class.pool)?.code;
        class.methods[index].set_code(&mut class.pool, &code)?;
        found = true;
    }
    Ok(found.then(|| class.to_bytes()).transpose()?)
}
