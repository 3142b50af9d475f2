//! What other threads had to do with a call: the tasks that were done for it, and what came from others while it ran.
//!
//! Of the first the call is right or wrong with all that it did. The second is what it was given, as arguments are, only later.

use jinsi_declarative::NodeNo;
use jinsi_inspect::{Change, Mark, Moment, Outcome};
use jinsi_trace::model::EventId;

use crate::error::Result;
use crate::show::{Changed, Show};
use crate::span::Span;

/// Tasks that are written.
const TASKS: usize = 8;
/// Changes that are written.
const CHANGES: usize = 30;

/// What changed, and what came from other threads.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// What the calls changed.
    pub(crate) own: Vec<Changed>,
    /// What other threads changed meanwhile that did not work for them.
    pub(crate) by_others: Vec<String>,
}

impl Changes {
    /// Adds a change, and those below it.
    pub(crate) fn add(&mut self, show: &Show<'_, '_>, span: &Span, change: &Change) {
        if self.own.len() >= CHANGES || self.by_others.len() >= CHANGES {
            return;
        }
        let Some(changed) = Changed::of(show, span, change) else {
            return;
        };
        let is_own = |by: Moment| {
            let node = show.tree.begun_at(by.event);
            node.is_some_and(|node| span.calls.contains(&node))
        };
        if change.mark == Mark::Changed && !change.by.is_none_or(is_own) {
            self.by_others.push(format!("changed {changed}"));
            return;
        }
        self.own.push(changed);
        let [own, by_others] = [self.own.len(), self.by_others.len()];
        for below in &change.below {
            self.add(show, span, below);
        }
        // Nothing of what changed in it is its own.
        let is_all = self.own.len() == own && self.by_others.len() > by_others;
        if change.mark == Mark::Below && is_all {
            self.own.pop();
        }
    }
}

/// What was done for these calls by other threads, a line a task.
pub(crate) fn tasks(show: &Show<'_, '_>, span: &Span) -> Result<Vec<String>> {
    lines(show, span.tasks(show.tree).collect())
}

/// What other threads gave meanwhile, a line a task.
pub(crate) fn given(show: &Show<'_, '_>, span: &Span) -> Result<Vec<String>> {
    let mut call_result = Vec::new();
    for task in span.ended_meanwhile(show.inspector, show.tree)? {
        let outcome = show.inspector.outcome(show.tree.name(task))?;
        call_result.extend((outcome != Outcome::Returned(None)).then_some(task));
    }
    lines(show, call_result)
}

fn lines(show: &Show<'_, '_>, tasks: Vec<NodeNo>) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for task in tasks.iter().take(TASKS) {
        lines.push(line(show, show.tree.name(*task))?);
    }
    let more = tasks.len() - lines.len();
    lines.extend((more > 0).then(|| format!("and {more} more")));
    Ok(lines)
}

fn line(show: &Show<'_, '_>, task: EventId) -> Result<String> {
    let end = show.inspector.activation(task)?.end;
    let came = match show.inspector.outcome(task)? {
        Outcome::Returned(Some(seen)) => {
            let end = end.unwrap_or(Moment::after(task));
            format!("gave {}", show.deep(&seen, end, 1))
        }
        Outcome::Returned(None) => "ended".to_owned(),
        Outcome::Threw(id) => format!("gave {}", show.thrown(task, id)?),
        Outcome::Open => "had not ended".to_owned(),
    };
    let thread = show.thread_name(task.thread);
    Ok(format!("{} {came} (in thread {thread})", show.call(task)?))
}
