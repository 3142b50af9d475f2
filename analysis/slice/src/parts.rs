//! Which calls had a part in something that a call gave: those in which an instruction of the slice ran that begins at the call's end.
//!
//! The slice ends where the call begins: what it was given is not looked into. It is that of one thread.

use std::rc::Rc;

use jinsi_steps::code::Program;
use jinsi_trace::reader::Trace;

use super::criterion::Seeds;
use super::error::SliceError;
use super::foreseen::Foreseen;
use super::part::CallResult;
use super::relevance::Relevance;
use super::result::Kind;
use super::settling::settled;
use super::slicer::Slicer;

/// The calls that had a part in it, by the index of the event with which each began; the call itself is among them.
///
/// # Errors
/// The call's end cannot be followed; the trace has no instructions or cannot be read.
pub fn calls_with_a_part(
    trace: &Trace,
    call_result: &CallResult,
    kind: Kind,
) -> Result<Vec<u64>, SliceError> {
    let detail = trace.meta().detail;
    if !detail.has_instructions() {
        return Err(SliceError::Detail(detail));
    }
    let program = Program::of(trace);
    let relevance = match kind {
        Kind::Dynamic => None,
        Kind::Relevant => Some(Rc::new(Relevance::of(trace, &program)?)),
    };
    let make = || {
        let slicer = Slicer::new(trace, &program, Seeds::default()).for_part(call_result.clone());
        Ok(match &relevance {
            Some(relevance) => slicer.relevant(Rc::clone(relevance)),
            None => slicer,
        })
    };
    let (slicer, _) = settled(trace, call_result.call.thread, Foreseen::default(), make)?;
    let lost = || SliceError::NotReached(format!("the end of call {}", call_result.call));
    let part = slicer.part.filter(|part| part.is_done()).ok_or_else(lost)?;
    // It was another one whose end was taken for that of the call.
    if part.index != call_result.call.index {
        return Err(lost());
    }
    let mut calls = part.calls;
    calls.push(call_result.call.index);
    calls.sort_unstable();
    calls.dedup();
    Ok(calls)
}
