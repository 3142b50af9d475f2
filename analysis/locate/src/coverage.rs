//! What parts of a recording covered: lines and branches.
//!
//! The numbers of paths that a recording has say it all. So no instruction is walked: the different paths of a part are collected, and each is looked
//! into once.

use std::collections::BTreeMap;
use std::sync::Arc;

use jinsi_classfile::cfg::BlockNo;
use jinsi_steps::code::{Body, Method, MethodNo, Program};
use jinsi_trace::model::EventKind;
use jinsi_trace::reader::{ReadError, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::covered::MethodCoverage;
use crate::place::Place;
use crate::spans::Span;
use crate::spectra::{Element, Spectra, Test};
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
        for (span, paths) in spans.iter().zip(paths(trace, program, spans)?) {
            let mut covered = Vec::new();
            for path in paths.into_keys() {
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
        let element = Element {
            class: method.owner.replace('/', ".").into(),
            method: format!("{}{}", method.name, method.desc).into(),
            file: method.file.as_deref().map(Arc::from),
            line: 0,
            branch: None,
        };
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
                    branch: Some((pair[0], pair[1])),
                    ..element.clone()
                }));
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into()
    }
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
    /// Which event of its thread told so first.
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
    let paths = paths(trace, program, std::slice::from_ref(span))?;
    let mut first: BTreeMap<(MethodNo, u16), u64> = BTreeMap::new();
    for (path, when) in paths.into_iter().flatten() {
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

/// The different paths of each part, with the first event of each.
fn paths(
    trace: &Trace,
    program: &Program,
    spans: &[Span],
) -> Result<Vec<FxHashMap<Path, u64>>, ReadError> {
    let mut all = vec![FxHashMap::default(); spans.len()];
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
            if index >= span.to || !matches!(kind, EventKind::Path | EventKind::Exit) {
                continue;
            }
            let place = site.and_then(|site| program.place(site));
            let Some((place, method)) = place.and_then(|place| Some((place, place.method?))) else {
                continue;
            };
            let Some(body) = &program.get(method).body else {
                continue;
            };
            let path = match kind {
                // The only way through a method has no event of its own.
                EventKind::Exit if body.paths.total() == 1 && !body.names_this => Path {
                    method,
                    number: 0,
                    thrown_at: None,
                    end: body.end,
                },
                EventKind::Path => Path {
                    method,
                    number: events.int(0).map_or(u32::MAX, |number| number as u32),
                    thrown_at: events.int(1).and_then(|bci| u32::try_from(bci).ok()),
                    end: place.bci,
                },
                _ => continue,
            };
            // Backward: the last one that is met is the first.
            all[*of].insert(path, index);
        }
    }
    Ok(all)
}
