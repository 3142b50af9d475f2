//! The grammar while it is built: right sides as doubly linked lists of nodes, every rule with the list of its references.

use super::symbol::{MAX_SYMBOLS, Sym};

/// A node's place in the arena. Places are reused, so an id kept in a work list may have come to mean another node.
pub(super) type NodeId = u32;

/// No node.
pub(super) const NIL: NodeId = u32::MAX;

/// Symbol of a guard: it closes a right side to a ring, and its run-length is the number of the rule.
const GUARD: Sym = Sym(u32::MAX);
/// Symbol of a place that is free.
const FREE: Sym = Sym(u32::MAX - 1);

/// `<sym : run>`, or a guard, or a free place.
#[derive(Clone, Copy)]
struct Node {
    sym: Sym,
    prev: NodeId,
    next: NodeId,
    /// Neighbours in the list of the nodes that reference the same rule.
    ref_prev: NodeId,
    ref_next: NodeId,
    run: u64,
}

/// A rule: its guard ([`NIL`] once the rule is deleted) and the nodes that reference it.
struct Rule {
    guard: NodeId,
    first_ref: NodeId,
    refs: u32,
    /// The first terminal of what the rule stands for. Whatever happens to its right side, this stays.
    first_terminal: Sym,
}

/// Nodes and rules. Rule 0 is the start rule.
pub(super) struct Arena {
    nodes: Vec<Node>,
    free_nodes: Vec<NodeId>,
    rules: Vec<Rule>,
    free_rules: Vec<u32>,
}

impl Arena {
    /// An arena with an empty start rule.
    pub(super) fn new() -> Self {
        let mut arena = Arena {
            nodes: Vec::new(),
            free_nodes: Vec::new(),
            rules: Vec::new(),
            free_rules: Vec::new(),
        };
        arena.new_rule();
        arena
    }

    /// Takes everything out, and keeps the memory; the start rule is empty again.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.free_nodes.clear();
        self.rules.clear();
        self.free_rules.clear();
        self.new_rule();
    }

    /// The symbol of a node that is known to be neither a guard nor free.
    #[inline]
    pub(super) fn sym(&self, node: NodeId) -> Sym {
        self.nodes[node as usize].sym
    }

    /// The symbol of a node that is neither a guard nor free.
    pub(super) fn symbol(&self, node: NodeId) -> Option<Sym> {
        let sym = self.nodes[node as usize].sym;
        (sym != GUARD && sym != FREE).then_some(sym)
    }

    pub(super) fn is_guard(&self, node: NodeId) -> bool {
        self.nodes[node as usize].sym == GUARD
    }

    pub(super) fn run(&self, node: NodeId) -> u64 {
        self.nodes[node as usize].run
    }

    pub(super) fn set_run(&mut self, node: NodeId, run: u64) {
        self.nodes[node as usize].run = run;
    }

    pub(super) fn next(&self, node: NodeId) -> NodeId {
        self.nodes[node as usize].next
    }

    pub(super) fn prev(&self, node: NodeId) -> NodeId {
        self.nodes[node as usize].prev
    }

    pub(super) fn is_live_rule(&self, rule: u32) -> bool {
        self.rules[rule as usize].guard != NIL
    }

    /// How many nodes reference a rule (their run-lengths do not count).
    pub(super) fn refs(&self, rule: u32) -> u32 {
        self.rules[rule as usize].refs
    }

    /// One of the nodes that reference a rule; [`NIL`] if there is none.
    pub(super) fn first_ref(&self, rule: u32) -> NodeId {
        self.rules[rule as usize].first_ref
    }

    /// The first node of a right side (its guard if it is empty).
    pub(super) fn first(&self, rule: u32) -> NodeId {
        self.next(self.rules[rule as usize].guard)
    }

    /// The last node of a right side (its guard if it is empty).
    pub(super) fn last(&self, rule: u32) -> NodeId {
        self.prev(self.rules[rule as usize].guard)
    }

    /// The node that entered the references of its rule before this one; [`NIL`] if there is none.
    pub(super) fn next_ref(&self, node: NodeId) -> NodeId {
        self.nodes[node as usize].ref_next
    }

    /// The rule on whose right side a guard stands.
    pub(super) fn rule_of_guard(&self, guard: NodeId) -> u32 {
        self.nodes[guard as usize].run as u32
    }

    /// How many rule numbers were ever in use at a time: all numbers are below.
    pub(super) fn rule_places(&self) -> usize {
        self.rules.len()
    }

    /// The nodes of a right side, as symbol and run-length.
    pub(super) fn right_side(&self, rule: u32) -> impl Iterator<Item = (Sym, u64)> {
        let mut node = self.first(rule);
        std::iter::from_fn(move || {
            let sym = self.symbol(node)?;
            let item = (sym, self.run(node));
            node = self.next(node);
            Some(item)
        })
    }

    /// The rule whose complete right side is `node` and the node behind it.
    pub(super) fn rule_of_pair(&self, node: NodeId) -> Option<u32> {
        let guard = self.prev(node);
        let behind = self.next(self.next(node));
        // The start rule is no rule to reference.
        (self.is_guard(guard) && behind == guard && self.run(guard) != 0)
            .then(|| self.rule_of_guard(guard))
    }

    /// The first terminal of what a symbol stands for, which is a terminal or a rule that [`Arena::note_first`] was informed of.
    pub(super) fn first_terminal(&self, sym: Sym) -> Sym {
        if sym.is_rule() {
            self.rules[sym.index()].first_terminal
        } else {
            sym
        }
    }

    /// Keeps what the first terminal of a new rule is, once it has a right side.
    pub(super) fn note_first(&mut self, rule: u32) {
        let sym = self.sym(self.first(rule));
        self.rules[rule as usize].first_terminal = self.first_terminal(sym);
    }

    /// A rule with an empty right side.
    ///
    /// # Panics
    /// Beyond 2^31 rules or nodes (see [`super::Builder`]).
    pub(super) fn new_rule(&mut self) -> u32 {
        let number = self.free_rules.pop().unwrap_or_else(|| {
            assert!(
                self.rules.len() < MAX_SYMBOLS,
                "a sequence with too many rules"
            );
            self.rules.push(Rule {
                guard: NIL,
                first_ref: NIL,
                refs: 0,
                first_terminal: FREE,
            });
            (self.rules.len() - 1) as u32
        });
        let guard = self.place(GUARD, u64::from(number));
        self.nodes[guard as usize].prev = guard;
        self.nodes[guard as usize].next = guard;
        self.rules[number as usize] = Rule {
            guard,
            first_ref: NIL,
            refs: 0,
            first_terminal: FREE,
        };
        number
    }

    /// Deletes a rule that nothing references and whose right side is empty or was moved elsewhere.
    pub(super) fn delete_rule(&mut self, rule: u32) {
        let guard = self.rules[rule as usize].guard;
        self.free(guard);
        self.rules[rule as usize].guard = NIL;
        self.free_rules.push(rule);
    }

    /// Puts a new node behind `left` (a node or a guard).
    pub(super) fn insert_after(&mut self, left: NodeId, sym: Sym, run: u64) -> NodeId {
        let node = self.place(sym, run);
        let right = self.next(left);
        self.join(left, node);
        self.join(node, right);
        self.enter_ref(node);
        node
    }

    /// Takes a node out of its right side and frees it.
    pub(super) fn remove(&mut self, node: NodeId) {
        self.join(self.prev(node), self.next(node));
        self.leave_ref(node);
        self.free(node);
    }

    /// Gives a node another symbol.
    pub(super) fn rename(&mut self, node: NodeId, sym: Sym) {
        self.leave_ref(node);
        self.nodes[node as usize].sym = sym;
        self.enter_ref(node);
    }

    /// Moves the right side of `rule` (not empty) to behind `left`.
    pub(super) fn splice_after(&mut self, left: NodeId, rule: u32) {
        let guard = self.rules[rule as usize].guard;
        let (first, last, right) = (self.next(guard), self.prev(guard), self.next(left));
        self.join(guard, guard);
        self.join(left, first);
        self.join(last, right);
    }

    /// Takes the nodes `first..=last` out of their right side and puts them behind `left`, on another one.
    pub(super) fn move_after(&mut self, left: NodeId, first: NodeId, last: NodeId) {
        let (before, behind) = (self.prev(first), self.next(last));
        self.join(before, behind);
        let right = self.next(left);
        self.join(left, first);
        self.join(last, right);
    }

    fn join(&mut self, left: NodeId, right: NodeId) {
        self.nodes[left as usize].next = right;
        self.nodes[right as usize].prev = left;
    }

    fn place(&mut self, sym: Sym, run: u64) -> NodeId {
        let node = Node {
            sym,
            prev: NIL,
            next: NIL,
            ref_prev: NIL,
            ref_next: NIL,
            run,
        };
        if let Some(id) = self.free_nodes.pop() {
            self.nodes[id as usize] = node;
            return id;
        }
        assert!(
            self.nodes.len() < MAX_SYMBOLS,
            "a sequence with too many nodes"
        );
        self.nodes.push(node);
        (self.nodes.len() - 1) as NodeId
    }

    fn free(&mut self, node: NodeId) {
        self.nodes[node as usize].sym = FREE;
        self.free_nodes.push(node);
    }

    fn enter_ref(&mut self, node: NodeId) {
        let sym = self.nodes[node as usize].sym;
        if !sym.is_rule() {
            return;
        }
        let rule = &mut self.rules[sym.index()];
        let head = std::mem::replace(&mut rule.first_ref, node);
        rule.refs += 1;
        self.nodes[node as usize].ref_prev = NIL;
        self.nodes[node as usize].ref_next = head;
        if head != NIL {
            self.nodes[head as usize].ref_prev = node;
        }
    }

    fn leave_ref(&mut self, node: NodeId) {
        let Node {
            sym,
            ref_prev,
            ref_next,
            ..
        } = self.nodes[node as usize];
        if !sym.is_rule() {
            return;
        }
        if ref_prev == NIL {
            self.rules[sym.index()].first_ref = ref_next;
        } else {
            self.nodes[ref_prev as usize].ref_next = ref_next;
        }
        if ref_next != NIL {
            self.nodes[ref_next as usize].ref_prev = ref_prev;
        }
        self.rules[sym.index()].refs -= 1;
    }
}
