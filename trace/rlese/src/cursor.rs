//! Walking a sequence in its grammar.
//!
//! The grammar is a directed acyclic graph, its edges are the nodes of right sides. A cursor keeps the path from the root to
//! one leaf as an explicit stack, so a grammar can have any number of cursors.

use super::Grammar;

/// One edge of the path.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The rule on whose right side the node stands.
    rule: u32,
    /// The node's place in the grammar.
    node: u32,
    /// Its run-length.
    n: u64,
    /// Inner edge: which of the `n` copies the path goes through, from 1. Last edge: how many copies lie before the cursor.
    k: u64,
}

/// A place between two symbols of a sequence (or before the first, or behind the last), movable both ways.
///
/// A whole walk takes time linear in the symbols passed; memory is bounded by the depth of the grammar.
#[derive(Clone, Debug)]
pub struct Cursor<'g> {
    grammar: &'g Grammar,
    path: Vec<Edge>,
    position: u64,
}

impl<'g> Cursor<'g> {
    /// Before the first symbol.
    pub fn at_start(grammar: &'g Grammar) -> Self {
        let mut cursor = Cursor {
            grammar,
            path: Vec::new(),
            position: 0,
        };
        if !grammar.is_empty() {
            cursor.enter_first(0);
        }
        cursor
    }

    /// Behind the last symbol.
    pub fn at_end(grammar: &'g Grammar) -> Self {
        let mut cursor = Cursor {
            grammar,
            path: Vec::new(),
            position: grammar.len,
        };
        if !grammar.is_empty() {
            cursor.enter_last(0);
        }
        cursor
    }

    /// How many symbols lie before the cursor.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Moves over the next symbol and returns it; at the end stays and returns nothing.
    pub fn forward(&mut self) -> Option<u64> {
        if self.position == self.grammar.len {
            return None;
        }
        if self.path.last().is_some_and(|leaf| leaf.k == leaf.n) {
            self.turn_forward();
        }
        let leaf = self.path.last_mut()?;
        leaf.k += 1;
        self.position += 1;
        Some(self.grammar.terminal(leaf.node))
    }

    /// Moves back over the symbol before the cursor and returns it; at the start stays and returns nothing.
    pub fn backward(&mut self) -> Option<u64> {
        if self.position == 0 {
            return None;
        }
        if self.path.last().is_some_and(|leaf| leaf.k == 0) {
            self.turn_backward();
        }
        let leaf = self.path.last_mut()?;
        leaf.k -= 1;
        self.position -= 1;
        Some(self.grammar.terminal(leaf.node))
    }

    /// From a leaf whose copies all lie before the cursor to the next leaf: climbs to the first edge with another copy or a
    /// right sibling.
    fn turn_forward(&mut self) {
        while let Some(edge) = self.path.pop() {
            if edge.k < edge.n {
                self.path.push(Edge {
                    k: edge.k + 1,
                    ..edge
                });
                return self.enter_first(self.grammar.child(edge.node));
            }
            if edge.node as usize + 1 < self.grammar.right_side(edge.rule as usize).end {
                return self.descend_first(edge.rule, edge.node + 1);
            }
        }
    }

    /// The mirror image of [`Cursor::turn_forward`]: the climb of `getLast` (Wang 2007, Figure 3.5).
    fn turn_backward(&mut self) {
        while let Some(edge) = self.path.pop() {
            if edge.k > 1 {
                self.path.push(Edge {
                    k: edge.k - 1,
                    ..edge
                });
                return self.enter_last(self.grammar.child(edge.node));
            }
            if edge.node as usize > self.grammar.right_side(edge.rule as usize).start {
                return self.descend_last(edge.rule, edge.node - 1);
            }
        }
    }

    fn enter_first(&mut self, rule: u32) {
        let first = self.grammar.right_side(rule as usize).start as u32;
        self.descend_first(rule, first);
    }

    fn enter_last(&mut self, rule: u32) {
        let last = self.grammar.right_side(rule as usize).end as u32 - 1;
        self.descend_last(rule, last);
    }

    /// Pushes the edges from `node` on down to the leftmost leaf, before its first copy.
    fn descend_first(&mut self, mut rule: u32, mut node: u32) {
        loop {
            let n = self.grammar.nodes[node as usize].run;
            if !self.grammar.nodes[node as usize].sym.is_rule() {
                return self.path.push(Edge {
                    rule,
                    node,
                    n,
                    k: 0,
                });
            }
            self.path.push(Edge {
                rule,
                node,
                n,
                k: 1,
            });
            rule = self.grammar.child(node);
            node = self.grammar.right_side(rule as usize).start as u32;
        }
    }

    /// Pushes the edges from `node` on down to the rightmost leaf, behind its last copy.
    fn descend_last(&mut self, mut rule: u32, mut node: u32) {
        loop {
            let n = self.grammar.nodes[node as usize].run;
            self.path.push(Edge {
                rule,
                node,
                n,
                k: n,
            });
            if !self.grammar.nodes[node as usize].sym.is_rule() {
                return;
            }
            rule = self.grammar.child(node);
            node = self.grammar.right_side(rule as usize).end as u32 - 1;
        }
    }
}

impl Grammar {
    /// The terminal at a node that is a leaf.
    fn terminal(&self, node: u32) -> u64 {
        self.alphabet[self.nodes[node as usize].sym.index()]
    }

    /// The rule at a node that references one.
    fn child(&self, node: u32) -> u32 {
        self.nodes[node as usize].sym.index() as u32
    }
}

/// The symbols of a sequence in order; see [`Grammar::iter`].
#[derive(Clone, Debug)]
pub struct Forward<'g>(pub(super) Cursor<'g>);

impl Iterator for Forward<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.0.forward()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        hint(self.0.grammar.len - self.0.position)
    }
}

/// The symbols of a sequence from the last to the first; see [`Grammar::iter_backward`].
#[derive(Clone, Debug)]
pub struct Backward<'g>(pub(super) Cursor<'g>);

impl Iterator for Backward<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.0.backward()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        hint(self.0.position)
    }
}

fn hint(rest: u64) -> (usize, Option<usize>) {
    match usize::try_from(rest) {
        Ok(rest) => (rest, Some(rest)),
        Err(_) => (usize::MAX, None),
    }
}
