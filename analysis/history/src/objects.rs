//! The object table: class, length, recorded contents and mentions of every object.

use std::collections::HashMap;

use jinsi_trace::model::{ClassNo, Content, ObjectId, ThreadNo, Value};

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
    /// Its snapshots, by index.
    snapshots: Vec<u32>,
    /// Calls of unrecorded methods with it as receiver, argument or result, in order.
    mentions: Vec<NodeNo>,
    /// Elements, if an array.
    pub(super) array: Option<super::arrays::ArrayLog>,
}

/// The object table.
#[derive(Debug, Default)]
pub(super) struct Objects {
    objects: HashMap<ObjectId, ObjectRecord>,
    snapshots: Vec<Snapshot>,
}

impl Objects {
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
        let numbers = &self.objects.get(&id)?.snapshots;
        let end = numbers.partition_point(|&no| self.snapshots[no as usize].moment <= at);
        Some(&self.snapshots[numbers[end.checked_sub(1)?] as usize])
    }

    /// Have fields of `id` been recorded, or were there too many of them?
    pub(super) fn has_fields(&self, id: ObjectId) -> bool {
        self.objects.get(&id).is_some_and(|o| {
            let content = o.snapshots.first();
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
        let array = length.map(|length| ArrayLog::new(name, length));
        let record = ObjectRecord {
            class,
            length,
            defined: at,
            constructed: false,
            snapshots: Vec::new(),
            mentions: Vec::new(),
            array,
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
        let before = self.snapshot_at(id, at).map(|s| &s.content);
        let Some(record) = self.objects.get(&id) else {
            return false;
        };
        let explained = match (&content, &record.array) {
            (Content::Array(values), Some(log)) => {
                log.at(at, &self.snapshots).as_ref() == Some(values)
            }
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
            record.snapshots.push(no);
            if let Some(log) = &mut record.array {
                log.snapshot(at, no);
            }
        }
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
        let Self { objects, snapshots } = self;
        if let Some(log) = objects.get_mut(&id).and_then(|r| r.array.as_mut()) {
            log.store(at, index, value, snapshots);
        }
    }

    /// `System.arraycopy` ran.
    pub(super) fn copy(
        &mut self,
        (src, from): (ObjectId, u32),
        (dst, to): (ObjectId, u32),
        count: u32,
        at: Moment,
    ) {
        let Self { objects, snapshots } = self;
        let values = objects
            .get(&src)
            .and_then(|r| r.array.as_ref())
            .and_then(|log| log.range_at(at, snapshots, from, count));
        let log = objects.get_mut(&dst).and_then(|r| r.array.as_mut());
        if let (Some(values), Some(log)) = (values, log) {
            log.store_range(at, to, values, snapshots);
        }
    }

    /// The stream has ended. Calls were indexed in the order of their ends; now they are sorted by their beginnings. `numbers`: the new number
    /// of each node.
    pub(super) fn finish(&mut self, nodes: &[Node], numbers: Option<&[NodeNo]>) {
        for record in self.objects.values_mut() {
            let Some(numbers) = numbers else {
                record.mentions.sort_unstable();
                continue;
            };
            for n in &mut record.mentions {
                *n = numbers[n.index()];
            }
            record
                .mentions
                .sort_unstable_by_key(|&n| nodes[n.index()].begin);
        }
    }

    /// `node` is a call that has `value` as receiver, argument or result, or that read it from a static field of code that was not recorded.
    pub(super) fn mention(&mut self, value: &Value, node: NodeNo) {
        if let Value::Object(id) = value
            && let Some(record) = self.objects.get_mut(id)
            && record.mentions.last() != Some(&node)
        {
            record.mentions.push(node);
        }
    }
}

impl ObjectRecord {
    /// Calls of unrecorded methods with the object as receiver, argument or result, in order.
    pub fn mentions(&self) -> &[NodeNo] {
        &self.mentions
    }
}
