//! Spock's conditions, which the compiler takes apart: a comparison is a call of Groovy's, and each part of it is recorded for the error.

use jinsi_trace::model::{MemberRef, ObjectId, Prim, ThrowableDef, Value};

use super::Instead;
use crate::delivery::Seen;
use crate::groovy::GROOVY;
use crate::term::{Term, WantedException};
use jinsi_history::{History, NodeKind};
use jinsi_level::{NodeNo, Outcome};

const RUNTIME: &str = "org/spockframework/runtime/SpockRuntime";

/// Does the method look whether a condition holds?
pub(super) fn is_condition(member: &MemberRef) -> bool {
    member.owner == RUNTIME && member.name.starts_with("verify")
}

/// The exception that a condition ended by, if `def` is what the build was given in its place: another one, with a text that can be compared.
pub(crate) fn thrown_first(history: &History, def: &ThrowableDef) -> Option<ObjectId> {
    if !def.class.starts_with("org.spockframework.") {
        return None;
    }
    let ends = |n: NodeNo| match history.outcome(n) {
        Outcome::Throw(id) if history.member(n).is_some_and(|m| is_condition(&m)) => Some(id),
        _ => None,
    };
    history.numbers().rev().find_map(ends)
}

/// Is it how Groovy compares two values with `==`?
pub(super) fn is_comparison(member: &MemberRef) -> bool {
    member.owner == GROOVY && member.name == "compareEqual"
}

impl Seen<'_> {
    /// The comparison that this call says does not hold, if there is one; else the call.
    pub(super) fn compared_in(&self, call: NodeNo) -> NodeNo {
        let history = self.history;
        let is = |n, what: fn(&MemberRef) -> bool| history.member(n).is_some_and(|m| what(&m));
        if !is(call, is_condition) {
            return call;
        }
        let (parent, begin) = (history.parent(call), history.node(call).begin);
        let compared = self
            .returned(begin)
            .take_while(|(n, _)| parent.is_none_or(|p| *n > p))
            .find(|(n, _)| history.parent(*n) == parent);
        compared
            .filter(|(n, answer)| *answer == FALSE && is(*n, is_comparison))
            .map_or(call, |(n, _)| n)
    }

    /// Are the two values of the call equal in Java where they are in Groovy, which compares numbers and texts of different classes?
    pub(super) fn is_equality_of_java(&self, call: NodeNo, expected: &Term) -> bool {
        let plain = self.history.args(call).first().map(kind_of);
        match expected {
            Term::Literal(value) => plain.is_some_and(|kind| kind == kind_of(value)),
            Term::Elements { items, .. } | Term::Array { items, .. } => items
                .iter()
                .all(|item| matches!(item, Term::Literal(value) if kind_of(value) == Kind::Text)),
            _ => false,
        }
    }
}

const FALSE: Value = Value::Prim(Prim::Boolean(false));

/// Values that Java and Groovy compare alike.
#[derive(PartialEq)]
enum Kind {
    Whole,
    Broken,
    Text,
    Nothing,
    Truth,
    Class,
    Object,
}

fn kind_of(value: &Value) -> Kind {
    match value {
        Value::Prim(prim) | Value::Boxed(prim) => match prim {
            Prim::Boolean(_) => Kind::Truth,
            Prim::Float(_) | Prim::Double(_) => Kind::Broken,
            _ => Kind::Whole,
        },
        Value::Str(_) => Kind::Text,
        Value::Null => Kind::Nothing,
        Value::Class(_) => Kind::Class,
        _ => Kind::Object,
    }
}

/// The exception that a specification expected in place of `throwable`, which code under test threw.
pub(super) fn expected_instead(history: &History, throwable: ObjectId) -> Option<Instead> {
    let tables = history.tables();
    let reported = |n: NodeNo| match history.outcome(n) {
        Outcome::Throw(id) => tables
            .throwable(id)
            .is_some_and(|def| def.cause == throwable),
        _ => false,
    };
    let wants = |member: MemberRef| {
        member.owner == "org/spockframework/lang/SpecInternals" && member.name == "thrownImpl"
    };
    let mut activations = history
        .numbers()
        .rev()
        .filter(|&n| history.node(n).kind == NodeKind::Activation && reported(n));
    let asked = activations.find(|&n| history.member(n).is_some_and(wants))?;
    match history.args(asked).last()? {
        Value::Class(no) => Some(Instead {
            exception: WantedException::of(tables.class_name(*no).to_owned()),
            by: history.source_class(asked).to_owned(),
        }),
        _ => None,
    }
}
