//! A recording as sequences: the events of each thread, and every operand of every site.
//!
//! This is what the thesis compresses, as far as a recording of interactions has it (Wang 2007, Section 3.1.1): control flow, the
//! objects that are made, the objects of field accesses, and array and index of element accesses. It records no values; they are
//! counted apart here. Where it has the predecessors of join points, a recording has the order of all events of a thread.

use std::collections::{BTreeMap, HashMap};

use anyhow::Result;
use jinsi_trace::model::{Event, EventKind, Payload, Prim, SiteNo, ThreadNo, Value};
use jinsi_trace::reader::Trace;
use serde::Serialize;

/// What a sequence tells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Share {
    /// Which events, in order: kind and site.
    Control,
    /// Memory references: identities of new objects and of the objects of field and element accesses, and indexes. As
    /// differences, the first to 0.
    Address,
    /// All other operands, as differences. No counterpart in the thesis.
    Value,
}

/// A sequence.
pub(crate) struct Column {
    pub(crate) share: Share,
    /// What the encoders get: small unsigned numbers where things are alike.
    pub(crate) symbols: Vec<u64>,
    /// Size if every element took its natural width: 4 bytes, as the thesis' JVM has for addresses and references; 8 for
    /// values that are `long` or `double`.
    pub(crate) plain_bytes: u64,
}

/// A recording, taken apart.
pub(crate) struct Recorded {
    pub(super) events: u64,
    /// Size of the events in the trace file, and in the buffers of the threads.
    pub(super) file_bytes: u64,
    pub(super) buffer_bytes: u64,
    pub(crate) columns: Vec<Column>,
}

impl Recorded {
    /// Number of elements of all sequences.
    pub(super) fn symbols(&self) -> u64 {
        self.columns.iter().map(|c| c.symbols.len() as u64).sum()
    }
}

/// Takes a recording apart. What `Content` events hold is left out, their place in the order of events is not.
pub(crate) fn take_apart(trace: &Trace) -> Result<Recorded> {
    let mut control: BTreeMap<ThreadNo, Filling> = BTreeMap::new();
    let mut operands: BTreeMap<(EventKind, Option<SiteNo>, usize), Filling> = BTreeMap::new();
    let mut strings = Strings::default();
    let mut events = 0;
    for thread in trace.threads() {
        for event in trace.events(thread.no) {
            let event = event?;
            events += 1;
            let symbol = (event.kind as u64) << 32 | u64::from(SiteNo::written(event.site));
            control.entry(thread.no).or_default().plain(symbol);
            for (place, word, width) in words(&event, &mut strings) {
                let column = operands.entry((event.kind, event.site, place));
                column.or_default().difference(word, width);
            }
        }
    }
    let stats = trace.kind_stats();
    let control = control.into_values().map(|c| c.finish(Share::Control));
    let operands = operands
        .into_iter()
        .map(|((kind, _, place), column)| column.finish(share(kind, place)));
    Ok(Recorded {
        events,
        file_bytes: stats.values().map(|s| s.encoded_bytes).sum(),
        buffer_bytes: stats.values().map(|s| s.raw_bytes).sum(),
        columns: control.chain(operands).collect(),
    })
}

/// What the operand at a place of an event tells.
fn share(kind: EventKind, place: usize) -> Share {
    match (kind, place) {
        (EventKind::Define | EventKind::GetField | EventKind::PutField, 0) => Share::Address,
        (EventKind::ArrayLoad | EventKind::ArrayStore, 0 | 1) => Share::Address,
        (EventKind::Path, _) => Share::Control,
        _ => Share::Value,
    }
}

/// A sequence being filled.
#[derive(Default)]
struct Filling {
    symbols: Vec<u64>,
    bytes: u64,
    last: u64,
}

impl Filling {
    fn plain(&mut self, symbol: u64) {
        self.symbols.push(symbol);
        self.bytes += 4;
    }

    fn difference(&mut self, word: u64, width: u64) {
        let difference = word.wrapping_sub(self.last) as i64;
        self.symbols
            .push((difference << 1 ^ difference >> 63) as u64);
        self.last = word;
        self.bytes += width;
    }

    fn finish(self, share: Share) -> Column {
        Column {
            share,
            symbols: self.symbols,
            plain_bytes: self.bytes,
        }
    }
}

/// Numbers for texts.
#[derive(Default)]
struct Strings(HashMap<Box<[u16]>, u64>);

impl Strings {
    fn number(&mut self, units: &[u16]) -> u64 {
        let next = self.0.len() as u64;
        *self.0.entry(units.into()).or_insert(next)
    }
}

/// The operands of an event: place, as a word, natural width in bytes.
fn words(event: &Event, strings: &mut Strings) -> Vec<(usize, u64, u64)> {
    match &event.payload {
        Payload::Operands(values) => values
            .iter()
            .enumerate()
            .map(|(place, value)| {
                let (word, width) = word(value, strings);
                (place, word, width)
            })
            .collect(),
        Payload::Define { id, class, length } => vec![
            (0, *id, 4),
            (1, u64::from(class.get()), 4),
            (2, length.map_or(0, |length| u64::from(length) + 1), 4),
        ],
        Payload::Content { .. } => Vec::new(),
    }
}

fn word(value: &Value, strings: &mut Strings) -> (u64, u64) {
    match value {
        Value::Null => (0, 4),
        Value::Object(id) => (*id << 2 | 1, 4),
        Value::Class(no) => (u64::from(no.get()) << 2 | 2, 4),
        Value::Str(text) => (strings.number(&text.0) << 2 | 3, 4),
        Value::Prim(prim) | Value::Boxed(prim) => match prim {
            Prim::Long(_) | Prim::Double(_) => (prim.to_word(), 8),
            _ => (prim.to_word(), 4),
        },
    }
}
