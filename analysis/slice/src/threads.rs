//! The slice of a thread, and of those that wrote what it used.
//!
//! Each thread is walked by itself. If several threads wrote a variable, it is not known which write was read. So every write by another
//! thread is in the slice, whenever it happened. The slice has all that it has to have, and may have more.

use std::collections::BTreeMap;
use std::rc::Rc;

use jinsi_trace::model::ThreadNo;
use jinsi_trace::reader::Trace;

use super::content::SliceContent;
use super::criterion::{Criterion, Seeds};
use super::error::SliceError;
use super::foreseen::Foreseen;
use super::others::{self, Used};
use super::relevance::Relevance;
use super::settling::settled;
use super::slicer::Slicer;
use jinsi_history::failures::{self, NoCrash};
use jinsi_steps::code::Program;
use jinsi_steps::walk::{Walked, Walker};

/// Most times that the threads are walked over: each time another one's slice has grown.
const ROUNDS: usize = 16;
/// What is said where that was too few.
const UNSETTLED: &str = "threads that wrote for each other in turn: not followed to the end";

/// Does the trace say which way methods went?
pub fn has_instructions(trace: &Trace) -> bool {
    trace.meta().detail.has_instructions()
}

/// The criterion of a slice of this trace; without one, its failure.
pub(super) fn criterion_of(
    trace: &Trace,
    criterion: Option<Criterion>,
) -> Result<Criterion, SliceError> {
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

/// What is sliced, and how.
pub(super) struct Wanted<'a, 't> {
    pub(super) trace: &'t Trace,
    pub(super) program: &'t Program,
    pub(super) criterion: &'a Criterion,
    /// Of a relevant slice.
    pub(super) relevance: Option<Rc<Relevance<'t>>>,
    /// Are dependences between lines noted?
    pub(super) draws: bool,
}

/// The slice of a thread.
#[derive(Debug)]
pub(super) struct Thread {
    pub(super) no: ThreadNo,
    pub(super) found: SliceContent,
    pub(super) walked: Walked,
    /// Which run of the criterion's line it begins with, from the last, 0, on.
    pub(super) wanted: u64,
    /// What its walk has to know before it meets it.
    pub(super) foreseen: Foreseen,
    used: Used,
}

impl<'t> Wanted<'_, 't> {
    /// The slice of the first thread in which the criterion is met; the failed thread before others.
    pub(super) fn seeded(&self) -> Result<Thread, SliceError> {
        let mut threads: Vec<ThreadNo> = self.trace.threads().iter().map(|t| t.no).collect();
        if let Some(failed) = failures::pick(self.trace.failures()) {
            threads.sort_by_key(|no| *no != failed.thread);
        }
        for no in threads {
            let thread = self.of(no)?;
            if thread.found.seeded {
                return Ok(thread);
            }
        }
        Err(SliceError::NotReached(self.criterion.to_string()))
    }

    /// The slice of one thread, with nothing found if the criterion is not met there.
    pub(super) fn of(&self, no: ThreadNo) -> Result<Thread, SliceError> {
        let mut wanted = 0;
        if let Criterion::Line {
            occurrence: Some(occurrence),
            ..
        } = self.criterion
        {
            let mut counted = self.slicer(Some(None), &Rc::default())?;
            let walked = Walker::new(self.trace, self.program, no).run(&mut counted)?;
            match counted.runs().checked_sub(*occurrence) {
                Some(from_the_last) => wanted = from_the_last,
                None => {
                    return Ok(Thread {
                        no,
                        found: SliceContent::default(),
                        walked,
                        wanted,
                        foreseen: Foreseen::default(),
                        used: Used::default(),
                    });
                }
            }
        }
        let mut thread = self.walked(no, Some(wanted), &Rc::default())?;
        let others = self.trace.threads().iter().filter(|other| other.no != no);
        for (what, times) in others::written(self.trace, self.program, &thread.used, others)? {
            *thread.found.crossings.entry(what).or_default() += times;
        }
        Ok(thread)
    }

    /// The slice of `first` with what other threads wrote of the memory that it used, and why, and so on.
    pub(super) fn with_others(&self, first: Thread) -> Result<Thread, SliceError> {
        let threads = self.trace.threads();
        if threads.len() < 2 {
            return Ok(first);
        }
        let named = first.found.crossings.clone();
        let mut slices: BTreeMap<ThreadNo, Thread> = BTreeMap::new();
        let (no, wanted) = (first.no, first.wanted);
        slices.insert(no, first);
        let mut known: BTreeMap<ThreadNo, usize> = BTreeMap::new();
        let mut grown = true;
        for _ in 0..ROUNDS {
            grown = false;
            for thread in threads {
                let mut elsewhere = Used::default();
                for other in slices.values().filter(|other| other.no != thread.no) {
                    elsewhere.extend(&other.used);
                }
                if known.insert(thread.no, elsewhere.len()) == Some(elsewhere.len())
                    || elsewhere.is_empty()
                {
                    continue;
                }
                let wanted = (thread.no == no).then_some(wanted);
                let slice = self.walked(thread.no, wanted, &Rc::new(elsewhere))?;
                grown |= slice.found.occurrences > 0;
                slices.insert(thread.no, slice);
            }
            if !grown {
                break;
            }
        }
        let Some(mut whole) = slices.remove(&no) else {
            return Err(SliceError::NotReached(self.criterion.to_string()));
        };
        whole.found.crossings.extend(named);
        if grown {
            whole.found.crossings.insert(UNSETTLED.to_owned(), 1);
        }
        for (other, slice) in slices {
            if slice.found.occurrences == 0 {
                continue;
            }
            whole.walked.instructions += slice.walked.instructions;
            whole.found.join(slice.found);
            let name = threads.iter().find(|t| t.no == other).map(|t| &t.name);
            let name = name.map_or("", String::as_str);
            let what = format!("thread {name}: what started it is not looked into");
            whole.found.crossings.insert(what, 1);
        }
        Ok(whole)
    }

    /// A walk over a thread: from which run of the criterion's line, if it is that of the criterion, and what slices of others use.
    fn walked(
        &self,
        no: ThreadNo,
        wanted: Option<u64>,
        elsewhere: &Rc<Used>,
    ) -> Result<Thread, SliceError> {
        let make = || self.slicer(wanted.map(Some), elsewhere);
        let (slicer, walked) = settled(self.trace, no, Foreseen::default(), make)?;
        let foreseen = slicer.foreseen().clone();
        let (found, used) = slicer.finish();
        Ok(Thread {
            no,
            found,
            walked,
            wanted: wanted.unwrap_or(0),
            foreseen,
            used,
        })
    }

    /// `wanted`: from which run of the criterion's line, or none but all counted; nothing where the criterion is not.
    fn slicer(
        &self,
        wanted: Option<Option<u64>>,
        elsewhere: &Rc<Used>,
    ) -> Result<Slicer<'t>, SliceError> {
        let seeds = match wanted {
            Some(wanted) => Seeds::of(self.program, self.criterion, wanted)?,
            None => Seeds::default(),
        };
        let mut slicer = Slicer::new(self.trace, self.program, seeds).drawn(self.draws);
        if let (Some(relevance), None | Some(Some(_))) = (&self.relevance, wanted) {
            slicer = slicer.relevant(Rc::clone(relevance));
        }
        Ok(match self.trace.threads().len() {
            0 | 1 => slicer,
            _ => slicer.among_threads(Rc::clone(elsewhere)),
        })
    }
}
