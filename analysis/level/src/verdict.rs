//! What the run of some interactions of a level comes to.

use std::collections::BTreeMap;

/// How outgoing interactions are matched with recorded ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Each must be the next recorded one; anything else is a divergence.
    Strict,
    /// An alternative is searched forward within the context (Burger, Algorithm 1).
    Resynchronizing,
}

jinsi_wording::messages! {
    /// Why a test is unresolved.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Unresolved {
        /// Another exception than the recorded failure escaped.
        OtherException => "another exception than the recorded one is thrown",
        /// The receiver of an incoming interaction does not exist: its constructor call was left out.
        ReceiverMissing => "the object to call does not exist: the call that creates it is left out",
        /// An observed object needed as argument does not exist.
        ArgumentMissing => "an object to pass does not exist: the call that creates it is left out",
        /// An outgoing interaction was asked for that was never recorded in its context.
        NeverRecorded => "the program makes a call that was not recorded",
        /// It was recorded in its context, but no answer is left.
        NoAlternative => "the program makes a call more often than was recorded",
        /// The receiver of an outgoing interaction is null and the recorded one did not throw.
        NullReceiver => "the program calls a method on null, unlike the recorded run",
        /// The receiver is another object than recorded.
        OtherReceiver => "the program calls another object than in the recorded run",
        /// Another array than recorded was accessed.
        OtherArray => "the program uses another array than in the recorded run",
        /// The replay itself failed, not the program: the worker died, did not answer in time, or met what it cannot replay.
        Harness => "the replay could not be finished",
        /// The step budget is used up.
        Budget => "the replay takes too many steps",
        /// A strict replay did something else than what was recorded next.
        Divergence => "the replay does something else than the recorded run",
    }
}

impl Unresolved {
    /// Stable name, as `report.json` has it.
    pub fn name(self) -> &'static str {
        match self {
            Unresolved::OtherException => "other_exception",
            Unresolved::ReceiverMissing => "receiver_missing",
            Unresolved::ArgumentMissing => "argument_missing",
            Unresolved::NeverRecorded => "never_recorded",
            Unresolved::NoAlternative => "no_alternative",
            Unresolved::NullReceiver => "null_receiver",
            Unresolved::OtherReceiver => "other_receiver",
            Unresolved::OtherArray => "other_array",
            Unresolved::Harness => "harness",
            Unresolved::Budget => "budget",
            Unresolved::Divergence => "divergence",
        }
    }
}

/// What a test came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TestOutcome {
    /// The recorded failure appeared.
    Failing,
    /// All interactions ran and it did not.
    #[default]
    Passing,
    /// Neither can be said.
    Unresolved(Unresolved),
}

/// An exception that reached the driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Escaped {
    /// Binary name of its class.
    pub class: String,
    /// Its message, if any.
    pub message: Option<String>,
}

/// Result of one test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestResult {
    /// What it came to.
    pub outcome: TestOutcome,
    /// For a person: the event concerned, what was expected and what happened; may be empty.
    pub detail: String,
    /// Whether an answer was taken out of its recorded place.
    pub resynchronized: bool,
    /// What else was noticed: answers out of place, differing arguments.
    pub notes: Vec<String>,
    /// Numbers, as the session counts them, of the outgoing interactions whose answers were used, in order of use.
    pub used_answers: Vec<u32>,
    /// The exception that ended the test, if one did.
    pub exception: Option<Escaped>,
    /// Backward branches taken or passed by observed code.
    pub back_edges: u64,
    /// For `NeverRecorded` and `NoAlternative`: internal name of the class whose answer was missing.
    pub blocked_on: Option<String>,
    /// Number of the interaction in which, or before which, the test ended before its list did.
    pub ended_in: Option<u32>,
    /// Different source lines of observed code that were executed; 0 if the session does not count them.
    pub lines: u32,
    /// Which way the test went through observed code, line by line and branch by branch, as a hash; 0 if the session does not count lines.
    pub way: u64,
    /// Internal names of the classes of stand-ins, each with that of the recorded class in whose place it is; of a worker that was
    /// informed that it is recorded.
    pub stand_ins: BTreeMap<String, String>,
    /// What the test was to watch: of values and states a line for each access path from there, with a tabulator and what is there
    /// behind it. `None` if nothing was asked for, or it did not come about.
    pub watched: Option<String>,
}

impl TestResult {
    /// The result of a test that the harness could not finish.
    pub fn harness(detail: String) -> Self {
        Self {
            outcome: TestOutcome::Unresolved(Unresolved::Harness),
            detail,
            resynchronized: false,
            notes: Vec::new(),
            used_answers: Vec::new(),
            exception: None,
            back_edges: 0,
            blocked_on: None,
            ended_in: None,
            lines: 0,
            way: 0,
            stand_ins: BTreeMap::new(),
            watched: None,
        }
    }
}
