//! What all probes of a method are made with: the code that is edited, its sites, fresh locals, and calls of probes. Which probes go where, the drivers
//! say: `method`, and `boundary` for recordings at the boundary.

use std::collections::BTreeSet;

use jinsi_classfile::class::Member;
use jinsi_classfile::code::{Code, line_at};
use jinsi_classfile::descriptor::MethodType;
use jinsi_classfile::edit::Editor;
use jinsi_classfile::flow::Flow;
use jinsi_classfile::frames::{self, VType};
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;
use jinsi_classfile::pool::ConstantPool;
use jinsi_classfile::{ACC_STATIC, Asm};
use jinsi_trace::model::{self, CallOp, EventKind, MemberRef, Site, SiteNo, Text};

use crate::context::{Context, ProbeSet};
use crate::outcome::InstrumentError;
use crate::refs::ProbeRefs;
use crate::ways::Ways;

/// Newest class files that the verifier may check which infers types: it does so for those of version 50 if their stack maps do not fit.
pub(crate) const LAST_INFERRED: u16 = 50;

/// Fresh locals that a handler lets go of at most. Few have more than three, save in class files without stack maps, where each site has
/// locals of its own ([`Probes::reference_slot`]).
pub(crate) const MOST_HELD: usize = 16;

/// Locals of a method that are there throughout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gates {
    /// Of its end: `-1` if its beginning was an event. A class initializer keeps here what ran before it.
    pub(crate) own: u16,
    /// Of inherited code: `-1` if it runs on an observed object.
    pub(crate) mine: Option<u16>,
}

/// The original code of a method.
#[derive(Clone, Copy)]
pub(crate) struct Decoded<'a> {
    pub(crate) code: &'a Code,
    /// The instructions as they are encoded.
    pub(crate) encoded: &'a [Insn<'a>],
    /// The same, but in the place of calls of bridges what these stand for.
    pub(crate) insns: &'a [Insn<'a>],
    pub(crate) flow: &'a Flow,
}

pub(crate) struct Probes<'a, 'c> {
    pub(crate) context: &'a Context<'c>,
    pub(crate) code: &'a Code,
    pub(crate) insns: &'a [Insn<'a>],
    pub(crate) pool: &'a mut ConstantPool,
    pub(crate) refs: &'a mut ProbeRefs,
    pub(crate) member: &'a Member,
    pub(crate) flow: &'a Flow,
    pub(crate) next_site: &'a mut dyn FnMut() -> SiteNo,
    pub(crate) editor: Editor<'a>,
    pub(crate) lines: Vec<(u16, u16)>,
    /// [`Self::initial_locals`], once somebody has asked.
    pub(crate) initial: Option<Vec<VType>>,
    pub(crate) name: Text,
    pub(crate) desc: Text,
    pub(crate) access: u16,
    pub(crate) sites: Vec<Site>,
    /// First of the fresh locals that values are kept in around an instruction.
    pub(crate) spill: u16,
    /// So many they are.
    pub(crate) slots: u16,
    /// Fresh locals that hold an object while an instruction runs that may throw.
    pub(crate) held: BTreeSet<u16>,
    /// Of a recording at the boundary.
    pub(crate) gates: Option<Gates>,
    /// Of a recording at the boundary: the fresh local with the gate of a call, while that runs. Calls within its arguments are over by then.
    pub(crate) call_gate: u16,
    /// Of a recording at the boundary: the `new`s of builders of strings that only this method gets, once somebody has asked.
    pub(crate) builders: Option<BTreeSet<u32>>,
    /// Instructions whose values have events of their own.
    pub(crate) given: BTreeSet<u32>,
    /// Of a recording of the ways through methods.
    pub(crate) ways: Option<Ways>,
}

impl<'a, 'c> Probes<'a, 'c> {
    pub(crate) fn new(
        context: &'a Context<'c>,
        member: &'a Member,
        decoded: Decoded<'a>,
        pool: &'a mut ConstantPool,
        refs: &'a mut ProbeRefs,
        next_site: &'a mut dyn FnMut() -> SiteNo,
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
            editor: Editor::over(code, encoded, context.class.major).with_flow(flow),
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
            call_gate: 0,
            builders: None,
            given: BTreeSet::new(),
            ways: None,
            pool,
        })
    }

    pub(crate) fn finish(self) -> Result<(Code, Vec<Site>), InstrumentError> {
        Ok((self.editor.finish(self.pool)?.code, self.sites))
    }

    pub(crate) fn site(
        &mut self,
        kind: EventKind,
        bci: u32,
        target: MemberRef,
        call: CallOp,
        operands: Text,
        light: bool,
    ) -> SiteNo {
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
    pub(crate) fn parts_of_last_site(&mut self, parts: Vec<model::RunPart>) {
        if let Some(site) = self.sites.last_mut() {
            site.parts = parts;
        }
    }

    /// Types of the locals with which the method begins.
    pub(crate) fn initial_locals(&mut self) -> Result<Vec<VType>, InstrumentError> {
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

    pub(crate) fn own(&self) -> MemberRef {
        MemberRef {
            owner: self.context.name.clone(),
            name: self.name.clone(),
            desc: self.desc.clone(),
        }
    }

    pub(crate) fn is_inherited(&self) -> bool {
        self.context.probe_set == ProbeSet::Inherited
    }

    /// Calls a probe; one of inherited code takes the receiver as its last argument.
    pub(crate) fn probe(&mut self, asm: &mut Asm, name: &'static str, desc: &'static str) {
        self.refs.call(asm, self.pool, name, desc);
    }

    /// A local for a reference: `shared`, or in a class file without stack maps one of its own. There the verifier compares what a
    /// variable holds where paths meet, and would load classes for it that the program may do without.
    pub(crate) fn reference_slot(&mut self, shared: u16) -> Result<u16, InstrumentError> {
        if self.context.class.major > LAST_INFERRED {
            return Ok(shared);
        }
        Ok(self.editor.new_local(1)?)
    }

    pub(crate) fn content(&mut self, asm: &mut Asm, method: &'static str) {
        self.probe(asm, method, "(Ljava/lang/Object;)V");
    }

    pub(crate) fn exit_site(&mut self) -> SiteNo {
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

    pub(crate) fn gates(&self) -> Gates {
        self.gates.unwrap_or(Gates { own: 0, mine: None })
    }
}

/// A fresh local lets go of its object. The interpreter takes all that lies in a local for used, and a program may wait for an object to
/// be collected; compiled code knows that nobody reads the null and does not store it.
pub(crate) fn release(asm: &mut Asm, letter: char, local: u16) {
    if letter == 'L' {
        asm.op(op::ACONST_NULL).store('L', local);
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
