//! The probes of one method.

use std::borrow::Cow;

use jinsi_classfile::cfg::Cfg;
use jinsi_classfile::class::Member;
use jinsi_classfile::code::Code;
use jinsi_classfile::descriptor::{MethodType, Type};
use jinsi_classfile::edit::Editor;
use jinsi_classfile::flow::{self, FlowError, Value};
use jinsi_classfile::frames::VType;
use jinsi_classfile::insn::{self, Insn};
use jinsi_classfile::opcode as op;
use jinsi_classfile::pool::ConstantPool;
use jinsi_classfile::{ACC_STATIC, Asm};
use jinsi_trace::model::{CallOp, EventKind, Site, SiteNo};

use super::context::{Context, HUGE_METHOD, ProbeSet};
use super::emitter::{Decoded, LAST_INFERRED, MOST_HELD, Probes, release};
use super::events::{Operand, Then};
use super::inherited::keeps_receiver;
use super::outcome::InstrumentError;
use super::refs::ProbeRefs;
use super::sites::{is_builder, letters, may_hold_content};
use super::ways::Ways;

/// A method with its probes.
pub(super) struct Probed {
    pub(super) code: Code,
    pub(super) sites: Vec<Site>,
    /// What is not recorded, and why.
    pub(super) thinned: Option<&'static str>,
}

/// How much of a method is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Density {
    /// Its beginning and its ways out.
    Edges,
    /// Calls and fields too.
    NoArrays,
    /// Everything but which way it went.
    All,
    /// That, too.
    Stepwise,
}

impl Density {
    /// From the densest on, with what is not recorded.
    fn attempts(stepwise: bool) -> [(Density, Option<&'static str>); 4] {
        let all = stepwise.then_some("control flow");
        [
            (Density::Stepwise, None),
            (Density::All, all),
            (Density::NoArrays, Some("array accesses")),
            (Density::Edges, Some("calls, field and array accesses")),
        ]
    }
}

/// What becomes of a method.
pub(super) enum Done {
    Probed(Probed),
    /// It gets no probe, and why.
    LeftOut(&'static str),
}

/// Inserts all probes; fewer if the method would not fit into a class file with them, or would grow out of the compiler's reach.
///
/// # Errors
/// The class is malformed. Of a method that merely cannot be rewritten [`Done::LeftOut`] tells.
pub(super) fn probe(
    context: &Context<'_>,
    member: &Member,
    code: &Code,
    pool: &mut ConstantPool,
    refs: &mut ProbeRefs,
    next_site: &mut dyn FnMut() -> SiteNo,
) -> Result<Done, InstrumentError> {
    match try_probe(context, member, code, pool, refs, next_site) {
        Err(InstrumentError::Flow(
            FlowError::Stack(_)
            | FlowError::Merge(_)
            | FlowError::Local(_)
            | FlowError::Offset(_)
            | FlowError::TooLarge,
        )) => Ok(Done::LeftOut("its control flow is not understood")),
        Err(e) if is_want_of_room(&e) => Ok(Done::LeftOut("there is no room for any probe")),
        done => done,
    }
}

fn try_probe(
    context: &Context<'_>,
    member: &Member,
    code: &Code,
    pool: &mut ConstantPool,
    refs: &mut ProbeRefs,
    next_site: &mut dyn FnMut() -> SiteNo,
) -> Result<Done, InstrumentError> {
    let encoded = insn::decode(&code.bytes)?;
    let flow = flow::analyze_insns(context.class, member, code, &encoded)?;
    if context.probe_set == ProbeSet::Inherited
        && !keeps_receiver(context.class, member, code, &encoded, &flow)?
    {
        return Ok(Done::LeftOut("its code does not keep the receiver"));
    }
    let original = |insn| context.bridges.original(insn);
    let insns: Cow<'_, [Insn<'_>]> = match context.bridges.is_empty() {
        true => Cow::Borrowed(&encoded),
        false => encoded.iter().map(original).collect(),
    };
    let stepwise =
        context.probe_set == ProbeSet::Observed && context.selection.detail().has_instructions();
    // Code that nothing leads to may be any; then only the way is not recorded.
    let cfg = stepwise.then(|| Cfg::new(&encoded, &code.handlers).ok());
    let cfg = cfg.flatten();
    for (density, thinned) in Density::attempts(stepwise) {
        if density == Density::Stepwise && cfg.is_none() {
            continue;
        }
        let decoded = Decoded {
            code,
            encoded: &encoded,
            insns: &insns,
            flow: &flow,
        };
        let mut probes = Probes::new(context, member, decoded, pool, refs, next_site)?;
        if density == Density::Stepwise && !probes.can_count_paths()? {
            continue;
        }
        let inserted = probes.insert(density, cfg.as_ref());
        match inserted.and_then(|()| probes.finish()) {
            Ok((rewritten, _)) if density >= Density::All && grows_huge(code, &rewritten) => {}
            Ok((code, sites)) => {
                return Ok(Done::Probed(Probed {
                    code,
                    sites,
                    thinned,
                }));
            }
            Err(e) if is_want_of_room(&e) && density > Density::Edges => {}
            Err(e) => return Err(e),
        }
    }
    Ok(Done::LeftOut("there is no room for any probe"))
}

/// Would probes move the code out of the compiler's reach?
fn grows_huge(code: &Code, rewritten: &Code) -> bool {
    rewritten.bytes.len() >= HUGE_METHOD && code.bytes.len() < HUGE_METHOD
}

fn is_want_of_room(error: &InstrumentError) -> bool {
    matches!(error, InstrumentError::Edit(_) | InstrumentError::Asm(_))
}

/// `JinsiProbe.uncaught(<first parameter>)` at the start of an instance method.
pub(super) fn call_at_entry(
    code: &Code,
    major: u16,
    pool: &mut ConstantPool,
) -> Result<Code, InstrumentError> {
    let mut editor = Editor::new(code, major)?;
    let mut asm = Asm::new();
    asm.load('L', 1);
    ProbeRefs::new(ProbeSet::Observed).call(&mut asm, pool, "uncaught", "(Ljava/lang/Throwable;)V");
    editor.entry(&asm)?;
    Ok(editor.finish(pool)?.code)
}

impl Probes<'_, '_> {
    fn insert(&mut self, density: Density, cfg: Option<&Cfg>) -> Result<(), InstrumentError> {
        if self.context.at_boundary() {
            // Below the other fresh locals: frames name them, and all that is under them.
            self.keep_gates()?;
            self.call_gate = self.editor.new_local(1)?;
        }
        if self.slots > 0 {
            self.spill = self.editor.new_local(self.slots)?;
        }
        if !self.code.handlers.is_empty() {
            let initial = self.initial_locals()?;
            self.editor.shield(&initial);
        }
        self.tell_secrets()?;
        if self.context.at_boundary() {
            return self.insert_at_boundary(density > Density::Edges);
        }
        if let (Density::Stepwise, Some(cfg)) = (density, cfg) {
            self.count_paths(cfg.clone())?;
        }
        if !(self.is_inherited() && self.name == "<init>") {
            self.entry()?;
        }
        let exit = self.exit_site();
        let constructor = self.name == "<init>";
        let mut initialized_from = 0;
        for (at, instruction) in self.insns.iter().enumerate() {
            let Some(state) = self.flow.at(instruction.offset) else {
                continue; // unreachable
            };
            if constructor && state.holds(Value::UninitThis) {
                initialized_from = instruction.end();
            }
            if self.is_inherited() && state.local(0) == Value::UninitThis {
                // Nobody can ask yet whose class it is.
                if instruction.opcode == op::INVOKESPECIAL
                    && self.calls_own_constructor(instruction)
                {
                    self.begins_after(instruction)?;
                }
                continue;
            }
            if self.ways.as_ref().is_some_and(|ways| ways.tell_of(at)) {
                continue;
            }
            match instruction.opcode {
                op::IRETURN..=op::RETURN => self.exit(instruction, exit)?,
                _ => self.instruction(instruction, density)?,
            }
            if self.is_given(instruction) {
                self.give(instruction)?;
            }
        }
        self.end_paths()?;
        self.handlers()?;
        self.exit_throw(initialized_from)
    }

    /// The probes of an instruction that is not the method's last.
    fn instruction(&mut self, at: &Insn<'_>, density: Density) -> Result<(), InstrumentError> {
        match at.opcode {
            op::INVOKESPECIAL if self.calls_own_constructor(at) => self.call(at),
            _ if density == Density::Edges => Ok(()),
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => self.call(at),
            op::INVOKEDYNAMIC => self.dynamic(at),
            op::MONITORENTER => self.monitor_enter(at),
            op::MONITOREXIT => self.monitor_exit(at),
            op::GETSTATIC | op::PUTSTATIC => self.static_field(at),
            op::GETFIELD | op::PUTFIELD => self.field(at),
            op::IALOAD..=op::SALOAD if density >= Density::All => self.array_load(at),
            op::IASTORE..=op::SASTORE if density >= Density::All => self.array_store(at),
            _ => Ok(()),
        }
    }

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
        let site = self.site(
            EventKind::Enter,
            0,
            target,
            CallOp::None,
            operands.into(),
            false,
        );
        let mut asm = Asm::new();
        if self.context.selection.has_epochs() && self.name != "<clinit>" {
            self.probe(&mut asm, "begins", "()V");
        }
        self.begins_ordered(&mut asm);
        let locals: Vec<(u16, Type<'_>)> = method
            .params
            .iter()
            .scan(u16::from(receiver), |next, &param| {
                let at = *next;
                *next += param.slots();
                Some((at, param))
            })
            .collect();
        for &(local, _) in locals
            .iter()
            .filter(|(_, p)| may_hold_content(*p) || is_builder(*p))
        {
            asm.load('L', local);
            self.content(&mut asm, "argument");
        }
        let receiver = recorded_receiver.then_some(Operand::Local('L', 0));
        let params = locals.iter().map(|(at, p)| Operand::Local(p.letter(), *at));
        let operands: Vec<Operand> = receiver.into_iter().chain(params).collect();
        let then = match self.name.as_str() {
            "<clinit>" => Then::Initializer,
            _ => Then::Inside,
        };
        self.event(&mut asm, &operands, then, site, EventKind::Enter);
        self.editor.entry(&asm)?;
        Ok(())
    }

    fn exit(&mut self, at: &Insn<'_>, site: SiteNo) -> Result<(), InstrumentError> {
        let mut asm = Asm::new();
        if self.name == "<clinit>" {
            asm.int(self.pool, site.get() as i32)
                .int(self.pool, i32::from(EventKind::Exit as u8));
            self.probe(&mut asm, "eventBackFromInitializer", "(II)V");
        } else {
            let result = match at.opcode {
                op::RETURN => None,
                opcode => Some(['I', 'J', 'F', 'D', 'L'][usize::from(opcode - op::IRETURN)]),
            };
            let result: Vec<Operand> = result.map(Operand::Top).into_iter().collect();
            self.event(&mut asm, &result, Then::Outside, site, EventKind::Exit);
        }
        if self.ends_releasing() {
            self.releasing(&mut asm);
        }
        self.editor.before(at.offset, &asm)?;
        Ok(())
    }

    /// Is the handler at `start` none of the program's, but replay's?
    fn is_replays(&self, start: u16) -> bool {
        let first = self.insns.iter().find(|at| at.offset == u32::from(start));
        first.is_some_and(|at| self.calls_replay(at))
    }

    /// Every handler, once: the throwable ends the calls that were open in this frame. What they held is let go.
    fn handlers(&mut self) -> Result<(), InstrumentError> {
        let mut starts: Vec<u16> = self.code.handlers.iter().map(|h| h.handler).collect();
        starts.sort_unstable();
        starts.dedup();
        for start in starts {
            let Some(state) = self.flow.at(u32::from(start)) else {
                continue;
            };
            if self.is_inherited() && state.local(0) != Value::This || self.is_replays(start) {
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
            self.thrown(&mut asm, "thrown", site, EventKind::Catch);
            for &local in self.held.iter().take(MOST_HELD) {
                release(&mut asm, 'L', local);
            }
            self.editor.before(u32::from(start), &asm)?;
        }
        Ok(())
    }

    fn thrown(&mut self, asm: &mut Asm, probe: &'static str, site: SiteNo, kind: EventKind) {
        asm.int(self.pool, site.get() as i32)
            .int(self.pool, i32::from(kind as u8));
        self.probe(asm, probe, "(Ljava/lang/Object;II)V");
    }

    /// From where the receiver is initialized: before, an exception cannot be handled (JVMS §4.10.1.4).
    fn exit_throw(&mut self, from: u32) -> Result<(), InstrumentError> {
        if from as usize >= self.code.bytes.len() || self.never_throws() {
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
        self.path_until_thrown(&mut asm);
        asm.op(op::DUP);
        let thrown = match self.name.as_str() {
            "<clinit>" => "thrownFromInitializer",
            _ => "thrown",
        };
        self.thrown(&mut asm, thrown, site, EventKind::ExitThrow);
        if self.ends_releasing() {
            self.releasing(&mut asm);
        }
        asm.op(op::ATHROW);
        let names_this = self.ways.as_ref().is_some_and(Ways::names_this);
        let locals = if self.is_inherited() || names_this {
            vec![VType::Object(self.context.class.this_class)]
        } else {
            Vec::new()
        };
        let (class, member) = (self.context.class, self.member);
        if class.major > LAST_INFERRED {
            self.editor.catch_all_with(from, &asm, locals)?;
            return Ok(());
        }
        // See `reference_slot`: one handler for all would make the variables of the whole method meet.
        for (start, end) in flow::uniform_ranges(class, member, self.code, self.insns, self.flow)? {
            if end > from {
                let covered = start.max(from)..end;
                self.editor.catch_all_in(covered, &asm, locals.clone())?;
            }
        }
        Ok(())
    }
}
