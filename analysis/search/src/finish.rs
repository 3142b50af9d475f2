//! The end of a search that asks through a [`Memo`]: each interaction that is left is left out once more, until none can go.

use super::ddmin::{Minimized, Removal, one_minimal};
use super::memo::Memo;
use super::structure::Position;

/// Makes `current`, which fails, 1-minimal, unless the search is stopped, and says what the removal of each that is left gives.
pub(super) fn finish(mut memo: Memo<'_>, mut current: Vec<Position>) -> Minimized {
    confirm(&mut memo, &mut current);
    let number = |p: Position| memo.circumstances[p as usize];
    let numbers: Vec<u32> = current.iter().map(|&p| number(p)).collect();
    let removals: Vec<Removal> = (0..current.len())
        .map(|i| Removal {
            left_out: numbers[i],
            verdict: memo.ask(&without(&current, i)).verdict,
        })
        .collect();
    Minimized {
        kept: numbers,
        one_minimal: one_minimal(&removals),
        tally: memo.tally,
        removals,
    }
}

/// Leaves out each that is left, with what needs it and alone, until none can go.
fn confirm(memo: &mut Memo<'_>, current: &mut Vec<Position>) {
    'again: loop {
        for i in 0..current.len() {
            if memo.stopped() {
                return;
            }
            let alone = without(current, i);
            let with_dependents = memo.structure.closed(&alone);
            for rest in [with_dependents, alone] {
                let asked = memo.ask(&rest);
                if asked.fails() {
                    *current = asked.executed;
                    continue 'again;
                }
            }
        }
        return;
    }
}

fn without(list: &[Position], i: usize) -> Vec<Position> {
    [&list[..i], &list[i + 1..]].concat()
}
