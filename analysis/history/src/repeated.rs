//! What a recording tells again when a window begins: the identity of each object that an event names, and what can be reached from its
//! fields.
//!
//! A history that begins in an earlier window ignores these contents. They are neither news nor changes by the environment, because
//! replay has produced them itself. What crosses the edge of observed code in the same moment still counts.
//!
//! A history that begins with the window takes these contents for what the objects held from the beginning on. Another thread may have
//! met an object earlier without being ordered behind the thread that tells of it.

use std::collections::HashMap;

use jinsi_trace::model::{Content, ObjectId};

use super::Moment;

/// A content that may turn out to be one that was only recorded again.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) id: ObjectId,
    pub(super) content: Content,
    pub(super) at: Moment,
}

/// Contents between two events of ordinary code.
#[derive(Debug, Default)]
pub(super) struct Repeated {
    /// Objects that were defined again since the last event of ordinary code, and how many contents were held then.
    again: HashMap<ObjectId, usize>,
    held: Vec<Held>,
    /// From this index on, the contents held belong to fields that are recorded again.
    walk: Option<usize>,
    /// Is the history that of a window?
    window: bool,
}

impl Repeated {
    /// For a history of a window, or any other.
    pub(super) fn new(window: bool) -> Self {
        Self {
            window,
            ..Self::default()
        }
    }

    /// An object that is known already is defined again.
    pub(super) fn define(&mut self, id: ObjectId) {
        self.again.entry(id).or_insert(self.held.len());
    }

    /// Holds a content back, if an object was defined again just now or the history is that of a window. Otherwise the content is returned.
    pub(super) fn content(&mut self, held: Held) -> Option<Held> {
        if self.again.is_empty() && !self.window {
            return Some(held);
        }
        let again = self.again.get(&held.id).copied();
        match (again, &held.content) {
            (Some(start), Content::Fields(_)) => self.forget(start),
            (None, Content::Fields(_)) if self.window => {
                self.held.push(held);
                self.held
                    .iter_mut()
                    .for_each(|held| held.at = Moment::BEGINNING);
            }
            _ => self.held.push(held),
        }
        None
    }

    /// The walk through fields that began when so many contents were held has recorded again what these objects hold.
    fn forget(&mut self, start: usize) {
        let start = self.walk.map_or(start, |walk| walk.min(start));
        self.walk = Some(start);
        let mut at = 0;
        self.held.retain(|held| {
            at += 1;
            at <= start || !self.again.contains_key(&held.id)
        });
    }

    /// Ordinary code goes on. The contents that are still held back are news, and are returned.
    pub(super) fn end(&mut self) -> Vec<Held> {
        if self.held.is_empty() && self.again.is_empty() {
            return Vec::new();
        }
        self.again.clear();
        self.walk = None;
        std::mem::take(&mut self.held)
    }
}

#[cfg(test)]
mod tests {
    use jinsi_trace::model::{Fields, Value};

    use super::*;

    fn held(id: ObjectId, content: Content) -> Held {
        Held {
            id,
            content,
            at: Moment::END,
        }
    }

    #[test]
    fn only_what_belongs_to_fields_is_old() {
        let mut repeated = Repeated::default();
        let elements = || Content::Elements(vec![Value::Null]);
        // An argument that crosses, then a receiver with a list in a field, then another argument; and an object that is new.
        for id in [7, 1, 2] {
            repeated.define(id);
            if id != 1 {
                assert!(repeated.content(held(id, elements())).is_none());
            }
        }
        let fields = || Content::Fields(Fields::default());
        assert!(repeated.content(held(1, fields())).is_none());
        assert!(repeated.content(held(3, fields())).is_none());
        repeated.define(8);
        assert!(repeated.content(held(8, elements())).is_none());
        let news: Vec<ObjectId> = repeated.end().iter().map(|h| h.id).collect();
        assert_eq!(news, [7, 3, 8]);
        assert!(repeated.end().is_empty());
        assert!(repeated.content(held(2, elements())).is_some());
    }
}
