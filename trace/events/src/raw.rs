//! The raw form of events: what the probes store into a thread's buffer, 64-bit little-endian words throughout.
//!
//! A buffer begins with a header of [`HEADER_BYTES`] bytes (offsets below), then events back to back up to the cursor. The
//! probe writes an event behind the cursor and only then moves the cursor: an event is either whole or not there, whenever
//! the process dies.
//!
//! Event: one header word `site | kind << 32 | words << 48`, then `words` payload words; if `words` is
//! [`LONG_EVENT`], the word behind the header holds the count of payload words that follow it. An event with [`REPEATS`] in its
//! header has no words: its payload is that of the event before it in the buffer, which has words of its own.
//!
//! Operands: primitives take one word (integers sign-extended, `boolean` 0/1, `char` zero-extended, floats as their bits).
//! References: tag in the low three bits: [`TAG_NULL`] (the word is 0); [`TAG_OBJECT`], `id << 3`; [`TAG_STRING`],
//! `byte_length << 4 | utf16 << 3`, the bytes follow, padded to words (Latin-1, or UTF-16 little-endian); [`TAG_CLASS`],
//! `class_no << 3`; [`TAG_BOX`], `letter << 3`, one primitive word follows.
//!
//! `Define`: words `id`, `class_no | (array_length + 1) << 32` (upper half 0: no array).
//! `Content`: words `id`, `form | letter << 8 | count << 16`, then by form: [`FORM_PRIMITIVES`] `count` packed elements of
//! type `letter` in their natural width (boolean and byte 1 byte), padded to words; [`FORM_PATCHED`] the same array a moment after
//! it was recorded whole: how many bytes before this event's header that of the *base* is, `at | size << 32`, and `size` bytes, padded to words, which
//! the elements have in place of the base's from byte `at` on; [`FORM_ARRAY`], [`FORM_ELEMENTS`],
//! [`FORM_ENTRIES`] `count` references (for entries keys and values both counted); [`FORM_TEXT`] one string reference;
//! [`FORM_TOO_LARGE`] nothing; [`FORM_FIELDS`] `count` times a class reference, a string reference, and the value: a reference, or
//! [`TAG_PRIM`], `letter << 3`, and one primitive word.
//! A base is a `Content` with [`FORM_PRIMITIVES`] of the same identity, letter and count, earlier in the buffer.
//! `Uncaught`: one reference. `Order`: one word, the stamp; from [`MEETINGS_BIT`] on how often the thread has met others since its last
//! `Order` event, plus one (0: nobody has counted; all ones: very often); [`MET_BIT`]: seen at the last of these meetings. `Mark`: one word, the test's number times four and its phase.

/// Size of a buffer's header in bytes; the first event begins there.
pub const HEADER_BYTES: usize = 64;
/// Offset of the cursor: bytes from the buffer's start to the end of the last whole event.
pub const OFFSET_CURSOR: usize = 0;
/// Offset of the limit: how many bytes of the buffer are for events, header included; 0 if no event is to be begun in it.
pub const OFFSET_LIMIT: usize = 8;
/// Offset of the state word: [`STATE_FREE`], [`STATE_LIVE`] or [`STATE_FULL`].
pub const OFFSET_STATE: usize = 16;
/// Offset of the ordinal: a number given at every acquisition, rising over the whole trace, from 1.
pub const OFFSET_ORDINAL: usize = 24;
/// Offset of the thread number (u32). The four bytes behind it are the probe's own and 0 at first.
pub const OFFSET_THREAD: usize = 32;
/// Offset of the probe's own scratch word (end of the event being written); means nothing to readers.
pub const OFFSET_SCRATCH: usize = 40;

/// Nobody owns the buffer; its content is already in a segment or never was.
pub const STATE_FREE: u64 = 0;
/// A thread writes into it.
pub const STATE_LIVE: u64 = 1;
/// Handed over, not yet encoded.
pub const STATE_FULL: u64 = 2;

/// Payload count that says "see the next word".
pub const LONG_EVENT: u64 = 0xffff;

/// Flag in an event's header: it has the payload of the event before. A method gets what the call gave, and the call what the method returned.
pub const REPEATS: u64 = 1 << 40;

/// In the word of an `Order` event: the thread sees the stamp's value at a meeting, behind having waited for others.
pub const MET_BIT: u32 = 40;
/// In the word of an `Order` event: from here on, how often the thread has met others.
pub const MEETINGS_BIT: u32 = 41;

/// `null`.
pub const TAG_NULL: u64 = 0;
/// An object by identity.
pub const TAG_OBJECT: u64 = 1;
/// A string by content.
pub const TAG_STRING: u64 = 2;
/// A class object.
pub const TAG_CLASS: u64 = 3;
/// A box of `java.lang`.
pub const TAG_BOX: u64 = 4;

/// A primitive, where fields of all types stand side by side.
pub const TAG_PRIM: u64 = 5;

/// Packed primitive array.
pub const FORM_PRIMITIVES: u64 = 1;
/// Array of references.
pub const FORM_ARRAY: u64 = 2;
/// Elements of a collection.
pub const FORM_ELEMENTS: u64 = 3;
/// Keys and values of a map.
pub const FORM_ENTRIES: u64 = 4;
/// An immutable value as text.
pub const FORM_TEXT: u64 = 5;
/// Larger than the bound.
pub const FORM_TOO_LARGE: u64 = 6;
/// Declaring class, name and value of each field of an object.
pub const FORM_FIELDS: u64 = 7;

/// Packed primitive array that hardly differs from what it was earlier in the buffer.
pub const FORM_PATCHED: u64 = 8;

/// Bytes at the end of a buffer of the usual size that are the probe's own, and 0 at first: it keeps there which arrays it has recorded
/// whole, and where. The limit lies before them.
pub const TAIL_BYTES: usize = 512;
/// The size of a buffer that has them. The probe knows it by its limit.
pub const USUAL_BYTES: usize = 512 << 10;

/// Most elements that a content has, keys and values both counted: four times what the probes record. Bounds what a reader
/// allocates for an event.
pub const MAX_COUNT: u64 = 1 << 18;

mod encode;
mod parts;
mod patch;
mod value;
mod walk;

pub use encode::{EncodeError, encode};
pub use parts::apart;
pub use patch::Shortening;
pub use value::{RawContent, RawPayload, RawValue};
pub use value::{fields, java_string, patched, references, unpack};
pub use walk::Base;
pub use walk::{Cursor, RawError, RawEvent, Walker};

use std::ops::Deref;
use std::sync::Arc;

use crate::model::{EventKind, MOST_PARTS, RunPart, Site, SiteNo};

/// What the raw form needs to know of a site: kind and operand letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteShape {
    /// [`crate::model::Site::kind`].
    pub kind: EventKind,
    /// [`crate::model::Site::operands`].
    pub operands: Arc<str>,
    /// [`crate::model::Site::parts`].
    pub parts: Parts,
}

/// The events that an event stands for, oldest first; none if it stands for itself. Cloning none, as is most often done, touches no memory
/// that threads share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts(Option<Arc<[RunPart]>>);

impl Deref for Parts {
    type Target = [RunPart];

    fn deref(&self) -> &[RunPart] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl FromIterator<RunPart> for Parts {
    fn from_iter<I: IntoIterator<Item = RunPart>>(parts: I) -> Self {
        let parts: Arc<[RunPart]> = parts.into_iter().collect();
        Self((!parts.is_empty()).then_some(parts))
    }
}

impl SiteShape {
    /// The shape of `site`.
    pub fn of(site: &Site) -> Self {
        Self {
            kind: site.kind,
            operands: site.operands.shared(),
            parts: parts(site),
        }
    }
}

/// The events that those of `site` stand for.
fn parts(site: &Site) -> Parts {
    match site.kind {
        EventKind::Run => site.parts.iter().take(MOST_PARTS).cloned().collect(),
        _ => Parts::default(),
    }
}

/// Where walker, encoder and decoder look sites up.
pub trait SiteShapes {
    /// The shape of the site numbered `no`, if it is known.
    fn shape(&self, no: SiteNo) -> Option<SiteShape>;
}

impl<S: std::hash::BuildHasher> SiteShapes for std::collections::HashMap<SiteNo, SiteShape, S> {
    fn shape(&self, no: SiteNo) -> Option<SiteShape> {
        self.get(&no).cloned()
    }
}

/// Operand letters of an event: the site's, or for kinds without site the model's own. `None` for `Define` and `Content`,
/// which have no operands.
///
/// # Errors
/// The site is unknown or makes events of another kind.
pub fn operand_letters(
    kind: EventKind,
    site: Option<SiteNo>,
    sites: &impl SiteShapes,
) -> Result<Option<Arc<str>>, RawError> {
    match kind {
        EventKind::Define | EventKind::Content => Ok(None),
        EventKind::Uncaught => Ok(Some("L".into())),
        EventKind::Order | EventKind::Mark => Ok(Some("J".into())),
        _ => match site.and_then(|site| sites.shape(site)) {
            None => Err(RawError::UnknownSite {
                site: SiteNo::written(site),
            }),
            Some(shape) if shape.kind != kind => Err(RawError::WrongKind {
                site: SiteNo::written(site),
                kind,
            }),
            Some(shape) => Ok(Some(shape.operands)),
        },
    }
}

/// What is the same of all events of a kind and site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// [`operand_letters`].
    pub letters: Option<Arc<str>>,
    /// [`parts_of`].
    pub parts: Parts,
}

/// The shape of events of this kind and site, looked up at once.
///
/// # Errors
/// As of [`operand_letters`].
pub fn shape_of(
    kind: EventKind,
    site: Option<SiteNo>,
    sites: &impl SiteShapes,
) -> Result<Shape, RawError> {
    match site.and_then(|site| sites.shape(site)) {
        // Most are of this form.
        Some(shape) if shape.kind == kind && kind.has_site() => {
            let parts = match kind {
                EventKind::Run => shape.parts,
                _ => Parts::default(),
            };
            let letters = Some(shape.operands);
            Ok(Shape { letters, parts })
        }
        _ => Ok(Shape {
            letters: operand_letters(kind, site, sites)?,
            parts: parts_of(kind, site, sites),
        }),
    }
}

/// The events that an event of this kind and site stands for, oldest first; none if it stands for itself.
pub fn parts_of(kind: EventKind, site: Option<SiteNo>, sites: &impl SiteShapes) -> Parts {
    match kind {
        EventKind::Run => site
            .and_then(|site| sites.shape(site))
            .map(|shape| shape.parts)
            .unwrap_or_default(),
        _ => Parts::default(),
    }
}

/// Width in bytes of a packed element of primitive type `letter`.
pub fn packed_width(letter: u8) -> Option<usize> {
    match letter {
        b'Z' | b'B' => Some(1),
        b'C' | b'S' => Some(2),
        b'I' | b'F' => Some(4),
        b'J' | b'D' => Some(8),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
