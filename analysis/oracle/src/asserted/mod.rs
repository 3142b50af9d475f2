//! What the test asserted: the assertion that failed, read off the calls that the test made, not off the text of its error.

mod declared;
mod dialect;
mod inlined;
mod operands;
mod parts;
mod sources;
mod specified;
pub(crate) mod spock;
mod terms;
#[cfg(test)]
mod tests;
mod thrown;
mod used;

use jinsi_trace::model::{JavaString, MemberRef, Prim, Value};

use crate::delivery::Seen;
use crate::failure::is_of_framework;
use crate::levels::is_arranged;
use crate::looks::filled_under;
use crate::term::{Demand, Term};
use dialect::{Check, Dialect};
use jinsi_history::{Moment, NodeKind};
use jinsi_level::{NodeNo, Outcome};
use operands::Origin;
use sources::Other;
use terms::Condition;
pub use thrown::Instead;
pub(crate) use thrown::{Exceptional, expected_instead};

/// The assertion that failed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Asserted {
    /// The node that delivered the value in doubt.
    pub(super) node: NodeNo,
    /// What was demanded; `None` if the test made something of the value that cannot be written again.
    pub(super) demand: Option<Demand>,
    /// The value that was compared, and when.
    pub(super) compared: (Value, Moment),
    /// What it was compared with.
    pub(super) expected: Option<Value>,
}

impl Seen<'_> {
    /// The assertion that failed, if the test was recorded and it is one about a value.
    pub(super) fn asserted(&self) -> Option<Asserted> {
        self.failed().into_iter().find_map(|call| self.read(call))
    }

    /// Was an assertion recorded, whatever it is about?
    pub(super) fn has_asserted(&self) -> bool {
        self.outermost_failed().is_some()
    }

    /// Calls of frameworks that failed, those first that tell most: the one that threw the exception, or, where that only holds others
    /// together, these.
    fn failed(&self) -> Vec<NodeNo> {
        let Some(outer) = self.outermost_failed() else {
            return Vec::new();
        };
        let name = self.member(outer).map(|m| m.name);
        if !name.is_some_and(|name| dialect::is_group(&name)) {
            return vec![self.compared_in(outer)];
        }
        let (begin, close) = {
            let node = self.history.node(outer);
            (node.begin, node.close)
        };
        let inside = self.of_frameworks().filter(|&n| {
            let node = self.history.node(n);
            node.begin > begin
                && node.close <= close
                && matches!(self.history.outcome(n), Outcome::Throw(_))
        });
        let mut calls: Vec<NodeNo> = inside.collect();
        if calls.is_empty() {
            // Soft assertions do not throw: those before the group that do not hold.
            calls = self
                .of_frameworks()
                .filter(|&n| self.history.node(n).close <= begin && self.is_broken(n))
                .collect();
        }
        calls
    }

    /// The test's call that threw the exception of the assertion.
    fn outermost_failed(&self) -> Option<NodeNo> {
        let failed = |&n: &NodeNo| self.history.threw(n, self.throwable);
        let innermost = self.of_frameworks().rfind(failed)?;
        // A call of a chain that has the test look at what it holds says whose that is: `assertThat(x).hasValueSatisfying(v -> …)`.
        let holds = |&n: &NodeNo| {
            self.member(n).is_some_and(|m| {
                Dialect::of(&m) == Some(Dialect::Fluent) && !dialect::is_group(&m.name)
            })
        };
        let around =
            std::iter::successors(self.history.parent(innermost), |&n| self.history.parent(n));
        let around = around.filter(|n| failed(n) && self.is_of_frameworks(*n));
        around.filter(holds).last().or(Some(innermost))
    }

    /// The test's calls of a framework, the last of which failed, if the value in doubt is an object that code under test had filled, and the test's call
    /// in which that was.
    pub(super) fn filled(&self) -> Option<(Vec<NodeNo>, NodeNo)> {
        let call = self.outermost_failed()?;
        if self.history.node(call).kind != NodeKind::Call {
            return None;
        }
        let (_, value) = self.check(call)?;
        let chain = self.chain(call);
        let taking = *chain.first()?;
        let is_object = matches!(value, Value::Object(_));
        let by = is_object.then(|| filled_under(self.history, &value, taking, self.callers))?;
        Some((chain, by?))
    }

    /// The test's calls of frameworks.
    fn of_frameworks(&self) -> impl DoubleEndedIterator<Item = NodeNo> {
        self.history.numbers().filter(|&n| self.is_of_frameworks(n))
    }

    fn is_of_frameworks(&self, n: NodeNo) -> bool {
        let node = self.history.node(n);
        // Those of a framework that is recorded itself are activations.
        matches!(node.kind, NodeKind::Call | NodeKind::Activation)
            && node.begin >= self.from
            && node.begin <= self.to
            && self.is_of_test(self.history.source_class(n))
            && !self.is_by_inherited(n)
            && self.member(n).is_some_and(|m| Dialect::of(&m).is_some())
    }

    /// Does code make the call that a test inherits from its framework? That is what runs the test, and no assertion of the test's.
    fn is_by_inherited(&self, n: NodeNo) -> bool {
        let mut around = std::iter::successors(self.history.parent(n), |&p| self.history.parent(p));
        let source = around.find(|&p| self.history.node(p).kind == NodeKind::Activation);
        source.is_some_and(|source| is_of_framework(self.history, source))
    }

    /// The member that a call names. A test that inherits from a framework's class names itself where it calls what it inherits.
    fn member(&self, n: NodeNo) -> Option<MemberRef> {
        let member = self.history.member(n)?;
        if self.history.node(n).kind != NodeKind::Call || Dialect::of(&member).is_some() {
            return Some(member);
        }
        let inherited = self.history.tables().superclasses(&member.owner);
        let mut named = inherited.map(|owner| MemberRef {
            owner: owner.into(),
            ..member.clone()
        });
        let of_framework = named.find(|m| Dialect::of(m).is_some());
        Some(of_framework.unwrap_or_else(|| member.clone()))
    }

    /// Is it a class of the test's own? A framework that is recorded, too, is on the stack of the failure like the test.
    fn is_of_test(&self, class: &str) -> bool {
        let framework = jinsi_level::frameworks::is_framework(&class.replace('/', "."));
        self.callers.contains(class) && !framework
    }

    /// Does the comparison that the call makes fail, as far as its recorded arguments tell?
    fn is_broken(&self, call: NodeNo) -> bool {
        let Some((check, actual)) = self.check(call) else {
            return false;
        };
        let at = self.history.node(call).begin;
        let same = |a: &Value, b: &Value| {
            let text = |v| crate::text::of(self.history, v, at);
            a == b || text(a).is_some_and(|a| text(b) == Some(a))
        };
        let is = |wanted: bool| crate::text::shows(self.history, &actual, at, &wanted.to_string());
        match check {
            Check::Equal { expected, .. } => {
                let expected = self.history.args(call).get(expected);
                expected.is_some_and(|e| !same(e, &actual))
            }
            Check::Holds { wanted, .. } => is(!wanted),
            Check::Null { wanted, .. } => (actual == Value::Null) != wanted,
            Check::Throws { .. } | Check::Other { .. } => false,
        }
    }

    /// What the call checks, and the value in doubt.
    fn check(&self, call: NodeNo) -> Option<(Check, Value)> {
        let member = self.member(call)?;
        let check = self.turned(call, Dialect::of(&member)?.check(&member)?);
        let index = match check {
            Check::Equal { actual, .. }
            | Check::Holds { actual, .. }
            | Check::Null { actual, .. }
            | Check::Other { actual } => actual,
            Check::Throws { .. } => return None,
        };
        let actual = match index {
            Some(index) => self.history.args(call).get(index)?.clone(),
            None => {
                let first = *self.chain(call).first()?;
                self.history.args(first).last()?.clone()
            }
        };
        Some((check, actual))
    }

    /// The check with its two values in each other's place, if the test wrote them so: what it expects is what is written there.
    fn turned(&self, call: NodeNo, check: Check) -> Check {
        match check {
            Check::Equal {
                expected,
                actual: Some(actual),
            } if self.origin_of_argument(call, actual) == Origin::Constant
                && matches!(self.origin_of_argument(call, expected), Origin::Given(_)) =>
            {
                Check::Equal {
                    expected: actual,
                    actual: Some(expected),
                }
            }
            check => check,
        }
    }

    /// Where the test had the value in doubt from.
    fn origin_in_doubt(&self, call: NodeNo, check: &Check, taking: NodeNo) -> Origin {
        let index = match *check {
            Check::Equal { actual, .. }
            | Check::Holds { actual, .. }
            | Check::Null { actual, .. }
            | Check::Other { actual } => actual,
            Check::Throws { .. } => None,
        };
        match (index, self.history.args(taking).len().checked_sub(1)) {
            (Some(index), _) => self.origin_of_argument(call, index),
            (None, Some(last)) => self.origin_of_argument(taking, last),
            (None, None) => Origin::Unknown,
        }
    }

    /// Two objects of the program's were compared by its `equals`, which gave the wrong answer: `assertEquals(copy, original)`.
    fn by_equals(&self, call: NodeNo) -> Option<Asserted> {
        let name = self.member(call)?.name;
        let wanted = match name.as_str() {
            "assertEquals" | "isEqualTo" => true,
            "assertNotEquals" | "isNotEqualTo" => false,
            _ => return None,
        };
        let subject = self.chain(call).first().copied();
        let handed: Vec<&Value> = [Some(call), subject.filter(|first| *first != call)]
            .into_iter()
            .flatten()
            .flat_map(|n| self.history.args(n))
            .collect();
        let is_handed =
            |value: &Value| matches!(value, Value::Object(_)) && handed.contains(&value);
        let gave = Value::Prim(Prim::Boolean(!wanted));
        let asked = |&n: &NodeNo| {
            let is_equals = self
                .history
                .member(n)
                .is_some_and(|m| m.name == "equals" && m.desc == "(Ljava/lang/Object;)Z");
            is_equals
                && self.history.parent(n) == Some(call)
                && self.is_delivery(n)
                && is_handed(self.history.receiver(n))
                && self.history.args(n).iter().all(is_handed)
                && self.value_of(n).as_ref() == Some(&gave)
        };
        let node = self.history.below(call).rev().find(asked)?;
        let (actual, at) = (Term::Delivered, self.history.node(node).close);
        if is_arranged(self.history, node, self.callers) {
            return None;
        }
        Some(Asserted {
            node,
            demand: Some(Demand::Holds { actual, wanted }),
            compared: (gave, at),
            expected: None,
        })
    }

    /// The calls of a chain, the first that took the value in doubt, then each that the next was called on; `call` is the last.
    fn chain(&self, call: NodeNo) -> Vec<NodeNo> {
        let mut calls = vec![call];
        let mut at = call;
        while let Some(before) = self.made_by(self.history.receiver(at), at) {
            let of_framework = self
                .member(before)
                .is_some_and(|m| Dialect::of(&m) == Some(Dialect::Fluent));
            if !of_framework {
                break;
            }
            calls.push(before);
            at = before;
            let takes = self
                .member(before)
                .is_some_and(|m| TAKES.iter().any(|t| m.name.starts_with(t)));
            if takes {
                break;
            }
        }
        calls.reverse();
        calls
    }

    /// The last call before `before` that gave this object.
    fn made_by(&self, value: &Value, before: NodeNo) -> Option<NodeNo> {
        let Value::Object(_) = value else {
            return None;
        };
        let begin = self.history.node(before).begin;
        self.returned(begin)
            .find(|(n, v)| *n != before && v == value)
            .map(|(n, _)| n)
    }

    fn read(&self, call: NodeNo) -> Option<Asserted> {
        if let Some(asserted) = self.asked_by_spock(call) {
            return Some(asserted).filter(|a| !is_arranged(self.history, a.node, self.callers));
        }
        let (check, value) = self.check(call)?;
        let at = self.history.node(call).begin;
        let taking = self.chain(call).first().copied().unwrap_or(call);
        if let Some(asserted) = self.by_equals(call) {
            return Some(asserted);
        }
        let origin = self.origin_in_doubt(call, &check, taking);
        let other = self.compared_with(call, &check);
        if let Other::Tests = other
            && let Some(asserted) = self.part_of_text(call, &check, &origin, &value)
        {
            return Some(asserted);
        }
        let asks_for_text = match (&check, &origin) {
            (Check::Holds { wanted: true, .. }, Origin::Given(n)) => self.compared_with_text(*n),
            _ => None,
        };
        if let Some((given, text)) = asks_for_text {
            return self.is_text(given, text, at);
        }
        let given = match origin {
            Origin::Given(n) => self.subject_of(n),
            _ => None,
        };
        let (node, actual) = match (&check, given, origin) {
            (_, Some(given), _) => given,
            (Check::Holds { wanted: true, .. }, _, Origin::InstanceOf(n, wanted)) => {
                let (node, term) = self.subject_of(n)?;
                return Some(Asserted {
                    node,
                    demand: term.map(|actual| Demand::InstanceOf { actual, wanted }),
                    compared: (self.value_of(n)?, at),
                    expected: None,
                });
            }
            (Check::Holds { .. }, ..) => match self.condition(&value, taking)? {
                Condition::Given(node, term) => (node, term),
                Condition::Computed(node, term, from) => {
                    return Some(differs(node, term, from, at));
                }
            },
            // That something else has the same value is chance.
            (_, _, Origin::Computed | Origin::Constant | Origin::InstanceOf(..)) => return None,
            (_, _, Origin::Given(_) | Origin::Unknown) => {
                self.subject(&value, self.history.node(taking).begin)?
            }
        };
        if is_arranged(self.history, node, self.callers) {
            return None;
        }
        let expected = match check {
            Check::Equal { expected, .. } => self.history.args(call).get(expected).cloned(),
            _ => None,
        };
        let of_other = match other {
            Other::Programs(other, term) => Some(self.expected_of(node, other, term)?),
            Other::Tests => None,
        };
        let is_of_other = of_other.is_some();
        let demand = actual.and_then(|actual| self.demand(call, check, actual, of_other));
        if is_of_other && !matches!(demand, Some(Demand::Equal { .. })) {
            return None;
        }
        // What is the same in another object is right there.
        if demand.is_none()
            && self
                .member(call)
                .is_some_and(|m| dialect::is_identity(&m.name))
        {
            return None;
        }
        Some(Asserted {
            node,
            demand,
            compared: (value, at),
            expected,
        })
    }

    /// What the call `given` gave has to be this text.
    fn is_text(&self, given: NodeNo, text: JavaString, at: Moment) -> Option<Asserted> {
        let (node, term) = self.subject_of(given)?;
        if is_arranged(self.history, node, self.callers) {
            return None;
        }
        let text = Value::Str(text);
        let demand = term.map(|actual| Demand::Equal {
            actual,
            expected: Term::Literal(text.clone()),
        });
        Some(Asserted {
            node,
            demand,
            compared: (self.value_of(given)?, at),
            expected: Some(text),
        })
    }

    /// `of_other`: what is expected, if the test had that from the program.
    fn demand(
        &self,
        call: NodeNo,
        check: Check,
        actual: Term,
        of_other: Option<Term>,
    ) -> Option<Demand> {
        let at = self.history.node(call).begin;
        // In between, a chain may have gone over to something else.
        let plain = self.chain(call).iter().rev().skip(1).all(|&n| {
            let member = self.member(n);
            let name = member.as_ref().map_or("", |m| m.name.as_str());
            let takes = TAKES.iter().any(|t| name.starts_with(t));
            takes || self.stays(n) && !dialect::configures(name)
        });
        let near = self
            .member(call)
            .is_some_and(|m| dialect::has_tolerance(&m));
        match check {
            Check::Equal { expected, .. } if plain && !near => {
                let expected = self.history.args(call).get(expected)?;
                if self.is_matcher(expected) {
                    return self.stated(call, &actual);
                }
                let expected = match of_other {
                    Some(other) => other,
                    None => self.term(expected, at)?,
                };
                let groovy = self.member(call).is_some_and(|m| spock::is_comparison(&m));
                if groovy && !self.is_equality_of_java(call, &expected) {
                    return None;
                }
                Some(Demand::Equal { actual, expected })
            }
            Check::Holds { wanted, .. } if plain => Some(Demand::Holds { actual, wanted }),
            Check::Null { wanted, .. } if plain => Some(Demand::Null { actual, wanted }),
            _ => self.stated(call, &actual),
        }
    }

    /// Is it an object of a framework's, as Kotest's `shouldBe` takes them too? Then it is not equality that is asked for.
    fn is_matcher(&self, value: &Value) -> bool {
        let class = self.history.class_of_value(value).unwrap_or_default();
        jinsi_level::frameworks::is_framework(&class.replace('/', "."))
    }

    /// Does the call give what it is called on?
    fn stays(&self, call: NodeNo) -> bool {
        let receiver = self.history.receiver(call);
        matches!(self.history.outcome(call), Outcome::Return(Some(value)) if value == *receiver)
    }

    /// The framework's statement, with the value in doubt in its place.
    fn stated(&self, call: NodeNo, actual: &Term) -> Option<Demand> {
        let mut chain = self.chain(call);
        let last = chain.pop()?;
        let takes = chain.first().copied().unwrap_or(last);
        let mut term = None;
        for n in chain.into_iter().chain([last]) {
            let member = self.member(n)?;
            if n != last && n != takes && self.stays(n) && !dialect::configures(&member.name) {
                continue;
            }
            let check = Dialect::of(&member)?.check(&member);
            let doubt = match (n == takes, check.map(|check| self.turned(n, check))) {
                (true, Some(Check::Other { actual } | Check::Equal { actual, .. }))
                    if actual.is_some() =>
                {
                    actual
                }
                (true, _) => self.history.args(n).len().checked_sub(1),
                _ => None,
            };
            term = Some(self.call(n, term, doubt, actual)?);
        }
        Some(Demand::Stated(term?))
    }

    /// One call of a statement; the argument `doubt` is the value in doubt.
    fn call(
        &self,
        n: NodeNo,
        receiver: Option<Term>,
        doubt: Option<usize>,
        actual: &Term,
    ) -> Option<Term> {
        let at = self.history.node(n).begin;
        let args = self.history.args(n).iter().enumerate();
        let of_object = self
            .member(n)
            .is_some_and(|m| dialect::is_identity(&m.name));
        let args: Option<Vec<Term>> = args
            .map(|(index, value)| match doubt == Some(index) {
                true => Some(actual.clone()),
                false if of_object => self.itself(value, at),
                false => self.term(value, at),
            })
            .collect();
        let receiver = match receiver {
            Some(term) => Some(Box::new(term)),
            None if self.history.has_receiver(n) => {
                Some(Box::new(self.term(self.history.receiver(n), at)?))
            }
            None => None,
        };
        Some(Term::Call {
            member: self.member(n)?,
            receiver,
            args: args?,
        })
    }
}

/// The assertion of a condition that the test computed from what it was given.
fn differs(node: NodeNo, term: Option<Term>, from: Value, at: Moment) -> Asserted {
    let simple = !matches!(from, Value::Object(_));
    Asserted {
        node,
        demand: term.filter(|_| simple).map(|actual| Demand::Differs {
            actual,
            from: from.clone(),
        }),
        compared: (from, at),
        expected: None,
    }
}

/// Names of methods that take the value in doubt (`assertThat`, `that`, `then`, …).
const TAKES: [&str; 4] = ["assertThat", "that", "then", "expect"];
