//! Walking until no call turns out late to be in the slice.
//!
//! Whether a call is in the slice may be known only at its beginning, when what it called back has been walked over without that. Then what
//! came before its end is still right: the walk goes on from the last state that was kept before, with the call foreseen.

use std::collections::HashSet;

use jinsi_trace::model::ThreadNo;
use jinsi_trace::reader::Trace;

use super::SliceError;
use super::slicer::Slicer;
use super::walk::{Walked, Walker};

/// Into how many stretches a walk is divided, after each of which its state may be kept; and the fewest events of one.
const STRETCHES: u64 = 64;
const LEAST: u64 = 1 << 14;
/// The state is kept after one of so many stretches, as long as nothing called back has been met that may make a call late.
const SELDOM: u64 = 4;
/// States that are kept, the newest ones.
const KEPT: usize = 6;

/// Walks over a thread with a slicer that `make` makes, with the calls that have to be foreseen for its slice.
pub(super) fn settled<'t>(
    trace: &'t Trace,
    thread: ThreadNo,
    mut foreseen: HashSet<u64>,
    make: impl Fn() -> Result<Slicer<'t>, SliceError>,
) -> Result<(Slicer<'t>, Walked), SliceError> {
    let stretch = (trace.event_count(thread) / STRETCHES).max(LEAST);
    let fresh = |foreseen: &HashSet<u64>| {
        let mut slicer = make()?;
        slicer.foresee(foreseen);
        let walker = Walker::new(trace, slicer.program, thread);
        Ok::<_, SliceError>((slicer, walker))
    };
    let mut kept: Vec<(Slicer<'t>, Walker<'t>)> = Vec::new();
    let (mut slicer, mut walker) = fresh(&foreseen)?;
    let mut stretches = 0u64;
    loop {
        let walked = walker.run_for(stretch, &mut slicer)?;
        if let Some(newest) = slicer.late().difference(&foreseen).min().copied() {
            foreseen.extend(slicer.late());
            kept.retain(|(before, _)| before.calls() < newest);
            (slicer, walker) = match kept.last() {
                Some(state) => state.clone(),
                None => fresh(&foreseen)?,
            };
            slicer.foresee(&foreseen);
            continue;
        }
        if let Some(walked) = walked {
            return Ok((slicer, walked));
        }
        stretches += 1;
        if slicer.may_be_late() || stretches.is_multiple_of(SELDOM) {
            if kept.len() == KEPT {
                kept.remove(0);
            }
            kept.push((slicer.clone(), walker.clone()));
        }
    }
}
