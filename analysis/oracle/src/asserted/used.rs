//! What stopped a test in its own code: a value that the code under test had given it, and with which the test could not go on.
//!
//! A test that calls a method of what is `null`, casts to another class, or asks a list for an element that is not there, demands as much of
//! the value as an assertion does.

use jinsi_trace::model::{Prim, Value};

use super::{Asserted, Demand, Dialect, Term};
use crate::delivery::Seen;
use jinsi_history::NodeKind;
use jinsi_level::{NodeNo, Outcome};

impl Seen<'_> {
    /// The value, if the exception with this message left the test's activation `inner` first.
    pub(crate) fn used(&self, inner: NodeNo, message: &str) -> Option<Asserted> {
        match self.throwing_call(inner) {
            Some(n) if self.history.has_receiver(n) && *self.history.receiver(n) == Value::Null => {
                self.null_receiver(n, message)
            }
            Some(n) => self.refused_by(n),
            None => self.without_call(inner, message),
        }
    }

    /// The call that the test made directly, and that threw.
    fn throwing_call(&self, inner: NodeNo) -> Option<NodeNo> {
        let mut calls = self.history.below(inner).rev();
        calls.find(|&n| {
            self.history.node(n).kind == NodeKind::Call
                && self.history.parent(n) == Some(inner)
                && self.history.threw(n, self.throwable)
        })
    }

    /// A call on `null`: something had to be there. Many things give `null`; the JVM tells what did, or else there was one only.
    fn null_receiver(&self, n: NodeNo, message: &str) -> Option<Asserted> {
        let begin = self.history.node(n).begin;
        let nulls: Vec<NodeNo> = self
            .returned(begin)
            .filter(|(m, value)| *value == Value::Null && !self.history.is_constructor(*m))
            .map(|(m, _)| m)
            .collect();
        let because = message.split_once(" because ").map_or("", |(_, why)| why);
        let named = because.strip_prefix("the return value of \"");
        let from = match named.and_then(|rest| rest.split_once('(')) {
            Some((method, _)) => nulls.into_iter().find(|&m| self.is_named(m, method)),
            None if is_kept_elsewhere(because) => None,
            None => {
                let owner = &self.history.member(n)?.owner;
                let gives = |m: &NodeNo| self.gives(*m, owner);
                only(nulls.iter().copied().filter(gives)).or_else(|| only(nulls.iter().copied()))
            }
        }?;
        let (node, term) = self.subject_of(from)?;
        let actual = term?;
        let demand = Demand::Null {
            actual,
            wanted: false,
        };
        Some(asserted(node, demand, (Value::Null, begin)))
    }

    /// Is the member called so, `java.util.List.get`?
    fn is_named(&self, n: NodeNo, name: &str) -> bool {
        let called = self.history.call_site(n).map(|s| &s.target);
        let declared = self.history.member(n);
        let mut members = called.into_iter().chain(declared.as_ref());
        members.any(|m| format!("{}.{}", m.owner.replace('/', "."), m.name) == name)
    }

    /// Is the result declared as one of this class?
    fn gives(&self, n: NodeNo, class: &str) -> bool {
        let member = self.history.member(n);
        member.is_some_and(|m| m.desc.ends_with(&format!(")L{class};")))
    }

    /// A call that refuses what it is given, or what it is called on: `Integer.parseInt(…)`, `….get(2)`.
    fn refused_by(&self, n: NodeNo) -> Option<Asserted> {
        let member = self.history.member(n)?;
        if Dialect::of(&member).is_some() || self.is_delivery(n) {
            return None;
        }
        let (node, term) = self.subject_of(n)?;
        self.stopped(node, Demand::Stated(term?))
    }

    /// An instruction that refuses what it is given: a cast, a division, an access to an array.
    fn without_call(&self, inner: NodeNo, message: &str) -> Option<Asserted> {
        let end = self.history.node(inner).close;
        let before = || {
            self.returned(end)
                .take_while(|(n, _)| *n > inner)
                .filter(|(n, _)| self.history.parent(*n) == Some(inner))
        };
        if let Some((class, wanted)) = cast(message) {
            let is = |value: &Value| self.class_of(value).is_some_and(|c| c == class);
            let (n, _) = before().find(|(_, value)| is(value))?;
            let (node, term) = self.subject_of(n)?;
            let actual = term?;
            return self.stopped(node, Demand::InstanceOf { actual, wanted });
        }
        if let Some((index, length)) = index(message) {
            let (n, _) = before().find(|(_, value)| self.length(value) == Some(length))?;
            let (node, term) = self.subject_of(n)?;
            let array = Box::new(term?);
            return self.stopped(node, Demand::Stated(Term::Element { array, index }));
        }
        if message != "/ by zero" {
            return None;
        }
        let at = self.last_line(inner)?;
        let on_line = |n: NodeNo| self.history.call_site(n).is_some_and(|s| s.line == at);
        let (n, value) = only(before().filter(|(n, v)| on_line(*n) && is_zero(v)))?;
        let (node, term) = self.subject_of(n)?;
        let demand = Demand::Differs {
            actual: term?,
            from: value,
        };
        self.stopped(node, demand)
    }

    /// The line in the test's activation `inner` at which it was thrown.
    fn last_line(&self, inner: NodeNo) -> Option<u16> {
        let def = self.history.tables().throwable(self.throwable)?;
        let line = def.frames.first()?.line;
        let own = self.history.member(inner)?;
        let class = own.owner.replace('/', ".");
        let frame = def.frames.first()?;
        let same = frame.class == class && own.name == frame.method;
        u16::try_from(line).ok().filter(|_| same)
    }

    /// Binary name of its class, as a failed cast has it.
    fn class_of(&self, value: &Value) -> Option<String> {
        let boxed = match value {
            Value::Str(_) => "java.lang.String",
            Value::Boxed(prim) => box_of(*prim),
            other => return Some(self.history.class_of_value(other)?.replace('/', ".")),
        };
        Some(boxed.to_owned())
    }

    fn length(&self, value: &Value) -> Option<u32> {
        match value {
            Value::Object(id) => self.history.object(*id)?.length,
            _ => None,
        }
    }

    /// The test could not go on with what `node` had given.
    fn stopped(&self, node: NodeNo, demand: Demand) -> Option<Asserted> {
        match self.history.outcome(node) {
            Outcome::Return(Some(value)) => {
                let close = self.history.node(node).close;
                Some(asserted(node, demand, (value, close)))
            }
            _ => None,
        }
    }
}

fn asserted(node: NodeNo, demand: Demand, compared: (Value, jinsi_history::Moment)) -> Asserted {
    Asserted {
        node,
        demand: Some(demand),
        compared,
        expected: None,
    }
}

/// The one that there is.
fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    all.next().filter(|_| all.next().is_none())
}

/// Does the JVM say that what was `null` is a field or an element, and not what a call gave?
fn is_kept_elsewhere(because: &str) -> bool {
    let name = because.trim_start_matches('"');
    let name = name.split('"').next().unwrap_or_default();
    name.contains(['.', '['])
}

/// `class a.B cannot be cast to class c.D (…)`: binary name of the first, internal name of the second.
fn cast(message: &str) -> Option<(String, String)> {
    let (from, rest) = message.strip_prefix("class ")?.split_once(' ')?;
    let to = rest.strip_prefix("cannot be cast to class ")?;
    let to = to.split([' ', ';']).next()?;
    Some((from.to_owned(), to.replace('.', "/")))
}

/// `Index 2 out of bounds for length 2`.
fn index(message: &str) -> Option<(i32, u32)> {
    let (index, length) = message
        .strip_prefix("Index ")?
        .split_once(" out of bounds for length ")?;
    Some((index.parse().ok()?, length.parse().ok()?))
}

fn is_zero(value: &Value) -> bool {
    matches!(
        value,
        Value::Prim(Prim::Int(0) | Prim::Long(0) | Prim::Short(0) | Prim::Byte(0))
    )
}

fn box_of(prim: Prim) -> &'static str {
    match prim {
        Prim::Boolean(_) => "java.lang.Boolean",
        Prim::Byte(_) => "java.lang.Byte",
        Prim::Char(_) => "java.lang.Character",
        Prim::Short(_) => "java.lang.Short",
        Prim::Int(_) => "java.lang.Integer",
        Prim::Long(_) => "java.lang.Long",
        Prim::Float(_) => "java.lang.Float",
        Prim::Double(_) => "java.lang.Double",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_jvm() {
        let text =
            "class java.lang.Long cannot be cast to class java.lang.Integer (java.lang.Long and …)";
        let pair = ("java.lang.Long".to_owned(), "java/lang/Integer".to_owned());
        assert_eq!(cast(text), Some(pair));
        assert_eq!(cast("class x"), None);
        assert_eq!(index("Index 2 out of bounds for length 2"), Some((2, 2)));
        assert_eq!(index("Index: 2"), None);
        assert!(is_kept_elsewhere("\"this.depot\" is null"));
        assert!(is_kept_elsewhere("\"<local1>[0]\" is null"));
        assert!(!is_kept_elsewhere("\"item\" is null"));
        assert!(!is_kept_elsewhere(""));
    }
}
