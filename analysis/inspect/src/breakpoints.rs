//! What a thread comes to next, and what it came to last: runs of a line, calls of a method; and where the other threads are meanwhile.

use jinsi_steps::code::MethodNo;
use jinsi_trace::model::{EventId, MemberRef, ThreadNo};

use crate::Inspector;
use crate::error::InspectError;
use crate::index::{Row, StretchNo, ThreadIndex};
use crate::lines::{Line, LineRuns};
use crate::memory::Horizon;
use crate::point::Stop;
use jinsi_steps::moment::{At, Moment};

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
        let index = self.thread(moment.thread())?;
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
        let methods = self.methods_of(method);
        let from = self.stretch_at(moment)?;
        let mut number = 0;
        for (no, count) in self.begun(moment.thread(), &methods) {
            if no >= from {
                let replayed = self.player().stretch(moment.thread(), no)?;
                let rows = replayed.rows.iter();
                let rows = rows.filter(|row| methods.contains(&row.method));
                let begins = rows.map(|row| begin(row, moment.thread()));
                if let Some((at, moment)) = (1..).zip(begins).find(|(_, begin)| *begin > moment) {
                    let number = number + at;
                    return Ok(Some(Run { moment, number }));
                }
            }
            number += count;
        }
        Ok(None)
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
        let methods = self.methods_of(method);
        let until = self.stretch_at(moment)?;
        let begun = self.begun(moment.thread(), &methods);
        let mut number: u64 = begun.iter().map(|(_, count)| count).sum();
        for (no, count) in begun.into_iter().rev() {
            number -= count;
            if no > until {
                continue;
            }
            let replayed = self.player().stretch(moment.thread(), no)?;
            let rows = replayed.rows.iter();
            let rows = rows.filter(|row| methods.contains(&row.method));
            let begins = rows.map(|row| begin(row, moment.thread()));
            let before = (1..).zip(begins.take_while(|begin| *begin < moment)).last();
            if let Some((at, moment)) = before {
                let number = number + at;
                return Ok(Some(Run { moment, number }));
            }
        }
        Ok(None)
    }

    fn thread(&self, thread: ThreadNo) -> Result<&ThreadIndex, InspectError> {
        let index = self.index.threads.get(&thread);
        index.ok_or(InspectError::NoThread(thread))
    }

    /// The numbers of a method: class loaders may have several.
    pub(crate) fn methods_of(&self, method: &MemberRef) -> Vec<MethodNo> {
        let all = self.facts.program.methods().iter().enumerate();
        let those = all.filter(|(_, code)| {
            code.name == *method.name && code.desc == *method.desc && code.owner == *method.owner
        });
        those.map(|(no, _)| MethodNo::from_index(no)).collect()
    }

    /// The stretches of a thread in which one of these methods began, rising, and how often.
    pub(crate) fn begun(&self, thread: ThreadNo, methods: &[MethodNo]) -> Vec<(StretchNo, u64)> {
        self.index.lines(thread, methods, 0)
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
