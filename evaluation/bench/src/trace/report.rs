//! The figures, as JSON and as a table.

use std::collections::BTreeMap;

use anyhow::Result;
use jinsi_jdk::Jdk;
use serde::Serialize;

use jinsi_ground::figures::median;
use jinsi_ground::report::Findings;

use super::codecs::{self, Codec, Cost};
use super::columns::{Column, Recorded, Share};
use super::kernels::Kernel;

/// All figures of a run.
#[derive(Serialize)]
pub(super) struct TraceFigures {
    jdk: String,
    /// How often each figure was measured; times are medians.
    rounds: u32,
    /// Sizes of the problems as a part of the thesis'.
    scale: f64,
    kernels: Vec<KernelReport>,
    /// Symbols a second with RLESe: the median of the kernels of the thesis.
    rlese_symbols_per_second: f64,
}

/// Figures of one kernel.
#[derive(Serialize)]
struct KernelReport {
    name: &'static str,
    size: u32,
    events: u64,
    sequences: usize,
    symbols: u64,
    /// Events in the threads' buffers, and in the trace file as jinsi writes it today.
    buffer_bytes: u64,
    file_bytes: u64,
    /// Elements and size of the sequences before they are encoded.
    plain: BTreeMap<Share, Plain>,
    codecs: BTreeMap<Codec, CodecReport>,
    /// Speed of reading all RLESe grammars from their ends.
    walk_back_symbols_per_second: f64,
    comparison: Comparison,
}

/// Sequences before they are encoded.
#[derive(Default, Serialize)]
struct Plain {
    sequences: u64,
    symbols: u64,
    bytes: u64,
}

/// What one codec makes of a kernel.
#[derive(Serialize)]
struct CodecReport {
    /// Size by share.
    bytes: BTreeMap<Share, u64>,
    total_bytes: u64,
    /// Of 100 bytes of the plain form.
    percent: f64,
    seconds: f64,
    symbols_per_second: f64,
    /// Without the values: what the thesis records.
    symbols_per_second_without_values: f64,
    digram_checks: u64,
}

/// Beside the thesis: control flow and memory references, without values.
#[derive(Serialize)]
struct Comparison {
    plain_bytes: u64,
    percent: BTreeMap<Codec, f64>,
    /// Digrams that SEQUITUR looks up for one of RLESe, in all sequences.
    checks_ratio: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    thesis_percent: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thesis_sequitur_percent: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thesis_checks_ratio: Option<f64>,
    /// Not worse than the thesis, and fewer digrams looked up than by SEQUITUR.
    holds: bool,
}

impl TraceFigures {
    pub(super) fn new(jdk: &Jdk, rounds: u32, scale: f64) -> Self {
        Self {
            jdk: jdk.version().to_string(),
            rounds,
            scale,
            kernels: Vec::new(),
            rlese_symbols_per_second: 0.0,
        }
    }

    /// Measures a recorded kernel.
    pub(super) fn add(&mut self, kernel: &Kernel, size: u32, recorded: &Recorded) -> Result<()> {
        let report = KernelReport::measure(kernel, size, recorded, self.rounds)?;
        self.kernels.push(report);
        let in_thesis = |k: &&KernelReport| k.comparison.thesis_percent.is_some();
        let rates = self.kernels.iter().filter(in_thesis);
        let rates = rates.map(|k| k.codecs[&Codec::Rlese].symbols_per_second_without_values);
        self.rlese_symbols_per_second = median(rates.collect());
        Ok(())
    }
}

impl Findings for TraceFigures {
    fn holds(&self) -> bool {
        self.kernels.iter().all(|kernel| kernel.comparison.holds)
    }
}

impl KernelReport {
    fn measure(kernel: &Kernel, size: u32, recorded: &Recorded, rounds: u32) -> Result<Self> {
        let columns = &recorded.columns;
        let symbols = recorded.symbols();
        let costs = codecs::measure(columns, rounds)?;
        let plain = plain(columns);
        let of_codec = |(&codec, costs)| (codec, CodecReport::new(costs, &plain));
        let codecs: BTreeMap<Codec, CodecReport> = costs.iter().map(of_codec).collect();
        let seconds = codecs::walk_back(columns)?;
        Ok(Self {
            name: kernel.name,
            size,
            events: recorded.events,
            sequences: columns.len(),
            symbols,
            buffer_bytes: recorded.buffer_bytes,
            file_bytes: recorded.file_bytes,
            walk_back_symbols_per_second: symbols as f64 / seconds.max(1e-9),
            comparison: Comparison::new(kernel, &plain, &codecs),
            plain,
            codecs,
        })
    }
}

impl CodecReport {
    fn new(costs: &BTreeMap<Share, Cost>, plain: &BTreeMap<Share, Plain>) -> Self {
        let of = |shares: &[Share]| {
            let symbols: u64 = shares
                .iter()
                .filter_map(|s| plain.get(s))
                .map(|p| p.symbols)
                .sum();
            let costs: Vec<&Cost> = shares.iter().filter_map(|s| costs.get(s)).collect();
            let rounds = costs.iter().map(|c| c.seconds.len()).max().unwrap_or(0);
            let sums = (0..rounds).map(|round| costs.iter().map(|c| c.seconds[round]).sum());
            let seconds: f64 = median(sums.collect());
            (seconds, symbols as f64 / seconds.max(1e-9))
        };
        let (seconds, symbols_per_second) = of(&[Share::Control, Share::Address, Share::Value]);
        let (_, without_values) = of(&[Share::Control, Share::Address]);
        let total_bytes = costs.values().map(|c| c.bytes).sum();
        Self {
            bytes: costs.iter().map(|(&share, c)| (share, c.bytes)).collect(),
            total_bytes,
            percent: percent(total_bytes, plain.values().map(|p| p.bytes).sum()),
            seconds,
            symbols_per_second,
            symbols_per_second_without_values: without_values,
            digram_checks: costs.values().map(|c| c.digram_checks).sum(),
        }
    }
}

impl Comparison {
    fn new(
        kernel: &Kernel,
        plain: &BTreeMap<Share, Plain>,
        codecs: &BTreeMap<Codec, CodecReport>,
    ) -> Self {
        let shares = [Share::Control, Share::Address];
        let plain_bytes = shares
            .iter()
            .filter_map(|s| plain.get(s))
            .map(|p| p.bytes)
            .sum();
        let of_codec = |(&codec, report): (&Codec, &CodecReport)| {
            let bytes = shares.iter().filter_map(|s| report.bytes.get(s)).sum();
            (codec, percent(bytes, plain_bytes))
        };
        let percent: BTreeMap<Codec, f64> = codecs.iter().map(of_codec).collect();
        let [rlese, sequitur] = [Codec::Rlese, Codec::Sequitur].map(|c| codecs[&c].digram_checks);
        let thesis = kernel.thesis.as_ref();
        // The table has two digits behind the point.
        let not_worse = thesis.is_none_or(|t| percent[&Codec::Rlese] < t.percent + 0.005);
        Self {
            plain_bytes,
            percent,
            checks_ratio: sequitur as f64 / rlese.max(1) as f64,
            thesis_percent: thesis.map(|t| t.percent),
            thesis_sequitur_percent: thesis.map(|t| t.sequitur_percent),
            thesis_checks_ratio: thesis.map(|t| t.checks_ratio),
            holds: not_worse && rlese < sequitur,
        }
    }
}

fn plain(columns: &[Column]) -> BTreeMap<Share, Plain> {
    let mut plain: BTreeMap<Share, Plain> = BTreeMap::new();
    for column in columns {
        let of_share = plain.entry(column.share).or_default();
        of_share.sequences += 1;
        of_share.symbols += column.symbols.len() as u64;
        of_share.bytes += column.plain_bytes;
    }
    plain
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
