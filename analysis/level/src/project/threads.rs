//! How the walk changes from thread to thread. It takes the nodes of all threads in time order, and keeps for each thread what is open in
//! it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use jinsi_trace::model::ThreadNo;

use super::crossing::Waiting;
use super::walk::{Frame, Walk};
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

impl Walk<'_> {
    /// The node `n` comes next. Nodes that were closed before it, in whatever thread, are left first.
    pub(super) fn go_to(&mut self, n: NodeNo) {
        if self.threads.several {
            self.close_until(self.history.node(n).begin);
            self.switch(self.history.thread_of(n));
        }
    }

    /// Goes on with `thread`.
    pub(super) fn switch(&mut self, thread: ThreadNo) {
        if !self.threads.several || thread == self.threads.current {
            return;
        }
        let (frames, crossings) = self.threads.others.remove(&thread).unwrap_or_default();
        let left = (
            std::mem::replace(&mut self.frames, frames),
            self.crossings.switch(crossings),
        );
        self.threads.others.insert(self.threads.current, left);
        self.threads.current = thread;
    }

    /// The node was opened in the current thread.
    pub(super) fn opened(&mut self, node: NodeNo) {
        if self.threads.several {
            let close = self.history.node(node).close;
            let token = Reverse((close, self.threads.current));
            self.threads.closing.push(token);
        }
    }

    /// Closes what is closed before `until`, in time order.
    fn close_until(&mut self, until: Moment) {
        while let Some(&Reverse((close, thread))) = self.threads.closing.peek()
            && close < until
        {
            self.threads.closing.pop();
            self.switch(thread);
            let top = self.frames.last().map(|f| self.history.node(f.node).close);
            if top.is_some_and(|top| top <= close) {
                self.pop();
            }
        }
    }

    /// The end of the history: closes everything.
    pub(super) fn leave_all(&mut self) {
        self.close_until(Moment::END);
        let threads: Vec<ThreadNo> = self.threads.others.keys().copied().collect();
        for thread in threads.into_iter().chain([self.threads.current]) {
            self.switch(thread);
            while !self.frames.is_empty() {
                self.pop();
            }
        }
    }
}
