//! Turns: in which order replay lets several threads go on.
//!
//! A thread of a replay runs alone, from one *point* to the next: the beginning of an incoming interaction, or the return of an outgoing
//! one. At a point it waits until all threads do, and the one with the smallest turn goes on. What it does up to its next point has a
//! place in the merged order of the recording ([`jinsi_trace::order`]): behind the last moment at which it waited for others, for what
//! these had done by then it may have found. That moment is the turn; if it waited for nobody, the point's own moment is.
//!
//! In the midst of that a thread may have waited for others: for a monitor, mostly. A level of all observed classes knows where, for it runs all the code
//! in which the agent has counted its meetings with others ([`History::waits`]); so does each level of the recording of a replay, where each of them is reported. The
//! thread waits there, and a point's turn is its own moment.
//!
//! Of other levels only this is known: in which method a thread waited. It pauses at its beginning, too, so that
//! what it did before is not done as late. What one method does before and behind having waited is not distinguished.

use std::collections::{BTreeMap, BTreeSet};

use jinsi_trace::model::ThreadNo;

use crate::{Interaction, Level, NodeNo, Pause, Turn, Wait};
use jinsi_history::{History, Moment, NodeKind};

/// Gives the points of `level` their turns, if it has several threads, and puts its interactions in the order in which they began.
pub(super) fn assign(history: &History, observed: &BTreeSet<String>, level: &mut Level) {
    if !history.is_threaded() {
        return;
    }
    let waits = waits(history, observed, level);
    let pauses = waits.is_none();
    level.waits = waits.unwrap_or_default();
    level
        .interactions
        .sort_by_key(|i| history.node(i.node).begin);
    for (no, interaction) in level.interactions.iter_mut().enumerate() {
        interaction.no = no as u32;
        of_interaction(history, interaction, pauses);
    }
    for outgoing in level.class_inits.values_mut().flatten() {
        let turn = Turn {
            first: history.node(outgoing.node).close.get(),
            pauses: Vec::new(),
        };
        outgoing.turn = Some(Box::new(turn));
    }
}

/// Where the threads of `level` waited, if enough was counted of all.
fn waits(
    history: &History,
    observed: &BTreeSet<String>,
    level: &Level,
) -> Option<BTreeMap<ThreadNo, Vec<Wait>>> {
    let is_in = |class: &str| observed.contains(class);
    let mut recorded = history.tables().observed_classes();
    let counts: Option<&dyn Fn(&str) -> bool> = match recorded.all(is_in) {
        true => None,
        false => Some(&is_in),
    };
    let threads: BTreeSet<ThreadNo> = level.interactions.iter().map(|i| i.thread).collect();
    let waits = threads.into_iter().map(|thread| {
        let of_thread = history.waits(thread, counts)?.into_iter();
        let of_thread = of_thread.map(|(meeting, at)| Wait {
            meeting,
            turn: at.get(),
        });
        Some((thread, of_thread.collect()))
    });
    waits.collect()
}

/// `pauses`: it is to pause where methods begin.
fn of_interaction(history: &History, interaction: &mut Interaction, pauses: bool) {
    let node = history.node(interaction.node);
    let mut stretch = Stretch {
        history,
        thread: interaction.thread,
        from: node.begin,
        nodes: (interaction.node, node.end),
        pauses,
    };
    let mut turn = &mut interaction.turn;
    for outgoing in &mut interaction.outgoing {
        let asked = history.node(outgoing.node);
        *turn = Some(Box::new(stretch.up_to(outgoing.node, asked.begin)));
        for callback in &mut outgoing.callbacks {
            of_interaction(history, callback, pauses);
        }
        stretch.nodes.0 = asked.end;
        stretch.from = asked.close;
        turn = &mut outgoing.turn;
    }
    let (_, end) = stretch.nodes;
    *turn = Some(Box::new(stretch.up_to(end, node.close)));
}

/// What a thread did between two points.
#[derive(Clone, Copy)]
struct Stretch<'h> {
    history: &'h History,
    thread: ThreadNo,
    /// When it began.
    from: Moment,
    /// The moments from and to which it ran.
    nodes: (NodeNo, NodeNo),
    /// May it have paused where methods begin?
    pauses: bool,
}

impl Stretch<'_> {
    /// The turn of the point at its beginning, if it ends before the node `end` and at the moment `to`.
    fn up_to(mut self, end: NodeNo, to: Moment) -> Turn {
        self.nodes.1 = end;
        let from = self.from;
        if !self.pauses || self.waited(from, to).is_none() {
            return Turn {
                first: from.get(),
                pauses: Vec::new(),
            };
        }
        let begins: Vec<Moment> = self.entries().collect();
        let first = begins.first().copied().unwrap_or(to);
        let ends = begins.iter().skip(1).copied().chain([to]);
        let pauses = (1..).zip(begins.iter().zip(ends));
        Turn {
            first: self.waited(from, first).unwrap_or(from).get(),
            pauses: pauses
                .filter_map(|(entries, (&begin, end))| {
                    let turn = self.waited(begin, end)?.get();
                    Some(Pause { entries, turn })
                })
                .collect(),
        }
    }

    /// When it last waited for others in `from..to`, if it did.
    ///
    /// A thread that lets others go on is thereby behind all that they had done. If it then enters a monitor which they had left before,
    /// that leaves no event of its own; so the release counts if the thread goes on to do anything.
    fn waited(&self, from: Moment, to: Moment) -> Option<Moment> {
        let acquired = self.history.last_acquire(self.thread, from, to);
        let behind = acquired.unwrap_or(from);
        let released = self.history.first_release(self.thread, behind, to);
        released.filter(|&at| self.goes_on(at, to)).or(acquired)
    }

    /// Did it do anything in `from..to`?
    fn goes_on(&self, from: Moment, to: Moment) -> bool {
        let (first, end) = self.nodes;
        let begins = |n: NodeNo| self.history.node(n).begin;
        // Its nodes are in the order of their beginnings.
        let next = first.partition_point(end, |n| begins(n) < from);
        next < end && begins(next) < to
    }

    /// When the methods began that it ran, the incoming one too; those of class initializers are left out.
    fn entries(&self) -> impl Iterator<Item = Moment> {
        let (mut n, end) = self.nodes;
        let history = self.history;
        std::iter::from_fn(move || {
            while n < end {
                let node = history.node(n);
                let is_run = node.kind == NodeKind::Activation;
                if is_run && history.site(n).is_some_and(|s| s.method == "<clinit>") {
                    n = node.end;
                    continue;
                }
                n = n.next();
                if is_run {
                    return Some(node.begin);
                }
            }
            None
        })
    }
}
