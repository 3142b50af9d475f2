//! What became of JUnit tests.

/// What became of one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestOutcome {
    /// Binary name of the test class.
    pub class: String,
    /// Name of the test method; with its parameter types if it has any.
    pub method: String,
    /// How it ended.
    pub result: JunitResult,
}

/// How a test of JUnit ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JunitResult {
    /// Returned.
    Passed,
    /// Ended by an exception, failed assertions included.
    Failed(Failure),
    /// Disabled, or given up because an assumption did not hold; with JUnit's reason.
    Skipped(String),
}

/// The exception that ended a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Binary name of its class.
    pub exception: String,
    /// Its message, if it has one.
    pub message: Option<String>,
    /// Its stack, top first, without that of its causes. Complete down to the launcher.
    pub frames: Vec<Frame>,
    /// The stack trace as printed, causes included.
    pub trace: String,
}

/// One entry of a stack trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Binary name of the class.
    pub class: String,
    /// Name of the method.
    pub method: String,
    /// Source file, if known.
    pub file: Option<String>,
    /// Line, from 1; 0 if unknown.
    pub line: i32,
}
