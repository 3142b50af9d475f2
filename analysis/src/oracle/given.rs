//! Failures that the user names: a call that returned a wrong value, a text that was written, an exit status, a program that did not end.

use std::collections::BTreeSet;
use std::str::FromStr;

use jinsi_trace::model::{Prim, Value};

use super::assertion::Assertion;
use super::{Expected, Found, Oracle, WrongOutput, WrongValue, output, text};
use crate::history::failure::{Crash, NoCrash, levels};
use crate::history::{History, NodeKind};
use crate::level::{CrashPredicate, NodeNo, Outcome};

/// What the user says is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// What a call returned, or a field held.
    Value(WrongCall),
    /// That this was written.
    Output(String),
    /// That the program was ended with this status.
    Exit(i32),
    /// That it did not end.
    Endless,
}

/// A call of a method, or a read of a field, by code outside its class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongCall {
    /// Name of the class, dotted; the package may be left out.
    class: String,
    /// Name of the method or field.
    member: String,
    /// Which of the calls, from 1; the last if `None`.
    occurrence: Option<usize>,
    /// What it should have returned, as text.
    expected: Option<String>,
}

/// `CLASS.METHOD`, and behind it `#12` for the twelfth call, and `=>"value"` for what is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not of the form CLASS.METHOD[#NUMBER][=>EXPECTED]: {0}")]
pub struct BadCall(String);

impl FromStr for WrongCall {
    type Err = BadCall;

    fn from_str(text: &str) -> Result<Self, BadCall> {
        let bad = || BadCall(text.to_owned());
        let (call, expected) = match text.split_once("=>") {
            Some((call, expected)) => (call, Some(expected.trim())),
            None => (text, None),
        };
        let (call, occurrence) = match call.trim().split_once('#') {
            Some((call, number)) => {
                let number: usize = number.parse().map_err(|_| bad())?;
                (
                    call,
                    Some(number).filter(|n| *n > 0).ok_or_else(bad)?.into(),
                )
            }
            None => (call.trim(), None),
        };
        let (class, member) = call.rsplit_once('.').ok_or_else(bad)?;
        if class.is_empty() || member.is_empty() {
            return Err(bad());
        }
        let unquoted = |text: &str| {
            let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
            inner.unwrap_or(text).to_owned()
        };
        Ok(Self {
            class: class.to_owned(),
            member: member.to_owned(),
            occurrence,
            expected: expected.map(unquoted),
        })
    }
}

impl Given {
    /// The failure in the recorded run.
    ///
    /// # Errors
    /// [`NoCrash::NotRecorded`] if there is nothing of the kind in it.
    pub fn find(&self, history: &History) -> Result<Crash, NoCrash> {
        let found = match self {
            Given::Value(call) => return call.find(history).ok_or(NoCrash::NotRecorded),
            Given::Output(text) => output::writes(history, text).map(|node| {
                Oracle::Output(WrongOutput {
                    node,
                    text: text.clone(),
                })
            }),
            Given::Exit(status) => exit(history, *status).map(|node| Oracle::Exit {
                node,
                status: *status,
            }),
            Given::Endless => running(history).map(|node| Oracle::Endless { node }),
        };
        let oracle = found.ok_or(NoCrash::NotRecorded)?;
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
        })
    }
}

/// The activations around `n`, itself included, innermost first.
fn stack(history: &History, n: NodeNo) -> Vec<NodeNo> {
    std::iter::successors(Some(n), |&p| history.parent(p))
        .filter(|&n| history.node(n).kind == NodeKind::Activation)
        .collect()
}

/// The call that ends the program with `status`.
fn exit(history: &History, status: i32) -> Option<NodeNo> {
    (0..history.len()).rev().find(|&n| {
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
    let open = |n: &NodeNo| {
        history.node(*n).kind == NodeKind::Activation && history.outcome(*n) == Outcome::Open
    };
    (0..history.len()).rev().find(open)
}

impl WrongCall {
    fn find(&self, history: &History) -> Option<Crash> {
        let mut calls = (0..history.len()).filter(|&n| self.is_meant(history, n));
        let node = match self.occurrence {
            Some(number) => calls.nth(number - 1),
            None => calls.next_back(),
        }?;
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
            found: Found::Given,
            callers,
        };
        Some(Crash {
            throwable: 0,
            predicate: CrashPredicate::default(),
            levels: super::levels(history, &wrong),
            stack_matches: true,
            oracle: Oracle::Value(wrong),
        })
    }

    /// Is `n` such a call or read, by code of another class, that gave a value?
    fn is_meant(&self, history: &History, n: NodeNo) -> bool {
        let class = match history.node(n).kind {
            NodeKind::Activation => history.entity_class(n),
            NodeKind::GetField | NodeKind::GetStatic => super::target_class(history, n),
            _ => return false,
        };
        let Some(member) = history.member(n).filter(|m| m.name == self.member) else {
            return false;
        };
        let is_class = |internal: &str| {
            let name = internal.replace('/', ".");
            let simple = || name.rsplit('.').next() == Some(self.class.as_str());
            name == self.class || simple()
        };
        (is_class(class) || is_class(&member.owner))
            && history.source_class(n) != class
            && matches!(history.outcome(n), Outcome::Return(Some(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::script::history;

    #[test]
    fn calls_are_named_with_number_and_value() {
        let call: WrongCall = "a.B.c#12=>\"x => y\"".parse().unwrap();
        assert_eq!((call.class.as_str(), call.member.as_str()), ("a.B", "c"));
        assert_eq!(
            (call.occurrence, call.expected.as_deref()),
            (Some(12), Some("x => y"))
        );
        let call: WrongCall = "B.c => 3".parse().unwrap();
        assert_eq!(
            (call.occurrence, call.expected.as_deref()),
            (None, Some("3"))
        );
        for bad in ["", "c", ".c", "B.", "B.c#0", "B.c#x"] {
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
