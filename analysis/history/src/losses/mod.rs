//! What was not recorded, and why: for `jinsi info`.
//!
//! Everything comes from the trace, in one pass over its events. A trace of very many events is gone through only if that is asked for. The
//! memory depends on the depth of the threads' stacks, the methods of the program, and the objects whose classes have native methods, not
//! on the number of events.

mod callers;
mod natives;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

use jinsi_natural::pattern::Pattern;
use jinsi_trace::model::{ClassOrigin, LossKind};
use jinsi_trace::reader::{Damage, Trace};
use serde::Serialize;

use crate::Gap;
pub use callers::{Callers, MethodCalls};

const HEAD: &str = "not recorded";

/// Events that are gone through without being asked to.
const AT_ONCE: u64 = 5_000_000;

/// What was not recorded although `observe=` asks for it, or cannot be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Losses {
    /// Classes that were left as they are, so that nothing of them is recorded.
    pub classes_skipped: Vec<Loss>,
    /// Classes that were loaded before recording began.
    pub classes_early: Vec<String>,
    /// Hidden classes (`Lookup.defineHiddenClass`), as far as their objects were seen: the JVM shows them to no agent. Calls of
    /// recorded code to them are outgoing calls. Lambdas are not listed, their code is in an ordinary method.
    pub classes_hidden: Vec<String>,
    /// Methods with fewer probes, and other parts of classes.
    pub methods_thinned: Vec<Loss>,
    /// Native methods of observed classes and the recorded calls of them. What they do to arrays is recorded where the class is the
    /// caller's own, or not observed. `null` if they were not counted.
    pub natives_crossed: Option<Vec<MethodCalls>>,
    /// Where calls of recorded methods came from, and of how many that is unknown. `null` if they were not counted.
    pub callers: Option<Callers>,
    /// Contents of arrays, collections and objects larger than the bound.
    pub contents_dropped: u64,
    /// Events that a probe could not finish, for want of stack, memory or disk.
    pub events_dropped: u64,
    /// Threads not recorded because too many were.
    pub threads_refused: Vec<String>,
    /// Failures, named by `fail=`, that happened so often at one place that later ones were only counted.
    pub failures_repeated: Vec<Loss>,
    /// Why the recording does not reach to the end of the program, or no longer to its beginning.
    pub recording_cut: Vec<String>,
    /// Events that could not be read, where they were counted: named with the damage of the file.
    #[serde(skip)]
    pub gaps: Vec<Gap>,
}

/// Something that is not recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Loss {
    /// Binary name of the class.
    pub class: String,
    /// One line: why.
    pub reason: String,
}

impl Losses {
    /// Reads the tables, and goes through the events once, if that does not take long or `all` is set: callers and natives are in
    /// no table.
    pub fn of(trace: &Trace, all: bool) -> Self {
        let mut losses = Self::of_tables(trace);
        let threads = trace.threads().iter();
        let events: u64 = threads.map(|thread| trace.event_count(thread.no)).sum();
        if all || events <= AT_ONCE {
            losses.count(trace);
        }
        losses
    }

    fn count(&mut self, trace: &Trace) {
        let mut callers = callers::Counter::new(trace);
        let mut natives = natives::Natives::new(trace);
        for thread in trace.threads() {
            callers.next_thread();
            for event in trace.events(thread.no) {
                match event {
                    Ok(event) => {
                        callers.event(&event);
                        natives.event(&event);
                    }
                    Err(error) => self.gaps.push(Gap::new(&error, Some(thread.no))),
                }
            }
        }
        self.callers = Some(callers.finish());
        self.natives_crossed = Some(natives.finish());
    }

    fn all_named(&self) -> impl Iterator<Item = &Loss> {
        let classes = self.classes_skipped.iter().chain(&self.methods_thinned);
        classes.chain(&self.failures_repeated)
    }

    /// The same without what is in the events.
    pub fn of_tables(trace: &Trace) -> Self {
        let mut losses = Self::default();
        for skipped in trace.skipped() {
            let loss = Loss {
                class: skipped.class.replace('/', "."),
                reason: skipped.reason.clone(),
            };
            match skipped.kind {
                LossKind::Class => losses.classes_skipped.push(loss),
                LossKind::Early => losses.classes_early.push(loss.class),
                LossKind::Part => losses.methods_thinned.push(loss),
                LossKind::Threads => losses.threads_refused.push(loss.reason),
                LossKind::Failures => losses.failures_repeated.push(loss),
                LossKind::Events | LossKind::Unwritten => losses.recording_cut.push(loss.reason),
            }
        }
        losses.classes_hidden = hidden(trace);
        if trace.events_dropped() > 0 {
            let begins = trace.window().map_or_else(String::new, |w| {
                format!("; it can be replayed from {:.1} s on", w.seconds)
            });
            losses.recording_cut.push(format!(
                "{} events at the beginning, dropped to keep the trace under its max-size{begins}",
                trace.events_dropped()
            ));
        }
        let end = trace.end();
        losses.contents_dropped = end.map_or(0, |e| e.contents_dropped);
        let malformed = trace.damage().iter().map(|d| match d {
            Damage::Malformed { count, .. } => *count,
            _ => 0,
        });
        losses.events_dropped = end.map_or(0, |e| e.events_dropped) + malformed.sum::<u64>();
        losses
    }

    /// The same for people; nothing is written of what did not happen.
    ///
    /// # Errors
    /// Those of `to`.
    pub fn write_text(&self, to: &mut dyn Write) -> io::Result<()> {
        for loss in self.all_named() {
            writeln!(to, "{HEAD}  {}: {}", loss.class, loss.reason)?;
        }
        for class in &self.classes_early {
            writeln!(to, "{HEAD}  {class}: loaded before recording began")?;
        }
        for class in &self.classes_hidden {
            writeln!(to, "{HEAD}  {class}: hidden classes are shown to no agent")?;
        }
        for native in self.natives_crossed.iter().flatten() {
            let MethodCalls { method, calls } = native;
            writeln!(to, "{HEAD}  {method}: native code, {calls} calls of it are")?;
        }
        let Some(c) = &self.callers else {
            writeln!(
                to,
                "callers    not counted, for there are many events: --callers counts them, and natives"
            )?;
            return self.write_counts(to);
        };
        writeln!(
            to,
            "callers    of {} calls: {} by recorded call sites, {} by the driver, {} call-backs, {} unknown",
            c.enters, c.direct, c.driver, c.callbacks, c.missed
        )?;
        for MethodCalls { method, calls } in &c.missed_methods {
            writeln!(to, "{HEAD}  who called {method}, {calls} times")?;
        }
        self.write_counts(to)
    }

    fn write_counts(&self, to: &mut dyn Write) -> io::Result<()> {
        if self.contents_dropped > 0 {
            writeln!(
                to,
                "{HEAD}  {} contents of arrays, collections or objects larger than the bound",
                self.contents_dropped
            )?;
        }
        if self.events_dropped > 0 {
            writeln!(
                to,
                "{HEAD}  {} events that could not be finished",
                self.events_dropped
            )?;
        }
        for reason in self.threads_refused.iter().chain(&self.recording_cut) {
            writeln!(to, "{HEAD}  {reason}")?;
        }
        Ok(())
    }
}

/// Hidden classes that `observe=` matches, but for lambdas. Their names have a `/` that is none of a package's.
fn hidden(trace: &Trace) -> Vec<String> {
    let meta = trace.meta();
    let any =
        |patterns: &[String], name: &str| patterns.iter().any(|p| Pattern::new(p).matches(name));
    let names = trace.classes().iter().filter(|c| {
        c.origin == ClassOrigin::Skeleton && c.name.contains("/0x") && !c.name.contains("$$Lambda")
    });
    names
        .map(|c| c.name.replace('/', "."))
        .filter(|name| any(&meta.observe, name) && !any(&meta.exclude, name))
        .collect()
}
