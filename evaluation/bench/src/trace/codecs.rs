//! The ways to encode a sequence, and what each of them costs.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Result, ensure};
use jinsi_rlese::{Builder, Grammar};
use jinsi_trace::varint;
use serde::Serialize;

use super::columns::{Column, Share};
use jinsi_sequitur::Sequitur;

/// A way to encode sequences.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Codec {
    Rlese,
    Sequitur,
    /// zstd at level 3, over varints.
    Zstd3,
    /// zstd at level 19, over varints.
    Zstd19,
}

impl Codec {
    pub(super) const ALL: [Codec; 4] = [Codec::Rlese, Codec::Sequitur, Codec::Zstd3, Codec::Zstd19];

    /// Encodes one sequence, given also as varints.
    fn encode(self, symbols: &[u64], varints: &[u8]) -> Result<(u64, u64)> {
        Ok(match self {
            Codec::Rlese => {
                let mut builder = Builder::new();
                symbols.iter().for_each(|&symbol| builder.push(symbol));
                let checks = builder.digram_checks();
                let mut bytes = Vec::new();
                builder.finish().write_to(&mut bytes);
                (bytes.len() as u64, checks)
            }
            Codec::Sequitur => {
                let mut builder = Sequitur::new();
                symbols.iter().for_each(|&symbol| builder.push(symbol));
                (builder.size(), builder.checks())
            }
            Codec::Zstd3 => (zstd::bulk::compress(varints, 3)?.len() as u64, 0),
            Codec::Zstd19 => (zstd::bulk::compress(varints, 19)?.len() as u64, 0),
        })
    }
}

/// What sequences of one share came to with one codec.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Cost {
    /// Size of all, in bytes.
    pub(crate) bytes: u64,
    /// Digrams looked up; 0 where there are none.
    pub(crate) digram_checks: u64,
    /// Time for all of them, one value a round.
    pub(crate) seconds: Vec<f64>,
}

/// Costs by codec and share.
pub(crate) type Costs = BTreeMap<Codec, BTreeMap<Share, Cost>>;

/// Encodes all sequences with all codecs, as often as there are rounds; in each round all codecs take turns.
pub(crate) fn measure(columns: &[Column], rounds: u32) -> Result<Costs> {
    let varints: Vec<Vec<u8>> = columns.iter().map(varints).collect();
    let mut costs = Costs::new();
    for round in 0..rounds as usize {
        for codec in Codec::ALL {
            let of_codec = costs.entry(codec).or_default();
            for (column, varints) in columns.iter().zip(&varints) {
                let start = Instant::now();
                let (bytes, checks) = codec.encode(&column.symbols, varints)?;
                let seconds = start.elapsed().as_secs_f64();
                let cost: &mut Cost = of_codec.entry(column.share).or_default();
                cost.seconds.resize(round + 1, 0.0);
                cost.seconds[round] += seconds;
                if round == 0 {
                    cost.bytes += bytes;
                    cost.digram_checks += checks;
                }
            }
        }
    }
    Ok(costs)
}

/// Reads every sequence back from its grammar, from the last symbol to the first; seconds for the reading.
///
/// # Errors
/// One does not come back.
pub(super) fn walk_back(columns: &[Column]) -> Result<f64> {
    let mut seconds = 0.0;
    for column in columns {
        let grammar: Grammar = column.symbols.iter().copied().collect();
        let mut bytes = Vec::new();
        grammar.write_to(&mut bytes);
        let (read, _) = Grammar::read_from(&bytes, column.symbols.len() as u64)?;
        let start = Instant::now();
        let same = read
            .iter_backward()
            .eq(column.symbols.iter().rev().copied());
        seconds += start.elapsed().as_secs_f64();
        ensure!(same, "a sequence does not come back from its grammar");
    }
    Ok(seconds)
}

/// A sequence as varints; symbols of control flow with the site first, which makes them short.
fn varints(column: &Column) -> Vec<u8> {
    let mut out = Vec::with_capacity(column.symbols.len());
    for &symbol in &column.symbols {
        let word = match column.share {
            Share::Control => symbol << 5 & 0xf_ffff_ffff | symbol >> 32,
            _ => symbol,
        };
        varint::write(&mut out, word);
    }
    out
}
