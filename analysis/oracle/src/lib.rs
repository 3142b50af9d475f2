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
mod groovy;
mod levels;
mod looks;
mod output;
pub mod predicate;
mod term;
mod testcode;
mod text;
pub mod timeout;
mod writing;
mod wrong;

use std::cell::Cell;
use std::collections::BTreeSet;

use jinsi_trace::model::{MarkNo, ObjectId, ThrowableDef, Value};

use crate::asserted::{Asserted, Exceptional};
use crate::delivery::Seen;
use crate::failure::{Crash, catchers, predicate, unwound};
use crate::levels::{levels_by, levels_of};
pub use asserted::Instead;
use assertion::Assertion;
use jinsi_history::failures::NoCrash;
use jinsi_history::{History, Moment};
use jinsi_level::frameworks::{is_assertion, is_framework};
use jinsi_level::{CrashPredicate, NodeNo, Outcome};
pub use term::{Demand, Term, WantedException};
use testcode::is_of_test;
pub use writing::Writing;
pub use wrong::{
    Expected, FailedAssertion, FoundBy, GivenOn, Oracle, Sources, WrongObject, WrongOutput,
    WrongState, WrongValue,
};

/// The failure by the exception `throwable`: the value that it complains of if it is that of an assertion, else the exception itself.
/// `test` is the test that it ended, of the class `test_class` (internal name), if a framework reported.
///
/// # Errors
/// See [`NoCrash`].
pub fn failure(
    history: &History,
    throwable: ObjectId,
    test: Option<(MarkNo, String)>,
) -> Result<Crash, NoCrash> {
    let found = declared_failure(history, throwable, &test)
        .or_else(|| specified_failure(history, throwable, &test))
        .or_else(|| assertion_failure(history, throwable, &test))
        .or_else(|| failure_in_test(history, throwable, &test));
    found.map_or_else(|| Crash::of(history, throwable), Ok)
}

/// The failure by a value that a test's own code could not go on with.
fn failure_in_test(
    history: &History,
    throwable: ObjectId,
    test: &Option<(MarkNo, String)>,
) -> Option<Crash> {
    if history.tables().at_boundary() {
        return None;
    }
    let def = history.tables().throwable(throwable)?;
    let stack = unwound(history, throwable);
    let named = test.as_ref().map(|(_, class)| class.as_str());
    let of_test = |&n: &NodeNo| is_of_test(history, history.entity_class(n), named);
    if is_assertion(&def.class) || !stack.iter().all(of_test) {
        return None;
    }
    let callers: BTreeSet<String> = classes(history, &stack);
    let seen = seen_by(history, throwable, test, &callers, &stack)?;
    let message = def.text.as_deref().or(def.message.as_deref());
    let used = seen.used(*stack.first()?, message.unwrap_or_default())?;
    let wrong = wrong_as_asserted(&seen, Assertion::default(), used)?;
    let wrong = WrongValue {
        found: FoundBy::Used,
        ..wrong
    };
    Some(by_value(history, def, &stack, wrong))
}

fn classes(history: &History, stack: &[NodeNo]) -> BTreeSet<String> {
    let classes = stack.iter().map(|&n| history.entity_class(n).to_owned());
    classes.collect()
}

/// What the test saw up to where the exception left the first of its activations `stack`.
fn seen_by<'a>(
    history: &'a History,
    throwable: ObjectId,
    test: &Option<(MarkNo, String)>,
    callers: &'a BTreeSet<String>,
    stack: &[NodeNo],
) -> Option<Seen<'a>> {
    // Of a test only what the thread has that reported it.
    let span = match test {
        Some((no, _)) => Some(history.test_span(*no)?),
        None => None,
    };
    let end = stack.first().map(|&n| history.node(n).close);
    let (from, to) = span.unwrap_or((Moment::BEGINNING, history.last_moment()));
    Some(Seen {
        history,
        callers,
        from,
        to: end.unwrap_or(to),
        throwable,
        patience: Cell::new(delivery::PATIENCE),
    })
}

/// The failure that shows as a wrong value.
fn by_value(history: &History, def: &ThrowableDef, stack: &[NodeNo], wrong: WrongValue) -> Crash {
    Crash {
        throwable: def.id,
        predicate: predicate(history, def, stack.first().copied()),
        levels: levels_of(history, &wrong),
        stack_matches: true,
        oracle: Oracle::Value(Box::new(wrong)),
        catchers: BTreeSet::new(),
        wanted: None,
    }
}

fn assertion_failure(
    history: &History,
    throwable: ObjectId,
    test: &Option<(MarkNo, String)>,
) -> Option<Crash> {
    if history.tables().at_boundary() {
        return None;
    }
    let def = history.tables().throwable(throwable)?;
    let span = test.as_ref().and_then(|(no, _)| history.test_span(*no));
    let thrown = asserted::spock::thrown_first(history, def, span).unwrap_or(throwable);
    let stack = unwound(history, thrown);
    let mut callers = classes(history, &stack);
    // Whoever ran the test has a part in its calls only as it called the test.
    callers.extend(catchers(history, &stack));
    let is_recorded = |class: &String| history.tables().observed_classes().any(|c| c == class);
    let class = test.as_ref().map(|(_, class)| class.clone());
    callers.extend(class.filter(is_recorded));
    let assertion = assertion::of(def, &callers)?;
    let seen = seen_by(history, thrown, test, &callers, &stack)?;
    if let Some(exceptional) = seen.exceptional().or_else(|| seen.inlined()) {
        return by_exception(&seen, def, &stack, exceptional);
    }
    let found = match seen.asserted() {
        Some(asserted) if let Outcome::Throw(id) = history.outcome(asserted.node) => {
            return of_exception(&seen, id, *stack.last()?, asserted.demand?);
        }
        Some(asserted) => wrong_as_asserted(&seen, assertion.clone(), asserted),
        // It is about several things, or about none that was delivered: the text of its error does not tell which.
        None if seen.has_asserted() => None,
        None => wrong_as_shown(&seen, assertion.clone()),
    };
    match found {
        Some(wrong) => Some(by_value(history, def, &stack, wrong)),
        None => of_filled(&seen, def, assertion),
    }
}

/// The failure by an assertion about an object of the test's own that code under test has filled. Nobody gave it, so the assertion itself is made again.
fn of_filled(seen: &Seen, def: &ThrowableDef, assertion: Assertion) -> Option<Crash> {
    let (chain, by) = seen.filled()?;
    let node = *chain.last()?;
    Some(Crash {
        throwable: def.id,
        predicate: CrashPredicate {
            at_class: String::new(),
            at_method: String::new(),
            at_line: 0,
            ..predicate(seen.history, def, None)
        },
        levels: levels_by(seen.history, by, seen.callers),
        stack_matches: true,
        oracle: Oracle::Assertion(Box::new(FailedAssertion {
            node,
            chain,
            assertion,
            callers: seen.callers.clone(),
        })),
        catchers: BTreeSet::new(),
        wanted: None,
    })
}

/// The failure that an engine of tests found when the test was over: the exception that it had declared did not come, or was another one.
fn declared_failure(
    history: &History,
    throwable: ObjectId,
    test: &Option<(MarkNo, String)>,
) -> Option<Crash> {
    let (_, class) = test.as_ref().filter(|_| !history.tables().at_boundary())?;
    let def = history.tables().throwable(throwable)?;
    let by_engine = is_framework(&def.frames.first()?.class);
    let stack = unwound(history, throwable);
    if !by_engine || !stack.is_empty() {
        return None;
    }
    let tables = history.tables();
    let ancestors = tables.superclasses(class).map(str::to_owned);
    let recorded: BTreeSet<&str> = tables.observed_classes().collect();
    let callers: BTreeSet<String> = ancestors
        .filter(|class| recorded.contains(class.as_str()))
        .collect();
    let seen = seen_by(history, throwable, test, &callers, &stack)?;
    by_exception(&seen, def, &stack, seen.declared()?)
}

/// The failure that a specification waited for an exception which did not come: the call that says so is no assertion by its error.
fn specified_failure(
    history: &History,
    throwable: ObjectId,
    test: &Option<(MarkNo, String)>,
) -> Option<Crash> {
    let def = history.tables().throwable(throwable)?;
    if history.tables().at_boundary() || !is_framework(&def.class) {
        return None;
    }
    let stack = unwound(history, throwable);
    let callers = classes(history, &stack);
    let seen = seen_by(history, throwable, test, &callers, &stack)?;
    by_exception(&seen, def, &stack, seen.specified()?)
}

/// The failure by what became of an exception that the test expected, or did not.
fn by_exception(
    seen: &Seen,
    def: &ThrowableDef,
    stack: &[NodeNo],
    exceptional: Exceptional,
) -> Option<Crash> {
    let history = seen.history;
    match exceptional {
        Exceptional::Thrown { throwable, wanted } => {
            let crash = Crash::of(history, throwable).ok()?;
            Some(Crash {
                wanted: wanted.or(crash.wanted.clone()),
                ..crash
            })
        }
        Exceptional::Missing { node, wanted } => {
            let value = match history.outcome(node) {
                Outcome::Return(Some(value)) => value,
                _ => Value::Null,
            };
            let wrong = WrongValue {
                node,
                text: None,
                value,
                element: None,
                expected: Expected::Unknown,
                assertion: Assertion::default(),
                demand: Some(Demand::Throws(wanted)),
                compared: None,
                found: FoundBy::Asserted,
                sources: seen.sources(node, None),
                callers: seen.callers.clone(),
            };
            Some(by_value(history, def, stack, wrong))
        }
    }
}

/// The failure that something is wrong of an exception which the test was to get, as the activation `asserting` of it says.
fn of_exception(
    seen: &Seen,
    throwable: ObjectId,
    asserting: NodeNo,
    demand: Demand,
) -> Option<Crash> {
    let history = seen.history;
    let crash = Crash::of(history, throwable).ok()?;
    let exception = WantedException {
        further: vec![demand],
        ..WantedException::of(seen.class_demanded(throwable)?)
    };
    let by = history.entity_class(asserting).to_owned();
    Some(Crash {
        wanted: Some(Instead { exception, by }),
        ..crash
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
    let text = text::of(history, &value, history.node(asserted.node).close);
    let itself = asserted.demand.is_none() && *compared == value && text.is_none();
    let itself = itself && !text::may_read_otherwise(history, &value, asserted.expected.as_ref());
    let expected = match text::of_other(&assertion) {
        Some(expected) if itself => Expected::Text(expected.to_owned()),
        _ => Expected::Unknown,
    };
    Some(WrongValue {
        sources: seen.sources(asserted.node, asserted.demand.as_ref()),
        node: asserted.node,
        text,
        value,
        element: None,
        expected,
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
        sources: seen.sources(node, None),
        callers: seen.callers.clone(),
    })
}
