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

    /// Adds the numbers of `others` that are in `among`, if that is given; those that were not in it are put into `new`, too. Was there one?
    pub fn add_new(&mut self, others: &Bits, among: Option<&Bits>, new: &mut Bits) -> bool {
        let count = self.words.len().max(others.words.len());
        self.words.resize(count, 0);
        let mut found = false;
        for (at, &other) in others.words.iter().enumerate() {
            let let_through = among.map_or(!0, |among| among.words.get(at).copied().unwrap_or(0));
            let added = other & let_through & !self.words[at];
            if added == 0 {
                continue;
            }
            found = true;
            self.words[at] |= added;
            if new.words.len() <= at {
                new.words.resize(at + 1, 0);
            }
            new.words[at] |= added;
        }
        found
    }

    /// Keeps only the numbers that are in `others`, too.
    pub fn keep_all(&mut self, others: &Bits) {
        self.words.truncate(others.words.len());
        for (word, other) in self.words.iter_mut().zip(&others.words) {
            *word &= other;
        }
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
            let rest = |left: &u64| Some(left & left.wrapping_sub(1));
            let left = std::iter::successors(Some(word), rest);
            let left = left.take_while(|left| *left != 0);
            left.map(move |left| at * 64 + left.trailing_zeros())
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

    #[test]
    fn what_is_added_is_distinguished_from_what_was_there() {
        let of = |all: &[u32]| {
            let mut set = Bits::default();
            all.iter().for_each(|number| _ = set.insert(*number));
            set
        };
        let (mut set, mut new) = (of(&[1, 70]), of(&[5]));
        assert!(set.add_new(&of(&[1, 2, 3, 300]), Some(&of(&[1, 2, 300, 400])), &mut new));
        assert_eq!((set, new.clone()), (of(&[1, 2, 70, 300]), of(&[2, 5, 300])));
        let mut set = of(&[0, 63, 64]);
        assert!(!set.add_new(&of(&[63]), None, &mut new));
        set.keep_all(&of(&[0, 63]));
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63]);
    }
}
