//! Puts the probes into an observed class: bytes of a class in, bytes and the sites of its events out. Knows no JVM.
//!
//! Probes are calls of static methods of `java.lang.JinsiProbe`; inserted code is straight-line and leaves the operand stack as it
//! was. Values below the top of the stack are reached by way of fresh locals.

mod accesses;
mod boundary;
mod calls;
mod events;
mod hidden;
mod identity;
mod inherited;
mod method;
mod names;
mod order;
mod outside;
mod paths;
mod per_constant;
mod quiet;
mod redact;
mod references;
mod refs;
mod runs;
pub mod selection;
mod sites;
mod traces;

pub use boundary::natural_classes;
pub use hidden::{hide_frames, hide_members};
pub use identity::FIELD as IDENTITY;
pub use identity::{add_field, carry, watch_deserialization};
pub use order::quiet_jdk;
pub use outside::{instrument_outside, watch_fields};
pub use references::leading_out;
pub use traces::hide_frames_of_probes;

use jinsi_classfile::bridges::{BRIDGE_PREFIX, Bridges};
use jinsi_classfile::class::{ClassFile, Member, ParseError, WriteError};
use jinsi_classfile::code::Code;
use jinsi_classfile::descriptor::{DescriptorError, MethodType};
use jinsi_classfile::edit::EditError;
use jinsi_classfile::flow::FlowError;
use jinsi_classfile::frames::FrameError;
use jinsi_classfile::insn::{Insn, InsnError};
use jinsi_classfile::opcode as op;
use jinsi_classfile::pool::{ConstantPool, PoolError};
use jinsi_classfile::references::ReferenceError;
use jinsi_classfile::{ACC_FINAL, ACC_MODULE, ACC_NATIVE, ACC_PRIVATE, asm::AsmError};
use jinsi_trace::model::{ClassNo, Detail, MemberRef, Site, Text};
use thiserror::Error;

use method::Done;
use names::Names;
use per_constant::PerConstant;
use refs::ProbeRefs;
use selection::Selection;

/// Beyond this many bytes HotSpot leaves a method to the interpreter (`-XX:+DontCompileHugeMethods`).
const HUGE_METHOD: usize = 8_000;

/// Why a class is left alone.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum InstrumentError {
    #[error("not understood: {0}")]
    Parse(#[from] ParseError),
    #[error("bad constant: {0}")]
    Pool(#[from] PoolError),
    #[error("bad descriptor: {0}")]
    Descriptor(#[from] DescriptorError),
    #[error("bad code: {0}")]
    Code(#[from] InsnError),
    #[error("control flow not understood: {0}")]
    Flow(#[from] FlowError),
    #[error("frames not understood: {0}")]
    Frames(#[from] FrameError),
    #[error("no room for probes: {0}")]
    Edit(#[from] EditError),
    #[error("probe not written: {0}")]
    Asm(#[from] AsmError),
    #[error("not written: {0}")]
    Write(#[from] WriteError),
    #[error("method references not understood: {0}")]
    References(#[from] ReferenceError),
    #[error("{method}: {source}")]
    Method {
        method: String,
        source: Box<InstrumentError>,
    },
}

/// A rewritten class.
pub struct Instrumented {
    /// The new class file.
    pub bytes: Vec<u8>,
    /// Its sites.
    pub sites: Vec<Site>,
    /// Methods of which not everything is recorded for want of room, and what is not.
    pub thinned: Vec<String>,
    /// Methods without probes, and why.
    pub left_out: Vec<String>,
}

/// Why a class is rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It is observed.
    Observed,
    /// Observed classes inherit its code: probes sit in its constructors and instance methods only, and make events only where
    /// the code runs on an instance of an observed class (Burger 2011, Section 7.3).
    Inherited,
    /// Neither: only its accesses to fields of observed classes are recorded, as [`instrument_outside`] does.
    Outside,
}

/// What probes need to know of the class they are in.
struct Context<'a> {
    class_no: ClassNo,
    part: Part,
    class: &'a ClassFile,
    name: Text,
    selection: &'a Selection,
    /// Methods whose calls from within the class surely reach code of the class: name and descriptor.
    bound: Names,
    /// Methods with code, private and static ones included.
    declared: Names,
    fields: order::Fields,
    /// Has the class an initializer?
    initializer: bool,
    /// Static fields: name and descriptor.
    statics: Names,
    /// Methods without code because it is native.
    natives: Names,
    /// Methods of any class that method handles among the constants lead to: name and descriptor.
    handled: Names,
    /// Of a class that replay has rewritten: what its bridges stand for.
    bridges: Bridges,
    /// The members that instructions name, as far as they were asked for: most are named often, and all sites share their texts.
    members: PerConstant<MemberRef>,
    /// Slots of the parameters of the methods that they call, likewise.
    slots: PerConstant<u16>,
    /// Which calls make events at the boundary, as far as that was asked.
    decided: boundary::Decided,
}

/// Rewrites a class as its `part` has it. `next_site` gives a number that no other site has.
///
/// # Errors
/// The class is malformed, or has no room for probes; the original bytes must be used then.
pub fn instrument(
    class_no: ClassNo,
    part: Part,
    bytes: &[u8],
    selection: &Selection,
    next_site: &mut dyn FnMut() -> u32,
) -> Result<Instrumented, InstrumentError> {
    let class = ClassFile::parse(bytes)?;
    instrument_class(class_no, part, class, selection, next_site)
}

/// [`instrument`] for a class file that is parsed already.
///
/// # Errors
/// As there.
pub fn instrument_class(
    class_no: ClassNo,
    part: Part,
    mut class: ClassFile,
    selection: &Selection,
    next_site: &mut dyn FnMut() -> u32,
) -> Result<Instrumented, InstrumentError> {
    let mut context = Context::new(class_no, part, &class, selection)?;
    let (done, pool) = loop {
        let mut attempt = Attempt::default();
        let pool = attempt.probe_methods(&context, next_site)?;
        // A method without probes tells nothing: calls of it have to. Those before it in the class did not know.
        let mut news = false;
        for index in &attempt.without {
            news |= context.forget(*index)?;
        }
        if !news {
            break (attempt, pool);
        }
    };
    class.pool = pool;
    for (index, code) in done.codes {
        class.methods[index].set_code(&mut class.pool, &code)?;
    }
    if part == Part::Observed {
        identity::add_field(&mut class, selection)?;
    }
    Ok(Instrumented {
        bytes: class.to_bytes()?,
        sites: done.sites,
        thinned: done.thinned,
        left_out: done.left_out,
    })
}

/// The methods of a class with their probes.
#[derive(Default)]
struct Attempt {
    /// New code by index of the method.
    codes: Vec<(usize, Code)>,
    sites: Vec<Site>,
    thinned: Vec<String>,
    left_out: Vec<String>,
    /// Indices of the methods left out.
    without: Vec<usize>,
}

impl Attempt {
    /// Rewrites all methods; the constant pool with what they need.
    fn probe_methods(
        &mut self,
        context: &Context<'_>,
        next_site: &mut dyn FnMut() -> u32,
    ) -> Result<ConstantPool, InstrumentError> {
        let class = context.class;
        let mut pool = class.pool.clone();
        let mut refs = ProbeRefs::new(context.probes());
        if class.access & ACC_MODULE != 0 {
            return Ok(pool);
        }
        for (index, member) in class.methods.iter().enumerate() {
            if context.part == Part::Inherited && member.is_static() {
                continue;
            }
            let Some(code) = member.code(&class.pool)? else {
                continue;
            };
            let name = member.name(&class.pool)?;
            if !context.bridges.is_empty() && name.starts_with(BRIDGE_PREFIX) {
                continue;
            }
            let done = method::probe(context, member, &code, &mut pool, &mut refs, next_site)
                .map_err(|source| InstrumentError::Method {
                    method: name.clone().into_owned(),
                    source: Box::new(source),
                })?;
            match done {
                Done::Probed(probed) => {
                    self.sites.extend(probed.sites);
                    let thinned = probed.thinned.map(|what| format!("{name}: {what}"));
                    self.thinned.extend(thinned);
                    self.codes.push((index, probed.code));
                }
                Done::LeftOut(why) => {
                    self.left_out.push(format!("{name}: {why}"));
                    self.without.push(index);
                }
            }
        }
        Ok(pool)
    }
}

impl<'a> Context<'a> {
    fn new(
        class_no: ClassNo,
        part: Part,
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
            fields: order::Fields::of(class)?,
            initializer: class.find_method("<clinit>", "()V").is_some(),
            class_no,
            part,
            class,
            name: class.name()?.into(),
            selection,
            bound: Names::of(class, bound)?,
            natives: Names::of(class, natives)?,
            declared: Names::of(class, declared)?,
            statics: Names::of(class, class.fields.iter().filter(|f| f.is_static()))?,
            handled: handled(class),
            bridges: Bridges::of(class)?,
            members: PerConstant::of(class),
            slots: PerConstant::of(class),
            decided: PerConstant::of(class),
        })
    }

    /// The member that the constant at `index` names.
    fn member(&self, index: u16) -> Result<MemberRef, InstrumentError> {
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
    fn param_slots(&self, call: &Insn<'_>) -> Result<u16, InstrumentError> {
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
    fn forget(&mut self, index: usize) -> Result<bool, InstrumentError> {
        let member = &self.class.methods[index];
        let name = member.name(&self.class.pool)?;
        let desc = member.desc(&self.class.pool)?;
        self.bound.remove(&name, &desc);
        self.decided = PerConstant::of(self.class);
        Ok(self.declared.remove(&name, &desc))
    }

    /// Is only what crosses the edge of the observed classes recorded?
    fn at_boundary(&self) -> bool {
        self.selection.detail() == Detail::Boundary && !self.is_outside()
    }

    /// Whose probes the class has: at the boundary even inherited code asks once a method, not in each probe.
    fn probes(&self) -> Part {
        match self.at_boundary() {
            true => Part::Observed,
            false => self.part,
        }
    }

    /// Is the class one of the environment's?
    fn is_outside(&self) -> bool {
        self.part == Part::Outside
    }

    /// Does the class itself declare this static field?
    fn has_static(&self, field: &MemberRef) -> bool {
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

/// Inserts `JinsiProbe.uncaught(e)` at the start of `Thread.dispatchUncaughtException(Throwable)`.
///
/// # Errors
/// The class is malformed or has no such method.
pub fn watch_uncaught(bytes: &[u8]) -> Result<Option<Vec<u8>>, InstrumentError> {
    let mut class = ClassFile::parse(bytes)?;
    let Some(index) = class.find_method("dispatchUncaughtException", "(Ljava/lang/Throwable;)V")
    else {
        return Ok(None);
    };
    let Some(code) = class.methods[index].code(&class.pool)? else {
        return Ok(None);
    };
    let code = method::call_at_entry(&code, class.major, &mut class.pool)?;
    let pool = &mut class.pool;
    class.methods[index].set_code(pool, &code)?;
    Ok(Some(class.to_bytes()?))
}
