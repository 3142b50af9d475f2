//! Streams in memory that are handed to code which is neither recorded nor natural. No event says what such code does to them, so replay
//! cannot run them for real.

use std::collections::{HashMap, HashSet};

use jinsi_trace::model::{CallOp, ObjectId, Value};

use super::objects::Met;
use super::real::runs_for_real;
use jinsi_history::Outcome;
use jinsi_history::{History, NodeKind};
use jinsi_natural::Natural;

/// Finds the streams that are handed to such code, the streams below them, and the streams that wrap them.
#[derive(Debug, Default)]
pub(super) struct GivenAway {
    neighbours: HashMap<ObjectId, Vec<ObjectId>>,
    handed: Vec<ObjectId>,
}

impl GivenAway {
    /// Reads the calls in `history`.
    pub(super) fn read(&mut self, history: &History, natural: &Natural) {
        let is_stream = |id: &ObjectId| {
            let class = history.class_of(*id).unwrap_or("");
            is_stream(class, natural)
        };
        let streams = |values: &[Value]| -> Vec<ObjectId> {
            let objects = values.iter().filter_map(|v| match v {
                Value::Object(id) => Some(*id),
                _ => None,
            });
            objects.filter(is_stream).collect()
        };
        let calls = history.nodes();
        for (n, _) in calls.filter(|(_, node)| node.kind == NodeKind::Call) {
            let Some(site) = history.site(n) else {
                continue;
            };
            let args = streams(history.args(n));
            let target = &site.target;
            let real = runs_for_real(natural, site.op, &target.owner, target);
            let special = site.op == CallOp::Special;
            if !real && !special {
                self.handed.extend(&args);
            }
            if let Outcome::Return(Some(made)) = history.outcome(n) {
                for made in streams(&[made]) {
                    for &arg in &args {
                        self.neighbours.entry(made).or_default().push(arg);
                        self.neighbours.entry(arg).or_default().push(made);
                    }
                }
            }
        }
    }

    /// What is known of objects before any is met.
    pub(super) fn into_met(mut self) -> Met {
        let mut found = HashSet::new();
        while let Some(id) = self.handed.pop() {
            if found.insert(id) {
                self.handed
                    .extend(self.neighbours.get(&id).into_iter().flatten());
            }
        }
        Met::knowing(found)
    }
}

/// Is an object of this class a stream in memory?
pub(super) fn is_stream(class: &str, natural: &Natural) -> bool {
    Natural::depends_on_others(class) && natural.is_natural_class(class)
}
