//! A call as a span of time, and whether other threads had a part in it.

use std::ops::Range;

use jinsi_declarative::{NodeNo, Tree};
use jinsi_inspect::{Inspector, Moment};
use jinsi_trace::model::ThreadNo;

use crate::error::Result;

/// A call, or several that followed one another: between two moments of its thread.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    /// These calls, and all that are below them.
    pub(crate) calls: Range<NodeNo>,
    pub(crate) begin: Moment,
    pub(crate) end: Moment,
}

impl Span {
    /// Of a call; of one that did not end, only its beginning.
    pub(crate) fn of(inspector: &Inspector<'_>, tree: &Tree, node: NodeNo) -> Result<Self> {
        let begin = Moment::after(tree.name(node));
        let end = inspector.activation(tree.name(node))?.end;
        Ok(Self {
            calls: tree.below(node),
            begin,
            end: end.unwrap_or(begin),
        })
    }

    pub(crate) fn thread(&self) -> ThreadNo {
        self.begin.thread()
    }

    /// The outermost calls of other threads that are among its calls.
    pub(crate) fn tasks<'t>(&self, tree: &'t Tree) -> impl Iterator<Item = NodeNo> + 't {
        let first = self.calls.start;
        let tasks = tree.tasks(self.calls.clone()).iter().copied();
        tasks.filter(move |task| *task != first)
    }

    /// Tasks that the same thread had done before, and that ended meanwhile: it may have taken what they gave.
    pub(crate) fn ended_meanwhile(
        &self,
        inspector: &Inspector<'_>,
        tree: &Tree,
    ) -> Result<Vec<NodeNo>> {
        let [begin, end] = [self.begin, self.end].map(|moment| inspector.rank(moment.event));
        let mut found = Vec::new();
        for task in tree.tasks(0..tree.len() as NodeNo) {
            let by = tree.parent(*task);
            let is_above = by.is_some_and(|by| {
                tree.thread_of(by) == self.thread() && tree.below(by).contains(&self.calls.start)
            });
            if !is_above || self.calls.contains(task) {
                continue;
            }
            let ended = inspector.activation(tree.name(*task))?.end;
            let ended = ended.map(|ended| inspector.rank(ended.event));
            found.extend(ended.filter(|at| (begin..=end).contains(at)).map(|_| *task));
        }
        Ok(found)
    }
}

/// Did other threads have a part in what a call gave and changed? Then it is not known of what was recorded of it alone whether it is right.
///
/// # Errors
/// The trace cannot be read.
pub fn is_shared(inspector: &Inspector<'_>, tree: &Tree, node: NodeNo) -> Result<bool> {
    if !tree.is_of_one_thread(node) || inspector.others_wrote(tree.name(node))? {
        return Ok(true);
    }
    let span = Span::of(inspector, tree, node)?;
    Ok(!span.ended_meanwhile(inspector, tree)?.is_empty())
}
