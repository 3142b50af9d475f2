//! Reading the raw form. Total: whatever the bytes are, the answer is events or an error, and nothing is allocated
//! that the bytes do not pay for.

use thiserror::Error;

use super::{
    FORM_ARRAY, FORM_ELEMENTS, FORM_ENTRIES, FORM_FIELDS, FORM_PATCHED, FORM_PRIMITIVES, FORM_TEXT,
    FORM_TOO_LARGE, LONG_EVENT, MAX_COUNT, REPEATS, RawContent, RawPayload, RawValue, SiteShapes,
    TAG_BOX, TAG_CLASS, TAG_NULL, TAG_OBJECT, TAG_PRIM, TAG_STRING, apart, operand_letters,
    packed_width, parts_of,
};
use crate::model::{ClassNo, Event, EventKind, Payload, Prim, SiteNo};

const WORD: usize = 8;
/// Kind and site in an event's header, and that it repeats another one's payload.
const SYMBOL: u64 = 0xffff_ffff_ffff;
/// Bits of an event's header that mean nothing.
const UNDEFINED: u64 = 0x7f << 41;

/// Why raw bytes are not an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RawError {
    /// The words that the header promises are not there.
    #[error("event header promises {words} words, {left} are left")]
    Cut {
        /// Payload words promised.
        words: u64,
        /// Payload words there.
        left: u64,
    },
    /// The header names a kind that does not exist.
    #[error("no event kind has number {0}")]
    Kind(u8),
    /// The header names a site that is not in the tables.
    #[error("site {site} is not in the site table")]
    UnknownSite {
        /// Its number, as the header has it.
        site: u32,
    },
    /// The header names a site whose events are of another kind.
    #[error("site {site} makes no {kind:?} events")]
    WrongKind {
        /// Its number, as the header has it.
        site: u32,
        /// The event's kind.
        kind: EventKind,
    },
    /// The payload ends inside a value.
    #[error("event payload ends inside a value")]
    Short,
    /// The payload goes on behind the last value.
    #[error("{0} bytes behind the last value of an event")]
    Rest(usize),
    /// A reference word with an undefined tag or undefined bits.
    #[error("no reference is written {0:#018x}")]
    Reference(u64),
    /// An operand letter of a site, or the letter of a box or array, that is no type's.
    #[error("no operand type has letter {0:#04x}")]
    Letter(u8),
    /// The event should have the payload of the one before, and that has none of its own, or is not there.
    #[error("there is no payload to repeat")]
    Repeat,
    /// A content is reported by what has changed in another one, which is not there, or of another array.
    #[error("there is no such content to patch")]
    Base,
    /// Undefined form of content, or one that contradicts its count.
    #[error("no content has form word {0:#018x}")]
    Form(u64),
}

/// Reads words off the front of a byte slice.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    /// At the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Bytes not yet read.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The next word.
    ///
    /// # Errors
    /// Fewer than eight bytes are left.
    pub fn word(&mut self) -> Result<u64, RawError> {
        let (word, rest) = self.rest.split_first_chunk().ok_or(RawError::Short)?;
        self.rest = rest;
        Ok(u64::from_le_bytes(*word))
    }

    /// The next `len` bytes; what pads them to whole words is skipped.
    ///
    /// # Errors
    /// They are not there.
    pub fn padded(&mut self, len: u64) -> Result<&'a [u8], RawError> {
        let len = usize::try_from(len).map_err(|_| RawError::Short)?;
        let padded = len.checked_next_multiple_of(WORD).ok_or(RawError::Short)?;
        let (taken, rest) = self.rest.split_at_checked(padded).ok_or(RawError::Short)?;
        self.rest = rest;
        Ok(&taken[..len])
    }

    /// The next value of type `letter`.
    ///
    /// # Errors
    /// It is cut or malformed, or no type has this letter.
    pub fn value(&mut self, letter: u8) -> Result<RawValue<'a>, RawError> {
        if letter == b'L' {
            self.reference()
        } else {
            self.prim(letter).map(RawValue::Prim)
        }
    }

    fn prim(&mut self, letter: u8) -> Result<Prim, RawError> {
        let word = self.word()?;
        Prim::from_word(char::from(letter), word).ok_or(RawError::Letter(letter))
    }

    /// The next value of a field, which says itself what type it has.
    fn tagged(&mut self) -> Result<RawValue<'a>, RawError> {
        let mut ahead = self.clone();
        let word = ahead.word()?;
        if word & 7 != TAG_PRIM {
            return self.reference();
        }
        *self = ahead;
        let letter = u8::try_from(word >> 3).map_err(|_| RawError::Reference(word))?;
        self.prim(letter).map(RawValue::Prim)
    }

    /// The next reference.
    ///
    /// # Errors
    /// It is cut or malformed.
    pub fn reference(&mut self) -> Result<RawValue<'a>, RawError> {
        let word = self.word()?;
        let bad = RawError::Reference(word);
        match word & 7 {
            TAG_NULL if word == 0 => Ok(RawValue::Null),
            TAG_OBJECT => Ok(RawValue::Object(word >> 3)),
            TAG_STRING => {
                let (len, utf16) = (word >> 4, word & 8 != 0);
                if utf16 && len % 2 != 0 {
                    return Err(bad);
                }
                let bytes = self.padded(len)?;
                Ok(RawValue::Str { utf16, bytes })
            }
            TAG_CLASS => ClassNo::checked(word >> 3).map(RawValue::Class).ok_or(bad),
            TAG_BOX => {
                let letter = u8::try_from(word >> 3).map_err(|_| bad)?;
                self.prim(letter).map(RawValue::Boxed)
            }
            _ => Err(bad),
        }
    }
}

/// An event in a buffer: its header is sound, its payload not yet looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawEvent<'a> {
    /// Kind.
    pub kind: EventKind,
    /// Site; `None` for kinds without.
    pub site: Option<SiteNo>,
    /// Payload words.
    pub payload: &'a [u8],
    /// Size with header, in bytes.
    pub bytes: usize,
    /// If it is a content that is reported by what has changed: the event that has it whole.
    pub base: Option<Base<'a>>,
}

/// An event whose content may be patched by later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base<'a> {
    /// Where it begins.
    pub at: usize,
    /// Its payload words.
    pub payload: &'a [u8],
}

impl<'a> RawEvent<'a> {
    /// The payload, its operands as `letters` say; `letters` is `None` for `Define` and `Content`.
    ///
    /// # Errors
    /// The payload is malformed or does not fit the letters.
    pub fn read(&self, letters: Option<&str>) -> Result<RawPayload<'a>, RawError> {
        let mut cursor = Cursor::new(self.payload);
        let payload = match (self.kind, letters) {
            (EventKind::Define, _) => {
                let (id, rest) = (cursor.word()?, cursor.word()?);
                RawPayload::Define {
                    id,
                    class: ClassNo::checked(rest & 0xffff_ffff).ok_or(RawError::Reference(rest))?,
                    length_plus_1: (rest >> 32) as u32,
                }
            }
            (EventKind::Content, _) => {
                let id = cursor.word()?;
                let content = match form_of(self.payload) {
                    Some(FORM_PATCHED) => patched(&mut cursor, id, self.base)?,
                    _ => content(&mut cursor)?,
                };
                RawPayload::Content { id, content }
            }
            (_, letters) => {
                let mut values = Vec::new();
                self.operands(letters.unwrap_or_default(), &mut values)?;
                return Ok(RawPayload::Operands(values));
            }
        };
        match cursor.left() {
            0 => Ok(payload),
            rest => Err(RawError::Rest(rest)),
        }
    }

    /// Reads the payload as operands of the types `letters` and puts them in place of what `values` holds.
    ///
    /// # Errors
    /// The payload is malformed or does not fit the letters; then `values` holds what came before.
    pub fn operands(&self, letters: &str, values: &mut Vec<RawValue<'a>>) -> Result<(), RawError> {
        values.clear();
        let mut cursor = Cursor::new(self.payload);
        for letter in letters.bytes() {
            values.push(cursor.value(letter)?);
        }
        match cursor.left() {
            0 => Ok(()),
            rest => Err(RawError::Rest(rest)),
        }
    }

    /// The events in the event model that it stands for, oldest first: itself, or the parts of a run.
    ///
    /// # Errors
    /// The site is unknown, or the payload does not fit it.
    pub fn to_events(&self, sites: &impl SiteShapes) -> Result<Vec<Event>, RawError> {
        let event = self.to_event(sites)?;
        match &event.payload {
            Payload::Operands(values) if self.kind == EventKind::Run => {
                match parts_of(self.kind, self.site, sites) {
                    parts if parts.is_empty() => Ok(vec![event]),
                    parts => apart(values, &parts).ok_or(RawError::Short),
                }
            }
            _ => Ok(vec![event]),
        }
    }

    /// The kinds of the events that it stands for, if it is sound.
    ///
    /// # Errors
    /// Those of [`Self::to_events`].
    pub fn kinds(&self, sites: &impl SiteShapes) -> Result<Vec<EventKind>, RawError> {
        // What an array holds takes time, and is not asked for.
        if self.kind == EventKind::Content {
            return self.read(None).map(|_| vec![self.kind]);
        }
        let events = self.to_events(sites)?;
        Ok(events.iter().map(|event| event.kind).collect())
    }

    /// The event in the event model, a run as one.
    ///
    /// # Errors
    /// The site is unknown, or the payload does not fit it.
    pub fn to_event(&self, sites: &impl SiteShapes) -> Result<Event, RawError> {
        let letters = operand_letters(self.kind, self.site, sites)?;
        Ok(Event {
            kind: self.kind,
            site: self.site,
            payload: self.read(letters.as_deref())?.to_payload(),
        })
    }
}

/// The form of the content that is this payload.
fn form_of(payload: &[u8]) -> Option<u64> {
    payload.get(WORD).map(|form| u64::from(*form))
}

/// The content of the array `id`, which differs a little from that of `base`.
fn patched<'a>(
    cursor: &mut Cursor<'a>,
    id: u64,
    base: Option<Base<'a>>,
) -> Result<RawContent<'a>, RawError> {
    let word = cursor.word()?;
    // Where the base is has been looked at by the walker.
    let (_, range) = (cursor.word()?, cursor.word()?);
    let (at, size) = (range as u32 as usize, range >> 32);
    let patch = cursor.padded(size)?;
    let base = base.ok_or(RawError::Base)?;
    let mut whole = Cursor::new(base.payload);
    let form = word - FORM_PATCHED + FORM_PRIMITIVES;
    if whole.word() != Ok(id) || whole.clone().word() != Ok(form) {
        return Err(RawError::Base);
    }
    let RawContent::Primitives { letter, bytes } = content(&mut whole)? else {
        return Err(RawError::Base);
    };
    let range = at..at.saturating_add(patch.len());
    if whole.left() != 0 || range.end > bytes.len() {
        return Err(RawError::Base);
    }
    Ok(RawContent::Patched {
        letter,
        base: base.at,
        bytes,
        range,
        patch,
    })
}

fn content<'a>(cursor: &mut Cursor<'a>) -> Result<RawContent<'a>, RawError> {
    let word = cursor.word()?;
    let (form, letter, count) = (word & 0xff, (word >> 8) as u8, word >> 16);
    match form {
        FORM_PRIMITIVES | FORM_ARRAY | FORM_ELEMENTS | FORM_ENTRIES | FORM_FIELDS
            if count > MAX_COUNT =>
        {
            Err(RawError::Form(word))
        }
        FORM_PRIMITIVES => {
            let width = packed_width(letter).ok_or(RawError::Letter(letter))?;
            // The count has 48 bits and the width 4: the product cannot overflow.
            let bytes = cursor.padded(count * width as u64)?;
            Ok(RawContent::Primitives { letter, bytes })
        }
        FORM_ARRAY | FORM_ELEMENTS | FORM_ENTRIES => {
            if form == FORM_ENTRIES && count % 2 != 0 {
                return Err(RawError::Form(word));
            }
            // Every reference takes a word, so this bounds what is allocated by what is there.
            if count > (cursor.left() / WORD) as u64 {
                return Err(RawError::Short);
            }
            let values = (0..count).map(|_| cursor.reference());
            let values = values.collect::<Result<_, _>>()?;
            Ok(RawContent::References { form, values })
        }
        FORM_TEXT if count == 1 => match cursor.reference()? {
            text @ RawValue::Str { .. } => Ok(RawContent::Text(text)),
            _ => Err(RawError::Form(word)),
        },
        FORM_TOO_LARGE => Ok(RawContent::TooLarge { len: count }),
        FORM_FIELDS => {
            // Every part takes a word.
            if count > (cursor.left() / (3 * WORD)) as u64 {
                return Err(RawError::Short);
            }
            let mut parts = Vec::new();
            for _ in 0..count {
                let (class, name) = (cursor.reference()?, cursor.reference()?);
                if !matches!((class, name), (RawValue::Class(_), RawValue::Str { .. })) {
                    return Err(RawError::Form(word));
                }
                parts.extend([class, name, cursor.tagged()?]);
            }
            Ok(RawContent::Fields(parts))
        }
        _ => Err(RawError::Form(word)),
    }
}

/// Walks the events of a buffer, header by header. After an error that leaves unknown where the next event begins
/// ([`RawError::Cut`]) it ends; an undefined kind is an error and the walk goes on behind it.
#[derive(Clone, Debug)]
pub struct Walker<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Payload of the event before, unless it repeats one itself.
    last: Option<&'a [u8]>,
    /// Headers of the contents that later ones may patch, and where they are.
    whole: Vec<(u64, Base<'a>)>,
}

impl<'a> Walker<'a> {
    /// Over `bytes`, which begin at an event: a buffer's `[HEADER_BYTES..cursor]`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            last: None,
            whole: Vec::new(),
        }
    }

    /// Offset of the next event.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Goes on behind the next event, which is known to be whole and of `1 + words` words; one that `repeats` has none.
    #[inline]
    pub fn pass(&mut self, words: usize, repeats: bool) {
        let payload = self.at + WORD..self.at + WORD * (1 + words);
        self.at = payload.end;
        self.last = match repeats {
            true => None,
            false => self.bytes.get(payload),
        };
    }

    /// Takes note of the content, of an event at `at` with this header, if it is one that later ones may patch; if it is one that patches, finds the other.
    fn base(&mut self, at: usize, head: u64, payload: &'a [u8]) -> Option<Base<'a>> {
        let symbol = head & SYMBOL;
        match form_of(payload)? {
            FORM_PRIMITIVES => self.whole.push((symbol, Base { at, payload })),
            FORM_PATCHED => {
                let back = payload.get(2 * WORD..)?.first_chunk()?;
                let back = usize::try_from(u64::from_le_bytes(*back)).ok()?;
                let sought = at.checked_sub(back)?;
                let found = (self.whole).binary_search_by_key(&sought, |(_, base)| base.at);
                let (of, base) = self.whole.get(found.ok()?)?;
                return (*of == symbol).then_some(*base);
            }
            _ => {}
        }
        None
    }

    /// Payload of the event before, unless it repeats one itself.
    pub fn payload_before(&self) -> Option<&'a [u8]> {
        self.last
    }
}

impl<'a> Iterator for Walker<'a> {
    type Item = Result<RawEvent<'a>, RawError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.bytes.get(self.at..).filter(|r| !r.is_empty())?;
        let mut cursor = Cursor::new(rest);
        let header = cursor.word().and_then(|head| {
            let words = match head >> 48 {
                LONG_EVENT => cursor.word()?,
                words => words,
            };
            Ok((head, words))
        });
        let Ok((head, words)) = header else {
            self.at = self.bytes.len();
            return Some(Err(RawError::Short));
        };
        let (begin, left) = (self.at, (cursor.left() / WORD) as u64);
        if words > left {
            self.at = self.bytes.len();
            return Some(Err(RawError::Cut { words, left }));
        }
        // No more than `left` words, so it fits.
        let start = rest.len() - cursor.left();
        let bytes = start + words as usize * WORD;
        self.at += bytes;
        let number = (head >> 32) as u8;
        let last = self.last.take();
        let kind = match EventKind::from_u8(number) {
            Some(kind) if head & UNDEFINED == 0 => kind,
            Some(_) => return Some(Err(RawError::Kind(u8::MAX))),
            None => return Some(Err(RawError::Kind(number))),
        };
        let payload = if head & REPEATS == 0 {
            self.last = Some(&rest[start..bytes]);
            &rest[start..bytes]
        } else {
            match last {
                Some(last) if words == 0 => last,
                _ => return Some(Err(RawError::Repeat)),
            }
        };
        Some(Ok(RawEvent {
            kind,
            site: SiteNo::new(head as u32),
            payload,
            bytes,
            base: match kind {
                EventKind::Content if head & REPEATS == 0 => self.base(begin, head, payload),
                _ => None,
            },
        }))
    }
}
