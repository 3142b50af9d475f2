//! Makes of what a slicer found the slice that is reported.

use std::collections::{BTreeMap, BTreeSet};

use jinsi_classfile::effect::Access;
use jinsi_history::describe::{Describer, Objects};
use jinsi_steps::code::{Method, MethodNo, Program};
use jinsi_trace::model::Value;
use jinsi_trace::reader::Trace;

use super::content::SliceContent;
use super::criterion::Criterion;
use super::result::{Crossing, Kind, Line, Slice};
use super::threads::Thread;
use super::using::FAR;

/// What the slice could not follow.
pub(super) fn crossings(trace: &Trace, found: &SliceContent) -> Vec<Crossing> {
    // The worker's part in a replay is none of the program's.
    let replays =
        |what: &str| trace.meta().is_of_rewritten_code() && what.starts_with("jinsi.replay.");
    let crossings = found.crossings.iter().filter(|(what, _)| !replays(what));
    let crossings = crossings.map(|(what, times)| Crossing {
        what: what.clone(),
        times: *times,
    });
    crossings.collect()
}

/// The dynamic slice of a thread.
pub(super) fn present(
    trace: &Trace,
    program: &Program,
    criterion: &Criterion,
    thread: &Thread,
) -> Slice {
    let found = &thread.found;
    let mut lines = Lines::default();
    for &(no, at) in &found.instructions {
        let method = program.get(no);
        if let Some(body) = &method.body {
            let distance = found.distances.get(&(no, at)).copied();
            lines.add(method, body.instructions[at].line, distance);
        }
    }
    for &(no, line) in &found.lines {
        lines.add(program.get(no), line, None);
    }
    lines.add_values(trace, program, found);
    Slice {
        kind: Kind::Dynamic,
        criterion: criterion.to_string(),
        thread: thread.no,
        executed: thread.walked.instructions,
        occurrences: found.occurrences,
        instructions: found.instructions.len(),
        lines: lines.0.into_values().collect(),
        crossings: crossings(trace, found),
    }
}

/// The lines of a slice, by class and number.
#[derive(Default)]
struct Lines(BTreeMap<(String, u16), Line>);

impl Lines {
    /// An instruction of this line; 0 is none.
    fn add(&mut self, method: &Method, line: u16, distance: Option<u32>) {
        if line == 0 {
            return;
        }
        let class = method.owner.replace('/', ".");
        let known = self.0.entry((class.clone(), line)).or_insert_with(|| Line {
            class,
            methods: BTreeSet::new(),
            file: method.file.clone(),
            line,
            instructions: 0,
            distance: None,
            values: Vec::new(),
        });
        known.methods.insert(method.name.clone());
        known.instructions += 1;
        let nearer = |distance: u32| known.distance.is_none_or(|other| distance < other);
        if let Some(distance) = distance.filter(|distance| *distance < FAR && nearer(*distance)) {
            known.distance = Some(distance);
        }
    }

    /// What the variables of the lines held.
    fn add_values(&mut self, trace: &Trace, program: &Program, found: &SliceContent) {
        let describer = Describer::new(trace);
        let ids = found.values.values().filter_map(|value| match value {
            Value::Object(id) => Some(*id),
            _ => None,
        });
        // Without the names of objects there are their numbers: the slice is right all the same.
        let objects = Objects::of(trace, &ids.collect()).unwrap_or_default();
        let names = objects.names(trace);
        let written = |value: &Value| match value {
            Value::Object(id) => names.get(id).cloned(),
            _ => None,
        };
        let mut values: Vec<((MethodNo, usize), String)> = (found.values.iter())
            .filter_map(|(&(no, at), value)| {
                let name = name_of(program, no, at)?;
                let text = written(value).unwrap_or_else(|| describer.value(value));
                // `HEART = HEART` says nothing.
                (name != text).then(|| ((no, at), format!("{name} = {text}")))
            })
            .collect();
        values.sort();
        for ((no, at), text) in values {
            let method = program.get(no);
            let line = method.body.as_ref().map_or(0, |b| b.instructions[at].line);
            let class = method.owner.replace('/', ".");
            if let Some(line) = self.0.get_mut(&(class, line))
                && !line.values.contains(&text)
            {
                line.values.push(text);
            }
        }
    }
}

/// What the value of an instruction is the value of.
fn name_of(program: &Program, method: MethodNo, at: usize) -> Option<String> {
    let body = program.get(method).body.as_ref()?;
    let instruction = &body.instructions[at];
    match instruction.effect.access {
        Access::ArrayLoad | Access::ArrayStore => Some("element".into()),
        Access::Invoke(_) => Some(format!("{}()", instruction.target.as_ref()?.name)),
        _ => Some(program.field_name(instruction.field?)),
    }
}
