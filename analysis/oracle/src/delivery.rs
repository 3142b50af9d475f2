//! Which interaction delivered the value that an assertion refused (Burger 2011, Section 6.2, begins with the object that produces
//! the wrong output).

use std::cell::Cell;
use std::collections::BTreeSet;

use jinsi_trace::model::{ObjectId, Prim, Value};

use super::assertion::Assertion;
use super::groovy;
use super::looks::touched_under;
use super::text;
use super::wrong::FoundBy;
use jinsi_history::{History, Moment, NodeKind};
use jinsi_level::{NodeNo, Outcome};

/// Values that are followed back to where they were taken from.
const STEPS: usize = 16;

/// What the test saw before its assertion failed.
pub(super) struct Seen<'a> {
    pub(super) history: &'a History,
    /// Recorded classes of the test.
    pub(super) callers: &'a BTreeSet<String>,
    /// First and last moment of the test.
    pub(super) from: Moment,
    pub(super) to: Moment,
    /// The exception of the assertion.
    pub(super) throwable: ObjectId,
    /// Values that may still be looked for: each time the whole recording may have to be gone through.
    pub(super) patience: Cell<u32>,
}

/// Values that are looked for, to begin with.
pub(super) const PATIENCE: u32 = 400;

impl Seen<'_> {
    /// The node whose outcome is the wrong value.
    pub(super) fn delivery(&self, assertion: &Assertion) -> Option<(NodeNo, FoundBy)> {
        let last = |wanted: &dyn Fn(NodeNo, &Value) -> bool, to: Moment| {
            self.returned(to)
                .find(|(n, value)| wanted(*n, value) && self.is_delivery(*n))
                .map(|(n, _)| n)
        };
        let constructed = |n: NodeNo| self.history.is_constructor(n);
        let given = |n: NodeNo, value: &Value| *value != Value::Null && !constructed(n);
        // What a framework asks of a value for its message is not what the test asked.
        let asked = |n: NodeNo| {
            self.callers.is_empty() || self.callers.contains(self.history.source_class(n))
        };
        let latest = last(&|n, value| given(n, value) && asked(n), self.to);
        // A condition that was not asked for last is about what was.
        if let Some(n) = latest
            && assertion.condition
            && !matches!(
                self.history.outcome(n),
                Outcome::Return(Some(Value::Prim(Prim::Boolean(_))))
            )
        {
            return Some((n, FoundBy::Last));
        }
        if let Some(n) = last(&|n, v| self.is_shown(n, v, assertion), self.to) {
            return Some((n, FoundBy::Shown));
        }
        if let Some(n) = self.source(assertion) {
            return Some((n, FoundBy::Source));
        }
        latest.map(|n| (n, FoundBy::Last))
    }

    /// Is there patience for one more value?
    pub(super) fn may_look(&self) -> bool {
        let left = self.patience.get();
        self.patience.set(left.saturating_sub(1));
        left > 0
    }

    /// What ended with a value while the test ran, up to `to`, the last first.
    pub(super) fn returned(&self, to: Moment) -> impl Iterator<Item = (NodeNo, Value)> {
        let hands_on = |n| {
            let call = self.history.node(n).kind == NodeKind::Call;
            let site = self.history.site(n).filter(|_| call);
            site.is_some_and(|site| groovy::hands_on(&site.target))
        };
        let of_test = move |n: &NodeNo| {
            let node = self.history.node(*n);
            node.begin >= self.from
                && node.close <= to
                && self.is_by_test(*n)
                && !hands_on(*n)
                && !self.is_among_the_program(*n)
        };
        self.history
            .numbers()
            .rev()
            .filter(of_test)
            .filter_map(|n| match self.history.outcome(n) {
                Outcome::Return(Some(value)) => Some((n, value)),
                _ => None,
            })
    }

    /// Is it done by the test, or by code that was not recorded?
    pub(super) fn is_by_test(&self, n: NodeNo) -> bool {
        let class = self.history.source_class(n);
        class.is_empty() || self.callers.contains(class)
    }

    /// Is it done by code that was not recorded, for other recorded code? That is no affair of the test's: a library that reads a field for the program
    /// gives it to the program.
    fn is_among_the_program(&self, n: NodeNo) -> bool {
        let mut around = std::iter::successors(self.history.parent(n), |&n| self.history.parent(n))
            .filter(|&n| self.history.node(n).kind == NodeKind::Activation);
        self.history.source_class(n).is_empty()
            && around.next().is_some_and(|n| self.is_delivery(n))
    }

    /// Does it cross from other recorded code to the test?
    pub(super) fn is_delivery(&self, n: NodeNo) -> bool {
        let tables = self.history.tables();
        let class = match self.history.node(n).kind {
            NodeKind::Activation => self.history.entity_class(n),
            NodeKind::GetField | NodeKind::GetStatic => target_class(self.history, n),
            _ => return false,
        };
        !self.callers.contains(class) && tables.observed_classes().any(|c| c == class)
    }

    /// Does the test look at an object of its own there that the code under test has touched?
    pub(super) fn is_look(&self, n: NodeNo) -> bool {
        self.history.node(n).kind == NodeKind::Call
            && touched_under(self.history, n, self.callers).is_some()
    }

    /// Is it what the assertion shows as actual?
    fn is_shown(&self, n: NodeNo, value: &Value, assertion: &Assertion) -> bool {
        let Some(actual) = &assertion.actual else {
            return false;
        };
        let at = self.history.node(n).close;
        match assertion.index {
            Some(index) => text::element(self.history, value, at, index)
                .is_some_and(|e| text::shows(self.history, &e, at, actual)),
            None => text::shows(self.history, value, at, actual),
        }
    }

    /// Follows the value back through what the test did with natural objects, from what it gave to the assertion.
    fn source(&self, assertion: &Assertion) -> Option<NodeNo> {
        let asserting = self.history.numbers().rev().find(|&n| {
            self.history.node(n).kind == NodeKind::Call && self.history.threw(n, self.throwable)
        });
        let mut sought: Vec<Value> = match asserting {
            Some(call) => self.history.args(call).iter().rev().cloned().collect(),
            None => Vec::new(),
        };
        let shown = self
            .returned(self.to)
            .find(|(n, value)| self.is_shown(*n, value, assertion));
        sought.extend(shown.map(|(_, value)| value));
        sought.into_iter().find_map(|value| {
            self.origin(
                value,
                asserting.map_or(self.to, |n| self.history.node(n).begin),
            )
        })
    }

    /// The delivery of `value`, or of the object out of which the test took it.
    fn origin(&self, value: Value, to: Moment) -> Option<NodeNo> {
        let mut sought = (value, to);
        for _ in 0..STEPS {
            let (value, to) = sought;
            let (n, _) = self.returned(to).find(|(_, v)| *v == value)?;
            if self.is_delivery(n) && !self.history.is_constructor(n) {
                return Some(n);
            }
            let receiver = self.history.receiver(n).clone();
            if receiver == Value::Null || receiver == value {
                return None;
            }
            sought = (receiver, self.history.node(n).begin);
        }
        None
    }
}

/// The class whose member the access `n` reads.
pub(super) fn target_class(history: &History, n: NodeNo) -> &str {
    let receiver = history.class_of_value(history.receiver(n));
    receiver.unwrap_or_else(|| history.site(n).map_or("", |s| &s.target.owner))
}
