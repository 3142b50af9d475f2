//! Sets of small numbers.

/// A set of small numbers: blocks of a method, fields of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The empty set, with room for numbers below `count`.
    pub fn new(count: usize) -> Self {
        Self {
            words: vec![0; count.div_ceil(64)],
        }
    }

    /// Adds a number; was it new?
    pub fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = (number as usize / 64, 1 << (number % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Is the number in the set?
    pub fn contains(&self, number: u32) -> bool {
        let word = self.words.get(number as usize / 64);
        word.is_some_and(|word| word & 1 << (number % 64) != 0)
    }

    /// Takes a number out; was it in?
    pub fn remove(&mut self, number: u32) -> bool {
        let Some(word) = self.words.get_mut(number as usize / 64) else {
            return false;
        };
        let bit = 1 << (number % 64);
        let was = *word & bit != 0;
        *word &= !bit;
        was
    }

    /// Adds the numbers of `others`; was one of them new?
    pub fn add_all(&mut self, others: &Bits) -> bool {
        if self.words.len() < others.words.len() {
            self.words.resize(others.words.len(), 0);
        }
        let mut new = 0;
        for (word, other) in self.words.iter_mut().zip(&others.words) {
            new |= other & !*word;
            *word |= other;
        }
        new != 0
    }

    /// Is one of `others` in it?
    pub fn intersects(&self, others: &Bits) -> bool {
        let words = self.words.iter().zip(&others.words);
        words.into_iter().any(|(word, other)| word & other != 0)
    }

    /// Takes the numbers of `others` out. Was one of them in?
    pub fn remove_all(&mut self, others: &Bits) -> bool {
        let mut removed = 0;
        for (word, other) in self.words.iter_mut().zip(&others.words) {
            removed |= *word & other;
            *word &= !other;
        }
        removed != 0
    }

    /// Is there none in it?
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.words).flat_map(|(at, &word)| {
            (0..64)
                .filter(move |bit| word & 1 << bit != 0)
                .map(move |bit| at * 64 + bit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn sets_are_what_was_put_in_and_not_taken_out() {
        let mut set = Bits::new(3);
        assert!(set.insert(200) && set.insert(3) && !set.insert(3));
        let mut other = Bits::default();
        assert!(!other.intersects(&set) && other.add_all(&set) && !other.add_all(&set));
        assert!(set.remove(200) && !set.remove(200) && !set.remove(9_999));
        assert!(other.intersects(&set) && other.remove_all(&set) && !other.intersects(&set));
        assert_eq!(other.iter().collect::<Vec<_>>(), [200]);
    }
}
