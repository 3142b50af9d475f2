//! Assertions of tests, and contracts of the program, that held: the calls whose results they compared with constants were right.

use std::collections::HashMap;

use jinsi_answers::dotted;
use jinsi_declarative::Answer;
use jinsi_inspect::{Call, Inspector, Mark, Moment, Outcome, Seen};
use jinsi_level::frameworks;
use jinsi_trace::model::{EventId, MemberRef, Prim, Value, is_string_or_box};

use crate::contract::{is_checked, is_demanded};
use crate::error::Result;
use crate::saved::By;
use crate::show::known;

/// Calls of a method that are looked through for assertions.
const CALLS: usize = 5_000;

/// Calls within a call that are looked through for what they change.
const WITHIN: usize = 200;

/// Classes of the JDK of whose objects no method changes anything, beside strings and boxes.
const VALUES: [&str; 4] = [
    "java/lang/Math",
    "java/lang/StrictMath",
    "java/math/BigInteger",
    "java/math/BigDecimal",
];

/// Methods of containers that ask, and change nothing.
const ASKING: [&str; 10] = [
    "size",
    "isEmpty",
    "contains",
    "containsKey",
    "containsValue",
    "indexOf",
    "lastIndexOf",
    "getOrDefault",
    "getFirst",
    "getLast",
];

/// Answers by what the run asserted.
pub struct Asserted<'a, 't> {
    inspector: &'a Inspector<'t>,
    /// What each caller that was looked at called.
    calls: HashMap<EventId, Vec<Call>>,
}

impl<'a, 't> Asserted<'a, 't> {
    /// Of this run.
    pub fn new(inspector: &'a Inspector<'t>) -> Self {
        Self {
            inspector,
            calls: HashMap::new(),
        }
    }

    /// The call is right if an assertion or a contract that held compared what it returned with a constant, and it changed nothing.
    /// Of others nothing is known. Whose answer it is: [`By::Asserted`] or [`By::Contract`].
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn says(&mut self, call: EventId) -> Result<Option<(Answer, By)>> {
        let Some(caller) = self.inspector.activation(call)?.caller else {
            return Ok(None);
        };
        if !self.calls.contains_key(&caller) {
            let begin = Moment::after(caller);
            let calls = self.inspector.callees(caller, begin, CALLS);
            let calls = known(calls)?.unwrap_or_default();
            self.calls.insert(caller, calls);
        }
        let calls = &self.calls[&caller];
        let by = match holds(calls, call) {
            true => Some(By::Asserted),
            false => self.by_contract(caller, call),
        };
        match by {
            Some(by) if self.changes_nothing(call)? => Ok(Some((Answer::Valid, by))),
            _ => Ok(None),
        }
    }

    /// Does the program itself say that the call has to give what it gave?
    fn by_contract(&self, caller: EventId, call: EventId) -> Option<By> {
        let calls = &self.calls[&caller];
        let at = calls.iter().position(|c| c.activation == Some(call))?;
        let call_result = result(&calls[at])?;
        let mut behind = calls[at + 1..].iter().filter(|c| !boxes(c));
        if behind
            .next()
            .is_some_and(|next| is_checked(&call_result, next))
        {
            return Some(By::Contract);
        }
        let demanded = is_demanded(self.inspector, (caller, &calls[at]), &call_result);
        demanded.filter(|demanded| *demanded).map(|_| By::Contract)
    }

    /// Does it change nothing of what it is given, and of static fields of the classes whose methods run? Code that is not recorded, as of lists,
    /// may change what nobody tells of: of that it calls only what is known to change nothing.
    fn changes_nothing(&self, call: EventId) -> Result<bool> {
        let own = self.inspector.changes(call, None)?;
        // A parameter that is assigned is nobody else's.
        let own = own
            .iter()
            .all(|c| matches!(c.mark, Mark::Same | Mark::Changed));
        let within = self.inspector.call_tree(call, WITHIN)?;
        if !own || within.len() == WITHIN {
            return Ok(false);
        }
        for name in [Some(call)]
            .into_iter()
            .chain(within.iter().map(|(_, c)| c.activation))
        {
            let Some(name) = name else { continue };
            let statics = self.inspector.changes_of_statics(name, None)?;
            if statics.iter().any(|c| c.mark != Mark::Same) {
                return Ok(false);
            }
        }
        let mut others = within.iter().filter(|(_, c)| c.activation.is_none());
        Ok(others.all(|(_, c)| only_asks(&c.method)))
    }
}

/// Does a method that is not recorded change nothing?
fn only_asks(method: &MemberRef) -> bool {
    let owner = method.owner.as_str();
    is_string_or_box(owner) || VALUES.contains(&owner)
        // The constructor of what has no other.
        || owner == "java/lang/Object" && method.name == "<init>"
        || owner.starts_with("java/util/") && ASKING.contains(&method.name.as_str())
}

/// Did an assertion hold that compared what a call gave with a constant? These are the calls of its caller.
fn holds(calls: &[Call], call: EventId) -> bool {
    let Some(at) = calls.iter().position(|c| c.activation == Some(call)) else {
        return false;
    };
    let Some(call_result) = result(&calls[at]) else {
        return false;
    };
    let mut behind = calls[at + 1..].iter().filter(|c| !boxes(c));
    let Some(assertion) = behind.next().filter(|c| is_passed(c)) else {
        return false;
    };
    let before = &calls[..at];
    let own = before.iter().rposition(is_framework).map_or(0, |at| at + 1);
    // What another call gave is no constant.
    let is_constant = |text: &str| {
        !before[own..]
            .iter()
            .any(|c| result(c).as_deref() == Some(text))
    };
    let arguments: Vec<String> = assertion.arguments.iter().filter_map(plain).collect();
    match assertion.method.name.as_str() {
        "assertEquals" | "assertSame" | "expectEquals" => {
            let same = arguments
                .iter()
                .filter(|text| **text == call_result)
                .count();
            same > 1 && is_constant(&call_result)
        }
        "assertTrue" => call_result == "true" && arguments.contains(&call_result),
        "assertFalse" => call_result == "false" && arguments.contains(&call_result),
        "assertNull" => call_result == "null",
        // AssertJ says in a second call what is asserted.
        "assertThat" if arguments == [call_result.as_str()] => {
            let Some(says) = behind.next().filter(|c| is_passed(c)) else {
                return false;
            };
            match says.method.name.as_str() {
                "isEqualTo" | "isSameAs" => {
                    let last = says.arguments.last().and_then(plain);
                    last.as_deref() == Some(&*call_result) && is_constant(&call_result)
                }
                "isTrue" => call_result == "true",
                "isFalse" => call_result == "false",
                "isNull" => call_result == "null",
                _ => false,
            }
        }
        _ => false,
    }
}

fn is_framework(call: &Call) -> bool {
    frameworks::is_framework(&dotted(&call.method.owner))
}

fn is_passed(call: &Call) -> bool {
    is_framework(call) && matches!(call.outcome, Outcome::Returned(_))
}

/// Does it only put a primitive into an object?
fn boxes(call: &Call) -> bool {
    call.activation.is_none()
        && call.method.name == "valueOf"
        && call.method.owner.starts_with("java/lang/")
}

/// What a recorded call returned, as text.
fn result(call: &Call) -> Option<String> {
    match &call.outcome {
        Outcome::Returned(Some(seen)) if call.activation.is_some() => plain(seen),
        _ => None,
    }
}

/// A value as text, whatever type of number it is; nothing for objects.
fn plain(seen: &Seen) -> Option<String> {
    let Seen::Known(value) = seen else {
        return None;
    };
    Some(match value {
        Value::Null => "null".to_owned(),
        Value::Str(text) => format!("{text:?}"),
        Value::Prim(prim) | Value::Boxed(prim) => match *prim {
            Prim::Boolean(v) => v.to_string(),
            Prim::Char(v) => format!("'{v}'"),
            Prim::Byte(v) => v.to_string(),
            Prim::Short(v) => v.to_string(),
            Prim::Int(v) => v.to_string(),
            Prim::Long(v) => v.to_string(),
            Prim::Float(v) => format!("{:?}f", f64::from(v)),
            Prim::Double(v) => format!("{v:?}f"),
        },
        Value::Class(_) | Value::Object(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(index: u64) -> EventId {
        EventId { thread: 0, index }
    }

    fn call(
        recorded: Option<u64>,
        method: [&str; 2],
        arguments: &[Value],
        call_result: Value,
    ) -> Call {
        let seen = |value: &Value| Seen::Known(value.clone());
        let at = Moment::after(event(1));
        Call {
            activation: recorded.map(event),
            method: MemberRef {
                owner: method[0].into(),
                name: method[1].into(),
                desc: "()V".into(),
            },
            line: 0,
            arguments: arguments.iter().map(seen).collect(),
            outcome: Outcome::Returned(Some(Seen::Known(call_result))),
            before: at,
            after: at,
        }
    }

    const LONG: Value = Value::Prim(Prim::Long(3));
    const INT: Value = Value::Prim(Prim::Int(3));
    const YES: Value = Value::Prim(Prim::Boolean(true));

    fn size(no: u64) -> Call {
        call(Some(no), ["a/Stack", "size"], &[], INT)
    }

    fn equals() -> Call {
        let method = ["org/junit/Assert", "assertEquals"];
        call(None, method, &[LONG, LONG], Value::Null)
    }

    #[test]
    fn what_was_compared_with_a_constant_is_right() {
        assert!(holds(&[size(7), equals()], event(7)));
        let boxed = call(None, ["java/lang/Integer", "valueOf"], &[INT], INT);
        assert!(holds(&[size(7), boxed, equals()], event(7)));
        let earlier = [size(5), equals(), size(7), equals()];
        assert!(holds(&earlier, event(7)) && holds(&earlier, event(5)));
        let that = call(
            None,
            ["org/assertj/core/api/Assertions", "assertThat"],
            &[INT],
            INT,
        );
        let says = ["org/assertj/core/api/AbstractIntegerAssert", "isEqualTo"];
        let says = call(None, says, &[Value::Object(9), INT], INT);
        assert!(holds(&[size(7), that, says], event(7)));
    }

    #[test]
    fn what_is_not_recorded_may_change_something() {
        let asks = |owner: &str, name: &str| {
            only_asks(&MemberRef {
                owner: owner.into(),
                name: name.into(),
                desc: "()V".into(),
            })
        };
        assert!(asks("java/util/List", "size") && asks("java/lang/String", "trim"));
        assert!(!asks("java/util/List", "remove") && !asks("java/util/Iterator", "next"));
        assert!(!asks("java/io/PrintStream", "println"));
        assert!(!asks("java/lang/StringBuilder", "append"));
    }

    #[test]
    fn what_was_not_is_not_known() {
        assert!(!holds(&[size(7)], event(7)));
        // Both are results of calls.
        assert!(!holds(&[size(5), size(7), equals()], event(7)));
        let other = call(Some(8), ["a/Stack", "top"], &[], Value::Null);
        assert!(!holds(&[size(7), other, equals()], event(7)));
        let mut failed = equals();
        failed.outcome = Outcome::Threw(4);
        assert!(!holds(&[size(7), failed], event(7)));
        let is_empty = call(Some(7), ["a/Stack", "isEmpty"], &[], YES);
        let not = call(
            None,
            ["org/junit/Assert", "assertFalse"],
            &[YES],
            Value::Null,
        );
        assert!(!holds(&[is_empty, not], event(7)));
    }
}
