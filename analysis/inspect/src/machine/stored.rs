//! New objects in fields.
//!
//! A method's own field is written without an event, so an array that goes there right after it was made has no identity yet. The next who accesses
//! an element names it. That it is this one shows only if what is read from the field is known to be what was written.

use jinsi_classfile::effect::Access;
use jinsi_steps::code::{FieldNo, Instruction};
use jinsi_trace::model::Value;

use super::{Machine, World};
use jinsi_steps::cell::{Cell, Datum};

/// So many are kept.
const MOST: usize = 1 << 10;

/// A field with what was written there.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    /// Whose it is; nothing if the field is static.
    object: Option<Cell>,
    field: FieldNo,
    value: Cell,
}

impl<W: World> Machine<'_, W> {
    /// A field is written: of these, the last is the value.
    pub(super) fn store_field(&mut self, instruction: &Instruction, taken: &[Cell]) {
        let (Some(field), Some((value, place))) = (instruction.field, taken.split_last()) else {
            return;
        };
        let object = place.first();
        if let Some(at) = self.stored_at(object, field) {
            self.stored.remove(at);
        }
        let is_object = || {
            let known = self.bindings.value(value);
            self.bindings.fresh(value).is_some() || matches!(known, Some(Value::Object(_)))
        };
        if matches!(value.datum, Datum::Open(..)) && self.world.is_alone() && is_object() {
            if self.stored.len() >= MOST {
                self.stored.remove(0);
            }
            self.stored.push(Stored {
                object: object.cloned(),
                field,
                value: value.clone(),
            });
        }
    }

    /// A field is read, of which an event says so much: what it holds, if that was seen being written here.
    pub(super) fn stored_field(
        &mut self,
        instruction: &Instruction,
        taken: &[Cell],
        reported: Option<&Value>,
    ) -> Option<Cell> {
        if !matches!(
            instruction.effect.access,
            Access::GetField(_) | Access::GetStatic(_)
        ) {
            return None;
        }
        let at = self.stored_at(taken.first(), instruction.field?)?;
        let value = self.stored[at].value.clone();
        if let Some(reported) = reported {
            self.bindings.bind(&value, reported);
        }
        Some(Cell {
            made: self.here(),
            ..value
        })
    }

    fn stored_at(&self, object: Option<&Cell>, field: FieldNo) -> Option<usize> {
        let same = |stored: &Stored| match (&stored.object, object) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                let known = self.bindings.value(a).zip(self.bindings.value(b));
                known.map_or(a.datum == b.datum, |(a, b)| a == b)
            }
            _ => false,
        };
        let mut all = self.stored.iter().enumerate().rev();
        let found = all.find(|(_, stored)| stored.field == field && same(stored));
        found.map(|(at, _)| at)
    }
}
