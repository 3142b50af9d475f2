//! What a pass over the events tells the tables.

use jinsi_history::{History, NodeKind, Over};

use crate::places::Places;
use crate::run::Run;

/// Longest array of numbers whose elements a row of `events` has. Buffers that a program hands on again and again would be most of the table.
pub(crate) const ELEMENTS: u64 = 256;

/// A call or access that is over.
pub(crate) struct EndedNode<'h> {
    pub(crate) run: &'h Run,
    pub(crate) places: &'h Places<'h>,
    pub(crate) history: &'h History,
    pub(crate) over: Over,
}

impl EndedNode<'_> {
    /// Where it began: its key.
    pub(crate) fn key(&self) -> u32 {
        self.history.node(self.over.node).begin.get()
    }

    /// The same as other commands take it.
    pub(crate) fn event(&self) -> Option<String> {
        let begin = self.history.node(self.over.node).begin;
        self.history.event_at(begin).map(|event| event.to_string())
    }

    /// The keys of the recorded call around it, and of the call of unrecorded code between, if there is one.
    pub(crate) fn around(&self) -> (Option<u32>, Option<u32>) {
        let mut through = None;
        let mut at = self.history.parent(self.over.node);
        while let Some(parent) = at {
            let node = self.history.node(parent);
            if node.kind == NodeKind::Activation {
                return (Some(node.begin.get()), through);
            }
            through = through.or(Some(node.begin.get()));
            at = node.parent;
        }
        (None, through)
    }
}
