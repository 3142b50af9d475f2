//! From raw events to a chunk.

mod payload;

use std::collections::BTreeMap;
use std::io;

use super::column::Column;
use super::group::Group;
use super::links::Cells;
use super::strings::Strings;
use super::{ChunkHeader, MAX_RAW_BYTES, symbol};
use crate::model::{EventKind, SiteNo, ThreadNo};
use crate::raw::{LONG_EVENT, REPEATS, RawError, RawEvent, Shape, SiteShapes, Walker, shape_of};
use jinsi_rlese::WordMap;

/// Sites below this are looked up in an array.
const DENSE_SITES: usize = 1 << 20;
/// Where the symbol is in an event's header.
const SYMBOL: u64 = 0xffff_ffff_ffff;
const WORD: usize = 8;
/// A chunk is full here, save for an event that repeats the last one's payload.
const LIMIT: usize = MAX_RAW_BYTES - WORD;
/// Operands wait if that is ended no more often than so, or on an average for more than so many events.
const FEW: usize = 16;
const WORTH_WAITING: usize = 100;
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
pub(crate) struct Encoder {
    groups: Vec<Group>,
    /// Place in `groups`, by site.
    by_site: Vec<u32>,
    /// The same for kinds without site, and for sites that are too high.
    by_symbol: WordMap<u32>,
    /// Place in `groups` of the events of a site that repeat the payload of another's.
    repeating: Vec<u32>,
    /// Group of the event before, if another may repeat its payload.
    repeatable: u32,
    /// Groups whose operands wait, or did.
    waiting: Vec<u32>,
    /// Scratch.
    columns: Vec<Vec<Column>>,
    /// How often operands that waited were put into their columns before the chunk's end.
    settled: usize,
    /// Groups that have events in this chunk.
    active: Vec<u32>,
    /// The events: places in `groups`.
    control: Vec<u32>,
    pending: Vec<(usize, u64)>,
    cells: Cells,
    strings: Strings,
    /// By group: its place in the chunk's alphabet.
    ranks: Vec<u32>,
    /// The body, its two parts.
    body: [Vec<u8>; 2],
    /// Scratch: what is to be compressed, and what that gave.
    frames: [Vec<u8>; 2],
    /// The two parts compressed, and memory for the next payload.
    compressed: Vec<u8>,
    payload: Vec<u8>,
    /// By effort.
    compressors: [Option<zstd::bulk::Compressor<'static>>; 2],
}

impl Default for Encoder {
    fn default() -> Self {
        Self {
            groups: Vec::new(),
            by_site: Vec::new(),
            by_symbol: WordMap::default(),
            repeating: Vec::new(),
            repeatable: NONE,
            waiting: Vec::new(),
            columns: Vec::new(),
            settled: 0,
            active: Vec::new(),
            control: Vec::new(),
            pending: Vec::new(),
            cells: Cells::default(),
            strings: Strings::default(),
            ranks: Vec::new(),
            body: Default::default(),
            frames: Default::default(),
            compressed: Vec::new(),
            payload: Vec::new(),
            compressors: Default::default(),
        }
    }
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
        let raw = raw.get(from..).unwrap_or_default();
        let to = from + self.events(raw, sites, &mut header);
        self.settle(raw.as_chunks().0);
        header.to = to as u64;
        header.events = self.control.len() as u32;
        let payload = self.finish(&mut header, effort);
        self.clear();
        Ok(Encoded {
            payload: payload?,
            events: header.kinds.values().map(|stats| stats.events).sum(),
            to,
        })
    }

    /// Takes the events at the front of `raw`; how many bytes they are.
    fn events(&mut self, raw: &[u8], sites: &impl SiteShapes, header: &mut ChunkHeader) -> usize {
        let mut walker = Walker::new(raw);
        let (words, _) = raw.as_chunks::<WORD>();
        self.repeatable = NONE;
        loop {
            let before = walker.offset();
            let head = words
                .get(before / WORD)
                .map_or(0, |head| u64::from_le_bytes(*head));
            // The next chunk cannot begin with an event that repeats a payload of this one.
            if before >= LIMIT && head & REPEATS == 0 {
                return before;
            }
            if self.plain_event(head, words, &mut walker) {
                continue;
            }
            let last = walker.payload_before();
            let Some(next) = walker.next() else {
                return walker.offset();
            };
            if walker.offset() > LIMIT && before > 0 && head & REPEATS == 0 {
                return before;
            }
            let last = last.filter(|_| !is_wanted(raw.get(walker.offset()..)));
            // By reference: to move an event just written costs a stall each time.
            let taken = match &next {
                Ok(event) => self
                    .event(event, (words, before, last), head & REPEATS != 0, sites)
                    .ok(),
                Err(_) => None,
            };
            if let Some(group) = taken {
                self.control.push(group);
            } else {
                header.malformed += 1;
                self.repeatable = NONE;
            }
        }
    }

    /// Takes the event with the header `head` at the walker's place in `words` if its site is known and its operands are plain, or those of the event
    /// before. Says whether it did.
    #[inline]
    fn plain_event(&mut self, head: u64, words: &[[u8; WORD]], walker: &mut Walker<'_>) -> bool {
        let count = (head >> 48) as usize;
        let site = head as u32 as usize;
        if head & REPEATS != 0 {
            let known = self.repeating.get(site).copied().unwrap_or(NONE);
            let repeats = count == 0 && self.repeats(known, head & SYMBOL);
            if repeats {
                self.take(known, 0, walker, true);
            }
            return repeats;
        }
        let begin = walker.offset() / WORD + 1;
        let Some(payload) = words.get(begin..begin + count) else {
            return false;
        };
        if count == LONG_EVENT as usize || walker.offset() + WORD * (1 + count) > LIMIT {
            return false;
        }
        let Some(&at) = self.by_site.get(site) else {
            return false;
        };
        let symbol = head & SYMBOL;
        let group = self.groups.get(at as usize);
        if group.is_none_or(|group| group.symbol != symbol) {
            return false;
        }
        if may_repeat(symbol) {
            let rest = words.get(begin + count..).map(<[[u8; WORD]]>::as_flattened);
            let last = walker.payload_before().filter(|_| !is_wanted(rest));
            if self.is_repeated(symbol, payload.as_flattened(), last) {
                let known = self.repeating_group(at, site);
                if self.repeats(known, symbol | REPEATS) {
                    self.take(known, count, walker, true);
                    return true;
                }
            }
        }
        let waits = match self.may_wait() {
            true => self.groups[at as usize].wait(payload, begin),
            false => None,
        };
        match waits {
            Some(true) => self.waiting.push(at),
            Some(false) => {}
            None if self.groups[at as usize].are_plain(payload) => {
                self.settle_before(at, words);
                self.groups[at as usize].plain_operands(payload, &mut self.cells);
            }
            None => return false,
        }
        self.take(at, count, walker, false);
        true
    }

    /// Puts all operands that wait into their columns.
    fn settle(&mut self, raw: &[[u8; WORD]]) {
        let mut columns = std::mem::take(&mut self.columns);
        for &at in &self.waiting {
            let mut taken = self.groups[at as usize].take_columns();
            self.groups[at as usize].settle_linked(&mut taken, &self.groups, &self.cells, raw);
            columns.push(taken);
        }
        for (at, columns) in self.waiting.drain(..).zip(columns.drain(..)) {
            let group = &mut self.groups[at as usize];
            group.settle(columns, &mut self.cells, raw);
            group.waiting.unknown();
        }
        self.columns = columns;
    }

    /// Puts operands that wait into their columns, so that the group `at` can take some that do not.
    fn settle_before(&mut self, at: u32, raw: &[[u8; WORD]]) {
        let group = &mut self.groups[at as usize];
        if self.cells.are_alone(group.cells()) {
            let columns = group.take_columns();
            group.settle(columns, &mut self.cells, raw);
        } else if !self.waiting.is_empty() {
            self.settle(raw);
            self.settled += 1;
        }
    }

    /// May operands wait in this chunk? Not if they are to be learnt from, nor if they would not wait for long.
    fn may_wait(&self) -> bool {
        !self.cells.learns()
            && (self.settled < FEW || self.control.len() / self.settled > WORTH_WAITING)
    }

    /// Counts the next event, which has so many words behind its header, as one of the group `at`.
    #[inline]
    fn take(&mut self, at: u32, words: usize, walker: &mut Walker<'_>, repeats: bool) {
        let group = &mut self.groups[at as usize];
        if group.stats.events == 0 {
            self.active.push(at);
        }
        group.stats.events += 1;
        group.stats.raw_bytes += (WORD * (1 + words)) as u64;
        self.control.push(at);
        self.repeatable = if repeats { NONE } else { at };
        walker.pass(words, repeats);
    }

    /// Does an event of this symbol have the payload of the event before because it comes from there?
    #[inline]
    fn is_repeated(&self, symbol: u64, payload: &[u8], last: Option<&[u8]>) -> bool {
        may_repeat(symbol)
            && !payload.is_empty()
            && self.repeatable != NONE
            && last == Some(payload)
    }

    /// Is `at` the group of this symbol, whose events repeat the payload of others, and has the event before one with operands
    /// of the same types?
    #[inline]
    fn repeats(&mut self, at: u32, symbol: u64) -> bool {
        let (Some(group), Some(before)) = (
            self.groups.get(at as usize),
            self.groups.get(self.repeatable as usize),
        ) else {
            return false;
        };
        if group.symbol != symbol {
            return false;
        }
        if group.repeated == self.repeatable {
            return true;
        }
        let alike = group.letters().is_some() && group.letters() == before.letters();
        if alike {
            self.groups[at as usize].repeated = self.repeatable;
        }
        alike
    }

    fn event(
        &mut self,
        event: &RawEvent<'_>,
        (raw, begin, last): (&[[u8; WORD]], usize, Option<&[u8]>),
        repeats: bool,
        sites: &impl SiteShapes,
    ) -> Result<u32, RawError> {
        let mut at = self.group_of(event.kind, event.site, sites)?;
        let symbol = self.groups[at as usize].symbol;
        if repeats || self.is_repeated(symbol, event.payload, last) {
            let group = self.repeating_group(at, SiteNo::written(event.site) as usize);
            if self.repeats(group, symbol | REPEATS) {
                at = group;
            }
        }
        let repeats = repeats || self.groups[at as usize].symbol & REPEATS != 0;
        self.settle_before(at, raw);
        self.repeatable = if repeats { NONE } else { at };
        let group = &mut self.groups[at as usize];
        // The whole payload is read first: a malformed event must not leave a part of itself in the columns.
        if group.symbol & REPEATS != 0 {
            // Its payload is another's.
        } else if group.letters().is_some() {
            let (pending, strings) = (&mut self.pending, &mut self.strings);
            group.operands(event.payload, pending, strings, &mut self.cells)?;
        } else {
            group.payload(&event.read(None)?, begin, &mut self.strings)?;
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
        site: Option<SiteNo>,
        sites: &impl SiteShapes,
    ) -> Result<u32, RawError> {
        let symbol = symbol(kind, site);
        let index = SiteNo::written(site) as usize;
        if let Some(&at) = self.by_site.get(index)
            && let Some(group) = self.groups.get(at as usize)
            && group.symbol == symbol
        {
            return Ok(at);
        }
        if let Some(&at) = self.by_symbol.get(&symbol) {
            return Ok(at);
        }
        let Shape { letters, parts } = shape_of(kind, site, sites)?;
        let at = self.groups.len() as u32;
        let slots = letters.as_ref().map_or(0, |letters| 2 * letters.len());
        let first_cell = self.cells.add(at, slots);
        let mut group = Group::new(symbol, letters, first_cell);
        group.parts = parts;
        self.groups.push(group);
        if kind.has_site() && index > 0 && index < DENSE_SITES {
            if self.by_site.len() <= index {
                self.by_site.resize(index + 1, NONE);
            }
            self.by_site[index] = at;
        } else {
            self.by_symbol.insert(symbol, at);
        }
        Ok(at)
    }

    /// The group of the events of the site with number `index` that repeat the payload of another's; `at` is the group of those that
    /// do not.
    fn repeating_group(&mut self, at: u32, index: usize) -> u32 {
        if let Some(&known) = self.repeating.get(index)
            && known != NONE
        {
            return known;
        }
        if index >= DENSE_SITES || index == 0 {
            return NONE;
        }
        let (group, new) = (&self.groups[at as usize], self.groups.len() as u32);
        let repeating = Group::new(group.symbol | REPEATS, group.letters().cloned(), 0);
        self.groups.push(repeating);
        if self.repeating.len() <= index {
            self.repeating.resize(index + 1, NONE);
        }
        self.repeating[index] = new;
        new
    }

    /// Takes back the memory of a payload that is written.
    pub(crate) fn reuse(&mut self, payload: Vec<u8>) {
        // After an event of any size, no more than usual chunks need.
        if payload.capacity() <= 2 * MAX_RAW_BYTES {
            self.payload = payload;
        }
    }

    fn clear(&mut self) {
        let groups = &self.groups;
        let used = self.active.iter().map(|&at| groups[at as usize].cells());
        self.cells.end(used);
        for at in self.active.drain(..) {
            self.groups[at as usize].clear();
        }
        self.settled = 0;
        self.control.clear();
        self.strings.clear();
        // After an event of any size, no more than usual chunks need.
        let [first, second] = &mut self.frames;
        for memory in [first, second, &mut self.compressed] {
            memory.clear();
            memory.shrink_to(2 * MAX_RAW_BYTES);
        }
    }
}

/// Are events of this symbol of a kind that may repeat the payload of the event before?
#[inline]
fn may_repeat(symbol: u64) -> bool {
    const ENTER: u64 = EventKind::Enter as u64;
    const CALL_EXIT: u64 = EventKind::CallExit as u64;
    matches!(symbol >> 32, ENTER | CALL_EXIT)
}

/// Does the event at the front of `rest` repeat the payload of the one before, which so must have one of its own?
fn is_wanted(rest: Option<&[u8]>) -> bool {
    let head = rest.and_then(|rest| rest.first_chunk());
    head.is_some_and(|head| u64::from_le_bytes(*head) & REPEATS != 0)
}
