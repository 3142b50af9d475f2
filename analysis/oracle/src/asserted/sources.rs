//! What the test gave on: results of the program's, which it gave to the program again, or compared with.
//!
//! An object that is an argument is followed by its identity. A number or a text is not: the test's code tells where it was from. As a literal, a wrong one
//! would stay wrong whatever is repaired. The same is true of whatever a wrong value is compared with.

use std::collections::BTreeSet;

use jinsi_history::{NodeKind, NodeNo};
use jinsi_trace::model::Value;

use super::dialect::Check;
use super::operands::Origin;
use crate::delivery::{Seen, target_class};
use crate::term::{Demand, Term};
use crate::testcode::file_of;
use crate::wrong::{GivenOn, Sources};

/// Calls that are gone back over at most.
const MOST: usize = 16;

/// What a value was compared with.
pub(super) enum Other {
    /// Something of the test's own.
    Tests,
    /// What this activation, or access, gave, and what the test made of it; `None` if that cannot be written again.
    Programs(NodeNo, Option<Term>),
}

impl Seen<'_> {
    /// What the call compares with: it is not known which of two results of the program's is wrong, so both have to be there.
    pub(super) fn compared_with(&self, call: NodeNo, check: &Check) -> Other {
        let Check::Equal { expected, .. } = *check else {
            return Other::Tests;
        };
        let Origin::Given(n) = self.origin_of_argument(call, expected) else {
            return Other::Tests;
        };
        let Some((node, term)) = self.subject_of(n) else {
            return Other::Tests;
        };
        let is_wanted = match self.value_of(n) {
            None | Some(Value::Null) => false,
            // A constant, or what the environment gave, is the same in a test.
            Some(Value::Object(_)) => self.is_by_program(node),
            Some(_) => true,
        };
        match is_wanted && !self.is_within_test(node) {
            true => Other::Programs(node, term),
            false => Other::Tests,
        }
    }

    /// What is expected if the value in doubt, which `node` gave, is compared with what the test made of the result of `other`.
    pub(super) fn expected_of(
        &self,
        node: NodeNo,
        other: NodeNo,
        term: Option<Term>,
    ) -> Option<Term> {
        match other == node {
            true => term,
            false if self.is_by_program(other) => term.map(|term| term.with_result(other)),
            false => None,
        }
    }

    /// What has a part in the wrong value that `node` delivered, and in what was demanded of it.
    pub(crate) fn sources(&self, node: NodeNo, demand: Option<&Demand>) -> Sources {
        let mut found = Sources::default();
        let mut nodes = BTreeSet::new();
        if let Some(Demand::Equal { expected, .. }) = demand {
            expected.add_results(&mut nodes);
        }
        let mut work: Vec<NodeNo> = nodes.iter().copied().chain([node]).collect();
        while let Some(n) = work.pop().filter(|_| nodes.len() < MOST) {
            for index in 0..self.history.args(n).len() {
                let Some((from, term)) = self.given_on(n, index) else {
                    continue;
                };
                let term = term.with_result(from);
                found.given.push(GivenOn {
                    node: n,
                    index,
                    term,
                });
                if nodes.insert(from) {
                    work.push(from);
                }
            }
        }
        found.nodes = nodes.into_iter().collect();
        found
    }

    /// The activation whose result the test gave to `n` as this argument, and how, if that is no object.
    fn given_on(&self, n: NodeNo, index: usize) -> Option<(NodeNo, Term)> {
        let value = self.history.args(n).get(index)?;
        let is_plain = matches!(value, Value::Prim(_) | Value::Boxed(_) | Value::Str(_));
        let Origin::Given(given) = is_plain.then(|| self.origin_of_argument(n, index))? else {
            return None;
        };
        let (node, term) = self.subject_of(given)?;
        let is_before = self.history.node(node).close <= self.history.node(n).begin;
        let is_programs = self.is_by_program(node) && !self.is_within_test(node);
        (is_before && is_programs).then_some((node, term?))
    }

    fn is_by_program(&self, node: NodeNo) -> bool {
        self.history.node(node).kind == NodeKind::Activation && !self.history.is_constructor(node)
    }

    /// Is it done by a class in the file of the test's own?
    fn is_within_test(&self, n: NodeNo) -> bool {
        let class = match self.history.node(n).kind {
            NodeKind::Activation => self.history.entity_class(n),
            _ => target_class(self.history, n),
        };
        let mut callers = self.callers.iter();
        callers.any(|caller| file_of(caller) == file_of(class))
    }
}
