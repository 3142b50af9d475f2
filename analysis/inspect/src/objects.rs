//! The objects of a recording.

use jinsi_trace::model::{ClassNo, Content, Event, EventId, ObjectId, Payload};
use jinsi_trace::varint::Reader;
use rustc_hash::FxHashMap;

use crate::entries::{ContentEvents, Known};
use jinsi_packed::Table;

/// All that have an identity, and where it was recorded what they hold.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    known: Table<Known>,
    contents: Table<ContentEvents>,
}

impl Objects {
    pub(crate) fn get(&self, id: ObjectId) -> Option<Known> {
        self.known.get((id, 0))
    }

    /// All of them with their classes, rising.
    pub(crate) fn all(&self) -> impl Iterator<Item = (ObjectId, ClassNo)> + '_ {
        self.known.iter().map(|known| (known.id, known.class))
    }

    /// The objects of which it was recorded what they hold, and where.
    pub(crate) fn all_contents(&self) -> impl Iterator<Item = (ObjectId, Vec<EventId>)> {
        self.contents
            .iter()
            .map(|reported| (reported.id, reported.events))
    }

    /// Where it was recorded what the object holds.
    pub(crate) fn contents(&self, id: ObjectId) -> Vec<EventId> {
        let reported = self.contents.get((id, 0));
        reported.map_or_else(Vec::new, |reported| reported.events)
    }

    /// Appends all to some bytes.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        self.known.write(out);
        self.contents.write(out);
    }

    /// Takes them off the front of some bytes.
    pub(crate) fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            known: Table::read(from)?,
            contents: Table::read(from)?,
        })
    }
}

/// Gathers the objects of a recording.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    /// Identity, class, length and one more or 0.
    defined: Vec<(ObjectId, ClassNo, u64)>,
    /// Lengths that contents tell.
    lengths: FxHashMap<ObjectId, u32>,
    contents: FxHashMap<ObjectId, Vec<EventId>>,
}

impl Gathering {
    pub(crate) fn meet(&mut self, at: EventId, event: &Event) {
        match &event.payload {
            Payload::Define { id, class, length } => {
                let length = length.map_or(0, |length| u64::from(length) + 1);
                self.defined.push((*id, *class, length));
            }
            Payload::Content { id, content } => {
                self.contents.entry(*id).or_default().push(at);
                let length = match content {
                    Content::Array(elements) => u32::try_from(elements.len()).ok(),
                    Content::TooLarge { len } => u32::try_from(*len).ok(),
                    _ => None,
                };
                if let Some(length) = length {
                    self.lengths.entry(*id).or_insert(length);
                }
            }
            Payload::Operands(_) => {}
        }
    }

    /// All of them. Of two definitions of one object the first counts.
    pub(crate) fn finish(mut self) -> Objects {
        self.defined.sort_by_key(|(id, ..)| *id);
        self.defined.dedup_by_key(|(id, ..)| *id);
        let known = self.defined.iter().map(|(id, class, length)| {
            let length = length.checked_sub(1).and_then(|n| u32::try_from(n).ok());
            Known {
                id: *id,
                class: *class,
                length: length.or_else(|| self.lengths.get(id).copied()),
            }
        });
        let known = known.collect();
        let mut contents: Vec<_> = self.contents.into_iter().collect();
        contents.sort_unstable_by_key(|(id, _)| *id);
        let contents = contents.into_iter();
        Objects {
            known,
            contents: contents
                .map(|(id, events)| ContentEvents { id, events })
                .collect(),
        }
    }
}
