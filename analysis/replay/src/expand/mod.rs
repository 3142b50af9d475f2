//! Expanding: a recording of less detail, and a recording of its replay, become the recording that the program would have made with more
//! detail.
//!
//! The agent records a strict replay of all observed classes. The events are those of the program, but three things are not: the classes
//! are as replay rewrote them, the bottom of the stack is the worker's, and how the thread ended is not seen. These come from the first
//! recording. With instructions there is one exception: the ways through methods are ways through the rewritten code. So such a
//! recording keeps the rewritten classes. It can be sliced, but not be replayed again.

mod difference;
mod marks;
mod throwables;
mod unordered;

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use jinsi_classfile::bridges::BRIDGE_PREFIX;
use jinsi_trace::compose::{ComposeError, Composer};
use jinsi_trace::model::Detail;
use jinsi_trace::model::{
    ClassDef, ClassNo, ClassOrigin, DamageDef, End, Event, EventKind, Failure, FailureKind,
    LossKind, MarkNo, MemberRef, Meta, ObjectId, Payload, Phase, Record, Site, Skipped, ThreadNo,
    ThrowableDef, Value, Window,
};
use jinsi_trace::reader::{ReadError, Trace};

use crate::rewrite::Layouts;

pub use difference::{Comparison, Difference, compare};
pub use marks::FromOutside;

/// How the worker names a thread that replays one of several, in front of the number of that (`ThreadedRun.java`).
const LANE: &str = "recorded thread ";
/// Causes of an exception that are followed.
const MOST_CAUSES: usize = 100;
/// Packages of the replay worker.
const WORKER: &str = "jinsi/replay/";

/// Why two recordings do not become one.
#[derive(Debug, thiserror::Error)]
pub enum ExpandError {
    /// Reading or writing.
    #[error(transparent)]
    Trace(#[from] ComposeError),
    /// The agent has recorded nothing.
    #[error("the replay was not recorded: it left no events")]
    NoEvents,
    /// The agent could not record the replay to its end.
    #[error(
        "the recording of the replay is incomplete ({0}); the disk for temporary files may be full"
    )]
    NotWhole(String),
}

impl From<ReadError> for ExpandError {
    fn from(error: ReadError) -> Self {
        Self::Trace(error.into())
    }
}

/// Marks by thread of the first recording, each in front of an event of the thread that replays it.
type Marks = BTreeMap<ThreadNo, Vec<(u64, Event)>>;

/// The two recordings.
#[derive(Clone, Debug)]
pub struct Expansion<'a> {
    /// What was recorded while the program ran.
    pub first: &'a Trace,
    /// What was recorded of the replay.
    pub replayed: &'a Trace,
    /// Where replay has put the code of the observed classes.
    pub layouts: &'a Layouts,
    /// Classes of the replay's stand-ins, and the recorded classes in whose place they are.
    pub stand_ins: &'a BTreeMap<String, String>,
    /// The thread of `first` that was replayed; `None` if all of them were.
    pub thread: Option<ThreadNo>,
    /// How `replayed` was recorded.
    pub detail: Detail,
    /// Class files that were replayed in place of the recorded ones, by the internal names of their classes.
    pub class_files: Option<&'a BTreeMap<String, Arc<[u8]>>>,
    /// What of `first` is damaged.
    pub damage: Vec<DamageDef>,
    /// The calls from outside that the replay makes again, in the order of their beginnings, if they are known.
    pub calls: Option<Vec<FromOutside>>,
    /// If only what certain tests need was replayed: which, ascending. Failures of others are left out.
    pub tests: Option<Vec<MarkNo>>,
}

impl Expansion<'_> {
    /// Writes the expanded recording to `to`; gives its number of events.
    ///
    /// # Errors
    /// See [`ExpandError`]. `to` must not exist, and does not after an error.
    pub fn write(&self, to: &Path) -> Result<u64, ExpandError> {
        if let Some(lack) = self.lack() {
            return Err(ExpandError::NotWhole(lack));
        }
        let threads = self.threads()?;
        let mut composer = Composer::create(to)?;
        let marks = self.marks(&threads)?;
        let failures = self.failures(&threads, &marks)?;
        let tests = self.first.marks().iter().filter(|_| !marks.is_empty());
        for record in self.records(&threads, &failures)? {
            composer.record(&record)?;
        }
        for test in tests {
            composer.record(&Record::Mark(test.clone()))?;
        }
        composer.dropped_before(self.first.events_dropped())?;
        let mut events = 0;
        for &Replayed { thread, of } in &threads {
            let mut reported = marks.get(&of).cloned().unwrap_or_default();
            if let Some((thrown, event)) = failures.uncaught(of) {
                let behind = self.last_exit(thrown, thread)? + 1;
                let at = reported.partition_point(|(no, _)| *no <= behind);
                reported.insert(at, (behind, event));
            }
            composer.copy(of, (self.replayed, thread), &reported)?;
            events += self.replayed.event_count(thread) + reported.len() as u64;
        }
        composer.close(self.end())?;
        Ok(events)
    }

    /// Where tests began and ended, by thread of the first recording. Nothing if that is not known of all threads.
    fn marks(&self, threads: &[Replayed]) -> Result<Marks, ExpandError> {
        let mut marks = Marks::new();
        for &Replayed { thread, of } in threads {
            let calls = self.calls.as_deref();
            match marks::placed((self.first, of), (self.replayed, thread), calls)? {
                Some(placed) if placed.is_empty() => {}
                Some(placed) => drop(marks.insert(of, placed)),
                None => return Ok(Marks::new()),
            }
        }
        Ok(marks)
    }

    /// The threads of the replay that have events. Of several, their names tell which they replay; of one, it is the busiest.
    fn threads(&self) -> Result<Vec<Replayed>, ExpandError> {
        let threads = self.replayed.threads().iter();
        let active = threads.filter(|t| self.replayed.event_count(t.no) > 0);
        let found: Vec<Replayed> = match self.thread {
            Some(of) => active
                .map(|t| Replayed { thread: t.no, of })
                .max_by_key(|t| self.replayed.event_count(t.thread))
                .into_iter()
                .collect(),
            None => active
                .filter_map(|t| {
                    let of = t.name.strip_prefix(LANE)?.parse().ok()?;
                    Some(Replayed { thread: t.no, of })
                })
                .collect(),
        };
        match found.is_empty() {
            true => Err(ExpandError::NoEvents),
            false => Ok(found),
        }
    }

    /// What is missing if the agent has not recorded the replay to its end. A full disk ends a recording, and what there is by then is
    /// readable.
    fn lack(&self) -> Option<String> {
        let lost = |s: &&Skipped| matches!(s.kind, LossKind::Events | LossKind::Unwritten);
        let mut losses = self.replayed.skipped().iter().filter(lost);
        match (self.replayed.damage().first(), losses.next()) {
            (_, Some(loss)) => Some(loss.reason.clone()),
            (Some(damage), None) => Some(damage.to_string()),
            _ if self.replayed.events_dropped() != 0 => Some("events were dropped".into()),
            _ if self.replayed.end().is_none() => Some("it has no end".into()),
            _ => None,
        }
    }

    /// All tables, in an order in which none names what comes later.
    fn records(
        &self,
        threads: &[Replayed],
        failures: &Failures,
    ) -> Result<Vec<Record>, ExpandError> {
        let mut records = vec![Record::Meta(self.meta())];
        // All that was replayed belongs to it.
        let window = self.first.window();
        records.extend(window.map(|w| Record::Window(Window { first: 0, ..w })));
        let classes = self.classes(threads)?;
        let sites = self.sites(&classes);
        let hashed = self.replayed.identity_hashed().iter().copied();
        let hashed: Vec<ClassNo> = hashed.filter(|no| classes.contains_key(no)).collect();
        records.extend(classes.into_values().map(Record::Class));
        records.extend(hashed.into_iter().map(Record::IdentityHashed));
        let by_class = sites.chunk_by(|a, b| a.class == b.class);
        records.extend(by_class.map(|sites| Record::Sites(sites.to_vec())));
        for replayed in threads {
            let name = self.first.threads().iter().find(|t| t.no == replayed.of);
            records.push(Record::Thread {
                no: replayed.of,
                name: name.map(|t| t.name.clone()).unwrap_or_default(),
            });
        }
        let made = self.replayed.throwables().iter();
        let made = made.map(|t| {
            failures
                .described(t)
                .unwrap_or_else(|| throwables::cleaned(t))
        });
        records.extend(
            made.chain(failures.unseen.iter().cloned())
                .map(Record::Throwable),
        );
        records.extend(failures.all.iter().cloned().map(Record::Failure));
        records.extend(self.skipped().into_iter().map(Record::Skipped));
        records.extend(self.first.salt().map(Record::Salt));
        let surroundings = self.first.surroundings().cloned();
        records.extend(surroundings.map(Record::Surroundings));
        for some in self.first.class_files() {
            records.push(Record::ClassFiles(some?));
        }
        records.extend(self.damage.iter().cloned().map(Record::Damage));
        Ok(records)
    }

    fn meta(&self) -> Meta {
        Meta {
            detail: self.detail,
            expanded: true,
            ..self.first.meta().clone()
        }
    }

    /// The classes by the numbers that the replay's events give them, as they were before replay rewrote them; behind them those
    /// that the replay has not met. What belongs to the worker is there only if an event names it.
    fn classes(&self, threads: &[Replayed]) -> Result<BTreeMap<ClassNo, ClassDef>, ExpandError> {
        let named = self.named_classes(threads)?;
        let mut classes = BTreeMap::new();
        let mut known = BTreeSet::new();
        for class in self.replayed.classes() {
            let name = self.stand_ins.get(&class.name).unwrap_or(&class.name);
            let original = self.first.class_by_name(name);
            let is_ours = class.origin != ClassOrigin::Jdk && original.is_none();
            if is_ours && !class.name.starts_with('[') && !named.contains(&class.no) {
                continue;
            }
            known.insert(name.as_str());
            let mut def = original.unwrap_or(class).clone();
            def.no = class.no;
            if let Some(bytes) = self.class_files.and_then(|files| files.get(name)) {
                def.bytes = Arc::clone(bytes);
            }
            if self.detail.has_instructions() {
                def.bytes = class.bytes.clone();
            }
            classes.entry(class.no).or_insert(def);
        }
        let numbers = self.replayed.classes().iter().map(|c| c.no);
        let mut next = numbers.max().map_or(ClassNo::FIRST, ClassNo::next);
        let others = self.first.classes().iter();
        for class in others.filter(|c| !known.contains(c.name.as_str())) {
            let class = class.clone();
            classes.insert(next, ClassDef { no: next, ..class });
            next = next.next();
        }
        Ok(classes)
    }

    /// Classes that events name.
    fn named_classes(&self, threads: &[Replayed]) -> Result<BTreeSet<ClassNo>, ExpandError> {
        let mut named = BTreeSet::new();
        let all = threads.iter();
        for event in all.flat_map(|t| self.replayed.events(t.thread).brief()) {
            let event = event?;
            let values = match &event.payload {
                Payload::Define { class, .. } => {
                    named.insert(*class);
                    continue;
                }
                Payload::Operands(values) => values,
                Payload::Content { content, .. } => content.values(),
            };
            named.extend(values.iter().filter_map(|value| match value {
                Value::Class(no) => Some(*no),
                _ => None,
            }));
        }
        Ok(named)
    }

    /// The sites, where their instructions are in the code that the trace has.
    fn sites(&self, classes: &BTreeMap<ClassNo, ClassDef>) -> Vec<Site> {
        let sites = self.replayed.sites().iter();
        let kept = sites.filter(|site| classes.contains_key(&site.class));
        if self.detail.has_instructions() {
            return kept.cloned().collect();
        }
        let original = |site: &Site| {
            let method = MemberRef {
                owner: classes[&site.class].name.as_str().into(),
                name: site.method.clone(),
                desc: site.desc.clone(),
            };
            Site {
                bci: self.layouts.original(&method, site.bci),
                ..site.clone()
            }
        };
        kept.map(original).collect()
    }

    /// What is not recorded: of the first recording, and of this one for want of room.
    fn skipped(&self) -> Vec<Skipped> {
        let of_program = |s: &&Skipped| s.kind == LossKind::Part && !s.class.starts_with(WORKER);
        let mut all = self.first.skipped().to_vec();
        for skipped in self.replayed.skipped().iter().filter(of_program) {
            if !all.contains(skipped) {
                all.push(skipped.clone());
            }
        }
        all
    }

    fn end(&self) -> Option<End> {
        let replayed = self.replayed.end().map_or(0, |end| end.contents_dropped);
        self.first.end().map(|end| End {
            contents_dropped: replayed.max(end.contents_dropped),
            ..end.clone()
        })
    }

    /// The failures of the first recording, by the identities that their exceptions had in the replay.
    fn failures(&self, replayed: &[Replayed], marks: &Marks) -> Result<Failures, ExpandError> {
        let mut failures = Failures::default();
        for failure in self.first.failures() {
            if let (Some(test), Some(tests)) = (failure.test, &self.tests)
                && tests.binary_search(&test).is_err()
            {
                continue;
            }
            let original = self.first.throwable(failure.throwable);
            let places = places(failure, replayed, marks);
            let (Some(original), Some(first)) = (original, places.first()) else {
                continue;
            };
            let test = failure.test.filter(|_| !marks.is_empty());
            let throwable = self.mapped(&mut failures, original, &places, MOST_CAUSES)?;
            let of = replayed.iter().find(|t| t.thread == first.thread);
            failures.all.push(Failure {
                throwable,
                test,
                thread: of.map_or(failure.thread, |t| t.of),
                ..failure.clone()
            });
        }
        Ok(failures)
    }

    /// The identity that a thrown exception of the first recording has in the replay, in which it passed through observed code at the first of these
    /// places at which it did, or a new one if it did not. So have its causes.
    fn mapped(
        &self,
        failures: &mut Failures,
        original: &ThrowableDef,
        places: &[Place],
        causes: usize,
    ) -> Result<ObjectId, ExpandError> {
        for place in places {
            if let Some(id) = self.thrown_like(failures, original, *place)? {
                self.describe(failures, id, original, causes);
                return Ok(id);
            }
        }
        let cause = self.first.throwable(original.cause);
        let cause = match cause.filter(|_| causes > 0) {
            Some(cause) => self.mapped(failures, cause, places, causes - 1)?,
            None => 0,
        };
        let known = self.replayed.throwables().iter().map(|t| t.id).max();
        let unseen = failures.unseen.iter().map(|t| t.id).max();
        let id = 1 + known.unwrap_or(0).max(unseen.unwrap_or(0));
        failures.unseen.push(ThrowableDef {
            id,
            cause,
            ..original.clone()
        });
        Ok(id)
    }

    /// Describes an exception of the replay as the first recording does, and its causes as far as they are the same: in the words of the program's own
    /// code.
    fn describe(
        &self,
        failures: &mut Failures,
        id: ObjectId,
        original: &ThrowableDef,
        causes: usize,
    ) {
        let cause = self.replayed.throwable(id).map_or(0, |t| t.cause);
        let described = ThrowableDef {
            id,
            cause,
            ..original.clone()
        };
        failures.described.insert(id, described);
        let replayed = self.replayed.throwable(cause).filter(|_| causes > 0);
        if let (Some(replayed), Some(recorded)) = (replayed, self.first.throwable(original.cause))
            && throwables::are_alike(replayed, recorded)
        {
            self.describe(failures, cause, recorded, causes - 1);
        }
    }

    /// Number of the event by which the last activation ended that the exception `thrown` left; of the last event if it left none.
    fn last_exit(&self, thrown: ObjectId, thread: ThreadNo) -> Result<u64, ExpandError> {
        let last = self.replayed.event_count(thread).saturating_sub(1);
        for (back, event) in (0..).zip(self.replayed.events_backward(thread)) {
            let event = event?;
            let left =
                matches!(&event.payload, Payload::Operands(v) if v[..] == [Value::Object(thrown)]);
            if left && event.kind == EventKind::ExitThrow {
                return Ok(last.saturating_sub(back));
            }
        }
        Ok(last)
    }

    /// The exception that ended an activation last before an event and is like the recorded one.
    fn thrown_like(
        &self,
        failures: &mut Failures,
        original: &ThrowableDef,
        Place { thread, until }: Place,
    ) -> Result<Option<ObjectId>, ExpandError> {
        let thrown = match failures.thrown.entry(thread) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(self.thrown(thread)?),
        };
        let is_like = |id: ObjectId| {
            let def = self.replayed.throwable(id);
            def.is_some_and(|d| throwables::are_alike(d, original))
        };
        let before = thrown.partition_point(|(at, _)| *at < until);
        let ids = thrown[..before].iter().rev().map(|(_, id)| *id);
        Ok(ids.into_iter().find(|id| is_like(*id)))
    }

    /// The exceptions that ended activations of a thread, with the events.
    fn thrown(&self, thread: ThreadNo) -> Result<Vec<(u64, ObjectId)>, ExpandError> {
        let mut thrown = Vec::new();
        for (no, event) in (0..).zip(self.replayed.events(thread).brief()) {
            let event = event?;
            if let (EventKind::ExitThrow, Payload::Operands(values)) = (event.kind, &event.payload)
                && let [Value::Object(id)] = values[..]
            {
                thrown.push((no, id));
            }
        }
        Ok(thrown)
    }
}

/// Where to look for an exception: a thread of the replay, and the event before which it was thrown there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    thread: ThreadNo,
    until: u64,
}

/// The places at which the exception of a failure may have been thrown, that of the thread that reported it first. A framework may report on one
/// thread how a test ended that it ran on another: there the test ended before the next one began. The thread that reports may not be replayed at all,
/// as no recorded code ran on it.
fn places(failure: &Failure, replayed: &[Replayed], marks: &Marks) -> Vec<Place> {
    // Where the tests of a thread began, or were reported to have failed.
    let marked = |thread: &Replayed, wanted: Phase| {
        let all = marks.get(&thread.of).into_iter().flatten();
        all.filter_map(move |(at, mark)| {
            let (no, phase) = marks::of(mark)?;
            (phase == wanted).then_some((*at, no))
        })
    };
    let of_test = |(_, no): &(u64, MarkNo)| Some(*no) == failure.test;
    let until = |thread: &Replayed| {
        if thread.of == failure.thread {
            let reported = marked(thread, Phase::Failed).find(of_test);
            return Some(reported.map_or(u64::MAX, |(at, _)| at));
        }
        let mut begins = marked(thread, Phase::Begin).skip_while(|begin| !of_test(begin));
        begins.next()?;
        Some(begins.next().map_or(u64::MAX, |(at, _)| at))
    };
    let mut threads: Vec<&Replayed> = replayed.iter().collect();
    threads.sort_by_key(|t| t.of != failure.thread);
    let places = threads.into_iter().filter_map(|t| {
        let thread = t.thread;
        until(t).map(|until| Place { thread, until })
    });
    places.collect()
}

/// A thread of the replay.
#[derive(Clone, Copy, Debug)]
struct Replayed {
    /// Its number in the recording of the replay.
    thread: ThreadNo,
    /// The thread of the first recording that it replays.
    of: ThreadNo,
}

/// Failures in an expanded recording.
#[derive(Debug, Default)]
struct Failures {
    all: Vec<Failure>,
    /// What the first recording says of exceptions that the replay threw again: with the program's own stack.
    described: HashMap<ObjectId, ThrowableDef>,
    /// Exceptions that passed through no observed code.
    unseen: Vec<ThrowableDef>,
    /// What ended activations, by thread of the replay, as far as that was looked at.
    thrown: HashMap<ThreadNo, Vec<(u64, ObjectId)>>,
}

impl Failures {
    fn described(&self, throwable: &ThrowableDef) -> Option<ThrowableDef> {
        self.described.get(&throwable.id).cloned()
    }

    /// The exception that ended `thread` of the first recording, if one did, and the event that says so: behind the last method that it left,
    /// before what the handler of such exceptions does.
    fn uncaught(&self, thread: ThreadNo) -> Option<(ObjectId, Event)> {
        let ended = |f: &&Failure| f.kind == FailureKind::Uncaught && f.thread == thread;
        let failure = self.all.iter().find(ended)?;
        let event = Event {
            kind: EventKind::Uncaught,
            site: None,
            payload: Payload::Operands(vec![Value::Object(failure.throwable)]),
        };
        Some((failure.throwable, event))
    }
}

/// Is this the name of a method that replay added?
fn is_bridge(method: &str) -> bool {
    method.starts_with(BRIDGE_PREFIX)
}

#[cfg(test)]
mod tests {
    use jinsi_trace::model::Prim;

    use super::*;

    /// A trace of one thread that dies of an object, and its end, if it has one.
    fn trace(file: &Path, end: Option<End>) -> Trace {
        let mut composer = Composer::create(file).unwrap();
        composer.record(&Record::Meta(Meta::default())).unwrap();
        let name = "main".to_owned();
        composer.record(&Record::Thread { no: 0, name }).unwrap();
        let event = Event {
            kind: EventKind::Uncaught,
            site: None,
            payload: Payload::Operands(vec![Value::Object(1)]),
        };
        composer.events(0, [Ok(event)]).unwrap();
        composer.close(end).unwrap();
        Trace::open(file).unwrap()
    }

    #[test]
    fn what_a_test_threw_is_looked_for_where_it_ran() {
        let mark = |no: i64, phase: Phase| Event {
            kind: EventKind::Mark,
            site: None,
            payload: Payload::Operands(vec![Value::Prim(Prim::Long(4 * no + phase as i64))]),
        };
        let failure = Failure {
            kind: FailureKind::Test,
            throwable: 1,
            thread: 0,
            test: Some(1),
        };
        let threads = [(5, 0), (6, 1), (7, 2)].map(|(thread, of)| Replayed { thread, of });
        let place = |thread, until| Place { thread, until };
        let marks = Marks::from([
            (
                0,
                vec![(3, mark(0, Phase::End)), (9, mark(1, Phase::Failed))],
            ),
            (
                1,
                vec![
                    (2, mark(0, Phase::Begin)),
                    (8, mark(1, Phase::Begin)),
                    (20, mark(2, Phase::Begin)),
                ],
            ),
            (2, vec![(4, mark(3, Phase::Begin))]),
        ]);
        let found = |marks: &Marks| places(&failure, &threads, marks);
        assert_eq!(found(&marks), [place(5, 9), place(6, 20)]);
        assert_eq!(found(&Marks::new()), [place(5, u64::MAX)]);
        assert_eq!(places(&failure, &threads[1..], &marks), [place(6, 20)]);
        assert_eq!(places(&failure, &threads[2..], &marks), []);
    }

    #[test]
    fn the_worker_names_its_threads_so() {
        let worker = include_str!("../../../../java-harness/replay/jinsi/replay/ThreadedRun.java");
        assert!(worker.contains(&format!("\"{LANE}\" + number")));
    }

    #[test]
    fn a_recording_that_broke_off_is_not_taken_for_whole() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let first = trace(&at("first"), Some(End::default()));
        let whole = trace(&at("whole"), Some(End::default()));
        let broken = trace(&at("broken"), None);
        let layouts = Layouts::default();
        let stand_ins = BTreeMap::new();
        let expansion = |replayed| Expansion {
            first: &first,
            replayed,
            layouts: &layouts,
            stand_ins: &stand_ins,
            thread: Some(0),
            detail: Detail::Interactions,
            class_files: None,
            damage: Vec::new(),
            calls: None,
            tests: None,
        };
        let refused = expansion(&broken).write(&at("no"));
        assert!(
            matches!(refused, Err(ExpandError::NotWhole(_))),
            "{refused:?}"
        );
        assert!(!at("no").exists());
        assert_eq!(expansion(&whole).write(&at("yes")).unwrap(), 1);
        assert_eq!(Trace::open(&at("yes")).unwrap().event_count(0), 1);
    }
}
