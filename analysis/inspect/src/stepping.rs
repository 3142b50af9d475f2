//! From one instruction to another.

use jinsi_trace::model::{EventId, ThreadNo};

use crate::Inspector;
use crate::error::InspectError;
use crate::index::Row;
use crate::point::Stop;
use jinsi_steps::moment::{At, Moment};

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// To the next line, in whatever activation.
    Into,
    /// To the next line of the same activation, or of one around it.
    Over,
    /// To the end of the activation: the next line of one around it. Backward: to where it began, in the one around it.
    Out,
}

impl Inspector<'_> {
    /// The first instruction of a thread, if there is one.
    ///
    /// # Errors
    /// There is no such thread; the trace cannot be read.
    pub fn first(&self, thread: ThreadNo) -> Result<Option<Moment>, InspectError> {
        self.from(At::default().of(thread), At::default())
    }

    /// The last instruction of a thread, if there is one.
    ///
    /// # Errors
    /// There is no such thread; the trace cannot be read.
    pub fn last(&self, thread: ThreadNo) -> Result<Option<Moment>, InspectError> {
        let end = At {
            events: u64::MAX,
            step: 0,
        };
        Stop::last_before(self.player(), thread, end, |_, _| true)
    }

    /// The instruction behind the one at this moment, if there is one.
    ///
    /// # Errors
    /// There is no such thread; the trace cannot be read.
    pub fn next(&self, moment: Moment) -> Result<Option<Moment>, InspectError> {
        let mut behind = moment.at();
        behind.step = behind.step.saturating_add(1);
        self.from(moment, behind)
    }

    /// The instruction before the one at this moment, if there is one.
    ///
    /// # Errors
    /// There is no such thread; the trace cannot be read.
    pub fn back(&self, moment: Moment) -> Result<Option<Moment>, InspectError> {
        Stop::last_before(self.player(), moment.thread(), moment.at(), |_, _| true)
    }

    fn from(&self, moment: Moment, at: At) -> Result<Option<Moment>, InspectError> {
        match Stop::at_or_behind(self.player(), moment.thread(), at)? {
            Some(stop) => Ok(Some(stop.moment())),
            None => Ok(None),
        }
    }

    /// A step forward, as a debugger makes it.
    ///
    /// # Errors
    /// There is no instruction at this moment; the trace cannot be read.
    pub fn step(&self, moment: Moment, stride: Stride) -> Result<Option<Moment>, InspectError> {
        let mut stop = Stop::at(self.player(), moment)?;
        let (depth, line) = stop.depth_and_line();
        let at = stop.machine.now;
        let found = stop.forward(|machine, instruction| {
            let here = machine.frames.len();
            let new = crate::point::line_of(machine, instruction) != line || here != depth;
            machine.now > at
                && new
                && match stride {
                    Stride::Into => true,
                    Stride::Over => here <= depth,
                    Stride::Out => here < depth,
                }
        })?;
        Ok(found.then(|| stop.moment()))
    }

    /// A step backward: to the beginning of the line that ran before.
    ///
    /// # Errors
    /// There is no instruction at this moment; the trace cannot be read.
    pub fn step_back(
        &self,
        moment: Moment,
        stride: Stride,
    ) -> Result<Option<Moment>, InspectError> {
        let stop = Stop::at(self.player(), moment)?;
        let thread = stop.thread;
        let (depth, _) = stop.depth_and_line();
        let mut last = None;
        let outer = Stop::last_before(self.player(), thread, stop.machine.now, |machine, at| {
            let here = machine.frames.len();
            let wanted = match stride {
                Stride::Into => true,
                Stride::Over => here <= depth,
                Stride::Out => here < depth,
            };
            if wanted {
                last = Some((here, crate::point::line_of(machine, at)));
            }
            wanted
        })?;
        let (Some(outer), Some((depth, line))) = (outer, last) else {
            return Ok(None);
        };
        self.line_start(outer, depth, line).map(Some)
    }

    /// Where the run of the line began in which this moment is.
    fn line_start(&self, moment: Moment, depth: usize, line: u16) -> Result<Moment, InspectError> {
        let mut start = moment;
        loop {
            let mut same = false;
            let before =
                Stop::last_before(self.player(), start.thread(), start.at(), |machine, at| {
                    let here = machine.frames.len();
                    if here <= depth {
                        same = here == depth && crate::point::line_of(machine, at) == line;
                    }
                    here <= depth
                })?;
            match before {
                Some(before) if same => start = before,
                _ => return Ok(start),
            }
        }
    }

    /// The activation with this name.
    ///
    /// # Errors
    /// There is none; the trace cannot be read.
    pub(crate) fn row(&self, name: EventId) -> Result<Row, InspectError> {
        let row = self.player().row(name.thread, name.index)?;
        row.ok_or(InspectError::NoActivation(name))
    }
}
