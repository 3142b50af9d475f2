//! A history that is reported while it is read, and then forgotten: for runs of any length.

use jinsi_trace::model::ThreadNo;
use jinsi_trace::order::Merged;

use super::{Builder, Open, node_of};
use crate::node::{Ended, Node, NodeKind, NodeNo, TooLong};
use crate::objects::Objects;
use crate::{History, Tables};

/// Nodes that are kept before those that are over are reported.
const KEPT: usize = 1 << 16;

/// A node that will not change any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Over {
    /// Its number, for the time being.
    pub node: NodeNo,
    /// Its thread.
    pub thread: ThreadNo,
    /// How many activations are around it.
    pub depth: u32,
}

/// A history of which only what is open is kept, and the classes of objects. Its nodes are as those of [`History::build_merged`], but for the end of
/// their subtrees ([`Node::end`]) and all that follows from it. There are no contents in it, and it does not say which
/// thread a node is of: [`Over`] does.
#[derive(Debug)]
pub struct Rolling {
    builder: Builder,
    /// Thread of each node that is kept.
    threads: Vec<ThreadNo>,
    most: usize,
}

impl Rolling {
    /// A history of which `thread` has the first event.
    pub fn new(tables: Tables, thread: ThreadNo) -> Self {
        Self::keeping(tables, thread, KEPT)
    }

    /// The same, with so many nodes between one telling and the next.
    pub fn keeping(tables: Tables, thread: ThreadNo, most: usize) -> Self {
        let mut builder = Builder::new(tables, thread);
        builder.history.objects = Objects::bare();
        Self {
            builder,
            threads: Vec::new(),
            most,
        }
    }

    /// The history as far as it is kept.
    pub fn history(&self) -> &History {
        &self.builder.history
    }

    /// What is kept, when all is reported: objects, and which event happened when.
    pub fn into_history(self) -> History {
        self.builder.history
    }

    /// The innermost activation that is open in a thread.
    pub fn innermost(&mut self, thread: ThreadNo) -> Option<NodeNo> {
        self.builder.switch(thread);
        let mut open = self.builder.stack.iter().rev();
        open.find_map(|open| match open {
            Open::Activation(node) => Some(*node),
            _ => None,
        })
    }

    /// Takes the next event. Once many nodes are kept, those that are over are reported and forgotten.
    ///
    /// # Errors
    /// There are more events than can be numbered.
    pub fn event(
        &mut self,
        merged: Merged,
        over: &mut impl FnMut(&History, Over),
    ) -> Result<(), TooLong> {
        let thread = merged.thread;
        self.builder.event(merged)?;
        self.threads
            .resize(self.builder.history.nodes.len(), thread);
        if self.threads.len() >= self.most {
            let open = self.open();
            self.tell(&open, over);
            self.forget(&open);
            // What is open is no reason to look again and again.
            self.most = self.most.max(2 * self.threads.len());
        }
        Ok(())
    }

    /// There are no more events: tells what is left, also of calls that never ended.
    pub fn finish(&mut self, over: &mut impl FnMut(&History, Over)) {
        self.builder.end();
        self.tell(&[], over);
        self.forget(&[]);
    }

    /// The nodes that may change, ascending: what is open, and what happened in a call whose callee may still begin and then becomes one with it.
    fn open(&mut self) -> Vec<NodeNo> {
        let mut open = Vec::new();
        let mut pending = Vec::new();
        let mut look = |stack: &[Open]| {
            open.extend(stack.iter().copied().filter_map(node_of));
            let first = stack.iter().find_map(|open| match open {
                Open::Call {
                    node,
                    entered: false,
                } => Some(*node),
                _ => None,
            });
            pending.extend(first);
        };
        look(&self.builder.stack);
        for stack in self.builder.weaver.others() {
            look(stack);
        }
        for call in pending {
            let thread = self.threads[call.index()];
            let behind = NodeNo::first(self.threads.len()).filter(|no| *no > call);
            open.extend(behind.filter(|no| self.threads[no.index()] == thread));
        }
        open.sort_unstable();
        open.dedup();
        open
    }

    fn tell(&self, open: &[NodeNo], over: &mut impl FnMut(&History, Over)) {
        let history = &self.builder.history;
        let mut depths: Vec<u32> = Vec::with_capacity(self.threads.len());
        let mut open = open.iter().peekable();
        for (node, of) in history.nodes() {
            let depth = of.parent.map_or(0, |parent| {
                let is_activation = history.node(parent).kind == NodeKind::Activation;
                depths[parent.index()] + u32::from(is_activation)
            });
            depths.push(depth);
            if open.next_if(|open| **open == node).is_none() {
                let thread = self.threads[node.index()];
                let reported = Over {
                    node,
                    thread,
                    depth,
                };
                over(history, reported);
            }
        }
    }

    /// Keeps these nodes only, under new numbers.
    fn forget(&mut self, open: &[NodeNo]) {
        let number = |node: NodeNo| open.binary_search(&node).ok().map(NodeNo::from_index);
        let history = &mut self.builder.history;
        let values = std::mem::take(&mut history.values);
        let mut take = |at: u32, count: u32| {
            let from = history.values.len() as u32;
            let taken = values.iter().skip(at as usize).take(count as usize);
            history.values.extend(taken.cloned());
            from
        };
        let kept = open.iter().map(|no| {
            let node = &history.nodes[no.index()];
            Node {
                parent: node.parent.and_then(number),
                values: take(node.values, node.count),
                ended: match node.ended {
                    Ended::Value(at) => Ended::Value(take(at, 1)),
                    other => other,
                },
                ..node.clone()
            }
        });
        let kept: Vec<Node> = kept.collect();
        self.threads = open.iter().map(|no| self.threads[no.index()]).collect();
        history.nodes = kept;
        let renumber = |stack: &mut Vec<Open>| {
            stack.retain_mut(|open| {
                let node = match open {
                    Open::Activation(node) | Open::Call { node, .. } | Open::Merged(node) => node,
                    Open::Light { .. } => return true,
                };
                let known = number(*node);
                *node = known.unwrap_or(*node);
                known.is_some()
            });
        };
        renumber(&mut self.builder.stack);
        self.builder.weaver.others().for_each(renumber);
        self.builder.weaver.forget();
    }
}

#[cfg(test)]
mod tests;
