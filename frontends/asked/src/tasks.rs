//! What other threads did for a thread: tasks of pools, threads that it started, stages of futures. Each is a call of whoever handed it over.
//!
//! A task is an outermost call of another thread. It hangs below the innermost call around the hand-over that had not ended when the task ended. Who
//! says that a call is right has seen what was there at its end, so what was done later is no part of it. Where it may have been handed over in
//! several calls, it hangs below the innermost one that is around all of them.

use std::collections::HashMap;

use jinsi_declarative::{NodeNo, Task, Tree};
use jinsi_inspect::Inspector;
use jinsi_trace::model::{MemberRef, ThreadNo};

use crate::error::Result;
use crate::handovers::{HandOver, handovers};

/// Events of a run of several threads that are gone through to find out who had what done.
const EVENTS: u64 = 20_000_000;

/// The calls of a thread, and what others did for them.
///
/// # Errors
/// The trace cannot be read.
pub fn tree(inspector: &Inspector<'_>, thread: ThreadNo) -> Result<Tree> {
    let trace = inspector.trace();
    let mut others = Vec::new();
    for other in trace.threads().iter().filter(|other| other.no != thread) {
        let has_calls = inspector
            .outermost(other.no)
            .is_ok_and(|all| !all.is_empty());
        others.extend(has_calls.then_some(other.no));
    }
    let events = trace.threads().iter().map(|t| trace.event_count(t.no));
    if others.is_empty() || events.sum::<u64>() > EVENTS {
        return Ok(Tree::read(trace, thread)?);
    }
    let threads = [&[thread], &others[..]].concat();
    let trees = Tree::read_all(trace, &threads)?;
    let mut placing = Placing {
        inspector,
        trees: &trees,
        number: threads.iter().copied().zip(0..).collect(),
        within: HashMap::new(),
    };
    let tasks = placing.all()?;
    let joined = Tree::joined(&trees, &tasks).filter(|_| !tasks.is_empty());
    match joined {
        Some(joined) => Ok(joined),
        None => Ok(Tree::read(trace, thread)?),
    }
}

/// A call: the number of its tree, and its node there.
type Call = (usize, NodeNo);

/// Finds where tasks hang.
struct Placing<'a, 't> {
    inspector: &'a Inspector<'t>,
    trees: &'a [Tree],
    /// The number of each thread's tree.
    number: HashMap<ThreadNo, usize>,
    /// Where those hang that have a place: below which call, behind which event of its thread.
    within: HashMap<Call, (Call, u64)>,
}

impl Placing<'_, '_> {
    /// Who has others do something began before them.
    fn all(&mut self) -> Result<Vec<Task>> {
        let mut roots = Vec::new();
        for (no, tree) in self.trees.iter().enumerate().skip(1) {
            let ranked = |root| (self.inspector.rank(tree.name(root)), (no, root));
            roots.extend(tree.roots().map(ranked));
        }
        roots.sort_unstable();
        let methods = roots.iter().map(|(_, (no, root))| {
            let tree = &self.trees[*no];
            let method = tree.method(tree.method_of(*root));
            MemberRef {
                owner: method.owner.as_str().into(),
                name: method.name.as_str().into(),
                desc: method.desc.as_str().into(),
            }
        });
        let handovers = handovers(self.inspector, methods);
        let mut tasks = Vec::new();
        for (_, call) in roots {
            let (no, root) = call;
            let Some(by) = handovers.get(&self.trees[no].name(root)) else {
                continue;
            };
            let within = self.around(by, self.ended(call)?)?;
            self.within.extend(within.map(|within| (call, within)));
            tasks.push(Task { call, within });
        }
        Ok(tasks)
    }

    /// When a call ended, in the order of all threads.
    fn ended(&self, (no, node): Call) -> Result<u64> {
        let end = self.inspector.activation(self.trees[no].name(node))?.end;
        Ok(end.map_or(u64::MAX, |end| self.inspector.rank(end.event)))
    }

    /// The innermost call around all of these hand-overs that had not ended at a moment.
    fn around(&self, by: &[HandOver], ended: u64) -> Result<Option<(Call, u64)>> {
        let mut around: Option<Vec<(Call, u64)>> = None;
        for one in by {
            let Some(no) = self.number.get(&one.at.thread) else {
                return Ok(None);
            };
            let node = self.trees[*no].node(one.within);
            let mut next = node.map(|node| ((*no, node), one.at.index));
            let mut open = Vec::new();
            while let Some((call, at)) = next {
                if self.ended(call)? > ended {
                    open.push((call, at));
                }
                next = self.up(call, at);
            }
            around = Some(match around {
                Some(all) => common(&all, &open),
                None => open,
            });
        }
        Ok(around.and_then(|all| all.first().copied()))
    }

    /// The call that a call was made in, and the event behind which: by its own thread, or as a task.
    fn up(&self, (no, node): Call, at: u64) -> Option<(Call, u64)> {
        match self.trees[no].parent(node) {
            Some(parent) => Some(((no, parent), at)),
            None => self.within.get(&(no, node)).copied(),
        }
    }
}

/// Of calls around something, innermost first, those that are among others, too; behind the later event.
fn common(calls: &[(Call, u64)], others: &[(Call, u64)]) -> Vec<(Call, u64)> {
    let at_of = |call: Call| others.iter().find(|(other, _)| *other == call);
    let both = calls.iter().filter_map(|(call, at)| {
        let (_, other) = at_of(*call)?;
        Some((*call, *at.max(other)))
    });
    both.collect()
}
