//! From raw events to a chunk.

use std::collections::BTreeMap;
use std::io;

use super::control::{write_block, write_grammar};
use super::group::{Group, Source};
use super::links::Cells;
use super::strings::Strings;
use super::{ChunkHeader, FLAG_STORED, KindStats, MAX_RATIO, MAX_RAW_BYTES, symbol, usual_body};
use crate::model::{EventKind, SiteNo, ThreadNo};
use crate::raw::{LONG_EVENT, RawError, RawEvent, SiteShapes, Walker, operand_letters};
use crate::rlese::WordMap;
use crate::varint;

/// Sites below this are looked up in an array.
const DENSE_SITES: usize = 1 << 20;
/// Where the symbol is in an event's header.
const SYMBOL: u64 = 0xffff_ffff_ffff;
const WORD: usize = 8;
/// Size of the largest event that [`Encoder::plain_event`] takes.
const MOST_PLAIN: usize = 65 * WORD;
/// No group.
const NONE: u32 = u32::MAX;

/// How much trouble is taken over a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// As little as will do: events come faster than they are encoded. `jinsi compact` makes up for it.
    Fast = 0,
    /// The smaller of grammar and block, and more work on the columns.
    Best = 1,
}

impl Effort {
    fn level(self) -> i32 {
        match self {
            Self::Fast => 1,
            Self::Best => 3,
        }
    }
}

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

/// Makes chunks. It keeps memory, and what it has learnt of sites, from one to the next: the sites of all chunks it makes are
/// those of one trace.
#[derive(Default)]
pub(crate) struct Encoder {
    groups: Vec<Group>,
    /// Place in `groups`, by site.
    by_site: Vec<u32>,
    /// The same for kinds without site, and for sites that are too high.
    by_symbol: WordMap<u32>,
    /// Groups that have events in this chunk.
    active: Vec<u32>,
    /// The events: places in `groups`.
    control: Vec<u32>,
    pending: Vec<(usize, u64)>,
    cells: Cells,
    strings: Strings,
    body: Vec<u8>,
    /// By effort.
    compressors: [Option<zstd::bulk::Compressor<'static>>; 2],
}

impl std::fmt::Debug for Encoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Encoder").finish_non_exhaustive()
    }
}

impl Encoder {
    /// Encodes `raw[from..]`, the raw events of buffer `ordinal`, as far as one chunk goes. Malformed events are left out and
    /// counted.
    ///
    /// # Errors
    /// Those of zstd.
    pub(crate) fn encode(
        &mut self,
        (thread, ordinal): (ThreadNo, u64),
        raw: &[u8],
        from: usize,
        sites: &impl SiteShapes,
        effort: Effort,
    ) -> io::Result<Encoded> {
        let mut header = ChunkHeader {
            thread,
            flags: 0,
            ordinal,
            from: from as u64,
            to: 0,
            events: 0,
            malformed: 0,
            kinds: BTreeMap::new(),
        };
        self.cells.begin();
        let to = from + self.events(raw.get(from..).unwrap_or_default(), sites, &mut header);
        header.to = to as u64;
        header.events = self.control.len() as u32;
        let payload = self.finish(&mut header, effort);
        self.clear();
        Ok(Encoded {
            payload: payload?,
            events: u64::from(header.events),
            to,
        })
    }

    /// Takes the events at the front of `raw`; how many bytes they are.
    fn events(&mut self, raw: &[u8], sites: &impl SiteShapes, header: &mut ChunkHeader) -> usize {
        let mut walker = Walker::new(raw);
        while walker.offset() < MAX_RAW_BYTES {
            let before = walker.offset();
            if before < MAX_RAW_BYTES - MOST_PLAIN
                && let Some(bytes) = self.plain_event(&raw[before..])
            {
                walker.pass(bytes);
                continue;
            }
            let Some(next) = walker.next() else { break };
            if walker.offset() > MAX_RAW_BYTES && before > 0 {
                return before;
            }
            let group = next.and_then(|event| self.event(&event, sites));
            match group {
                Ok(group) => self.control.push(group),
                Err(_) => header.malformed += 1,
            }
        }
        walker.offset()
    }

    /// Takes the event at the front of `raw` if its site is known and its operands are plain; how many bytes it has.
    #[inline]
    fn plain_event(&mut self, raw: &[u8]) -> Option<usize> {
        let (words, _) = raw.as_chunks::<WORD>();
        let head = u64::from_le_bytes(*words.first()?);
        let count = head >> 48;
        if count == LONG_EVENT {
            return None;
        }
        let payload = words.get(1..1 + count as usize)?;
        let at = *self.by_site.get(head as u32 as usize)?;
        let group = self.groups.get_mut(at as usize)?;
        if group.symbol != head & SYMBOL || !group.plain_operands(payload, &mut self.cells) {
            return None;
        }
        if group.stats.events == 0 {
            self.active.push(at);
        }
        let bytes = WORD * (1 + payload.len());
        group.stats.events += 1;
        group.stats.raw_bytes += bytes as u64;
        self.control.push(at);
        Some(bytes)
    }

    fn event(&mut self, event: &RawEvent<'_>, sites: &impl SiteShapes) -> Result<u32, RawError> {
        let at = self.group_of(event.kind, event.site, sites)?;
        let group = &mut self.groups[at as usize];
        // The whole payload is read first: a malformed event must not leave a part of itself in the columns.
        if group.letters().is_some() {
            let (pending, strings) = (&mut self.pending, &mut self.strings);
            group.operands(event.payload, pending, strings, &mut self.cells)?;
        } else {
            group.payload(&event.read(None)?, &mut self.strings);
        }
        if group.stats.events == 0 {
            self.active.push(at);
        }
        group.stats.events += 1;
        group.stats.raw_bytes += event.bytes as u64;
        Ok(at)
    }

    fn group_of(
        &mut self,
        kind: EventKind,
        site: SiteNo,
        sites: &impl SiteShapes,
    ) -> Result<u32, RawError> {
        let symbol = symbol(kind, site);
        if let Some(&at) = self.by_site.get(site as usize)
            && let Some(group) = self.groups.get(at as usize)
            && group.symbol == symbol
        {
            return Ok(at);
        }
        if let Some(&at) = self.by_symbol.get(&symbol) {
            return Ok(at);
        }
        let letters = operand_letters(kind, site, sites)?;
        let at = self.groups.len() as u32;
        let slots = letters.as_ref().map_or(0, |letters| 2 * letters.len());
        let first_cell = self.cells.add(at, slots);
        self.groups.push(Group::new(symbol, letters, first_cell));
        let has_site = !matches!(
            kind,
            EventKind::Define | EventKind::Content | EventKind::Uncaught | EventKind::Order
        );
        let index = site as usize;
        if has_site && index > 0 && index < DENSE_SITES {
            if self.by_site.len() <= index {
                self.by_site.resize(index + 1, NONE);
            }
            self.by_site[index] = at;
        } else {
            self.by_symbol.insert(symbol, at);
        }
        Ok(at)
    }

    fn finish(&mut self, header: &mut ChunkHeader, effort: Effort) -> io::Result<Vec<u8>> {
        let groups = &mut self.groups;
        self.active
            .sort_unstable_by_key(|&at| groups[at as usize].symbol);
        for (rank, &at) in self.active.iter().enumerate() {
            groups[at as usize].rank = rank as u32;
        }
        let mut compressor = match self.compressors[effort as usize].take() {
            Some(compressor) => compressor,
            None => zstd::bulk::Compressor::new(effort.level())?,
        };
        let control = self.control(&mut compressor, header, effort)?;
        self.write_body();
        let mut compressed = compressor.compress(&self.body)?;
        self.compressors[effort as usize] = Some(compressor);
        let size = self.body.len() as u64;
        if size > usual_body() && size > compressed.len() as u64 * MAX_RATIO {
            header.flags |= FLAG_STORED;
            compressed.clone_from(&self.body);
        }
        header.kinds = self.share(control.len() as u64, compressed.len() as u64);
        let mut payload = Vec::with_capacity(control.len() + compressed.len() + 256);
        header.write(&mut payload);
        varint::write(&mut payload, control.len() as u64);
        payload.extend(control);
        varint::write(&mut payload, self.body.len() as u64);
        payload.extend(compressed);
        Ok(payload)
    }

    /// The control stream, and in the header which form it has.
    fn control(
        &self,
        compressor: &mut zstd::bulk::Compressor<'_>,
        header: &mut ChunkHeader,
        effort: Effort,
    ) -> io::Result<Vec<u8>> {
        let groups = &self.groups;
        let mut block = Vec::new();
        write_block(
            self.active.iter().map(|&at| groups[at as usize].symbol),
            self.control.iter().map(|&at| groups[at as usize].rank),
            compressor,
            &mut block,
        )?;
        if effort == Effort::Best {
            let mut grammar = Vec::new();
            let symbols = self.control.iter();
            write_grammar(symbols.map(|&at| groups[at as usize].symbol), &mut grammar);
            if grammar.len() <= block.len() {
                return Ok(grammar);
            }
        }
        header.flags |= super::FLAG_BLOCK;
        Ok(block)
    }

    fn active(&self) -> impl Iterator<Item = &Group> {
        self.active.iter().map(|&at| &self.groups[at as usize])
    }

    fn write_body(&mut self) {
        let mut body = std::mem::take(&mut self.body);
        body.clear();
        for group in self.active() {
            group.write_directory(|cell| self.source(cell), &mut body);
        }
        self.strings.write_directory(&mut body);
        for (_, column) in self.active().flat_map(Group::columns) {
            body.extend(&column.bytes);
        }
        body.extend(self.strings.bytes());
        self.body = body;
    }

    /// Shares the size of control stream and body out among the kinds.
    fn share(&self, control: u64, body: u64) -> BTreeMap<EventKind, KindStats> {
        let events: u64 = self.active().map(|g| g.stats.events).sum();
        let weights: u64 = self.active().map(Group::weight).sum();
        let mut kinds = BTreeMap::<_, KindStats>::new();
        for group in self.active() {
            let by_events = |size: u64| size * group.stats.events / events.max(1);
            let of_body = match weights {
                0 => by_events(body),
                _ => body * group.weight() / weights,
            };
            let encoded_bytes = by_events(control) + of_body;
            if let Some(kind) = EventKind::from_u8((group.symbol >> 32) as u8) {
                kinds.entry(kind).or_default().add(&KindStats {
                    encoded_bytes,
                    ..group.stats
                });
            }
        }
        kinds
    }

    /// What the column `cell` of a group in this chunk is compared with.
    fn source(&self, cell: u32) -> Source {
        if self.cells.is_plain(cell) {
            return Source::Zero;
        }
        let Some(source) = self.cells.source(cell) else {
            return Source::Own;
        };
        let group = &self.groups[self.cells.group(source) as usize];
        match group.slot(source) {
            Some(slot) => Source::Column {
                rank: group.rank,
                slot,
            },
            None => Source::Absent,
        }
    }

    fn clear(&mut self) {
        let groups = &self.groups;
        let used = self.active.iter().map(|&at| groups[at as usize].cells());
        self.cells.end(used);
        for at in self.active.drain(..) {
            self.groups[at as usize].clear();
        }
        self.control.clear();
        self.strings.clear();
    }
}
