//! What a thread comes to next, and what it came to last: runs of a line, calls of a method; and where the other threads are meanwhile.

use jinsi_trace::model::{EventId, MemberRef, ThreadNo};

use crate::Inspector;
use crate::error::InspectError;
use crate::index::{Row, StretchNo};
use crate::lines::{Line, LineRuns};
use crate::memory::Horizon;
use crate::moment::{At, Moment};
use crate::point::Stop;

/// That a thread came to a line, or called a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Right before the first instruction of the line, or of the method.
    pub moment: Moment,
    /// The how-manieth time of this thread it was, from 1.
    pub number: u64,
}

/// The place of a moment among those of all threads. Threads that race have no order, and get one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place(u64, u32);

impl Inspector<'_> {
    /// The next time that the thread comes to the line, behind this moment.
    ///
    /// # Errors
    /// No recorded code is on this line; the trace cannot be read.
    pub fn run_behind(&self, line: &Line, moment: Moment) -> Result<Option<Run>, InspectError> {
        let runs = self.line_runs(line, moment.thread())?;
        let from = self.stretch_at(moment)?;
        let mut number = 0;
        for (no, count) in &runs.stretches {
            if *no >= from {
                let all = self.runs_within(moment.thread(), *no, &runs, line)?;
                if let Some(at) = all.iter().position(|run| *run > moment) {
                    let number = number + at as u64 + 1;
                    return Ok(Some(Run {
                        moment: all[at],
                        number,
                    }));
                }
            }
            number += count;
        }
        Ok(None)
    }

    /// The last time that the thread came to the line, before this moment.
    ///
    /// # Errors
    /// No recorded code is on this line; the trace cannot be read.
    pub fn run_before(&self, line: &Line, moment: Moment) -> Result<Option<Run>, InspectError> {
        let runs = self.line_runs(line, moment.thread())?;
        let until = self.stretch_at(moment)?;
        let mut number: u64 = runs.stretches.iter().map(|(_, count)| count).sum();
        for (no, count) in runs.stretches.iter().rev() {
            number -= count;
            if *no > until {
                continue;
            }
            let all = self.runs_within(moment.thread(), *no, &runs, line)?;
            let before = all.partition_point(|run| *run < moment);
            if let Some(at) = before.checked_sub(1) {
                return Ok(Some(Run {
                    moment: all[at],
                    number: number + before as u64,
                }));
            }
        }
        Ok(None)
    }

    fn stretch_at(&self, moment: Moment) -> Result<StretchNo, InspectError> {
        let index = self.index.threads.get(&moment.thread());
        let index = index.ok_or(InspectError::NoThread(moment.thread()))?;
        Ok(match index.stretches() {
            0 => 0,
            _ => index.stretch_at(moment.at()),
        })
    }

    /// When the line was come to in a stretch.
    fn runs_within(
        &self,
        thread: ThreadNo,
        no: StretchNo,
        runs: &LineRuns,
        line: &Line,
    ) -> Result<Vec<Moment>, InspectError> {
        let mut stop = Stop::beginning(self.player(), thread, no)?;
        let mut all = Vec::new();
        while self.forward_to(&mut stop, no, &runs.methods, line.line)? {
            all.push(stop.moment());
            stop.pass();
        }
        Ok(all)
    }

    /// The next call of the method in the thread, behind this moment: where its activation begins.
    ///
    /// # Errors
    /// There is no such thread.
    pub fn call_behind(
        &self,
        method: &MemberRef,
        moment: Moment,
    ) -> Result<Option<Run>, InspectError> {
        let (rows, at) = self.rows_up_to(moment, true)?;
        let found = rows[at..].iter().position(|row| self.is_of(row, method));
        Ok(found.map(|place| self.called(rows, at + place, method, moment.thread())))
    }

    /// The last call of the method in the thread, before this moment.
    ///
    /// # Errors
    /// There is no such thread.
    pub fn call_before(
        &self,
        method: &MemberRef,
        moment: Moment,
    ) -> Result<Option<Run>, InspectError> {
        let (rows, at) = self.rows_up_to(moment, false)?;
        let found = rows[..at].iter().rposition(|row| self.is_of(row, method));
        Ok(found.map(|place| self.called(rows, place, method, moment.thread())))
    }

    fn called(&self, rows: &[Row], at: usize, method: &MemberRef, thread: ThreadNo) -> Run {
        let earlier = rows[..at].iter().filter(|row| self.is_of(row, method));
        Run {
            moment: begin(&rows[at], thread),
            number: earlier.count() as u64 + 1,
        }
    }

    /// The activations of a thread, and how many of them begin before a moment, or at it.
    fn rows_up_to(&self, moment: Moment, at_it: bool) -> Result<(&[Row], usize), InspectError> {
        let thread = moment.thread();
        let index = self.index.threads.get(&thread);
        let rows = &index.ok_or(InspectError::NoThread(thread))?.rows;
        let count = rows.partition_point(|row| {
            let begin = begin(row, thread);
            begin < moment || at_it && begin == moment
        });
        Ok((rows, count))
    }

    fn is_of(&self, row: &Row, method: &MemberRef) -> bool {
        let code = self.facts.program.get(row.method);
        code.name == *method.name && code.desc == *method.desc && code.owner == *method.owner
    }

    /// Where another thread is at a moment: right before its next instruction then, or its last one if it has ended. `None`: it has no instructions.
    ///
    /// # Errors
    /// There is no such thread; the trace cannot be read.
    pub fn beside(&self, moment: Moment, thread: ThreadNo) -> Result<Option<Moment>, InspectError> {
        let limit: At = Horizon::of(self, moment).limit(thread);
        match Stop::at_or_behind(self.player(), thread, limit)? {
            Some(stop) => Ok(Some(stop.moment())),
            None => self.last(thread),
        }
    }

    /// The place of a moment among those of all threads.
    pub fn place(&self, moment: Moment) -> Place {
        Place(self.index.order.rank(moment.event), moment.step)
    }
}

/// Where an activation begins.
fn begin(row: &Row, thread: ThreadNo) -> Moment {
    Moment::after(EventId {
        thread,
        index: row.began,
    })
}
