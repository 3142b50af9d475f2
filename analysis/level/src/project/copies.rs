//! `System.arraycopy`, called by code that replay does not run. What it wrote into arrays that observed code has got hold of becomes
//! effects.

use std::ops::Range;

use jinsi_trace::model::{Content, ObjectId};

use super::objects::Pool;
use crate::{Effect, NodeNo};

impl Pool<'_> {
    /// Does the call `n`, made by the environment, copy elements into an array that observed code has got hold of?
    pub(super) fn copies_into_known(&self, n: NodeNo) -> bool {
        let copied = self.history.copied(n);
        copied.is_some_and(|(array, _)| self.knows(array))
    }

    /// The effects that write these elements in replay.
    pub(super) fn write_copied(
        &mut self,
        n: NodeNo,
        (array, elements): (ObjectId, Range<u32>),
        effects: &mut Vec<Effect>,
    ) {
        let history = self.history;
        let at = history.node(n).close;
        let Some(Content::Array(values)) = history.array_at(array, at) else {
            return;
        };
        let first = elements.start;
        let written = values.get(first as usize..elements.end as usize);
        for (index, value) in (first..).zip(written.unwrap_or(&[])) {
            self.admit_in(value, at, effects);
            effects.push(Effect::Store {
                array,
                index,
                value: value.clone(),
            });
        }
    }
}
