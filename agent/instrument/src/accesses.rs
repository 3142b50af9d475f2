//! Probes of field and array accesses.

use std::collections::HashMap;
use std::sync::LazyLock;

use jinsi_classfile::descriptor::{Type, letter_slots};
use jinsi_classfile::flow::Value;
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;
use jinsi_classfile::{ACC_STATIC, Asm};
use jinsi_trace::model::{CallOp, EventKind, MemberRef, SiteNo, Text};

use super::emitter::Probes;
use super::emitter::release;
use super::events::{Operand, Then, dup};
use super::order::Orders;
use super::outcome::InstrumentError;
use super::sites::{element_letter, may_hold_content};

impl Probes<'_, '_> {
    pub(super) fn access_target(&self, at: &Insn<'_>) -> Result<MemberRef, InstrumentError> {
        self.context.member(at.pool_index().unwrap_or(0))
    }

    /// Does the value that is read or written come from code that is not observed into code that is?
    fn comes_in(&self, field: &MemberRef, read: bool) -> bool {
        if self.context.is_outside() {
            !read
        } else {
            read && !self.context.selection.observes(&field.owner, false)
        }
    }

    pub(super) fn static_field(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let target = self.access_target(at)?;
        if self.context.has_static(&target) && self.access & ACC_STATIC != 0 {
            // Self-directed: the class accesses its own static state.
            return self.own_access(at, &target);
        }
        let orders = self.orders(&target);
        let desc = target.desc.clone();
        let value = Type::parse(&desc)?;
        let (kind, read) = match at.opcode {
            op::GETSTATIC => (EventKind::GetStatic, true),
            _ => (EventKind::PutStatic, false),
        };
        let comes_in = self.comes_in(&target, read);
        let site = self.site(
            kind,
            at.offset,
            target,
            CallOp::None,
            value.letter().to_string().into(),
            false,
        );
        let mut asm = Asm::new();
        if read {
            self.has_read(&mut asm, orders);
        }
        if comes_in && may_hold_content(value) {
            asm.op(op::DUP);
            self.content(&mut asm, "content");
        }
        let value = [Operand::Top(value.letter())];
        self.event(&mut asm, &value, Then::Access, site, kind);
        if !read {
            self.will_write(&mut asm, orders);
        }
        if read {
            self.editor.after(at.offset, &asm)?;
        } else {
            self.editor.before(at.offset, &asm)?;
        }
        Ok(())
    }

    pub(super) fn field(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let target = self.access_target(at)?;
        if matches!(
            self.flow.receiver(at.offset),
            Some(Value::This | Value::UninitThis)
        ) {
            // Self-directed.
            return if self.context.is_outside() {
                Ok(())
            } else {
                self.own_access(at, &target)
            };
        }
        let reads = at.opcode == op::GETFIELD;
        let orders = self.orders(&target);
        let desc = target.desc.clone();
        let value = Type::parse(&desc)?;
        let letter = value.letter();
        let content = self.comes_in(&target, reads) && may_hold_content(value);
        let object = match reads {
            true => Some(self.reference_slot(self.spill)?),
            false => None,
        };
        let kind = match reads {
            true => EventKind::GetField,
            false => EventKind::PutField,
        };
        let operands = format!("L{letter}").into();
        let site = self.site(kind, at.offset, target, CallOp::None, operands, false);
        let mut asm = Asm::new();
        if let Some(object) = object {
            let mut before = Asm::new();
            before.op(op::DUP).store('L', object);
            self.editor.before(at.offset, &before)?;
            self.has_read(&mut asm, orders);
        }
        if content {
            asm.op(op::DUP);
            self.content(&mut asm, "content");
        }
        if let Some(object) = object {
            let operands = [Operand::Local('L', object), Operand::Top(letter)];
            self.event(&mut asm, &operands, Then::Access, site, kind);
            release(&mut asm, 'L', object);
            self.editor.after(at.offset, &asm)?;
        } else {
            self.put_event(&mut asm, letter, site);
            self.will_write(&mut asm, orders);
            self.editor.before(at.offset, &asm)?;
        }
        Ok(())
    }

    /// The event of a field that gets the value on top of the stack, under which its object is.
    fn put_event(&mut self, asm: &mut Asm, letter: char, site: SiteNo) {
        let wide = letter_slots(letter) == 2;
        if !self.has_event_of(2, site) {
            self.begin(asm);
            // A copy of the object comes to the top of the stack, the value stays below.
            if wide {
                asm.op(op::DUP2_X1).op(op::POP2).op(op::DUP_X2);
            } else {
                asm.op(op::DUP2).op(op::SWAP);
            }
            self.value(asm, 'L');
            if wide {
                asm.op(op::DUP2);
            }
            self.value(asm, letter);
            return self.end(asm, Then::Access, site, EventKind::PutField);
        }
        if wide {
            let value = self.spill;
            asm.store(letter, value)
                .op(op::DUP)
                .load(letter, value)
                .op(op::DUP2_X1);
        } else {
            asm.op(op::DUP2);
        }
        self.as_value(asm, letter);
        self.event_of(asm, &['L', letter], Then::Access, site, EventKind::PutField);
    }

    /// An access that is no interaction, but may order threads.
    pub(super) fn own_access(
        &mut self,
        at: &Insn<'_>,
        target: &MemberRef,
    ) -> Result<(), InstrumentError> {
        let orders = self.orders(target);
        if orders == Orders::Never {
            return Ok(());
        }
        let mut asm = Asm::new();
        if matches!(at.opcode, op::GETSTATIC | op::GETFIELD) {
            self.has_read(&mut asm, orders);
            self.editor.after(at.offset, &asm)?;
        } else {
            self.will_write(&mut asm, orders);
            self.editor.before(at.offset, &asm)?;
        }
        Ok(())
    }

    pub(super) fn array_load(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let letter = element_letter(at.opcode - op::IALOAD);
        let target = element_target(letter);
        let site = self.site(
            EventKind::ArrayLoad,
            at.offset,
            target,
            CallOp::None,
            format!("LI{letter}").into(),
            false,
        );
        let (array, index) = (self.reference_slot(self.spill)?, self.spill + 1);
        self.held.insert(array);
        let mut asm = Asm::new();
        asm.op(op::DUP2).store('I', index).store('L', array);
        self.editor.before(at.offset, &asm)?;
        let mut asm = Asm::new();
        let operands = [
            Operand::Local('L', array),
            Operand::Local('I', index),
            Operand::Top(letter),
        ];
        self.event(&mut asm, &operands, Then::Same, site, EventKind::ArrayLoad);
        release(&mut asm, 'L', array);
        self.editor.after(at.offset, &asm)?;
        Ok(())
    }

    pub(super) fn array_store(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let letter = element_letter(at.opcode - op::IASTORE);
        let target = element_target(letter);
        let site = self.site(
            EventKind::ArrayStore,
            at.offset,
            target,
            CallOp::None,
            format!("LI{letter}").into(),
            false,
        );
        let mut asm = Asm::new();
        if self.has_event_of(3, site) {
            let value = match letter {
                'L' => self.reference_slot(self.spill)?,
                _ => self.spill,
            };
            asm.store(letter, value).op(op::DUP2).op(op::I2L);
            asm.load(letter, value);
            self.as_value(&mut asm, letter);
            let letters = ['L', 'I', letter];
            self.event_of(&mut asm, &letters, Then::Same, site, EventKind::ArrayStore);
            asm.load(letter, value);
            release(&mut asm, letter, value);
        } else {
            self.begin(&mut asm);
            // Copies of array and index come to the top of the stack, the array last.
            if letter_slots(letter) == 2 {
                asm.op(op::DUP2_X2).op(op::POP2).op(op::DUP2_X2);
            } else {
                asm.op(op::DUP_X2).op(op::POP).op(op::DUP2_X1);
            }
            asm.op(op::SWAP);
            self.value(&mut asm, 'L');
            self.value(&mut asm, 'I');
            dup(&mut asm, letter);
            self.value(&mut asm, letter);
            self.end(&mut asm, Then::Same, site, EventKind::ArrayStore);
        }
        self.editor.before(at.offset, &asm)?;
        Ok(())
    }
}

pub(super) fn element_target(letter: char) -> MemberRef {
    static ALL: LazyLock<HashMap<char, MemberRef>> = LazyLock::new(|| {
        let target = |letter: char| {
            let desc = match letter {
                'L' => "Ljava/lang/Object;".to_owned(),
                letter => letter.to_string(),
            };
            MemberRef {
                owner: format!("[{desc}").into(),
                name: Text::default(),
                desc: desc.into(),
            }
        };
        let letters = (0..8).map(element_letter);
        letters.map(|letter| (letter, target(letter))).collect()
    });
    ALL[&letter].clone()
}
