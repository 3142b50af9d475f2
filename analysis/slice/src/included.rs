//! The instructions in a slice while it is collected. The walk meets an instruction as often as it ran, so they are found by their place.

use super::using::Mark;
use jinsi_steps::code::MethodNo;

/// An instruction.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// Its distance from the criterion and one more; 0: it is not in the slice.
    distance: u32,
    /// Is its value known?
    valued: bool,
}

/// The instructions in a slice.
#[derive(Clone, Debug, Default)]
pub(super) struct Included(Vec<Vec<Entry>>);

impl Included {
    fn entry(&mut self, method: MethodNo, at: usize) -> &mut Entry {
        let method = method.index();
        if self.0.len() <= method {
            self.0.resize_with(method + 1, Vec::new);
        }
        let entries = &mut self.0[method];
        if entries.len() <= at {
            entries.resize(at + 1, Entry::default());
        }
        &mut entries[at]
    }

    /// An occurrence at this distance is in the slice.
    pub(super) fn insert(&mut self, method: MethodNo, at: usize, distance: Mark) {
        let entry = self.entry(method, at);
        if entry.distance == 0 || distance < entry.distance - 1 {
            entry.distance = distance + 1;
        }
    }

    /// Its value is known. Is that news?
    pub(super) fn value(&mut self, method: MethodNo, at: usize) -> bool {
        !std::mem::replace(&mut self.entry(method, at).valued, true)
    }

    /// All, each with its distance.
    pub(super) fn all(&self) -> impl Iterator<Item = ((MethodNo, usize), Mark)> + '_ {
        self.0.iter().enumerate().flat_map(|(method, entries)| {
            let method = MethodNo::from_index(method);
            let included = entries.iter().enumerate().filter(|(_, e)| e.distance > 0);
            included.map(move |(at, entry)| ((method, at), entry.distance - 1))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no(index: usize) -> MethodNo {
        MethodNo::from_index(index)
    }

    #[test]
    fn the_least_distance_counts() {
        let mut included = Included::default();
        for distance in [5, 3, 4] {
            included.insert(no(2), 7, distance);
        }
        included.insert(no(0), 0, 0);
        assert!(included.value(no(1), 1) && !included.value(no(1), 1));
        let all: Vec<_> = included.all().collect();
        assert_eq!(all, [((no(0), 0), 0), ((no(2), 7), 3)]);
    }
}
