//! Methods that may run on an unobserved subclass: an object of a class that inherits from the observed one, and is not observed itself. A replay takes
//! all code on such an object for the environment's, so that what it does is no event. What others see of it is: calls of observed methods, as those of any
//! environment, and accesses of fields.

use jinsi_classfile::descriptor::Type;
use jinsi_classfile::insn::Insn;
use jinsi_classfile::{ACC_FINAL, ACC_STATIC, Asm};
use jinsi_trace::model::{CallOp, MemberRef, is_string_or_box};

use super::sites::kind_of;
use crate::emitter::{Probes, release};
use crate::events::{Operand, Then};
use crate::outcome::InstrumentError;

impl Probes<'_, '_> {
    /// May the method find out at its beginning that it runs on an unobserved subclass? A constructor finds out when the object is one.
    pub(super) fn may_be_on_unobserved_subclass(&self) -> bool {
        self.is_on_any() && self.name != "<init>"
    }

    fn is_on_any(&self) -> bool {
        self.access & ACC_STATIC == 0 && self.context.class.access & ACC_FINAL == 0
    }

    /// Is an access of the field of note if the method runs on an unobserved subclass? Its code is the environment's then, and may come by an object that way,
    /// or change what nobody changes again. Only methods that have a gate can be asked.
    pub(super) fn is_reported_on_unobserved_subclasses(
        &self,
        field: &MemberRef,
        read: bool,
    ) -> Result<bool, InstrumentError> {
        let value = Type::parse(&field.desc)?;
        let gives = match value.class_name() {
            Some(class) => !is_string_or_box(class),
            None => value.is_array(),
        };
        let asked = self.gates.is_some() && !self.is_inherited();
        Ok(asked && self.is_on_any() && (gives || !read))
    }

    /// See [`Self::is_reported_on_unobserved_subclasses`].
    pub(super) fn access_on_unobserved_subclass(
        &mut self,
        at: &Insn<'_>,
        target: MemberRef,
        is_static: bool,
        read: bool,
    ) -> Result<(), InstrumentError> {
        let letter = Type::parse(&target.desc)?.letter();
        let of_object = if is_static { "" } else { "L" };
        let operands = format!("{of_object}{letter}").into();
        let kind = kind_of(at);
        let site = self.site(kind, at.offset, target, CallOp::None, operands, false);
        if !self.has_event_of(2, site) {
            return Ok(());
        }
        let mut asm = Asm::new();
        let object = match is_static {
            true => None,
            false => Some(self.hold_object(&mut asm, at, letter, read)?),
        };
        let operands: Vec<Operand> = object.into_iter().chain([Operand::Top(letter)]).collect();
        self.stacked(&mut asm, &operands);
        self.what(&mut asm, None, Then::Access, site, kind);
        asm.load('I', self.gates().own);
        let desc = match (is_static, letter) {
            (true, 'L') => "(Ljava/lang/Object;II)V",
            (true, _) => "(JII)V",
            (false, 'L') => "(Ljava/lang/Object;Ljava/lang/Object;II)V",
            (false, _) => "(Ljava/lang/Object;JII)V",
        };
        self.probe(&mut asm, "access", desc);
        if let Some(Operand::Local(_, slot)) = object {
            release(&mut asm, 'L', slot);
        }
        match read {
            true => self.editor.after(at.offset, &asm)?,
            false => self.editor.before(at.offset, &asm)?,
        }
        Ok(())
    }
}
