//! The parts of a recording that count as runs of their own: all of a thread, or what ran while a test did.

use jinsi_history::failures;
use jinsi_steps::code::Program;
use jinsi_trace::model::{EventKind, FailureKind, MarkNo, ObjectId, Phase, Prim, ThreadNo, Value};
use jinsi_trace::reader::{ReadError, Trace};
use rustc_hash::FxHashMap;

/// A part of a thread's events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The thread.
    pub thread: ThreadNo,
    /// Index of the first event.
    pub from: u64,
    /// Index behind the last event.
    pub to: u64,
    /// What it is called: a test, a call, or a file.
    pub name: String,
    /// The exception by which it failed; `None`: it did not.
    pub failed: Option<ObjectId>,
    /// Binary name of the test's class: its own code is not what is tested.
    pub test_class: Option<String>,
}

impl Span {
    /// All of the thread that failed, or of the main one, or of the one that did most.
    pub fn whole(trace: &Trace, name: &str) -> Option<Self> {
        let failure = failures::pick(trace.failures());
        let threads = trace.threads();
        let failed = failure.and_then(|f| threads.iter().find(|t| t.no == f.thread));
        let main = threads
            .iter()
            .find(|t| t.name == "main" && trace.event_count(t.no) > 0);
        let busiest = threads.iter().max_by_key(|t| trace.event_count(t.no));
        let thread = failed.or(main).or(busiest)?.no;
        Some(Self {
            thread,
            from: 0,
            to: trace.event_count(thread),
            name: name.to_owned(),
            failed: failure.map(|failure| failure.throwable),
            test_class: None,
        })
    }

    /// The tests of a recorded suite, by threads, in the order in which they ran; none if no test framework reported tests.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn tests(trace: &Trace) -> Result<Vec<Self>, ReadError> {
        if trace.marks().is_empty() {
            return Ok(Vec::new());
        }
        let failures = trace.failures().iter();
        let failed: FxHashMap<MarkNo, ObjectId> = failures
            .filter(|failure| failure.kind == FailureKind::Test)
            .filter_map(|failure| Some((failure.test?, failure.throwable)))
            .collect();
        let mut all = Vec::new();
        for thread in trace.threads() {
            let mut ends: FxHashMap<MarkNo, (u64, Phase)> = FxHashMap::default();
            let mut of_thread = Vec::new();
            for (index, test, phase) in marks(trace, thread.no)? {
                if phase != Phase::Begin {
                    ends.insert(test, (index, phase));
                    continue;
                }
                let (to, phase) = ends
                    .remove(&test)
                    .unwrap_or((trace.event_count(thread.no), Phase::End));
                let Some(mark) = trace.mark(test) else {
                    continue;
                };
                let thrown = failed.get(&test).copied();
                of_thread.push(Self {
                    thread: thread.no,
                    from: index,
                    to,
                    name: mark.full_name(),
                    failed: thrown.or((phase == Phase::Failed).then_some(0)),
                    test_class: Some(mark.class.clone()),
                });
            }
            of_thread.reverse();
            all.extend(of_thread);
        }
        Ok(all)
    }

    /// The calls of the methods of this name of a class, each a run, in their order: for programs that run many inputs one behind the other. A call failed if
    /// an exception ended it.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn calls(
        trace: &Trace,
        program: &Program,
        class: &str,
        method: &str,
    ) -> Result<Vec<Self>, ReadError> {
        let owner = class.replace('.', "/");
        let mut all = Vec::new();
        for thread in trace.threads() {
            let mut open: Vec<(u64, Option<ObjectId>)> = Vec::new();
            let mut of_thread = Vec::new();
            let mut index = trace.event_count(thread.no);
            let mut events = trace.skim_backward(thread.no);
            while let Some(met) = events.advance() {
                let (kind, site) = met?;
                index -= 1;
                let place = site.and_then(|site| program.place(site));
                let Some(no) = place.and_then(|place| place.method) else {
                    continue;
                };
                let is_wanted = {
                    let known = program.get(no);
                    known.owner == owner && known.name == method
                };
                match kind {
                    _ if !is_wanted => {}
                    EventKind::Exit => open.push((index + 1, None)),
                    EventKind::ExitThrow => {
                        open.push((index + 1, Some(events.object(0).unwrap_or(0))));
                    }
                    EventKind::Enter => {
                        let (to, failed) = open.pop().unwrap_or((index + 1, None));
                        of_thread.push(Self {
                            thread: thread.no,
                            from: index,
                            to,
                            name: String::new(),
                            failed,
                            test_class: None,
                        });
                    }
                    _ => {}
                }
            }
            of_thread.reverse();
            all.extend(of_thread);
        }
        for (no, span) in (1..).zip(&mut all) {
            span.name = format!("{class}.{method}#{no}");
        }
        Ok(all)
    }
}

/// What a thread reported of tests, newest first, with the index of the event.
fn marks(trace: &Trace, thread: ThreadNo) -> Result<Vec<(u64, MarkNo, Phase)>, ReadError> {
    let mut found = Vec::new();
    let mut index = trace.event_count(thread);
    let mut events = trace.skim_backward(thread);
    while let Some(met) = events.advance() {
        let (kind, _) = met?;
        index = index.saturating_sub(1);
        if kind != EventKind::Mark {
            continue;
        }
        if let Some(Value::Prim(Prim::Long(word))) = events.value(0)
            && let Some((test, phase)) = Phase::of_word(word as u64)
        {
            found.push((index, test, phase));
        }
    }
    Ok(found)
}
