//! Which lines of an activation ran, and in which round of the loop that a moment is in.

use std::collections::BTreeMap;

use jinsi_trace::model::EventId;

use crate::Inspector;
use crate::activation_events::What;
use crate::error::InspectError;
use jinsi_steps::moment::{At, Moment};
use jinsi_steps::seen::Seen;

/// Instructions of the activation itself that are looked at before a moment, and behind it.
const NEAR: usize = 200_000;
/// What an activation did that is looked at for values.
const DEEDS: usize = 20_000;

/// A line of an activation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// The line.
    pub line: u16,
    /// How often it was come to, as far as was looked.
    pub times: u64,
    /// Did it run in the round of the innermost loop in which the moment is? Without a loop all is one round.
    pub in_round: bool,
    /// Where it was come to last, up to the moment; if it was not before that, where it is come to first.
    pub last: Moment,
    /// What it wrote then, if that was before the moment: names and values.
    pub wrote: Vec<(String, Seen)>,
}

/// The lines of an activation that ran, seen from a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// By line.
    pub lines: Vec<Ran>,
    /// The line of the activation that ran last before the moment.
    pub ran: Option<u16>,
    /// The line that comes next.
    pub next: Option<u16>,
    /// Was all of the activation looked at? Of long ones only what is near.
    pub whole: bool,
}

/// An instruction that ran: its place in the method, its line, whether it begins the line, and when.
#[derive(Clone, Copy)]
struct Step {
    at: u32,
    line: u16,
    starts: bool,
    now: At,
}

impl Inspector<'_> {
    /// The lines of an activation that ran, seen from a moment.
    ///
    /// # Errors
    /// There is no such activation; the trace cannot be read.
    pub fn course(&self, activation: EventId, moment: Moment) -> Result<Course, InspectError> {
        let row = self.row(activation)?;
        let limit = moment.at();
        let mut steps = Vec::new();
        let mut here = None;
        let mut whole = true;
        let begin = At {
            events: row.began,
            step: 0,
        };
        self.each_item(activation, row, begin, |stop| {
            let top = stop
                .machine
                .top()
                .filter(|top| top.began == activation.index);
            let item = &stop.replayed.tape.items[stop.item];
            if let (Some(top), Some(at)) = (top, stop.machine.point(item)) {
                let starts = self.facts.line_starts(top.method);
                let line = crate::point::line_of(&stop.machine, at);
                let starts = starts.get(at as usize).is_some_and(|line| *line != 0);
                let now = stop.machine.now;
                if here.is_none() && now >= limit {
                    here = Some(steps.len());
                }
                steps.push(Step {
                    at,
                    line,
                    starts,
                    now,
                });
                if here.is_none() && steps.len() > 2 * NEAR {
                    steps.drain(..NEAR);
                    whole = false;
                }
            }
            stop.pass();
            let behind = steps.len() - here.unwrap_or(steps.len());
            whole &= behind <= NEAR;
            behind <= NEAR
        })?;
        let here = here.unwrap_or(steps.len());
        let mut course = course_of(activation, &steps, here);
        course.whole = whole;
        self.written_values(activation, &steps, moment, &mut course)?;
        Ok(course)
    }

    /// What was written in the last run of each line.
    fn written_values(
        &self,
        activation: EventId,
        steps: &[Step],
        moment: Moment,
        course: &mut Course,
    ) -> Result<(), InspectError> {
        let Some(first) = steps.first() else {
            return Ok(());
        };
        let from = first.now.of(activation.thread);
        for activation_event in self.activation_events(activation, from, DEEDS)? {
            if activation_event.before >= moment {
                break;
            }
            let What::Wrote { name, value, .. } = activation_event.what else {
                continue;
            };
            let found = course
                .lines
                .binary_search_by_key(&activation_event.line, |r| r.line);
            let Ok(ran) = found.map(|at| &mut course.lines[at]) else {
                continue;
            };
            if activation_event.before >= ran.last {
                ran.wrote.retain(|(other, _)| *other != name);
                ran.wrote.push((name, value));
            }
        }
        Ok(())
    }
}

fn course_of(activation: EventId, steps: &[Step], here: usize) -> Course {
    let round = round(steps, here);
    let mut lines: BTreeMap<u16, Ran> = BTreeMap::new();
    let mut previous = 0;
    for (no, step) in steps.iter().enumerate() {
        let came = step.starts || step.line != previous;
        previous = step.line;
        if step.line == 0 {
            continue;
        }
        let moment = step.now.of(activation.thread);
        let ran = lines.entry(step.line).or_insert_with(|| Ran {
            line: step.line,
            times: 0,
            in_round: false,
            last: moment,
            wrote: Vec::new(),
        });
        ran.times += u64::from(step.starts || ran.times == 0);
        ran.in_round |= round.contains(&no);
        if came && no < here {
            ran.last = moment;
        }
    }
    let line = |step: &Step| (step.line != 0).then_some(step.line);
    Course {
        lines: lines.into_values().collect(),
        ran: steps[..here].last().and_then(line),
        next: steps.get(here).and_then(line),
        whole: true,
    }
}

/// Which of the steps belong to the round of the innermost loop in which the step before `here` is.
fn round(steps: &[Step], here: usize) -> std::ops::Range<usize> {
    let all = 0..steps.len();
    let Some(place) = here.min(steps.len()).checked_sub(1) else {
        return all;
    };
    let at = steps[place].at;
    // A step back in the code, over the place: the end of a round. It is looked for behind the place and before it.
    let over = |no: usize| {
        let (from, to) = (steps[no].at, steps.get(no + 1)?.at);
        (to <= from && to <= at && at <= from).then_some((to, from))
    };
    let ends = (place..steps.len()).find_map(|no| Some((no + 1, over(no)?)));
    let begins = (0..place).rev().find_map(|no| Some((no + 1, over(no)?)));
    let size = |(head, tail): (u32, u32)| tail - head;
    let (head, tail) = match (begins, ends) {
        (None, None) => return all,
        (Some((_, edge)), None) | (None, Some((_, edge))) => edge,
        (Some((_, one)), Some((_, other))) => match size(one) <= size(other) {
            true => one,
            false => other,
        },
    };
    let inside = |step: &Step| head <= step.at && step.at <= tail;
    let back = |no: usize| steps[no - 1].at >= steps[no].at && steps[no].at == head;
    let mut begin = place;
    while begin > 0 && !back(begin) && inside(&steps[begin - 1]) {
        begin -= 1;
    }
    let mut end = place + 1;
    while end < steps.len() && !back(end) && inside(&steps[end]) {
        end += 1;
    }
    begin..end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(places: &[u32]) -> Vec<Step> {
        let step = |(no, at): (usize, &u32)| Step {
            at: *at,
            line: *at as u16,
            starts: true,
            now: At {
                events: 1,
                step: no as u32,
            },
        };
        places.iter().enumerate().map(step).collect()
    }

    /// Which places are in the round of the step before `here`.
    fn in_round(places: &[u32], here: usize) -> Vec<u32> {
        places[round(&steps(places), here)].to_vec()
    }

    #[test]
    fn a_round_ends_where_the_code_goes_back() {
        // 1 is the head, 4 jumps back; 2 may jump over 3.
        let run = [0, 1, 2, 3, 4, 1, 2, 4, 1, 5, 6];
        assert_eq!(in_round(&run, 3), [1, 2, 3, 4]);
        assert_eq!(in_round(&run, 7), [1, 2, 4]);
        assert_eq!(in_round(&run, 11), run);
        assert_eq!(in_round(&run, 0), run);
    }

    #[test]
    fn the_innermost_loop_counts() {
        // 2 and 3 loop within 1 to 4.
        let run = [0, 1, 2, 3, 2, 3, 4, 1, 2, 3, 4, 1, 5];
        assert_eq!(in_round(&run, 4), [2, 3]);
        assert_eq!(in_round(&run, 6), [2, 3]);
        assert_eq!(in_round(&run, 7), [1, 2, 3, 2, 3, 4]);
    }
}
