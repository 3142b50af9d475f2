//! Postings while an index is made: pairs of what happened and in which stretch, in bounded memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use jinsi_trace::varint::Reader;

use super::entries::Posted;
use super::table::{Entry, Key, Packer, Table, read_key, rise, risen, write_key};

/// So many pairs are sorted at once.
const RUN: usize = 1 << 20;

/// That something happened in a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    what: Key,
    place: u32,
}

impl Entry for Pair {
    fn key(&self) -> Key {
        self.what
    }

    fn write(&self, before: Option<&Self>, out: &mut Vec<u8>) {
        write_key(before.map(Self::key), self.what, out);
        let same = before.filter(|before| before.what == self.what);
        let last = same.map_or(0, |before| before.place);
        rise(u64::from(last), u64::from(self.place), out);
    }

    fn read(before: Option<&Self>, from: &mut Reader<'_>) -> Option<Self> {
        let what = read_key(before.map(Self::key), from)?;
        let same = before.filter(|before| before.what == what);
        let place = risen(u64::from(same.map_or(0, |before| before.place)), from)?;
        let place = u32::try_from(place).ok()?;
        Some(Self { what, place })
    }
}

/// Pairs, in sorted runs.
#[derive(Default)]
pub(super) struct Runs {
    open: Vec<Pair>,
    sealed: Vec<Table<Pair>>,
}

impl Runs {
    pub(super) fn add(&mut self, what: Key, place: u32) {
        self.open.push(Pair { what, place });
        if self.open.len() >= RUN {
            self.seal();
        }
    }

    fn seal(&mut self) {
        self.open.sort_unstable();
        self.open.dedup();
        self.sealed.push(self.open.drain(..).collect());
    }

    /// What is wanted of it, by what happened.
    pub(super) fn merge(mut self, wanted: impl Fn(Key) -> bool) -> Table<Posted> {
        self.seal();
        self.open = Vec::new();
        let mut runs: Vec<_> = self.sealed.iter().map(Table::iter).collect();
        let mut next = BinaryHeap::new();
        for (no, run) in runs.iter_mut().enumerate() {
            next.extend(run.next().map(|pair| Reverse((pair, no))));
        }
        let mut packer = Packer::default();
        let mut posted: Option<Posted> = None;
        while let Some(Reverse((pair, no))) = next.pop() {
            next.extend(runs[no].next().map(|pair| Reverse((pair, no))));
            match &mut posted {
                Some(posted) if posted.key == pair.what => {
                    if posted.places.last() != Some(&pair.place) {
                        posted.places.push(pair.place);
                    }
                }
                _ => {
                    let done = posted.replace(Posted {
                        key: pair.what,
                        places: vec![pair.place],
                    });
                    done.filter(|done| wanted(done.key))
                        .into_iter()
                        .for_each(|done| packer.push(done));
                }
            }
        }
        posted
            .filter(|posted| wanted(posted.key))
            .into_iter()
            .for_each(|posted| packer.push(posted));
        packer.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn runs_become_one() {
        let mut runs = Runs::default();
        let mut naive: BTreeMap<Key, BTreeSet<u32>> = BTreeMap::new();
        let mut random = 1u64;
        for at in 0..5000u32 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let what = (random >> 60, random >> 40 & 7);
            runs.add(what, at / 7);
            naive.entry(what).or_default().insert(at / 7);
            if at % 700 == 0 {
                runs.seal();
            }
        }
        let merged = runs.merge(|what| what.0 != 3);
        let merged: Vec<Posted> = merged.iter().collect();
        let naive = naive.into_iter().filter(|(what, _)| what.0 != 3);
        let naive = naive.map(|(key, places)| Posted {
            key,
            places: places.into_iter().collect(),
        });
        assert!(merged.into_iter().eq(naive));
    }
}
