//! The payload of a chunk, out of the columns that its events were sorted into.

use std::collections::BTreeMap;
use std::io;

use super::super::control::{compress, write_block, write_grammar};
use super::super::group::{Group, Source};
use super::super::{ChunkHeader, KindStats, MAX_RATIO, kind, usual_body};
use super::{Effort, Encoder};
use crate::model::EventKind;
use crate::varint;

impl Encoder {
    /// The payload of the chunk that is full, of which `header` is the front.
    pub(super) fn finish(
        &mut self,
        header: &mut ChunkHeader,
        effort: Effort,
    ) -> io::Result<Vec<u8>> {
        let groups = &mut self.groups;
        self.active
            .sort_unstable_by_key(|&at| groups[at as usize].symbol);
        self.ranks.resize(groups.len(), 0);
        for (rank, &at) in self.active.iter().enumerate() {
            groups[at as usize].rank = rank as u32;
            self.ranks[at as usize] = rank as u32;
        }
        let mut compressor = match self.compressors[effort as usize].take() {
            Some(compressor) => compressor,
            None => zstd::bulk::Compressor::new(effort.level())?,
        };
        let control = self.control(&mut compressor, header, effort)?;
        self.write_body();
        let mut body = std::mem::take(&mut self.compressed);
        body.clear();
        for part in &self.body {
            write_part(part, &mut compressor, &mut self.frames[1], &mut body)?;
        }
        self.compressors[effort as usize] = Some(compressor);
        header.kinds = self.share(control.len() as u64, body.len() as u64);
        let mut payload = std::mem::take(&mut self.payload);
        payload.clear();
        header.write(&mut payload);
        varint::write(&mut payload, control.len() as u64);
        payload.extend_from_slice(&control);
        payload.extend_from_slice(&body);
        self.compressed = body;
        Ok(payload)
    }

    /// The control stream, and in the header which form it has.
    fn control(
        &mut self,
        compressor: &mut zstd::bulk::Compressor<'_>,
        header: &mut ChunkHeader,
        effort: Effort,
    ) -> io::Result<Vec<u8>> {
        let groups = &self.groups;
        let mut block = Vec::new();
        write_block(
            self.active.iter().map(|&at| groups[at as usize].symbol),
            self.control.iter().map(|&at| self.ranks[at as usize]),
            compressor,
            &mut self.frames,
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
        header.flags |= super::super::FLAG_BLOCK;
        Ok(block)
    }

    fn active(&self) -> impl Iterator<Item = &Group> {
        self.active.iter().map(|&at| &self.groups[at as usize])
    }

    fn write_body(&mut self) {
        let [mut body, mut more] = std::mem::take(&mut self.body);
        body.clear();
        more.clear();
        for group in self.active() {
            group.write_directory(|cell| self.source(cell), &mut body);
        }
        self.strings.write_directory(&mut body);
        for (_, column) in self.active().flat_map(Group::columns) {
            body.extend(&column.bytes);
            more.extend(&column.more);
        }
        body.extend(self.strings.bytes());
        self.body = [body, more];
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
            let whole = KindStats {
                encoded_bytes,
                ..group.stats
            };
            match kind(group.symbol) {
                Some(EventKind::Run) if !group.parts.is_empty() => {
                    let parts = group.parts.iter().map(|part| part.kind);
                    for (kind, stats) in whole.shared(parts) {
                        kinds.entry(kind).or_default().add(&stats);
                    }
                }
                Some(kind) => kinds.entry(kind).or_default().add(&whole),
                None => {}
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
}

/// Appends a part of a body.
fn write_part(
    part: &[u8],
    compressor: &mut zstd::bulk::Compressor<'_>,
    frame: &mut Vec<u8>,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    compress(part, compressor, frame)?;
    let size = part.len() as u64;
    let is_stored = size > usual_body() && size > frame.len() as u64 * MAX_RATIO;
    let stored = if is_stored { part } else { &frame[..] };
    varint::write(out, size);
    varint::write(out, (stored.len() as u64) << 1 | u64::from(is_stored));
    out.extend_from_slice(stored);
    Ok(())
}
