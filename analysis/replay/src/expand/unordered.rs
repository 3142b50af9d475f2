//! Contents of containers by hash: two are the same if they hold the same things, in whatever order.
//!
//! The order follows from hash codes, and those of arrays and of many objects differ from JVM to JVM. If a program depends on the order,
//! the events of its iteration differ.

/// Class names of the JDK's containers by hash.
const BY_HASH: [&str; 6] = [
    "java/util/HashMap",
    "java/util/HashSet",
    "java/util/Hashtable",
    "java/util/IdentityHashMap",
    "java/util/WeakHashMap",
    "java/util/concurrent/ConcurrentHashMap",
];

/// Most entries that are looked for one by one; those of larger containers are compared in order.
const MOST: usize = 256;

/// How sure it is that two entries are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// They are known to be.
    Known,
    /// They can be: nothing is known of an object in them.
    Possible,
    /// They are not.
    No,
}

/// Does the order in which an object of this class holds something mean nothing?
pub(super) fn is_by_hash(class: &str) -> bool {
    BY_HASH.contains(&class)
}

/// For each of `left` entries that of `right` entries which is the same, the surest ones first, else the first that can be; `None` if there
/// is not one for each.
pub(super) fn pair_up(
    left: usize,
    right: usize,
    same: impl Fn(usize, usize) -> Match,
) -> Option<Vec<usize>> {
    if left != right || left > MOST {
        return None;
    }
    let mut free = vec![true; right];
    let mut found = vec![None; left];
    for wanted in [Match::Known, Match::Possible] {
        for (a, place) in found.iter_mut().enumerate().filter(|(_, p)| p.is_none()) {
            *place = (0..right).find(|&b| free[b] && same(a, b) == wanted);
            if let Some(b) = *place {
                free[b] = false;
            }
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers are known to be the same; letters stand for objects that are new.
    fn texts(left: &[&str], right: &[&str]) -> Option<Vec<usize>> {
        let is_new = |text: &str| text.starts_with(char::is_alphabetic);
        pair_up(left.len(), right.len(), |a, b| match (left[a], right[b]) {
            (a, b) if is_new(a) && is_new(b) => Match::Possible,
            (a, b) if a == b => Match::Known,
            _ => Match::No,
        })
    }

    #[test]
    fn entries_are_found_in_any_order_each_once() {
        assert_eq!(
            texts(&["1", "2", "3"], &["3", "1", "2"]),
            Some(vec![1, 2, 0])
        );
        assert_eq!(texts(&["a", "2"], &["2", "b"]), Some(vec![1, 0]));
        assert_eq!(texts(&["a", "b"], &["c", "d"]), Some(vec![0, 1]));
        assert_eq!(texts(&["1", "1"], &["1", "2"]), None);
        assert_eq!(texts(&["1"], &["1", "2"]), None);
        assert_eq!(texts(&["a", "1"], &["2", "b"]), None);
    }
}
