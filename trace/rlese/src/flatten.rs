//! From the linked grammar of the builder to the flat one.

use super::arena::Arena;
use super::symbol::Sym;
use super::{Grammar, Node};

/// Rule numbers not given yet.
const UNSET: u32 = u32::MAX;

/// Numbers the rules so that each references only higher ones, the terminals in rising order, and copies the right sides.
pub(super) fn flatten(arena: &Arena, alphabet: Vec<u64>) -> Grammar {
    let order = topological(arena);
    let mut number = vec![UNSET; arena.rule_places()];
    for (new, &old) in order.iter().enumerate() {
        number[old as usize] = new as u32;
    }
    let (alphabet, place) = sort(&alphabet);
    let mut nodes = Vec::new();
    let mut ends = Vec::with_capacity(order.len());
    for &rule in &order {
        for (sym, run) in arena.right_side(rule) {
            let sym = match sym.is_rule() {
                true => Sym::rule(number[sym.index()]),
                false => Sym::terminal(place[sym.index()]),
            };
            nodes.push(Node { sym, run });
        }
        ends.push(nodes.len() as u32);
    }
    Grammar::new(alphabet, nodes, ends)
}

/// All rules, every rule before those that it references (reversed post-order of a walk from the start rule).
fn topological(arena: &Arena) -> Vec<u32> {
    let mut seen = vec![false; arena.rule_places()];
    let mut order = Vec::new();
    let mut path = vec![(0, arena.right_side(0))];
    seen[0] = true;
    while let Some((rule, rest)) = path.last_mut() {
        let unseen = rest.find(|(sym, _)| sym.is_rule() && !seen[sym.index()]);
        match unseen {
            Some((sym, _)) => {
                seen[sym.index()] = true;
                let child = sym.index() as u32;
                path.push((child, arena.right_side(child)));
            }
            None => {
                order.push(*rule);
                path.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The alphabet in rising order, and the new place of each old one.
fn sort(alphabet: &[u64]) -> (Vec<u64>, Vec<u32>) {
    let mut by_value: Vec<u32> = (0..alphabet.len() as u32).collect();
    by_value.sort_unstable_by_key(|&old| alphabet[old as usize]);
    let mut place = vec![0; alphabet.len()];
    for (new, &old) in by_value.iter().enumerate() {
        place[old as usize] = new as u32;
    }
    (
        by_value.iter().map(|&old| alphabet[old as usize]).collect(),
        place,
    )
}
