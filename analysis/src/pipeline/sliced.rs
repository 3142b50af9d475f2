//! Of a long run that failed, only what may have influenced the failure is read: its event slice ([`jinsi_level::event_slice`]) at the level of all observed classes.
//! The whole history would take gigabytes, and nobody asks for the rest of it. A replay that is recorded shows whether the slice is enough.

use std::cell::Cell;
use std::path::Path;

use jinsi_history::{History, NodeNo};
use jinsi_level::event_slice::Slicer;
use jinsi_level::project::stretches::Stretched;
use jinsi_level::{Level, Outcome};
use jinsi_natural::Natural;
use jinsi_trace::model::{EventKind, FailureKind, ObjectId, ThreadNo};
use jinsi_trace::order::Merged;
use jinsi_trace::reader::Trace;

use super::root_cause::causes;
use super::run::{history, recorded, tables};
use super::stretched::{is_long, stretches};
use super::{PipelineError, Run};

/// Which interactions of a run are in the slice of its failure.
struct Slice {
    /// Moment at which each interaction was over, ascending.
    ends: Vec<u32>,
    /// Places in `ends` of those in the slice, ascending.
    kept: Vec<u32>,
}

impl Run {
    /// Opens a trace to minimize its failure. Of a long run only what may have influenced that is read; [`Run::expanded`] reads the whole if the slice is
    /// not enough.
    ///
    /// # Errors
    /// The trace cannot be read, or not be replayed.
    pub fn open_to_minimize(path: &Path) -> Result<Self, PipelineError> {
        let mut left_out = None;
        let mut run = Self::open_with(path, |trace, thread| {
            let slice = match is_long(trace, thread) {
                true => Slice::of(trace, thread)?,
                false => None,
            };
            let Some(slice) = slice else {
                return history(trace, thread);
            };
            left_out = Some(slice.left_out());
            slice.history(trace, thread)
        })?;
        run.left_out = left_out;
        Ok(run)
    }

    /// What has to be known of results from a slice; `None` if the whole run was read.
    pub(super) fn of_slice(&self) -> Option<String> {
        let left_out = self.left_out?;
        Some(format!(
            "the run is long: {left_out} interactions that share no object with the failure were not looked at"
        ))
    }
}

impl Slice {
    /// The slice by the failures of a trace, and by what its class initializers belong to, for a replay needs their answers. `None` if that is most of the run,
    /// or if a failure did not come out of observed code.
    fn of(trace: &Trace, thread: ThreadNo) -> Result<Option<Self>, PipelineError> {
        let failures = trace.failures();
        if failures.is_empty() || failures.iter().any(|f| f.kind == FailureKind::Test) {
            return Ok(None);
        }
        // What the user says of natural classes is not known yet. If that makes a difference, the replay shows it.
        let natural = Natural::default();
        let unread = Cell::new(false);
        let stretches = || stretches(trace, thread, &unread);
        let mut projected =
            Stretched::new(&tables(trace), &natural, &recorded(trace), stretches())?;
        let mut slicer = Slicer::default();
        let mut ends: Vec<u32> = Vec::new();
        let mut criteria = Criteria::default();
        let thrown = failures.iter().map(|f| causes(trace, f.throwable));
        criteria.thrown = thrown.collect();
        let mut reading = stretches();
        while reading.read()? {
            let level = projected.project(&reading);
            let history = reading.history();
            let first = ends.len();
            for interaction in &level.interactions {
                slicer.add(projected.objects(), interaction);
                ends.push(history.node(interaction.node).close.get());
            }
            criteria.read(&level, history, reading.first(), (first, &ends));
            projected.forget(&mut reading);
        }
        let is_whole = !unread.get() && reading.defines_all() && !reading.gave_up();
        if !is_whole || !criteria.are_whole() {
            return Ok(None);
        }
        let kept = slicer.slice(&criteria.numbers());
        Ok((kept.len() <= ends.len() / 2).then_some(Self { ends, kept }))
    }

    /// How many interactions are not in it.
    fn left_out(&self) -> u32 {
        (self.ends.len() - self.kept.len()) as u32
    }

    /// The history of it. Objects and their contents are all there.
    fn history(&self, trace: &Trace, thread: ThreadNo) -> Result<History, PipelineError> {
        let mut place = 0;
        let mut kept = self.kept.iter().peekable();
        let is_kept = |merged: &Merged| {
            // The first event has the moment 1.
            while self
                .ends
                .get(place)
                .is_some_and(|end| u64::from(*end) <= merged.index)
            {
                place += 1;
            }
            while kept.next_if(|no| (**no as usize) < place).is_some() {}
            let is_in =
                place == self.ends.len() || kept.peek().is_some_and(|no| **no as usize == place);
            is_in || matches!(merged.event.kind, EventKind::Define | EventKind::Content)
        };
        let events = (0..).zip(trace.events(thread)).map_while(|(index, event)| {
            let event = event.ok()?;
            Some(Merged {
                thread,
                index,
                event,
            })
        });
        Ok(History::build_merged(
            tables(trace),
            events.filter(is_kept),
        )?)
    }
}

/// The interactions by which a slice is taken.
#[derive(Default)]
struct Criteria {
    /// Of each failure the exception and its causes.
    thrown: Vec<Vec<ObjectId>>,
    /// Which of the failures have been found.
    found: Vec<usize>,
    numbers: Vec<u32>,
    /// A class initializer has run since the last interaction, or in the midst of it.
    initialized: bool,
}

impl Criteria {
    /// Reads a stretch: its interactions, those from `first` on, and the history from the node `from` on. `ends`: when each interaction of the run was over.
    fn read(
        &mut self,
        level: &Level,
        history: &History,
        from: NodeNo,
        (first, ends): (usize, &[u32]),
    ) {
        for interaction in &level.interactions {
            if let Outcome::Throw(id) = interaction.outcome {
                let failures = self.thrown.iter().enumerate();
                let of_it = failures.filter(|(_, all)| all.contains(&id));
                let before = self.found.len();
                self.found.extend(of_it.map(|(at, _)| at));
                self.numbers
                    .extend((self.found.len() > before).then_some(interaction.no));
            }
        }
        let initializers = from.until(NodeNo::from_index(history.len())).filter(|&n| {
            let site = history.site(n);
            site.is_some_and(|site| site.method == "<clinit>")
        });
        let mut begun: Vec<u32> = initializers.map(|n| history.node(n).begin.get()).collect();
        if std::mem::take(&mut self.initialized) {
            begun.insert(0, 0);
        }
        for at in begun {
            let within = first + ends[first..].partition_point(|end| *end < at);
            match within < ends.len() {
                true => self.numbers.push(within as u32),
                false => self.initialized = true,
            }
        }
    }

    /// Has every failure been found?
    fn are_whole(&self) -> bool {
        (0..self.thrown.len()).all(|at| self.found.contains(&at))
    }

    /// The interactions, ascending.
    fn numbers(mut self) -> Vec<u32> {
        self.numbers.sort_unstable();
        self.numbers.dedup();
        self.numbers
    }
}
