//! The stretches of a thread: where they begin, and what is in them.

use std::collections::VecDeque;

use jinsi_steps::code::{Instruction, Program};
use jinsi_steps::parked::Parked;
use jinsi_steps::walk::{EventOperands, Location, Met, Opening, Step, Visitor, Walker};
use jinsi_trace::model::{ObjectId, ThreadNo};
use jinsi_trace::reader::{ReadError, Trace};
use jinsi_trace::varint::Reader;

use super::STRETCH;
use super::gathered::{Gathered, Gatherer};
use jinsi_steps::tape::{Recorder, Tape};

/// Where the walk of a thread can begin, oldest first, as bytes: many activations may be open in each.
pub(super) struct ParkedThread {
    places: Vec<Vec<u8>>,
    /// Activations whose instructions are not known.
    pub(super) lost: u64,
}

pub(super) fn park(
    trace: &Trace,
    program: &Program,
    thread: ThreadNo,
) -> Result<ParkedThread, ReadError> {
    let mut walker = Walker::new(trace, program, thread);
    let mut places = Vec::new();
    let mut last = u64::MAX;
    let mut left = trace.event_count(thread);
    loop {
        let here = walker.park();
        if here.events < last {
            last = here.events;
            let mut bytes = Vec::new();
            here.write(&mut bytes);
            places.push(bytes);
        }
        if left == 0 {
            break;
        }
        left = (left - 1) / STRETCH * STRETCH;
        if !walker.run_back_to(left, &mut Nobody)? {
            left = 0;
        }
    }
    places.reverse();
    let lost = walker.walked().lost;
    Ok(ParkedThread { places, lost })
}

impl ParkedThread {
    /// Where the stretch with this number begins; of the number of stretches, where the last one ends.
    pub(super) fn at(&self, no: usize, program: &Program) -> Parked {
        let bytes = self.places.get(no).map_or(&[][..], Vec::as_slice);
        // It was written a moment ago, for this program.
        Parked::read(&mut Reader::new(bytes), program).unwrap_or_default()
    }

    pub(super) fn stretches(&self) -> usize {
        self.places.len().saturating_sub(1)
    }
}

/// Reads the stretches of a thread.
pub(super) struct StretchReader<'a> {
    code: (&'a Trace, &'a Program),
    parked: &'a ParkedThread,
    thread: ThreadNo,
    gatherer: Gatherer<'a>,
}

impl<'a> StretchReader<'a> {
    pub(super) fn new(
        code: (&'a Trace, &'a Program),
        parked: &'a ParkedThread,
        thread: ThreadNo,
    ) -> Self {
        Self {
            code,
            parked,
            thread,
            gatherer: Gatherer::new(code.0),
        }
    }

    /// Reads the stretches of a group, in one walk back from its end; gives them oldest first.
    pub(super) fn read(&mut self, group: usize, mut memory: Vec<Tape>) -> Result<Group, ReadError> {
        let (trace, program) = self.code;
        let first = group * TOGETHER;
        let last = (first + TOGETHER).min(self.parked.stretches());
        let mut to = self.parked.at(last, program);
        let mut walker = Walker::resume(trace, program, self.thread, &to)?;
        let mut stretches = VecDeque::new();
        for no in (first..last).rev() {
            let from = self.parked.at(no, program);
            let memory = memory.pop().unwrap_or_default();
            let mut recorder = Recorder::new(program, &to, memory);
            walker.run_back_to(from.events, &mut recorder)?;
            let tape = recorder.finish();
            let gathered = self.gatherer.gather(&from, &tape);
            stretches.push_front((tape, gathered));
            to = from;
        }
        Ok(stretches)
    }
}

/// Stretches that are read together, oldest first, each with what was gathered of it.
pub(super) type Group = VecDeque<(Tape, Gathered)>;

/// So many are: as many as some three chunks of the trace have. Only the chunks at both ends are decoded for two groups.
pub(super) const TOGETHER: usize = 12;

/// Takes the events of a walk, and does nothing.
struct Nobody;

impl Visitor for Nobody {
    fn opened(&mut self, _: &Opening) {}
    fn stepped(&mut self, _: &Step<'_>) {}
    fn call_ended(&mut self, _: &Step<'_>) {}
    fn call_began(&mut self, _: usize, _: EventOperands<'_>) {}
    fn caught(&mut self, _: jinsi_classfile::cfg::BlockNo, _: usize, _: ObjectId) {}
    fn began(&mut self) {}
    fn lost(&mut self, _: &'static str) {}
    fn unexplained(&mut self, _: Met<'_>, _: Option<Location>) {}
    fn resumed(&mut self, _: usize) {}
    fn outside(&mut self, _: Met<'_>, _: Location) {}
    fn is_indifferent(&self, _: &Instruction) -> bool {
        true
    }
}
