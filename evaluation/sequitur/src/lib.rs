//! SEQUITUR (Nevill-Manning and Witten 1997; Wang 2007, Section 3.1.2), the baseline that RLESe is compared with: no pair of adjacent symbols occurs twice,
//! every rule is used twice.

use rustc_hash::FxHashMap;

const NIL: u32 = u32::MAX;
/// Symbol of a guard, which closes a right side to a ring. A guard's own link to its rule is not needed: it is in `owner`.
const GUARD: u32 = u32::MAX;

/// Odd numbers are rules, even ones places in the alphabet.
fn is_rule(symbol: u32) -> bool {
    symbol & 1 == 1 && symbol != GUARD
}

#[derive(Clone, Copy, Debug)]
struct Node {
    symbol: u32,
    prev: u32,
    next: u32,
}

#[derive(Clone, Copy, Debug)]
struct Rule {
    /// [`NIL`] once the rule is deleted.
    guard: u32,
    uses: u32,
}

/// A grammar being built.
#[derive(Debug)]
pub struct Sequitur {
    nodes: Vec<Node>,
    free: Vec<u32>,
    rules: Vec<Rule>,
    /// Rule of a guard.
    owner: FxHashMap<u32, u32>,
    alphabet: FxHashMap<u64, u32>,
    /// From a pair of symbols to the first node of its occurrence.
    index: FxHashMap<u64, u32>,
    checks: u64,
}

impl Default for Sequitur {
    fn default() -> Self {
        Self::new()
    }
}

impl Sequitur {
    /// A grammar of nothing.
    pub fn new() -> Self {
        let mut grammar = Self {
            nodes: Vec::new(),
            free: Vec::new(),
            rules: Vec::new(),
            owner: FxHashMap::default(),
            alphabet: FxHashMap::default(),
            index: FxHashMap::default(),
            checks: 0,
        };
        grammar.new_rule();
        grammar
    }

    /// Appends a symbol and restores both properties.
    pub fn push(&mut self, symbol: u64) {
        let next = self.alphabet.len() as u32;
        let symbol = *self.alphabet.entry(symbol).or_insert(next) << 1;
        let last = self.nodes[self.rules[0].guard as usize].prev;
        self.insert_after(last, symbol);
        self.check(last);
    }

    /// How often a digram was looked up.
    pub fn checks(&self) -> u64 {
        self.checks
    }

    /// Size of the grammar in the serial form that RLESe grammars have, without the mark of run-lengths.
    pub fn size(&self) -> u64 {
        let order = self.order();
        let mut number = vec![0u64; self.rules.len()];
        (0..).zip(&order).for_each(|(n, &rule)| number[rule] = n);
        let mut alphabet: Vec<u64> = self.alphabet.keys().copied().collect();
        alphabet.sort_unstable();
        let place = |symbol: u64| alphabet.binary_search(&symbol).unwrap_or(0) as u64;
        let mut code = vec![0u64; alphabet.len()];
        for (&symbol, &first) in &self.alphabet {
            code[first as usize] = place(symbol) << 1;
        }
        let mut size = varint(alphabet.len() as u64) + varint(order.len() as u64 - 1);
        let mut least = 0;
        for &symbol in &alphabet {
            size += varint(symbol - least);
            least = symbol.wrapping_add(1);
        }
        for &rule in &order {
            let right = self.right_side(rule);
            size += varint(right.len() as u64);
            let codes = right.iter().map(|&symbol| match is_rule(symbol) {
                true => (number[(symbol >> 1) as usize] - number[rule] - 1) << 1 | 1,
                false => code[(symbol >> 1) as usize],
            });
            size += codes.map(varint).sum::<u64>();
        }
        size
    }

    /// All rules, each before those it uses.
    fn order(&self) -> Vec<usize> {
        let mut seen = vec![false; self.rules.len()];
        let mut order = Vec::new();
        let mut path = vec![(0usize, self.right_side(0), 0usize)];
        seen[0] = true;
        while let Some((rule, right, at)) = path.last_mut() {
            let Some(&symbol) = right.get(*at) else {
                order.push(*rule);
                path.pop();
                continue;
            };
            *at += 1;
            let child = (symbol >> 1) as usize;
            if is_rule(symbol) && !std::mem::replace(&mut seen[child], true) {
                path.push((child, self.right_side(child), 0));
            }
        }
        order.reverse();
        order
    }

    fn right_side(&self, rule: usize) -> Vec<u32> {
        let guard = self.rules[rule].guard;
        let nodes = std::iter::successors(Some(self.next(guard)), |&node| Some(self.next(node)));
        nodes
            .take_while(|&node| node != guard)
            .map(|node| self.symbol(node))
            .collect()
    }

    fn symbol(&self, node: u32) -> u32 {
        self.nodes[node as usize].symbol
    }

    fn next(&self, node: u32) -> u32 {
        self.nodes[node as usize].next
    }

    fn prev(&self, node: u32) -> u32 {
        self.nodes[node as usize].prev
    }

    fn new_rule(&mut self) -> u32 {
        let guard = self.place(GUARD);
        self.nodes[guard as usize].prev = guard;
        self.nodes[guard as usize].next = guard;
        let rule = self.rules.len() as u32;
        self.rules.push(Rule { guard, uses: 0 });
        self.owner.insert(guard, rule);
        rule
    }

    fn place(&mut self, symbol: u32) -> u32 {
        let node = Node {
            symbol,
            prev: NIL,
            next: NIL,
        };
        if let Some(id) = self.free.pop() {
            self.nodes[id as usize] = node;
            return id;
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn insert_after(&mut self, left: u32, symbol: u32) {
        let node = self.place(symbol);
        let right = self.next(left);
        self.join(node, right);
        self.join(left, node);
        if is_rule(symbol) {
            self.rules[(symbol >> 1) as usize].uses += 1;
        }
    }

    /// Key of the digram that begins at a node.
    fn digram(&self, node: u32) -> Option<u64> {
        let (left, right) = (self.symbol(node), self.symbol(self.next(node)));
        (left != GUARD && right != GUARD).then(|| u64::from(left) << 32 | u64::from(right))
    }

    /// Links two nodes. Of overlapping digrams of one symbol (`aaa`) only one is in the index; when a link is cut that hid one,
    /// it comes in.
    fn join(&mut self, left: u32, right: u32) {
        if self.nodes[left as usize].next != NIL {
            self.unindex(left);
            for node in [right, left] {
                let (prev, next) = (self.prev(node), self.next(node));
                let symbol = self.symbol(node);
                if prev != NIL
                    && next != NIL
                    && symbol != GUARD
                    && symbol == self.symbol(prev)
                    && symbol == self.symbol(next)
                {
                    let first = if node == right { node } else { prev };
                    let key = u64::from(symbol) << 32 | u64::from(symbol);
                    self.index.insert(key, first);
                }
            }
        }
        self.nodes[left as usize].next = right;
        self.nodes[right as usize].prev = left;
    }

    fn unindex(&mut self, node: u32) {
        if let Some(key) = self.digram(node)
            && self.index.get(&key) == Some(&node)
        {
            self.index.remove(&key);
        }
    }

    fn remove(&mut self, node: u32) {
        self.unindex(node);
        let (prev, next) = (self.prev(node), self.next(node));
        self.join(prev, next);
        let symbol = self.symbol(node);
        if is_rule(symbol) {
            self.rules[(symbol >> 1) as usize].uses -= 1;
        }
        self.free.push(node);
    }

    /// Digram uniqueness for the digram at a node; whether it occurred elsewhere.
    fn check(&mut self, node: u32) -> bool {
        let Some(key) = self.digram(node) else {
            return false;
        };
        self.checks += 1;
        match self.index.get(&key).copied() {
            None => {
                self.index.insert(key, node);
                false
            }
            Some(other) if other == node => false,
            Some(other) => {
                // Overlapping: the same two symbols are not two digrams.
                if self.next(other) != node && self.next(node) != other {
                    self.replace_both(key, node, other);
                }
                true
            }
        }
    }

    fn replace_both(&mut self, key: u64, node: u32, other: u32) {
        let guard = self.prev(other);
        let whole = self.symbol(guard) == GUARD && self.next(self.next(other)) == guard;
        let rule = match self.owner.get(&guard).copied().filter(|_| whole) {
            Some(rule) if rule != 0 => {
                self.substitute(node, rule);
                rule
            }
            _ => {
                let rule = self.new_rule();
                let guard = self.rules[rule as usize].guard;
                self.insert_after(guard, (key >> 32) as u32);
                let first = self.next(guard);
                self.insert_after(first, key as u32);
                self.substitute(other, rule);
                self.substitute(node, rule);
                let first = self.next(guard);
                self.index.insert(key, first);
                rule
            }
        };
        let guard = self.rules[rule as usize].guard;
        for end in [self.next(guard), self.prev(guard)] {
            self.expand_if_used_once(end);
        }
    }

    fn substitute(&mut self, node: u32, rule: u32) {
        let left = self.prev(node);
        self.remove(node);
        self.remove(self.next(left));
        self.insert_after(left, rule << 1 | 1);
        if !self.check(left) {
            let reference = self.next(left);
            self.check(reference);
        }
    }

    /// Rule utility for the rule that a node names.
    fn expand_if_used_once(&mut self, node: u32) {
        let symbol = self.symbol(node);
        let rule = (symbol >> 1) as usize;
        if !is_rule(symbol) || self.rules[rule].uses != 1 {
            return;
        }
        let guard = self.rules[rule].guard;
        let (left, right) = (self.prev(node), self.next(node));
        let (first, last) = (self.next(guard), self.prev(guard));
        self.unindex(node);
        self.join(left, first);
        self.join(last, right);
        for seam in [left, last] {
            if let Some(key) = self.digram(seam) {
                self.index.insert(key, seam);
            }
        }
        self.rules[rule].guard = NIL;
        self.owner.remove(&guard);
        self.free.extend([guard, node]);
    }
}

/// Length of a number as a varint.
fn varint(n: u64) -> u64 {
    u64::from((64 - n.leading_zeros()).max(1).div_ceil(7))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(symbols: &[u64]) -> Sequitur {
        let mut grammar = Sequitur::new();
        symbols.iter().for_each(|&symbol| grammar.push(symbol));
        grammar
    }

    fn unfold(grammar: &Sequitur, rule: usize, out: &mut Vec<u32>) {
        for symbol in grammar.right_side(rule) {
            match is_rule(symbol) {
                true => unfold(grammar, (symbol >> 1) as usize, out),
                false => out.push(symbol >> 1),
            }
        }
    }

    /// Pseudo-random numbers below `bound`.
    fn numbers(mut seed: u64, count: usize, bound: u64) -> Vec<u64> {
        let next = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) % bound
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    #[test]
    fn the_published_example() {
        let grammar = built(&[1, 2, 3, 1, 2, 3]);
        let order = grammar.order();
        let sizes: Vec<usize> = order.iter().map(|&r| grammar.right_side(r).len()).collect();
        assert_eq!(sizes, [2, 3], "S→B B; B→1 2 3");
    }

    #[test]
    fn sequences_come_back_and_the_properties_hold() {
        for seed in 0..400 {
            let symbols = numbers(seed, 5 + seed as usize, 1 + seed % 7);
            let grammar = built(&symbols);
            let mut plain = Vec::new();
            unfold(&grammar, 0, &mut plain);
            let mut first = FxHashMap::default();
            let expected: Vec<u32> = symbols
                .iter()
                .map(|&symbol| {
                    let next = first.len() as u32;
                    *first.entry(symbol).or_insert(next)
                })
                .collect();
            assert_eq!(plain, expected, "seed {seed}");
            let mut uses = vec![0; grammar.rules.len()];
            let mut digrams = FxHashMap::default();
            for rule in grammar.order() {
                let right = grammar.right_side(rule);
                assert!(right.len() > 1 || rule == 0);
                for symbol in right.iter().filter(|&&symbol| is_rule(symbol)) {
                    uses[(symbol >> 1) as usize] += 1;
                }
                for (place, pair) in right.windows(2).enumerate() {
                    let key = (pair[0], pair[1]);
                    if let Some((r, p)) = digrams.insert(key, (rule, place)) {
                        let overlap = pair[0] == pair[1] && r == rule && p + 1 == place;
                        assert!(overlap, "seed {seed}: {key:?} twice");
                    }
                }
            }
            assert!(grammar.order()[1..].iter().all(|&rule| uses[rule] > 1));
        }
    }

    #[test]
    fn sizes_are_those_of_the_serial_form() {
        // Alphabet 1 7, no rule behind the start rule, right side of two nodes.
        assert_eq!(built(&[7, 1]).size(), 1 + 2 + 1 + 1 + 2);
        assert_eq!(
            [varint(0), varint(127), varint(128), varint(u64::MAX)],
            [1, 1, 2, 10]
        );
        assert!(built(&numbers(1, 500, 2)).checks() >= 499);
    }
}
