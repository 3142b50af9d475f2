//! The history of a thread, a stretch at a time: for runs of which the whole history would take too much memory.
//!
//! A stretch ends where nothing is open in the thread. What later stretches may ask of it is kept: objects, the last content of each, and the
//! calls that may have changed one since. The rest is forgotten.

use std::collections::BTreeSet;

use jinsi_trace::model::{Event, ThreadNo, Value};
use jinsi_trace::order::Merged;
use rustc_hash::FxHashMap;

use super::Builder;
use crate::node::{Ended, Node, NodeNo, TooLong};
use crate::objects::Objects;
use crate::{History, Tables};

/// How many times as long as it should be a stretch may be.
const LONGEST: usize = 32;

/// Reads the history of one thread, a stretch at a time.
#[derive(Debug)]
pub struct Stretches<E> {
    builder: Builder,
    events: E,
    thread: ThreadNo,
    /// Events so far.
    read: u64,
    /// Nodes of a stretch, before it ends as soon as it can.
    most: usize,
    /// The first node of this stretch. Those before it are kept of earlier ones.
    first: NodeNo,
    /// How many contents are kept of earlier stretches.
    contents: usize,
    defines_all: bool,
    gave_up: bool,
}

impl<E: Iterator<Item = Event>> Stretches<E> {
    /// Stretches of some `most` nodes each, and of as many more as it takes until nothing is open. The window of a recording has none: what was open where it
    /// begins is not known.
    pub fn new(tables: Tables, thread: ThreadNo, events: E, most: usize) -> Self {
        let mut builder = Builder::new(tables, thread);
        builder.history.objects = Objects::forgetful();
        builder.history.threads.are_of(thread);
        Self {
            builder,
            events,
            thread,
            read: 0,
            most,
            first: NodeNo::FIRST,
            contents: 0,
            defines_all: true,
            gave_up: false,
        }
    }

    /// Reads the next stretch; false if there is none, or if it does not end in time ([`Self::gave_up`]). [`Self::forget`] the one before first.
    ///
    /// # Errors
    /// There are more events than can be numbered.
    pub fn read(&mut self) -> Result<bool, TooLong> {
        let begun = self.read;
        let kept = self.builder.history.values.len();
        let mut ended = false;
        while !ended && !self.gave_up {
            let Some(event) = self.events.next() else {
                self.builder.end();
                break;
            };
            self.builder.event(Merged {
                thread: self.thread,
                index: self.read,
                event,
            })?;
            self.read += 1;
            let nodes = self.builder.history.nodes.len() - self.first.index();
            ended = nodes >= self.most && self.builder.stack.is_empty();
            self.gave_up = !ended && nodes >= self.most.saturating_mul(LONGEST);
        }
        let history = &self.builder.history;
        let known = |value: &Value| match value {
            Value::Object(id) => history.objects.get(*id).is_some(),
            _ => true,
        };
        self.defines_all &= history.values[kept..].iter().all(known);
        Ok(self.read > begun && !self.gave_up)
    }

    /// Was something open for so long that there are no stretches?
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// The history. The nodes before [`Self::first`] are those that were kept of earlier stretches; what was around them is forgotten.
    pub fn history(&self) -> &History {
        &self.builder.history
    }

    /// The first node of this stretch.
    pub fn first(&self) -> NodeNo {
        self.first
    }

    /// Place of the first content of this stretch in [`History::snapshots`].
    pub fn first_content(&self) -> usize {
        self.contents
    }

    /// Has every object that a value named so far got its identity in the thread? As [`History::defines_all`].
    pub fn defines_all(&self) -> bool {
        self.defines_all
    }

    /// Forgets the stretch, but for what later ones may ask of it. Calls are kept if they mention an object that `changes`, by the internal name of its class, and
    /// whose content has not been recorded since.
    pub fn forget(&mut self, changes: impl Fn(&str) -> bool) {
        let History {
            tables,
            objects,
            nodes,
            ..
        } = &mut self.builder.history;
        let class_changes = |class| tables.class(class).is_some_and(|c| changes(&c.name));
        let mut kept = BTreeSet::new();
        for n in objects.forget(nodes, class_changes) {
            if !kept.contains(&n) {
                kept.extend(n.until(nodes[n.index()].end));
            }
        }
        self.keep(&kept);
    }

    /// Keeps these nodes only, under new numbers.
    fn keep(&mut self, kept: &BTreeSet<NodeNo>) {
        let numbers: FxHashMap<NodeNo, NodeNo> = kept
            .iter()
            .copied()
            .zip(NodeNo::first(kept.len()))
            .collect();
        let history = &mut self.builder.history;
        let nodes = std::mem::take(&mut history.nodes);
        let values = std::mem::take(&mut history.values);
        for n in kept {
            let node = &nodes[n.index()];
            let mut take = |at: u32, count: u32| {
                let from = history.values.len() as u32;
                let taken = &values[at as usize..(at + count) as usize];
                history.values.extend_from_slice(taken);
                from
            };
            let inside = kept.range(*n..node.end).count();
            let own = numbers[n];
            history.nodes.push(Node {
                parent: node.parent.and_then(|parent| numbers.get(&parent).copied()),
                end: NodeNo::from_index(own.index() + inside),
                values: take(node.values, node.count),
                ended: match node.ended {
                    Ended::Value(at) => Ended::Value(take(at, 1)),
                    other => other,
                },
                ..node.clone()
            });
        }
        history.objects.renumber(&numbers);
        self.contents = history.objects.snapshots().len();
        self.first = NodeNo::from_index(kept.len());
        self.builder.weaver.keep(kept.len());
    }
}

#[cfg(test)]
mod tests;
