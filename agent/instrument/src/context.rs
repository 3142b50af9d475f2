//! What probes need to know of the class they are in.

use jinsi_classfile::bridges::Bridges;
use jinsi_classfile::class::{ClassFile, Member};
use jinsi_classfile::descriptor::MethodType;
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;
use jinsi_classfile::{ACC_FINAL, ACC_NATIVE, ACC_PRIVATE, ACC_VOLATILE};
use jinsi_trace::model::{CallOp, ClassNo, Detail, MemberRef, Text};

use crate::names::Names;
use crate::outcome::InstrumentError;
use crate::per_constant::PerConstant;
use crate::selection::Selection;

/// Beyond this many bytes HotSpot leaves a method to the interpreter (`-XX:+DontCompileHugeMethods`).
pub(crate) const HUGE_METHOD: usize = 8_000;

/// What each class implements that Groovy compiles.
const GROOVY: &str = "groovy/lang/GroovyObject";

/// Which probes a class gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeSet {
    /// It is observed.
    Observed,
    /// Observed classes inherit its code: probes sit in its constructors and instance methods only, and make events only where
    /// the code runs on an instance of an observed class (Burger 2011, Section 7.3).
    Inherited,
    /// Neither: only its accesses to fields of observed classes are recorded, as [`instrument_outside`](crate::instrument_outside) does.
    Outside,
}

/// When the events around a call are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Never,
    Always,
    /// Unless its receiver is observed, or natural.
    ByReceiver,
    /// ... and cannot tell an identity hash code.
    ByValue,
}

/// How calls of members are recorded, by the constant that names the member.
pub(crate) type Decided = PerConstant<(CallOp, When)>;

/// The fields that a class declares: name and descriptor.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    pub(crate) plain: Names,
    pub(crate) volatile: Names,
}

impl Fields {
    pub(crate) fn of(class: &ClassFile) -> Result<Self, InstrumentError> {
        let (plain, volatile): (Vec<&Member>, Vec<&Member>) =
            (class.fields.iter()).partition(|field| field.access & ACC_VOLATILE == 0);
        Ok(Self {
            plain: Names::of(class, plain)?,
            volatile: Names::of(class, volatile)?,
        })
    }
}

/// What probes need to know of the class they are in.
pub(crate) struct Context<'a> {
    pub(crate) class_no: ClassNo,
    pub(crate) probe_set: ProbeSet,
    pub(crate) class: &'a ClassFile,
    pub(crate) name: Text,
    pub(crate) selection: &'a Selection,
    /// Methods whose calls from within the class surely reach code of the class: name and descriptor.
    pub(crate) bound: Names,
    /// Methods with code, private and static ones included.
    pub(crate) declared: Names,
    pub(crate) fields: Fields,
    /// Has the class an initializer?
    pub(crate) initializer: bool,
    /// Static fields: name and descriptor.
    pub(crate) statics: Names,
    /// Methods without code because it is native.
    pub(crate) natives: Names,
    /// Methods of any class that method handles among the constants lead to: name and descriptor.
    pub(crate) handled: Names,
    /// May reflection call its private methods, too? So Groovy calls all that it compiles.
    pub(crate) reflective: bool,
    /// Of a class that replay has rewritten: what its bridges stand for.
    pub(crate) bridges: Bridges,
    /// The members that instructions name, as far as they were asked for: most are named often, and all sites share their texts.
    pub(crate) members: PerConstant<MemberRef>,
    /// Slots of the parameters of the methods that they call, likewise.
    pub(crate) slots: PerConstant<u16>,
    /// Which calls make events at the boundary, as far as that was asked.
    pub(crate) decided: Decided,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        class_no: ClassNo,
        probe_set: ProbeSet,
        class: &'a ClassFile,
        selection: &'a Selection,
    ) -> Result<Self, InstrumentError> {
        let (declared, without): (Vec<&Member>, Vec<&Member>) = (class.methods.iter())
            .partition(|member| member.attribute(&class.pool, "Code").is_some());
        let natives = without.into_iter().filter(|m| m.access & ACC_NATIVE != 0);
        let bound = declared.iter().copied().filter(|member| {
            (member.access | class.access) & ACC_FINAL != 0
                || member.access & ACC_PRIVATE != 0
                || member.is_static()
        });
        Ok(Self {
            fields: Fields::of(class)?,
            initializer: class.find_method("<clinit>", "()V").is_some(),
            class_no,
            probe_set,
            class,
            name: class.name()?.into(),
            selection,
            bound: Names::of(class, bound)?,
            natives: Names::of(class, natives)?,
            declared: Names::of(class, declared)?,
            statics: Names::of(class, class.fields.iter().filter(|f| f.is_static()))?,
            handled: handled(class),
            reflective: class.interface_names()?.iter().any(|name| name == GROOVY),
            bridges: Bridges::of(class)?,
            members: PerConstant::of(class),
            slots: PerConstant::of(class),
            decided: PerConstant::of(class),
        })
    }

    /// The member that the constant at `index` names.
    pub(crate) fn member(&self, index: u16) -> Result<MemberRef, InstrumentError> {
        if let Some(known) = self.members.get(index) {
            return Ok(known);
        }
        let member = self.class.pool.member_ref(index)?;
        let member = MemberRef {
            owner: member.owner.into(),
            name: member.name.into(),
            desc: member.desc.into(),
        };
        self.members.set(index, member.clone());
        Ok(member)
    }

    /// Slots of the parameters of what the instruction calls.
    pub(crate) fn param_slots(&self, call: &Insn<'_>) -> Result<u16, InstrumentError> {
        let index = call.pool_index().unwrap_or(0);
        if let Some(known) = self.slots.get(index) {
            return Ok(known);
        }
        let pool = &self.class.pool;
        let desc = match call.opcode {
            op::INVOKEDYNAMIC => pool.invoke_dynamic(index)?.desc,
            _ => pool.member_desc(index)?,
        };
        let slots = MethodType::parse(&desc)?.param_slots();
        self.slots.set(index, slots);
        Ok(slots)
    }

    /// The method with this index records nothing. Was it thought to?
    pub(crate) fn forget(&mut self, index: usize) -> Result<bool, InstrumentError> {
        let member = &self.class.methods[index];
        let name = member.name(&self.class.pool)?;
        let desc = member.desc(&self.class.pool)?;
        self.bound.remove(&name, &desc);
        self.decided = PerConstant::of(self.class);
        Ok(self.declared.remove(&name, &desc))
    }

    /// Is only what crosses the edge of the observed classes recorded?
    pub(crate) fn at_boundary(&self) -> bool {
        self.selection.detail() == Detail::Boundary && !self.is_outside()
    }

    /// Whose probes the class has: at the boundary even inherited code asks once a method, not in each probe.
    pub(crate) fn probes(&self) -> ProbeSet {
        match self.at_boundary() {
            true => ProbeSet::Observed,
            false => self.probe_set,
        }
    }

    /// Is the class one of the environment's?
    pub(crate) fn is_outside(&self) -> bool {
        self.probe_set == ProbeSet::Outside
    }

    /// Does the class itself declare this static field?
    pub(crate) fn has_static(&self, field: &MemberRef) -> bool {
        field.owner == self.name && self.statics.contains(&field.name, &field.desc)
    }
}

fn handled(class: &ClassFile) -> Names {
    let pool = &class.pool;
    let member = |index| {
        let (_, member) = pool.method_handle(index).ok()?;
        let member = pool.member_ref(member).ok()?;
        Some((member.name.into_owned(), member.desc.into_owned()))
    };
    (1..pool.count()).filter_map(member).collect()
}
