//! Fields that are written by a `VarHandle` or a field updater: there is the call alone.
//!
//! Which field that is, the handle's content tells. What it holds then follows from the arguments and the result (`java.lang.invoke.VarHandle`,
//! `java.util.concurrent.atomic`).

use jinsi_classfile::opcode as op;
use jinsi_steps::by_handle::{Leaves, as_held, computed, leaves};
use jinsi_steps::cell::{Cell, stacked};
use jinsi_steps::seen::Why;
use jinsi_trace::model::{MemberRef, Prim, Value};

use super::{Call, Machine, Target, World, Write};
use jinsi_steps::walk::Location;

impl<W: World> Machine<'_, W> {
    /// What a call wrote that has come back with this result.
    pub(super) fn written_by_handle(
        &mut self,
        method: &MemberRef,
        call: &Call,
        result: Option<&Cell>,
    ) -> Option<Write> {
        let leaves = leaves(&method.name)?;
        let (target, desc) = self.accessed(call)?;
        let value = match self.left(leaves, call, result, &desc)? {
            Some(cell) => cell,
            None => self.unknown(Why::CodeNotRecorded),
        };
        Some(Write { target, value })
    }

    /// The field of the object that is given, and its descriptor.
    fn accessed(&self, call: &Call) -> Option<(Target, String)> {
        let Some(Value::Object(handle)) = self.bindings.value(call.arguments.first()?) else {
            return None;
        };
        let field = self.world.field_of_handle(*handle)?;
        let object = call.arguments.get(1)?;
        let target = match self.bindings.value(object) {
            Some(Value::Object(id)) => Target::Known(Location::Field(*id, field)),
            Some(_) => return None,
            None => Target::FieldOf(object.clone(), field),
        };
        Some((target, self.world.program().field_desc(field)))
    }

    /// What the field holds then, with nothing in it if that is not reported; `None` if it was not written.
    fn left(
        &self,
        leaves: Leaves,
        call: &Call,
        result: Option<&Cell>,
        desc: &str,
    ) -> Option<Option<Cell>> {
        let held = |cell: &Cell| as_held(self.bindings.value(cell)?, desc);
        let argument = |at: usize| held(call.arguments.get(at)?);
        // It may get its identity later.
        let given = |at: usize| {
            let cell = call.arguments.get(at)?;
            let known = held(cell).map(|value| Cell::known(value, cell.made));
            known.or_else(|| Some(cell.clone()))
        };
        let reported = result.and_then(held);
        let is_done = match leaves {
            Leaves::Argument(at) => return Some(given(at)),
            Leaves::IfDone => result
                .and_then(|cell| self.bindings.value(cell))
                .map(|done| stacked(done.clone()) == Value::Prim(Prim::Int(1))),
            Leaves::IfExpected => {
                (reported.clone().zip(argument(2))).map(|(reported, it)| reported == it)
            }
            _ => None,
        };
        let value = match (leaves, is_done) {
            (_, Some(true)) => return Some(given(3)),
            (_, Some(false)) => return None,
            (Leaves::Result, _) => reported,
            (Leaves::Computed(opcode), _) => (reported.zip(argument(2)))
                .and_then(|(reported, more)| computed(opcode, &reported, &more)),
            (Leaves::Added(more), _) => {
                let more = as_held(&Value::Prim(Prim::Int(more)), desc);
                (reported.zip(more))
                    .and_then(|(reported, more)| computed(op::IADD, &reported, &more))
            }
            _ => None,
        };
        Some(value.map(|value| Cell::known(value, call.began)))
    }
}
