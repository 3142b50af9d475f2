//! Guessing what comes next: a walk over the symbols that a part of the grammar stands for.
//!
//! A sequence that repeats itself does so for long. So the builder compares what is pushed with what came after the same
//! beginning before, and as long as that agrees it leaves the grammar alone.

use super::arena::{Arena, NodeId};
use super::symbol::Sym;

/// Symbol (of the caller) and run-length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Repeated {
    pub(super) symbol: u64,
    pub(super) count: u64,
}

/// A node on the way down, and how many of its copies are not passed yet.
#[derive(Clone, Copy)]
struct Level {
    node: NodeId,
    copies: u64,
}

/// A place before a run of a terminal in what the nodes of a right side stand for.
pub(super) struct Walk {
    /// Nodes of rules that the place is in, outermost first; the first is on the right side that is walked.
    levels: Vec<Level>,
    /// The node of the run.
    leaf: NodeId,
    /// The run; what it is when there is none does not matter.
    expected: Repeated,
    /// The last node of the right side that was passed, and how many of its copies.
    pub(super) passed: Option<(NodeId, u64)>,
    active: bool,
    /// How many more runs may be passed, and levels gone down.
    pub(super) credit: u64,
}

impl Walk {
    pub(super) fn new() -> Self {
        Self {
            levels: Vec::new(),
            leaf: 0,
            expected: Repeated {
                symbol: 0,
                count: 0,
            },
            passed: None,
            active: false,
            credit: 0,
        }
    }

    /// Whether `run` is what comes next.
    #[inline]
    pub(super) fn expects(&self, run: Repeated) -> bool {
        self.active && self.expected == run
    }

    pub(super) fn is_active(&self) -> bool {
        self.active
    }

    pub(super) fn stop(&mut self) {
        self.active = false;
    }

    /// Begins before `node`, which is no guard.
    pub(super) fn start(&mut self, arena: &Arena, alphabet: &[u64], node: NodeId) {
        self.levels.clear();
        self.passed = None;
        self.active = true;
        self.descend(arena, alphabet, node);
    }

    /// Passes the expected run. `false` at the end of the right side, or before the node `stop`, with the walk at rest; and when
    /// there is no more credit.
    #[inline]
    pub(super) fn advance(&mut self, arena: &Arena, alphabet: &[u64], stop: NodeId) -> bool {
        self.credit = self.credit.saturating_sub(1);
        self.step(arena, alphabet, stop) && self.credit > 0
    }

    #[inline]
    fn step(&mut self, arena: &Arena, alphabet: &[u64], stop: NodeId) -> bool {
        let mut done = self.leaf;
        loop {
            let next = arena.next(done);
            let depth = self.levels.len();
            let Some(level) = self.levels.last_mut() else {
                self.passed = Some((done, arena.run(done)));
                self.active = next != stop && !arena.is_guard(next);
                if self.active {
                    self.descend(arena, alphabet, next);
                }
                return self.active;
            };
            if !arena.is_guard(next) {
                self.descend(arena, alphabet, next);
                return true;
            }
            level.copies -= 1;
            if level.copies > 0 {
                if depth == 1 {
                    self.passed = Some((level.node, arena.run(level.node) - level.copies));
                }
                // The right side is a ring: behind the guard it begins anew.
                self.descend(arena, alphabet, arena.next(next));
                return true;
            }
            done = level.node;
            self.levels.pop();
        }
    }

    /// Goes from a node down to the first run that it stands for.
    #[inline]
    fn descend(&mut self, arena: &Arena, alphabet: &[u64], mut node: NodeId) {
        loop {
            let (sym, count) = (arena.sym(node), arena.run(node));
            if !sym.is_rule() {
                self.leaf = node;
                self.expected = Repeated {
                    symbol: alphabet[sym.index()],
                    count,
                };
                return;
            }
            self.credit = self.credit.saturating_sub(1);
            self.levels.push(Level {
                node,
                copies: count,
            });
            node = arena.first(sym.index() as u32);
        }
    }
}

/// Which rule a symbol is.
pub(super) fn rule_of(sym: Sym) -> Option<u32> {
    sym.is_rule().then(|| sym.index() as u32)
}
