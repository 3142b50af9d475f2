//! The threads of a history: which thread a node belongs to, and when a thread had waited for others.
//!
//! While the merged stream is read, nodes of all threads get numbers in one order. In the end they are renumbered, so that those of a
//! thread are neighbours, and the subtree of a node is a range of numbers again.

use std::collections::BTreeMap;

use jinsi_trace::model::{Event, SiteNo, ThreadNo};
use jinsi_trace::order::{Meetings, Stamp};

use super::moment::Moment;
use super::node::{Node, NodeNo};

/// The threads of a history.
#[derive(Debug, Default)]
pub(super) struct ThreadBlocks {
    /// First node of each thread and the thread, ascending.
    blocks: Vec<(NodeNo, ThreadNo)>,
    /// The moments at which each thread is ordered among the others, ascending.
    stamps: BTreeMap<ThreadNo, Vec<Stamped>>,
}

/// A thread has waited for others, or lets others go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamped {
    pub(super) at: Moment,
    pub(super) acquires: bool,
    /// How often it had met others since it was ordered last, if that was counted.
    pub(super) meetings: Option<Meetings>,
    /// In whose code: the innermost open activation.
    pub(super) within: Option<SiteNo>,
}

impl Stamped {
    /// What an Order event says; `None` of any other.
    pub(super) fn of(event: &Event, at: Moment, within: Option<SiteNo>) -> Option<Self> {
        Some(Self {
            at,
            acquires: Stamp::of(event)?.is_acquire(),
            meetings: Meetings::of(event),
            within,
        })
    }
}

impl ThreadBlocks {
    /// The thread of node `n`.
    pub(super) fn of(&self, n: NodeNo) -> ThreadNo {
        let behind = self.blocks.partition_point(|&(first, _)| first <= n);
        // The first block begins with the first node.
        self.blocks[behind - 1].1
    }

    pub(super) fn are_several(&self) -> bool {
        self.blocks.len() > 1
    }

    /// All nodes are of one thread.
    pub(super) fn are_of(&mut self, thread: ThreadNo) {
        self.blocks = vec![(NodeNo::FIRST, thread)];
    }

    /// See [`super::History::last_acquire`].
    pub(super) fn last_acquire(
        &self,
        thread: ThreadNo,
        from: Moment,
        to: Moment,
    ) -> Option<Moment> {
        let last = self.within(thread, from, to).iter().rfind(|s| s.acquires);
        last.map(|s| s.at)
    }

    /// See [`super::History::first_release`].
    pub(super) fn first_release(
        &self,
        thread: ThreadNo,
        from: Moment,
        to: Moment,
    ) -> Option<Moment> {
        let first = self.within(thread, from, to).iter().find(|s| !s.acquires);
        first.map(|s| s.at)
    }

    /// See [`super::History::waits`]. `counts`: are meetings in the code of this activation counted?
    pub(super) fn waits(
        &self,
        thread: ThreadNo,
        counts: Option<&dyn Fn(SiteNo) -> bool>,
    ) -> Option<Vec<(u32, Moment)>> {
        let mut waits: Vec<(u32, Moment)> = Vec::new();
        let mut met: u32 = 0;
        for stamped in self.stamps.get(&thread).map_or(&[][..], Vec::as_slice) {
            let meetings = stamped.meetings?;
            let is_here = match counts {
                None => {
                    met = met.checked_add(meetings.count)?;
                    meetings.met
                }
                // Of those that were not reported, nobody knows in whose code they were.
                Some(_) if meetings.count > u32::from(meetings.met) => return None,
                Some(counts) => {
                    let is_here = meetings.met && stamped.within.is_some_and(counts);
                    met = met.checked_add(u32::from(is_here))?;
                    is_here
                }
            };
            let meeting = met.checked_add(u32::from(!is_here))?;
            match waits.last_mut() {
                Some(last) if last.0 == meeting => last.1 = stamped.at,
                _ => waits.push((meeting, stamped.at)),
            }
        }
        Some(waits)
    }

    fn within(&self, thread: ThreadNo, from: Moment, to: Moment) -> &[Stamped] {
        let stamps = self.stamps.get(&thread).map_or(&[][..], Vec::as_slice);
        let of = |moment| stamps.partition_point(|s| s.at < moment);
        stamps.get(of(from)..of(to)).unwrap_or(&[])
    }
}

/// What is kept of a thread while others are read. `S`: what is open in it.
#[derive(Debug, Default)]
struct Strand<S> {
    stack: S,
    nodes: usize,
    stamps: Vec<Stamped>,
}

/// Keeps the threads apart while a merged stream is read.
#[derive(Debug)]
pub(super) struct Weaver<S> {
    current: ThreadNo,
    /// Nodes of the current thread so far.
    nodes: usize,
    stamps: Vec<Stamped>,
    others: BTreeMap<ThreadNo, Strand<S>>,
    /// Thread of each node, as soon as there is a second thread.
    owners: Vec<ThreadNo>,
}

impl<S: Default> Weaver<S> {
    /// Reading begins with `thread`.
    pub(super) fn new(thread: ThreadNo) -> Self {
        Self {
            current: thread,
            nodes: 0,
            stamps: Vec::new(),
            others: BTreeMap::new(),
            owners: Vec::new(),
        }
    }

    /// The thread whose events are read.
    pub(super) fn current(&self) -> ThreadNo {
        self.current
    }

    /// Goes on with `thread`. `stack` holds what is open in the current thread, and afterwards what is open in `thread`.
    pub(super) fn switch(&mut self, thread: ThreadNo, stack: &mut S) {
        if thread == self.current {
            return;
        }
        if self.others.is_empty() {
            self.owners = vec![self.current; self.nodes];
        }
        let next = self.others.remove(&thread).unwrap_or_default();
        let left = Strand {
            stack: std::mem::replace(stack, next.stack),
            nodes: std::mem::replace(&mut self.nodes, next.nodes),
            stamps: std::mem::replace(&mut self.stamps, next.stamps),
        };
        self.others.insert(self.current, left);
        self.current = thread;
    }

    /// The current thread is ordered among others here.
    pub(super) fn stamped(&mut self, mut stamped: Stamped) {
        let is_first = self.stamps.is_empty() && self.nodes == 0;
        if let Some(meetings) = stamped.meetings.as_mut().filter(|m| is_first && !m.met) {
            // Those were before the window with which the history begins.
            meetings.count = 0;
        }
        self.stamps.push(stamped);
    }

    /// A node is made in the current thread: the number behind its own, among those of its thread.
    pub(super) fn node(&mut self) -> NodeNo {
        if !self.others.is_empty() {
            self.owners.push(self.current);
        }
        self.nodes += 1;
        self.behind()
    }

    /// The number behind the nodes of the current thread so far.
    pub(super) fn behind(&self) -> NodeNo {
        NodeNo::from_index(self.nodes)
    }

    /// What is open in the threads that are not the current one.
    pub(super) fn others(&mut self) -> impl Iterator<Item = &mut S> {
        self.others.values_mut().map(|strand| &mut strand.stack)
    }

    /// Forgets the nodes so far, and where the threads were ordered. Nodes have no true ends from now on.
    pub(super) fn forget(&mut self) {
        self.nodes = 0;
        self.stamps.clear();
        self.owners.clear();
        for strand in self.others.values_mut() {
            strand.nodes = 0;
            strand.stamps.clear();
        }
    }

    /// Forgets all nodes but so many, of the one thread that there is, and where it was ordered.
    pub(super) fn keep(&mut self, nodes: usize) {
        self.forget();
        self.nodes = nodes;
    }

    /// All threads.
    pub(super) fn all(&self) -> Vec<ThreadNo> {
        let others = self.others.keys().copied();
        others.chain([self.current]).collect()
    }

    /// Everything is read: sorts `nodes` by thread, if there are several. Until then a node's end is a number among the nodes of its own thread. The
    /// second result is the new number of each node.
    pub(super) fn finish(mut self, nodes: &mut Vec<Node>) -> (ThreadBlocks, Option<Vec<NodeNo>>) {
        if self.others.is_empty() {
            let blocks = vec![(NodeNo::FIRST, self.current)];
            let threads = ThreadBlocks {
                blocks,
                ..ThreadBlocks::default()
            };
            return (threads, None);
        }
        let last = Strand {
            stack: S::default(),
            nodes: self.nodes,
            stamps: std::mem::take(&mut self.stamps),
        };
        self.others.insert(self.current, last);
        let mut threads = ThreadBlocks::default();
        let mut next = BTreeMap::new();
        let mut first = 0;
        for (&thread, strand) in &mut self.others {
            next.insert(thread, first);
            if strand.nodes > 0 {
                threads.blocks.push((NodeNo::from_index(first), thread));
            }
            threads
                .stamps
                .insert(thread, std::mem::take(&mut strand.stamps));
            first += strand.nodes;
        }
        let firsts = next.clone();
        let numbers: Vec<NodeNo> = self
            .owners
            .iter()
            .map(|owner| {
                let number = next.entry(*owner).or_default();
                *number += 1;
                NodeNo::from_index(*number - 1)
            })
            .collect();
        let mut sorted: Vec<(NodeNo, Node)> = numbers
            .iter()
            .zip(std::mem::take(nodes))
            .zip(&self.owners)
            .map(|((&number, mut node), owner)| {
                let first = firsts.get(owner).copied().unwrap_or_default();
                node.end = NodeNo::from_index(first + node.end.index());
                node.parent = node.parent.map(|parent| numbers[parent.index()]);
                (number, node)
            })
            .collect();
        sorted.sort_unstable_by_key(|(number, _)| *number);
        *nodes = sorted.into_iter().map(|(_, node)| node).collect();
        (threads, Some(numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamped(at: Moment, count: u32) -> Stamped {
        Stamped {
            at,
            acquires: true,
            meetings: Some(Meetings { count, met: false }),
            within: None,
        }
    }

    #[test]
    fn what_was_met_before_a_window_is_not_counted_in_it() {
        let (one, other): (ThreadNo, ThreadNo) = (1, 2);
        let mut weaver = Weaver::<()>::new(one);
        let mut at = Moment::BEGINNING;
        let mut next = || {
            at = at.next().unwrap();
            at
        };
        let [begun, later] = [next(), next()];
        weaver.stamped(stamped(begun, 5));
        weaver.node();
        weaver.stamped(stamped(later, 2));
        weaver.switch(other, &mut ());
        weaver.node();
        let mut nodes = Vec::new();
        weaver.owners.clear();
        let (threads, _) = weaver.finish(&mut nodes);
        assert_eq!(threads.waits(one, None), Some(vec![(1, begun), (3, later)]));
    }
}
