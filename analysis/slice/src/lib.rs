//! Slices of a recorded run: which instructions, and so which source lines, made something happen
//! (Wang 2007, chapter 3; `detail=instructions`).
//!
//! [`jinsi_steps::walk`] reconstructs the executed instructions backward from the trace, and [`jinsi_steps::code`] knows what each uses and
//! defines. [`slicer`] collects everything that the [`criterion`] depends on, directly or indirectly. For calls of code that was not
//! recorded, [`summaries`] says what depends on what. What the slice could not follow is named in [`Slice::crossings`].

mod activation;
mod bridge;
pub mod criterion;
pub mod drawing;
pub mod hierarchy;
mod included;
pub mod kinds;
mod links;
pub mod may;
mod memory;
mod others;
pub mod relevant;
pub mod sarif;
mod settling;
pub mod slicer;
pub mod sources;
pub mod summaries;
mod threads;
mod unknown;
mod using;
mod visiting;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use jinsi_classfile::effect::Access;
use jinsi_trace::model::{Detail, ThreadNo};
use jinsi_trace::reader::{ReadError, Trace};
use serde::Serialize;

use criterion::{Criterion, NoSuchPlace};
use drawing::Dependence;
use jinsi_history::describe::Describer;
use jinsi_history::failures::{self, NoCrash};
use jinsi_steps::code::{Method, MethodNo, Program};
use relevant::Relevance;
use slicer::SliceContent;
use threads::{Thread, Wanted};
use using::FAR;

/// Why there is no slice.
#[derive(Debug, thiserror::Error)]
pub enum SliceError {
    /// The trace has no instructions.
    #[error("the trace was recorded with detail={0}; slices need detail=instructions")]
    Detail(Detail),
    /// The run did not fail, and no other criterion was given.
    #[error("no failure was recorded; name a place with --at CLASS:LINE")]
    NoFailure,
    /// If it did, that was after the recording had ended.
    #[error("{0}; or name a place with --at CLASS:LINE")]
    CutShort(NoCrash),
    /// The place is not in the recorded code.
    #[error(transparent)]
    Place(#[from] NoSuchPlace),
    /// It is, but was never run, or not so often, or the failure passed through no recorded method.
    #[error("{0} was not reached in the recorded run")]
    NotReached(String),
    /// A dependence was chosen that is not there.
    #[error("no dependence {no} to choose; the last level has {known}")]
    NoSuchDependence {
        /// Its number.
        no: usize,
        /// How many there are.
        known: usize,
    },
    /// The trace cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// What a slice follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// What happened because of what.
    #[default]
    Dynamic,
    /// And what did not happen because of what: potential dependences (Wang 2007, chapter 4).
    Relevant,
}

/// A source line in a slice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Binary name of the class.
    pub class: String,
    /// Methods that the line belongs to.
    pub methods: BTreeSet<String>,
    /// Source file, if known.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: u16,
    /// How many instructions of the line are in the slice.
    pub instructions: usize,
    /// How many dependences the nearest of them is away from the criterion; `None`: not known.
    pub distance: Option<u32>,
    /// What variables of the line held the last time they were in the slice, where recorded: `name = value`.
    pub values: Vec<String>,
}

/// Code without a record that a slice goes through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Crossing {
    /// What, and why it has no record.
    pub what: String,
    /// How often.
    pub times: u64,
}

/// A slice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Slice {
    /// What it follows.
    pub kind: Kind,
    /// What it explains.
    pub criterion: String,
    /// The thread in which that was.
    pub thread: ThreadNo,
    /// Executed instructions walked over.
    pub executed: u64,
    /// How many of them are in the slice.
    pub occurrences: u64,
    /// How many different instructions that are.
    pub instructions: usize,
    /// The source lines they are of, by class and line.
    pub lines: Vec<Line>,
    /// What it could not follow. Empty: it is exact.
    pub crossings: Vec<Crossing>,
}

/// The slice of a trace. Without a criterion, that of its failure.
///
/// # Errors
/// See [`SliceError`].
pub fn slice(trace: &Trace, criterion: Option<Criterion>, kind: Kind) -> Result<Slice, SliceError> {
    Ok(slice_and_draw(trace, criterion, kind, false)?.0)
}

/// The slice of a trace, and the dependences between its lines; without `draws` none of these.
///
/// # Errors
/// See [`SliceError`].
pub fn slice_and_draw(
    trace: &Trace,
    criterion: Option<Criterion>,
    kind: Kind,
    draws: bool,
) -> Result<(Slice, Vec<Dependence>), SliceError> {
    let criterion = criterion_of(trace, criterion)?;
    let program = Program::of(trace);
    let relevance = match kind {
        Kind::Dynamic => None,
        Kind::Relevant => Some(Rc::new(Relevance::of(trace, &program)?)),
    };
    let wanted = Wanted {
        trace,
        program: &program,
        criterion: &criterion,
        relevance,
        draws,
    };
    let mut thread = wanted.with_others(wanted.seeded()?)?;
    let dependences = std::mem::take(&mut thread.found.dependences);
    let slice = present(trace, &program, &criterion, &thread);
    Ok((Slice { kind, ..slice }, dependences))
}

/// What is in the slice of one thread, in the relevant one if there is a `relevance`; nothing, if the criterion is not met there.
///
/// # Errors
/// There is no such place in the recorded code, or the trace cannot be read.
pub fn find<'t>(
    trace: &'t Trace,
    program: &'t Program,
    criterion: &Criterion,
    thread: ThreadNo,
    relevance: &Option<Rc<Relevance<'t>>>,
) -> Result<SliceContent, SliceError> {
    let wanted = Wanted {
        trace,
        program,
        criterion,
        relevance: relevance.clone(),
        draws: false,
    };
    Ok(wanted.of(thread)?.found)
}

/// Does the trace say which way methods went?
pub fn has_instructions(trace: &Trace) -> bool {
    trace.meta().detail == Detail::Instructions
}

/// The criterion of a slice of this trace; without one, its failure.
fn criterion_of(trace: &Trace, criterion: Option<Criterion>) -> Result<Criterion, SliceError> {
    if !has_instructions(trace) {
        return Err(SliceError::Detail(trace.meta().detail));
    }
    let failed = || failures::pick(trace.failures()).map(|f| Criterion::Failure(f.throwable));
    criterion
        .or_else(failed)
        .ok_or_else(|| match failures::none_in(trace) {
            cut @ NoCrash::CutShort => SliceError::CutShort(cut),
            _ => SliceError::NoFailure,
        })
}

fn crossings(trace: &Trace, found: &SliceContent) -> Vec<Crossing> {
    // The worker's part in a replay is none of the program's.
    let replays =
        |what: &str| trace.meta().is_of_rewritten_code() && what.starts_with("jinsi.replay.");
    let crossings = found.crossings.iter().filter(|(what, _)| !replays(what));
    let crossings = crossings.map(|(what, times)| Crossing {
        what: what.clone(),
        times: *times,
    });
    crossings.collect()
}

fn present(trace: &Trace, program: &Program, criterion: &Criterion, thread: &Thread) -> Slice {
    let found = &thread.found;
    let mut lines = Lines::default();
    for &(no, at) in &found.instructions {
        let method = program.get(no);
        if let Some(body) = &method.body {
            let distance = found.distances.get(&(no, at)).copied();
            lines.add(method, body.instructions[at].line, distance);
        }
    }
    for &(no, line) in &found.lines {
        lines.add(program.get(no), line, None);
    }
    lines.add_values(trace, program, found);
    Slice {
        kind: Kind::Dynamic,
        criterion: criterion.to_string(),
        thread: thread.no,
        executed: thread.walked.instructions,
        occurrences: found.occurrences,
        instructions: found.instructions.len(),
        lines: lines.0.into_values().collect(),
        crossings: crossings(trace, found),
    }
}

/// The lines of a slice, by class and number.
#[derive(Default)]
struct Lines(BTreeMap<(String, u16), Line>);

impl Lines {
    /// An instruction of this line; 0 is none.
    fn add(&mut self, method: &Method, line: u16, distance: Option<u32>) {
        if line == 0 {
            return;
        }
        let class = method.owner.replace('/', ".");
        let known = self.0.entry((class.clone(), line)).or_insert_with(|| Line {
            class,
            methods: BTreeSet::new(),
            file: method.file.clone(),
            line,
            instructions: 0,
            distance: None,
            values: Vec::new(),
        });
        known.methods.insert(method.name.clone());
        known.instructions += 1;
        let nearer = |distance: u32| known.distance.is_none_or(|other| distance < other);
        if let Some(distance) = distance.filter(|distance| *distance < FAR && nearer(*distance)) {
            known.distance = Some(distance);
        }
    }

    /// What the variables of the lines held.
    fn add_values(&mut self, trace: &Trace, program: &Program, found: &SliceContent) {
        let describer = Describer::new(trace);
        let mut values: Vec<((MethodNo, usize), String)> = (found.values.iter())
            .filter_map(|(&(no, at), value)| {
                let name = name_of(program, no, at)?;
                Some(((no, at), format!("{name} = {}", describer.value(value))))
            })
            .collect();
        values.sort();
        for ((no, at), text) in values {
            let method = program.get(no);
            let line = method.body.as_ref().map_or(0, |b| b.instructions[at].line);
            let class = method.owner.replace('/', ".");
            if let Some(line) = self.0.get_mut(&(class, line))
                && !line.values.contains(&text)
            {
                line.values.push(text);
            }
        }
    }
}

/// What the value of an instruction is the value of.
fn name_of(program: &Program, method: MethodNo, at: usize) -> Option<String> {
    let body = program.get(method).body.as_ref()?;
    let instruction = &body.instructions[at];
    match instruction.effect.access {
        Access::ArrayLoad | Access::ArrayStore => Some("element".into()),
        Access::Invoke(_) => Some(format!("{}()", instruction.target.as_ref()?.name)),
        _ => Some(program.field_name(instruction.field?)),
    }
}
