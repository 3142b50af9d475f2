//! A whole sequence at once, as places in the alphabet.
//!
//! What a rule stands for is written once, and copied from there wherever the rule comes again: far faster than walking the grammar, for
//! who wants all of it in memory anyway.

use super::Grammar;

/// A right side that is being written.
struct Open {
    rule: usize,
    /// The node that is next, and the end of the right side.
    next: usize,
    end: usize,
    /// Where what the rule stands for begins.
    from: usize,
    /// How often it has to be there in all.
    run: u64,
}

impl Grammar {
    /// The symbols in order, each by its place in the [alphabet](Self::alphabet). Takes four bytes a symbol, and for each rule 16.
    pub fn places(&self) -> Vec<u32> {
        let mut places = Vec::with_capacity(usize::try_from(self.len).unwrap_or(0));
        if self.is_empty() {
            return places;
        }
        let mut written: Vec<Option<(usize, usize)>> = vec![None; self.ends.len()];
        let mut path = vec![self.open(0, 0, 1)];
        while let Some(top) = path.last_mut() {
            if top.next == top.end {
                let (from, len) = (top.from, places.len() - top.from);
                written[top.rule] = Some((from, len));
                repeat(&mut places, from, len, top.run - 1);
                path.pop();
                continue;
            }
            let node = self.nodes[top.next];
            top.next += 1;
            let index = node.sym.index();
            if !node.sym.is_rule() {
                let len = places.len() + node.run as usize;
                places.resize(len, index as u32);
            } else if let Some((from, len)) = written[index] {
                repeat(&mut places, from, len, node.run);
            } else {
                path.push(self.open(index, places.len(), node.run));
            }
        }
        places
    }

    fn open(&self, rule: usize, from: usize, run: u64) -> Open {
        let nodes = self.right_side(rule);
        Open {
            rule,
            next: nodes.start,
            end: nodes.end,
            from,
            run,
        }
    }
}

/// Appends what is at `from` so many times.
fn repeat(places: &mut Vec<u32>, from: usize, len: usize, times: u64) {
    // What stands for nothing may come any number of times.
    let times = if len == 0 { 0 } else { times };
    for _ in 0..times {
        places.extend_from_within(from..from + len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_at_once_is_what_a_cursor_reads(symbols in prop::collection::vec(0u64..4, 0..300)) {
            let grammar: Grammar = symbols.iter().copied().collect();
            let read: Vec<u64> = grammar.places().iter().map(|at| grammar.alphabet()[*at as usize]).collect();
            prop_assert_eq!(read, symbols);
        }
    }
}
