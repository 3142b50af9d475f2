//! Few combinations that have every pair of values in them.

use std::collections::BTreeSet;

/// A value of a factor: the factor's place in a combination, and the value's number.
type Value = (usize, usize);

/// Combinations, a number for each factor, chosen so that each pair of values of two factors that is possible at all is in one of them.
/// Greedy: the next is the first of those that have most of the pairs that are missing.
///
/// `sizes`: how many values each factor has; `possible`: whether a combination makes sense.
pub(super) fn covering(sizes: &[usize], possible: impl Fn(&[usize]) -> bool) -> Vec<Vec<usize>> {
    let all: Vec<Vec<usize>> = combinations(sizes)
        .into_iter()
        .filter(|c| possible(c))
        .collect();
    let mut missing: BTreeSet<(Value, Value)> = all.iter().flat_map(|c| pairs(c)).collect();
    let mut chosen = Vec::new();
    while !missing.is_empty() {
        let covered = |c: &Vec<usize>| pairs(c).filter(|pair| missing.contains(pair)).count();
        let mut best = (0, None);
        for combination in &all {
            let count = covered(combination);
            if count > best.0 {
                best = (count, Some(combination));
            }
        }
        let Some(combination) = best.1 else { break };
        for pair in pairs(combination) {
            missing.remove(&pair);
        }
        chosen.push(combination.clone());
    }
    chosen
}

fn combinations(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for &size in sizes {
        all = all
            .iter()
            .flat_map(|begun: &Vec<usize>| {
                (0..size).map(move |value| {
                    let mut longer = begun.clone();
                    longer.push(value);
                    longer
                })
            })
            .collect();
    }
    all
}

fn pairs(combination: &[usize]) -> impl Iterator<Item = (Value, Value)> + '_ {
    let values = combination.iter().copied().enumerate();
    values.clone().flat_map(move |first| {
        let later = combination.iter().copied().enumerate().skip(first.0 + 1);
        later.map(move |second| (first, second))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_there_in_few_combinations() {
        let sizes = [4, 4, 9, 2, 18];
        let chosen = covering(&sizes, |_| true);
        for (first, &size) in sizes.iter().enumerate() {
            for (second, &other) in sizes.iter().enumerate().skip(first + 1) {
                for pair in (0..size).flat_map(|a| (0..other).map(move |b| (a, b))) {
                    let has = |c: &Vec<usize>| (c[first], c[second]) == pair;
                    assert!(chosen.iter().any(has), "{first} {second} {pair:?}");
                }
            }
        }
        // No fewer than the pairs of the two largest factors, and not many more.
        assert!((162..=200).contains(&chosen.len()), "{}", chosen.len());
    }

    #[test]
    fn what_is_impossible_is_left_out_and_nothing_else() {
        let possible = |c: &[usize]| !(c[0] == 0 && c[1] == 1) && c[2] != 2;
        let chosen = covering(&[2, 2, 3], possible);
        assert!(chosen.iter().all(|c| possible(c)));
        for pair in [(0, 0), (1, 0), (1, 1)] {
            assert!(chosen.iter().any(|c| (c[0], c[1]) == pair), "{pair:?}");
        }
        assert!(covering(&[2, 2], |_| false).is_empty());
    }

    #[test]
    fn the_same_is_chosen_each_time() {
        let chosen = || covering(&[3, 4, 5], |c| c[0] != c[1]);
        assert_eq!(chosen(), chosen());
    }
}
