//! Hierarchical slicing (Wang 2007, chapter 5): the run is divided into phases, and of the slice only those dependences are
//! shown that go from one phase to another. The programmer says which of these is the first wrong one, and its phase is divided
//! again, with that one as the criterion.
//!
//! If none goes from one phase to another, the phase with the criterion is divided at once.

mod divide;
pub mod user;

use jinsi_trace::model::ThreadNo;
use jinsi_trace::reader::Trace;
use serde::Serialize;

use super::content::SliceContent;
use super::criterion::{Criterion, Seeds};
pub use super::division::{Crossed, Division, Own};
use super::error::SliceError;
use super::present::crossings;
use super::result::Crossing;
use super::settling::settled;
use super::slicer::Slicer;
use super::threads::{Thread, Wanted, criterion_of};
use super::using::PhaseNo;
use super::watch::Watch;
use divide::{Divider, Phase, What};
use jinsi_classfile::effect::Access;
use jinsi_history::describe::Describer;
use jinsi_steps::code::Program;
use jinsi_steps::visitor::Location;
use jinsi_steps::walk::Walker;

/// A phase, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PhaseText {
    /// What it does.
    pub what: String,
    /// Binary name of the class.
    pub class: String,
    /// First and last line of its own; `None` if it has no lines.
    pub lines: Option<(u16, u16)>,
    /// How many instructions were executed in it.
    pub instructions: u64,
}

/// A dependence between phases, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dependence {
    /// The phase that defined what the other used, from 1.
    pub phase: usize,
    /// The phase that used it.
    pub used_in: usize,
    /// Binary name of the class.
    pub class: String,
    /// Method that defined it.
    pub method: String,
    /// Line, 0 if unknown.
    pub line: u16,
    /// The variable, or what else was defined.
    pub variable: String,
    /// Its value, where recorded.
    pub value: Option<String>,
}

/// One level of a hierarchical slice: the phases that the level before is divided into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PhaseLevel {
    /// In the order in which they ran.
    pub phases: Vec<PhaseText>,
    /// In the order in which they came about.
    pub dependences: Vec<Dependence>,
    /// The dependence that was chosen, from 1, or 0 for what is explained; `None`: none has been yet, or there was none to choose from.
    pub chosen: Option<usize>,
    /// The phase that is divided on the next level, from 1.
    pub entered: Option<usize>,
}

/// A hierarchical slice, as far as it has been looked into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hierarchical {
    /// What it explains.
    pub criterion: String,
    /// The thread that was walked.
    pub thread: ThreadNo,
    /// Executed instructions walked over.
    pub executed: u64,
    /// How many of them are in the dynamic slice.
    pub occurrences: u64,
    /// How many dependences are shown, on all levels.
    pub shown: usize,
    /// From the whole run on.
    pub levels: Vec<PhaseLevel>,
    /// What it could not follow. Empty: it is exact.
    pub crossings: Vec<Crossing>,
}

/// The hierarchical slice of a trace, from the failure if there is no `criterion`. `zoom`: the dependences that were chosen, level by level,
/// where there was a choice.
///
/// # Errors
/// See [`SliceError`].
pub fn hierarchical(
    trace: &Trace,
    criterion: Option<Criterion>,
    zoom: &[usize],
) -> Result<Hierarchical, SliceError> {
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
    let mut result = Hierarchical {
        criterion: criterion.to_string(),
        thread: thread.no,
        executed: thread.walked.instructions,
        occurrences: thread.found.occurrences,
        shown: 0,
        levels: Vec::new(),
        crossings: crossings(trace, &thread.found),
    };
    let run = Sliced {
        trace,
        program: &program,
        criterion: &criterion,
        thread: &thread,
    };
    let mut zoom = zoom.iter().copied();
    result.levels = run.explore(|_| Ok(zoom.next()))?;
    result.shown = (result.levels.iter())
        .map(|level| level.dependences.len())
        .sum();
    match zoom.next() {
        Some(no) => Err(SliceError::NoSuchDependence { no, known: 0 }),
        None => Ok(result),
    }
}

/// The dependence that was chosen by this number, from 1. The walk meets the newest first.
fn chosen(found: &SliceContent, no: usize) -> Result<&Crossed, SliceError> {
    let known = found.crossed.len();
    let at = known.checked_sub(no);
    at.and_then(|at| found.crossed.get(at))
        .ok_or(SliceError::NoSuchDependence { no, known })
}

/// A level that shows dependences to choose from.
struct At<'a> {
    /// Its phases, newest first.
    phases: &'a [Phase],
    /// How many activations are open in what they divide.
    depth: usize,
    /// The dependences, newest first.
    found: &'a SliceContent,
}

/// A slice that is looked into by phases.
struct Sliced<'t> {
    trace: &'t Trace,
    program: &'t Program,
    criterion: &'t Criterion,
    thread: &'t Thread,
}

impl Sliced<'_> {
    /// The phases of a phase, newest first; one alone if it cannot be divided.
    fn divide(&self, phase: &Phase) -> Result<Vec<Phase>, SliceError> {
        let mut divider = Divider::new(self.program, phase.clone());
        Walker::new(self.trace, self.program, self.thread.no).run(&mut divider)?;
        Ok(divider.phases())
    }

    /// Level after level: `choose` says of each that shows dependences which one is looked into, from 1, 0 for what is explained; `None` ends it.
    fn explore(
        &self,
        mut choose: impl FnMut(&At<'_>) -> Result<Option<usize>, SliceError>,
    ) -> Result<Vec<PhaseLevel>, SliceError> {
        let mut levels = Vec::new();
        let mut phase = Phase::run();
        let mut seed = None;
        loop {
            let phases = self.divide(&phase)?;
            if phases.len() < 2 {
                return Ok(levels);
            }
            let found = self.dependences(phase.depth, &phases, seed)?;
            let mut level = PhaseLevel::of(self.trace, self.program, &phases, &found);
            // Where there is nothing to choose from nothing is chosen.
            let choice = match level.dependences.is_empty() {
                true => None,
                false => choose(&At {
                    phases: &phases,
                    depth: phase.depth,
                    found: &found,
                })?,
            };
            let entered = match choice {
                Some(0) => found.seeded_in,
                Some(no) => {
                    let crossed = chosen(&found, no)?;
                    seed = Some(crossed.no);
                    Some(crossed.phase)
                }
                None if level.dependences.is_empty() => found.seeded_in,
                None => None,
            };
            level.chosen = choice;
            level.entered = entered.map(|phase| phases.len() - phase as usize);
            levels.push(level);
            match entered.and_then(|no| phases.get(no as usize)) {
                Some(next) => phase = next.clone(),
                None => return Ok(levels),
            }
        }
    }

    /// Slices within these phases, from the instruction of this number if there is one. `depth`: of what they divide.
    fn dependences(
        &self,
        depth: usize,
        phases: &[Phase],
        seed: Option<u64>,
    ) -> Result<SliceContent, SliceError> {
        Ok(self.slicer_of(depth, phases, seed, None)?.finish().0)
    }

    /// A slicer that has done so, and looked out for something.
    fn slicer_of(
        &self,
        depth: usize,
        phases: &[Phase],
        seed: Option<u64>,
        watch: Option<Watch>,
    ) -> Result<Slicer<'_>, SliceError> {
        let division = Division {
            bounds: phases.iter().map(|phase| phase.to).collect(),
            from: phases.first().map_or(0, |phase| phase.from),
            depth,
            depths: phases.iter().map(|phase| phase.depth).collect(),
            seed,
        };
        let foreseen = self.thread.foreseen.clone();
        let (slicer, _) = settled(self.trace, self.thread.no, foreseen, || {
            let seeds = match seed {
                Some(_) => Seeds::default(),
                None => Seeds::of(self.program, self.criterion, Some(self.thread.wanted))?,
            };
            let slicer = Slicer::new(self.trace, self.program, seeds);
            let slicer = slicer.divided(division.clone());
            Ok(match &watch {
                Some(watch) => slicer.watching(watch.clone()),
                None => slicer,
            })
        })?;
        Ok(slicer)
    }
}

impl PhaseLevel {
    fn of(trace: &Trace, program: &Program, phases: &[Phase], found: &SliceContent) -> Self {
        let describer = Describer::new(trace);
        let number = |phase: PhaseNo| phases.len() - phase as usize;
        let parts = phases.iter().enumerate().rev().map(|(no, phase)| {
            let own = found.phases.get(no).copied().unwrap_or_default();
            let method = own.method.map(|no| program.get(no));
            PhaseText {
                what: describe(program, phase),
                class: method.map_or_else(String::new, |m| m.owner.replace('/', ".")),
                lines: own.lines,
                instructions: phase.to - phase.from,
            }
        });
        let dependences = found.crossed.iter().rev().map(|crossed| {
            let method = program.get(crossed.method);
            let body = method.body.as_ref();
            Dependence {
                phase: number(crossed.phase),
                used_in: number(crossed.user),
                class: method.owner.replace('/', "."),
                method: method.name.clone(),
                line: body.map_or(0, |body| body.instructions[crossed.at].line),
                variable: variable(program, crossed).unwrap_or_else(|| "a value".into()),
                value: crossed.value.as_ref().map(|value| describer.value(value)),
            }
        });
        Self {
            phases: parts.collect(),
            dependences: dependences.collect(),
            chosen: None,
            entered: None,
        }
    }
}

fn describe(program: &Program, phase: &Phase) -> String {
    match phase.what {
        What::Run => "the run".into(),
        What::Code => "code".into(),
        What::Call(method) => {
            let method = program.get(method);
            format!("{}.{}", method.owner.replace('/', "."), method.name)
        }
        What::Loop(_) => "loop".into(),
        What::Rounds(_, 1) => "a round of the loop".into(),
        What::Rounds(_, rounds) => format!("{rounds} rounds of the loop"),
    }
}

/// What an occurrence defined.
fn variable(program: &Program, crossed: &Crossed) -> Option<String> {
    let body = program.get(crossed.method).body.as_ref()?;
    let instruction = &body.instructions[crossed.at];
    let line = instruction.line;
    Some(match instruction.effect.access {
        Access::Store(slot) | Access::Increment(slot) => {
            let end = (body.instructions.get(crossed.at + 1)).map_or(body.end, |next| next.bci);
            let is_it = |v: &&jinsi_steps::code::Variable| {
                v.slot == slot && ((v.from..v.to).contains(&end) || v.from == end)
            };
            let named = body.variables.iter().find(is_it);
            named.map_or_else(|| format!("local variable {slot}"), |v| v.name.clone())
        }
        Access::PutField(_) | Access::PutStatic(_) => match crossed.location {
            Some(Location::Field(object, field)) => {
                format!("{} of #{object}", program.field_name(field))
            }
            _ => program.field_name(instruction.field?),
        },
        Access::ArrayStore => match crossed.location {
            Some(Location::Element(array, index)) => format!("element {index} of #{array}"),
            _ => "an element".into(),
        },
        Access::Branch(_) => format!("which way line {line} goes"),
        Access::Return => format!("what {} returns", program.get(crossed.method).name),
        Access::Invoke(_) => format!("{}()", instruction.target.as_ref()?.name),
        Access::Throw => "that an exception is thrown".into(),
        _ => return None,
    })
}
