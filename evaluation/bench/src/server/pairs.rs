//! Throughput and latency of the server as it is and recorded, measured in turn.

use anyhow::Result;
use serde::Serialize;

use super::site::{Load, Site};
use jinsi_ground::figures::median;

/// Part of the plain server's throughput at which latency is looked at besides: at all of it there is only waiting.
const QUARTER: f64 = 0.25;
/// So much longer than the others is the measurement at the moderate rate, for as many requests.
const LONGER: f64 = 3.0;
/// Slices of each server's measurement when saturated, in turn with the other's: a processor's speed changes within seconds.
const SLICES: usize = 3;
/// Rounds before figures count.
const WARM_UP: usize = 3;

/// One measurement of each kind.
#[derive(Serialize)]
pub(super) struct Pair {
    plain: Both,
    recorded: Both,
    throughput_ratio: f64,
    p99_ratio: f64,
    quarter_p99_ratio: f64,
}

/// A server's figures.
#[derive(Serialize)]
struct Both {
    /// As many requests as there can be.
    saturated: Load,
    /// As many as in the long run.
    moderate: Load,
    /// A quarter of what the plain server can take. On few processors its clients, the server and what encodes are in each other's way then.
    quarter: Load,
}

/// What came of all pairs.
#[derive(Serialize)]
pub(super) struct Pairs {
    /// Requests a second in the moderate measurements.
    rate: f64,
    /// Requests a second at a quarter of the plain server's throughput.
    quarter_rate: f64,
    pairs: Vec<Pair>,
    /// Requests a second of the recorded server by those of the plain one, saturated; the median of the pairs.
    pub(super) throughput_ratio: f64,
    /// The time within which 99 of 100 requests are answered, likewise, at the moderate rate.
    pub(super) p99_ratio: f64,
    /// The same at a quarter of the plain server's throughput.
    pub(super) quarter_p99_ratio: f64,
    pub(super) errors: u64,
}

/// Measures so many pairs, in turn which server is first; each measurement takes so many seconds, that at `rate` requests a second
/// several times as many.
pub(super) fn measure(site: &Site, count: usize, seconds: f64, rate: f64) -> Result<Pairs> {
    let servers = [site.start()?, site.start_recorded("pairs.jinsi")?];
    let mut rates = [rate, 0.0];
    for _ in 0..WARM_UP {
        rates[1] = site.loaded(&servers[0], seconds, 0.0)?.throughput() * QUARTER;
        site.loaded(&servers[1], seconds, 0.0)?;
    }
    let kinds = [
        (SLICES, seconds, 0.0),
        (1, seconds * LONGER, rates[0]),
        (1, seconds, rates[1]),
    ];
    let mut pairs = Vec::new();
    for n in 0..count {
        let mut loads = Vec::new();
        for (kind, (slices, seconds, rate)) in kinds.into_iter().enumerate() {
            let mut both = [Vec::new(), Vec::new()];
            for slice in 0..slices {
                let first = (n + kind + slice) % 2;
                for server in [first, 1 - first] {
                    both[server].push(site.loaded(&servers[server], seconds, rate)?);
                }
            }
            loads.push(both.map(|slices| Load::of(&slices)));
        }
        let figures = |server: usize| Both {
            saturated: loads[0][server].clone(),
            moderate: loads[1][server].clone(),
            quarter: loads[2][server].clone(),
        };
        pairs.push(Pair::of(figures(0), figures(1)));
    }
    Ok(Pairs {
        rate,
        quarter_rate: rates[1],
        throughput_ratio: median(pairs.iter().map(|p| p.throughput_ratio).collect()),
        p99_ratio: median(pairs.iter().map(|p| p.p99_ratio).collect()),
        quarter_p99_ratio: median(pairs.iter().map(|p| p.quarter_p99_ratio).collect()),
        errors: pairs.iter().map(Pair::errors).sum(),
        pairs,
    })
}

impl Pair {
    fn of(plain: Both, recorded: Both) -> Self {
        Self {
            throughput_ratio: recorded.saturated.throughput() / plain.saturated.throughput(),
            p99_ratio: recorded.moderate.p99_us / plain.moderate.p99_us,
            quarter_p99_ratio: recorded.quarter.p99_us / plain.quarter.p99_us,
            plain,
            recorded,
        }
    }

    fn errors(&self) -> u64 {
        [&self.plain, &self.recorded]
            .iter()
            .map(|both| both.saturated.errors + both.moderate.errors + both.quarter.errors)
            .sum()
    }
}
