//! The next place to stop at, or the last before.

use std::cell::RefCell;

use jinsi_answers::named;
use jinsi_inspect::{Line, Moment, Run};
use jinsi_trace::model::{MemberRef, ThreadNo};

use super::points::{Filter, Point, is_true};
use super::{Raised, Session};
use crate::error::DapError;

/// Hits of a breakpoint of which none counts, before that is said.
const TRIES: usize = 20_000;

/// A breakpoint that is met.
#[derive(Debug)]
pub(super) struct Hit {
    pub(super) moment: Moment,
    pub(super) reason: &'static str,
    pub(super) raised: Option<Raised>,
}

impl Session<'_, '_> {
    /// The next breakpoint that is met, in any thread; or the last one before.
    pub(super) fn hit(&mut self, forward: bool) -> Result<Option<Hit>, DapError> {
        let notes = RefCell::new(Vec::new());
        let mut best: Option<Hit> = None;
        let threads = self.inspector.trace().threads().iter();
        let threads: Vec<ThreadNo> = threads.map(|thread| thread.no).collect();
        for thread in threads {
            let Some(from) = self.from(thread, forward)? else {
                continue;
            };
            for (point, filter) in self.points.all() {
                let found = self.met(point, filter, from, forward, &notes)?;
                let Some(hit) = found else { continue };
                let place = |hit: &Hit| self.inspector.place(hit.moment);
                let nearer = best.as_ref().is_none_or(|best| match forward {
                    true => place(&hit) < place(best),
                    false => place(&hit) > place(best),
                });
                if nearer {
                    best = Some(hit);
                }
            }
        }
        for note in notes.into_inner() {
            self.note(&note);
        }
        Ok(best)
    }

    /// What a hit of the thread has to lie behind, or before.
    fn from(&self, thread: ThreadNo, forward: bool) -> Result<Option<Moment>, DapError> {
        if thread == self.now.thread() {
            return Ok(Some(self.now));
        }
        let there = self.inspector.beside(self.now, thread)?;
        let Some(there) = there else {
            return Ok(None);
        };
        // Its next instruction lies ahead.
        match forward {
            true => Ok(Some(self.inspector.back(there)?.unwrap_or(there))),
            false => Ok(Some(there)),
        }
    }

    fn met(
        &self,
        point: &Point,
        filter: &Filter,
        from: Moment,
        forward: bool,
        notes: &RefCell<Vec<String>>,
    ) -> Result<Option<Hit>, DapError> {
        let at = |moment: Option<Moment>, reason| {
            Ok(moment.map(|moment| Hit {
                moment,
                reason,
                raised: None,
            }))
        };
        let counts = |run: &Run| self.counts(filter, run, notes);
        match point {
            Point::Line(line) => at(
                self.first(
                    from,
                    &|from| self.run_of(line, from, forward),
                    &counts,
                    notes,
                )?,
                "breakpoint",
            ),
            Point::Call(method) => at(
                self.first(
                    from,
                    &|from| self.call_of(method, from, forward),
                    &counts,
                    notes,
                )?,
                "function breakpoint",
            ),
            Point::Written(variable) => at(
                self.write_of(variable, from, forward, &counts)?,
                "data breakpoint",
            ),
            Point::Thrown { caught } => self.thrown(*caught, from, forward),
        }
    }

    /// The first of those that `next` gives, one after the other, which counts.
    fn first(
        &self,
        mut from: Moment,
        next: &dyn Fn(Moment) -> Result<Option<Run>, DapError>,
        counts: &dyn Fn(&Run) -> bool,
        notes: &RefCell<Vec<String>>,
    ) -> Result<Option<Moment>, DapError> {
        for _ in 0..TRIES {
            let Some(run) = next(from)? else {
                return Ok(None);
            };
            if counts(&run) {
                return Ok(Some(run.moment));
            }
            from = run.moment;
        }
        let note =
            format!("a breakpoint was met {TRIES} times without its condition, up to {from}");
        notes.borrow_mut().push(note);
        Ok(None)
    }

    fn run_of(&self, line: &Line, from: Moment, forward: bool) -> Result<Option<Run>, DapError> {
        Ok(match forward {
            true => self.inspector.run_behind(line, from)?,
            false => self.inspector.run_before(line, from)?,
        })
    }

    fn call_of(
        &self,
        method: &MemberRef,
        from: Moment,
        forward: bool,
    ) -> Result<Option<Run>, DapError> {
        Ok(match forward {
            true => self.inspector.call_behind(method, from)?,
            false => self.inspector.call_before(method, from)?,
        })
    }

    /// Forward: right behind the write; backward: right before, where the line is that writes.
    fn write_of(
        &self,
        variable: &str,
        from: Moment,
        forward: bool,
        counts: &dyn Fn(&Run) -> bool,
    ) -> Result<Option<Moment>, DapError> {
        let variables = named(self.inspector, variable)?;
        let mut found: Option<Moment> = None;
        for (_, variable) in variables {
            let history = self.inspector.history(&variable)?;
            let of_thread = history
                .iter()
                .filter(|e| e.before.thread() == from.thread());
            for (number, entry) in (1..).zip(of_thread) {
                let moment = if forward { entry.after } else { entry.before };
                let ahead = if forward {
                    moment > from
                } else {
                    moment < from
                };
                let nearer = found.is_none_or(|found| match forward {
                    true => moment < found,
                    false => moment > found,
                });
                if ahead && nearer && counts(&Run { moment, number }) {
                    found = Some(moment);
                }
            }
        }
        Ok(found)
    }

    fn thrown(&self, caught: bool, from: Moment, forward: bool) -> Result<Option<Hit>, DapError> {
        let all = self.inspector.exceptions(from.thread())?;
        let of_kind = all.into_iter().filter(|thrown| thrown.caught == caught);
        let mut ahead: Vec<_> = match forward {
            true => of_kind.filter(|thrown| thrown.moment > from).collect(),
            false => of_kind.filter(|thrown| thrown.moment <= from).collect(),
        };
        if !forward {
            ahead.reverse();
        }
        for thrown in ahead {
            let at = self.inspector.thrown_at(from.thread(), thrown.throwable);
            let Some(moment) = at? else {
                continue;
            };
            if moment != from && (moment > from) == forward {
                return Ok(Some(Hit {
                    moment,
                    reason: "exception",
                    raised: Some(Raised {
                        class: thrown.class,
                        message: thrown.message,
                        caught: thrown.caught,
                    }),
                }));
            }
        }
        Ok(None)
    }

    /// Does a hit count? One whose condition is not known does: it is not passed over in silence.
    fn counts(&self, filter: &Filter, run: &Run, notes: &RefCell<Vec<String>>) -> bool {
        if !filter.counts(run.number) {
            return false;
        }
        let Some(condition) = &filter.condition else {
            return true;
        };
        let mut of =
            |path: &jinsi_inspect::Path| Ok(self.inspector.evaluate(run.moment, 0, path)?);
        let why = match condition.value(&mut of) {
            Ok(seen) if seen.known().is_some() => return is_true(&seen),
            Ok(seen) => self.writer.seen(&seen).to_string(),
            Err(why) => why.to_string(),
        };
        let note = format!(
            "{}: whether the condition holds is not known: {why}",
            run.moment
        );
        notes.borrow_mut().push(note);
        true
    }
}
