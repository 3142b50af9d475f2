//! Slices of a recorded run: which instructions, and so which source lines, made something happen
//! (Wang 2007, chapter 3; `detail=instructions`).
//!
//! [`jinsi_steps::walk`] reconstructs the executed instructions backward from the trace, and [`jinsi_steps::code`] knows what each uses and
//! defines. [`slicer`] collects everything that the [`criterion`] depends on, directly or indirectly. For calls of code that was not
//! recorded, [`summaries`] says what depends on what. What the slice could not follow is named in [`Slice::crossings`].

mod activation;
mod bridge;
mod computing;
pub mod content;
pub mod criterion;
mod division;
pub mod drawing;
mod error;
mod foreseen;
pub mod hierarchy;
mod included;
pub mod kinds;
mod links;
pub mod may;
mod memory;
mod noting;
mod others;
mod part;
mod parts;
mod present;
mod relevance;
pub mod relevant;
mod result;
pub mod sarif;
mod settling;
pub mod slicer;
pub mod sources;
pub mod summaries;
pub mod text;
mod threads;
mod unknown;
mod using;
mod visiting;
mod watch;

use std::rc::Rc;

use jinsi_trace::model::ThreadNo;
use jinsi_trace::reader::Trace;

use content::SliceContent;
use criterion::Criterion;
use drawing::Dependence;
pub use error::SliceError;
use jinsi_steps::code::Program;
pub use part::CallResult;
pub use parts::calls_with_a_part;
use present::present;
use relevance::Relevance;
pub use result::{Crossing, Kind, Line, Slice};
pub use threads::has_instructions;
use threads::{Wanted, criterion_of};

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
