//! A simulated user of a hierarchical slice, who knows which lines were repaired (Wang 2007, Section 5.3).
//!
//! A level shows dependences in the order in which they came about. The user takes the first that goes back to a repaired line for the
//! first wrong one, and looks into its phase. If there is none, the user looks into the phase of what is explained.

use super::super::criterion::{Criterion, Seeds};
use super::super::error::SliceError;
use super::super::settling::settled;
use super::super::slicer::Slicer;
use super::super::threads::{Wanted, criterion_of};
use super::super::watch::Watch;
use super::{At, Sliced};
use jinsi_steps::code::Program;
use jinsi_trace::reader::Trace;

/// What the simulated user did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inspection {
    /// Executed instructions, and those in the dynamic slice.
    pub executed: u64,
    /// See [`Self::executed`].
    pub occurrences: u64,
    /// Instances of statements in the dynamic slice: instructions of one line that ran one after the other are one.
    pub statements: u64,
    /// Levels that were looked at.
    pub levels: usize,
    /// How many of them the user had to choose on.
    pub interventions: usize,
    /// Dependences that were looked at to choose, and all that were shown.
    pub inspected: usize,
    /// See [`Self::inspected`].
    pub shown: usize,
    /// Was a repaired line come to?
    pub found: bool,
}

/// Has the simulated user look for the lines that were repaired, `File.java:LINE`, from the failure if there is no `criterion`. `None`: the
/// dynamic slice has none of them.
///
/// # Errors
/// See [`SliceError`].
pub fn simulated(
    trace: &Trace,
    criterion: Option<Criterion>,
    repaired: &[String],
) -> Result<Option<Inspection>, SliceError> {
    let program = Program::of(trace);
    let criterion = criterion_of(trace, criterion)?;
    let thread = Wanted {
        trace,
        program: &program,
        criterion: &criterion,
        relevance: None,
        draws: false,
    };
    let thread = thread.seeded()?;
    let foreseen = thread.foreseen.clone();
    let (slicer, _) = settled(trace, thread.no, foreseen, || {
        let seeds = Seeds::of(&program, &criterion, Some(thread.wanted))?;
        Ok(Slicer::new(trace, &program, seeds).watching(Watch::lines(&program, repaired)))
    })?;
    let Some(watch) = slicer.watch().filter(|watch| watch.oldest.is_some()) else {
        return Ok(None);
    };
    let mut inspection = Inspection {
        executed: thread.walked.instructions,
        occurrences: thread.found.occurrences,
        statements: watch.statements,
        ..Inspection::default()
    };
    let run = Sliced {
        trace,
        program: &program,
        criterion: &criterion,
        thread: &thread,
    };
    let target = watch.oldest.unwrap_or(0);
    let mut lost = false;
    let levels = run.explore(|at| {
        let choice = choose(&run, at, watch, target)?;
        inspection.interventions += 1;
        inspection.inspected += match choice {
            Choice::Enter(0) => at.found.crossed.len(),
            Choice::Enter(no) | Choice::Repaired(no) => no,
            Choice::Lost => at.found.crossed.len(),
        };
        lost = matches!(choice, Choice::Lost);
        Ok(match choice {
            Choice::Enter(no) => Some(no),
            Choice::Repaired(_) | Choice::Lost => None,
        })
    })?;
    inspection.levels = levels.len();
    inspection.shown = levels.iter().map(|level| level.dependences.len()).sum();
    inspection.found = !lost;
    Ok(Some(inspection))
}

/// What the user does on a level.
enum Choice {
    /// Looks into the phase of this dependence, from 1, or into that of what is explained.
    Enter(usize),
    /// Sees that this dependence, from 1, is of a repaired line.
    Repaired(usize),
    /// Nothing leads there.
    Lost,
}

fn choose(run: &Sliced<'_>, at: &At<'_>, watch: &Watch, target: u64) -> Result<Choice, SliceError> {
    let is_there = |no: usize| {
        let phase = at.phases.get(no);
        phase.is_some_and(|phase| (phase.from..phase.to).contains(&target))
    };
    for (no, crossed) in (1..).zip(at.found.crossed.iter().rev()) {
        if watch.is_at(crossed.method, crossed.at) {
            return Ok(Choice::Repaired(no));
        }
        if is_there(crossed.phase as usize)
            && run.leads_to(at.depth, at.phases, crossed.no, target)?
        {
            return Ok(Choice::Enter(no));
        }
    }
    Ok(match at.found.seeded_in {
        Some(phase) if is_there(phase as usize) => Choice::Enter(0),
        _ => Choice::Lost,
    })
}

impl Sliced<'_> {
    /// Does the slice from one occurrence have another one?
    fn leads_to(
        &self,
        depth: usize,
        phases: &[super::divide::Phase],
        from: u64,
        target: u64,
    ) -> Result<bool, SliceError> {
        if from == target {
            return Ok(true);
        }
        let watch = Watch::occurrence(target);
        let slicer = self.slicer_of(depth, phases, Some(from), Some(watch))?;
        Ok(slicer.watch().is_some_and(|watch| watch.is_in))
    }
}
