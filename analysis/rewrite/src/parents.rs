//! Superclasses in the JDK whose constructors change something outside the JVM.
//!
//! What an observed object inherits from the JDK is part of it and runs for real: a `Thread` of the program's has to be one. But
//! `super(path)` of a `FileWriter` would empty the file again. Nothing can take the place of that constructor, so the replay ends there.

use jinsi_classfile::flow::{Flow, Value};
use jinsi_classfile::insn::Insn;
use jinsi_classfile::pool::MemberRef;
use jinsi_classfile::{Asm, ConstantPool, Editor, opcode};
use jinsi_events::model::MemberRef as Member;

use crate::{Class, CodeError, REPLAY, Tables, World};
use jinsi_events::model::Operation;

/// Classes that open, listen, or act by their name alone. Nested ones have other names.
const ACTING: [&str; 17] = [
    "java/io/File",
    "java/io/FileInputStream",
    "java/io/FileOutputStream",
    "java/io/FileReader",
    "java/io/FileWriter",
    "java/io/RandomAccessFile",
    "java/net/DatagramSocket",
    "java/net/MulticastSocket",
    "java/net/ServerSocket",
    "java/net/Socket",
    "java/rmi/server/UnicastRemoteObject",
    "java/util/Formatter",
    "java/util/jar/JarFile",
    "java/util/logging/FileHandler",
    "java/util/logging/SocketHandler",
    "java/util/zip/ZipFile",
    "javax/net/ssl/SSLServerSocket",
];

/// Stops the replay before `insn`, if that is a `super(…)` by which an observed object becomes a part of the machine.
pub(super) fn guard(
    insn: &Insn<'_>,
    flow: &Flow,
    world: &World<'_>,
    tables: &mut Tables,
    (pool, editor): (&mut ConstantPool, &mut Editor<'_>),
) -> Result<(), CodeError> {
    if insn.opcode != opcode::INVOKESPECIAL || flow.receiver(insn.offset) != Some(Value::UninitThis)
    {
        return Ok(());
    }
    let index = insn.pool_index().unwrap_or_default();
    let constructor = pool.member_ref(index)?;
    if !acts(&constructor, world) {
        return Ok(());
    }
    let member = Member {
        owner: constructor.owner.into(),
        name: constructor.name.into(),
        desc: constructor.desc.into(),
    };
    let no = tables.add_trap(Operation::Construct, member);
    let mut stop = Asm::new();
    stop.int(pool, no as i32).null().null().invokestatic(
        pool,
        REPLAY,
        "trap",
        "(ILjava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
    );
    // A test that has ended gets null: then this throws.
    let desc = "()Ljava/lang/Class;";
    let get_class = pool.add_method_ref("java/lang/Object", "getClass", desc, false)?;
    stop.invoke(opcode::INVOKEVIRTUAL, get_class, desc)
        .op(opcode::POP);
    editor.before(insn.offset, &stop)?;
    Ok(())
}

/// Does this constructor of the JDK's do something that cannot be undone, or make an object whose methods do?
fn acts(constructor: &MemberRef<'_>, world: &World<'_>) -> bool {
    let MemberRef {
        owner, name, desc, ..
    } = constructor;
    if world.universe.class(owner).is_some_and(Class::has_bytes) {
        return false;
    }
    // Of streams that pass on, those which open a file by themselves.
    let opens = owner.starts_with("java/io/")
        && world.natural.is_natural_class(owner)
        && desc.contains("java/io/File;") | desc.contains("java/lang/String;")
        && !world.natural.is_natural_member(owner, name, desc);
    opens || ACTING.contains(&&**owner)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::Universe;
    use jinsi_natural::Natural;

    #[test]
    fn what_opens_a_file_acts_and_what_passes_on_does_not() {
        let (universe, natural, observed) =
            (Universe::default(), Natural::default(), BTreeSet::new());
        let world = World::new(&universe, &natural, &observed, |_| false).unwrap();
        let acts = |owner: &str, desc: &str| {
            let constructor = MemberRef {
                owner: owner.into(),
                name: "<init>".into(),
                desc: desc.into(),
                interface: false,
            };
            acts(&constructor, &world)
        };
        assert!(acts("java/io/FileWriter", "(Ljava/lang/String;)V"));
        assert!(acts("java/io/PrintWriter", "(Ljava/lang/String;)V"));
        assert!(acts("java/io/PrintStream", "(Ljava/io/File;)V"));
        assert!(!acts("java/io/PrintWriter", "(Ljava/io/Writer;)V"));
        assert!(!acts("java/io/PrintStream", "(Ljava/io/OutputStream;)V"));
        assert!(!acts("java/lang/Thread", "()V"));
        assert!(!acts("java/util/Random", "()V"));
        assert!(!acts("java/lang/Object", "()V"));
    }
}
