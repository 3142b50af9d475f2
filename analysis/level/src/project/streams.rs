//! Streams in memory that are handed to code which is neither recorded nor natural. No event says what such code does to them, so replay
//! cannot run them for real.

use std::collections::{HashMap, HashSet};

use jinsi_trace::model::{CallOp, ObjectId, Value};

use super::real::runs_for_real;
use jinsi_history::Outcome;
use jinsi_history::{History, NodeKind};
use jinsi_natural::Natural;

/// The streams that are handed to such code, the streams below them, and the streams that wrap them.
pub(super) fn given_away(history: &History, natural: &Natural) -> HashSet<ObjectId> {
    let is_stream = |id: &ObjectId| {
        let class = history.class_of(*id).unwrap_or("");
        Natural::depends_on_others(class) && natural.is_natural_class(class)
    };
    let streams = |values: &[Value]| -> Vec<ObjectId> {
        let objects = values.iter().filter_map(|v| match v {
            Value::Object(id) => Some(*id),
            _ => None,
        });
        objects.filter(is_stream).collect()
    };
    let mut neighbours: HashMap<ObjectId, Vec<ObjectId>> = HashMap::new();
    let mut work = Vec::new();
    for (n, _) in history
        .nodes()
        .filter(|(_, node)| node.kind == NodeKind::Call)
    {
        let Some(site) = history.site(n) else {
            continue;
        };
        let args = streams(history.args(n));
        let target = &site.target;
        let real = runs_for_real(natural, site.op, &target.owner, target);
        let special = site.op == CallOp::Special;
        if !real && !special {
            work.extend(&args);
        }
        if let Outcome::Return(Some(made)) = history.outcome(n) {
            for made in streams(&[made]) {
                for &arg in &args {
                    neighbours.entry(made).or_default().push(arg);
                    neighbours.entry(arg).or_default().push(made);
                }
            }
        }
    }
    let mut found = HashSet::new();
    while let Some(id) = work.pop() {
        if found.insert(id) {
            work.extend(neighbours.get(&id).into_iter().flatten());
        }
    }
    found
}
