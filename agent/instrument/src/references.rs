//! Method references to code that is not observed. Before the class gets its probes, each becomes a reference to an added method of the
//! class itself, in which the call is an ordinary instruction.

use jinsi_classfile::ClassFile;
use jinsi_classfile::references::{
    INVOKE_STATIC, NEW_INVOKE_SPECIAL, Reference, ReferenceError, references,
};
use jinsi_natural::Natural;

use super::naturals::natural_classes;
use crate::selection::Selection;

/// The method references of an observed class that lead to the environment. What natural members do, replay does again; what observed
/// ones do, their own probes tell. Of a function that can be serialized, the form names the method, and another JVM may have to find it: it
/// stays as it is, and replay does not answer it.
///
/// # Errors
/// The class is malformed.
pub fn leading_out(
    class: &ClassFile,
    selection: &Selection,
) -> Result<Vec<Reference>, ReferenceError> {
    let this = class.name()?;
    let mut all = references(class)?;
    all.retain(|reference| {
        reference.owner != this
            && !reference.serializable
            && reference.can_be_body()
            && !selection.observes(&reference.owner, false)
            && may_be_environment(reference)
    });
    Ok(all)
}

/// May a call of this be answered in a replay? The rule is that for call sites, where the class of the receiver has the last word.
fn may_be_environment(reference: &Reference) -> bool {
    let Reference {
        owner, name, desc, ..
    } = reference;
    let natural = natural_classes();
    match reference.kind {
        INVOKE_STATIC => !natural.is_natural_member(owner, name, desc),
        NEW_INVOKE_SPECIAL => {
            !natural.is_natural_member(owner, name, desc) || Natural::depends_on_others(owner)
        }
        _ if owner.starts_with('[') => false,
        _ => {
            !natural.is_natural_class(owner)
                || natural.is_answered(owner, name, desc)
                || Natural::has_other_instances(owner)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jinsi_classfile::references::{INVOKE_INTERFACE, INVOKE_VIRTUAL};

    fn environment(kind: u8, owner: &str, name: &str, desc: &str) -> bool {
        may_be_environment(&Reference {
            kind,
            owner: owner.into(),
            name: name.into(),
            desc: desc.into(),
            interface: kind == INVOKE_INTERFACE,
            receiver: None,
            serializable: false,
        })
    }

    #[test]
    fn what_replay_answers_is_environment() {
        for (kind, owner, name, desc) in [
            (INVOKE_STATIC, "java/lang/System", "nanoTime", "()J"),
            (
                INVOKE_STATIC,
                "java/util/UUID",
                "randomUUID",
                "()Ljava/util/UUID;",
            ),
            (
                NEW_INVOKE_SPECIAL,
                "java/io/File",
                "<init>",
                "(Ljava/lang/String;)V",
            ),
            (
                NEW_INVOKE_SPECIAL,
                "java/io/PrintWriter",
                "<init>",
                "(Ljava/lang/String;)V",
            ),
            (
                NEW_INVOKE_SPECIAL,
                "java/io/BufferedReader",
                "<init>",
                "(Ljava/io/Reader;)V",
            ),
            (INVOKE_VIRTUAL, "java/io/File", "delete", "()Z"),
            (
                INVOKE_VIRTUAL,
                "java/lang/reflect/Method",
                "invoke",
                "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
            ),
            (INVOKE_INTERFACE, "java/io/Closeable", "close", "()V"),
            (
                INVOKE_VIRTUAL,
                "java/lang/Object",
                "toString",
                "()Ljava/lang/String;",
            ),
            (INVOKE_STATIC, "com/foo/Unobserved", "make", "()V"),
        ] {
            assert!(environment(kind, owner, name, desc), "{owner}.{name}");
        }
    }

    #[test]
    fn what_runs_for_real_stays_a_reference() {
        for (kind, owner, name, desc) in [
            (
                INVOKE_STATIC,
                "java/lang/Integer",
                "parseInt",
                "(Ljava/lang/String;)I",
            ),
            (INVOKE_VIRTUAL, "java/lang/String", "length", "()I"),
            (INVOKE_INTERFACE, "java/util/List", "size", "()I"),
            (NEW_INVOKE_SPECIAL, "java/util/ArrayList", "<init>", "()V"),
            (INVOKE_VIRTUAL, "[I", "clone", "()Ljava/lang/Object;"),
        ] {
            assert!(!environment(kind, owner, name, desc), "{owner}.{name}");
        }
    }
}
