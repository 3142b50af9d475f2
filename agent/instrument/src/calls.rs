//! Probes of calls.

use jinsi_classfile::descriptor::{MethodType, Type};
use jinsi_classfile::flow::Value;
use jinsi_classfile::insn::{self, Insn};
use jinsi_classfile::opcode as op;
use jinsi_classfile::{Asm, ClassFile};
use jinsi_natural::meets_others;
use jinsi_trace::model::{CallOp, EventKind, MemberRef, SiteNo};

use super::context::When;
use super::emitter::{Probes, release};
use super::events::{Operand, Then};
use super::names::Names;
use super::order::{Handover, quiet_jdk};
use super::outcome::InstrumentError;
use super::sites::{CallSite, letters, only_computes};

/// What classes that replay has rewritten call besides their bridges; none of it is the program's.
const REPLAY: &str = "jinsi/replay/Replay";

/// The object that a bridge has made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    /// It is on the stack.
    Returned,
    /// The program had no use for it.
    Dropped,
}

/// How the events around a call are written.
#[derive(Clone, Copy)]
enum Writing {
    Always,
    /// Where this local, if there is one, has no zero.
    Gated(Option<u16>),
}

/// A call whose values are in fresh locals.
pub(crate) struct Crossing<'t> {
    /// Arguments with their locals. Does what they hold change hands?
    args: Vec<(u16, Type<'t>, bool)>,
    /// The local with a copy of the receiver, or of the object that is constructed; else a free one.
    copy: u16,
    receiver: bool,
    new: bool,
    /// The callee may change what the receiver holds, by what it gets from the environment.
    fills: bool,
    /// The object that is constructed was there before the call.
    made_before: bool,
    returns_content: bool,
    /// A bridge has made an object that the program does not get.
    unseen: bool,
    writing: Writing,
}

impl<'t> Crossing<'t> {
    /// A call of which nothing is kept in locals but its gate. A copy of the receiver would be in the local `copy`.
    pub(crate) fn short(gate: u16, copy: u16, returns_content: bool) -> Self {
        Self {
            args: Vec::new(),
            copy,
            receiver: false,
            new: false,
            fills: false,
            made_before: false,
            returns_content,
            unseen: false,
            writing: Writing::Gated(Some(gate)),
        }
    }

    /// Is the call not always recorded?
    fn is_gated(&self) -> bool {
        matches!(self.writing, Writing::Gated(_))
    }
}

/// Arguments with the locals they are in, and the first free local behind.
type SpilledArgs<'t> = (Vec<(u16, Type<'t>)>, u16);

impl Probes<'_, '_> {
    pub(super) fn call(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let target = self.access_target(at)?;
        if self.calls_replay(at) {
            return self.replayed_monitor(at, &target.name);
        }
        if only_computes(&target) {
            return Ok(());
        }
        let method = MethodType::parse(&target.desc)?;
        let constructor = target.name == "<init>";
        let own_constructor = self.calls_own_constructor(at);
        let call = match at.opcode {
            op::INVOKESTATIC => CallOp::Static,
            op::INVOKEVIRTUAL => CallOp::Virtual,
            op::INVOKEINTERFACE => CallOp::Interface,
            _ if constructor && !own_constructor => CallOp::New,
            _ => CallOp::Special,
        };
        if own_constructor {
            return self.own_constructor_call(at, target);
        }
        let site = self.classify(at, target.clone(), call);
        if site.light {
            self.call_marker(at, site)
        } else {
            self.call_with_operands(at, &site, &method, None)
        }
    }

    /// Is this what replay has added to count steps, or to announce a class initializer?
    pub(super) fn calls_replay(&self, at: &Insn<'_>) -> bool {
        let pool = &self.context.class.pool;
        at.opcode == op::INVOKESTATIC
            && (at.pool_index().and_then(|i| pool.member_owner(i).ok()))
                .is_some_and(|owner| owner == REPLAY)
    }

    /// Is this the call of `super(…)` or `this(…)`? Nothing else can be called on the receiver before.
    pub(super) fn calls_own_constructor(&self, at: &Insn<'_>) -> bool {
        self.flow.receiver(at.offset) == Some(Value::UninitThis)
    }

    fn classify(&self, at: &Insn<'_>, target: MemberRef, call: CallOp) -> CallSite {
        if self.is_inherited() {
            return self.classify_inherited(at, target, call);
        }
        let context = self.context;
        let observed = context.selection.observes(&target.owner, false);
        let is_in = |names: &Names| names.contains(&target.name, &target.desc);
        let own = target.owner == context.name;
        let light = match call {
            CallOp::New => observed,
            CallOp::Static | CallOp::Special => own && is_in(&context.declared),
            CallOp::Virtual | CallOp::Interface => own && is_in(&context.bound),
            CallOp::Dynamic | CallOp::None => false,
        };
        let outside = !observed || own && is_in(&context.natives);
        CallSite {
            target,
            op: call,
            light,
            outside,
        }
    }

    fn call_marker(&mut self, at: &Insn<'_>, call: CallSite) -> Result<(), InstrumentError> {
        let before = self.site(
            EventKind::Call,
            at.offset,
            call.target.clone(),
            call.op,
            String::new().into(),
            true,
        );
        let after = self.site(
            EventKind::CallExit,
            at.offset,
            call.target,
            call.op,
            String::new().into(),
            true,
        );
        let mut asm = Asm::new();
        self.event(&mut asm, &[], Then::Same, before, EventKind::Call);
        self.editor.before(at.offset, &asm)?;
        let mut asm = Asm::new();
        self.event(&mut asm, &[], Then::Inside, after, EventKind::CallExit);
        self.editor.after(at.offset, &asm)?;
        Ok(())
    }

    /// A call whose values are recorded: in fresh locals for its duration. `when` says on what that depends at the boundary; elsewhere it
    /// always happens.
    pub(super) fn call_with_operands(
        &mut self,
        at: &Insn<'_>,
        call: &CallSite,
        method: &MethodType<'_>,
        when: Option<When>,
    ) -> Result<(), InstrumentError> {
        let sites = self.sites_of_call(at, call, method);
        self.call_with_operands_of(at, call, method, when, sites)
    }

    /// The same with the sites of its two events.
    pub(crate) fn call_with_operands_of(
        &mut self,
        at: &Insn<'_>,
        call: &CallSite,
        method: &MethodType<'_>,
        when: Option<When>,
        [before, after]: [SiteNo; 2],
    ) -> Result<(), InstrumentError> {
        let mut asm = Asm::new();
        let crossing = self.crossing(&mut asm, at, call, method, when)?;
        self.before_call(&mut asm, call, &crossing, before);
        self.before_meeting(&mut asm, call, &crossing);
        self.editor.before(at.offset, &asm)?;
        let mut asm = Asm::new();
        let result = match crossing.new {
            true => 'L',
            false => method.result_letter(),
        };
        self.after_call(&mut asm, at, call, &crossing, (result, after));
        self.after_meeting(&mut asm, call, &crossing);
        if self.keeps_receiver(call, &crossing) {
            release(&mut asm, 'L', crossing.copy);
        }
        self.editor.after(at.offset, &asm)?;
        Ok(())
    }

    /// Does the call count as a meeting with other threads, which natural code has in it?
    pub(crate) fn meets_at(&self, call: &CallSite) -> bool {
        matches!(call.op, CallOp::Virtual | CallOp::Interface)
            && meets_others(&call.target.owner)
            && !self.is_inherited()
    }

    /// The receiver may be shared. Where events are written, these say what orders the threads; else the probe does.
    fn before_meeting(&mut self, asm: &mut Asm, call: &CallSite, crossing: &Crossing<'_>) {
        if !self.meets_at(call) {
            return;
        }
        if crossing.is_gated() {
            asm.load('L', crossing.copy);
            self.probe(asm, "meeting", "(Ljava/lang/Object;)V");
        } else {
            self.probe(asm, "counted", "()V");
        }
    }

    fn after_meeting(&mut self, asm: &mut Asm, call: &CallSite, crossing: &Crossing<'_>) {
        if crossing.is_gated() && self.meets_at(call) {
            asm.load('L', crossing.copy);
            self.probe(asm, "called", "(Ljava/lang/Object;)V");
        }
    }

    /// Is the receiver needed behind the call?
    fn keeps_receiver(&self, call: &CallSite, crossing: &Crossing<'_>) -> bool {
        crossing.fills || crossing.receiver && crossing.is_gated() && self.meets_at(call)
    }

    /// The sites of the events before and after a call.
    pub(crate) fn sites_of_call(
        &mut self,
        at: &Insn<'_>,
        call: &CallSite,
        method: &MethodType<'_>,
    ) -> [SiteNo; 2] {
        let receiver = if call.has_receiver() { "L" } else { "" };
        let given = format!("{receiver}{}", letters(method));
        let result = match method.result_letter() {
            _ if call.op == CallOp::New => "L".to_owned(),
            'V' => String::new(),
            letter => letter.to_string(),
        };
        [(EventKind::Call, given), (EventKind::CallExit, result)].map(|(kind, operands)| {
            let target = call.target.clone();
            self.site(kind, at.offset, target, call.op, operands.into(), false)
        })
    }

    /// Moves what a call is given into locals, and finds out what has to be recorded of it.
    fn crossing<'t>(
        &mut self,
        asm: &mut Asm,
        at: &Insn<'_>,
        call: &CallSite,
        method: &MethodType<'t>,
        when: Option<When>,
    ) -> Result<Crossing<'t>, InstrumentError> {
        let at_boundary = when.is_some();
        let (receiver, new) = (call.has_receiver(), call.op == CallOp::New);
        let (args, mut copy) = self.spill_args(asm, method)?;
        let by_bridge = match when {
            None if new => self.made_by_bridge(at)?,
            _ => None,
        };
        let made_before = new && by_bridge.is_none();
        if receiver || made_before {
            // A copy: the receiver itself stays where it is.
            copy = self.reference_slot(copy)?;
            asm.op(op::DUP).store('L', copy);
        }
        let writing = match when {
            None => Writing::Always,
            Some(when) => Writing::Gated(self.call_gate(asm, when, call, copy)?),
        };
        Ok(Crossing {
            args: args
                .into_iter()
                .map(|(local, param)| (local, param, call.exchanges(param, at_boundary)))
                .collect(),
            copy,
            receiver,
            new,
            fills: receiver && call.fills_receiver(),
            made_before,
            returns_content: method
                .result
                .is_some_and(|value| call.returns_content(value, at_boundary)),
            unseen: by_bridge == Some(Made::Dropped),
            writing,
        })
    }

    /// The event of a call, and its arguments back on the stack. What may be exchanged is held.
    fn before_call(
        &mut self,
        asm: &mut Asm,
        call: &CallSite,
        crossing: &Crossing<'_>,
        site: SiteNo,
    ) {
        let this = crossing
            .receiver
            .then_some(Operand::Local('L', crossing.copy));
        let args = crossing.args.iter();
        let args = args.map(|(local, param, _)| Operand::Local(param.letter(), *local));
        let operands: Vec<Operand> = this.into_iter().chain(args).collect();
        let then = Handover::of(call).then();
        let writing = crossing.writing;
        self.write(asm, &operands, writing, then, (site, EventKind::Call));
        let exchanges = crossing.args.iter().any(|&(_, _, exchanged)| exchanged);
        if !call.outside && (crossing.returns_content || exchanges) {
            self.probe_with(asm, writing, "away", ["()V", "(I)V"]);
        }
        for &(local, param, exchanged) in &crossing.args {
            asm.load(param.letter(), local);
            if exchanged {
                self.held.insert(local);
            } else {
                release(asm, param.letter(), local);
            }
        }
        if crossing.receiver && !self.keeps_receiver(call, crossing) {
            release(asm, 'L', crossing.copy);
        } else if crossing.receiver || crossing.made_before {
            self.held.insert(crossing.copy);
        }
    }

    /// What was exchanged, and the event of the call's end. `result`: its letter, and the event's site.
    pub(crate) fn after_call(
        &mut self,
        asm: &mut Asm,
        at: &Insn<'_>,
        call: &CallSite,
        crossing: &Crossing<'_>,
        (result, site): (char, SiteNo),
    ) {
        let content = ["(Ljava/lang/Object;)V", "(Ljava/lang/Object;I)V"];
        let writing = crossing.writing;
        for &(local, ..) in crossing.args.iter().filter(|(_, _, exchanged)| *exchanged) {
            asm.load('L', local);
            self.probe_with(asm, writing, call.content_probe(), content);
            release(asm, 'L', local);
        }
        if crossing.fills {
            asm.load('L', crossing.copy);
            self.probe_with(asm, writing, call.content_probe(), content);
        }
        if self.fills_this(at, &call.target) {
            asm.load('L', 0);
            self.content(asm, "fields");
        }
        if crossing.returns_content {
            asm.op(op::DUP);
            self.probe_with(asm, writing, call.result_probe(), content);
        }
        let result = match result {
            _ if crossing.made_before => Some(Operand::Local('L', crossing.copy)),
            'V' => None,
            letter => Some(Operand::Top(letter)),
        };
        let result: Vec<Operand> = result.into_iter().collect();
        if crossing.unseen {
            asm.null();
        }
        let of = (site, EventKind::CallExit);
        self.write(asm, &result, writing, Then::Inside, of);
        if crossing.unseen {
            asm.op(op::POP);
        }
        if crossing.made_before {
            release(asm, 'L', crossing.copy);
        }
    }

    fn write(
        &mut self,
        asm: &mut Asm,
        operands: &[Operand],
        writing: Writing,
        then: Then,
        (site, kind): (SiteNo, EventKind),
    ) {
        match writing {
            Writing::Always => self.event(asm, operands, then, site, kind),
            Writing::Gated(gate) => self.gated(asm, operands, gate, then, site, kind),
        }
    }

    /// Calls a probe that takes the gate, too, if there are gates; its two descriptors are without and with it.
    fn probe_with(
        &mut self,
        asm: &mut Asm,
        writing: Writing,
        name: &'static str,
        [always, gated]: [&'static str; 2],
    ) {
        match writing {
            Writing::Always => self.probe(asm, name, always),
            Writing::Gated(gate) => {
                self.with_gate(asm, gate);
                self.probe(asm, name, gated);
            }
        }
    }

    /// What comes of a construction that a bridge does; `None` if the program does it.
    fn made_by_bridge(&self, at: &Insn<'_>) -> Result<Option<Made>, InstrumentError> {
        let encoded = insn::at(&self.code.bytes, at.offset)?;
        if encoded.opcode != op::INVOKESTATIC {
            return Ok(None);
        }
        let index = encoded.pool_index().unwrap_or(0);
        let bridge = self.context.class.pool.member_ref(index)?;
        Ok(Some(match bridge.desc.ends_with('V') {
            true => Made::Dropped,
            false => Made::Returned,
        }))
    }

    /// Does the call fill the fields of the object whose method this is, without a store that could be seen?
    pub(super) fn fills_this(&self, at: &Insn<'_>, target: &MemberRef) -> bool {
        let this = self.flow.at(at.offset).and_then(|s| s.locals.first());
        target.owner == "java/io/ObjectInputStream"
            && target.name == "defaultReadObject"
            && this == Some(&Value::This)
    }

    /// Moves the arguments from the stack into fresh locals; gives them in order, and the first free local behind them.
    pub(super) fn spill_args<'t>(
        &mut self,
        asm: &mut Asm,
        method: &MethodType<'t>,
    ) -> Result<SpilledArgs<'t>, InstrumentError> {
        let mut next = self.spill;
        let mut locals = Vec::with_capacity(method.params.len());
        for &param in &method.params {
            let at = match param.letter() {
                'L' => self.reference_slot(next)?,
                _ => next,
            };
            next += param.slots();
            locals.push((at, param));
        }
        for &(local, param) in locals.iter().rev() {
            asm.store(param.letter(), local);
        }
        Ok((locals, next))
    }

    /// `super(…)` or `this(…)`: from its return on, the object has an identity. The call itself is an event only if unobserved code runs.
    fn own_constructor_call(
        &mut self,
        at: &Insn<'_>,
        target: MemberRef,
    ) -> Result<(), InstrumentError> {
        let outside = target.owner != "java/lang/Object"
            && !self.context.selection.observes(&target.owner, false);
        let mut after = Asm::new();
        if outside {
            self.unobserved_constructor_call(at, target, &mut after)?;
        }
        self.gets_identity(at, &mut after);
        self.editor.after(at.offset, &after)?;
        Ok(())
    }

    /// The events of a `super(…)` that runs unobserved code; the second one comes first in `after`.
    fn unobserved_constructor_call(
        &mut self,
        at: &Insn<'_>,
        target: MemberRef,
        after: &mut Asm,
    ) -> Result<(), InstrumentError> {
        let desc = target.desc.clone();
        let method = MethodType::parse(&desc)?;
        let then = match quiet_jdk(&target.owner) {
            true => Then::Quiet,
            false => Then::Outside,
        };
        let call = self.site(
            EventKind::Call,
            at.offset,
            target.clone(),
            CallOp::Special,
            letters(&method).into(),
            false,
        );
        let exit = self.site(
            EventKind::CallExit,
            at.offset,
            target,
            CallOp::Special,
            String::new().into(),
            false,
        );
        let mut asm = Asm::new();
        let (locals, _) = self.spill_args(&mut asm, &method)?;
        let args = locals.iter().map(|(at, p)| Operand::Local(p.letter(), *at));
        let args: Vec<Operand> = args.collect();
        self.event(&mut asm, &args, then, call, EventKind::Call);
        for &(local, param) in &locals {
            asm.load(param.letter(), local);
            release(&mut asm, param.letter(), local);
        }
        self.editor.before(at.offset, &asm)?;
        self.event(after, &[], Then::Inside, exit, EventKind::CallExit);
        Ok(())
    }

    /// The event that the object which is constructed has an identity from now on.
    fn gets_identity(&mut self, at: &Insn<'_>, after: &mut Asm) {
        // Compilers keep it in the first variable, but need not.
        let state = self.flow.at(at.offset);
        let holds_this = |value: &Value| *value == Value::UninitThis;
        let kept = state.and_then(|state| state.locals.iter().position(holds_this));
        let Some(local) = kept else { return };
        let own = self.own();
        let this = self.site(
            EventKind::This,
            at.offset,
            own,
            CallOp::None,
            "L".into(),
            false,
        );
        if self.is_inherited() {
            self.begin(after);
            after.load('L', local as u16);
            self.content(after, "own");
            self.end(after, Then::Inside, this, EventKind::This);
        } else {
            after
                .load('L', local as u16)
                .int(self.pool, this.get() as i32);
            self.probe(after, "own", "(Ljava/lang/Object;I)V");
        }
    }

    /// What an `invokedynamic` leads to: the bootstrap method's class, the name and descriptor of the call.
    pub(super) fn dynamic_target(&self, at: &Insn<'_>) -> Result<MemberRef, InstrumentError> {
        let class = self.context.class;
        let dynamic = class.pool.invoke_dynamic(at.pool_index().unwrap_or(0))?;
        let owner = bootstrap_class(class, dynamic.bootstrap)
            .unwrap_or_else(|| "java/lang/invoke/CallSite".into());
        Ok(MemberRef {
            owner: owner.into(),
            name: dynamic.name.into(),
            desc: dynamic.desc.into(),
        })
    }

    pub(super) fn dynamic(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let target = self.dynamic_target(at)?;
        let desc = target.desc.clone();
        let method = MethodType::parse(&desc)?;
        let call = CallSite {
            target,
            op: CallOp::Dynamic,
            light: false,
            outside: false,
        };
        self.call_with_operands(at, &call, &method, None)
    }
}

/// Class of the bootstrap method with this index (JVMS §4.7.23).
fn bootstrap_class(class: &ClassFile, index: u16) -> Option<String> {
    let data = &class.attribute("BootstrapMethods")?.data;
    let word = |at: usize| Some(u16::from_be_bytes([*data.get(at)?, *data.get(at + 1)?]));
    let mut at = 2;
    for _ in 0..index {
        at += 4 + 2 * usize::from(word(at + 2)?);
    }
    let (_, member) = class.pool.method_handle(word(at)?).ok()?;
    Some(class.pool.member_ref(member).ok()?.owner.into())
}
