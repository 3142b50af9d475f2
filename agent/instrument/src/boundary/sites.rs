//! The probes of what a method calls and accesses, and what needs none.

use jinsi_classfile::Asm;
use jinsi_classfile::descriptor::{MethodType, Type};
use jinsi_classfile::flow::Value;
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;
use jinsi_natural::Natural;
use jinsi_probes::owners;
use jinsi_trace::model::{CallOp, EventKind, MemberRef, is_string_or_box};

use crate::context::When;
use crate::emitter::{Probes, release};
use crate::events::{Operand, Then};
use crate::names::Names;
use crate::naturals::natural_classes;
use crate::outcome::InstrumentError;
use crate::sites::{CallSite, may_hold_content, only_computes};

/// What makes strings of values of any class.
const CONCATENATION: &str = "java/lang/invoke/StringConcatFactory";
impl Probes<'_, '_> {
    pub(super) fn call_at_boundary(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let target = self.access_target(at)?;
        let call = match at.opcode {
            op::INVOKESTATIC => CallOp::Static,
            op::INVOKEVIRTUAL => CallOp::Virtual,
            op::INVOKEINTERFACE => CallOp::Interface,
            _ if target.name == "<init>" => CallOp::New,
            _ => CallOp::Special,
        };
        let when = match self.is_on_own_builder(at) {
            true => When::Never,
            false => self.decided(at, &target, call),
        };
        let call = CallSite {
            outside: !self.context.selection.observes(&target.owner, false),
            target,
            op: call,
            light: false,
        };
        self.gated_call(at, &call, when)
    }

    pub(super) fn dynamic_at_boundary(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let target = self.dynamic_target(at)?;
        let plain = |t: &Type<'_>| match t.class_name() {
            Some(name) => is_string_or_box(name),
            None => true,
        };
        let when = match target.owner == CONCATENATION
            && MethodType::parse(&target.desc)?.params.iter().all(plain)
        {
            true => When::Never,
            false => When::Always,
        };
        let call = CallSite {
            target,
            op: CallOp::Dynamic,
            light: false,
            outside: false,
        };
        self.gated_call(at, &call, when)
    }

    /// [`Self::when`], found out once for all calls of a member.
    fn decided(&self, at: &Insn<'_>, target: &MemberRef, call: CallOp) -> When {
        let index = at.pool_index().unwrap_or(0);
        if let Some((op, when)) = self.context.decided.get(index)
            && op == call
        {
            return when;
        }
        let when = self.when(target, call);
        self.context.decided.set(index, (call, when));
        when
    }

    /// Mirrors what projection takes for inner calls.
    fn when(&self, target: &MemberRef, call: CallOp) -> When {
        let MemberRef { owner, name, desc } = target;
        let context = self.context;
        let natural = natural_classes();
        let observed = context.selection.observes(owner, false);
        let is_in = |names: &Names| names.contains(name, desc);
        // Static members of a class that is only inherited from are the environment's.
        let own = *owner == context.name && (!self.is_inherited() || call != CallOp::Static);
        let identity = matches!(
            (name.as_str(), desc.as_str()),
            ("hashCode", "()I") | ("toString", "()Ljava/lang/String;")
        );
        match call {
            _ if only_computes(target) => When::Never,
            _ if own && is_in(&context.natives) => When::Always,
            // It may be inherited from a class that is not observed.
            CallOp::Static if own && !is_in(&context.declared) => When::Always,
            CallOp::New | CallOp::Static if observed || own => When::Never,
            CallOp::New if Natural::depends_on_others(owner) => When::Always,
            CallOp::New | CallOp::Static => match natural.is_natural_member(owner, name, desc) {
                true => When::Never,
                false => When::Always,
            },
            // On `this`, whose class is observed.
            CallOp::Special if !identity => When::Never,
            _ if natural.is_answered(owner, name, desc) => When::Always,
            _ if is_string_or_box(owner) => When::Never,
            _ if own && is_in(&context.bound) => When::Never,
            _ if identity => When::ByValue,
            _ if owner == "java/lang/Class" => When::Never,
            _ => When::ByReceiver,
        }
    }

    fn gated_call(
        &mut self,
        at: &Insn<'_>,
        call: &CallSite,
        when: When,
    ) -> Result<(), InstrumentError> {
        if when == When::Never {
            return Ok(());
        }
        let desc = call.target.desc.clone();
        let method = MethodType::parse(&desc)?;
        match when {
            When::ByReceiver if self.is_short(call, &method) => self.short_call(at, call, &method),
            _ => self.call_with_operands(at, call, &method, Some(when)),
        }
    }

    /// The local with the gate of a call whose receiver is in `receiver`; none if its events are always written.
    pub(crate) fn call_gate(
        &mut self,
        asm: &mut Asm,
        when: When,
        call: &CallSite,
        receiver: u16,
    ) -> Result<Option<u16>, InstrumentError> {
        let mine = self.gates().mine;
        let observed = self.context.selection.observes(&call.target.owner, false);
        let probe = match when {
            When::ByReceiver if observed && call.op == CallOp::Interface => "awayFromInterface",
            When::ByReceiver if observed => "awayFromClass",
            When::ByReceiver => "away",
            When::ByValue => "asked",
            When::Always | When::Never => return Ok(mine),
        };
        let gate = self.call_gate;
        asm.load('L', receiver);
        if when == When::ByReceiver && observed {
            asm.int(self.pool, owner_number(&call.target.owner));
            self.probe(asm, probe, "(Ljava/lang/Object;I)I");
        } else {
            self.probe(asm, probe, "(Ljava/lang/Object;)I");
        }
        if let Some(mine) = mine {
            asm.load('I', mine).op(op::IAND);
        }
        asm.store('I', gate);
        Ok(Some(gate))
    }

    pub(crate) fn with_gate(&mut self, asm: &mut Asm, gate: Option<u16>) {
        match gate {
            Some(gate) => asm.load('I', gate),
            None => asm.int(self.pool, -1),
        };
    }

    /// Accesses of fields of observed classes are computed again; those of others' come from the environment.
    pub(super) fn field_at_boundary(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let target = self.access_target(at)?;
        let is_static = matches!(at.opcode, op::GETSTATIC | op::PUTSTATIC);
        let on_this = matches!(
            self.flow.receiver(at.offset),
            Some(Value::This | Value::UninitThis)
        );
        let read = matches!(at.opcode, op::GETSTATIC | op::GETFIELD);
        let own = !is_static && on_this;
        let again = own || self.is_computed_again(&target, is_static)?;
        // A class that is only inherited from has its objects in the environment, too: as the rest of a list, or who waits for a coroutine.
        let by_receiver = again && !own && self.is_inherited() && !is_static;
        if again && !by_receiver {
            self.own_access(at, &target)?;
            return match !own && self.is_reported_on_unobserved_subclasses(&target, read)? {
                true => self.access_on_unobserved_subclass(at, target, is_static, read),
                false => Ok(()),
            };
        }
        let orders = self.orders(&target);
        let desc = target.desc.clone();
        let value = Type::parse(&desc)?;
        let letter = value.letter();
        let kind = kind_of(at);
        let of_object = if is_static { "" } else { "L" };
        let operands = format!("{of_object}{letter}").into();
        let site = self.site(kind, at.offset, target, CallOp::None, operands, false);
        let mut asm = Asm::new();
        let object = match is_static {
            true => None,
            false => Some(self.hold_object(&mut asm, at, letter, read)?),
        };
        let gate = match object {
            Some(Operand::Local(_, slot)) if by_receiver => Some(self.away_gate(&mut asm, slot)),
            _ => self.gates().mine,
        };
        if read {
            self.has_read(&mut asm, orders);
        }
        if read && may_hold_content(value) {
            asm.op(op::DUP);
            self.with_gate(&mut asm, gate);
            self.probe(&mut asm, "content", "(Ljava/lang/Object;I)V");
        }
        let operands: Vec<Operand> = object.into_iter().chain([Operand::Top(letter)]).collect();
        self.gated(&mut asm, &operands, gate, Then::Same, site, kind);
        if let Some(Operand::Local(_, slot)) = object {
            release(&mut asm, 'L', slot);
        }
        if read {
            self.editor.after(at.offset, &asm)?;
        } else {
            self.will_write(&mut asm, orders);
            self.editor.before(at.offset, &asm)?;
        }
        Ok(())
    }

    /// The local with a gate that is open if the object in `receiver` is the environment's.
    fn away_gate(&mut self, asm: &mut Asm, receiver: u16) -> u16 {
        asm.load('L', receiver);
        self.probe(asm, "away", "(Ljava/lang/Object;)I");
        if let Some(mine) = self.gates().mine {
            asm.load('I', mine).op(op::IAND);
        }
        asm.store('I', self.call_gate);
        self.call_gate
    }

    /// Is what the field holds computed again in a replay, so that it is no answer of the environment?
    fn is_computed_again(
        &self,
        field: &MemberRef,
        is_static: bool,
    ) -> Result<bool, InstrumentError> {
        let MemberRef { owner, name, desc } = field;
        let own = *owner == self.context.name;
        Ok(match is_static {
            // Those of a class that is only inherited from are the environment's; and a class may inherit some from what is not observed.
            true if own => {
                !self.is_inherited()
                    && (self.context.has_static(field) || self.inherits_observed()?)
            }
            true if natural_classes().is_natural_field(owner, name, desc) => true,
            _ => own || self.context.selection.observes(owner, false),
        })
    }

    /// Keeps the object of an access, whose value is of type `letter`, in a local. Of a write, the value is on top of it; a read takes it
    /// away, so it is kept before.
    pub(super) fn hold_object(
        &mut self,
        asm: &mut Asm,
        at: &Insn<'_>,
        letter: char,
        read: bool,
    ) -> Result<Operand, InstrumentError> {
        let slot = self.reference_slot(self.spill)?;
        if read {
            let mut before = Asm::new();
            before.op(op::DUP).store('L', slot);
            self.editor.before(at.offset, &before)?;
        } else {
            let kept = self.spill + 1;
            asm.store(letter, kept).op(op::DUP).store('L', slot);
            asm.load(letter, kept);
            release(asm, letter, kept);
        }
        Ok(Operand::Local('L', slot))
    }

    /// Is a direct superclass or superinterface observed?
    fn inherits_observed(&self) -> Result<bool, InstrumentError> {
        let class = self.context.class;
        let mut parents: Vec<String> = class.super_name()?.into_iter().map(String::from).collect();
        for &interface in &class.interfaces {
            parents.push(class.pool.class_name(interface)?.into_owned());
        }
        let selection = self.context.selection;
        Ok(parents
            .iter()
            .any(|parent| selection.observes(parent, false)))
    }
}

/// The event of an access of a field.
pub(super) fn kind_of(at: &Insn<'_>) -> EventKind {
    match at.opcode {
        op::GETSTATIC => EventKind::GetStatic,
        op::PUTSTATIC => EventKind::PutStatic,
        op::GETFIELD => EventKind::GetField,
        _ => EventKind::PutField,
    }
}

/// The number of a class that a call names, as probes take it.
pub(super) fn owner_number(owner: &str) -> i32 {
    i32::try_from(owners::slot(owner)).unwrap_or_default()
}
