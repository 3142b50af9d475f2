//! Calls that followed one another as one question: what was there before the first, and what after the last.

use std::collections::HashMap;

use jinsi_declarative::{NodeNo, Stretch, Tree};
use jinsi_inspect::Moment;
use jinsi_trace::model::EventId;

use crate::error::Result;
use crate::others::{self, Changes};
use crate::show::{DEPTH, Given, Question, Show, variables};
use crate::span::Span;

/// Objects that are looked into for what changed.
const OBJECTS: usize = 10_000;
/// Methods of which it is said how often they were called.
const METHODS: usize = 6;

/// Is what these calls came to together right?
///
/// # Errors
/// The trace cannot be read.
pub(crate) fn together(show: &mut Show<'_, '_>, tree: &Tree, stretch: Stretch) -> Result<Question> {
    let [within, first, last] =
        [stretch.within, stretch.first, stretch.last].map(|no| tree.name(no));
    let before = right_before(first);
    // With what the call that made them did up to the next one: there it takes what the last one returned.
    let until = match next_of(tree, stretch) {
        Some(next) => right_before(tree.name(next)),
        None => show.inspector.activation(last)?.end.unwrap_or(before),
    };
    let span = Span {
        calls: stretch.calls(tree),
        begin: before,
        end: until,
    };
    let state = show.inspector.state(before)?;
    let frame = state.frames.iter().find(|frame| frame.activation == within);
    let given = frame.map(variables).unwrap_or_default();
    let mut changes = Changes::default();
    let between = (before, Some(until));
    for change in show.inspector.changes_since(within, between, OBJECTS)? {
        changes.add(show, &span, &change);
    }
    let mut others = others::given(show, &span)?;
    others.extend(changes.by_others);
    let method = tree.method(tree.method_of(stretch.within)).dotted();
    let given = given.iter().map(|(name, seen)| Given {
        name: name.clone(),
        value: show.deep(seen, before, DEPTH),
    });
    let given: Vec<Given> = given.collect();
    let count = stretch.outermost(tree).count();
    // Of the call that made them, while it makes this one.
    let line = |call: EventId| -> Result<u16> {
        let state = show.inspector.state(Moment::after(call))?;
        let frame = state.frames.iter().find(|frame| frame.activation == within);
        Ok(frame.map_or(0, |frame| frame.line))
    };
    let file = frame.and_then(|frame| frame.file.as_deref()).unwrap_or("?");
    let place = format!("{file}:{} to {}", line(first)?, line(last)?);
    let mut calls = vec![
        format!("the first: {}", show.call(first)?),
        format!("the last:  {}", show.call(last)?),
    ];
    calls.extend(times(tree, stretch));
    Ok(Question {
        call: first.to_string(),
        last: Some(last.to_string()),
        text: format!("{count} calls that {method} made, one behind the other"),
        method,
        place,
        calls,
        given,
        others,
        gave: String::new(),
        outcome: None,
        changed: changes.own,
        tasks: others::tasks(show, &span)?,
        printed: show.printed(&span)?,
    })
}

/// The next call that the same one made itself.
fn next_of(tree: &Tree, stretch: Stretch) -> Option<NodeNo> {
    let thread = tree.thread_of(stretch.within);
    let end = tree.below(stretch.within).end;
    let mut next = tree.below(stretch.last).end;
    while next < end && tree.thread_of(next) != thread {
        next = tree.below(next).end;
    }
    (next < end).then_some(next)
}

fn right_before(call: EventId) -> Moment {
    Moment::after(EventId {
        index: call.index.saturating_sub(1),
        ..call
    })
}

/// How often which methods were called, the most frequent first.
fn times(tree: &Tree, stretch: Stretch) -> Vec<String> {
    let mut counts: HashMap<u32, (usize, NodeNo)> = HashMap::new();
    for node in stretch.outermost(tree) {
        counts.entry(tree.method_of(node)).or_insert((0, node)).0 += 1;
    }
    let mut counts: Vec<(u32, (usize, NodeNo))> = counts.into_iter().collect();
    counts.sort_by_key(|(_, (count, first))| (std::cmp::Reverse(*count), *first));
    let others = counts.len().saturating_sub(METHODS);
    let shown = counts.into_iter().take(METHODS);
    let mut lines: Vec<String> = shown
        .map(|(method, (count, _))| format!("{} {count} times", tree.method(method).dotted()))
        .collect();
    if others > 0 {
        lines.push(format!("and {others} other methods"));
    }
    lines
}
