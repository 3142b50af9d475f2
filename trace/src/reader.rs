//! Reading a trace, closed or not.
//!
//! [`Trace::open`] reads all tables and checks every segment; events are decoded as they are asked for. Any prefix of a trace
//! can be read. What cannot be read is left out and listed ([`Trace::damage`]).
//!
//! A trace whose process was killed still has its staging zones: events in buffers that were not encoded yet are read from
//! there, behind the thread's chunks.

mod error;
mod events;
mod object_events;
mod piece;
mod raw_events;
mod scan;
mod shapes;
mod skim;
mod source;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

pub use error::{Damage, Lost, ReadError, SegmentPlace, Stretch};
pub use events::Events;
pub use object_events::ObjectEvents;
pub use piece::Piece;
pub use skim::Skim;

use crate::chunk::Direction;
pub use crate::chunk::{ChunkError, EncodingStats, KindStats};
use crate::model::{
    ClassDef, ClassFiles, ClassNo, ClassOrigin, DamageDef, End, Event, EventKind, Failure, MarkDef,
    MarkNo, Meta, Note, ObjectId, Record, Site, SiteNo, Skipped, Surroundings, ThreadNo,
    ThrowableDef, Window,
};
use crate::order::{self, Merged};
use crate::raw::SiteShape;
use crate::table;
use events::Batch;
use shapes::Shapes;
use source::Source;

/// A recorded thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadDef {
    /// Own number.
    pub no: ThreadNo,
    /// Its Java name; empty if the record that names it is lost.
    pub name: String,
}

/// The records of a trace, by kind.
#[derive(Debug, Default)]
struct Tables {
    meta: Option<Meta>,
    end: Option<End>,
    classes: Vec<ClassDef>,
    class_places: HashMap<ClassNo, usize>,
    class_names: HashMap<String, usize>,
    sites: Vec<Site>,
    site_places: HashMap<SiteNo, usize>,
    shapes: Shapes,
    threads: Vec<ThreadDef>,
    throwables: Vec<ThrowableDef>,
    throwable_places: HashMap<ObjectId, usize>,
    failures: Vec<Failure>,
    marks: Vec<MarkDef>,
    skipped: Vec<Skipped>,
    notes: Vec<Note>,
    salt: Option<u32>,
    surroundings: Option<Surroundings>,
    test_properties: Option<BTreeMap<String, String>>,
    window: Option<Window>,
    identity_hashed: BTreeSet<ClassNo>,
    /// Damage of the trace that this one was made of.
    damage: Vec<DamageDef>,
    /// Payloads of the segments that have class files: where they begin, and their lengths.
    class_files: Vec<(u64, u64)>,
}

impl Tables {
    /// Adds a record. Of two with one number the first counts.
    fn add(&mut self, record: Record) {
        match record {
            Record::Meta(meta) => {
                self.meta.get_or_insert(meta);
            }
            Record::Class(class) => {
                let known = self.class_places.get(&class.no).copied();
                if let Some(known) = known.map(|place| &mut self.classes[place])
                    && known.name == class.name
                    && [known.origin, class.origin].contains(&ClassOrigin::Inherited)
                {
                    // It was loaded, and listed, before the class that inherits from it. The two records come from different
                    // threads, in either order.
                    if class.origin == ClassOrigin::Inherited {
                        *known = class;
                    }
                    return;
                }
                let place = self.classes.len();
                self.class_places.entry(class.no).or_insert(place);
                self.class_names.entry(class.name.clone()).or_insert(place);
                self.classes.push(class);
            }
            Record::Sites(sites) => {
                for site in sites {
                    self.site_places.entry(site.no).or_insert(self.sites.len());
                    self.shapes.add(site.no, SiteShape::of(&site));
                    self.sites.push(site);
                }
            }
            Record::Thread { no, name } => self.threads.push(ThreadDef { no, name }),
            Record::Throwable(def) => {
                // One may be described again, with its frames, when it turns out to be a failure.
                self.throwable_places.insert(def.id, self.throwables.len());
                self.throwables.push(def);
            }
            Record::Failure(failure) => self.failures.push(failure),
            Record::Mark(mark) => self.marks.push(mark),
            Record::Skipped(skipped) => self.skipped.push(skipped),
            Record::Note(note) => self.notes.push(note),
            Record::IdentityHashed(class) => _ = self.identity_hashed.insert(class),
            Record::Salt(salt) => {
                self.salt.get_or_insert(salt);
            }
            Record::Surroundings(surroundings) => {
                self.surroundings.get_or_insert(surroundings);
            }
            Record::TestProperties(properties) => {
                self.test_properties.get_or_insert(properties);
            }
            // Only where they are is remembered.
            Record::ClassFiles(_) => {}
            Record::Window(window) => self.window = Some(window),
            Record::Damage(damage) => self.damage.push(damage),
            Record::End(end) => {
                self.end.get_or_insert(end);
            }
        }
    }
}

/// An open trace.
#[derive(Debug)]
pub struct Trace {
    source: Source,
    tables: Tables,
    meta: Meta,
    /// By thread, in order of recording.
    batches: BTreeMap<ThreadNo, Vec<Batch>>,
    stats: BTreeMap<EventKind, KindStats>,
    encoding: EncodingStats,
    damage: Vec<Damage>,
    dropped: u64,
    fingerprint: u64,
}

impl Trace {
    /// Opens the trace at `path`.
    ///
    /// # Errors
    /// The file cannot be read, is no trace, is one of another version, or ends before its first record.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        Self::read(Source::open(path)?)
    }

    /// A trace in memory: the bytes of a trace file.
    ///
    /// # Errors
    /// As [`Trace::open`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, ReadError> {
        Self::read(Source::memory(bytes))
    }

    fn read(source: Source) -> Result<Self, ReadError> {
        let mut scan = scan::scan(&source)?;
        let Some(meta) = scan.tables.meta.take() else {
            return Err(ReadError::Empty(source.path().to_owned()));
        };
        Ok(Self {
            source,
            tables: scan.tables,
            meta,
            batches: scan.batches,
            stats: scan.stats,
            encoding: scan.encoding,
            damage: scan.damage,
            dropped: scan.dropped,
            fingerprint: scan.fingerprint.0,
        })
    }

    /// What the agent knew when it began.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// The orderly end; `None` if the process was killed or still runs.
    pub fn end(&self) -> Option<&End> {
        self.tables.end.as_ref()
    }

    /// All classes, in order of recording.
    pub fn classes(&self) -> &[ClassDef] {
        &self.tables.classes
    }

    /// The class numbered `no`.
    pub fn class(&self, no: ClassNo) -> Option<&ClassDef> {
        self.tables.classes.get(*self.tables.class_places.get(&no)?)
    }

    /// The class of this internal name; the first, if class loaders have several.
    pub fn class_by_name(&self, internal: &str) -> Option<&ClassDef> {
        self.tables
            .classes
            .get(*self.tables.class_names.get(internal)?)
    }

    /// All sites, in order of recording.
    pub fn sites(&self) -> &[Site] {
        &self.tables.sites
    }

    /// The site numbered `no`.
    pub fn site(&self, no: SiteNo) -> Option<&Site> {
        self.tables.sites.get(*self.tables.site_places.get(&no)?)
    }

    /// The site of an event; `None` if it has none, or the table has it not.
    pub fn site_of(&self, event: &Event) -> Option<&Site> {
        self.site(event.site?)
    }

    /// All threads, by number.
    pub fn threads(&self) -> &[ThreadDef] {
        &self.tables.threads
    }

    /// All throwables, in order of recording.
    pub fn throwables(&self) -> &[ThrowableDef] {
        &self.tables.throwables
    }

    /// The throwable with this identity.
    pub fn throwable(&self, id: ObjectId) -> Option<&ThrowableDef> {
        self.tables
            .throwables
            .get(*self.tables.throwable_places.get(&id)?)
    }

    /// The failures, in order.
    pub fn failures(&self) -> &[Failure] {
        &self.tables.failures
    }

    /// The tests of the run, in the order of their numbers.
    pub fn marks(&self) -> &[MarkDef] {
        &self.tables.marks
    }

    /// The test that failed, if the failure is one's.
    pub fn test_of(&self, failure: &Failure) -> Option<&MarkDef> {
        self.mark(failure.test?)
    }

    /// The test with this number.
    pub fn mark(&self, no: MarkNo) -> Option<&MarkDef> {
        let marks = self.marks();
        let place = marks.binary_search_by_key(&no, |mark| mark.no).ok()?;
        marks.get(place)
    }

    /// What somebody said while the program ran, in that order.
    pub fn notes(&self) -> &[Note] {
        &self.tables.notes
    }

    /// Classes of the JDK's whose objects have identity hash codes, as far as the trace names them.
    pub fn identity_hashed(&self) -> &BTreeSet<ClassNo> {
        &self.tables.identity_hashed
    }

    /// The salt of the recorded JVM's immutable sets and maps; `None` before Java 17, and if the JVM ended as it started.
    pub fn salt(&self) -> Option<u32> {
        self.tables.salt
    }

    /// What the program had around it; `None` if the JVM ended as it started.
    pub fn surroundings(&self) -> Option<&Surroundings> {
        self.tables.surroundings.as_ref()
    }

    /// System properties that were set between the start of the JVM and its first test.
    pub fn test_properties(&self) -> Option<&BTreeMap<String, String>> {
        self.tables.test_properties.as_ref()
    }

    /// Does the trace keep class files of what is not observed?
    pub fn keeps_class_files(&self) -> bool {
        !self.tables.class_files.is_empty()
    }

    /// The class files that it keeps of what is not observed, some at a time: they are read now. What is no such record any more is left out.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn class_files(&self) -> impl Iterator<Item = Result<ClassFiles, ReadError>> + '_ {
        self.tables.class_files.iter().filter_map(|&(at, len)| {
            let payload = match self.source.read(at, len) {
                Ok(payload) => payload,
                Err(error) => return Some(Err(error)),
            };
            match table::decode(&payload) {
                Some(Record::ClassFiles(some)) => Some(Ok(some)),
                _ => None,
            }
        })
    }

    /// What is left of a recording of which the beginning was dropped so that the rest can be replayed; `None` if nothing was, or
    /// the rest cannot.
    pub fn window(&self) -> Option<Window> {
        self.tables.window
    }

    /// Classes that are not, or not wholly, recorded.
    pub fn skipped(&self) -> &[Skipped] {
        &self.tables.skipped
    }

    /// What of the file could not be read. Empty for a trace whose process was killed and whose file is whole.
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// Where in the file the event is that a thread's stream has at `index`, counted from 0.
    pub fn stretch_of(&self, thread: ThreadNo, index: u64) -> Option<Stretch> {
        let mut left = index;
        let batch = self.batches_of(thread).iter().find(|batch| {
            let here = left < batch.events();
            left -= if here { 0 } else { batch.events() };
            here
        })?;
        Some(batch.stretch(thread))
    }

    /// The thread whose events the segment has.
    pub fn thread_at(&self, place: SegmentPlace) -> Option<ThreadNo> {
        let of = |(&thread, batches): (&ThreadNo, &Vec<Batch>)| {
            let mut batches = batches.iter().map(|batch| batch.stretch(thread));
            batches
                .any(|batch| batch.offset == place.offset)
                .then_some(thread)
        };
        self.batches.iter().find_map(of)
    }

    /// Events that were dropped while recording, oldest first, to keep the trace as small as it had to be.
    pub fn events_dropped(&self) -> u64 {
        self.dropped
    }

    /// Size of the file in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.source.len()
    }

    /// A number by which a file can be distinguished from another one, and from itself before it was changed: what is computed of a trace can be kept
    /// with it. It is no protection against somebody who wants to deceive.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Numbers by kind of event. For events that were not encoded any more, encoded and raw size are the same.
    pub fn kind_stats(&self) -> BTreeMap<EventKind, KindStats> {
        self.stats.clone()
    }

    /// How the events are encoded that are not in a thread's buffer any more.
    pub fn encoding_stats(&self) -> EncodingStats {
        self.encoding
    }

    /// Number of events of a thread.
    pub fn event_count(&self, thread: ThreadNo) -> u64 {
        self.batches_of(thread).iter().map(Batch::events).sum()
    }

    /// The events of a thread, oldest first. Ends after the first error.
    pub fn events(&self, thread: ThreadNo) -> Events<'_> {
        Events::new(self, thread, Direction::Forward)
    }

    /// The events of a thread from this index on, oldest first. Ends after the first error.
    pub fn events_from(&self, thread: ThreadNo, index: u64) -> Events<'_> {
        Events::from(self, thread, index)
    }

    /// The events of a thread, newest first. Ends after the first error.
    pub fn events_backward(&self, thread: ThreadNo) -> Events<'_> {
        Events::new(self, thread, Direction::Backward)
    }

    /// The events of a thread, newest first, for who asks few of them for their operands.
    pub fn skim_backward(&self, thread: ThreadNo) -> Skim<'_> {
        Skim::new(self, thread)
    }

    /// The same of the first `count` events of a thread.
    ///
    /// # Errors
    /// The chunk cannot be read in which the last of them is.
    pub fn skim_before(&self, thread: ThreadNo, count: u64) -> Result<Skim<'_>, ReadError> {
        Skim::before(self, thread, count)
    }

    /// Identity and class of the objects that a thread's events define, oldest first in each run of events that was encoded together.
    /// Faster than reading the events; ends after the first error.
    pub fn definitions(
        &self,
        thread: ThreadNo,
    ) -> impl Iterator<Item = Result<Vec<(ObjectId, ClassNo)>, ReadError>> + '_ {
        let mut failed = false;
        let batches = self.batches_of(thread).iter();
        batches.map_while(move |batch| {
            let defined = (!failed).then(|| batch.definitions(self))?;
            failed = defined.is_err();
            Some(defined)
        })
    }

    /// The events of a thread that define objects or say what they hold, oldest first, with their index. Elements of primitive arrays may be
    /// left out, as [`Events::brief`] does. Operands of other events are not decoded. Ends after the first error.
    pub fn object_events(&self, thread: ThreadNo) -> ObjectEvents<'_> {
        ObjectEvents::new(self.events(thread).brief())
    }

    /// The events of all threads, in an order that contradicts no happens-before edge between them; see [`crate::order`]. An error ends
    /// the thread it is in.
    pub fn merged(&self) -> impl Iterator<Item = Result<Merged, ReadError>> + '_ {
        self.merged_with_elements(u64::MAX)
    }

    /// The same, but of primitive arrays with more than `most` elements only how many they have: such contents may come as if they had been too
    /// large.
    pub fn merged_with_elements(
        &self,
        most: u64,
    ) -> impl Iterator<Item = Result<Merged, ReadError>> + '_ {
        order::merge(self.tables.threads.iter().map(|t| t.no), move |thread| {
            self.events(thread).elements(most)
        })
    }

    /// The events of a thread in the pieces in which the file has them, oldest first.
    pub fn pieces(&self, thread: ThreadNo) -> impl Iterator<Item = Piece<'_>> {
        Piece::all(self, thread)
    }

    fn batches_of(&self, thread: ThreadNo) -> &[Batch] {
        self.batches.get(&thread).map_or(&[], Vec::as_slice)
    }
}
