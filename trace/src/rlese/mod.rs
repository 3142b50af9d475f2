//! RLESe: a sequence as a run-length grammar, read forward and backward without being unpacked (Wang 2007,
//! Sections 3.1.3 and 3.2.2).
//!
//! The right side of a rule is a row of nodes `symbol:run`, the symbol being a terminal or another rule. A finished grammar
//! keeps three properties:
//!
//! 1. adjacent nodes have different symbols (repeats go into the run-length);
//! 2. no pair of symbols is adjacent, in this order, in two places (run-lengths are not compared);
//! 3. every rule but the start rule is referenced by two nodes, or by one with a run-length of at least two.
//!
//! ```
//! use jinsi_trace::rlese::Grammar;
//!
//! let grammar: Grammar = [23, 38, 38, 38, 23, 38, 38, 38, 38].into_iter().collect();
//! assert_eq!(grammar.to_string(), "S→R1:2, 38:1; R1→23:1, 38:3");
//! assert_eq!(grammar.iter_backward().last(), Some(23));
//! ```

mod arena;
mod builder;
mod cursor;
mod expand;
mod flatten;
mod hash;
mod index;
mod predict;
mod serial;
mod symbol;
#[cfg(test)]
mod tests;

pub use builder::Builder;
pub use cursor::{Backward, Cursor, Forward};
pub(crate) use hash::{WordMap, place};
pub use serial::GrammarError;

use std::fmt;
use std::ops::Range;
use symbol::Sym;

/// `symbol : run`, an element of a right side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Node {
    sym: Sym,
    run: u64,
}

/// A finished sequence of `u64` symbols. Immutable; rules reference only rules of higher numbers, so it has no cycles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grammar {
    /// The terminals, rising.
    alphabet: Vec<u64>,
    /// The right sides of all rules, one behind the other; rule 0 is the start rule.
    nodes: Vec<Node>,
    /// Where each right side ends in `nodes`; at least one entry.
    ends: Vec<u32>,
    /// Length of the sequence.
    len: u64,
}

impl Grammar {
    /// The grammar of these parts, whose sequence is known to be shorter than 2^64.
    fn new(alphabet: Vec<u64>, nodes: Vec<Node>, ends: Vec<u32>) -> Self {
        let mut grammar = Grammar {
            alphabet,
            nodes,
            ends,
            len: 0,
        };
        grammar.len = grammar.expanded_len(u64::MAX).unwrap_or(u64::MAX);
        grammar
    }

    /// Number of symbols of the sequence.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether the sequence has no symbol.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of rules, the start rule counted.
    pub fn rule_count(&self) -> usize {
        self.ends.len()
    }

    /// Number of nodes on all right sides.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The different symbols, in rising order.
    pub fn alphabet(&self) -> &[u64] {
        &self.alphabet
    }

    /// The symbols in order.
    pub fn iter(&self) -> Forward<'_> {
        Forward(Cursor::at_start(self))
    }

    /// The symbols from the last to the first.
    pub fn iter_backward(&self) -> Backward<'_> {
        Backward(Cursor::at_end(self))
    }

    /// Where the right side of a rule lies in `nodes`.
    fn right_side(&self, rule: usize) -> Range<usize> {
        let start = rule
            .checked_sub(1)
            .map_or(0, |before| self.ends[before] as usize);
        start..self.ends[rule] as usize
    }

    /// Length of the sequence if neither it nor what any rule stands for is longer than `limit`.
    fn expanded_len(&self, limit: u64) -> Option<u64> {
        let mut lens = vec![0u64; self.ends.len()];
        for rule in (0..self.ends.len()).rev() {
            let mut len = 0u64;
            for node in &self.nodes[self.right_side(rule)] {
                let one = if node.sym.is_rule() {
                    lens[node.sym.index()]
                } else {
                    1
                };
                len = len.checked_add(one.checked_mul(node.run)?)?;
            }
            if len > limit {
                return None;
            }
            lens[rule] = len;
        }
        Some(lens[0])
    }
}

impl FromIterator<u64> for Grammar {
    fn from_iter<I: IntoIterator<Item = u64>>(symbols: I) -> Self {
        let mut builder = Builder::new();
        symbols.into_iter().for_each(|symbol| builder.push(symbol));
        builder.finish()
    }
}

impl<'g> IntoIterator for &'g Grammar {
    type Item = u64;
    type IntoIter = Forward<'g>;

    fn into_iter(self) -> Forward<'g> {
        self.iter()
    }
}

/// The rules as Wang 2007 writes them: `S→R1:2, 38:1; R1→23:1, 38:3`.
impl fmt::Display for Grammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rule in 0..self.ends.len() {
            match rule {
                0 => f.write_str("S→")?,
                _ => write!(f, "; R{rule}→")?,
            }
            for (place, node) in self.nodes[self.right_side(rule)].iter().enumerate() {
                let comma = if place == 0 { "" } else { ", " };
                match node.sym.is_rule() {
                    true => write!(f, "{comma}R{}:{}", node.sym.index(), node.run)?,
                    false => write!(f, "{comma}{}:{}", self.alphabet[node.sym.index()], node.run)?,
                }
            }
        }
        Ok(())
    }
}
