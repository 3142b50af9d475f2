//! Spock's conditions, which the compiler takes apart: a comparison is a call of Groovy's, and each part of it is recorded for the error.

use jinsi_trace::model::{CallOp, MemberRef, ObjectId, Prim, ThrowableDef, Value};

use super::{Asserted, Instead};
use crate::delivery::Seen;
use crate::groovy::GROOVY;
use crate::term::{Demand, Term, WantedException};
use jinsi_history::{History, Moment, NodeKind};
use jinsi_level::{NodeNo, Outcome};

const RUNTIME: &str = "org/spockframework/runtime/SpockRuntime";
/// What specifications call for what they demand.
const INTERNALS: &str = "org/spockframework/runtime/SpecInternals";

/// Does the method look whether a condition holds?
pub(super) fn is_condition(member: &MemberRef) -> bool {
    member.owner == RUNTIME && member.name.starts_with("verify")
}

/// The exception that a condition ended by within this span of the recording, if `def` is what the build was given in its place: another one, with a text
/// that can be compared.
pub(crate) fn thrown_first(
    history: &History,
    def: &ThrowableDef,
    span: Option<(Moment, Moment)>,
) -> Option<ObjectId> {
    if !def.class.starts_with("org.spockframework.") {
        return None;
    }
    let within = |&n: &NodeNo| {
        let node = history.node(n);
        span.is_none_or(|(from, to)| from <= node.begin && node.close <= to)
    };
    let ends = |n: NodeNo| match history.outcome(n) {
        Outcome::Throw(id) if history.member(n).is_some_and(|m| is_condition(&m)) => Some(id),
        _ => None,
    };
    history.numbers().rev().filter(within).find_map(ends)
}

/// The class of the exception (internal name) that the call `n` demands of the block before it, as `thrown(E)` is compiled since Spock 2.4: a static call,
/// which Groovy makes, with the specification, a name, a value and the class.
pub(super) fn demanded_since_2_4(history: &History, n: NodeNo) -> Option<&str> {
    let site = history.site(n)?;
    let (Value::Class(owner), [.., Value::Class(wanted)], 5) = (
        history.args(n).first()?,
        history.args(n),
        history.args(n).len(),
    ) else {
        return None;
    };
    let tables = history.tables();
    let is_thrown = site.op == CallOp::Dynamic && tables.class_name(*owner) == INTERNALS;
    is_thrown.then(|| tables.class_name(*wanted))
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

    /// The condition of the call, if that is a method which is asked for a truth value: Spock calls it. It gives the name of the method behind what it is
    /// called on.
    pub(super) fn asked_by_spock(&self, call: NodeNo) -> Option<Asserted> {
        let history = self.history;
        let is_asked = |m: &MemberRef| m.owner == RUNTIME && m.name == "verifyMethodCondition";
        let args = history.args(call);
        let at = args.iter().rposition(|arg| matches!(arg, Value::Str(_)))?;
        let (Value::Str(method), Some(target)) = (&args[at], args[..at].last()) else {
            return None;
        };
        history.member(call).filter(is_asked)?;
        let method = method.to_string();
        let asked = |&n: &NodeNo| {
            history.parent(n) == Some(call)
                && self.is_delivery(n)
                && history.member(n).is_some_and(|m| m.name == method.as_str())
        };
        let (node, actual) = match history.below(call).rev().find(asked) {
            Some(n) if self.value_of(n) == Some(FALSE) => (n, Term::Delivered),
            Some(_) => return None,
            None => {
                let begin = history.node(call).begin;
                let class = history.class_of_value(target)?;
                let is_known = class.starts_with("java/") && QUESTIONS.contains(&method.as_str());
                let (node, term) = self.subject(target, begin).filter(|_| is_known)?;
                let member = MemberRef {
                    owner: class.into(),
                    name: method.as_str().into(),
                    desc: "()Z".into(),
                };
                let call = Term::Call {
                    member,
                    receiver: Some(Box::new(term?)),
                    args: Vec::new(),
                };
                (node, call)
            }
        };
        Some(Asserted {
            node,
            demand: Some(Demand::Holds {
                actual,
                wanted: true,
            }),
            compared: (self.value_of(node)?, history.node(node).close),
            expected: None,
        })
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

/// Methods of the JDK's values that are asked for a truth value, and are given nothing.
const QUESTIONS: [&str; 3] = ["isBlank", "isEmpty", "isPresent"];

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
    let wants = |&n: &NodeNo| match history.node(n).kind {
        NodeKind::Activation => history.member(n).is_some_and(|member| {
            member.owner == "org/spockframework/lang/SpecInternals" && member.name == "thrownImpl"
        }),
        _ => demanded_since_2_4(history, n).is_some(),
    };
    let mut all = history.numbers().rev().filter(|&n| reported(n));
    let asked = all.find(wants)?;
    match history.args(asked).last()? {
        Value::Class(no) => Some(Instead {
            exception: WantedException::of(tables.class_name(*no).to_owned()),
            by: history.source_class(asked).to_owned(),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use jinsi_history::script::history;

    use super::*;

    #[test]
    fn a_condition_that_failed_is_looked_for_in_its_own_test() {
        let condition = "calls org/spockframework/runtime/SpockRuntime.verifyCondition(Z)V false";
        let h = history(&format!(
            "class ShopSpec
             env org/spockframework/runtime/SpockRuntime
             env org/spockframework/runtime/ConditionNotSatisfiedError
             env org/spockframework/runtime/SpockComparisonFailure
             throwable #7 org.spockframework.runtime.ConditionNotSatisfiedError at ShopSpec.opens
             throwable #8 org.spockframework.runtime.ConditionNotSatisfiedError at ShopSpec.closes
             throwable #9 org.spockframework.runtime.SpockComparisonFailure at ShopSpec.opens
             s> ShopSpec.opens()V
             {condition}
             <! #7
             s> ShopSpec.closes()V
             {condition}
             <! #8
             uncaught #8"
        ));
        let def = h.tables().throwable(9).unwrap();
        assert_eq!(thrown_first(&h, def, None), Some(8));
        let opens = h.node(NodeNo::FIRST);
        let span = Some((opens.begin, opens.close));
        assert_eq!(thrown_first(&h, def, span), Some(7));
    }
}
