//! What makes a replay failing, where that is no exception out of the observed code (`docs/oracles.md`).
//!
//! A failed assertion says that a value was wrong. The exception itself is thrown by code that the interesting levels do not observe; what
//! they have is the interaction that *delivered* the value. At such a level a replay fails if this interaction gives the same wrong value again,
//! equal by content, and it passes if that gives another one or is not reached. What came after it had no part in the failure, and is
//! no circumstance.

pub mod asserted;
pub mod assertion;
pub mod chain;
mod delivery;
pub mod failure;
mod format;
pub mod given;
mod output;
pub mod predicate;
mod text;

use std::collections::BTreeSet;

use jinsi_trace::model::{MarkNo, ObjectId, Value};

use crate::asserted::Asserted;
use crate::chain::state::Predicate;
use crate::delivery::Seen;
use crate::failure::{Crash, StackLevel, predicate, unwound};
pub use asserted::{Demand, Term};
use assertion::Assertion;
use jinsi_history::failures::NoCrash;
use jinsi_history::{History, Moment, NodeKind};
use jinsi_level::{Interaction, Level, NodeNo, Outcome};
pub use output::Writing;
use predicate::UserPredicate;

/// What a replay must show to count as failing.
#[derive(Clone, Debug, PartialEq)]
pub enum Oracle {
    /// The exception of the crash.
    Exception,
    /// A wrong value.
    Value(Box<WrongValue>),
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
            Oracle::Value(wrong) if wrong.found == FoundBy::Given => "value",
            Oracle::Value(_) => "assertion",
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
        !matches!(self, Oracle::Value(_) | Oracle::Endless { .. })
    }

    /// Internal names of the classes that drove the rest, where the levels are not those of a stack.
    pub fn callers(&self) -> Option<&BTreeSet<String>> {
        match self {
            Oracle::Value(wrong) => Some(&wrong.callers),
            Oracle::Predicate(wrong) => Some(&wrong.callers),
            _ => None,
        }
    }

    /// Where the failure shows, if it is no exception.
    pub fn node(&self) -> Option<NodeNo> {
        match self {
            Oracle::Exception => None,
            Oracle::Value(wrong) => Some(wrong.node),
            Oracle::Output(wrong) => Some(wrong.node),
            Oracle::State(wrong) => Some(wrong.node),
            Oracle::Predicate(wrong) => Some(wrong.node),
            Oracle::Exit { node, .. } | Oracle::Endless { node } => Some(*node),
        }
    }

    /// The driven interaction of `level` in which it shows, if it is no exception.
    pub fn interaction<'l>(&self, level: &'l Level) -> Option<&'l Interaction> {
        let node = self.node()?;
        let behind = level.interactions.partition_point(|i| i.node <= node);
        level.interactions.get(behind.checked_sub(1)?)
    }

    /// Takes out of `level` what came after the failure.
    pub fn cut(&self, level: &mut Level) {
        if let Some(no) = self.interaction(level).map(|i| i.no) {
            level.interactions.truncate(no as usize + 1);
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
    /// Internal names of the recorded classes that drove the rest and made the assertion: the test.
    pub callers: BTreeSet<String>,
}

impl WrongValue {
    /// The driven interaction of `level` that delivers the value; `None` if the level observes the test itself.
    pub fn interaction<'l>(&self, level: &'l Level) -> Option<&'l Interaction> {
        let at = level.interactions.partition_point(|i| i.node < self.node);
        level.interactions.get(at).filter(|i| i.node == self.node)
    }

    /// The wrong value as the assertion shows it, else as it reads.
    pub fn actual(&self) -> Option<&str> {
        let shown = self.assertion.actual.as_deref();
        let compared = self.found == FoundBy::Shown || matches!(self.expected, Expected::Text(_));
        shown.filter(|_| compared).or(self.text.as_deref())
    }
}

/// The failure by the exception `throwable`: the value that it complains of if it is that of an assertion, else the exception itself.
/// `test` is the test that it ended, of the class `test_class` (internal name), if a framework told.
///
/// # Errors
/// See [`NoCrash`].
pub fn failure(
    history: &History,
    throwable: ObjectId,
    test: Option<(MarkNo, String)>,
) -> Result<Crash, NoCrash> {
    let assertion = assertion_failure(history, throwable, test);
    assertion.map_or_else(|| Crash::of(history, throwable), Ok)
}

fn assertion_failure(
    history: &History,
    throwable: ObjectId,
    test: Option<(MarkNo, String)>,
) -> Option<Crash> {
    if history.tables().at_boundary() {
        return None;
    }
    let def = history.tables().throwable(throwable)?;
    let stack = unwound(history, throwable);
    let mut callers: BTreeSet<String> = stack
        .iter()
        .map(|&n| history.entity_class(n).to_owned())
        .collect();
    // Of a test only what the thread has that told of it.
    let span = match &test {
        Some((no, _)) => Some(history.test_span(*no)?),
        None => None,
    };
    let is_recorded = |class: &String| history.tables().observed_classes().any(|c| c == class);
    callers.extend(test.map(|(_, class)| class).filter(is_recorded));
    let assertion = assertion::of(def, &callers)?;
    let end = stack.first().map(|&n| history.node(n).close);
    let (from, to) = span.unwrap_or((Moment::BEGINNING, history.last_moment()));
    let seen = Seen {
        history,
        callers: &callers,
        from,
        to: end.unwrap_or(to),
        throwable,
    };
    if let Some(thrown) = seen.thrown() {
        let crash = Crash::of(history, thrown.throwable).ok()?;
        return Some(Crash {
            wanted: thrown.wanted.or(crash.wanted.clone()),
            ..crash
        });
    }
    let wrong = match seen.asserted() {
        Some(asserted) => wrong_as_asserted(&seen, assertion, asserted),
        // It is about several things, or about none that was delivered: the text of its error does not tell which.
        None if seen.has_asserted() => None,
        None => wrong_as_shown(&seen, assertion),
    }?;
    Some(Crash {
        throwable,
        predicate: predicate(history, def, stack.first().copied()),
        levels: levels(history, wrong.node, &wrong.callers),
        stack_matches: true,
        oracle: Oracle::Value(Box::new(wrong)),
        wanted: None,
    })
}

/// The wrong value by the assertion as the test made it.
fn wrong_as_asserted(
    seen: &Seen,
    mut assertion: Assertion,
    asserted: Asserted,
) -> Option<WrongValue> {
    let history = seen.history;
    let Outcome::Return(Some(value)) = history.outcome(asserted.node) else {
        return None;
    };
    let (compared, at) = &asserted.compared;
    let own = |value: &Value| text::of(history, value, *at);
    assertion.actual = own(compared).or(assertion.actual);
    assertion.expected = asserted
        .expected
        .as_ref()
        .and_then(own)
        .or(assertion.expected);
    assertion.index = None;
    Some(WrongValue {
        node: asserted.node,
        text: text::of(history, &value, history.node(asserted.node).close),
        value,
        element: None,
        expected: Expected::Unknown,
        assertion,
        demand: asserted.demand,
        compared: Some(asserted.compared.0),
        found: FoundBy::Asserted,
        callers: seen.callers.clone(),
    })
}

/// The wrong value by what the error of the assertion shows.
fn wrong_as_shown(seen: &Seen, assertion: Assertion) -> Option<WrongValue> {
    let history = seen.history;
    let (node, found) = seen.delivery(&assertion)?;
    let Outcome::Return(Some(value)) = history.outcome(node) else {
        return None;
    };
    let at = history.node(node).close;
    let element = assertion
        .index
        .filter(|_| found == FoundBy::Shown)
        .and_then(|index| text::element(history, &value, at, index));
    let compared = element.as_ref().unwrap_or(&value);
    let text = text::of(history, &value, at);
    let object_without_text = matches!(value, Value::Object(_)) && text.is_none();
    let expected = match &assertion.expected {
        // How it reads is known from the assertion alone; whether it is this value, the written test will show.
        Some(expected) if found != FoundBy::Shown && object_without_text => {
            Expected::Text(expected.clone())
        }
        _ if found == FoundBy::Shown => text::expected(compared, &assertion),
        _ => Expected::Unknown,
    };
    Some(WrongValue {
        node,
        text,
        value,
        element,
        expected,
        assertion,
        demand: None,
        compared: None,
        found,
        callers: seen.callers.clone(),
    })
}

/// The levels of a failure that shows at `at`: the class that is asked there, then all whose code ran for that, then everything but the
/// `callers`, then all that was recorded. Those that add nothing are left out.
fn levels(history: &History, at: NodeNo, callers: &BTreeSet<String>) -> Vec<StackLevel> {
    let node = history.node(at);
    let class = match node.kind {
        NodeKind::Activation => history.entity_class(at),
        _ => history.member(at).map_or("", |_| target_class(history, at)),
    }
    .to_owned();
    let recorded: BTreeSet<String> = history
        .tables()
        .observed_classes()
        .map(str::to_owned)
        .collect();
    let narrow = BTreeSet::from([class.clone()]);
    let computing = at
        .until(node.end)
        .filter(|&n| history.node(n).kind == NodeKind::Activation)
        .map(|n| history.entity_class(n).to_owned())
        .filter(|c| recorded.contains(c));
    let computing: BTreeSet<String> = narrow.iter().cloned().chain(computing).collect();
    let all_but_test = recorded.difference(callers).cloned().collect();
    let mut levels: Vec<StackLevel> = Vec::new();
    for observed in [narrow, computing, all_but_test, recorded] {
        if levels.last().is_some_and(|l| l.observed == observed) {
            continue;
        }
        let joins = match observed.intersection(callers).next() {
            Some(caller) => caller.clone(),
            None => class.clone(),
        };
        levels.push(StackLevel {
            entity: history.entity(at),
            class: joins,
            activations: vec![at],
            observed,
        });
    }
    levels
}

/// The class whose member the access `n` reads.
fn target_class(history: &History, n: NodeNo) -> &str {
    let receiver = history.class_of_value(history.receiver(n));
    receiver.unwrap_or_else(|| history.site(n).map_or("", |s| &s.target.owner))
}
