//! The objects of a recording.

use jinsi_trace::model::{ClassNo, Content, Event, EventId, ObjectId, Payload};
use rustc_hash::FxHashMap;

/// What is known of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    pub(crate) class: ClassNo,
    /// Of an array.
    pub(crate) length: Option<u32>,
}

/// All that have an identity, and where it was recorded what they hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Objects {
    known: FxHashMap<ObjectId, Object>,
    /// Rising in each thread.
    contents: FxHashMap<ObjectId, Vec<EventId>>,
}

impl Objects {
    pub(crate) fn get(&self, id: ObjectId) -> Option<&Object> {
        self.known.get(&id)
    }

    /// The objects of which it was recorded what they hold, and where.
    pub(crate) fn all_contents(&self) -> impl Iterator<Item = (ObjectId, &[EventId])> {
        self.contents.iter().map(|(id, all)| (*id, all.as_slice()))
    }

    /// Where it was recorded what the object holds.
    pub(crate) fn contents(&self, id: ObjectId) -> &[EventId] {
        self.contents.get(&id).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn meet(&mut self, at: EventId, event: &Event) {
        match &event.payload {
            Payload::Define { id, class, length } => {
                self.known.entry(*id).or_insert(Object {
                    class: *class,
                    length: *length,
                });
            }
            Payload::Content { id, content } => {
                self.contents.entry(*id).or_default().push(at);
                let length = match content {
                    Content::Array(elements) => u32::try_from(elements.len()).ok(),
                    Content::TooLarge { len } => u32::try_from(*len).ok(),
                    _ => None,
                };
                if let Some(object) = self.known.get_mut(id) {
                    object.length = object.length.or(length);
                }
            }
            Payload::Operands(_) => {}
        }
    }
}
