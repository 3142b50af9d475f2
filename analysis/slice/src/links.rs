//! Objects of unrecorded code that hold others, as a writer holds the stream below it and a view its collection. A change of the one changes
//! the other.
//!
//! A backward walk meets the construction of the holder only after everything that was done with it. There it turns out which of these
//! changes mattered. So the thread is walked over again with that known ([`super::settling`]).

use jinsi_trace::model::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most objects that hold one, or are held by it: views that a loop takes, each for a moment.
const MOST: usize = 256;

/// Which objects hold each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    of: FxHashMap<ObjectId, Vec<ObjectId>>,
}

impl Links {
    /// The one holds the other. False if that was known, or is too much.
    pub(super) fn insert(&mut self, (holder, held): (ObjectId, ObjectId)) -> bool {
        let full = |object| self.of.get(object).is_some_and(|of| of.len() >= MOST);
        if self.has(holder, held) || full(&holder) || full(&held) {
            return false;
        }
        self.of.entry(holder).or_default().push(held);
        self.of.entry(held).or_default().push(holder);
        true
    }

    /// Does the one hold the other?
    pub(super) fn has(&self, holder: ObjectId, held: ObjectId) -> bool {
        self.of.get(&holder).is_some_and(|of| of.contains(&held))
    }

    /// What holds the object or is held by it, and so on; nothing if that is nothing but itself.
    pub(super) fn around(&self, object: ObjectId) -> Option<FxHashSet<ObjectId>> {
        self.of.get(&object)?;
        let mut found = FxHashSet::from_iter([object]);
        let mut left = vec![object];
        while let Some(next) = left.pop() {
            let more = self.of.get(&next).into_iter().flatten();
            left.extend(more.filter(|object| found.insert(**object)));
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holders_reach_each_other() {
        let mut links = Links::default();
        assert!(links.insert((2, 1)) && links.insert((3, 2)) && !links.insert((3, 2)));
        let mut around: Vec<_> = links.around(1).unwrap().into_iter().collect();
        around.sort_unstable();
        assert_eq!(around, [1, 2, 3]);
        assert!(links.around(4).is_none() && links.has(2, 1) && !links.has(3, 1));
    }

    #[test]
    fn there_are_not_too_many() {
        let mut links = Links::default();
        let taken = (2..1000).filter(|view| links.insert((*view, 1))).count();
        assert_eq!(taken, MOST);
    }
}
