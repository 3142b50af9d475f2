//! Postings while an index is made: what happened and in which stretch, in bounded memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use jinsi_trace::varint::{self, Reader};

use crate::entries::{Elements, Posted};
use jinsi_packed::{Entry, Key, Packer, Table, read_key, rise, risen, write_key};

/// So many are sorted at once.
const RUN: usize = 1 << 20;

/// That something happened in a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    what: Key,
    place: u32,
    /// To which of the elements.
    elements: Elements,
}

impl Entry for Pair {
    // They are unpacked soon, and only once.
    const LEVEL: i32 = 1;

    fn key(&self) -> Key {
        self.what
    }

    fn write(&self, before: Option<&Self>, out: &mut Vec<u8>) {
        write_key(before.map(Self::key), self.what, out);
        let same = before.filter(|before| before.what == self.what);
        let last = same.map_or(0, |before| before.place);
        rise(u64::from(last), u64::from(self.place), out);
        varint::write(out, self.elements);
    }

    fn read(before: Option<&Self>, from: &mut Reader<'_>) -> Option<Self> {
        let what = read_key(before.map(Self::key), from)?;
        let same = before.filter(|before| before.what == what);
        let place = risen(u64::from(same.map_or(0, |before| before.place)), from)?;
        let place = u32::try_from(place).ok()?;
        let elements = from.number()?;
        Some(Self {
            what,
            place,
            elements,
        })
    }
}

/// Pairs, in sorted runs.
#[derive(Default)]
pub(super) struct Runs {
    open: Vec<Pair>,
    sealed: Vec<Table<Pair>>,
}

impl Runs {
    pub(super) fn add(&mut self, what: Key, place: u32, elements: Elements) {
        self.open.push(Pair {
            what,
            place,
            elements,
        });
        if self.open.len() >= RUN {
            self.seal();
        }
    }

    fn seal(&mut self) {
        self.open.sort_unstable();
        self.open.dedup_by(|next, kept| {
            let same = (next.what, next.place) == (kept.what, kept.place);
            kept.elements |= if same { next.elements } else { 0 };
            same
        });
        self.sealed.push(self.open.drain(..).collect());
    }

    /// What is wanted of it, by what happened.
    pub(super) fn merge(mut self, mut wanted: impl FnMut(&Posted) -> bool) -> Table<Posted> {
        self.seal();
        self.open = Vec::new();
        let mut runs: Vec<_> = self.sealed.iter().map(Table::iter).collect();
        let mut next = BinaryHeap::new();
        for (no, run) in runs.iter_mut().enumerate() {
            next.extend(run.next().map(|pair| Reverse((pair, no))));
        }
        let mut packer = Packer::default();
        let mut done = |posted: Option<Posted>| {
            let posted = posted.filter(|posted| wanted(posted));
            posted.into_iter().for_each(|posted| packer.push(posted));
        };
        let mut posted: Option<Posted> = None;
        while let Some(Reverse((pair, no))) = next.pop() {
            next.extend(runs[no].next().map(|pair| Reverse((pair, no))));
            match &mut posted {
                Some(posted) if posted.key == pair.what => posted.meet(pair.place, pair.elements),
                _ => {
                    let new = Posted::new(pair.what, pair.place, pair.elements);
                    done(posted.replace(new));
                }
            }
        }
        done(posted);
        packer.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entries::GROUP;
    use std::collections::BTreeMap;

    #[test]
    fn runs_become_one() {
        let mut runs = Runs::default();
        let mut naive: BTreeMap<Key, BTreeMap<u32, Elements>> = BTreeMap::new();
        let mut random = 1u64;
        for at in 0..5000u32 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let what = (random >> 60, random >> 40 & 7);
            let elements = 1 << (random >> 50 & 63);
            runs.add(what, at / 7, elements);
            *naive.entry(what).or_default().entry(at / 7).or_default() |= elements;
            if at % 700 == 0 {
                runs.seal();
            }
        }
        let merged = runs.merge(|posted| posted.key.0 != 3);
        let merged: Vec<Posted> = merged.iter().collect();
        let naive: Vec<_> = naive.iter().filter(|(what, _)| what.0 != 3).collect();
        assert_eq!(merged.len(), naive.len());
        for (posted, (key, places)) in merged.iter().zip(naive) {
            assert_eq!(posted.key, *key);
            assert!(posted.places.iter().eq(places.keys()));
            let places: Vec<_> = places.iter().collect();
            for element in 0..64u32 {
                let groups = places.chunks(GROUP).filter(|group| {
                    let is_written = group.iter().any(|(_, all)| **all >> element & 1 == 1);
                    is_written || !posted.has_groups()
                });
                let expected: Vec<u32> = groups.flatten().map(|(place, _)| **place).collect();
                assert_eq!(posted.places_of(Some(element)), expected);
            }
        }
    }
}
