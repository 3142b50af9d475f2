//! Builds an RLESe grammar symbol by symbol.
//!
//! The deferred form: equal symbols that follow each other are only counted, outside the grammar; a node enters the start rule
//! when another symbol arrives, and only then are the three properties restored.
//!
//! Every digram of the grammar is either in the index or waits in a work list to be looked up. Changes take the digrams that
//! they destroy out of the index and put those that they make on the list, so nothing else is ever examined.
//!
//! Why it ends, in time linear in the input: let E be the sum of all run-lengths and r the number of rules. Merging and
//! splitting leave E alone; replacing a digram, unfolding a rule and uniting two rules each lower E - r/2 by at least one
//! half, and E grows by one a symbol pushed. Every such step splits at most two nodes, and every merge takes a node away.
//! (Uniting touches all references of the rule that has fewer of them, which adds at most a logarithm.)

use super::Grammar;
use super::arena::{Arena, NodeId};
use super::flatten::flatten;
use super::hash::WordMap;
use super::symbol::{MAX_SYMBOLS, Sym};

/// Builds a [`Grammar`]: [`push`](Builder::push) the symbols, then [`finish`](Builder::finish).
///
/// Memory is bounded by about 100 bytes a symbol pushed, less where the sequence repeats itself. A sequence may have any
/// length, but no more than 2^31 - 2 nodes after compression (more than 100 GB of memory); beyond that `push` panics.
pub struct Builder {
    arena: Arena,
    alphabet: Vec<u64>,
    terminals: WordMap<u32>,
    /// From a pair of symbols to the first node of its only occurrence.
    index: WordMap<NodeId>,
    /// First nodes of digrams that have to be looked up.
    unchecked: Vec<NodeId>,
    /// Rules that have lost a reference.
    lessened: Vec<u32>,
    /// The run that has not entered the grammar; its count is 0 before the first symbol.
    pending: (u64, u64),
    digram_checks: u64,
}

impl Default for Builder {
    fn default() -> Self {
        Builder::new()
    }
}

impl Builder {
    /// An empty sequence.
    pub fn new() -> Self {
        Builder {
            arena: Arena::new(),
            alphabet: Vec::new(),
            terminals: WordMap::default(),
            index: WordMap::default(),
            unchecked: Vec::new(),
            lessened: Vec::new(),
            pending: (0, 0),
            digram_checks: 0,
        }
    }

    /// Appends a symbol; every value is a symbol.
    pub fn push(&mut self, symbol: u64) {
        if self.pending.0 == symbol {
            self.pending.1 += 1;
            return;
        }
        self.flush();
        self.pending = (symbol, 1);
    }

    /// How often a digram was looked up so far, the measure of tracing cost in the thesis (table 3.7). The run that was
    /// pushed last is not in it.
    pub fn digram_checks(&self) -> u64 {
        self.digram_checks
    }

    /// The grammar of all symbols pushed.
    pub fn finish(mut self) -> Grammar {
        self.flush();
        flatten(&self.arena, self.alphabet)
    }

    /// Moves the pending run into the start rule and restores the properties.
    fn flush(&mut self) {
        let (symbol, run) = self.pending;
        if run == 0 {
            return;
        }
        let sym = self.intern(symbol);
        let last = self.arena.last(0);
        self.arena.insert_after(last, sym, run);
        self.unchecked.push(last);
        self.restore();
    }

    fn intern(&mut self, symbol: u64) -> Sym {
        let next = self.alphabet.len();
        let index = *self.terminals.entry(symbol).or_insert_with(|| {
            assert!(
                next < MAX_SYMBOLS,
                "a sequence with too many different symbols"
            );
            self.alphabet.push(symbol);
            next as u32
        });
        Sym::terminal(index)
    }

    /// Works the lists off until the three properties hold everywhere.
    fn restore(&mut self) {
        loop {
            if let Some(rule) = self.lessened.pop() {
                self.check_utility(rule);
            } else if let Some(node) = self.unchecked.pop() {
                self.check_digram(node);
            } else {
                return;
            }
        }
    }

    /// Properties 1 and 2 for the digram that begins at `node`, if there (still) is one.
    fn check_digram(&mut self, node: NodeId) {
        let Some(left) = self.arena.symbol(node) else {
            return;
        };
        let next = self.arena.next(node);
        let Some(right) = self.arena.symbol(next) else {
            return;
        };
        if left == right {
            self.merge(node, next);
            return;
        }
        self.digram_checks += 1;
        let pair = key(left, right);
        let other = *self.index.entry(pair).or_insert(node);
        if other != node {
            self.factor(pair, node, other);
        }
    }

    /// Property 3: a rule referenced by one node of run-length 1 is unfolded there.
    fn check_utility(&mut self, rule: u32) {
        if !self.arena.is_live_rule(rule) || self.arena.refs(rule) != 1 {
            return;
        }
        let node = self.arena.first_ref(rule);
        if self.arena.run(node) != 1 {
            return;
        }
        let left = self.arena.prev(node);
        self.unindex(left);
        self.unindex(node);
        self.arena.remove(node);
        let last = self.arena.last(rule);
        self.arena.splice_after(left, rule);
        self.arena.delete_rule(rule);
        self.unchecked.push(last);
        self.unchecked.push(left);
    }

    /// Merges two adjacent nodes of the same symbol.
    ///
    /// A right side can shrink to one node this way (of run-length 2 or more); that keeps all properties, and it is left.
    fn merge(&mut self, node: NodeId, next: NodeId) {
        let run = self.arena.run(node) + self.arena.run(next);
        self.arena.set_run(node, run);
        self.unindex(next);
        self.remove(next);
        self.unchecked.push(node);
    }

    /// Resolves two similar digrams: replaces both, or one, by a rule whose right side they are.
    fn factor(&mut self, pair: u64, one: NodeId, two: NodeId) {
        let (one_next, two_next) = (self.arena.next(one), self.arena.next(two));
        let left_run = self.arena.run(one).min(self.arena.run(two));
        let right_run = self.arena.run(one_next).min(self.arena.run(two_next));
        let whole = |node, next| {
            let rule = self.arena.rule_of_pair(node)?;
            (self.arena.run(node) == left_run && self.arena.run(next) == right_run).then_some(rule)
        };
        let rule = match (whole(one, one_next), whole(two, two_next)) {
            (Some(a), Some(b)) if self.arena.refs(a) < self.arena.refs(b) => self.unite(b, a),
            (Some(a), Some(b)) => self.unite(a, b),
            (Some(rule), None) => self.replace(two, left_run, right_run, rule),
            (None, Some(rule)) => self.replace(one, left_run, right_run, rule),
            (None, None) => {
                let rule = self.new_rule(one, left_run, right_run);
                self.replace(one, left_run, right_run, rule);
                self.replace(two, left_run, right_run, rule)
            }
        };
        self.index.insert(pair, self.arena.first(rule));
    }

    /// Makes a rule of the symbols of the digram at `node`.
    fn new_rule(&mut self, node: NodeId, left_run: u64, right_run: u64) -> u32 {
        let rule = self.arena.new_rule();
        for (sym, run) in [
            (self.arena.symbol(node), left_run),
            (self.arena.symbol(self.arena.next(node)), right_run),
        ] {
            let last = self.arena.last(rule);
            sym.map(|sym| self.arena.insert_after(last, sym, run));
        }
        rule
    }

    /// Replaces `left_run` copies of the symbol at `node` and `right_run` copies of the one behind it by `rule`. What is left
    /// over of the two runs stays before and behind. Returns `rule`.
    fn replace(&mut self, node: NodeId, left_run: u64, right_run: u64, rule: u32) -> u32 {
        self.unindex(node);
        let next = self.arena.next(node);
        let left = if self.arena.run(node) > left_run {
            self.arena.set_run(node, self.arena.run(node) - left_run);
            node
        } else {
            let left = self.arena.prev(node);
            self.unindex(left);
            self.remove(node);
            left
        };
        if self.arena.run(next) > right_run {
            self.arena.set_run(next, self.arena.run(next) - right_run);
        } else {
            self.unindex(next);
            self.remove(next);
        }
        let reference = self.arena.insert_after(left, Sym::rule(rule), 1);
        self.unchecked.push(reference);
        self.unchecked.push(left);
        rule
    }

    /// Lets every reference to `gone` mean `kept`, whose right side is the same, and deletes `gone`. Returns `kept`.
    fn unite(&mut self, kept: u32, gone: u32) -> u32 {
        let first = self.arena.first(gone);
        self.unindex(first);
        let second = self.arena.next(first);
        self.remove(second);
        self.remove(first);
        while self.arena.refs(gone) > 0 {
            let node = self.arena.first_ref(gone);
            let left = self.arena.prev(node);
            self.unindex(left);
            self.unindex(node);
            self.arena.rename(node, Sym::rule(kept));
            self.unchecked.push(node);
            self.unchecked.push(left);
        }
        self.arena.delete_rule(gone);
        kept
    }

    /// Removes a node; its rule, if it referenced one, may have become useless.
    fn remove(&mut self, node: NodeId) {
        if let Some(sym) = self.arena.symbol(node).filter(|sym| sym.is_rule()) {
            self.lessened.push(sym.index() as u32);
        }
        self.arena.remove(node);
    }

    /// Takes the digram that begins at `node` out of the index, if this occurrence is the one in it.
    fn unindex(&mut self, node: NodeId) {
        let Some(left) = self.arena.symbol(node) else {
            return;
        };
        let Some(right) = self.arena.symbol(self.arena.next(node)) else {
            return;
        };
        if let std::collections::hash_map::Entry::Occupied(entry) =
            self.index.entry(key(left, right))
            && *entry.get() == node
        {
            entry.remove();
        }
    }
}

/// The index key of a digram.
fn key(left: Sym, right: Sym) -> u64 {
    u64::from(left.0) << 32 | u64::from(right.0)
}
