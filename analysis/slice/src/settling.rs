//! Repeats the walk until nothing turns out too late: that a call is in the slice, or that an object holds another.
//!
//! A call may turn out to be in the slice only at its beginning. By then the walk has passed what the call called back, without knowing
//! that. What it did before the call's end is still right. So it goes on from the last state that was kept before, with the call foreseen.

use std::rc::Rc;

use jinsi_trace::model::ThreadNo;
use jinsi_trace::reader::Trace;

use super::error::SliceError;
use super::foreseen::Foreseen;
use super::slicer::Slicer;
use jinsi_steps::walk::{Walked, Walker};

/// Into how many stretches a walk is divided, after each of which its state may be kept; and the fewest events of one.
const STRETCHES: u64 = 64;
const LEAST: u64 = 1 << 14;
/// The state is kept after one of so many stretches, as long as nothing called back has been met that may make a call late.
const SELDOM: u64 = 4;
/// States that are kept, the newest ones.
const KEPT: usize = 6;

/// Most times that a walk begins again because objects held others.
const AGAIN: usize = 8;
/// What is said where that was too few.
const UNSETTLED: &str = "objects of the JDK that hold others: not followed to the end";

/// Walks over a thread with a slicer that `make` makes, with what has to be foreseen for its slice.
pub(super) fn settled<'t>(
    trace: &'t Trace,
    thread: ThreadNo,
    mut foreseen: Foreseen,
    make: impl Fn() -> Result<Slicer<'t>, SliceError>,
) -> Result<(Slicer<'t>, Walked), SliceError> {
    let stretch = (trace.event_count(thread) / STRETCHES).max(LEAST);
    let fresh = |foreseen: &Foreseen| {
        let mut slicer = make()?;
        slicer.foresee(foreseen);
        let walker = Walker::new(trace, slicer.program, thread);
        Ok::<_, SliceError>((slicer, walker))
    };
    let mut kept: Vec<(Slicer<'t>, Walker<'t>)> = Vec::new();
    let (mut slicer, mut walker) = fresh(&foreseen)?;
    let (mut stretches, mut again) = (0u64, 0);
    loop {
        let walked = walker.run_for(stretch, &mut slicer)?;
        if let Some(newest) = slicer.late().difference(&foreseen.calls).min().copied() {
            foreseen.calls.extend(slicer.late());
            kept.retain(|(before, _)| before.calls() < newest);
            (slicer, walker) = match kept.last() {
                Some(state) => state.clone(),
                None => fresh(&foreseen)?,
            };
            slicer.foresee(&foreseen);
            continue;
        }
        if let Some(walked) = walked {
            let links = Rc::make_mut(&mut foreseen.links);
            let mut news = false;
            for link in slicer.held() {
                news |= links.insert(*link);
            }
            if !news || again == AGAIN {
                if !slicer.held().is_empty() {
                    slicer.cross(UNSETTLED.to_owned());
                }
                return Ok((slicer, walked));
            }
            again += 1;
            kept.clear();
            (slicer, walker) = fresh(&foreseen)?;
            continue;
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
