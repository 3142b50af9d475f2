//! What is different in classes that observed ones inherit from ([`crate::ProbeSet::Inherited`]).
//!
//! Every probe asks the class of the receiver, so the receiver has to be at hand: in local 0, as compilers leave it. In a
//! constructor nobody can be handed the object before `super(…)` or `this(…)` has returned; the recording of it begins there.

use jinsi_classfile::Asm;
use jinsi_classfile::ClassFile;
use jinsi_classfile::class::Member;
use jinsi_classfile::code::Code;
use jinsi_classfile::descriptor::MethodType;
use jinsi_classfile::flow::{Flow, Value};
use jinsi_classfile::frames::{self, Frame, FrameKind, VType};
use jinsi_classfile::insn::Insn;
use jinsi_trace::model::{CallOp, EventKind, MemberRef};

use super::emitter::Probes;
use super::events::Then;
use super::names::Names;
use super::outcome::InstrumentError;
use super::sites::CallSite;

/// Is the receiver in local 0 wherever the code can be, and do its frames say so?
pub(super) fn keeps_receiver(
    class: &ClassFile,
    member: &Member,
    code: &Code,
    insns: &[Insn<'_>],
    flow: &Flow,
) -> Result<bool, InstrumentError> {
    for instruction in insns {
        let local = flow.at(instruction.offset).map(|state| state.local(0));
        if local.is_some_and(|l| !matches!(l, Value::This | Value::UninitThis)) {
            return Ok(false);
        }
    }
    let Some(frames) = code.attribute(&class.pool, "StackMapTable") else {
        return Ok(true);
    };
    let parameters = MethodType::parse(&member.desc(&class.pool)?)?.params.len();
    frames_keep_receiver(class, &frames::decode(&frames.data)?, 1 + parameters)
}

/// `locals` is how many there are at the beginning. A compiler may leave the receiver out, or weaken its type, where the code has no
/// more use for it.
fn frames_keep_receiver(
    class: &ClassFile,
    frames: &[Frame],
    mut locals: usize,
) -> Result<bool, InstrumentError> {
    let name = class.name()?;
    for frame in frames {
        match &frame.kind {
            FrameKind::Same | FrameKind::SameLocals1(_) => {}
            FrameKind::Chop(count) => locals = locals.saturating_sub(usize::from(*count)),
            FrameKind::Append(more) => locals += more.len(),
            FrameKind::Full { locals: all, .. } => {
                let receiver = match all.first() {
                    Some(VType::UninitializedThis) => true,
                    Some(VType::Object(index)) => class.pool.class_name(*index)? == name,
                    _ => false,
                };
                if !receiver {
                    return Ok(false);
                }
                locals = all.len();
            }
        }
        if locals == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Probes<'_, '_> {
    /// The class's own static members are no part of an observed object; its other members are, where they surely run on the
    /// same one.
    pub(super) fn classify_inherited(
        &self,
        at: &Insn<'_>,
        target: MemberRef,
        call: CallOp,
    ) -> CallSite {
        let context = self.context;
        let observed = context.selection.observes(&target.owner, false);
        let on_this = self.flow.receiver(at.offset) == Some(Value::This);
        let is_in = |names: &Names| names.contains(&target.name, &target.desc);
        let own = on_this && target.owner == context.name;
        let light = match call {
            CallOp::New => observed,
            CallOp::Special => own && is_in(&context.declared),
            CallOp::Virtual | CallOp::Interface => own && is_in(&context.bound),
            CallOp::Static | CallOp::Dynamic | CallOp::None => false,
        };
        CallSite {
            target,
            op: call,
            light,
            outside: !observed && !on_this,
        }
    }

    /// The constructor is recorded from here, the return of `super(…)` or `this(…)`, on: its beginning, without arguments, whose
    /// variables may have changed; and the object.
    pub(super) fn begins_after(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let (enter, this) = (self.own(), self.own());
        let operands = String::new();
        let enter = self.site(
            EventKind::Enter,
            0,
            enter,
            CallOp::None,
            operands.into(),
            false,
        );
        let this = self.site(
            EventKind::This,
            at.offset,
            this,
            CallOp::None,
            "L".into(),
            false,
        );
        let mut asm = Asm::new();
        self.begins_ordered(&mut asm);
        self.event(&mut asm, &[], Then::Inside, enter, EventKind::Enter);
        self.begin(&mut asm);
        asm.load('L', 0);
        self.content(&mut asm, "own");
        self.end(&mut asm, Then::Inside, this, EventKind::This);
        self.editor.after(at.offset, &asm)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use jinsi_classfile::class::Attribute;
    use jinsi_classfile::{ACC_PUBLIC, ConstantPool, opcode as op};
    use jinsi_natural::pattern::Pattern;
    use jinsi_trace::model::{ClassNo, SiteNo};

    use super::super::{ProbeSet, instrument};
    use super::*;
    use crate::selection::Selection;

    /// A class with the method `m()V` of this code and, if given, the one frame.
    fn class(code: &[u8], frame: Option<FrameKind>) -> Vec<u8> {
        let mut pool = ConstantPool::new();
        let this_class = pool.add_class("A").unwrap();
        let super_class = pool.add_class("java/lang/Object").unwrap();
        let attributes = frame.into_iter().map(|kind| Attribute {
            name: pool.add_utf8("StackMapTable").unwrap(),
            data: frames::encode(&[Frame { offset: 3, kind }]).unwrap(),
        });
        let code = Code {
            max_stack: 1,
            max_locals: 1,
            bytes: code.to_vec(),
            handlers: Vec::new(),
            attributes: attributes.collect(),
        };
        let mut member = Member {
            access: ACC_PUBLIC,
            name: pool.add_utf8("m").unwrap(),
            desc: pool.add_utf8("()V").unwrap(),
            attributes: Vec::new(),
        };
        member.set_code(&mut pool, &code).unwrap();
        let class = ClassFile {
            minor: 0,
            major: 52,
            access: 0x21,
            this_class,
            super_class,
            pool,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: vec![member],
            attributes: Vec::new(),
        };
        class.to_bytes().unwrap()
    }

    /// How many sites there are, and whether the method was left out.
    fn rewritten(bytes: &[u8]) -> (usize, bool) {
        let selection = Selection::new(vec![Pattern::new("B")], vec![]);
        let mut sites = 0;
        let mut next_site = || {
            sites += 1;
            SiteNo::FIRST.behind(sites - 1)
        };
        let done = instrument(
            ClassNo::FIRST,
            ProbeSet::Inherited,
            bytes,
            &selection,
            &mut next_site,
        )
        .unwrap();
        (done.sites.len(), !done.left_out.is_empty())
    }

    #[test]
    fn methods_that_give_up_the_receiver_are_left_out() {
        let jump = [op::GOTO, 0, 3, op::RETURN];
        // Enter and Exit.
        assert_eq!(rewritten(&class(&[op::RETURN], None)), (2, false));
        assert_eq!(rewritten(&class(&jump, Some(FrameKind::Same))), (2, false));
        let overwritten = [op::ACONST_NULL, op::ASTORE_0, op::RETURN];
        assert_eq!(rewritten(&class(&overwritten, None)), (0, true));
        let forgotten = [
            FrameKind::Chop(1),
            FrameKind::Full {
                locals: vec![VType::Top],
                stack: vec![],
            },
        ];
        for frame in forgotten {
            assert_eq!(rewritten(&class(&jump, Some(frame))), (0, true));
        }
    }
}
