//! What parts of a recording covered: lines and branches.
//!
//! The numbers of paths that a recording has say it all. So no instruction is walked: the different paths of a part are collected, and each is looked
//! into once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jinsi_classfile::cfg::BlockNo;
use jinsi_classfile::effect::Access;
use jinsi_steps::code::{Body, Method, MethodNo, Place as CodePlace, Program};
use jinsi_trace::model::{EventKind, SiteNo};
use jinsi_trace::reader::{ReadError, Skim, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::covered::MethodCoverage;
use crate::place::Place;
use crate::spans::Span;
use crate::spectra::{Aspect, Element, Spectra, Test, ValueClass};
use crate::statements::is_of_class;

/// A path of a method, and how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Path {
    method: MethodNo,
    number: u32,
    /// The bytecode index of what threw, if an exception ended it.
    thrown_at: Option<u32>,
    /// Bytecode index of where the next path begins, or the method ended.
    end: u32,
}

/// A value that an event reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct MetValue {
    site: SiteNo,
    /// Among the operands.
    position: u8,
    class: ValueClass,
}

/// What a part of a recording went through: the different paths, with the first event of each, and the values that it met.
#[derive(Clone, Debug, Default)]
struct Gone {
    paths: FxHashMap<Path, u64>,
    values: FxHashSet<MetValue>,
}

/// A method, known by its names in all recordings.
type MethodKey = [String; 3];

/// Collects the spectra of several recordings of a program.
#[derive(Debug, Default)]
pub struct Coverage {
    numbers: FxHashMap<Element, u32>,
    methods: BTreeMap<MethodKey, MethodCoverage>,
    spectra: Spectra,
}

impl Coverage {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds parts of a recording; each is a test. What a test's class does itself does not count.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn add(
        &mut self,
        trace: &Trace,
        program: &Program,
        spans: &[Span],
    ) -> Result<(), ReadError> {
        let mut known: FxHashMap<Path, Arc<[u32]>> = FxHashMap::default();
        let mut values: FxHashMap<MetValue, Option<u32>> = FxHashMap::default();
        let tests: FxHashSet<&str> = (spans.iter())
            .filter_map(|span| span.test_class.as_deref())
            .collect();
        let skipped: Vec<bool> = (0..program.methods().len())
            .map(|no| {
                let no = MethodNo::from_index(no);
                tests.iter().any(|class| is_of_class(program, no, class))
            })
            .collect();
        self.know(program, &skipped);
        for (span, gone) in spans.iter().zip(gone(trace, program, spans, true)?) {
            let mut covered = Vec::new();
            let is_skipped = |met: &MetValue| {
                let of = program.place(met.site).and_then(|place| place.method);
                of.is_none_or(|method| skipped[method.index()])
            };
            for met in gone.values {
                if !is_skipped(&met) {
                    let number = values.entry(met);
                    covered.extend(*number.or_insert_with(|| self.of_value(program, met)));
                }
            }
            for path in gone.paths.into_keys() {
                if skipped[path.method.index()] {
                    continue;
                }
                let elements = known.entry(path);
                let elements = elements.or_insert_with(|| self.elements(program, path));
                covered.extend_from_slice(elements);
            }
            covered.sort_unstable();
            covered.dedup();
            self.spectra.tests.push(Test {
                name: span.name.clone(),
                failed: span.failed.is_some(),
                covered,
            });
        }
        Ok(())
    }

    /// What was collected: the spectra, and what was covered of each method, by class and name.
    pub fn finish(self) -> (Spectra, Vec<MethodCoverage>) {
        (self.spectra, self.methods.into_values().collect())
    }

    /// Methods of which nothing ran are known, too.
    fn know(&mut self, program: &Program, skipped: &[bool]) {
        for (method, skipped) in program.methods().iter().zip(skipped) {
            if let (Some(body), false) = (&method.body, skipped) {
                let known = self.methods.entry(key(method));
                known.or_insert_with(|| MethodCoverage::of(method, body));
            }
        }
    }

    fn number(&mut self, element: Element) -> u32 {
        let next = self.spectra.elements.len() as u32;
        let number = *self.numbers.entry(element.clone()).or_insert(next);
        if number == next {
            self.spectra.elements.push(element);
        }
        number
    }

    /// What a path covers.
    fn elements(&mut self, program: &Program, path: Path) -> Arc<[u32]> {
        let method = program.get(path.method);
        let Some(body) = &method.body else {
            return Arc::from([]);
        };
        let element = of_method(method);
        let (blocks, ran) = blocks_and_instructions(body, path);
        if let Some(covered) = self.methods.get_mut(&key(method)) {
            covered.ran(&ran, &blocks);
        }
        let lines = ran.iter().map(|at| body.instructions[*at].line);
        let mut lines: Vec<u16> = lines.filter(|line| *line != 0).collect();
        lines.sort_unstable();
        lines.dedup();
        let mut numbers = Vec::new();
        for line in lines {
            numbers.push(self.number(Element {
                line,
                ..element.clone()
            }));
        }
        for pair in blocks.windows(2) {
            let branch = body.cfg.block(pair[0]);
            let line = body.instructions[branch.last].line;
            if branch.successors.len() > 1 && line != 0 {
                numbers.push(self.number(Element {
                    line,
                    aspect: Aspect::Way(pair[0], pair[1]),
                    ..element.clone()
                }));
            }
        }
        for (line, slot, set) in pairs(body, &ran) {
            numbers.push(self.number(Element {
                line,
                aspect: Aspect::Pair(slot, set),
                ..element.clone()
            }));
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into()
    }

    /// What it is to have met a value; `None` if nobody knows its line.
    fn of_value(&mut self, program: &Program, met: MetValue) -> Option<u32> {
        let place = program.place(met.site)?;
        let method = program.get(place.method?);
        let body = method.body.as_ref()?;
        let line = body.instructions[body.at(place.bci)?].line;
        (line != 0).then(|| {
            self.number(Element {
                line,
                aspect: Aspect::Value(place.kind as u8, met.position, met.class),
                ..of_method(method)
            })
        })
    }
}

/// Nothing of it yet.
fn of_method(method: &Method) -> Element {
    Element {
        class: method.owner.replace('/', ".").into(),
        method: format!("{}{}", method.name, method.desc).into(),
        file: method.file.as_deref().map(Arc::from),
        line: 0,
        aspect: Aspect::Line,
    }
}

/// Where a way uses a local variable that it has set itself: the line, the slot, the line that set it.
fn pairs(body: &Body, ran: &[usize]) -> BTreeSet<(u16, u16, u16)> {
    let mut set: FxHashMap<u16, u16> = FxHashMap::default();
    let mut pairs = BTreeSet::new();
    for instruction in ran.iter().map(|at| &body.instructions[*at]) {
        let line = instruction.line;
        match instruction.effect.access {
            Access::Load(slot) | Access::Increment(slot) if line != 0 => {
                let by = set.get(&slot).filter(|by| **by != 0 && **by != line);
                pairs.extend(by.map(|by| (line, slot, *by)));
            }
            _ => {}
        }
        if let Access::Store(slot) | Access::Increment(slot) = instruction.effect.access {
            set.insert(slot, line);
        }
    }
    pairs
}

fn key(method: &Method) -> MethodKey {
    [&method.owner, &method.name, &method.desc].map(String::clone)
}

/// The blocks of a path, with the one that follows, and the instructions that ran.
fn blocks_and_instructions(body: &Body, path: Path) -> (Vec<BlockNo>, Vec<usize>) {
    let Some(segment) = body.segment(path.number) else {
        return (Vec::new(), Vec::new());
    };
    let mut blocks = segment.blocks.clone();
    let thrown = path.thrown_at.and_then(|bci| body.at(bci));
    let mut ends = FxHashMap::default();
    match thrown {
        Some(at) => {
            let block = body.cfg.block_of(at);
            if let Some(place) = blocks.iter().position(|no| *no == block) {
                blocks.truncate(place + 1);
                ends.insert(block, at);
            }
        }
        None => {
            // Behind the code there is nothing.
            let next = body.at(path.end).map(|at| body.cfg.block_of(at));
            let last = blocks.last().map(|no| body.cfg.block(*no));
            let follows = last
                .zip(next)
                .is_some_and(|(last, next)| last.successors.contains(&next));
            blocks.extend(next.filter(|_| follows));
        }
    }
    let own = blocks.len().min(segment.blocks.len());
    let mut ran = Vec::new();
    for no in &blocks[..own] {
        let block = body.cfg.block(*no);
        let last = ends.get(no).copied().unwrap_or(block.last);
        ran.extend(block.first..=last);
    }
    (blocks, ran)
}

/// A line that ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstRan {
    /// The line.
    pub place: Place,
    /// Name and descriptor of its method.
    pub method: String,
    /// Which event of its thread reported so first.
    pub when: u64,
}

/// The lines of a part of a recording, with when they ran first; without those of the test's class.
///
/// # Errors
/// The trace cannot be read.
pub fn first_ran(
    trace: &Trace,
    program: &Program,
    span: &Span,
) -> Result<Vec<FirstRan>, ReadError> {
    let gone = gone(trace, program, std::slice::from_ref(span), false)?;
    let mut first: BTreeMap<(MethodNo, u16), u64> = BTreeMap::new();
    for (path, when) in gone.into_iter().flat_map(|gone| gone.paths) {
        let test = span.test_class.as_deref();
        if test.is_some_and(|class| is_of_class(program, path.method, class)) {
            continue;
        }
        let Some(body) = &program.get(path.method).body else {
            continue;
        };
        let (_, ran) = blocks_and_instructions(body, path);
        for at in ran {
            let line = body.instructions[at].line;
            let known = first.entry((path.method, line)).or_insert(when);
            *known = when.min(*known);
        }
    }
    let lines = first.into_iter().filter(|((_, line), _)| *line != 0);
    let lines = lines.map(|((method, line), when)| {
        let method = program.get(method);
        FirstRan {
            place: Place {
                class: method.owner.replace('/', "."),
                line,
            },
            method: format!("{}{}", method.name, method.desc),
            when,
        }
    });
    Ok(lines.collect())
}

/// The different ways that a part of a recording has gone through its methods, as far as none of them goes back: the blocks one behind the other, of which an
/// exception may have left the last.
///
/// # Errors
/// The trace cannot be read.
pub fn ways(
    trace: &Trace,
    program: &Program,
    span: &Span,
) -> Result<Vec<(MethodNo, Vec<BlockNo>)>, ReadError> {
    let mut ways = FxHashSet::default();
    let gone = gone(trace, program, std::slice::from_ref(span), false)?;
    for path in gone.into_iter().flat_map(|gone| gone.paths.into_keys()) {
        if let Some(body) = &program.get(path.method).body {
            ways.insert((path.method, blocks_and_instructions(body, path).0));
        }
    }
    let mut ways: Vec<_> = ways.into_iter().collect();
    ways.sort_unstable();
    Ok(ways)
}

/// What each part went through; values only if they are wanted.
fn gone(
    trace: &Trace,
    program: &Program,
    spans: &[Span],
    with_values: bool,
) -> Result<Vec<Gone>, ReadError> {
    let mut all = vec![Gone::default(); spans.len()];
    for thread in trace.threads() {
        let own = spans.iter().enumerate();
        let mut own: Vec<(usize, &Span)> =
            own.filter(|(_, span)| span.thread == thread.no).collect();
        if own.is_empty() {
            continue;
        }
        own.sort_by_key(|(_, span)| span.from);
        let mut index = trace.event_count(thread.no);
        let mut events = trace.skim_backward(thread.no);
        while let Some(met) = events.advance() {
            let (kind, site) = met?;
            index = index.saturating_sub(1);
            while own.last().is_some_and(|(_, span)| index < span.from) {
                own.pop();
            }
            let Some((of, span)) = own.last() else {
                break;
            };
            if index >= span.to {
                continue;
            }
            if let (true, Some(site)) = (with_values && has_values(kind), site) {
                let count = u8::try_from(events.count()).unwrap_or(u8::MAX);
                let met = (0..count).filter_map(|position| {
                    Some(MetValue {
                        site,
                        position,
                        class: ValueClass::of(&events.value(position.into())?),
                    })
                });
                all[*of].values.extend(met);
            }
            if !matches!(kind, EventKind::Path | EventKind::Exit) {
                continue;
            }
            let place = site.and_then(|site| program.place(site));
            let path = place.and_then(|place| path(program, kind, place, &events));
            let Some(path) = path else {
                continue;
            };
            // Backward: the last one that is met is the first.
            all[*of].paths.insert(path, index);
        }
    }
    Ok(all)
}

/// The path that an event tells of, if it tells of one.
fn path(program: &Program, kind: EventKind, at: CodePlace, events: &Skim<'_>) -> Option<Path> {
    let method = at.method?;
    let body = program.get(method).body.as_ref()?;
    match kind {
        // The only way through a method has no event of its own.
        EventKind::Exit if body.paths.total() == 1 && !body.names_this => Some(Path {
            method,
            number: 0,
            thrown_at: None,
            end: body.end,
        }),
        EventKind::Path => Some(Path {
            method,
            number: events.int(0).map_or(u32::MAX, |number| number as u32),
            thrown_at: events.int(1).and_then(|bci| u32::try_from(bci).ok()),
            end: at.bci,
        }),
        _ => None,
    }
}

/// Do its operands say what the program computes with?
fn has_values(kind: EventKind) -> bool {
    use EventKind::{
        ArrayLoad, ArrayStore, Call, CallExit, Enter, Exit, GetField, GetStatic, Given, PutField,
        PutStatic,
    };
    matches!(
        kind,
        ArrayLoad
            | ArrayStore
            | Call
            | CallExit
            | Enter
            | Exit
            | GetField
            | GetStatic
            | Given
            | PutField
            | PutStatic
    )
}
