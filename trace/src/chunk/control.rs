//! The control stream of a chunk: which event comes after which.
//!
//! Either an RLESe grammar, or, where that is larger or there is no time for it, a block:
//!
//! ```text
//! size of the alphabet, then the symbols in rising order, each as difference to the one before
//! bytes a symbol: 1, 2 or 4
//! the places of the symbols in the alphabet, little-endian, as one zstd frame
//! ```

use std::io;

use jinsi_rlese::Grammar;

use super::error::ChunkError;
use crate::packing::{self, Dictionary};
use crate::varint::{self, Reader};

/// A control stream taken apart, but not unpacked.
#[derive(Debug)]
pub(super) enum Control {
    Grammar(Grammar),
    Block {
        alphabet: Vec<u64>,
        width: usize,
        places: Vec<u8>,
    },
}

impl Control {
    /// Reads all of `bytes`, a stream of `len` symbols.
    pub(super) fn read(bytes: &[u8], is_block: bool, len: u64) -> Result<Self, ChunkError> {
        if is_block {
            return read_block(bytes, len).ok_or(ChunkError::Block);
        }
        let (grammar, used) = Grammar::read_from(bytes, len)?;
        if used != bytes.len() || grammar.len() != len {
            return Err(ChunkError::Header);
        }
        Ok(Self::Grammar(grammar))
    }

    /// The different symbols, in rising order.
    pub(super) fn alphabet(&self) -> &[u64] {
        match self {
            Self::Grammar(grammar) => grammar.alphabet(),
            Self::Block { alphabet, .. } => alphabet,
        }
    }

    /// The places in the alphabet of the symbols, oldest event first.
    pub(super) fn places(&self) -> Vec<u32> {
        match self {
            Self::Grammar(grammar) => grammar.places(),
            Self::Block { width, places, .. } => match width {
                1 => places.iter().map(|&place| u32::from(place)).collect(),
                _ => places
                    .chunks_exact(*width)
                    .map(|p| place(p) as u32)
                    .collect(),
            },
        }
    }
}

fn read_block(bytes: &[u8], len: u64) -> Option<Control> {
    let mut reader = Reader::new(bytes);
    let mut alphabet = Vec::new();
    let mut symbol = 0u64;
    let size = reader.count().filter(|&size| size as u64 <= len)?;
    for place in 0..size {
        let difference = reader.number()?;
        if place > 0 && difference == 0 {
            return None;
        }
        symbol = symbol.checked_add(difference)?;
        alphabet.push(symbol);
    }
    let width = usize::try_from(reader.number()?).ok()?;
    if ![1, 2, 4].contains(&width) {
        return None;
    }
    let places = decompress(reader.rest(), len.checked_mul(width as u64)?)?;
    let sound = places
        .chunks_exact(width)
        .all(|p| place(p) < alphabet.len());
    sound.then_some(Control::Block {
        alphabet,
        width,
        places,
    })
}

/// The place that little-endian bytes say.
fn place(bytes: &[u8]) -> usize {
    let word = bytes.iter().rev();
    word.fold(0, |word, &byte| word << 8 | usize::from(byte))
}

/// Appends a block: `alphabet` rises, `places` are places in it. `memory` is scratch.
pub(super) fn write_block(
    alphabet: impl ExactSizeIterator<Item = u64>,
    places: impl Iterator<Item = u32>,
    compressor: &mut zstd::bulk::Compressor<'_>,
    [bytes, frame]: &mut [Vec<u8>; 2],
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let size = alphabet.len();
    varint::write(out, size as u64);
    let mut before = 0;
    for symbol in alphabet {
        varint::write(out, symbol - before);
        before = symbol;
    }
    let width = match size {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 4,
    };
    varint::write(out, width as u64);
    bytes.clear();
    match width {
        1 => bytes.extend(places.map(|place| place as u8)),
        2 => bytes.extend(places.flat_map(|place| (place as u16).to_le_bytes())),
        _ => bytes.extend(places.flat_map(u32::to_le_bytes)),
    }
    compress(bytes, compressor, frame)?;
    out.extend_from_slice(frame);
    Ok(())
}

/// Makes `frame` hold `bytes`. New memory for each frame would have to be mapped by the system each time, which takes longer than filling it.
pub(super) fn compress(
    bytes: &[u8],
    compressor: &mut zstd::bulk::Compressor<'_>,
    frame: &mut Vec<u8>,
) -> io::Result<()> {
    frame.clear();
    frame.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
    compressor.compress_to_buffer(bytes, frame)?;
    Ok(())
}

/// Appends a grammar.
pub(super) fn write_grammar(symbols: impl Iterator<Item = u64>, out: &mut Vec<u8>) {
    let mut builder = jinsi_rlese::Builder::new();
    symbols.for_each(|symbol| builder.push(symbol));
    builder.finish().write_to(out);
}

/// Decompresses what should be `size` bytes; the caller has made sure that it is not too many.
pub(super) fn decompress(frame: &[u8], size: u64) -> Option<Vec<u8>> {
    let body = packing::decompress(frame, usize::try_from(size).ok()?, Dictionary::None).ok()?;
    (body.len() as u64 == size).then_some(body)
}
