//! The probes of a method's beginning and of its ways out.

use jinsi_classfile::code::Handler;
use jinsi_classfile::descriptor::MethodType;
use jinsi_classfile::flow::{self, Value};
use jinsi_classfile::frames::VType;
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;
use jinsi_classfile::{ACC_STATIC, Asm};
use jinsi_trace::model::{CallOp, EventKind, SiteNo};

use super::Gates;
use crate::emitter::release;
use crate::emitter::{LAST_INFERRED, MOST_HELD, Probes};
use crate::events::{Operand, Then};
use crate::identity;
use crate::outcome::InstrumentError;
use crate::refs::Whole;
use crate::sites::letters;

/// `JinsiIds.CONSTRUCTED`.
const CONSTRUCTED: i64 = 16;
impl Probes<'_, '_> {
    pub(super) fn entry_at_boundary(&mut self) -> Result<(), InstrumentError> {
        let desc = self.desc.clone();
        let method = MethodType::parse(&desc)?;
        let constructor = self.name == "<init>";
        let receiver = self.access & ACC_STATIC == 0;
        let of_receiver = if receiver && !constructor { "L" } else { "" };
        let operands = format!("{of_receiver}{}", letters(&method));
        let target = self.own();
        let site = self.site(
            EventKind::Enter,
            0,
            target,
            CallOp::None,
            operands.into(),
            false,
        );
        let mut asm = Asm::new();
        let Gates { own, mine } = self.gates();
        if let Some(mine) = mine {
            if constructor {
                self.begins_ordered(&mut asm);
                // Whose object it is can only be asked when there is one. Observed code constructs objects of other classes by a call, so
                // what it runs itself it runs on an object of its own; that object's class' own constructor tells of it.
                self.probe(&mut asm, "among", "()I");
                asm.store('I', mine);
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
            self.begins_ordered(&mut asm);
            self.probe(&mut asm, "interrupted", "()I");
            asm.store('I', own);
            self.event(&mut asm, &[], Then::Initializer, site, EventKind::Enter);
            self.editor.entry(&asm)?;
            return Ok(());
        }
        self.ask_gate(&mut asm);
        self.begins_ordered(&mut asm);
        self.editor.entry(&asm)?;
        asm = Asm::new();
        self.begins(&mut asm, &self.values_at_entry(&method), site);
        if constructor {
            self.probe(&mut asm, "unborn", "()V");
        }
        self.editor.entry_if(own, &asm)?;
        if !constructor && mine.is_none() && self.calls() {
            self.goes_on_inside()?;
        }
        Ok(())
    }

    /// Whether the environment has called the method goes to its gate.
    fn ask_gate(&mut self, asm: &mut Asm) {
        let Gates { own, mine } = self.gates();
        if let Some(mine) = mine {
            asm.load('I', mine);
            self.probe(asm, "outside", "(I)I");
        } else if self.may_be_on_unobserved_subclass() {
            asm.load('L', 0);
            self.probe(asm, "outside", "(Ljava/lang/Object;)I");
        } else {
            self.probe(asm, "outside", "()I");
        }
        asm.store('I', own);
    }

    /// Whatever code the method is compiled with knows from here on that gates are shut.
    fn goes_on_inside(&mut self) -> Result<(), InstrumentError> {
        let mut asm = Asm::new();
        self.probe(&mut asm, "inside", "()V");
        self.editor.entry(&asm)?;
        if self.may_be_on_unobserved_subclass() {
            asm = Asm::new();
            self.probe(&mut asm, "onStray", "()V");
            self.editor.entry_if_positive(self.gates().own, &asm)?;
        }
        Ok(())
    }

    /// Does anything follow that asks whether observed code runs?
    fn calls(&self) -> bool {
        let asks = |i: &Insn<'_>| (op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC).contains(&i.opcode);
        self.insns.iter().any(asks)
    }

    /// Types and locals of what the method is called with: the receiver, if it is an object already, and the parameters.
    fn values_at_entry(&self, method: &MethodType<'_>) -> Vec<(char, u16)> {
        let receiver = self.access & ACC_STATIC == 0;
        let mut locals = Vec::new();
        if receiver && self.name != "<init>" {
            locals.push(('L', 0));
        }
        let mut next = u16::from(receiver);
        for param in &method.params {
            locals.push((param.letter(), next));
            next += param.slots();
        }
        locals
    }

    /// The beginning of a method that the environment called, with these locals as values.
    fn begins(&mut self, asm: &mut Asm, locals: &[(char, u16)], site: SiteNo) {
        let operands: Vec<Operand> = locals
            .iter()
            .map(|&(c, at)| Operand::Local(c, at))
            .collect();
        let (then, kind) = (Then::Inside, EventKind::Enter);
        if self.has_event_of(operands.len(), site) {
            self.stacked(asm, &operands);
            self.what(asm, None, then, site, kind);
            let letters: Vec<char> = locals.iter().map(|l| l.0).collect();
            self.refs.call_event(asm, self.pool, Whole::Entry, &letters);
            return;
        }
        let gate = self.gates().own;
        for &(_, local) in locals.iter().filter(|l| l.0 == 'L') {
            asm.load('L', local).load('I', gate);
            self.probe(asm, "argument", "(Ljava/lang/Object;I)V");
        }
        self.gated_by_parts(asm, &operands, gate, then, site, kind);
    }

    pub(super) fn exit_at_boundary(
        &mut self,
        at: &Insn<'_>,
        site: SiteNo,
    ) -> Result<(), InstrumentError> {
        let mut asm = Asm::new();
        let gate = self.gates().own;
        if self.is_initializer() {
            asm.int(self.pool, site.get() as i32)
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
            let plain = self.is_plain_end(at.offset, result.len());
            self.ends(&mut asm, &result, gate, site);
            if plain {
                // In code that seldom runs, so that the probe is never inlined.
                let stack = self.returned()?;
                self.editor.before_if(at.offset, gate, &asm, stack)?;
                asm = Asm::new();
            }
        }
        if self.ends_releasing() {
            self.releasing(&mut asm);
        }
        self.editor.before(at.offset, &asm)?;
        Ok(())
    }

    /// The end of a method that the environment called, with its result on the stack.
    fn ends(&mut self, asm: &mut Asm, result: &[Operand], gate: u16, site: SiteNo) {
        let (then, kind) = (Then::Outside, EventKind::Exit);
        if !self.has_event_of(result.len(), site) {
            self.gated_by_parts(asm, result, gate, then, site, kind);
            asm.load('I', gate);
            return self.probe(asm, "back", "(I)V");
        }
        self.stacked(asm, result);
        self.what(asm, None, then, site, kind);
        asm.load('I', gate);
        let desc = match result.first().map(|value| value.letter()) {
            None => "(II)V",
            Some('L') => "(Ljava/lang/Object;II)V",
            Some(_) => "(JII)V",
        };
        self.probe(asm, "exit", desc);
    }

    /// Is what a frame has to say at the return known? There must be no handler of the method's own for it, which would want locals, and
    /// nothing but the result on the stack, though the JVM allows more.
    fn is_plain_end(&self, offset: u32, results: usize) -> bool {
        let covers = |h: &Handler| (u32::from(h.start)..u32::from(h.end)).contains(&offset);
        let stack = self.flow.at(offset).map(|state| state.stack.len());
        stack == Some(results) && !self.code.handlers.iter().any(covers)
    }

    /// The stack in front of such a return.
    fn returned(&mut self) -> Result<Vec<VType>, InstrumentError> {
        let desc = self.desc.clone();
        let Some(result) = MethodType::parse(&desc)?.result else {
            return Ok(Vec::new());
        };
        Ok(vec![VType::of(result, self.pool)?])
    }

    pub(super) fn handlers_at_boundary(&mut self) -> Result<(), InstrumentError> {
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

    fn with_throwable(
        &mut self,
        asm: &mut Asm,
        probe: &'static str,
        site: SiteNo,
        kind: EventKind,
    ) {
        asm.int(self.pool, site.get() as i32)
            .int(self.pool, i32::from(kind as u8));
        self.probe(asm, probe, "(Ljava/lang/Object;III)V");
    }

    pub(super) fn exit_throw_at_boundary(&mut self, from: u32) -> Result<(), InstrumentError> {
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
    pub(super) fn initialized(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
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
                .int(self.pool, site.get() as i32);
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
        if self.context.selection.has_epochs() {
            self.probe(asm, "constructed", "(J)J");
        } else {
            asm.long(self.pool, CONSTRUCTED).op(op::LOR);
        }
        asm.field(op::PUTFIELD, field, "J");
        Ok(())
    }
}
