//! The probes of one method.

use jinsi_classfile::class::Member;
use jinsi_classfile::code::{Code, line_at};
use jinsi_classfile::descriptor::{MethodType, Type, letter_slots};
use jinsi_classfile::edit::Editor;
use jinsi_classfile::flow::{self, Flow, Value};
use jinsi_classfile::insn::{self, Insn};
use jinsi_classfile::opcode as op;
use jinsi_classfile::pool::ConstantPool;
use jinsi_classfile::{ACC_STATIC, Asm};
use jinsi_trace::model::{CallOp, EventKind, MemberRef, Site};

use super::sites::{CallSite, letters, may_hold_content};
use super::{Context, HUGE_METHOD, InstrumentError};

const PROBE: &str = "java/lang/JinsiProbe";

/// A method with its probes.
pub(super) struct Probed {
    pub(super) code: Code,
    pub(super) sites: Vec<Site>,
    pub(super) thinned: bool,
}

/// Inserts all probes; without those of array accesses if the method would grow out of the compiler's reach because of them.
pub(super) fn probe(
    context: &Context<'_>,
    member: &Member,
    code: &Code,
    pool: &mut ConstantPool,
    next_site: &mut dyn FnMut() -> u32,
) -> Result<Probed, InstrumentError> {
    let flow = flow::analyze_code(context.class, member, code)?;
    let mut full = Probes::new(context, member, code, pool, &flow, next_site)?;
    full.insert(true)?;
    let (rewritten, sites) = full.finish()?;
    if rewritten.bytes.len() < HUGE_METHOD || code.bytes.len() >= HUGE_METHOD {
        return Ok(Probed {
            code: rewritten,
            sites,
            thinned: false,
        });
    }
    let mut thin = Probes::new(context, member, code, pool, &flow, next_site)?;
    thin.insert(false)?;
    let (rewritten, sites) = thin.finish()?;
    Ok(Probed {
        code: rewritten,
        sites,
        thinned: true,
    })
}

/// `JinsiProbe.uncaught(<first parameter>)` at the start of an instance method.
pub(super) fn call_at_entry(
    code: &Code,
    major: u16,
    pool: &mut ConstantPool,
) -> Result<Code, InstrumentError> {
    let mut editor = Editor::new(code, major)?;
    let mut asm = Asm::new();
    asm.load('L', 1)
        .invokestatic(pool, PROBE, "uncaught", "(Ljava/lang/Throwable;)V");
    editor.entry(&asm)?;
    Ok(editor.finish(pool)?.code)
}

struct Probes<'a, 'c> {
    context: &'a Context<'c>,
    code: &'a Code,
    pool: &'a mut ConstantPool,
    flow: &'a Flow,
    next_site: &'a mut dyn FnMut() -> u32,
    editor: Editor<'a>,
    lines: Vec<(u16, u16)>,
    name: String,
    desc: String,
    access: u16,
    sites: Vec<Site>,
    /// First of the fresh locals.
    spill: u16,
}

impl<'a, 'c> Probes<'a, 'c> {
    fn new(
        context: &'a Context<'c>,
        member: &Member,
        code: &'a Code,
        pool: &'a mut ConstantPool,
        flow: &'a Flow,
        next_site: &'a mut dyn FnMut() -> u32,
    ) -> Result<Self, InstrumentError> {
        let mut editor = Editor::new(code, context.class.major)?;
        let slots = spill_slots(code, &context.class.pool)?;
        let spill = if slots == 0 {
            code.max_locals
        } else {
            editor.new_local(slots)?
        };
        Ok(Self {
            context,
            code,
            flow,
            next_site,
            editor,
            lines: code.lines(&context.class.pool),
            name: member.name(&context.class.pool)?.into_owned(),
            desc: member.desc(&context.class.pool)?.into_owned(),
            access: member.access,
            sites: Vec::new(),
            spill,
            pool,
        })
    }

    fn finish(self) -> Result<(Code, Vec<Site>), InstrumentError> {
        Ok((self.editor.finish(self.pool)?.code, self.sites))
    }

    fn insert(&mut self, arrays: bool) -> Result<(), InstrumentError> {
        self.entry()?;
        let exit = self.exit_site();
        let code = self.code;
        let mut initialized_from = 0;
        for instruction in insn::iter(&code.bytes) {
            let instruction = instruction?;
            let Some(state) = self.flow.at(instruction.offset) else {
                continue; // unreachable
            };
            if state.stack.contains(&Value::UninitThis) || state.locals.contains(&Value::UninitThis)
            {
                initialized_from = instruction.end();
            }
            match instruction.opcode {
                op::IRETURN..=op::RETURN => self.exit(&instruction, exit)?,
                op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => self.call(&instruction)?,
                op::INVOKEDYNAMIC => self.dynamic(&instruction)?,
                op::GETSTATIC | op::PUTSTATIC => self.static_field(&instruction)?,
                op::GETFIELD | op::PUTFIELD => self.field(&instruction)?,
                op::IALOAD..=op::SALOAD if arrays => self.array_load(&instruction)?,
                op::IASTORE..=op::SASTORE if arrays => self.array_store(&instruction)?,
                _ => {}
            }
        }
        self.handlers()?;
        self.exit_throw(initialized_from)
    }

    // Sites and snippets.

    fn site(
        &mut self,
        kind: EventKind,
        bci: u32,
        target: MemberRef,
        call: CallOp,
        operands: String,
        light: bool,
    ) -> u32 {
        let no = (self.next_site)();
        self.sites.push(Site {
            no,
            kind,
            class: self.context.class_no,
            method: self.name.clone(),
            desc: self.desc.clone(),
            access: self.access,
            bci: u16::try_from(bci).unwrap_or(u16::MAX),
            line: line_at(&self.lines, bci).unwrap_or(0),
            target,
            op: call,
            operands,
            light,
        });
        no
    }

    fn own(&self) -> MemberRef {
        MemberRef {
            owner: self.context.name.clone(),
            name: self.name.clone(),
            desc: self.desc.clone(),
        }
    }

    fn begin(&mut self, asm: &mut Asm) {
        asm.invokestatic(self.pool, PROBE, "begin", "()V");
    }

    fn value(&mut self, asm: &mut Asm, letter: char) {
        let (name, desc) = match letter {
            'J' => ("j", "(J)V"),
            'F' => ("f", "(F)V"),
            'D' => ("d", "(D)V"),
            'L' => ("a", "(Ljava/lang/Object;)V"),
            _ => ("i", "(I)V"),
        };
        asm.invokestatic(self.pool, PROBE, name, desc);
    }

    /// A copy of the value on top of the stack becomes an operand.
    fn copy(&mut self, asm: &mut Asm, letter: char) {
        asm.op(if letter_slots(letter) == 2 {
            op::DUP2
        } else {
            op::DUP
        });
        self.value(asm, letter);
    }

    fn end(&mut self, asm: &mut Asm, method: &str, site: u32, kind: EventKind) {
        asm.int(self.pool, site as i32)
            .int(self.pool, i32::from(kind as u8));
        asm.invokestatic(self.pool, PROBE, method, "(II)V");
    }

    fn content(&mut self, asm: &mut Asm, method: &str) {
        asm.invokestatic(self.pool, PROBE, method, "(Ljava/lang/Object;)V");
    }

    // The method itself.

    fn entry(&mut self) -> Result<(), InstrumentError> {
        let desc = self.desc.clone();
        let method = MethodType::parse(&desc)?;
        let receiver = self.access & ACC_STATIC == 0;
        let recorded_receiver = receiver && self.name != "<init>";
        let operands = format!(
            "{}{}",
            if recorded_receiver { "L" } else { "" },
            letters(&method)
        );
        let target = self.own();
        let site = self.site(EventKind::Enter, 0, target, CallOp::None, operands, false);
        let mut asm = Asm::new();
        let locals: Vec<(u16, Type<'_>)> = method
            .params
            .iter()
            .scan(u16::from(receiver), |next, &param| {
                let at = *next;
                *next += param.slots();
                Some((at, param))
            })
            .collect();
        for &(local, _) in locals.iter().filter(|(_, p)| may_hold_content(*p)) {
            asm.load('L', local);
            self.content(&mut asm, "argument");
        }
        self.begin(&mut asm);
        if recorded_receiver {
            asm.load('L', 0);
            self.value(&mut asm, 'L');
        }
        for (local, param) in locals {
            asm.load(param.letter(), local);
            self.value(&mut asm, param.letter());
        }
        self.end(&mut asm, "endInside", site, EventKind::Enter);
        self.editor.entry(&asm)?;
        Ok(())
    }

    fn exit_site(&mut self) -> u32 {
        let letter = self
            .desc
            .rsplit(')')
            .next()
            .and_then(|d| d.chars().next())
            .unwrap_or('V');
        let operands = match letter {
            'V' => String::new(),
            '[' => "L".into(),
            letter => letter.to_string(),
        };
        let target = self.own();
        self.site(EventKind::Exit, 0, target, CallOp::None, operands, false)
    }

    fn exit(&mut self, at: &Insn<'_>, site: u32) -> Result<(), InstrumentError> {
        let mut asm = Asm::new();
        if at.opcode == op::RETURN {
            self.end(&mut asm, "eventOutside", site, EventKind::Exit);
        } else {
            let letter = ['I', 'J', 'F', 'D', 'L'][usize::from(at.opcode - op::IRETURN)];
            self.begin(&mut asm);
            self.copy(&mut asm, letter);
            self.end(&mut asm, "endOutside", site, EventKind::Exit);
        }
        self.editor.before(at.offset, &asm)?;
        Ok(())
    }

    /// Every handler, once: the throwable ends the calls that were open in this frame.
    fn handlers(&mut self) -> Result<(), InstrumentError> {
        let mut starts: Vec<u16> = self.code.handlers.iter().map(|h| h.handler).collect();
        starts.sort_unstable();
        starts.dedup();
        for start in starts {
            if self.flow.at(u32::from(start)).is_none() {
                continue;
            }
            let target = self.own();
            let site = self.site(
                EventKind::Catch,
                u32::from(start),
                target,
                CallOp::None,
                "L".into(),
                false,
            );
            let mut asm = Asm::new();
            asm.op(op::DUP);
            self.thrown(&mut asm, site, EventKind::Catch);
            self.editor.before(u32::from(start), &asm)?;
        }
        Ok(())
    }

    fn thrown(&mut self, asm: &mut Asm, site: u32, kind: EventKind) {
        asm.int(self.pool, site as i32)
            .int(self.pool, i32::from(kind as u8));
        asm.invokestatic(self.pool, PROBE, "thrown", "(Ljava/lang/Object;II)V");
    }

    /// From where the receiver is initialized: before, an exception cannot be handled (JVMS §4.10.1.4).
    fn exit_throw(&mut self, from: u32) -> Result<(), InstrumentError> {
        if from as usize >= self.code.bytes.len() {
            return Ok(());
        }
        let target = self.own();
        let site = self.site(
            EventKind::ExitThrow,
            from,
            target,
            CallOp::None,
            "L".into(),
            false,
        );
        let mut asm = Asm::new();
        asm.op(op::DUP);
        self.thrown(&mut asm, site, EventKind::ExitThrow);
        asm.op(op::ATHROW);
        self.editor.catch_all(from, &asm)?;
        Ok(())
    }

    // Calls.

    fn call(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let class = self.context.class;
        let member = class.pool.member_ref(at.pool_index().unwrap_or(0))?;
        let target = MemberRef {
            owner: member.owner.into_owned(),
            name: member.name.into_owned(),
            desc: member.desc.into_owned(),
        };
        let method = MethodType::parse(&target.desc)?;
        let constructor = target.name == "<init>";
        let own_constructor =
            constructor && self.flow.receiver(at.offset) == Some(Value::UninitThis);
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
        let site = self.classify(target.clone(), call);
        if site.light {
            self.light_call(at, site)
        } else {
            self.heavy_call(at, &site, &method)
        }
    }

    fn classify(&self, target: MemberRef, call: CallOp) -> CallSite {
        let context = self.context;
        let observed = context.selection.observes(&target.owner, false);
        let key = (target.name.clone(), target.desc.clone());
        let own = target.owner == context.name;
        let light = match call {
            CallOp::New => observed,
            CallOp::Static | CallOp::Special => own && context.declared.contains(&key),
            CallOp::Virtual | CallOp::Interface => own && context.bound.contains(&key),
            CallOp::Dynamic | CallOp::None => false,
        };
        CallSite {
            target,
            op: call,
            light,
            outside: !observed,
        }
    }

    fn light_call(&mut self, at: &Insn<'_>, call: CallSite) -> Result<(), InstrumentError> {
        let before = self.site(
            EventKind::Call,
            at.offset,
            call.target.clone(),
            call.op,
            String::new(),
            true,
        );
        let after = self.site(
            EventKind::CallExit,
            at.offset,
            call.target,
            call.op,
            String::new(),
            true,
        );
        let mut asm = Asm::new();
        self.end(&mut asm, "event", before, EventKind::Call);
        self.editor.before(at.offset, &asm)?;
        let mut asm = Asm::new();
        self.end(&mut asm, "eventInside", after, EventKind::CallExit);
        self.editor.after(at.offset, &asm)?;
        Ok(())
    }

    fn heavy_call(
        &mut self,
        at: &Insn<'_>,
        call: &CallSite,
        method: &MethodType<'_>,
    ) -> Result<(), InstrumentError> {
        let receiver = call.has_receiver();
        let new = call.op == CallOp::New;
        let operands = format!("{}{}", if receiver { "L" } else { "" }, letters(method));
        let before = self.site(
            EventKind::Call,
            at.offset,
            call.target.clone(),
            call.op,
            operands,
            false,
        );
        let result = if new { 'L' } else { method.result_letter() };
        let operands = if result == 'V' {
            String::new()
        } else {
            result.to_string()
        };
        let after = self.site(
            EventKind::CallExit,
            at.offset,
            call.target.clone(),
            call.op,
            operands,
            false,
        );

        let mut asm = Asm::new();
        let (locals, end) = self.spill_args(&mut asm, method);
        if receiver || new {
            // A copy: the receiver itself stays where it is.
            asm.op(op::DUP).store('L', end);
        }
        self.begin(&mut asm);
        if receiver {
            asm.load('L', end);
            self.value(&mut asm, 'L');
        }
        for &(local, param) in &locals {
            asm.load(param.letter(), local);
            self.value(&mut asm, param.letter());
        }
        self.end(&mut asm, "endOutside", before, EventKind::Call);
        for &(local, param) in &locals {
            asm.load(param.letter(), local);
        }
        self.editor.before(at.offset, &asm)?;

        let mut asm = Asm::new();
        for &(local, param) in &locals {
            if call.outside
                && (param.is_array() || call.exchanges_collections() && may_hold_content(param))
            {
                asm.load('L', local);
                self.content(&mut asm, "content");
            }
        }
        let result_content = method.result.is_some_and(|r| {
            call.outside && (r.is_array() || call.exchanges_collections() && may_hold_content(r))
        });
        if result_content {
            asm.op(op::DUP);
            self.content(&mut asm, "content");
        }
        self.begin(&mut asm);
        if new {
            asm.load('L', end);
            self.value(&mut asm, 'L');
        } else if result != 'V' {
            self.copy(&mut asm, result);
        }
        self.end(&mut asm, "endInside", after, EventKind::CallExit);
        self.editor.after(at.offset, &asm)?;
        Ok(())
    }

    /// Moves the arguments from the stack into fresh locals; gives them in order, and the first free local behind them.
    fn spill_args<'t>(
        &self,
        asm: &mut Asm,
        method: &MethodType<'t>,
    ) -> (Vec<(u16, Type<'t>)>, u16) {
        let mut next = self.spill;
        let locals: Vec<_> = method
            .params
            .iter()
            .map(|&param| {
                let at = next;
                next += param.slots();
                (at, param)
            })
            .collect();
        for &(local, param) in locals.iter().rev() {
            asm.store(param.letter(), local);
        }
        (locals, next)
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
            let desc = target.desc.clone();
            let method = MethodType::parse(&desc)?;
            let call = self.site(
                EventKind::Call,
                at.offset,
                target.clone(),
                CallOp::Special,
                letters(&method),
                false,
            );
            let exit = self.site(
                EventKind::CallExit,
                at.offset,
                target,
                CallOp::Special,
                String::new(),
                false,
            );
            let mut asm = Asm::new();
            let (locals, _) = self.spill_args(&mut asm, &method);
            self.begin(&mut asm);
            for &(local, param) in &locals {
                asm.load(param.letter(), local);
                self.value(&mut asm, param.letter());
            }
            self.end(&mut asm, "endOutside", call, EventKind::Call);
            for &(local, param) in &locals {
                asm.load(param.letter(), local);
            }
            self.editor.before(at.offset, &asm)?;
            self.end(&mut after, "eventInside", exit, EventKind::CallExit);
        }
        let own = self.own();
        let this = self.site(
            EventKind::This,
            at.offset,
            own,
            CallOp::None,
            "L".into(),
            false,
        );
        self.begin(&mut after);
        after.load('L', 0);
        self.value(&mut after, 'L');
        self.end(&mut after, "endInside", this, EventKind::This);
        self.editor.after(at.offset, &after)?;
        Ok(())
    }

    fn dynamic(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let class = self.context.class;
        let dynamic = class.pool.invoke_dynamic(at.pool_index().unwrap_or(0))?;
        let owner = bootstrap_class(class, dynamic.bootstrap)
            .unwrap_or_else(|| "java/lang/invoke/CallSite".into());
        let target = MemberRef {
            owner,
            name: dynamic.name.into_owned(),
            desc: dynamic.desc.into_owned(),
        };
        let desc = target.desc.clone();
        let method = MethodType::parse(&desc)?;
        let call = CallSite {
            target,
            op: CallOp::Dynamic,
            light: false,
            outside: false,
        };
        self.heavy_call(at, &call, &method)
    }

    // Fields and arrays.

    fn access_target(&self, at: &Insn<'_>) -> Result<MemberRef, InstrumentError> {
        let member = self
            .context
            .class
            .pool
            .member_ref(at.pool_index().unwrap_or(0))?;
        Ok(MemberRef {
            owner: member.owner.into_owned(),
            name: member.name.into_owned(),
            desc: member.desc.into_owned(),
        })
    }

    fn static_field(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let target = self.access_target(at)?;
        if target.owner == self.context.name && self.access & ACC_STATIC != 0 {
            return Ok(()); // self-directed: the class accesses its own static state
        }
        let desc = target.desc.clone();
        let value = Type::parse(&desc)?;
        let outside = !self.context.selection.observes(&target.owner, false);
        let (kind, read) = match at.opcode {
            op::GETSTATIC => (EventKind::GetStatic, true),
            _ => (EventKind::PutStatic, false),
        };
        let site = self.site(
            kind,
            at.offset,
            target,
            CallOp::None,
            value.letter().to_string(),
            false,
        );
        let mut asm = Asm::new();
        if read && outside && may_hold_content(value) {
            asm.op(op::DUP);
            self.content(&mut asm, "content");
        }
        self.begin(&mut asm);
        self.copy(&mut asm, value.letter());
        self.end(&mut asm, "end", site, kind);
        if read {
            self.editor.after(at.offset, &asm)?;
        } else {
            self.editor.before(at.offset, &asm)?;
        }
        Ok(())
    }

    fn field(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        if matches!(
            self.flow.receiver(at.offset),
            Some(Value::This | Value::UninitThis)
        ) {
            return Ok(()); // self-directed
        }
        let target = self.access_target(at)?;
        let desc = target.desc.clone();
        let value = Type::parse(&desc)?;
        let letter = value.letter();
        let outside = !self.context.selection.observes(&target.owner, false);
        let operands = format!("L{letter}");
        let (object, held) = (self.spill, self.spill + 1);
        if at.opcode == op::GETFIELD {
            let site = self.site(
                EventKind::GetField,
                at.offset,
                target,
                CallOp::None,
                operands,
                false,
            );
            let mut asm = Asm::new();
            asm.op(op::DUP).store('L', object);
            self.editor.before(at.offset, &asm)?;
            let mut asm = Asm::new();
            if outside && may_hold_content(value) {
                asm.op(op::DUP);
                self.content(&mut asm, "content");
            }
            self.begin(&mut asm);
            asm.load('L', object);
            self.value(&mut asm, 'L');
            self.copy(&mut asm, letter);
            self.end(&mut asm, "end", site, EventKind::GetField);
            self.editor.after(at.offset, &asm)?;
        } else {
            let site = self.site(
                EventKind::PutField,
                at.offset,
                target,
                CallOp::None,
                operands,
                false,
            );
            let mut asm = Asm::new();
            asm.store(letter, held).op(op::DUP).store('L', object);
            self.begin(&mut asm);
            asm.load('L', object);
            self.value(&mut asm, 'L');
            asm.load(letter, held);
            self.value(&mut asm, letter);
            self.end(&mut asm, "end", site, EventKind::PutField);
            asm.load(letter, held);
            self.editor.before(at.offset, &asm)?;
        }
        Ok(())
    }

    fn array_load(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let letter = element_letter(at.opcode - op::IALOAD);
        let target = element_target(letter);
        let site = self.site(
            EventKind::ArrayLoad,
            at.offset,
            target,
            CallOp::None,
            format!("LI{letter}"),
            false,
        );
        let (array, index) = (self.spill, self.spill + 1);
        let mut asm = Asm::new();
        asm.op(op::DUP2).store('I', index).store('L', array);
        self.editor.before(at.offset, &asm)?;
        let mut asm = Asm::new();
        self.begin(&mut asm);
        asm.load('L', array);
        self.value(&mut asm, 'L');
        asm.load('I', index);
        self.value(&mut asm, 'I');
        self.copy(&mut asm, letter);
        self.end(&mut asm, "end", site, EventKind::ArrayLoad);
        self.editor.after(at.offset, &asm)?;
        Ok(())
    }

    fn array_store(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let letter = element_letter(at.opcode - op::IASTORE);
        let target = element_target(letter);
        let site = self.site(
            EventKind::ArrayStore,
            at.offset,
            target,
            CallOp::None,
            format!("LI{letter}"),
            false,
        );
        let (array, index, held) = (self.spill, self.spill + 1, self.spill + 2);
        let mut asm = Asm::new();
        asm.store(letter, held)
            .op(op::DUP2)
            .store('I', index)
            .store('L', array);
        self.begin(&mut asm);
        asm.load('L', array);
        self.value(&mut asm, 'L');
        asm.load('I', index);
        self.value(&mut asm, 'I');
        asm.load(letter, held);
        self.value(&mut asm, letter);
        self.end(&mut asm, "end", site, EventKind::ArrayStore);
        asm.load(letter, held);
        self.editor.before(at.offset, &asm)?;
        Ok(())
    }
}

/// Order of the array instructions in the opcode table (JVMS §6.5): int, long, float, double, reference, byte/boolean, char, short.
fn element_letter(n: u8) -> char {
    ['I', 'J', 'F', 'D', 'L', 'B', 'C', 'S'][usize::from(n & 7)]
}

fn element_target(letter: char) -> MemberRef {
    let desc = if letter == 'L' {
        "Ljava/lang/Object;".into()
    } else {
        letter.to_string()
    };
    MemberRef {
        owner: format!("[{desc}"),
        name: String::new(),
        desc,
    }
}

/// Fresh locals that the widest site of the method needs.
fn spill_slots(code: &Code, pool: &ConstantPool) -> Result<u16, InstrumentError> {
    let mut most = 0;
    for instruction in insn::iter(&code.bytes) {
        let instruction = instruction?;
        let slots = match instruction.opcode {
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => {
                let member = pool.member_ref(instruction.pool_index().unwrap_or(0))?;
                MethodType::parse(&member.desc)?.param_slots() + 1
            }
            op::INVOKEDYNAMIC => {
                let dynamic = pool.invoke_dynamic(instruction.pool_index().unwrap_or(0))?;
                MethodType::parse(&dynamic.desc)?.param_slots() + 1
            }
            op::GETFIELD | op::PUTFIELD => 3,
            op::IALOAD..=op::SALOAD => 2,
            op::IASTORE..=op::SASTORE => 4,
            _ => 0,
        };
        most = most.max(slots);
    }
    Ok(most)
}

/// Class of the bootstrap method with this index (JVMS §4.7.23).
fn bootstrap_class(class: &jinsi_classfile::ClassFile, index: u16) -> Option<String> {
    let data = &class.attribute("BootstrapMethods")?.data;
    let word = |at: usize| Some(u16::from_be_bytes([*data.get(at)?, *data.get(at + 1)?]));
    let mut at = 2;
    for _ in 0..index {
        at += 4 + 2 * usize::from(word(at + 2)?);
    }
    let (_, member) = class.pool.method_handle(word(at)?).ok()?;
    Some(class.pool.member_ref(member).ok()?.owner.into_owned())
}
