//! The probes of one method.

use std::borrow::Cow;
use std::collections::BTreeSet;

use jinsi_classfile::cfg::Cfg;
use jinsi_classfile::class::Member;
use jinsi_classfile::code::{Code, line_at};
use jinsi_classfile::descriptor::{MethodType, Type};
use jinsi_classfile::edit::Editor;
use jinsi_classfile::flow::{self, Flow, FlowError, Value};
use jinsi_classfile::frames::{self, VType};
use jinsi_classfile::insn::{self, Insn};
use jinsi_classfile::opcode as op;
use jinsi_classfile::pool::ConstantPool;
use jinsi_classfile::{ACC_STATIC, Asm};
use jinsi_trace::model::{self, CallOp, EventKind, MemberRef, Site, Text};

use super::boundary::Gates;
use super::calls::release;
use super::events::{Operand, Then};
use super::inherited::keeps_receiver;
use super::paths::Ways;
use super::refs::ProbeRefs;
use super::sites::{letters, may_hold_content};
use super::{Context, HUGE_METHOD, InstrumentError, Part};
use jinsi_trace::model::Detail;

/// Newest class files that the verifier may check which infers types: it does so for those of version 50 if their stack maps do not fit.
pub(super) const LAST_INFERRED: u16 = 50;

/// Fresh locals that a handler lets go of at most. Few have more than three, save in class files without stack maps, where each site has
/// locals of its own ([`Probes::reference_slot`]).
pub(super) const MOST_HELD: usize = 16;

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
    next_site: &mut dyn FnMut() -> u32,
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
    next_site: &mut dyn FnMut() -> u32,
) -> Result<Done, InstrumentError> {
    let encoded = insn::decode(&code.bytes)?;
    let flow = flow::analyze_insns(context.class, member, code, &encoded)?;
    if context.part == Part::Inherited
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
        context.part == Part::Observed && context.selection.detail() == Detail::Instructions;
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
    ProbeRefs::new(Part::Observed).call(&mut asm, pool, "uncaught", "(Ljava/lang/Throwable;)V");
    editor.entry(&asm)?;
    Ok(editor.finish(pool)?.code)
}

/// The original code of a method.
#[derive(Clone, Copy)]
pub(super) struct Decoded<'a> {
    pub(super) code: &'a Code,
    /// The instructions as they are encoded.
    pub(super) encoded: &'a [Insn<'a>],
    /// The same, but in the place of calls of bridges what these stand for.
    pub(super) insns: &'a [Insn<'a>],
    pub(super) flow: &'a Flow,
}

pub(super) struct Probes<'a, 'c> {
    pub(super) context: &'a Context<'c>,
    pub(super) code: &'a Code,
    pub(super) insns: &'a [Insn<'a>],
    pub(super) pool: &'a mut ConstantPool,
    pub(super) refs: &'a mut ProbeRefs,
    pub(super) member: &'a Member,
    pub(super) flow: &'a Flow,
    next_site: &'a mut dyn FnMut() -> u32,
    pub(super) editor: Editor<'a>,
    lines: Vec<(u16, u16)>,
    /// [`Self::initial_locals`], once somebody has asked.
    initial: Option<Vec<VType>>,
    pub(super) name: Text,
    pub(super) desc: Text,
    pub(super) access: u16,
    sites: Vec<Site>,
    /// First of the fresh locals that values are kept in around an instruction.
    pub(super) spill: u16,
    /// So many they are.
    slots: u16,
    /// Fresh locals that hold an object while an instruction runs that may throw.
    pub(super) held: BTreeSet<u16>,
    /// Of a recording at the boundary.
    pub(super) gates: Option<Gates>,
    /// Of a recording at the boundary: the `new`s of builders of strings that only this method gets, once somebody has asked.
    pub(super) builders: Option<BTreeSet<u32>>,
    /// Of a recording of the ways through methods.
    pub(super) ways: Option<Ways>,
}

impl<'a, 'c> Probes<'a, 'c> {
    pub(super) fn new(
        context: &'a Context<'c>,
        member: &'a Member,
        decoded: Decoded<'a>,
        pool: &'a mut ConstantPool,
        refs: &'a mut ProbeRefs,
        next_site: &'a mut dyn FnMut() -> u32,
    ) -> Result<Self, InstrumentError> {
        let Decoded {
            code,
            encoded,
            insns,
            flow,
        } = decoded;
        Ok(Self {
            context,
            code,
            insns,
            flow,
            refs,
            member,
            next_site,
            editor: Editor::over(code, encoded, context.class.major),
            slots: spill_slots(encoded, context)?,
            lines: code.lines(&context.class.pool),
            initial: None,
            name: member.name(&context.class.pool)?.into(),
            desc: member.desc(&context.class.pool)?.into(),
            access: member.access,
            sites: Vec::new(),
            spill: code.max_locals,
            held: BTreeSet::new(),
            gates: None,
            builders: None,
            ways: None,
            pool,
        })
    }

    pub(super) fn finish(self) -> Result<(Code, Vec<Site>), InstrumentError> {
        Ok((self.editor.finish(self.pool)?.code, self.sites))
    }

    fn insert(&mut self, density: Density, cfg: Option<&Cfg>) -> Result<(), InstrumentError> {
        if self.context.at_boundary() {
            // Below the other fresh locals: frames name them, and all that is under them.
            self.keep_gates()?;
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
                op::INVOKESPECIAL if self.calls_own_constructor(instruction) => {
                    self.call(instruction)?;
                }
                _ if density == Density::Edges => {}
                op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => self.call(instruction)?,
                op::INVOKEDYNAMIC => self.dynamic(instruction)?,
                op::MONITORENTER => self.monitor_enter(instruction)?,
                op::MONITOREXIT => self.monitor_exit(instruction)?,
                op::GETSTATIC | op::PUTSTATIC => self.static_field(instruction)?,
                op::GETFIELD | op::PUTFIELD => self.field(instruction)?,
                op::IALOAD..=op::SALOAD if density >= Density::All => {
                    self.array_load(instruction)?
                }
                op::IASTORE..=op::SASTORE if density >= Density::All => {
                    self.array_store(instruction)?
                }
                _ => {}
            }
        }
        self.end_paths()?;
        self.handlers()?;
        self.exit_throw(initialized_from)
    }

    // Sites and snippets.

    pub(super) fn site(
        &mut self,
        kind: EventKind,
        bci: u32,
        target: MemberRef,
        call: CallOp,
        operands: Text,
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
            outside: self.context.is_outside(),
            stepwise: kind == EventKind::Enter && self.ways.is_some(),
            parts: Vec::new(),
        });
        no
    }

    /// The events for which those of the site made last stand.
    pub(super) fn parts_of_last_site(&mut self, parts: Vec<model::Part>) {
        if let Some(site) = self.sites.last_mut() {
            site.parts = parts;
        }
    }

    /// Types of the locals with which the method begins.
    pub(super) fn initial_locals(&mut self) -> Result<Vec<VType>, InstrumentError> {
        if let Some(known) = &self.initial {
            return Ok(known.clone());
        }
        let receiver = match self.name.as_str() {
            _ if self.access & ACC_STATIC != 0 => None,
            "<init>" => Some(VType::UninitializedThis),
            _ => Some(VType::Object(self.context.class.this_class)),
        };
        let method = MethodType::parse(&self.desc)?;
        let locals = frames::initial_locals(receiver, &method, self.pool)?;
        self.initial = Some(locals.clone());
        Ok(locals)
    }

    pub(super) fn own(&self) -> MemberRef {
        MemberRef {
            owner: self.context.name.clone(),
            name: self.name.clone(),
            desc: self.desc.clone(),
        }
    }

    pub(super) fn is_inherited(&self) -> bool {
        self.context.part == Part::Inherited
    }

    /// Calls a probe; one of inherited code takes the receiver as its last argument.
    pub(super) fn probe(&mut self, asm: &mut Asm, name: &'static str, desc: &'static str) {
        self.refs.call(asm, self.pool, name, desc);
    }

    /// A local for a reference: `shared`, or in a class file without stack maps one of its own. There the verifier compares what a
    /// variable holds where paths meet, and would load classes for it that the program may do without.
    pub(super) fn reference_slot(&mut self, shared: u16) -> Result<u16, InstrumentError> {
        if self.context.class.major > LAST_INFERRED {
            return Ok(shared);
        }
        Ok(self.editor.new_local(1)?)
    }

    pub(super) fn content(&mut self, asm: &mut Asm, method: &'static str) {
        self.probe(asm, method, "(Ljava/lang/Object;)V");
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
        if self.begins_acquired() {
            self.acquired(&mut asm);
        }
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

    pub(super) fn exit_site(&mut self) -> u32 {
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
        self.site(
            EventKind::Exit,
            0,
            target,
            CallOp::None,
            operands.into(),
            false,
        )
    }

    fn exit(&mut self, at: &Insn<'_>, site: u32) -> Result<(), InstrumentError> {
        let mut asm = Asm::new();
        if self.name == "<clinit>" {
            asm.int(self.pool, site as i32)
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

    fn thrown(&mut self, asm: &mut Asm, probe: &'static str, site: u32, kind: EventKind) {
        asm.int(self.pool, site as i32)
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

/// Fresh locals that the widest site of the method needs.
fn spill_slots(insns: &[Insn<'_>], context: &Context<'_>) -> Result<u16, InstrumentError> {
    let mut most = 0;
    for instruction in insns {
        let slots = match instruction.opcode {
            op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => context.param_slots(instruction)? + 1,
            op::GETFIELD => 1,
            // At the boundary an object and a wide value are kept at once.
            op::PUTFIELD => 3,
            op::IALOAD..=op::SALOAD | op::IASTORE..=op::SASTORE => 2,
            _ => 0,
        };
        most = most.max(slots);
    }
    Ok(most)
}
