//! Ways to the environment that are no call instruction: method references, and what the JVM links or computes by itself.
//!
//! Classes of the JDK have no traps in replay. If natural code calls a method of one through a function object, that method really runs.
//! So a method reference to the environment is redirected to an added method of the observed class; the call in it is a site like
//! any other. The agent adds such methods already while recording. This module adds those that the agent could not.

use jinsi_classfile::ClassFile;
use jinsi_classfile::references::{
    Bootstraps, INVOKE_STATIC, NEW_INVOKE_SPECIAL, Reference, ReferenceError, add_bodies,
    references,
};

use crate::{Class, RewriteError, World};

/// Bootstrap methods of this class compute constants.
const CONSTANTS: &str = "java/lang/invoke/ConstantBootstraps";
/// Those of them that ask nobody but what they are given.
const PLAIN_CONSTANTS: [&str; 5] = [
    "enumConstant",
    "explicitCast",
    "invoke",
    "nullConstant",
    "primitiveClass",
];
/// Where descriptions of classes and constants come from; compilers compute the labels of pattern switches by them.
const DESCRIPTIONS: &str = "java/lang/constant/";

/// Makes calls of all method references of `class` that lead to the environment.
///
/// # Errors
/// One cannot be made a call, or something else would reach the environment where nothing can be put in its place.
pub(super) fn make_calls(class: &mut ClassFile, world: &World<'_>) -> Result<(), RewriteError> {
    let name = class.name().map(|n| n.into_owned()).unwrap_or_default();
    let error = |source: ReferenceError| RewriteError::Code {
        class: name.clone(),
        method: String::new(),
        source: source.into(),
    };
    let leading_out = |class: &ClassFile| -> Result<Vec<Reference>, RewriteError> {
        let mut all = references(class).map_err(error)?;
        all.retain(|reference| reference.owner != name && leads_out(reference, world));
        Ok(all)
    };
    let wanted = leading_out(class)?;
    add_bodies(class, &wanted).map_err(error)?;
    if let Some(left) = leading_out(class)?.first() {
        return Err(RewriteError::Indirect {
            class: name,
            what: format!("a method reference to {}.{}", left.owner, left.name),
        });
    }
    let bootstraps = Bootstraps::of(class).map_err(|e| error(e.into()))?;
    match linked_outside(class, &bootstraps, world).map_err(error)? {
        Some(what) => Err(RewriteError::Indirect { class: name, what }),
        None => Ok(()),
    }
}

/// Would what the function does be done for real? What is not the JDK's is a trap, and natural members may run.
fn leads_out(reference: &Reference, world: &World<'_>) -> bool {
    let Reference {
        owner, name, desc, ..
    } = reference;
    let universe = world.universe;
    if owner.starts_with('[') || universe.method(owner, name, desc).is_some() {
        return false;
    }
    let natural = world.natural;
    let declaring = universe.opaque_ancestor(owner);
    match reference.kind {
        INVOKE_STATIC => !natural.is_natural_member(declaring, name, desc),
        NEW_INVOKE_SPECIAL => {
            // A class of the table has its constructors there, or none of this kind.
            !universe.class(owner).is_some_and(Class::has_bytes)
                && !natural.is_natural_member(owner, name, desc)
        }
        _ => {
            !world.is_observed(owner)
                && (!natural.is_natural_class(declaring)
                    || natural.is_answered(declaring, name, desc))
        }
    }
}

/// What the JVM would do for real to link an instruction, or to compute a constant.
fn linked_outside(
    class: &ClassFile,
    bootstraps: &Bootstraps,
    world: &World<'_>,
) -> Result<Option<String>, ReferenceError> {
    for (factory, arguments) in bootstraps.iter() {
        let (_, member) = class.pool.method_handle(factory)?;
        let factory = class.pool.member_ref(member)?;
        if !is_of_jdk(&factory.owner, world) || world.natural.is_natural_class(&factory.owner) {
            continue;
        }
        if factory.owner != CONSTANTS || !PLAIN_CONSTANTS.contains(&&*factory.name) {
            return Ok(Some(format!(
                "something made by {}.{}",
                factory.owner, factory.name
            )));
        }
        for &argument in arguments {
            let Ok((_, member)) = class.pool.method_handle(argument) else {
                continue;
            };
            let member = class.pool.member_ref(member)?;
            let (owner, name, desc) = (&*member.owner, &*member.name, &*member.desc);
            if is_of_jdk(owner, world)
                && !owner.starts_with(DESCRIPTIONS)
                && !world.natural.is_natural_member(owner, name, desc)
            {
                return Ok(Some(format!("a constant computed by {owner}.{name}")));
            }
        }
    }
    Ok(None)
}

/// Does the JVM have the class by itself? No other can be there in a replay that is not in the table.
fn is_of_jdk(owner: &str, world: &World<'_>) -> bool {
    const JDK: [&str; 6] = ["java/", "javax/", "jdk/", "sun/", "com/sun/", "netscape/"];
    !world.universe.class(owner).is_some_and(Class::has_bytes)
        && JDK.iter().any(|prefix| owner.starts_with(prefix))
}
