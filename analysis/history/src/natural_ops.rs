//! Operations on natural objects, which replay runs for real.

use std::collections::{BTreeSet, HashSet};

use jinsi_natural::Natural;
use jinsi_trace::model::{CallOp, ObjectId, Value};

use super::{History, Moment, NodeKind, NodeNo, Outcome};

impl History {
    /// Calls on the natural object `id` and on natural objects that such calls returned (iterators, views, entries), and reads of static
    /// fields that gave one of them, begun in `from..=to`, in order: run again, they bring `id` from its state at `from` to its state at `to`.
    pub fn natural_ops(
        &self,
        natural: &Natural,
        id: ObjectId,
        from: Moment,
        to: Moment,
    ) -> Vec<NodeNo> {
        natural_ops(self, natural, id, from, to)
    }

    /// Is the call node `n` an operation that replay runs for real: a natural constructor or static member, or a method on
    /// an instance of a natural class?
    pub fn is_natural_op(&self, natural: &Natural, n: NodeNo) -> bool {
        let Some(site) = self.site(n).filter(|_| self.node(n).kind == NodeKind::Call) else {
            return false;
        };
        // Code that makes a lambda makes it again when it runs.
        if site.op == CallOp::Dynamic || site.op == CallOp::Special && site.target.name == "<init>"
        {
            return false;
        }
        if self.has_receiver(n) {
            let target = &site.target;
            return self
                .class_of_value(self.receiver(n))
                .is_some_and(|class| natural.is_natural_class(class))
                && !natural.is_answered(&target.owner, &target.name, &target.desc);
        }
        natural.is_natural_member(&site.target.owner, &site.target.name, &site.target.desc)
    }

    /// Is the node `n` the read of a static field of a natural class, such as `String.CASE_INSENSITIVE_ORDER`?
    pub fn reads_natural_field(&self, natural: &Natural, n: NodeNo) -> bool {
        let site = self
            .site(n)
            .filter(|_| self.node(n).kind == NodeKind::GetStatic);
        site.is_some_and(|site| {
            let field = &site.target;
            natural.is_natural_field(&field.owner, &field.name, &field.desc)
        })
    }
}

fn natural_ops(
    history: &History,
    natural: &Natural,
    id: ObjectId,
    from: Moment,
    to: Moment,
) -> Vec<NodeNo> {
    let mut ops = BTreeSet::new();
    let mut seen = HashSet::from([id]);
    let mut work = vec![id];
    while let Some(id) = work.pop() {
        let mentions = history.object(id).map_or(&[][..], |r| r.mentions());
        let begin = mentions.partition_point(|&n| history.node(n).begin < from);
        let end = mentions.partition_point(|&n| history.node(n).begin <= to);
        for &n in mentions.get(begin..end).unwrap_or(&[]) {
            let is_op =
                || history.is_natural_op(natural, n) || history.reads_natural_field(natural, n);
            if !concerns(history, n, id) || !is_op() {
                continue;
            }
            ops.insert(n);
            if let Outcome::Return(Some(Value::Object(derived))) = history.outcome(n) {
                let class = history.class_of(derived).unwrap_or("");
                if natural.is_natural_class(class) && seen.insert(derived) {
                    work.push(derived);
                }
            }
        }
    }
    outermost(history, ops)
}

/// May the call `n` have changed or made `id`: is it the receiver, the result, or an argument of a static method?
fn concerns(history: &History, n: NodeNo, id: ObjectId) -> bool {
    let object = Value::Object(id);
    *history.receiver(n) == object
        || (!history.has_receiver(n)
            && !history.is_constructor(n)
            && history.args(n).contains(&object))
        || matches!(history.outcome(n), Outcome::Return(Some(v)) if v == object)
}

/// Leaves out what runs inside another of them, and so runs again with it; in time order.
fn outermost(history: &History, ops: BTreeSet<NodeNo>) -> Vec<NodeNo> {
    let mut end = NodeNo::FIRST;
    let mut ops: Vec<NodeNo> = ops
        .into_iter()
        .filter(|&n| {
            let outer = n >= end;
            if outer {
                end = history.node(n).end;
            }
            outer
        })
        .collect();
    if history.is_threaded() {
        ops.sort_unstable_by_key(|&n| history.node(n).begin);
    }
    ops
}
