//! Failures that the user names: a call that returned a wrong value, a text that was written, an exit status, a program that did not end, a
//! state of an object.

use std::collections::BTreeSet;
use std::str::FromStr;

use jinsi_trace::model::{EventId, Prim, Value};

use super::assertion::Assertion;
use super::delivery::target_class;
use super::levels::levels_at;
use super::predicate::UserPredicate;
use super::wrong::{Expected, FoundBy, Oracle, Sources, WrongObject, WrongValue};
use super::{Writing, output, text};
use crate::failure::{Crash, levels, stack};
use jinsi_history::failures::NoCrash;
use jinsi_history::{History, Moment, NodeKind};
use jinsi_level::{CrashPredicate, NodeNo, Outcome};

/// What the user says is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// What a call returned, or a field held.
    Value(WrongCall),
    /// That this was written.
    Output(Writing),
    /// That something else was written than this.
    Instead(String),
    /// That the predicate holds of an object.
    Predicate(UserPredicate),
    /// That the program was ended with this status.
    Exit(i32),
    /// That it did not end.
    Endless,
}

/// A call of a method, or a read of a field, by code outside its class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongCall {
    /// Which it is.
    call: Call,
    /// What it should have returned, as text.
    expected: Option<String>,
}

/// How a call is named.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Call {
    /// By its member.
    Of {
        /// Name of the class, dotted; the package may be left out.
        class: String,
        /// Name of the method or field.
        member: String,
        /// Which of the calls, from 1; the last if `None`.
        occurrence: Option<usize>,
    },
    /// By an event with which it begins or ends.
    At(EventId),
}

/// `CLASS.METHOD`, and behind it `#12` for the twelfth call; or an event; and `=>"value"` for what is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not CLASS.METHOD[#NUMBER][=>EXPECTED] or THREAD:EVENT[=>EXPECTED]")]
pub struct BadCall(String);

impl FromStr for Call {
    type Err = BadCall;

    fn from_str(text: &str) -> Result<Self, BadCall> {
        let bad = || BadCall(text.to_owned());
        if let Ok(event) = text.parse() {
            return Ok(Call::At(event));
        }
        let (member, occurrence) = match text.split_once('#') {
            Some((member, number)) => {
                let number: usize = number.parse().map_err(|_| bad())?;
                (
                    member,
                    Some(number).filter(|n| *n > 0).ok_or_else(bad)?.into(),
                )
            }
            None => (text, None),
        };
        let (class, member) = member.rsplit_once('.').ok_or_else(bad)?;
        if class.is_empty() || member.is_empty() {
            return Err(bad());
        }
        Ok(Call::Of {
            class: class.to_owned(),
            member: member.to_owned(),
            occurrence,
        })
    }
}

impl WrongCall {
    /// `CLASS.METHOD`, if the call is named so.
    pub fn member(&self) -> Option<String> {
        match &self.call {
            Call::Of { class, member, .. } => Some(format!("{class}.{member}")),
            Call::At(_) => None,
        }
    }
}

impl FromStr for WrongCall {
    type Err = BadCall;

    fn from_str(text: &str) -> Result<Self, BadCall> {
        let (call, expected) = match text.split_once("=>") {
            Some((call, expected)) => (call, Some(expected.trim())),
            None => (text, None),
        };
        let unquoted = |text: &str| {
            let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
            inner.unwrap_or(text).to_owned()
        };
        let call = call.trim().parse();
        Ok(Self {
            call: call.map_err(|_: BadCall| BadCall(text.to_owned()))?,
            expected: expected.map(unquoted),
        })
    }
}

impl Given {
    /// The failure in the recorded run. `moment` tells when an event was.
    ///
    /// # Errors
    /// [`NoCrash::NotRecorded`] if there is nothing of the kind in it.
    pub fn find(&self, history: &History) -> Result<Crash, NoCrash> {
        self.find_within(history, None)
    }

    /// The same; a wrong value is one of a call that began between these moments.
    ///
    /// # Errors
    /// See [`Given::find`].
    pub fn find_within(
        &self,
        history: &History,
        span: Option<(Moment, Moment)>,
    ) -> Result<Crash, NoCrash> {
        let found = match self {
            Given::Value(call) => {
                let crash = call.find(history, span);
                return crash.ok_or(NoCrash::NotRecorded);
            }
            Given::Predicate(predicate) => return holding(predicate, history),
            Given::Output(wrong) => output::writes(history, wrong.clone()).map(Oracle::Output),
            Given::Instead(expected) => output::differs(history, expected).map(Oracle::Output),
            Given::Exit(status) => exit(history, *status).map(|node| Oracle::Exit {
                node,
                status: *status,
            }),
            Given::Endless => running(history).map(|node| Oracle::Endless { node }),
        };
        shown_by(history, found.ok_or(NoCrash::NotRecorded)?)
    }
}

/// The failure that shows in a call, and by no exception.
fn shown_by(history: &History, oracle: Oracle) -> Result<Crash, NoCrash> {
    let node = oracle.node().ok_or(NoCrash::NotRecorded)?;
    let stack = stack(history, node);
    if stack.is_empty() {
        return Err(NoCrash::NotObserved);
    }
    Ok(Crash {
        throwable: 0,
        predicate: CrashPredicate::default(),
        levels: levels(history, &stack),
        stack_matches: true,
        oracle,
        catchers: BTreeSet::new(),
        wanted: None,
    })
}

/// The failure of a test that took too long: what ran for the method `method` of the class `class` (internal name), and has not ended. A framework may
/// have run it on a thread of its own, as the whole method or a lambda of it.
pub fn endless_in(history: &History, class: &str, method: &str) -> Option<Crash> {
    if history.tables().at_boundary() {
        return None;
    }
    let lambda = format!("lambda${method}$");
    let is_of_test = |n: NodeNo| {
        let member = history.member(n).filter(|_| is_open(history, n));
        member
            .is_some_and(|m| m.owner == class && (m.name == method || m.name.starts_with(&lambda)))
    };
    let around = |n| std::iter::successors(Some(n), |&n| history.parent(n));
    let mut open = history.numbers().rev().filter(|&n| is_open(history, n));
    let node = open.find(|&n| around(n).any(is_of_test))?;
    shown_by(history, Oracle::Endless { node }).ok()
}

/// The call that ends the program with `status`.
fn exit(history: &History, status: i32) -> Option<NodeNo> {
    history.numbers().rev().find(|&n| {
        let target = history
            .site(n)
            .map(|s| (s.target.owner.as_str(), s.target.name.as_str()));
        let exits = matches!(
            target,
            Some(("java/lang/System", "exit") | ("java/lang/Runtime", "exit" | "halt"))
        );
        exits && history.args(n) == [Value::Prim(Prim::Int(status))]
    })
}

/// The innermost activation that was running when the recording ended.
fn running(history: &History) -> Option<NodeNo> {
    history.numbers().rev().find(|&n| is_open(history, n))
}

/// Is it an activation that was running when the recording ended?
fn is_open(history: &History, n: NodeNo) -> bool {
    history.node(n).kind == NodeKind::Activation && history.outcome(n) == Outcome::Open
}

impl Call {
    /// The one that is meant of these, which give a value.
    fn among(
        &self,
        history: &History,
        calls: impl DoubleEndedIterator<Item = NodeNo>,
    ) -> Option<NodeNo> {
        match self {
            Call::At(event) => {
                let at = history.moment_of(*event)?;
                let mut within = None;
                for n in calls {
                    if is_at(history, n, at) {
                        return Some(n);
                    }
                    if within.is_none() && is_entered_or_left_at(history, n, *event) {
                        within = Some(n);
                    }
                }
                // Right behind its beginning may stand that of a call in it.
                within.filter(|_| !history.numbers().any(|n| is_at(history, n, at)))
            }
            Call::Of {
                class,
                member,
                occurrence,
            } => {
                let mut calls = calls.filter(|&n| is_of(history, n, class, member));
                match occurrence {
                    Some(number) => calls.nth(number - 1),
                    None => calls.next_back(),
                }
            }
        }
    }
}

impl WrongCall {
    fn find(&self, history: &History, span: Option<(Moment, Moment)>) -> Option<Crash> {
        let is_within = |&n: &NodeNo| {
            let begin = history.node(n).begin;
            span.is_none_or(|(from, to)| from <= begin && begin <= to)
        };
        let calls = history.numbers().filter(is_within);
        let calls = calls.filter(|&n| gives_a_value(history, n));
        let node = self.call.among(history, calls)?;
        let Outcome::Return(Some(value)) = history.outcome(node) else {
            return None;
        };
        let own = history.entity_class(node).to_owned();
        let outer = stack(history, node);
        let callers: BTreeSet<String> = outer
            .iter()
            .map(|&n| history.entity_class(n).to_owned())
            .filter(|class| *class != own)
            .collect();
        let at = history.node(node).close;
        let assertion = Assertion {
            expected: self.expected.clone(),
            ..Assertion::default()
        };
        let wrong = WrongValue {
            node,
            text: text::of(history, &value, at),
            element: None,
            expected: match self.expected {
                Some(_) => text::expected(&value, &assertion),
                None => Expected::Unknown,
            },
            value,
            assertion,
            demand: None,
            compared: None,
            found: FoundBy::Given,
            sources: Sources::default(),
            callers,
        };
        Some(Crash {
            throwable: 0,
            predicate: CrashPredicate::default(),
            levels: levels_at(history, wrong.node, &wrong.callers),
            stack_matches: true,
            oracle: Oracle::Value(Box::new(wrong)),
            catchers: BTreeSet::new(),
            wanted: None,
        })
    }
}

/// The class that is asked at `n`, if that is a call or a read.
fn asked(history: &History, n: NodeNo) -> Option<&str> {
    match history.node(n).kind {
        NodeKind::Activation => Some(history.entity_class(n)),
        NodeKind::GetField | NodeKind::GetStatic => Some(target_class(history, n)),
        _ => None,
    }
}

/// Is `n` a call or a read, by code of another class, that gave a value?
fn gives_a_value(history: &History, n: NodeNo) -> bool {
    asked(history, n).is_some_and(|class| history.source_class(n) != class)
        && matches!(history.outcome(n), Outcome::Return(Some(_)))
}

/// Does `n`, or the call by which it came about, begin or end at this moment?
fn is_at(history: &History, n: NodeNo, at: Moment) -> bool {
    let call = history.parent(n).filter(|&p| {
        let nodes = history.node(p);
        nodes.kind == NodeKind::Call && history.member(p) == history.member(n)
    });
    let ends = |n: NodeNo| [history.node(n).begin, history.node(n).close].contains(&at);
    ends(n) || call.is_some_and(ends)
}

/// An activation has the events of its call, too, where that names another method than the one that ran: then it was entered by its second event,
/// and left by the last but one.
fn is_entered_or_left_at(history: &History, n: NodeNo, event: EventId) -> bool {
    let node = history.node(n);
    let is_next = |first: Option<EventId>, then: Option<EventId>| {
        let pair = first.zip(then);
        pair.is_some_and(|(a, b)| a.thread == b.thread && a.index + 1 == b.index)
    };
    let [begin, close] = [node.begin, node.close].map(|at| history.event_at(at));
    node.kind == NodeKind::Activation
        && (is_next(begin, Some(event)) || is_next(Some(event), close))
}

/// Is `n` of this member, of a class of this name, which need not have its package?
fn is_of(history: &History, n: NodeNo, class: &str, member: &str) -> bool {
    let (Some(asked), Some(found)) = (asked(history, n), history.member(n)) else {
        return false;
    };
    let is_class = |internal: &str| {
        let name = internal.replace('/', ".");
        name == class || name.rsplit('.').next() == Some(class)
    };
    found.name == member && (is_class(asked) || is_class(&found.owner))
}

/// The failure that a predicate holds of an object at the end of the run. Whether it does, replay will show.
///
/// # Errors
/// [`NoCrash::NotRecorded`] if no method of such an object ran.
fn holding(predicate: &UserPredicate, history: &History) -> Result<Crash, NoCrash> {
    let is_about = |n: &NodeNo| {
        history.node(*n).kind == NodeKind::Activation
            && history
                .tables()
                .is_subclass(history.entity_class(*n), predicate.about())
    };
    let node = history
        .numbers()
        .rev()
        .find(is_about)
        .ok_or(NoCrash::NotRecorded)?;
    let outer = stack(history, node);
    let callers: BTreeSet<String> = outer
        .iter()
        .map(|&n| history.entity_class(n).to_owned())
        .filter(|class| !history.tables().is_subclass(class, predicate.about()))
        .collect();
    Ok(Crash {
        throwable: 0,
        predicate: CrashPredicate::default(),
        levels: levels_at(history, node, &callers),
        stack_matches: true,
        oracle: Oracle::Predicate(WrongObject {
            node,
            predicate: predicate.clone(),
            callers,
        }),
        catchers: BTreeSet::new(),
        wanted: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jinsi_history::script::history;

    #[test]
    fn calls_are_named_with_number_and_value() {
        let parsed = |text: &str| {
            let call: WrongCall = text.parse().unwrap();
            (call.call, call.expected)
        };
        let of = |class: &str, member: &str, occurrence| Call::Of {
            class: class.into(),
            member: member.into(),
            occurrence,
        };
        assert_eq!(
            parsed("a.B.c#12=>\"x => y\""),
            (of("a.B", "c", Some(12)), Some("x => y".into()))
        );
        assert_eq!(parsed("B.c => 3"), (of("B", "c", None), Some("3".into())));
        let event = EventId {
            thread: 2,
            index: 17,
        };
        assert_eq!(parsed("2:17=>3"), (Call::At(event), Some("3".into())));
        for bad in ["", "c", ".c", "B.", "B.c#0", "B.c#x", "1:", "1:x"] {
            assert!(bad.parse::<WrongCall>().is_err(), "{bad}");
        }
    }

    const RUN: &str = "
        class Main
        class B
        s> Main.main()V
          s> B.f(I)I 1
            s> B.f(I)I 9
            < 9
          < 10
          s> B.f(I)I 2
          < 20
          s> B.g()V";

    #[test]
    fn the_call_that_is_meant_is_found() {
        let h = history(RUN);
        let found = |call: &str| {
            let given = Given::Value(call.parse().unwrap());
            let crash = given.find(&h);
            crash.map(|c| c.oracle.value().cloned().unwrap())
        };
        let first = found("B.f#1=>11").unwrap();
        assert_eq!(first.value, Value::Prim(Prim::Int(10)));
        assert_eq!(first.expected, Expected::Value(Value::Prim(Prim::Int(11))));
        assert_eq!(first.callers, BTreeSet::from(["Main".to_owned()]));
        // A call by the class itself is none that it was asked.
        assert_eq!(found("B.f#2").unwrap().value, Value::Prim(Prim::Int(20)));
        assert_eq!(found("B.f").unwrap().value, Value::Prim(Prim::Int(20)));
        assert_eq!(found("B.f#3"), Err(NoCrash::NotRecorded));
        assert_eq!(found("B.g"), Err(NoCrash::NotRecorded));
        // Its beginning, and its end; what lies between belongs to the call of the class by itself.
        let node = h
            .numbers()
            .find(|&n| h.member(n).is_some_and(|m| m.name == "f"))
            .unwrap();
        for moment in [h.node(node).begin, h.node(node).close] {
            let event = h.event_at(moment).unwrap().to_string();
            assert_eq!(found(&event).unwrap().value, Value::Prim(Prim::Int(10)));
        }
        let between = format!("0:{}", h.node(node).begin.get());
        assert_eq!(found(&between), Err(NoCrash::NotRecorded));
    }

    #[test]
    fn what_ran_for_a_test_did_not_end() {
        let h = history(
            "class ShopTest
             class Shop
             obj #1 Shop
             obj #2 ShopTest
             > ShopTest.opens()V #2
             s> ShopTest.lambda$opens$0()V
             light Shop.open()V
               > Shop.open()V #1",
        );
        let crash = endless_in(&h, "ShopTest", "opens").unwrap();
        let classes: Vec<&str> = crash.levels.iter().map(|l| l.class.as_str()).collect();
        assert_eq!(classes, ["Shop", "ShopTest"]);
        let node = crash.oracle.node().unwrap();
        assert_eq!(h.member(node).unwrap().name, "open");
        assert!(endless_in(&h, "ShopTest", "closes").is_none());
    }

    #[test]
    fn what_runs_at_the_end_did_not_end() {
        let h = history(RUN);
        let crash = Given::Endless.find(&h).unwrap();
        let classes: Vec<&str> = crash.levels.iter().map(|l| l.class.as_str()).collect();
        assert_eq!(classes, ["B", "Main"]);
        assert!(Given::Exit(3).find(&h).is_err());
    }
}
