//! Throughput and latency of the server as it is and recorded, measured in turn.

use anyhow::Result;
use serde::Serialize;

use super::site::{Load, Server, Site};
use crate::bench::slice::median;

/// Part of the plain server's throughput at which latency is looked at besides: at all of it there is only waiting.
const QUARTER: f64 = 0.25;
/// So much longer than the others is the measurement at the moderate rate, for as many requests.
const LONGER: f64 = 3.0;
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

/// Measures so many pairs; each measurement takes so many seconds, that at `rate` requests a second several times as many.
pub(super) fn measure(site: &Site, count: usize, seconds: f64, rate: f64) -> Result<Pairs> {
    let (plain, recorded) = (site.start()?, site.start_recorded("pairs.jinsi")?);
    let mut rates = [rate, 0.0];
    for _ in 0..WARM_UP {
        rates[1] = site.loaded(&plain, seconds, 0.0)?.throughput() * QUARTER;
        site.loaded(&recorded, seconds, 0.0)?;
    }
    let mut pairs = Vec::new();
    for n in 0..count {
        // In turn who is first.
        let mut both = [(&plain, None), (&recorded, None)];
        for i in [n % 2, (n + 1) % 2] {
            let figures = of_server(site, both[i].0, seconds, rates)?;
            both[i].1 = Some(figures);
        }
        let [(_, Some(plain)), (_, Some(recorded))] = both else {
            continue;
        };
        pairs.push(Pair {
            throughput_ratio: recorded.saturated.throughput() / plain.saturated.throughput(),
            p99_ratio: recorded.moderate.p99_us / plain.moderate.p99_us,
            quarter_p99_ratio: recorded.quarter.p99_us / plain.quarter.p99_us,
            plain,
            recorded,
        });
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
    fn errors(&self) -> u64 {
        [&self.plain, &self.recorded]
            .iter()
            .map(|both| both.saturated.errors + both.moderate.errors + both.quarter.errors)
            .sum()
    }
}

fn of_server(site: &Site, server: &Server, seconds: f64, rates: [f64; 2]) -> Result<Both> {
    Ok(Both {
        saturated: site.loaded(server, seconds, 0.0)?,
        moderate: site.loaded(server, seconds * LONGER, rates[0])?,
        quarter: site.loaded(server, seconds, rates[1])?,
    })
}
