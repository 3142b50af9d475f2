//! Throughput and latency of the server as it is and recorded, measured in turn.

use anyhow::Result;
use serde::Serialize;

use super::site::{Load, Server, Site};
use crate::bench::slice::median;

/// Part of the plain server's throughput at which latency is measured: at all of it there is only waiting.
const MODERATE: f64 = 0.25;
/// Rounds before figures count.
const WARM_UP: usize = 3;

/// One measurement of each kind.
#[derive(Serialize)]
pub(super) struct Pair {
    plain: Both,
    recorded: Both,
    throughput_ratio: f64,
    p99_ratio: f64,
}

/// A server's figures.
#[derive(Serialize)]
struct Both {
    /// As many requests as there can be.
    saturated: Load,
    /// As many as both servers can take.
    moderate: Load,
}

/// What came of all pairs.
#[derive(Serialize)]
pub(super) struct Pairs {
    /// Requests a second in the moderate measurements.
    rate: f64,
    pairs: Vec<Pair>,
    /// Requests a second of the recorded server by those of the plain one, saturated; the median of the pairs.
    pub(super) throughput_ratio: f64,
    /// The time within which 99 of 100 requests are answered, likewise, at the moderate rate.
    pub(super) p99_ratio: f64,
    pub(super) errors: u64,
}

/// Measures so many pairs; each measurement takes so many seconds.
pub(super) fn measure(site: &Site, count: usize, seconds: f64) -> Result<Pairs> {
    let (plain, recorded) = (site.start()?, site.start_recorded("pairs.jinsi")?);
    let mut rate = 0.0;
    for _ in 0..WARM_UP {
        rate = site.loaded(&plain, seconds, 0.0)?.throughput() * MODERATE;
        site.loaded(&recorded, seconds, 0.0)?;
    }
    let mut pairs = Vec::new();
    for n in 0..count {
        // In turn who is first.
        let mut both = [(&plain, None), (&recorded, None)];
        for i in [n % 2, (n + 1) % 2] {
            let figures = of_server(site, both[i].0, seconds, rate)?;
            both[i].1 = Some(figures);
        }
        let [(_, Some(plain)), (_, Some(recorded))] = both else {
            continue;
        };
        pairs.push(Pair {
            throughput_ratio: recorded.saturated.throughput() / plain.saturated.throughput(),
            p99_ratio: recorded.moderate.p99_us / plain.moderate.p99_us,
            plain,
            recorded,
        });
    }
    Ok(Pairs {
        rate,
        throughput_ratio: median(pairs.iter().map(|p| p.throughput_ratio).collect()),
        p99_ratio: median(pairs.iter().map(|p| p.p99_ratio).collect()),
        errors: pairs.iter().map(Pair::errors).sum(),
        pairs,
    })
}

impl Pair {
    fn errors(&self) -> u64 {
        [&self.plain, &self.recorded]
            .iter()
            .map(|both| both.saturated.errors + both.moderate.errors)
            .sum()
    }
}

fn of_server(site: &Site, server: &Server, seconds: f64, rate: f64) -> Result<Both> {
    Ok(Both {
        saturated: site.loaded(server, seconds, 0.0)?,
        moderate: site.loaded(server, seconds, rate)?,
    })
}
