//! From raw events to a chunk.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::Arc;

use super::column::{Column, Form};
use super::{
    ChunkHeader, KindStats, MAX_RAW_BYTES, SLOT_ID, SLOT_PACKED, SLOT_SECOND, SLOT_THIRD, symbol,
};
use crate::model::ThreadNo;
use crate::raw::{
    FORM_FIELDS, FORM_PRIMITIVES, FORM_TEXT, FORM_TOO_LARGE, RawContent, RawError, RawEvent,
    RawPayload, RawValue, SiteShapes, TAG_BOX, TAG_CLASS, TAG_OBJECT, TAG_PRIM, TAG_STRING, Walker,
    operand_letters, packed_width,
};
use crate::rlese::{self, WordMap};
use crate::varint;

const ZSTD_LEVEL: i32 = 3;

/// A finished chunk.
#[derive(Debug)]
pub(crate) struct Encoded {
    /// Payload of the event segment.
    pub(crate) payload: Vec<u8>,
    /// Events in it.
    pub(crate) events: u64,
    /// Where in the raw bytes the next chunk begins.
    pub(crate) to: usize,
}

/// Events of one symbol.
#[derive(Debug, Default)]
struct Group {
    letters: Option<Arc<str>>,
    /// By slot.
    columns: Vec<Option<Column>>,
    stats: KindStats,
    /// Size of strings that came first here.
    string_bytes: u64,
}

/// Encodes `raw[from..]`, the raw events of buffer `ordinal`, as far as one chunk goes. Malformed events are left out and
/// counted.
///
/// # Errors
/// Those of zstd.
pub(crate) fn encode(
    thread: ThreadNo,
    ordinal: u64,
    raw: &[u8],
    from: usize,
    sites: &impl SiteShapes,
) -> io::Result<Encoded> {
    let mut encoder = Encoder::default();
    let to = encoder.events(raw.get(from..).unwrap_or_default(), sites) + from;
    let mut header = ChunkHeader {
        thread,
        ordinal,
        from: from as u64,
        to: to as u64,
        events: encoder.events,
        malformed: encoder.malformed,
        kinds: BTreeMap::new(),
    };
    let payload = encoder.finish(&mut header)?;
    Ok(Encoded {
        payload,
        events: u64::from(header.events),
        to,
    })
}

/// A chunk being filled.
#[derive(Default)]
struct Encoder<'r> {
    groups: WordMap<Group>,
    /// Operands of the event at hand.
    values: Vec<RawValue<'r>>,
    strings: Strings,
    control: rlese::Builder,
    events: u32,
    malformed: u32,
}

impl<'r> Encoder<'r> {
    /// Takes the events at the front of `raw`; how many bytes they are.
    fn events(&mut self, raw: &'r [u8], sites: &impl SiteShapes) -> usize {
        let mut walker = Walker::new(raw);
        while walker.offset() < MAX_RAW_BYTES {
            let before = walker.offset();
            let mut ahead = walker.clone();
            let Some(next) = ahead.next() else { break };
            if ahead.offset() > MAX_RAW_BYTES && before > 0 {
                break;
            }
            walker = ahead;
            match next.and_then(|event| self.event(&event, sites)) {
                Ok(()) => self.events += 1,
                Err(_) => self.malformed += 1,
            }
        }
        walker.offset()
    }

    fn event(&mut self, event: &RawEvent<'r>, sites: &impl SiteShapes) -> Result<(), RawError> {
        let symbol = symbol(event.kind, event.site);
        let group = match self.groups.entry(symbol) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => new.insert(Group {
                letters: operand_letters(event.kind, event.site, sites)?,
                ..Group::default()
            }),
        };
        // The whole payload is read first: a malformed event must not leave a part of itself in the columns.
        let payload = match group.letters.as_deref() {
            Some(letters) => {
                event.operands(letters, &mut self.values)?;
                None
            }
            None => Some(event.read(None)?),
        };
        let mut sink = Sink {
            group,
            strings: &mut self.strings,
        };
        match payload {
            None => sink.operands(&self.values),
            Some(payload) => sink.payload(&payload),
        }
        let group = sink.group;
        group.stats.events += 1;
        group.stats.raw_bytes += event.bytes as u64;
        self.control.push(symbol);
        Ok(())
    }

    fn finish(mut self, header: &mut ChunkHeader) -> io::Result<Vec<u8>> {
        let grammar = self.control.finish();
        let mut control = Vec::new();
        grammar.write_to(&mut control);
        // A group whose first event was malformed has no event and is not in the alphabet.
        let groups: Vec<(u64, Group)> = grammar
            .alphabet()
            .iter()
            .filter_map(|symbol| self.groups.remove_entry(symbol))
            .collect();
        let body = body(&groups, &self.strings);
        let compressed = zstd::bulk::compress(&body, ZSTD_LEVEL)?;
        header.kinds = share(&groups, control.len() as u64, compressed.len() as u64);
        let mut payload = Vec::with_capacity(control.len() + compressed.len() + 256);
        header.write(&mut payload);
        varint::write(&mut payload, control.len() as u64);
        payload.extend(control);
        varint::write(&mut payload, body.len() as u64);
        payload.extend(compressed);
        Ok(payload)
    }
}

fn body(groups: &[(u64, Group)], strings: &Strings) -> Vec<u8> {
    let mut body = Vec::new();
    let columns = |group: &'_ Group| -> Vec<usize> {
        (0..group.columns.len())
            .filter(|&slot| group.columns[slot].is_some())
            .collect()
    };
    for (_, group) in groups {
        let slots = columns(group);
        varint::write(&mut body, slots.len() as u64);
        for slot in slots {
            if let Some(column) = &group.columns[slot] {
                varint::write(&mut body, slot as u64);
                varint::write(&mut body, column.form as u64);
                varint::write(&mut body, column.bytes.len() as u64);
                if column.form == Form::Words {
                    varint::write(&mut body, column.last);
                }
            }
        }
    }
    varint::write(&mut body, strings.lengths.len() as u64);
    for &(len, utf16) in &strings.lengths {
        varint::write(&mut body, len << 1 | u64::from(utf16));
    }
    for column in groups.iter().flat_map(|(_, g)| g.columns.iter().flatten()) {
        body.extend(&column.bytes);
    }
    body.extend(&strings.bytes);
    body
}

/// Shares the size of control stream and body out among the kinds.
fn share(
    groups: &[(u64, Group)],
    control: u64,
    body: u64,
) -> BTreeMap<crate::model::EventKind, KindStats> {
    let weight = |g: &Group| {
        let columns: usize = g.columns.iter().flatten().map(|c| c.bytes.len()).sum();
        columns as u64 + g.string_bytes
    };
    let events: u64 = groups.iter().map(|(_, g)| g.stats.events).sum();
    let weights: u64 = groups.iter().map(|(_, g)| weight(g)).sum();
    let mut kinds = BTreeMap::<_, KindStats>::new();
    for (symbol, group) in groups {
        let by_events = |size: u64| size * group.stats.events / events.max(1);
        let of_body = match weights {
            0 => by_events(body),
            _ => body * weight(group) / weights,
        };
        let encoded_bytes = by_events(control) + of_body;
        if let Some(kind) = crate::model::EventKind::from_u8((symbol >> 32) as u8) {
            kinds.entry(kind).or_default().add(&KindStats {
                encoded_bytes,
                ..group.stats
            });
        }
    }
    kinds
}

/// Where the values of one event go.
struct Sink<'e> {
    group: &'e mut Group,
    strings: &'e mut Strings,
}

impl Sink<'_> {
    fn column(&mut self, slot: usize, form: Form) -> &mut Column {
        let columns = &mut self.group.columns;
        if columns.len() <= slot {
            columns.resize_with(slot + 1, || None);
        }
        columns[slot].get_or_insert_with(|| Column::new(form))
    }

    fn word(&mut self, slot: usize, word: u64) {
        self.column(slot, Form::Words).word(word);
    }

    fn operands(&mut self, values: &[RawValue<'_>]) {
        for (position, value) in values.iter().enumerate() {
            self.value(2 * position, *value);
        }
    }

    fn payload(&mut self, payload: &RawPayload<'_>) {
        match payload {
            RawPayload::Operands(values) => self.operands(values),
            RawPayload::Define {
                id,
                class,
                length_plus_1,
            } => {
                self.word(SLOT_ID, *id);
                self.word(SLOT_SECOND, u64::from(*class));
                self.word(SLOT_THIRD, u64::from(*length_plus_1));
            }
            RawPayload::Content { id, content } => {
                self.word(SLOT_ID, *id);
                self.content(content);
            }
        }
    }

    fn value(&mut self, slot: usize, value: RawValue<'_>) {
        let word = match value {
            RawValue::Prim(prim) => prim.to_word(),
            RawValue::Null => 0,
            RawValue::Object(id) => id << 3 | TAG_OBJECT,
            RawValue::Class(no) => u64::from(no) << 3 | TAG_CLASS,
            RawValue::Boxed(prim) => {
                self.word(slot + 1, prim.to_word());
                u64::from(u32::from(prim.letter())) << 3 | TAG_BOX
            }
            RawValue::Str { utf16, bytes } => {
                let (place, new) = self.strings.place(utf16, bytes);
                if new {
                    self.group.string_bytes += bytes.len() as u64;
                }
                place << 3 | TAG_STRING
            }
        };
        self.word(slot, word);
    }

    /// A value whose type no site says.
    fn tagged(&mut self, slot: usize, value: RawValue<'_>) {
        match value {
            RawValue::Prim(prim) => {
                self.word(slot + 1, prim.to_word());
                self.word(slot, u64::from(u32::from(prim.letter())) << 3 | TAG_PRIM);
            }
            reference => self.value(slot, reference),
        }
    }

    fn content(&mut self, content: &RawContent<'_>) {
        let form = |form: u64, letter: u8, count: u64| form | u64::from(letter) << 8 | count << 16;
        match content {
            RawContent::Primitives { letter, bytes } => {
                let width = packed_width(*letter).unwrap_or(1);
                let count = (bytes.len() / width) as u64;
                self.word(SLOT_SECOND, form(FORM_PRIMITIVES, *letter, count));
                self.column(SLOT_PACKED, Form::Bytes).bytes.extend(*bytes);
            }
            RawContent::References {
                form: which,
                values,
            } => {
                self.word(SLOT_SECOND, form(*which, 0, values.len() as u64));
                values.iter().for_each(|v| self.value(SLOT_THIRD, *v));
            }
            RawContent::Text(text) => {
                self.word(SLOT_SECOND, form(FORM_TEXT, 0, 1));
                self.value(SLOT_THIRD, *text);
            }
            RawContent::TooLarge { len } => {
                self.word(SLOT_SECOND, form(FORM_TOO_LARGE, 0, *len));
            }
            RawContent::Fields(parts) => {
                self.word(SLOT_SECOND, form(FORM_FIELDS, 0, parts.len() as u64 / 3));
                parts.iter().for_each(|part| self.tagged(SLOT_THIRD, *part));
            }
        }
    }
}

/// The strings of a chunk, each once.
#[derive(Debug, Default)]
struct Strings {
    /// By encoding, then by bytes.
    places: [HashMap<Box<[u8]>, u64>; 2],
    lengths: Vec<(u64, bool)>,
    bytes: Vec<u8>,
}

impl Strings {
    /// Place of a string in the table, and whether it is new.
    fn place(&mut self, utf16: bool, bytes: &[u8]) -> (u64, bool) {
        let places = &mut self.places[usize::from(utf16)];
        if let Some(&place) = places.get(bytes) {
            return (place, false);
        }
        let place = self.lengths.len() as u64;
        places.insert(bytes.into(), place);
        self.lengths.push((bytes.len() as u64, utf16));
        self.bytes.extend(bytes);
        (place, true)
    }
}
