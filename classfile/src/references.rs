//! Method references as calls: an `invokedynamic` whose function is a method of another class is given one of its own.
//!
//! `File::delete` makes a function object that leads to `File.delete` without any instruction of the class: nobody who looks at instructions
//! sees the call. A *body*, a private static method that does nothing but make the call, is what a compiler would have written for
//! `file -> file.delete()`. No instruction moves: the constant that the `invokedynamic` names is led to the body.

mod bootstraps;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use crate::asm::Asm;
use crate::class::{Attribute, ClassFile, ParseError, WriteError};
use crate::code::{Code, line_at};
use crate::descriptor::{DescriptorError, MethodType, Type};
use crate::insn;
use crate::pool::{INVOKE_DYNAMIC, PoolError};
use crate::subst::{self, SubstError};
use crate::{ACC_INTERFACE, asm::AsmError, opcode};

pub use bootstraps::Bootstraps;

/// Names of bodies begin with this: they are lambdas to all who look at names.
pub const BODY_PREFIX: &str = "lambda$jinsi$";

/// Kind of a method handle (JVMS table 5.4.3.5-A) that calls an instance method of a class.
pub const INVOKE_VIRTUAL: u8 = 5;
/// ... a static method.
pub const INVOKE_STATIC: u8 = 6;
/// ... a method of this very class, or a superclass' behind an override.
pub const INVOKE_SPECIAL: u8 = 7;
/// ... a constructor, on an object that it makes.
pub const NEW_INVOKE_SPECIAL: u8 = 8;
/// ... an instance method of an interface.
pub const INVOKE_INTERFACE: u8 = 9;

/// Class that makes function objects of handles.
const METAFACTORY: &str = "java/lang/invoke/LambdaMetafactory";
/// Which argument of its methods says what the function does.
const IMPLEMENTATION: usize = 1;
/// Argument of `altMetafactory` with flags.
const FLAGS: usize = 3;
/// The flag of functions that can be serialized (`LambdaMetafactory.FLAG_SERIALIZABLE`).
const SERIALIZABLE: i32 = 1;
/// First class file version whose interfaces may have private static methods (JVMS §4.6).
const FIRST_WITH_INTERFACE_CODE: u16 = 52;

/// A method that a function object leads to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    /// Kind of the handle: [`INVOKE_VIRTUAL`] to [`INVOKE_INTERFACE`].
    pub kind: u8,
    /// Internal name of the class that is named, or an array descriptor.
    pub owner: String,
    /// Method name.
    pub name: String,
    /// Its descriptor.
    pub desc: String,
    /// Is `owner` an interface?
    pub interface: bool,
    /// Descriptor of the receiver that the function object keeps (`file::delete`), if it keeps one. It may be of a subclass of `owner`.
    pub receiver: Option<String>,
    /// The function object can be serialized, and its form names the method.
    pub serializable: bool,
}

/// Why bodies cannot be added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ReferenceError {
    #[error(transparent)]
    Parse(#[from] ParseError),
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error(transparent)]
    Descriptor(#[from] DescriptorError),
    #[error(transparent)]
    Asm(#[from] AsmError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Subst(#[from] SubstError),
}

impl Reference {
    /// Has it an object that the method is called on?
    pub fn has_receiver(&self) -> bool {
        !matches!(self.kind, INVOKE_STATIC | NEW_INVOKE_SPECIAL)
    }

    /// Can a static method of another class do the same? Not what only code of the class itself, or of its instances, may do.
    pub fn can_be_body(&self) -> bool {
        matches!(
            self.kind,
            INVOKE_VIRTUAL | INVOKE_STATIC | NEW_INVOKE_SPECIAL | INVOKE_INTERFACE
        )
    }

    /// Name of the body. It follows from the reference alone, so that a class that comes again in another form gets the same methods.
    pub fn body_name(&self) -> String {
        let Self {
            kind, owner, desc, ..
        } = self;
        let receiver = self.receiver.as_deref().unwrap_or("");
        let text = format!(
            "{kind} {owner} {desc} {receiver} {}",
            u8::from(self.serializable)
        );
        // FNV-1a: small, and the same for ever.
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        let name = match self.kind {
            NEW_INVOKE_SPECIAL => "new",
            _ => &self.name,
        };
        format!("{BODY_PREFIX}{name}${:08x}", (hash ^ hash >> 32) as u32)
    }

    /// Descriptor of the body: the handle's own, with the receiver as it is kept, for functions take what they keep as it is.
    pub fn body_desc(&self) -> String {
        let rest = self.desc.strip_prefix('(').unwrap_or_default();
        match (&self.receiver, self.kind) {
            (_, INVOKE_STATIC) => self.desc.clone(),
            (_, NEW_INVOKE_SPECIAL) => {
                let params = self.desc.strip_suffix('V').unwrap_or_default();
                format!("{params}L{};", self.owner)
            }
            (Some(receiver), _) => format!("({receiver}{rest}"),
            (None, _) => format!("({}{rest}", of_type(&self.owner)),
        }
    }
}

/// Descriptor of the class with this internal name.
fn of_type(owner: &str) -> String {
    match owner.starts_with('[') {
        true => owner.to_owned(),
        false => format!("L{owner};"),
    }
}

/// What the function objects that `class` makes lead to, each once, in the order of the constants.
///
/// # Errors
/// The constants or the bootstrap methods are malformed.
pub fn references(class: &ClassFile) -> Result<Vec<Reference>, ReferenceError> {
    let bootstraps = Bootstraps::of(class)?;
    let mut all = Vec::new();
    for (_, reference) in sites(class, &bootstraps)? {
        if !all.contains(&reference) {
            all.push(reference);
        }
    }
    Ok(all)
}

/// Adds a body for each of `wanted`, used or not, and leads to it what led to the method. Those that cannot be ([`Reference::can_be_body`]),
/// and all where the class is an interface too old for methods of its own, are passed over. Says whether anything was added.
///
/// # Errors
/// The class is malformed, or has no room. It may have been changed in part then.
pub fn add_bodies(class: &mut ClassFile, wanted: &[Reference]) -> Result<bool, ReferenceError> {
    let interface = class.access & ACC_INTERFACE != 0;
    let possible: Vec<&Reference> = wanted.iter().filter(|r| r.can_be_body()).collect();
    if possible.is_empty() || interface && class.major < FIRST_WITH_INTERFACE_CODE {
        return Ok(false);
    }
    let mut bootstraps = Bootstraps::of(class)?;
    let sites = sites(class, &bootstraps)?;
    let lines = lines(class)?;
    let this = class.name()?.into_owned();
    for reference in possible {
        let (name, desc) = (reference.body_name(), reference.body_desc());
        let of_this = sites.iter().filter(|(_, r)| r == reference);
        let of_this: Vec<u16> = of_this.map(|(constant, _)| *constant).collect();
        let line = of_this.iter().find_map(|constant| lines.get(constant));
        let code = body(class, &this, reference, line.copied())?;
        subst::add_private_static(class, &name, &desc, &code)?;
        let member = class.pool.add_method_ref(&this, &name, &desc, interface)?;
        let handle = class.pool.add_method_handle(INVOKE_STATIC, member)?;
        for constant in of_this {
            let old = class.pool.invoke_dynamic(constant)?.bootstrap;
            let new = bootstraps.with_argument(old, IMPLEMENTATION, handle)?;
            class.pool.set_bootstrap(constant, new)?;
        }
    }
    bootstraps.store(class)?;
    Ok(true)
}

/// The constants by which function objects are made, with what these lead to.
fn sites(
    class: &ClassFile,
    bootstraps: &Bootstraps,
) -> Result<Vec<(u16, Reference)>, ReferenceError> {
    let pool = &class.pool;
    let mut all = Vec::new();
    for constant in 1..pool.count() {
        if pool.tag(constant) != Some(INVOKE_DYNAMIC) {
            continue;
        }
        let dynamic = pool.invoke_dynamic(constant)?;
        let Some((factory, arguments)) = bootstraps.get(dynamic.bootstrap) else {
            continue;
        };
        let (_, factory) = pool.method_handle(factory)?;
        let factory = pool.member_ref(factory)?;
        if factory.owner != METAFACTORY {
            continue;
        }
        let Some(&handle) = arguments.get(IMPLEMENTATION) else {
            continue;
        };
        let (kind, member) = pool.method_handle(handle)?;
        let member = pool.member_ref(member)?;
        let flags = match &*factory.name {
            "altMetafactory" => arguments.get(FLAGS).and_then(|&at| pool.integer(at).ok()),
            _ => None,
        };
        let kept = MethodType::parse(&dynamic.desc)?;
        let mut reference = Reference {
            kind,
            owner: member.owner.into_owned(),
            name: member.name.into_owned(),
            desc: member.desc.into_owned(),
            interface: member.interface,
            receiver: None,
            serializable: flags.is_some_and(|flags| flags & SERIALIZABLE != 0),
        };
        if reference.has_receiver() {
            reference.receiver = kept.params.first().map(|first| first.desc().to_owned());
        }
        all.push((constant, reference));
    }
    Ok(all)
}

/// The line on which each `invokedynamic` constant is used first.
fn lines(class: &ClassFile) -> Result<HashMap<u16, u16>, ReferenceError> {
    let mut all = HashMap::new();
    for method in &class.methods {
        let Some(code) = method.code(&class.pool)? else {
            continue;
        };
        let lines = code.lines(&class.pool);
        for at in insn::iter(&code.bytes) {
            // Code that is not understood is somebody else's concern.
            let Ok(at) = at else { break };
            if at.opcode == opcode::INVOKEDYNAMIC
                && let (Some(constant), Some(line)) = (at.pool_index(), line_at(&lines, at.offset))
            {
                all.entry(constant).or_insert(line);
            }
        }
    }
    Ok(all)
}

/// The call, and nothing else.
fn body(
    class: &mut ClassFile,
    this: &str,
    reference: &Reference,
    line: Option<u16>,
) -> Result<Code, ReferenceError> {
    let pool = &mut class.pool;
    let desc = reference.body_desc();
    let method = MethodType::parse(&desc)?;
    let target = pool.add_method_ref(
        &reference.owner,
        &reference.name,
        &reference.desc,
        reference.interface,
    )?;
    let mut asm = Asm::new();
    let op = match reference.kind {
        INVOKE_STATIC => opcode::INVOKESTATIC,
        NEW_INVOKE_SPECIAL => {
            asm.typed(opcode::NEW, pool, &reference.owner)
                .op(opcode::DUP);
            opcode::INVOKESPECIAL
        }
        INVOKE_INTERFACE => opcode::INVOKEINTERFACE,
        _ => opcode::INVOKEVIRTUAL,
    };
    let mut local = 0;
    for (place, &param) in method.params.iter().enumerate() {
        asm.load(param.letter(), local);
        local += param.slots();
        if place == 0 && needs_cast(reference, param, this) {
            asm.typed(opcode::CHECKCAST, pool, &reference.owner);
        }
    }
    asm.invoke(op, target, &reference.desc)
        .ret(method.result_letter());
    let mut code = asm.into_code(pool, method.param_slots())?;
    if let Some(line) = line {
        let name = pool.add_utf8("LineNumberTable")?;
        let [high, low] = line.to_be_bytes();
        let data = vec![0, 1, 0, 0, high, low];
        code.attributes.push(Attribute { name, data });
    }
    Ok(code)
}

/// Would the verifier have to load a class to see that the receiver is one? Of this class itself it knows, and a protected method of a
/// superclass may be called on nothing else.
fn needs_cast(reference: &Reference, receiver: Type<'_>, this: &str) -> bool {
    reference.has_receiver()
        && receiver.desc() != of_type(&reference.owner)
        && receiver.class_name() != Some(this)
}
