//! Writing only what has changed in a primitive array that is in the buffer already. The probes do the same (`JinsiPatch`); this is for traces
//! that are written by tools.

use std::collections::HashMap;
use std::ops::Range;

use super::{FORM_PATCHED, FORM_PRIMITIVES, packed_width};
use crate::model::{EventKind, ObjectId};

const WORD: usize = 8;
/// Header, identity and form: what comes before the elements of an array that is written whole.
const FRONT: usize = 3 * WORD;
/// What comes before the patch.
const PATCH_FRONT: usize = FRONT + 2 * WORD;
/// Arrays of fewer bytes are written whole.
const LEAST: usize = 64;
/// So is one of which more than this part has changed: the next ones will then have less to say.
const PART: usize = 8;

/// The arrays that are whole in a buffer.
#[derive(Debug, Default)]
pub struct Shortening {
    /// Where their events begin.
    at: HashMap<ObjectId, usize>,
}

impl Shortening {
    /// Shortens the event at the end of `raw`, which begins at `at`, if it has a primitive array of which most is there.
    pub fn last(&mut self, raw: &mut Vec<u8>, at: usize) {
        let Some((id, form, bytes)) = array(raw, at) else {
            return;
        };
        let before = self.at.get(&id).copied();
        let base = before.and_then(|at| Some((at, array(raw, at)?)));
        let changed = base
            .filter(|(_, (_, base_form, _))| *base_form == form)
            .map(|(base, (_, _, before))| (base, difference(&raw[before], &raw[bytes.clone()])));
        match changed {
            Some((base, range)) if range.len() <= bytes.len() / PART => {
                let patch = raw[bytes][range.clone()].to_vec();
                let words = (PATCH_FRONT - WORD + patch.len().next_multiple_of(WORD)) / WORD;
                let range = range.start as u64 | (range.len() as u64) << 32;
                raw.truncate(at);
                raw.extend(
                    ((EventKind::Content as u64) << 32 | (words as u64) << 48).to_le_bytes(),
                );
                raw.extend(id.to_le_bytes());
                raw.extend((form - FORM_PRIMITIVES + FORM_PATCHED).to_le_bytes());
                raw.extend(((at - base) as u64).to_le_bytes());
                raw.extend(range.to_le_bytes());
                raw.extend(patch);
                raw.resize(at + WORD * (1 + words), 0);
            }
            _ => {
                self.at.insert(id, at);
            }
        }
    }

    /// The events are gone.
    pub fn clear(&mut self) {
        self.at.clear();
    }
}

/// Identity, form word, and place of the elements of the content at `at`, if it is a primitive array that it may pay to patch.
fn array(raw: &[u8], at: usize) -> Option<(ObjectId, u64, Range<usize>)> {
    const HEAD: u64 = (EventKind::Content as u64) << 32;
    let word = |no: usize| {
        let bytes = raw.get(at + no * WORD..)?.first_chunk()?;
        Some(u64::from_le_bytes(*bytes))
    };
    let (head, id, form) = (word(0)?, word(1)?, word(2)?);
    let width = packed_width((form >> 8) as u8)?;
    let size = usize::try_from(form >> 16).ok()?.checked_mul(width)?;
    let words = (FRONT - WORD + size.next_multiple_of(WORD)) as u64 / WORD as u64;
    // One so long that its header does not say it is always written whole.
    let is_one = head == HEAD | words << 48 && form & 0xff == FORM_PRIMITIVES && size >= LEAST;
    let bytes = at + FRONT..at + FRONT + size;
    (is_one && words < super::LONG_EVENT && bytes.end <= raw.len()).then_some((id, form, bytes))
}

/// The least range beyond which both, which are of the same length, are alike.
fn difference(before: &[u8], now: &[u8]) -> Range<usize> {
    let differs = |(a, b): (&u8, &u8)| a != b;
    let pairs = || before.iter().zip(now);
    let first = pairs().position(differs);
    first.map_or(0..0, |first| {
        let last = pairs().rposition(differs).unwrap_or(first);
        first..last + 1
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::arbitrary::{arrays, shapes, shortened};
    use crate::model::{Content, Event, Payload, Prim, Value};
    use crate::raw::{RawError, Walker};

    /// What the walk over these words gives.
    fn walk(words: &[u64]) -> Vec<Result<Event, RawError>> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let shapes = shapes();
        let events = Walker::new(&bytes).map(|event| event?.to_event(&shapes));
        events.collect()
    }

    const CONTENT: u64 = (EventKind::Content as u64) << 32;

    fn form(form: u64, letter: u8, count: u64) -> u64 {
        form | u64::from(letter) << 8 | count << 16
    }

    /// An array of eight shorts, and a patch of it.
    fn base() -> Vec<u64> {
        let elements = [0x0004_0003_0002_0001, 0x0008_0007_0006_0005];
        let front = [CONTENT | 4 << 48, 7, form(FORM_PRIMITIVES, b'S', 8)];
        [front.as_slice(), &elements].concat()
    }

    fn shorts(values: [i16; 8]) -> Event {
        let values = values.map(|value| Value::Prim(Prim::Short(value)));
        Event {
            kind: EventKind::Content,
            site: None,
            payload: Payload::Content {
                id: 7,
                content: Content::Array(values.to_vec()),
            },
        }
    }

    /// A patch in front of which is what `before` has: head, identity, form, distance, range, and the patch.
    fn patched(before: &[u64], patch: &[u64]) -> Result<Event, RawError> {
        let mut found = walk(&[before, patch].concat());
        found.pop().expect("an event")
    }

    #[test]
    fn a_patch_is_laid_over_its_base() {
        let head = CONTENT | 5 << 48;
        let short = form(FORM_PATCHED, b'S', 8);
        let two_bytes = 3 | 2 << 32;
        assert_eq!(
            patched(&base(), &[head, 7, short, 40, two_bytes, 0x0a09]),
            Ok(shorts([1, 0x0902, 0x000a, 4, 5, 6, 7, 8]))
        );
        let between = [&base()[..], &[CONTENT | 4 << 48, 7, short, 40, 0]].concat();
        assert_eq!(
            patched(&between, &[head, 7, short, 80, 14 | 2 << 32, 9]),
            Ok(shorts([1, 2, 3, 4, 5, 6, 7, 9]))
        );
        assert_eq!(
            patched(&base(), &[CONTENT | 4 << 48, 7, short, 40, 16]),
            Ok(shorts([1, 2, 3, 4, 5, 6, 7, 8])),
            "nothing has changed"
        );
    }

    #[test]
    fn what_has_no_base_is_refused() {
        let head = CONTENT | 5 << 48;
        let short = form(FORM_PATCHED, b'S', 8);
        let one = 1 << 32;
        for words in [
            [head, 8, short, 40, one, 1],
            [head, 7, form(FORM_PATCHED, b'C', 8), 40, one, 1],
            [head, 7, form(FORM_PATCHED, b'S', 7), 40, one, 1],
            [head, 7, short, 0, one, 1],
            [head, 7, short, 32, one, 1],
            [head, 7, short, 39, one, 1],
            [head, 7, short, 48, one, 1],
            [head, 7, short, u64::MAX, one, 1],
            [head, 7, short, 40, 16 | one, 1],
            [head, 7, short, 40, u64::from(u32::MAX) | one, 1],
            [head | 1, 7, short, 40, one, 1],
        ] {
            assert_eq!(patched(&base(), &words), Err(RawError::Base), "{words:x?}");
        }
        for (words, error) in [
            ([head, 7, short, 40, 9 << 32, 1], RawError::Short),
            ([head, 7, short, 40, u64::MAX, 1], RawError::Short),
            ([head, 7, short, 40, 0, 1], RawError::Rest(8)),
        ] {
            assert_eq!(patched(&base(), &words), Err(error), "{words:x?}");
        }
        let mut text = base();
        text[2] = form(super::super::FORM_TEXT, b'S', 8);
        assert_eq!(
            patched(&text, &[head, 7, short, 40, one, 1]),
            Err(RawError::Base)
        );
        let mut cut = base();
        cut[2] = form(FORM_PRIMITIVES, b'S', 4);
        let fewer = form(FORM_PATCHED, b'S', 4);
        assert_eq!(
            patched(&cut, &[head, 7, fewer, 40, one, 1]),
            Err(RawError::Base)
        );
        let patch = [&base()[..], &[CONTENT | 4 << 48, 7, short, 40, 0]].concat();
        assert_eq!(
            patched(&patch, &[head, 7, short, 40, one, 1]),
            Err(RawError::Base),
            "a patch is no base"
        );
        let large = form(FORM_PATCHED, b'J', u64::MAX >> 16);
        let wide = form(FORM_PRIMITIVES, b'J', u64::MAX >> 16);
        assert!(patched(&[CONTENT | 2 << 48, 7, wide], &[head, 7, large, 24, one, 1]).is_err());
    }

    proptest! {
        #[test]
        fn a_shortened_array_is_the_same(events in arrays()) {
            let [short, whole] = shortened(&events);
            prop_assert!(short.len() <= whole.len());
            let shapes = shapes();
            let read: Result<Vec<Event>, _> =
                Walker::new(&short).map(|event| event?.to_event(&shapes)).collect();
            prop_assert_eq!(read, Ok(events));
        }
    }
}
