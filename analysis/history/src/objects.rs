//! The object table: class, length, recorded contents and mentions of every object.

use jinsi_trace::model::{ClassNo, Content, ObjectId, ThreadNo, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::arrays::ArrayLog;
use super::moment::Moment;
use super::node::{Node, NodeNo};
use super::snapshot::Snapshot;

/// What is known of an object.
#[derive(Clone, Debug)]
pub struct ObjectRecord {
    /// Run-time class.
    pub class: ClassNo,
    /// Length if an array.
    pub length: Option<u32>,
    /// When it got its identity.
    pub defined: Moment,
    /// Has a constructor said that this is the object it made?
    pub constructed: bool,
    /// What else was recorded of it. Of most objects there is nothing, and there may be very many of them.
    log: Option<Box<Log>>,
}

/// What became of an object.
#[derive(Clone, Debug, Default)]
struct Log {
    /// Its snapshots, by index.
    snapshots: Vec<u32>,
    /// Calls of unrecorded methods with it as receiver, argument or result, in order.
    mentions: Vec<NodeNo>,
    /// Elements, if an array.
    array: Option<ArrayLog>,
}

/// The object table.
#[derive(Debug, Default)]
pub(super) struct Objects {
    objects: FxHashMap<ObjectId, ObjectRecord>,
    snapshots: Vec<Snapshot>,
    /// Is nothing kept but the records?
    bare: bool,
    /// If some will be forgotten: the objects of which there may be something to forget.
    touched: Option<FxHashSet<ObjectId>>,
    /// Snapshots that are forgotten and still have a number.
    forgotten: usize,
}

impl Objects {
    /// A table that has nothing but classes, lengths and moments: no contents, no mentions.
    pub(super) fn bare() -> Self {
        Self {
            bare: true,
            ..Self::default()
        }
    }

    /// A table of which [`Self::forget`] will be asked.
    pub(super) fn forgetful() -> Self {
        Self {
            touched: Some(FxHashSet::default()),
            ..Self::default()
        }
    }

    pub(super) fn is_bare(&self) -> bool {
        self.bare
    }

    pub(super) fn get(&self, id: ObjectId) -> Option<&ObjectRecord> {
        self.objects.get(&id)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (ObjectId, &ObjectRecord)> {
        self.objects.iter().map(|(id, record)| (*id, record))
    }

    pub(super) fn snapshots(&self) -> &[Snapshot] {
        &self.snapshots
    }

    pub(super) fn snapshot_at(&self, id: ObjectId, at: Moment) -> Option<&Snapshot> {
        let numbers = self.objects.get(&id)?.snapshots();
        let end = numbers.partition_point(|&no| self.snapshots[no as usize].moment <= at);
        Some(&self.snapshots[numbers[end.checked_sub(1)?] as usize])
    }

    /// Have fields of `id` been recorded, or were there too many of them?
    pub(super) fn has_fields(&self, id: ObjectId) -> bool {
        self.objects.get(&id).is_some_and(|o| {
            let content = o.snapshots().first();
            let content = content.map(|&no| &self.snapshots[no as usize].content);
            matches!(content, Some(Content::Fields(_)))
                || o.length.is_none() && matches!(content, Some(Content::TooLarge { .. }))
        })
    }

    /// An identity was given. False if it had been given before.
    pub(super) fn define(
        &mut self,
        id: ObjectId,
        class: ClassNo,
        name: &str,
        length: Option<u32>,
        at: Moment,
    ) -> bool {
        if self.objects.contains_key(&id) {
            return false;
        }
        let length_kept = length.filter(|_| !self.bare);
        let log = length_kept.map(|length| {
            Box::new(Log {
                array: Some(ArrayLog::new(name, length)),
                ..Log::default()
            })
        });
        let record = ObjectRecord {
            class,
            length,
            defined: at,
            constructed: false,
            log,
        };
        self.objects.insert(id, record);
        true
    }

    /// A content was recorded. False if the object was never defined.
    pub(super) fn content(
        &mut self,
        id: ObjectId,
        content: Content,
        at: Moment,
        thread: ThreadNo,
    ) -> bool {
        if self.bare {
            return self.objects.contains_key(&id);
        }
        let before = self.snapshot_at(id, at).map(|s| &s.content);
        let Some(record) = self.objects.get(&id) else {
            return false;
        };
        let explained = match (&content, record.array()) {
            (Content::Array(values), Some(log)) => log.holds(values, at, &self.snapshots),
            _ => before == Some(&content),
        };
        let no = self.snapshots.len() as u32;
        self.snapshots.push(Snapshot {
            moment: at,
            thread,
            id,
            content,
            explained,
        });
        if let Some(record) = self.objects.get_mut(&id) {
            let log = record.log.get_or_insert_default();
            log.snapshots.push(no);
            if let Some(array) = &mut log.array {
                array.snapshot(at, no);
            }
        }
        self.touch(id);
        true
    }

    /// A constructor of an observed class has made the object.
    pub(super) fn constructed(&mut self, id: ObjectId) {
        if let Some(record) = self.objects.get_mut(&id) {
            record.constructed = true;
        }
    }

    /// An array element was stored.
    pub(super) fn store(&mut self, id: ObjectId, index: u32, value: Value, at: Moment) {
        let Self {
            objects, snapshots, ..
        } = self;
        if let Some(log) = objects.get_mut(&id).and_then(|r| r.array_mut()) {
            log.store(at, index, value, snapshots);
        }
        self.touch(id);
    }

    /// `System.arraycopy` ran.
    pub(super) fn copy(
        &mut self,
        (src, from): (ObjectId, u32),
        (dst, to): (ObjectId, u32),
        count: u32,
        at: Moment,
    ) {
        let Self {
            objects, snapshots, ..
        } = self;
        let values = objects
            .get(&src)
            .and_then(|r| r.array())
            .and_then(|log| log.range_at(at, snapshots, from, count));
        let log = objects.get_mut(&dst).and_then(|r| r.array_mut());
        if let (Some(values), Some(log)) = (values, log) {
            log.store_range(at, to, values, snapshots);
        }
        self.touch(dst);
    }

    /// The stream has ended. `numbers`: the new number of each node. They stay in the order of their beginnings.
    pub(super) fn finish(&mut self, numbers: &[NodeNo]) {
        let records = self.objects.values_mut();
        for log in records.filter_map(|record| record.log.as_deref_mut()) {
            for n in &mut log.mentions {
                *n = numbers[n.index()];
            }
        }
    }

    /// `node` is a call that has `value` as receiver, argument or result, or that read it from a static field of code that was not recorded.
    pub(super) fn mention(&mut self, value: &Value, node: NodeNo) {
        if let Value::Object(id) = value
            && !self.bare
            && let Some(record) = self.objects.get_mut(id)
        {
            // Calls are reported when they end, and those within them before.
            let mentions = &mut record.log.get_or_insert_default().mentions;
            let at = mentions.partition_point(|&n| n < node);
            if mentions.get(at) != Some(&node) {
                mentions.insert(at, node);
                self.touch(*id);
            }
        }
    }

    fn touch(&mut self, id: ObjectId) {
        if let Some(touched) = &mut self.touched {
            touched.insert(id);
        }
    }

    /// Forgets what is over: contents but for the last of each object, and calls, but for those that mention an object of a class that `changes` and began
    /// since its last content was recorded. The result are these calls, in no order.
    pub(super) fn forget(
        &mut self,
        nodes: &[Node],
        changes: impl Fn(ClassNo) -> bool,
    ) -> Vec<NodeNo> {
        let mut kept = Vec::new();
        let touched = self.touched.take().unwrap_or_default();
        let mut still = FxHashSet::default();
        for id in touched {
            let Some(record) = self.objects.get_mut(&id) else {
                continue;
            };
            let class = record.class;
            let Some(log) = record.log.as_deref_mut() else {
                continue;
            };
            if let Some(array) = &mut log.array {
                array.forget(&self.snapshots);
            }
            let mut since = Moment::BEGINNING;
            if let Some(last) = log.snapshots.pop() {
                for no in std::mem::replace(&mut log.snapshots, vec![last]) {
                    self.snapshots[no as usize].content = Content::TooLarge { len: 0 };
                    self.forgotten += 1;
                }
                since = self.snapshots[last as usize].moment;
            }
            log.mentions.retain(|n| nodes[n.index()].begin >= since);
            if !log.mentions.is_empty() && !changes(class) {
                log.mentions = Vec::new();
            }
            if !log.mentions.is_empty() {
                kept.extend(&log.mentions);
                still.insert(id);
            }
        }
        self.touched = Some(still);
        self.close_gaps();
        kept
    }

    /// Gives the snapshots that are not forgotten new numbers, once most are.
    fn close_gaps(&mut self) {
        if self.forgotten <= self.snapshots.len() / 2 {
            return;
        }
        let mut numbers = vec![None; self.snapshots.len()];
        let mut kept: Vec<u32> = Vec::with_capacity(self.snapshots.len() - self.forgotten);
        let logs = |record: &ObjectRecord| record.snapshots().first().copied();
        kept.extend(self.objects.values().filter_map(logs));
        kept.sort_unstable();
        for (new, old) in (0..).zip(&kept) {
            numbers[*old as usize] = Some(new);
        }
        let mut old = 0;
        self.snapshots.retain(|_| {
            old += 1;
            numbers[old - 1].is_some()
        });
        let number = |no: u32| numbers.get(no as usize).copied().flatten();
        for log in self
            .objects
            .values_mut()
            .filter_map(|r| r.log.as_deref_mut())
        {
            log.snapshots = log.snapshots.iter().filter_map(|&no| number(no)).collect();
            if let Some(array) = &mut log.array {
                array.renumber(number);
            }
        }
        self.forgotten = 0;
    }

    /// The nodes that are kept have these numbers now.
    pub(super) fn renumber(&mut self, numbers: &FxHashMap<NodeNo, NodeNo>) {
        for id in self.touched.iter().flatten() {
            let log = self.objects.get_mut(id).and_then(|r| r.log.as_deref_mut());
            for n in log.into_iter().flat_map(|log| &mut log.mentions) {
                *n = numbers.get(n).copied().unwrap_or(*n);
            }
        }
    }
}

impl ObjectRecord {
    /// Calls of unrecorded methods with the object as receiver, argument or result, in order.
    pub fn mentions(&self) -> &[NodeNo] {
        self.log.as_ref().map_or(&[], |log| &log.mentions)
    }

    fn snapshots(&self) -> &[u32] {
        self.log.as_ref().map_or(&[], |log| &log.snapshots)
    }

    /// Elements, if an array.
    pub(super) fn array(&self) -> Option<&ArrayLog> {
        self.log.as_ref()?.array.as_ref()
    }

    fn array_mut(&mut self) -> Option<&mut ArrayLog> {
        self.log.as_mut()?.array.as_mut()
    }
}
