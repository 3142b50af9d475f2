//! Probes of a recording at the boundary (`detail=boundary`, DESIGN D1): of what observed classes do to each other nothing is recorded,
//! because a replay of them all does it again. What is left is what the environment calls, and what is called in it.
//!
//! More than that may be recorded, where it would cost more to find out; what is left out must be what replay runs for real
//! (`jinsi_analysis::project`).
//!
//! A method knows from its beginning on, by a *gate* in a fresh local that all frames keep, whether the environment has called it: only
//! then its end is an event. A call on a receiver that may be observed or natural has a gate of its own. The probes that take gates are
//! those of `JinsiEdge`.

use std::sync::OnceLock;

use jinsi_classfile::descriptor::{MethodType, Type};
use jinsi_classfile::flow::{self, Value};
use jinsi_classfile::frames::{self, VType};
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;
use jinsi_classfile::{ACC_PRIVATE, ACC_STATIC, ACC_SYNCHRONIZED, Asm};
use jinsi_trace::model::{CallOp, EventKind, MemberRef};
use jinsi_trace::natural::Natural;

use super::InstrumentError;
use super::calls::release;
use super::events::{KIND, Operand, THEN, Then, dup};
use super::identity;
use super::method::{LAST_INFERRED, MOST_HELD, Probes};
use super::order::Handover;
use super::refs::{MOST_VALUES, PROBE, Whole};
use super::sites::{CallSite, letters, may_hold_content, only_computes};

/// `JinsiIds.CONSTRUCTED`.
const CONSTRUCTED: i64 = 16;
/// What makes strings of values of any class.
const CONCATENATION: &str = "java/lang/invoke/StringConcatFactory";
/// Classes whose instances have no identity in a trace: calls on them are computed again.
const IMMEDIATE: &[&str] = &[
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/String",
];

/// Locals of a method that are there throughout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gates {
    /// Of its end: `-1` if its beginning was an event. A class initializer keeps here what ran before it.
    own: u16,
    /// Of inherited code: `-1` if it runs on an observed object.
    mine: Option<u16>,
}

/// When the events around a call are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Never,
    Always,
    /// Unless its receiver is observed, or natural.
    ByReceiver,
    /// ... and cannot tell an identity hash code.
    ByValue,
}

/// The built-in list of natural classes.
pub(crate) fn natural_classes() -> &'static Natural {
    static NATURAL: OnceLock<Natural> = OnceLock::new();
    NATURAL.get_or_init(Natural::default)
}

impl Probes<'_, '_> {
    /// Inserts all probes; without `inner` only those of the method's ends.
    pub(super) fn insert_at_boundary(&mut self, inner: bool) -> Result<(), InstrumentError> {
        let sheltered = self.is_sheltered()?;
        if !sheltered {
            self.keep_gates()?;
            self.entry_at_boundary()?;
        }
        let exit = self.exit_site();
        let mut initialized_from = 0;
        for instruction in self.insns {
            let Some(state) = self.flow.at(instruction.offset) else {
                continue; // unreachable
            };
            if state.stack.contains(&Value::UninitThis) || state.locals.contains(&Value::UninitThis)
            {
                initialized_from = instruction.end();
            }
            match instruction.opcode {
                op::IRETURN..=op::RETURN if sheltered => {}
                op::IRETURN..=op::RETURN => self.exit_at_boundary(instruction, exit)?,
                op::INVOKESPECIAL if self.calls_own_constructor(instruction) => {
                    self.initialized(instruction)?;
                }
                _ if !inner || self.is_inherited() && state.local(0) == Value::UninitThis => {}
                op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => self.call_at_boundary(instruction)?,
                op::INVOKEDYNAMIC => self.dynamic_at_boundary(instruction)?,
                op::MONITORENTER => self.monitor_enter(instruction)?,
                op::MONITOREXIT => self.monitor_exit(instruction)?,
                op::GETSTATIC | op::PUTSTATIC | op::GETFIELD | op::PUTFIELD => {
                    self.field_at_boundary(instruction)?;
                }
                _ => {}
            }
        }
        self.handlers_at_boundary()?;
        match sheltered {
            true => Ok(()),
            false => self.exit_throw_at_boundary(initialized_from),
        }
    }

    /// Does nobody but the class itself call the method? It is private, and no method handle, annotation or convention of serialization
    /// leads to it. (Where reflection does all the same, replay diverges.)
    fn is_sheltered(&self) -> Result<bool, InstrumentError> {
        const BY_CONVENTION: &[&str] = &[
            "<init>",
            "main",
            "readObject",
            "readObjectNoData",
            "readResolve",
            "writeObject",
            "writeReplace",
        ];
        let pool = &self.context.class.pool;
        let annotated = |name| self.member.attribute(pool, name).is_some();
        Ok(
            self.access & (ACC_PRIVATE | ACC_SYNCHRONIZED) == ACC_PRIVATE
                && !self.is_inherited()
                && !BY_CONVENTION.contains(&self.name.as_str())
                && !annotated("RuntimeVisibleAnnotations")
                && !self
                    .context
                    .handled
                    .contains(&(self.name.clone(), self.desc.clone())),
        )
    }

    fn is_initializer(&self) -> bool {
        self.name == "<clinit>"
    }

    fn gates(&self) -> Gates {
        self.gates.unwrap_or(Gates { own: 0, mine: None })
    }

    fn keep_gates(&mut self) -> Result<(), InstrumentError> {
        let this_class = self.context.class.this_class;
        let receiver = match self.name.as_str() {
            _ if self.access & ACC_STATIC != 0 => None,
            "<init>" => Some(VType::UninitializedThis),
            _ => Some(VType::Object(this_class)),
        };
        let desc = self.desc.clone();
        let initial = frames::initial_locals(receiver, &MethodType::parse(&desc)?, self.pool)?;
        let own = self.editor.kept_int(&initial)?;
        let mine = match self.is_inherited() {
            true => Some(self.editor.kept_int(&initial)?),
            false => None,
        };
        self.gates = Some(Gates { own, mine });
        Ok(())
    }

    // The method's ends.

    fn entry_at_boundary(&mut self) -> Result<(), InstrumentError> {
        let desc = self.desc.clone();
        let method = MethodType::parse(&desc)?;
        let constructor = self.name == "<init>";
        let receiver = self.access & ACC_STATIC == 0;
        let mut locals: Vec<(char, u16)> = Vec::new();
        if receiver && !constructor {
            locals.push(('L', 0));
        }
        let mut next = u16::from(receiver);
        for param in &method.params {
            locals.push((param.letter(), next));
            next += param.slots();
        }
        let of_receiver = if receiver && !constructor { "L" } else { "" };
        let operands = format!("{of_receiver}{}", letters(&method));
        let target = self.own();
        let site = self.site(EventKind::Enter, 0, target, CallOp::None, operands, false);
        let mut asm = Asm::new();
        if self.begins_acquired() {
            self.acquired(&mut asm);
        }
        let Gates { own, mine } = self.gates();
        if let Some(mine) = mine {
            if constructor {
                // Whose object it is can only be asked when there is one; its class' own constructor tells of it.
                asm.int(self.pool, 0).store('I', mine);
                asm.int(self.pool, 0).store('I', own);
                self.editor.entry(&asm)?;
                return Ok(());
            }
            asm.load('L', 0);
            let desc = "(Ljava/lang/Object;)I";
            asm.invokestatic(self.pool, "java/lang/JinsiInherited", "mine", desc);
            asm.store('I', mine);
        }
        if self.is_initializer() {
            asm.invokestatic(self.pool, PROBE, "interrupted", "()I");
            asm.store('I', own);
            self.event(&mut asm, &[], Then::Initializer, site, EventKind::Enter);
        } else {
            self.begins(&mut asm, &locals, site);
            asm.store('I', own);
            if constructor {
                asm.load('I', own);
                self.probe(&mut asm, "unborn", "(I)V");
            }
        }
        self.editor.entry(&asm)?;
        Ok(())
    }

    /// The beginning of a method with these locals as values; leaves its gate on the stack.
    fn begins(&mut self, asm: &mut Asm, locals: &[(char, u16)], site: u32) {
        let operands: Vec<Operand> = locals
            .iter()
            .map(|&(c, at)| Operand::Local(c, at))
            .collect();
        let (then, kind) = (Then::Inside, EventKind::Enter);
        if self.has_event_of(operands.len(), site) {
            self.stacked(asm, &operands);
            self.what(asm, self.gates().mine, then, site, kind);
            let letters: Vec<char> = locals.iter().map(|l| l.0).collect();
            self.refs.call_event(asm, self.pool, Whole::Entry, &letters);
            return;
        }
        match self.gates().mine {
            Some(mine) => asm.load('I', mine),
            None => asm.int(self.pool, -1),
        };
        asm.invokestatic(self.pool, PROBE, "entering", "(I)I");
        let gate = self.gates().own;
        asm.store('I', gate);
        for &(_, local) in locals.iter().filter(|l| l.0 == 'L') {
            asm.load('L', local).load('I', gate);
            self.probe(asm, "argument", "(Ljava/lang/Object;I)V");
        }
        self.gated_by_parts(asm, &operands, gate, then, site, kind);
        asm.load('I', gate);
    }

    fn exit_at_boundary(&mut self, at: &Insn<'_>, site: u32) -> Result<(), InstrumentError> {
        let mut asm = Asm::new();
        let gate = self.gates().own;
        if self.is_initializer() {
            asm.int(self.pool, site as i32)
                .int(self.pool, i32::from(EventKind::Exit as u8));
            self.probe(&mut asm, "eventBackFromInitializer", "(II)V");
            asm.load('I', gate);
            self.probe(&mut asm, "goesOn", "(I)V");
        } else {
            let result = match at.opcode {
                op::RETURN => None,
                opcode => Some(['I', 'J', 'F', 'D', 'L'][usize::from(opcode - op::IRETURN)]),
            };
            let result: Vec<Operand> = result.map(Operand::Top).into_iter().collect();
            let then = Then::Outside;
            self.gated(&mut asm, &result, Some(gate), then, site, EventKind::Exit);
        }
        if self.ends_releasing() {
            self.releasing(&mut asm);
        }
        self.editor.before(at.offset, &asm)?;
        Ok(())
    }

    fn handlers_at_boundary(&mut self) -> Result<(), InstrumentError> {
        let mut starts: Vec<u16> = self.code.handlers.iter().map(|h| h.handler).collect();
        starts.sort_unstable();
        starts.dedup();
        for start in starts {
            if self.flow.at(u32::from(start)).is_none() {
                continue;
            }
            let target = self.own();
            let at = u32::from(start);
            let (kind, call) = (EventKind::Catch, CallOp::None);
            let site = self.site(kind, at, target, call, "L".into(), false);
            let mut asm = Asm::new();
            asm.op(op::DUP);
            match self.gates().mine {
                Some(mine) => asm.load('I', mine),
                None => asm.int(self.pool, -1),
            };
            self.with_throwable(&mut asm, "caught", site, kind);
            for &local in self.held.iter().take(MOST_HELD) {
                release(&mut asm, 'L', local);
            }
            self.editor.before(at, &asm)?;
        }
        Ok(())
    }

    fn with_throwable(&mut self, asm: &mut Asm, probe: &'static str, site: u32, kind: EventKind) {
        asm.int(self.pool, site as i32)
            .int(self.pool, i32::from(kind as u8));
        self.probe(asm, probe, "(Ljava/lang/Object;III)V");
    }

    fn exit_throw_at_boundary(&mut self, from: u32) -> Result<(), InstrumentError> {
        if from as usize >= self.code.bytes.len() || self.never_throws() {
            return Ok(());
        }
        let target = self.own();
        let (kind, call) = (EventKind::ExitThrow, CallOp::None);
        let site = self.site(kind, from, target, call, "L".into(), false);
        let mut asm = Asm::new();
        asm.op(op::DUP).load('I', self.gates().own);
        let probe = match self.is_initializer() {
            true => "leavesInitializer",
            false => "leaves",
        };
        self.with_throwable(&mut asm, probe, site, kind);
        if self.ends_releasing() {
            self.releasing(&mut asm);
        }
        asm.op(op::ATHROW);
        let class = self.context.class;
        if class.major > LAST_INFERRED {
            self.editor.catch_all(from, &asm)?;
            return Ok(());
        }
        // See `reference_slot`.
        for (start, end) in
            flow::uniform_ranges(class, self.member, self.code, self.insns, self.flow)?
        {
            if end > from {
                self.editor
                    .catch_all_in(start.max(from)..end, &asm, Vec::new())?;
            }
        }
        Ok(())
    }

    /// Behind `super(…)` or `this(…)`: the object exists. Unobserved superclasses are part of its construction, which replay does again.
    fn initialized(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let state = self.flow.at(at.offset);
        let holds_this = |value: &Value| *value == Value::UninitThis;
        let kept = state.and_then(|state| state.locals.iter().position(holds_this));
        let Gates { own, mine } = self.gates();
        let mut asm = Asm::new();
        let Some(this) = kept.map(|local| local as u16) else {
            asm.load('I', own);
            self.probe(&mut asm, "born", "(I)V");
            self.editor.after(at.offset, &asm)?;
            return Ok(());
        };
        if let Some(mine) = mine {
            asm.load('L', this);
            let desc = "(Ljava/lang/Object;)I";
            asm.invokestatic(self.pool, "java/lang/JinsiInherited", "mine", desc);
            asm.store('I', mine);
        } else {
            let callee = self
                .context
                .class
                .pool
                .member_ref(at.pool_index().unwrap_or(0))?;
            if callee.owner != self.context.name
                && identity::adds_field(self.context.class, self.context.selection)?
            {
                self.mark_constructed(&mut asm, this)?;
            }
            let target = self.own();
            let (kind, call) = (EventKind::This, CallOp::None);
            let site = self.site(kind, at.offset, target, call, "L".into(), false);
            asm.load('L', this)
                .load('I', own)
                .int(self.pool, site as i32);
            self.probe(&mut asm, "born", "(Ljava/lang/Object;II)V");
        }
        self.editor.after(at.offset, &asm)?;
        Ok(())
    }

    /// The object's word says that a constructor made it, because no event does.
    fn mark_constructed(&mut self, asm: &mut Asm, this: u16) -> Result<(), InstrumentError> {
        let owner = self.context.name.clone();
        let field = self.pool.add_field_ref(&owner, identity::FIELD, "J")?;
        asm.load('L', this).op(op::DUP);
        asm.field(op::GETFIELD, field, "J");
        asm.long(self.pool, CONSTRUCTED).op(op::LOR);
        asm.field(op::PUTFIELD, field, "J");
        Ok(())
    }

    // What is called, and accessed.

    fn call_at_boundary(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let member = self
            .context
            .class
            .pool
            .member_ref(at.pool_index().unwrap_or(0))?;
        let target = MemberRef {
            owner: member.owner.into_owned(),
            name: member.name.into_owned(),
            desc: member.desc.into_owned(),
        };
        let call = match at.opcode {
            op::INVOKESTATIC => CallOp::Static,
            op::INVOKEVIRTUAL => CallOp::Virtual,
            op::INVOKEINTERFACE => CallOp::Interface,
            _ if target.name == "<init>" => CallOp::New,
            _ => CallOp::Special,
        };
        let when = self.when(&target, call);
        let call = CallSite {
            outside: !self.context.selection.observes(&target.owner, false),
            target,
            op: call,
            light: false,
        };
        self.gated_call(at, &call, when)
    }

    fn dynamic_at_boundary(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let target = self.dynamic_target(at)?;
        let plain = |t: &Type<'_>| match t.class_name() {
            Some(name) => IMMEDIATE.contains(&name),
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

    /// Mirrors what projection takes for inner calls.
    fn when(&self, target: &MemberRef, call: CallOp) -> When {
        let MemberRef { owner, name, desc } = target;
        let context = self.context;
        let natural = natural_classes();
        let observed = context.selection.observes(owner, false);
        let key = || (name.clone(), desc.clone());
        // Static members of a class that is only inherited from are the environment's.
        let own = *owner == context.name && (!self.is_inherited() || call != CallOp::Static);
        let identity = matches!(
            (name.as_str(), desc.as_str()),
            ("hashCode", "()I") | ("toString", "()Ljava/lang/String;")
        );
        match call {
            _ if only_computes(target) => When::Never,
            _ if own && context.natives.contains(&key()) => When::Always,
            // It may be inherited from a class that is not observed.
            CallOp::Static if own && !context.declared.contains(&key()) => When::Always,
            CallOp::New | CallOp::Static if observed || own => When::Never,
            CallOp::New if Natural::depends_on_others(owner) => When::Always,
            CallOp::New | CallOp::Static => {
                match natural.is_natural_call(owner, name, desc, call) {
                    true => When::Never,
                    false => When::Always,
                }
            }
            // On `this`, whose class is observed.
            CallOp::Special if !identity => When::Never,
            _ if natural.is_answered(owner, name, desc) => When::Always,
            _ if IMMEDIATE.contains(&owner.as_str()) => When::Never,
            _ if own && context.bound.contains(&key()) => When::Never,
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
        let receiver = call.has_receiver();
        let new = call.op == CallOp::New;
        let operands = format!("{}{}", if receiver { "L" } else { "" }, letters(&method));
        let result = if new { 'L' } else { method.result_letter() };
        let result_operands = match result {
            'V' => String::new(),
            letter => letter.to_string(),
        };
        let (target, kind) = (call.target.clone(), EventKind::Call);
        let before = self.site(kind, at.offset, target.clone(), call.op, operands, false);
        let kind = EventKind::CallExit;
        let after = self.site(kind, at.offset, target, call.op, result_operands, false);

        let may_change = |value: Type<'_>| call.op != CallOp::Dynamic && may_hold_content(value);
        let exchanged = |param: Type<'_>| may_change(param) && (call.outside || param.is_array());
        let returned = method.result.is_some_and(may_change);
        let mut asm = Asm::new();
        let (locals, mut end) = self.spill_args(&mut asm, &method)?;
        if receiver || new {
            end = self.reference_slot(end)?;
            asm.op(op::DUP).store('L', end);
        }
        let gate = self.call_gate(&mut asm, when, end)?;
        let this = receiver.then_some(Operand::Local('L', end));
        let args = locals.iter().map(|(at, p)| Operand::Local(p.letter(), *at));
        let operands: Vec<Operand> = this.into_iter().chain(args).collect();
        let then = match Handover::of(call) {
            Handover::Never => Then::Quiet,
            Handover::Possible => Then::Outside,
            Handover::ByReceiver => Then::Call,
        };
        self.gated(&mut asm, &operands, gate, then, before, EventKind::Call);
        let crosses = returned || locals.iter().any(|(_, param)| exchanged(*param));
        if !call.outside && crosses {
            self.with_gate(&mut asm, gate);
            self.probe(&mut asm, "away", "(I)V");
        }
        for &(local, param) in &locals {
            asm.load(param.letter(), local);
            if exchanged(param) {
                self.held.insert(local);
            } else {
                release(&mut asm, param.letter(), local);
            }
        }
        if receiver {
            release(&mut asm, 'L', end);
        } else if new {
            self.held.insert(end);
        }
        self.editor.before(at.offset, &asm)?;

        let mut asm = Asm::new();
        for &(local, _) in locals.iter().filter(|(_, param)| exchanged(*param)) {
            asm.load('L', local);
            self.gated_content(&mut asm, call, gate);
            release(&mut asm, 'L', local);
        }
        if self.fills_this(at, &call.target) {
            asm.load('L', 0);
            self.content(&mut asm, "fields");
        }
        if returned {
            asm.op(op::DUP);
            self.gated_content(&mut asm, call, gate);
        }
        let result = match result {
            _ if new => Some(Operand::Local('L', end)),
            'V' => None,
            letter => Some(Operand::Top(letter)),
        };
        let result: Vec<Operand> = result.into_iter().collect();
        let kind = EventKind::CallExit;
        self.gated(&mut asm, &result, gate, Then::Inside, after, kind);
        if new {
            release(&mut asm, 'L', end);
        }
        self.editor.after(at.offset, &asm)?;
        Ok(())
    }

    /// The local with the gate of a call whose receiver is in `receiver`; none if its events are always written.
    fn call_gate(
        &mut self,
        asm: &mut Asm,
        when: When,
        receiver: u16,
    ) -> Result<Option<u16>, InstrumentError> {
        let mine = self.gates().mine;
        let probe = match when {
            When::ByReceiver => "away",
            When::ByValue => "asked",
            When::Always | When::Never => return Ok(mine),
        };
        let gate = self.editor.new_local(1)?;
        asm.load('L', receiver);
        asm.invokestatic(self.pool, PROBE, probe, "(Ljava/lang/Object;)I");
        if let Some(mine) = mine {
            asm.load('I', mine).op(op::IAND);
        }
        asm.store('I', gate);
        Ok(Some(gate))
    }

    fn gated_content(&mut self, asm: &mut Asm, call: &CallSite, gate: Option<u16>) {
        self.with_gate(asm, gate);
        self.probe(asm, call.content_probe(), "(Ljava/lang/Object;I)V");
    }

    fn with_gate(&mut self, asm: &mut Asm, gate: Option<u16>) {
        match gate {
            Some(gate) => asm.load('I', gate),
            None => asm.int(self.pool, -1),
        };
    }

    /// Accesses of fields of observed classes are computed again; those of others' come from the environment.
    fn field_at_boundary(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let target = self.access_target(at)?;
        let is_static = matches!(at.opcode, op::GETSTATIC | op::PUTSTATIC);
        let MemberRef { owner, name, desc } = &target;
        let own = *owner == self.context.name;
        let inner = match is_static {
            // Those of a class that is only inherited from are the environment's; and a class may inherit some from what is not observed.
            true if own => {
                !self.is_inherited()
                    && (self.context.has_static(&target) || self.inherits_observed()?)
            }
            true if natural_classes().is_natural_field(owner, name, desc) => true,
            _ => own || self.context.selection.observes(owner, false),
        };
        let on_this = matches!(
            self.flow.receiver(at.offset),
            Some(Value::This | Value::UninitThis)
        );
        if inner || !is_static && on_this {
            return self.own_access(at, &target);
        }
        let read = matches!(at.opcode, op::GETSTATIC | op::GETFIELD);
        let orders = self.orders(&target);
        let desc = target.desc.clone();
        let value = Type::parse(&desc)?;
        let letter = value.letter();
        let kind = match at.opcode {
            op::GETSTATIC => EventKind::GetStatic,
            op::PUTSTATIC => EventKind::PutStatic,
            op::GETFIELD => EventKind::GetField,
            _ => EventKind::PutField,
        };
        let operands = match is_static {
            true => letter.to_string(),
            false => format!("L{letter}"),
        };
        let site = self.site(kind, at.offset, target, CallOp::None, operands, false);
        let gate = self.gates().mine;
        let mut object = None;
        let mut asm = Asm::new();
        if !is_static {
            let slot = self.reference_slot(self.spill)?;
            object = Some(Operand::Local('L', slot));
            if read {
                asm.op(op::DUP).store('L', slot);
                self.editor.before(at.offset, &asm)?;
                asm = Asm::new();
            } else {
                let kept = self.spill + 1;
                asm.store(letter, kept).op(op::DUP).store('L', slot);
                asm.load(letter, kept);
                release(&mut asm, letter, kept);
            }
        }
        if read && orders {
            self.acquired(&mut asm);
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
            if orders {
                self.releasing(&mut asm);
            }
            self.editor.before(at.offset, &asm)?;
        }
        Ok(())
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

    // Gated events.

    /// The number that says what event it is, or 0 if the gate is shut.
    fn what(&mut self, asm: &mut Asm, gate: Option<u16>, then: Then, site: u32, kind: EventKind) {
        let what = site | u32::from(kind as u8) << KIND | (then as u32) << THEN;
        asm.int(self.pool, what as i32);
        if let Some(gate) = gate {
            asm.load('I', gate).op(op::IAND);
        }
    }

    /// Writes an event if the gate is open; without a gate it is.
    fn gated(
        &mut self,
        asm: &mut Asm,
        operands: &[Operand],
        gate: Option<u16>,
        then: Then,
        site: u32,
        kind: EventKind,
    ) {
        let Some(local) = gate else {
            return self.event(asm, operands, then, site, kind);
        };
        if operands.len() > MOST_VALUES || !self.has_event_of(operands.len(), site) {
            return self.gated_by_parts(asm, operands, local, then, site, kind);
        }
        self.stacked(asm, operands);
        self.what(asm, gate, then, site, kind);
        let letters: Vec<char> = operands.iter().map(|o| o.letter()).collect();
        self.refs.call_event(asm, self.pool, Whole::Gated, &letters);
    }

    fn gated_by_parts(
        &mut self,
        asm: &mut Asm,
        operands: &[Operand],
        gate: u16,
        then: Then,
        site: u32,
        kind: EventKind,
    ) {
        asm.load('I', gate);
        self.probe(asm, "begin", "(I)V");
        for operand in operands {
            match *operand {
                Operand::Local(letter, local) => {
                    asm.load(letter, local);
                }
                Operand::Top(letter) => dup(asm, letter),
            }
            asm.load('I', gate);
            let (name, desc) = match operand.letter() {
                'J' => ("j", "(JI)V"),
                'F' => ("f", "(FI)V"),
                'D' => ("d", "(DI)V"),
                'L' => ("a", "(Ljava/lang/Object;I)V"),
                _ => ("i", "(II)V"),
            };
            self.probe(asm, name, desc);
        }
        match operands.first() {
            Some(Operand::Local('L', local)) => asm.load('L', *local),
            _ => asm.op(op::ACONST_NULL),
        };
        asm.load('I', gate)
            .int(self.pool, site as i32)
            .int(self.pool, i32::from(kind as u8))
            .int(self.pool, then as i32);
        self.probe(asm, "end", "(Ljava/lang/Object;IIII)V");
    }
}
