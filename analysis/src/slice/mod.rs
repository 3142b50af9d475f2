//! Slices of a recorded run: which instructions, and so which source lines, made something happen
//! (digest `jslice-thesis.md` §3; `detail=instructions`).
//!
//! [`walk`] reconstructs the executed instructions backward from the trace, [`code`] knows what each uses and defines, [`slicer`] collects
//! the closure of dependences from a [`criterion`] on. Calls of code without a record are bridged as [`summaries`] says. Everything the
//! slice could not follow is named in [`Slice::crossings`].

mod activation;
pub mod code;
pub mod criterion;
mod frame;
mod memory;
pub mod slicer;
pub mod summaries;
mod unborn;
pub mod visitor;
pub mod walk;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use jinsi_classfile::effect::Access;
use jinsi_trace::model::ThreadNo;
use jinsi_trace::reader::{ReadError, Trace};
use serde::Serialize;

use crate::describe::Describer;
use crate::history::failure;
use code::{Method, MethodNo, Program};
use criterion::{Criterion, NoSuchPlace, Seeds};
use slicer::{Found, Slicer};
use walk::{Walked, Walker};

/// Why there is no slice.
#[derive(Debug, thiserror::Error)]
pub enum SliceError {
    /// The trace has no instructions.
    #[error("the trace was recorded with detail={0}; slices need detail=instructions")]
    Detail(String),
    /// The run did not fail, and no other criterion was given.
    #[error("no failure was recorded; name a place with --at CLASS:LINE")]
    NoFailure,
    /// The place is not in the recorded code.
    #[error(transparent)]
    Place(#[from] NoSuchPlace),
    /// It is, but was never run, or not so often, or the failure passed through no recorded method.
    #[error("{0} was not reached in the recorded run")]
    NotReached(String),
    /// The trace cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
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

/// A dynamic slice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Slice {
    /// What it explains.
    pub criterion: String,
    /// The thread that was walked.
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

/// The dynamic slice of a trace. Without a criterion, that of its failure.
///
/// # Errors
/// See [`SliceError`].
pub fn slice(trace: &Trace, criterion: Option<Criterion>) -> Result<Slice, SliceError> {
    let detail = &trace.meta().detail;
    if detail != "instructions" {
        return Err(SliceError::Detail(detail.clone()));
    }
    let failed = failure::pick(trace.failures());
    let criterion = match (criterion, failed) {
        (Some(criterion), _) => criterion,
        (None, Some(failure)) => Criterion::Failure(failure.throwable),
        (None, None) => return Err(SliceError::NoFailure),
    };
    let program = Program::of(trace);
    let mut threads: Vec<ThreadNo> = trace.threads().iter().map(|t| t.no).collect();
    if let Some(failed) = failed {
        threads.sort_by_key(|no| *no != failed.thread);
    }
    for &thread in &threads {
        let (found, walked) = of_thread(trace, &program, &criterion, thread)?;
        if found.seeded {
            return Ok(present(trace, &program, &criterion, thread, &found, walked));
        }
    }
    Err(SliceError::NotReached(criterion.to_string()))
}

/// What is in the slice of one thread; nothing, if the criterion is not met there.
///
/// # Errors
/// There is no such place in the recorded code, or the trace cannot be read.
pub fn find(
    trace: &Trace,
    program: &Program,
    criterion: &Criterion,
    thread: ThreadNo,
) -> Result<Found, SliceError> {
    Ok(of_thread(trace, program, criterion, thread)?.0)
}

fn of_thread(
    trace: &Trace,
    program: &Program,
    criterion: &Criterion,
    thread: ThreadNo,
) -> Result<(Found, Walked), SliceError> {
    let walk = |wanted, foreseen: HashSet<u64>| -> Result<_, SliceError> {
        let seeds = Seeds::of(program, criterion, wanted)?;
        let mut slicer = Slicer::new(trace, program, seeds, foreseen);
        let walked = Walker::new(trace, program, thread).run(&mut slicer)?;
        Ok((slicer, walked))
    };
    let mut wanted = 0;
    if let Criterion::Line {
        occurrence: Some(occurrence),
        ..
    } = criterion
    {
        let (counted, walked) = walk(None, HashSet::new())?;
        match counted.runs().checked_sub(*occurrence) {
            Some(from_the_last) => wanted = from_the_last,
            None => return Ok((Found::default(), walked)),
        }
    }
    let alone = trace.threads().len() < 2;
    let mut foreseen = HashSet::new();
    loop {
        let (slicer, walked) = walk(Some(wanted), foreseen.clone())?;
        let known = foreseen.len();
        foreseen.extend(slicer.late());
        if foreseen.len() == known {
            return Ok((slicer.finish(alone), walked));
        }
    }
}

fn present(
    trace: &Trace,
    program: &Program,
    criterion: &Criterion,
    thread: ThreadNo,
    found: &Found,
    walked: Walked,
) -> Slice {
    let mut lines = Lines::default();
    for &(no, at) in &found.instructions {
        let method = program.get(no);
        if let Some(body) = &method.body {
            lines.add(method, body.instructions[at].line);
        }
    }
    for &(no, line) in &found.lines {
        lines.add(program.get(no), line);
    }
    lines.add_values(trace, program, found);
    let crossings = found.crossings.iter().map(|(what, times)| Crossing {
        what: what.clone(),
        times: *times,
    });
    Slice {
        criterion: criterion.to_string(),
        thread,
        executed: walked.instructions,
        occurrences: found.occurrences,
        instructions: found.instructions.len(),
        lines: lines.0.into_values().collect(),
        crossings: crossings.collect(),
    }
}

/// The lines of a slice, by class and number.
#[derive(Default)]
struct Lines(BTreeMap<(String, u16), Line>);

impl Lines {
    /// An instruction of this line; 0 is none.
    fn add(&mut self, method: &Method, line: u16) {
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
            values: Vec::new(),
        });
        known.methods.insert(method.name.clone());
        known.instructions += 1;
    }

    /// What the variables of the lines held.
    fn add_values(&mut self, trace: &Trace, program: &Program, found: &Found) {
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
