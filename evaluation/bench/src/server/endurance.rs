//! The recorded server under load for a long time: what its process and its trace take, looked at again and again.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use jinsi_ground::child::memory_of;
use serde::Serialize;

use super::site::{Load, Server, Site, allocated};

/// Samples in all, at least a second apart.
const SAMPLES: u32 = 180;
/// Part of the time until the JVM has compiled what it will.
const WARM_UP: f64 = 0.2;
/// By how much memory may be larger later on than in the time after the warm-up.
const GROWTH: f64 = 1.1;
/// What a trace may have beside its `max-size`: thread buffers and tables.
const BESIDE: u64 = 64 << 20;
/// Width of a plot in characters.
const WIDTH: usize = 60;

/// What there was at a moment.
#[derive(Clone, Serialize)]
struct Sample {
    /// Since the beginning.
    seconds: f64,
    /// Memory of the process, the mapped parts of the trace included.
    resident_bytes: u64,
    /// What the trace takes on the disk.
    trace_bytes: u64,
}

/// What came of it.
#[derive(Serialize)]
pub(super) struct Endurance {
    pub(super) minutes: f64,
    pub(super) load: Load,
    max_size: u64,
    samples: Vec<Sample>,
    /// From nothing to the most that there was, over the time.
    pub(super) resident_plot: String,
    pub(super) trace_plot: String,
    pub(super) most_resident_bytes: u64,
    pub(super) most_trace_bytes: u64,
    pub(super) memory_is_bounded: bool,
    pub(super) trace_is_bounded: bool,
}

/// Loads the server at `rate` for as long as `time`.
pub(super) fn measure(
    site: &Site,
    server: &mut Server,
    time: Duration,
    rate: f64,
) -> Result<Endurance> {
    let trace = server.trace.clone().context("the server is not recorded")?;
    let began = Instant::now();
    let mut clients = site.load(server, time.as_secs_f64(), rate)?;
    let pause = (time / SAMPLES).max(Duration::from_secs(1));
    let pid = server.child.id().to_string();
    let mut samples = Vec::new();
    while clients.try_wait()?.is_none() {
        samples.push(Sample {
            seconds: began.elapsed().as_secs_f64(),
            resident_bytes: memory_of(&pid, "VmRSS:").context("the server is gone")?,
            trace_bytes: allocated(&trace)?,
        });
        thread::sleep(pause);
    }
    let load = site.measured(clients)?;
    let residents: Vec<u64> = samples.iter().map(|s| s.resident_bytes).collect();
    let traces: Vec<u64> = samples.iter().map(|s| s.trace_bytes).collect();
    Ok(Endurance {
        minutes: began.elapsed().as_secs_f64() / 60.0,
        load,
        max_size: site.max_size,
        resident_plot: plot(&residents),
        trace_plot: plot(&traces),
        most_resident_bytes: most(&residents),
        most_trace_bytes: most(&traces),
        memory_is_bounded: does_not_grow(&residents),
        trace_is_bounded: most(&traces) <= site.max_size + BESIDE,
        samples,
    })
}

fn most(figures: &[u64]) -> u64 {
    figures.iter().copied().max().unwrap_or(0)
}

/// Is the most in the second half about what it was in the first, the warm-up left out?
fn does_not_grow(figures: &[u64]) -> bool {
    let warm = (figures.len() as f64 * WARM_UP) as usize;
    let half = figures.len() / 2;
    let (before, after) = (&figures[warm.min(half)..half], &figures[half..]);
    before.is_empty() || most(after) as f64 <= most(before) as f64 * GROWTH
}

/// The figures as bars of eighths, the highest of each part.
fn plot(figures: &[u64]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let top = most(figures).max(1);
    let parts = figures.chunks(figures.len().div_ceil(WIDTH).max(1));
    parts
        .map(|part| BARS[(most(part) * 7 / top) as usize])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_seen() {
        let level: Vec<u64> = (0..100).map(|i| 1000 + i % 7).collect();
        assert!(does_not_grow(&level));
        let rising: Vec<u64> = (0..100).map(|i| 1000 + 10 * i).collect();
        assert!(!does_not_grow(&rising));
        assert!(does_not_grow(&[5]));
    }

    #[test]
    fn a_plot_has_a_bar_a_part() {
        assert_eq!(plot(&[0, 7, 14]), "▁▄█");
        assert!(plot(&vec![1; 1000]).chars().count() <= WIDTH);
    }
}
