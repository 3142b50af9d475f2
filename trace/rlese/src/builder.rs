//! Builds an RLESe grammar symbol by symbol.
//!
//! The deferred form: equal symbols that follow each other are only counted, outside the grammar; a run can enter the start rule
//! when another symbol arrives, and only then are the three properties restored.
//!
//! What a sequence repeats is longer than a run, so more is deferred: when the start rule ends by a rule, the runs that come
//! are compared with what the rule stands for, as of a loop, or with what stands behind the rule elsewhere. As long as they
//! agree they wait outside the grammar. All that agreed then becomes another copy of the rule, or a right side of its own, in a
//! step or two. What a symbol at a time would get there by are as many rules made and unfolded again.
//!
//! Every digram of the grammar is either in the index or waits in a work list to be looked up. Changes take the digrams that
//! they destroy out of the index and put those that they make on the list, so nothing else is ever examined.
//!
//! Why it ends, in time linear in the input: let E be the sum of all run-lengths and r the number of rules. Merging and
//! splitting leave E alone; replacing a digram, unfolding a rule, uniting two rules and adopting what agreed each lower
//! E - r/2 by at least one half, and E grows by one a symbol pushed. Every such step splits at most two nodes, and every
//! merge takes a node away. (Uniting touches all references of the rule that has fewer of them, which adds at most a
//! logarithm.) Comparing is paid for by what arrives: `CREDIT` runs are compared for each that is pushed, and no more.

use super::Grammar;
use super::arena::{Arena, NIL, NodeId};
use super::flatten::flatten;
use super::index::Index;
use super::predict::{Repeated, Walk, rule_of};
use super::symbol::{MAX_SYMBOLS, Sym};

/// How many runs may be compared, and rules gone into for it, for each run that is pushed. One is enough where guesses are right; where they are not, what was
/// compared is compared again from a later place on.
const CREDIT: u64 = 8;

/// Builds a [`Grammar`]: [`push`](Builder::push) the symbols, then [`finish`](Builder::finish).
///
/// Memory is bounded by about 150 bytes a symbol pushed, less where the sequence repeats itself. A sequence may have any
/// length, but no more than 2^31 - 2 nodes after compression (more than 100 GB of memory); beyond that `push` panics.
pub struct Builder {
    arena: Arena,
    alphabet: Vec<u64>,
    terminals: Index,
    /// From a pair of symbols to the first node of its only occurrence.
    index: Index,
    /// First nodes of digrams that have to be looked up.
    unchecked: Vec<NodeId>,
    /// Rules that have lost a reference.
    lessened: Vec<u32>,
    /// The run that still grows; its count is 0 before the first symbol.
    pending: Repeated,
    /// Runs that are complete and not in the grammar.
    waiting: Waiting,
    guess: Guess,
    digram_checks: u64,
}

/// Complete runs outside the grammar.
#[derive(Default)]
struct Waiting {
    runs: Vec<Repeated>,
    /// The first that is not in the grammar.
    head: usize,
    /// The first that was not compared with what is expected.
    at: usize,
}

/// What is expected to follow the start rule's last node.
struct Guess {
    walk: Walk,
    /// The walk ends before this node.
    stop: NodeId,
    /// Whether the last node's rule is walked, or what stands behind another reference to it.
    repeats: bool,
    /// Which runs that wait were passed when the walk had passed the last whole copy of a node.
    passed: usize,
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
            terminals: Index::new(),
            index: Index::new(),
            unchecked: Vec::new(),
            lessened: Vec::new(),
            pending: Repeated {
                symbol: 0,
                count: 0,
            },
            waiting: Waiting::default(),
            guess: Guess {
                walk: Walk::new(),
                stop: NIL,
                repeats: false,
                passed: 0,
            },
            digram_checks: 0,
        }
    }

    /// Appends a symbol; every value is a symbol.
    #[inline]
    pub fn push(&mut self, symbol: u64) {
        if self.pending.symbol == symbol {
            self.pending.count += 1;
            return;
        }
        let run = std::mem::replace(&mut self.pending, Repeated { symbol, count: 1 });
        if run.count > 0 {
            self.close(run);
        }
    }

    /// How often a digram was looked up so far, the measure of tracing cost in Wang 2007, Table 3.7. What was pushed last and
    /// is not in the grammar yet is not in it.
    pub fn digram_checks(&self) -> u64 {
        self.digram_checks
    }

    /// The grammar of all symbols pushed.
    pub fn finish(mut self) -> Grammar {
        self.take()
    }

    /// The grammar of all symbols pushed. The builder is as new afterwards, but keeps its memory: a row of short sequences is
    /// built faster by one builder than by one each.
    pub fn take(&mut self) -> Grammar {
        let run = std::mem::replace(
            &mut self.pending,
            Repeated {
                symbol: 0,
                count: 0,
            },
        );
        if run.count > 0 {
            self.close(run);
        }
        while self.waiting.head < self.waiting.runs.len() {
            self.give_up();
            self.enter_first();
            self.compare();
        }
        let grammar = flatten(&self.arena, std::mem::take(&mut self.alphabet));
        self.arena.clear();
        self.terminals.clear();
        self.index.clear();
        self.waiting = Waiting {
            runs: std::mem::take(&mut self.waiting.runs),
            ..Waiting::default()
        };
        self.waiting.runs.clear();
        self.guess.walk.stop();
        self.guess.walk.credit = 0;
        self.digram_checks = 0;
        grammar
    }

    /// Takes a complete run.
    #[inline]
    fn close(&mut self, run: Repeated) {
        self.guess.walk.credit += CREDIT;
        self.waiting.runs.push(run);
        self.compare();
    }

    /// Compares what waits with what is expected, and lets it enter the grammar as far as that does not agree.
    #[inline]
    fn compare(&mut self) {
        while let Some(&run) = self.waiting.runs.get(self.waiting.at) {
            if self.guess.walk.expects(run) {
                self.waiting.at += 1;
                self.advance();
            } else {
                self.surprise(run);
            }
        }
    }

    /// The expected run came.
    #[inline]
    fn advance(&mut self) {
        let walk = &mut self.guess.walk;
        let passed = walk.passed;
        let on = walk.advance(&self.arena, &self.alphabet, self.guess.stop);
        if walk.passed != passed {
            self.guess.passed = self.waiting.at;
        }
        if on {
            return;
        }
        if self.guess.repeats && !walk.is_active() {
            let last = self.arena.last(0);
            self.arena.set_run(last, self.arena.run(last) + 1);
            self.entered(self.waiting.at);
        } else {
            self.give_up();
        }
    }

    /// Something else came than was expected.
    fn surprise(&mut self, run: Repeated) {
        if self.guess.walk.is_active() {
            self.give_up();
        } else if self.waiting.head == self.waiting.at && self.guess_before(run) {
            return;
        }
        self.enter_first();
    }

    /// The runs before `at` are in the grammar.
    fn entered(&mut self, at: usize) {
        self.waiting.head = at;
        self.waiting.at = at;
        if at == self.waiting.runs.len() {
            self.waiting.runs.clear();
            self.waiting.head = 0;
            self.waiting.at = 0;
        } else if at * 2 > self.waiting.runs.len() {
            self.waiting.runs.drain(..at);
            self.waiting.head = 0;
            self.waiting.at = 0;
        }
    }

    /// Looks for something that begins with `run` and may follow; whether it was found.
    fn guess_before(&mut self, run: Repeated) -> bool {
        let last = self.arena.last(0);
        let rule = self.arena.symbol(last).and_then(rule_of);
        let (Some(rule), true) = (rule, self.guess.walk.credit > 0) else {
            return false;
        };
        let first = self.arena.first(rule);
        if self.expect(run, first, true) {
            return true;
        }
        let other = self.other_ref(rule, last);
        if other == NIL || self.arena.run(last) != 1 || self.arena.run(other) != 1 {
            return false;
        }
        let next = self.arena.next(other);
        next != last && !self.arena.is_guard(next) && self.expect(run, next, false)
    }

    /// Expects what `node` and those behind it stand for, if it begins with `run`.
    fn expect(&mut self, run: Repeated, node: NodeId, repeats: bool) -> bool {
        let terminal = self.arena.first_terminal(self.arena.sym(node));
        if self.alphabet[terminal.index()] != run.symbol {
            return false;
        }
        let Guess { walk, .. } = &mut self.guess;
        walk.start(&self.arena, &self.alphabet, node);
        if !walk.expects(run) {
            walk.stop();
            return false;
        }
        self.guess.repeats = repeats;
        self.guess.stop = if repeats { NIL } else { self.arena.last(0) };
        true
    }

    /// Ends the comparison. The whole copies of nodes that were passed enter the grammar; what waits behind them is to be compared
    /// again.
    fn give_up(&mut self) {
        self.guess.walk.stop();
        let Some((passed, copies)) = self.guess.walk.passed.take() else {
            self.waiting.at = self.waiting.head;
            return;
        };
        let last = self.arena.last(0);
        let adopted = match self.guess.repeats {
            true => self.adopt_beginning(last, passed, copies),
            false => {
                self.adopt_continuation(last, passed, copies);
                true
            }
        };
        if adopted {
            self.restore();
            self.entered(self.guess.passed);
        } else {
            self.waiting.at = self.waiting.head;
        }
    }

    /// The first run that waits enters the grammar by itself.
    fn enter_first(&mut self) {
        let Some(&run) = self.waiting.runs.get(self.waiting.head) else {
            return;
        };
        let sym = self.intern(run.symbol);
        let last = self.arena.last(0);
        self.arena.insert_after(last, sym, run.count);
        self.unchecked.push(last);
        self.restore();
        self.entered(self.waiting.head + 1);
    }

    fn intern(&mut self, symbol: u64) -> Sym {
        let next = self.alphabet.len();
        assert!(
            next < MAX_SYMBOLS,
            "a sequence with too many different symbols"
        );
        let index = self.terminals.get_or_insert(symbol, next as u32);
        if index as usize == next {
            self.alphabet.push(symbol);
        }
        Sym::terminal(index)
    }

    /// What came agrees with the beginning of the right side of the rule at `last`, up to so many copies of the node `passed`.
    /// Whether something was done: a run of a terminal enters as any other.
    fn adopt_beginning(&mut self, last: NodeId, passed: NodeId, copies: u64) -> bool {
        let first = self.arena.first(self.arena.sym(last).index() as u32);
        let (sym, run) = if first == passed {
            let sym = self.arena.sym(first);
            if !sym.is_rule() {
                return false;
            }
            (sym, copies)
        } else {
            self.cut(passed, copies);
            (Sym::rule(self.separate(first, passed)), 1)
        };
        self.arena.insert_after(last, sym, run);
        self.unchecked.push(last);
        true
    }

    /// What came agrees with the nodes behind another reference to the rule at `last`, up to so many copies of the node
    /// `passed`.
    fn adopt_continuation(&mut self, last: NodeId, passed: NodeId, copies: u64) {
        let rule = self.arena.sym(last).index() as u32;
        let other = self.other_ref(rule, last);
        self.cut(passed, copies);
        let (before, behind) = (self.arena.prev(other), self.arena.next(passed));
        if before == behind && self.arena.rule_of_guard(before) != 0 {
            // All of another rule.
            let whole = Sym::rule(self.arena.rule_of_guard(before));
            self.rename(last, whole);
        } else if self.arena.refs(rule) == 2 {
            // The rule was never followed by anything else: it grows.
            self.unindex(other);
            self.unindex(passed);
            let end = self.arena.last(rule);
            self.arena.move_after(end, self.arena.next(other), passed);
            self.unchecked.push(other);
            self.unchecked.push(end);
        } else {
            let longer = self.separate(other, passed);
            self.rename(last, Sym::rule(longer));
        }
    }

    /// The newest node that references `rule`, other than `last`; [`NIL`] if there is none.
    fn other_ref(&self, rule: u32, last: NodeId) -> NodeId {
        let newest = self.arena.first_ref(rule);
        if newest == last {
            self.arena.next_ref(newest)
        } else {
            newest
        }
    }

    /// Leaves only so many copies in a node; the others go into a node of their own behind it. The two must be separated then.
    fn cut(&mut self, node: NodeId, copies: u64) {
        let run = self.arena.run(node);
        if copies < run {
            self.unindex(node);
            self.arena.set_run(node, copies);
            let rest = self
                .arena
                .insert_after(node, self.arena.sym(node), run - copies);
            self.unchecked.push(rest);
        }
    }

    /// Makes the nodes `first..=passed` the right side of a new rule, and puts that in their place.
    fn separate(&mut self, first: NodeId, passed: NodeId) -> u32 {
        let before = self.arena.prev(first);
        self.unindex(before);
        self.unindex(passed);
        let rule = self.arena.new_rule();
        let guard = self.arena.last(rule);
        self.arena.move_after(guard, first, passed);
        self.arena.note_first(rule);
        let reference = self.arena.insert_after(before, Sym::rule(rule), 1);
        self.unchecked.push(reference);
        self.unchecked.push(before);
        rule
    }

    /// Gives the start rule's last node another symbol.
    fn rename(&mut self, last: NodeId, sym: Sym) {
        let before = self.arena.prev(last);
        self.unindex(before);
        self.lessened.push(self.arena.sym(last).index() as u32);
        self.arena.rename(last, sym);
        self.unchecked.push(before);
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
        let other = self.index.get_or_insert(pair, node);
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
        self.index.set(pair, self.arena.first(rule));
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
        self.arena.note_first(rule);
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
        self.index.remove(key(left, right), node);
    }
}

/// The index key of a digram.
fn key(left: Sym, right: Sym) -> u64 {
    u64::from(left.0) << 32 | u64::from(right.0)
}
