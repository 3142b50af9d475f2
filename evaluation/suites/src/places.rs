//! Which instructions the green tests execute, and which of these get a defect.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::Path;

use anyhow::Result;
use jinsi_classfile::ClassFile;
use jinsi_ground::numbers::Numbers;

use crate::operators::{self, Operator, Spot};
use crate::outcomes::Ran;
use crate::site::Site;

/// The class and method that probes call.
const HITS: [&str; 2] = ["jinsi/hits/Hits", "hit"];

/// An instruction of the library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Binary name of its class.
    pub(crate) class: String,
    pub(crate) spot: Spot,
}

/// All instructions that operators apply to, by their numbers.
pub(crate) struct Places(Vec<Place>);

impl Places {
    /// Finds them, and leaves the classes with a probe at each in `probed`. A class that cannot be given probes is left out: nothing is
    /// known to run in it.
    pub(crate) fn probe(site: &Site, probed: &Path) -> Result<Places> {
        let mut all = Vec::new();
        for name in &site.own {
            let Ok(class) = site.class(name) else {
                continue;
            };
            let spots = operators::spots(&class)?;
            let first = all.len();
            let numbered: Vec<(Spot, usize)> = spots.iter().cloned().zip(first..).collect();
            if numbered.is_empty() || write_probed(&class, &numbered, name, probed).is_err() {
                continue;
            }
            all.extend(spots.into_iter().map(|spot| Place {
                class: name.clone(),
                spot,
            }));
        }
        Ok(Places(all))
    }

    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Those that ran, each with the test classes that ran it, in the order of the places.
    pub(crate) fn executed(&self, runs: &[Ran]) -> Vec<(Place, Vec<String>)> {
        let mut by: Vec<Vec<String>> = vec![Vec::new(); self.0.len()];
        for ran in runs {
            for &number in &ran.hits {
                if let Some(classes) = by.get_mut(number) {
                    classes.push(ran.class.clone());
                }
            }
        }
        let places = self.0.iter().cloned().zip(by);
        places.filter(|(_, classes)| !classes.is_empty()).collect()
    }
}

fn write_probed(class: &ClassFile, spots: &[(Spot, usize)], name: &str, into: &Path) -> Result<()> {
    let bytes = operators::probed(class, spots, HITS[0], HITS[1])?.to_bytes()?;
    let file = into.join(format!("{}.class", name.replace('.', "/")));
    if let Some(directory) = file.parent() {
        fs::create_dir_all(directory)?;
    }
    Ok(fs::write(file, bytes)?)
}

/// Numbers that only look random, for one purpose with one library: other libraries of a list change nothing for this one.
pub(crate) fn numbers(seed: u64, library: &str, purpose: &str) -> Numbers {
    // Its keys are fixed.
    let mut hasher = DefaultHasher::new();
    (seed, library, purpose).hash(&mut hasher);
    Numbers::new(hasher.finish())
}

/// All of `items`, in an order that `numbers` choose.
pub(crate) fn shuffled<T>(mut items: Vec<T>, numbers: &mut Numbers) -> Vec<T> {
    for last in (1..items.len()).rev() {
        items.swap(last, numbers.below(last + 1));
    }
    items
}

/// One of the operators that apply.
pub(crate) fn drawn(operators: &[Operator], numbers: &mut Numbers) -> Option<Operator> {
    operators.get(numbers.below(operators.len())).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_is_a_function_of_seed_and_library() {
        let draw = |seed, library| {
            let mut numbers = numbers(seed, library, "places");
            shuffled((0..100).collect::<Vec<u32>>(), &mut numbers)
        };
        assert_eq!(draw(1, "a:b:1"), draw(1, "a:b:1"));
        assert_ne!(draw(1, "a:b:1"), draw(2, "a:b:1"));
        assert_ne!(draw(1, "a:b:1"), draw(1, "a:b:2"));
        let mut sorted = draw(3, "x");
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<u32>>());
        let operators = [Operator::BoundMoved, Operator::ComparisonTurned];
        let one = |seed| drawn(&operators, &mut numbers(seed, "x", "y"));
        assert_eq!(one(4), one(4));
        assert!((0..50).any(|seed| one(seed) != one(0)));
        assert_eq!(drawn(&[], &mut numbers(1, "x", "y")), None);
    }

    #[test]
    fn what_no_test_runs_is_no_place_for_a_defect() {
        let place = |offset| Place {
            class: "a.B".into(),
            spot: Spot { method: 0, offset },
        };
        let places = Places(vec![place(0), place(3), place(5)]);
        let ran = |class: &str, hits: &[usize]| Ran {
            class: class.into(),
            hits: hits.to_vec(),
            ..Ran::default()
        };
        let executed = places.executed(&[ran("T", &[2]), ran("U", &[0, 2])]);
        let expected = [
            (place(0), vec!["U".to_owned()]),
            (place(5), vec!["T".to_owned(), "U".to_owned()]),
        ];
        assert_eq!(executed, expected);
    }
}
