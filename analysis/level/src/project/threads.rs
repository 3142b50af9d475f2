//! How the walk changes from thread to thread. It takes the nodes of all threads in time order, and keeps for each thread what is open in
//! it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use jinsi_trace::model::ThreadNo;

use super::crossing::{Crossings, Waiting};
use super::frame::Frame;
use jinsi_history::NodeNo;
use jinsi_history::{History, Moment};

/// The thread that the walk is in, and what is open in the other threads.
pub(super) struct Interleaving {
    several: bool,
    current: ThreadNo,
    others: BTreeMap<ThreadNo, (Vec<Frame>, Waiting)>,
    /// When each open node is closed, soonest first. Some may have been closed since.
    closing: BinaryHeap<Reverse<(Moment, ThreadNo)>>,
}

impl Interleaving {
    pub(super) fn new(history: &History) -> Self {
        Self {
            several: history.is_threaded(),
            current: in_time_order(history)
                .next()
                .map_or(0, |n| history.thread_of(n)),
            others: BTreeMap::new(),
            closing: BinaryHeap::new(),
        }
    }

    pub(super) fn current(&self) -> ThreadNo {
        self.current
    }

    /// Is there more than one thread?
    pub(super) fn are_several(&self) -> bool {
        self.several
    }

    /// The threads that were left, and behind them the current one.
    pub(super) fn all(&self) -> Vec<ThreadNo> {
        let left = self.others.keys().copied();
        left.chain([self.current]).collect()
    }

    /// Goes on with `thread`: what is open in it takes the place of what is open in the current one.
    pub(super) fn switch(
        &mut self,
        thread: ThreadNo,
        frames: &mut Vec<Frame>,
        crossings: &mut Crossings,
    ) {
        if !self.several || thread == self.current {
            return;
        }
        let (open, waiting) = self.others.remove(&thread).unwrap_or_default();
        let left = (std::mem::replace(frames, open), crossings.switch(waiting));
        self.others.insert(self.current, left);
        self.current = thread;
    }

    /// A node was opened in the current thread; when it is closed.
    pub(super) fn opened(&mut self, close: Moment) {
        if self.several {
            self.closing.push(Reverse((close, self.current)));
        }
    }

    /// The next node that is closed before `until`: when, and in which thread.
    pub(super) fn next_closed(&mut self, until: Moment) -> Option<(Moment, ThreadNo)> {
        let &Reverse(next) = self.closing.peek()?;
        if next.0 >= until {
            return None;
        }
        self.closing.pop();
        Some(next)
    }
}

/// All nodes of a history in time order.
pub(super) fn in_time_order(history: &History) -> impl Iterator<Item = NodeNo> + use<> {
    let sorted = history.is_threaded().then(|| {
        let mut order: Vec<NodeNo> = history.numbers().collect();
        order.sort_by_key(|&n| history.node(n).begin);
        order
    });
    NodeNo::first(history.len()).map(move |n| sorted.as_ref().map_or(n, |order| order[n.index()]))
}
