//! What makes a run a failure.

use std::collections::BTreeSet;

use jinsi_trace::model::{ObjectId, Value};

use crate::assertion::Assertion;
use crate::chain::state::Predicate;
use crate::predicate::UserPredicate;
use crate::term::{Demand, Term};
use crate::writing::Writing;
use jinsi_level::{Interaction, Level, NodeNo};

/// What a replay must show to count as failing.
#[derive(Clone, Debug, PartialEq)]
pub enum Oracle {
    /// The exception of the crash.
    Exception,
    /// A wrong value.
    Value(Box<WrongValue>),
    /// An assertion about what code under test has filled: it is made again.
    Assertion(Box<FailedAssertion>),
    /// A text that observed code has written.
    Output(WrongOutput),
    /// The state of an object: a link of a chain.
    State(WrongState),
    /// A predicate of the user's holds of an object.
    Predicate(WrongObject),
    /// The program is ended with a status.
    Exit {
        /// The call that ends it.
        node: NodeNo,
        /// The status.
        status: i32,
    },
    /// It does not end: more backward branches than any test may take.
    Endless {
        /// The innermost activation that was running when the program was stopped.
        node: NodeNo,
    },
}

/// An assertion that failed about something of the test's own, which code under test has filled: a list, an array, a text buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedAssertion {
    /// The test's call of the assertion, the last one of a chain.
    pub node: NodeNo,
    /// The calls of the chain: the one that took the object, and so on to `node`.
    pub chain: Vec<NodeNo>,
    /// What it says.
    pub assertion: Assertion,
    /// Internal names of the recorded classes that drove the rest and made the assertion: the test.
    pub callers: BTreeSet<String>,
}

/// A text that should not have been written.
#[derive(Clone, Debug, PartialEq)]
pub struct WrongOutput {
    /// The call that wrote the last of it.
    pub node: NodeNo,
    /// The text.
    pub text: String,
    /// What it is wrong by.
    pub wrong: Writing,
    /// What should have been written in its place, if that is known.
    pub expected: Option<String>,
}

/// An object of which a predicate of the user's holds.
#[derive(Clone, Debug, PartialEq)]
pub struct WrongObject {
    /// The last activation of such an object.
    pub node: NodeNo,
    /// The predicate.
    pub predicate: UserPredicate,
    /// Internal names of the classes that drove the rest.
    pub callers: BTreeSet<String>,
}

/// A state in which an object, or a class with its static fields, should not be.
#[derive(Clone, Debug, PartialEq)]
pub struct WrongState {
    /// The activation or access since which it is.
    pub node: NodeNo,
    /// The object; `None` if it is the class.
    pub object: Option<ObjectId>,
    /// Binary name of its class.
    pub class: String,
    /// What holds of it.
    pub predicate: Predicate,
}

impl Oracle {
    /// Stable name of the kind of failure, as in `report.json`.
    pub fn name(&self) -> &'static str {
        match self {
            Oracle::Exception => "exception",
            Oracle::Value(wrong) if matches!(wrong.found, FoundBy::Given | FoundBy::Used) => {
                "value"
            }
            Oracle::Value(_) | Oracle::Assertion(_) => "assertion",
            Oracle::Output(_) => "output",
            Oracle::State(_) => "state",
            Oracle::Predicate(_) => "predicate",
            Oracle::Exit { .. } => "exit",
            Oracle::Endless { .. } => "hang",
        }
    }

    /// The value that is wrong, if one is.
    pub fn value(&self) -> Option<&WrongValue> {
        match self {
            Oracle::Value(wrong) => Some(wrong),
            _ => None,
        }
    }

    /// What should have been and what was, as texts, as far as they are known.
    pub fn compared(&self) -> (Option<String>, Option<String>) {
        match self {
            Oracle::Value(wrong) => {
                let says = &wrong.assertion;
                (says.expected.clone(), says.actual.clone())
            }
            Oracle::Assertion(failed) => {
                let says = &failed.assertion;
                (says.expected.clone(), says.actual.clone())
            }
            Oracle::Output(wrong) => (wrong.expected.clone(), Some(wrong.text.clone())),
            Oracle::Exit { status, .. } => {
                let expected = (*status != 0).then(|| "0".to_owned());
                (expected, Some(status.to_string()))
            }
            _ => (None, None),
        }
    }

    /// Can it be the same failure with other values in the calls? What is right for one value is not for another, and of a hang each
    /// attempt takes its time.
    pub fn allows_other_values(&self) -> bool {
        !matches!(
            self,
            Oracle::Value(_) | Oracle::Assertion(_) | Oracle::Endless { .. }
        )
    }

    /// Internal names of the classes that drove the rest, where the levels are not those of a stack.
    pub fn callers(&self) -> Option<&BTreeSet<String>> {
        match self {
            Oracle::Value(wrong) => Some(&wrong.callers),
            Oracle::Assertion(failed) => Some(&failed.callers),
            Oracle::Predicate(wrong) => Some(&wrong.callers),
            _ => None,
        }
    }

    /// Where the failure shows, if it is no exception.
    pub fn node(&self) -> Option<NodeNo> {
        match self {
            Oracle::Exception => None,
            Oracle::Value(wrong) => Some(wrong.node),
            Oracle::Assertion(failed) => Some(failed.node),
            Oracle::Output(wrong) => Some(wrong.node),
            Oracle::State(wrong) => Some(wrong.node),
            Oracle::Predicate(wrong) => Some(wrong.node),
            Oracle::Exit { node, .. } | Oracle::Endless { node } => Some(*node),
        }
    }

    /// The test's calls that are interactions although they are no calls of observed code, if there are any: the last one is where it shows.
    pub fn looks(&self) -> &[NodeNo] {
        match self {
            Oracle::Value(wrong) => std::slice::from_ref(&wrong.node),
            Oracle::Assertion(failed) => &failed.chain,
            _ => &[],
        }
    }

    /// The driven interaction of `level` in which it shows, if it is no exception.
    pub fn interaction<'l>(&self, level: &'l Level) -> Option<&'l Interaction> {
        level.during(self.node()?)
    }

    /// Takes out of `level` what came after the failure, and says what has to stay beside where it shows.
    pub fn cut(&self, level: &mut Level) {
        if let Some(no) = self.interaction(level).map(|i| i.no) {
            level.interactions.truncate(no as usize + 1);
        }
        if let Oracle::Value(wrong) = self {
            let all = level.interactions.iter();
            let beside = all.filter(|i| wrong.sources.nodes.contains(&i.node));
            level.beside = beside.map(|i| i.no).collect();
        }
    }
}

/// How the wrong value was found in the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// It is what the assertion shows as actual.
    Shown,
    /// The value that the assertion shows was taken out of it.
    Source,
    /// The test gave it to the assertion, or what it had made of it.
    Asserted,
    /// It is the last one that the test was given before the assertion; the assertion does not show it.
    Last,
    /// The user named it.
    Given,
    /// The test's own code could not go on with it.
    Used,
}

impl FoundBy {
    /// Stable name, as in `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            FoundBy::Shown => "shown",
            FoundBy::Source => "source",
            FoundBy::Asserted => "asserted",
            FoundBy::Last => "last",
            FoundBy::Given => "given",
            FoundBy::Used => "used",
        }
    }
}

/// What the value should have been.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// This value.
    Value(Value),
    /// Something that reads so, when Java makes a text of it.
    Text(String),
    /// Something else: the assertion does not tell.
    Unknown,
}

/// A value that the failed run found to be wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct WrongValue {
    /// The activation or read access that delivered it.
    pub node: NodeNo,
    /// The value, as recorded.
    pub value: Value,
    /// How it reads, if that follows from the recording: as `String.valueOf` has it, or `Arrays.toString`.
    pub text: Option<String>,
    /// The element that is wrong, if the assertion names one.
    pub element: Option<Value>,
    /// What the value, or the element, should have been.
    pub expected: Expected,
    /// What the assertion says.
    pub assertion: Assertion,
    /// What the test had made of it and given to the assertion, if that was recorded.
    pub compared: Option<Value>,
    /// What the test demanded of it, if its assertion was recorded and can be written again.
    pub demand: Option<Demand>,
    /// How it was found.
    pub found: FoundBy,
    /// What else the test had got has a part in it.
    pub sources: Sources,
    /// Internal names of the recorded classes that drove the rest and made the assertion: the test.
    pub callers: BTreeSet<String>,
}

/// Results of the program's that the test gave on to the program, if they are no objects, or compared with. What follows from a wrong one would be wrong
/// in a test that has it as a literal, whatever is repaired.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sources {
    /// The activations that gave them, ascending.
    pub nodes: Vec<NodeNo>,
    /// The arguments that they were given on as.
    pub given: Vec<GivenOn>,
}

/// An argument that is the result of another call, or was made of one.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenOn {
    /// The activation that was given it.
    pub node: NodeNo,
    /// Its index among the arguments.
    pub index: usize,
    /// How the test had it.
    pub term: Term,
}

impl WrongValue {
    /// The driven interaction of `level` that delivers the value; `None` if the level observes the test itself.
    pub fn interaction<'l>(&self, level: &'l Level) -> Option<&'l Interaction> {
        level.during(self.node).filter(|i| i.node == self.node)
    }

    /// Is it compared with results of other calls?
    pub fn is_compared_with_results(&self) -> bool {
        let mut nodes = BTreeSet::new();
        if let Some(Demand::Equal { expected, .. }) = &self.demand {
            expected.add_results(&mut nodes);
        }
        !nodes.is_empty()
    }

    /// The wrong value as the assertion shows it, else as it reads.
    pub fn actual(&self) -> Option<&str> {
        let shown = self.assertion.actual.as_deref();
        let compared = self.found == FoundBy::Shown || matches!(self.expected, Expected::Text(_));
        // A test may have cut off what is blank: what is left is in both.
        let own = self.text.as_deref().map(str::trim);
        let compared = compared || own.is_some() && own == shown;
        shown.filter(|_| compared).or(self.text.as_deref())
    }
}
