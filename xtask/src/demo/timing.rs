//! How long the parts of the demonstration take.

use std::time::Instant;

use anyhow::Result;

use super::report::Report;

/// What everything after the build is meant to take at most on two cores, in seconds. Reported, not enforced: machines differ.
const GOAL: f64 = 30.0;

/// Wall times, in order.
#[derive(Default)]
pub(super) struct Timing {
    parts: Vec<(String, f64)>,
    /// Parts of one of the parts, for information: they do not add to the sum.
    inner: Vec<(String, f64)>,
}

impl Timing {
    /// Does something, announces it, and keeps how long it took.
    pub(super) fn measure<T>(&mut self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("\n== {name}");
        let start = Instant::now();
        let done = work();
        self.parts
            .push((name.to_owned(), start.elapsed().as_secs_f64()));
        done
    }

    /// Adds what jinsi says about its own parts.
    pub(super) fn add_parts(&mut self, report: &Report) {
        self.inner.extend(
            report
                .parts
                .iter()
                .map(|part| (part.name.clone(), part.seconds)),
        );
    }

    /// Prints the times, and the sum without the first part, which is the build.
    pub(super) fn print(&self) {
        println!("\n== times");
        for (name, seconds) in &self.parts {
            println!("{seconds:8.2} s  {name}");
        }
        let after_build: f64 = self.parts.iter().skip(1).map(|(_, seconds)| seconds).sum();
        let verdict = if after_build <= GOAL {
            "within"
        } else {
            "beyond"
        };
        println!(
            "{after_build:8.2} s  all after the build, {verdict} the {GOAL} s that are the goal on two cores"
        );
        if !self.inner.is_empty() {
            println!("of \"record and minimize\":");
            self.inner
                .iter()
                .for_each(|(name, seconds)| println!("{seconds:8.2} s  {name}"));
        }
    }
}
