//! Probes of what orders threads: monitors, volatile fields, class initializers; and which calls surely do not.

use jinsi_classfile::insn::Insn;
use jinsi_classfile::{ACC_STATIC, ACC_SYNCHRONIZED, Asm};
use jinsi_trace::model::{CallOp, MemberRef, is_string_or_box};

use super::emitter::Probes;
use super::events::Then;
use super::outcome::InstrumentError;
use super::sites::CallSite;

/// Packages of the JDK whose classes, subpackages apart, work on their own data without regard to other threads.
const PLAIN_PACKAGES: &[&str] = &["java/lang", "java/util", "java/math", "java/time"];

/// Those of their classes that do not, nested ones included.
const SYNCHRONIZING: &[&str] = &[
    "java/lang/Class",
    "java/lang/ClassLoader",
    "java/lang/ClassValue",
    "java/lang/Object",
    "java/lang/Process",
    "java/lang/ProcessBuilder",
    "java/lang/ProcessHandle",
    "java/lang/ProcessHandleImpl",
    "java/lang/ProcessImpl",
    "java/lang/Runtime",
    "java/lang/StringBuffer",
    "java/lang/Thread",
    "java/lang/ThreadGroup",
    "java/lang/VirtualThread",
    "java/util/Collections",
    "java/util/Hashtable",
    "java/util/Observable",
    "java/util/Properties",
    "java/util/ResourceBundle",
    "java/util/ServiceLoader",
    "java/util/Stack",
    "java/util/Timer",
    "java/util/TimerTask",
    "java/util/Vector",
];

/// Is it a final class of the plain packages? Whatever the receiver, it is one of them.
fn is_final(internal: &str) -> bool {
    is_string_or_box(internal) || internal == "java/lang/StringBuilder"
}

/// Does the code of this class of the boot loader neither wait for other threads nor let them go on, unless it calls back?
pub fn quiet_jdk(internal: &str) -> bool {
    let package = internal.rsplit_once('/').map_or("", |(package, _)| package);
    let outermost = internal
        .split_once('$')
        .map_or(internal, |(outer, _)| outer);
    PLAIN_PACKAGES.contains(&package) && !SYNCHRONIZING.contains(&outermost)
}

/// What becomes of order at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handover {
    /// The callee does not synchronize, or records it.
    Never,
    /// The class of the receiver decides.
    ByReceiver,
    /// It may.
    Possible,
}

impl Handover {
    pub(super) fn of(call: &CallSite) -> Self {
        let MemberRef { owner, name, .. } = &call.target;
        if matches!(name.as_str(), "wait" | "notify" | "notifyAll") {
            return Handover::Possible;
        }
        match call.op {
            CallOp::Dynamic | CallOp::None => Handover::Never,
            CallOp::Static | CallOp::New if !call.outside || quiet_jdk(owner) => Handover::Never,
            CallOp::Virtual | CallOp::Special if is_final(owner) => Handover::Never,
            // `super(…)`
            CallOp::Special if name == "<init>" && quiet_jdk(owner) => Handover::Never,
            CallOp::Virtual | CallOp::Interface | CallOp::Special if name != "<init>" => {
                Handover::ByReceiver
            }
            _ => Handover::Possible,
        }
    }

    /// What runs behind the event of the call.
    pub(super) fn then(self) -> Then {
        match self {
            Handover::Never => Then::Quiet,
            Handover::Possible => Then::Outside,
            Handover::ByReceiver => Then::Call,
        }
    }
}

/// What accesses of a field mean for the order between threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Orders {
    /// It is not volatile.
    Never,
    /// It may be volatile.
    Maybe,
    /// They order threads, and are meetings that a replay counts (see [`jinsi_trace::order::Meetings`]): replay rewrites the same class, of which
    /// it knows as much.
    Meeting,
}

impl Probes<'_, '_> {
    /// Can accesses of this field order threads? Of other classes' fields nothing is known, and so of those that this one inherits and names as
    /// its own.
    pub(super) fn orders(&self, field: &MemberRef) -> Orders {
        let fields = &self.context.fields;
        if field.owner != self.context.name || self.is_inherited() {
            Orders::Maybe
        } else if fields.plain.contains(&field.name, &field.desc) {
            Orders::Never
        } else if fields.volatile.contains(&field.name, &field.desc) {
            Orders::Meeting
        } else {
            Orders::Maybe
        }
    }

    /// Behind the read of a field.
    pub(super) fn has_read(&mut self, asm: &mut Asm, field: Orders) {
        match field {
            Orders::Never => {}
            Orders::Maybe => self.acquired(asm),
            Orders::Meeting => self.probe(asm, "met", "()V"),
        }
    }

    /// Before the write of a field.
    pub(super) fn will_write(&mut self, asm: &mut Asm, field: Orders) {
        match field {
            Orders::Never => {}
            Orders::Maybe => self.releasing(asm),
            Orders::Meeting => self.probe(asm, "meeting", "()V"),
        }
    }

    /// Behind a monitor.
    fn has_entered(&mut self, asm: &mut Asm) {
        match self.is_inherited() {
            true => self.acquired(asm),
            false => self.probe(asm, "met", "()V"),
        }
    }

    fn acquired(&mut self, asm: &mut Asm) {
        self.probe(asm, "acquired", "()V");
    }

    pub(super) fn releasing(&mut self, asm: &mut Asm) {
        self.probe(asm, "releasing", "()V");
    }

    /// A method may begin behind an acquire of its own: of its monitor, or of the end of the class's initializer.
    pub(super) fn begins_ordered(&mut self, asm: &mut Asm) {
        let initialized = self.context.initializer
            && (self.access & ACC_STATIC != 0 && self.name != "<clinit>" || self.name == "<init>");
        if self.access & ACC_SYNCHRONIZED != 0 {
            self.has_entered(asm);
        } else if initialized {
            self.acquired(asm);
        }
    }

    /// Does the end of the method let other threads go on?
    pub(super) fn ends_releasing(&self) -> bool {
        self.access & ACC_SYNCHRONIZED != 0 || self.name == "<clinit>"
    }

    /// In front of the next instruction, because a range of the exception table that has to release the monitor begins there.
    pub(super) fn monitor_enter(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let mut asm = Asm::new();
        self.has_entered(&mut asm);
        self.editor.before(at.end(), &asm)?;
        Ok(())
    }

    /// Replay has taken a monitor away here, or done something else that orders no threads (`analysis/rewrite/src/monitors.rs`).
    pub(super) fn replayed_monitor(
        &mut self,
        at: &Insn<'_>,
        stands_for: &str,
    ) -> Result<(), InstrumentError> {
        let mut asm = Asm::new();
        match stands_for {
            "entered" | "enteredInherited" => self.has_entered(&mut asm),
            "left" => self.releasing(&mut asm),
            _ => return Ok(()),
        }
        Ok(self.editor.after(at.offset, &asm)?)
    }

    pub(super) fn monitor_exit(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let mut asm = Asm::new();
        self.releasing(&mut asm);
        self.editor.before(at.offset, &asm)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_classes_of_the_jdk_are_quiet() {
        for quiet in [
            "java/lang/String",
            "java/lang/System",
            "java/util/HashMap$KeyIterator",
            "java/time/LocalDate",
        ] {
            assert!(quiet_jdk(quiet), "{quiet}");
        }
        for not in [
            "java/lang/Object",
            "java/lang/Thread",
            "java/lang/Thread$Builder",
            "java/lang/ref/ReferenceQueue",
            "java/util/Collections$SynchronizedMap",
            "java/util/concurrent/ConcurrentHashMap",
            "java/util/Vector",
            "com/foo/Bar",
        ] {
            assert!(!quiet_jdk(not), "{not}");
        }
    }

    #[test]
    fn who_is_called_says_whether_threads_may_be_ordered() {
        let call = |owner: &str, name: &str, op, outside| {
            let target = MemberRef {
                owner: owner.into(),
                name: name.into(),
                desc: "()V".into(),
            };
            Handover::of(&CallSite {
                target,
                op,
                light: false,
                outside,
            })
        };
        use Handover::{ByReceiver, Never, Possible};
        assert_eq!(call("java/lang/Math", "max", CallOp::Static, true), Never);
        assert_eq!(call("com/foo/Bar", "m", CallOp::Static, false), Never);
        assert_eq!(call("com/lib/Bar", "m", CallOp::Static, true), Possible);
        assert_eq!(
            call("java/util/ArrayList", "<init>", CallOp::New, true),
            Never
        );
        assert_eq!(
            call("java/util/List", "add", CallOp::Interface, true),
            ByReceiver
        );
        assert_eq!(
            call("com/foo/Bar", "wait", CallOp::Virtual, false),
            Possible
        );
        assert_eq!(
            call("java/lang/String", "length", CallOp::Virtual, true),
            Never
        );
        assert_eq!(
            call("com/lib/Base", "<init>", CallOp::Special, true),
            Possible
        );
    }
}
