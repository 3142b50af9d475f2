//! The tables of a recording: classes, sites, what is not recorded.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use hashbrown::DefaultHashBuilder;
use jinsi_trace::model::{ClassDef, ClassNo, ClassOrigin, LossKind, Record, Site, SiteNo, Skipped};
use jinsi_trace::writer::TraceWriter;
use parking_lot::Mutex;

use super::numbers::{Numbers, Plain};
use crate::class_def::with_skeleton;
use crate::encoder::Encoder;
use crate::stop::Stop;

/// Longest chain of superclasses followed: same-named classes of several loaders may seem to form a circle.
const MAX_DEPTH: usize = 256;

/// The tables; shared by all threads of the JVM.
pub struct Tables {
    writer: Arc<TraceWriter>,
    encoder: Arc<Encoder>,
    stop: Arc<Stop>,
    numbers: Arc<Numbers>,
    /// Numbers of the classes in this recording's table.
    entered: Mutex<HashSet<ClassNo>>,
    /// Superclasses of classes that are not observed, the JDK's left out.
    parents: Mutex<HashMap<String, String>>,
    /// Internal names of the classes that have probes, and what tells their original bytes from others.
    with_probes: Mutex<HashMap<String, u64>>,
    /// Of the classes of which not the first version is recorded: which one is, and what tells those apart that came before.
    versions: Mutex<HashMap<String, (u32, Vec<u64>)>>,
    hasher: DefaultHashBuilder,
    rewritten: AtomicU32,
    skipped: AtomicU32,
}

impl Tables {
    pub(super) fn new(
        writer: Arc<TraceWriter>,
        encoder: Arc<Encoder>,
        stop: Arc<Stop>,
        versions: &[(String, u32)],
        numbers: Arc<Numbers>,
    ) -> Self {
        let versions = versions.iter();
        let versions = versions.map(|(class, number)| (class.clone(), (*number, Vec::new())));
        let tables = Self {
            versions: Mutex::new(versions.collect()),
            writer,
            encoder,
            stop,
            numbers,
            entered: Mutex::default(),
            parents: Mutex::default(),
            with_probes: Mutex::default(),
            hasher: DefaultHashBuilder::default(),
            rewritten: AtomicU32::new(0),
            skipped: AtomicU32::new(0),
        };
        tables.enter_kept();
        tables
    }

    /// What an earlier recording was asked for, this one will not be.
    fn enter_kept(&self) {
        let (classes, sites) = self.numbers.kept();
        for Plain {
            class,
            identity_hashed,
        } in classes
        {
            let no = class.no;
            self.entered.lock().insert(no);
            match class.bytes.is_empty() {
                true => self.record(&Record::Class(class)),
                false => self.encoder.skeleton(class),
            }
            if identity_hashed {
                self.record(&Record::IdentityHashed(no));
            }
        }
        if !sites.is_empty() {
            self.record(&Record::Sites(sites));
        }
    }

    /// Appends a table record. A write error stops the recording.
    pub fn record(&self, record: &Record) {
        if !self.stop.is_set()
            && let Err(e) = self.writer.record(record)
        {
            self.stop.failed(&e);
        }
    }

    /// Appends a record after the threads have been stopped.
    pub(super) fn append(&self, record: &Record) {
        if let Err(e) = self.writer.record(record) {
            self.stop.failed(&e);
        }
    }

    /// Number of the class with this internal name; the second value is true if it is new, and then a `Record::Class` must follow.
    pub fn class_no(&self, internal: &str) -> (ClassNo, bool) {
        let no = self.numbers.class(internal);
        (no, self.entered.lock().insert(no))
    }

    /// Number of the class with this internal name, if it has one.
    pub fn known_class(&self, internal: &str) -> Option<ClassNo> {
        self.numbers.known_class(internal)
    }

    /// A run-time class that was not seen by the class hook, and what is recorded of it; do its objects have identity hash codes?
    pub fn runtime_class(
        &self,
        internal: &str,
        identity_hashed: bool,
        def: impl FnOnce(ClassNo) -> ClassDef,
    ) -> ClassNo {
        let (no, new) = self.class_no(internal);
        if new {
            let class = def(no);
            self.numbers.keep_class(&class, identity_hashed);
            self.record(&Record::Class(class));
            if identity_hashed {
                self.record(&Record::IdentityHashed(no));
            }
        }
        no
    }

    /// A class of a library that is not observed: its skeleton is made on the encoder thread.
    pub fn skeleton(&self, internal: &str, bytes: &[u8]) {
        let (no, new) = self.class_no(internal);
        if new {
            self.skeleton_of(no, internal, bytes);
        }
    }

    /// [`Self::skeleton`] of a class that has just got its number.
    pub fn skeleton_of(&self, no: ClassNo, internal: &str, bytes: &[u8]) {
        let class = whole(no, internal, bytes);
        self.numbers.keep_class(&class, false);
        self.encoder.skeleton(class);
    }

    /// Puts the skeleton of class `no` into the table now, because its sites follow.
    pub fn environment(&self, no: ClassNo, internal: &str, bytes: &[u8]) {
        let class = whole(no, internal, bytes);
        self.record(&Record::Class(with_skeleton(class.clone())));
        self.encoder.keep(class);
    }

    /// The class `internal`, which is not observed, has this superclass.
    pub fn inherits(&self, internal: &str, super_name: Option<&str>) {
        if let Some(parent) = super_name.filter(|p| !p.starts_with("java/")) {
            self.parents.lock().insert(internal.into(), parent.into());
        }
    }

    /// Number of classes whose superclass is kept for [`super::Recorder::reaches_observed`].
    pub fn known_parents(&self) -> usize {
        self.parents.lock().len()
    }

    /// Is `test` true of the class `internal`, or of a superclass of it as far as classes have been seen?
    pub(super) fn any_above(&self, internal: &str, test: impl Fn(&str) -> bool) -> bool {
        if test(internal) {
            return true;
        }
        let parents = self.parents.lock();
        let chain = std::iter::successors(parents.get(internal), |name| parents.get(*name));
        chain.take(MAX_DEPTH).any(|name| test(name))
    }

    /// A number that no other site has.
    pub fn reserve_site(&self) -> SiteNo {
        self.numbers.reserve_site()
    }

    /// A site that belongs to no class that could be rewritten again.
    pub(crate) fn indirect_site(&self, site: Site) {
        self.numbers.keep_site(&site);
        self.record(&Record::Sites(vec![site]));
    }

    /// An observed class was rewritten: its bytes and sites go into the tables before the JVM sees it.
    pub fn rewritten(&self, class: ClassDef, sites: Vec<Site>) {
        self.rewritten.fetch_add(1, Ordering::Relaxed);
        self.record(&Record::Class(class));
        self.record(&Record::Sites(sites));
    }

    /// The class with this internal name is getting probes. Said before, because another loader may be about to define it too.
    pub fn will_rewrite(&self, internal: &str, bytes: &[u8]) {
        let mark = self.hasher.hash_one(bytes);
        self.with_probes.lock().insert(internal.into(), mark);
    }

    /// Has the class with this internal name probes, and were these its bytes before?
    pub fn has_bytes(&self, internal: &str, bytes: &[u8]) -> bool {
        let mark = self.hasher.hash_one(bytes);
        self.with_probes.lock().get(internal) == Some(&mark)
    }

    /// Is another version of the class to be recorded, which has not been loaded yet?
    pub fn is_earlier_version(&self, internal: &str, bytes: &[u8]) -> bool {
        let mut versions = self.versions.lock();
        let Some((wanted, seen)) = versions.get_mut(internal) else {
            return false;
        };
        let mark = self.hasher.hash_one(bytes);
        let at = seen.iter().position(|known| *known == mark);
        let at = at.unwrap_or_else(|| {
            seen.push(mark);
            seen.len() - 1
        });
        at + 1 < *wanted as usize
    }

    /// An observed class stays as it is.
    pub fn left_alone(&self, class: ClassDef, reason: String) {
        self.skipped.fetch_add(1, Ordering::Relaxed);
        let name = class.name.clone();
        self.with_probes.lock().remove(&name);
        self.record(&Record::Class(class));
        self.note(LossKind::Class, &name, reason);
    }

    /// Something of an observed class is not recorded although the class is.
    pub fn note_loss(&self, class: &str, reason: String) {
        self.note(LossKind::Part, class, reason);
    }

    /// Something is not recorded.
    pub fn note(&self, kind: LossKind, class: &str, reason: String) {
        self.record(&Record::Skipped(Skipped {
            class: class.into(),
            reason,
            kind,
        }));
    }

    /// How many classes were rewritten, and how many observed ones were left alone.
    pub(super) fn counts(&self) -> (u32, u32) {
        let [rewritten, skipped] =
            [&self.rewritten, &self.skipped].map(|count| count.load(Ordering::Relaxed));
        (rewritten, skipped)
    }
}

/// A class of the environment with its whole class file.
fn whole(no: ClassNo, internal: &str, bytes: &[u8]) -> ClassDef {
    ClassDef {
        no,
        name: internal.into(),
        super_name: None,
        interfaces: vec![],
        access: 0,
        origin: ClassOrigin::Skeleton,
        source_file: None,
        bytes: bytes.into(),
    }
}
