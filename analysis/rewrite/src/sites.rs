//! Which instructions of observed code may reach the environment, and what becomes of each.

use jinsi_classfile::flow::{Flow, NewShape, Value};
use jinsi_classfile::insn::Insn;
use jinsi_classfile::pool::MemberRef;
use jinsi_classfile::{ACC_FINAL, ACC_PROTECTED, ConstantPool, PoolError, opcode};

use crate::bridge::Access;
use crate::{Declared, World};
use jinsi_events::model::{Operation, is_string_or_box};
use jinsi_natural::{MACHINES, Natural, is_of_coverage, is_of_machine};

/// Is an instance of the class never a stand-in? Values travel by content, and arrays, class objects and handles are the JVM's own.
fn is_always_real(class: &str) -> bool {
    let of_machine = ["java/lang/Class", "java/lang/invoke/VarHandle"];
    class.starts_with('[') || is_string_or_box(class) || of_machine.contains(&class)
}

/// The receiver of a redirected site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Receiver {
    /// There is none.
    None,
    /// The original instruction remains, for receivers that are no stand-ins.
    MayBeReal,
    /// It is real, but what it is asked is the environment's business (`Class.getClassLoader`).
    AnswersFromRecording,
    /// There is none; a construction that is done for real unless the recording answers it.
    MayBeAnswered,
    /// The original instruction remains, unless the recording has this call there: the receiver is asked for its text, which may tell an
    /// identity hash code, or it may be an object of the environment that natural code has made.
    MayTell,
    /// It is asked for its hash code: the original instruction remains, unless that is an identity hash code.
    MayHash,
}

/// A site to be redirected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Redirect {
    pub(super) op: Operation,
    pub(super) access: Access,
    /// Member as the instruction names it.
    pub(super) owner: String,
    pub(super) name: String,
    pub(super) desc: String,
    /// Descriptor of the bridge.
    pub(super) bridge_desc: String,
    /// Whether there is a receiver, and what it means.
    pub(super) receiver: Receiver,
    /// Of a construction: offset of the `new`, and whether a `dup` follows it.
    pub(super) new: Option<(u32, bool)>,
}

/// Why a site cannot be redirected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SiteError {
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error("{0}")]
    Unsupported(&'static str),
}

/// Looks at the instructions of one method.
pub(super) struct Sites<'a> {
    pub(super) world: &'a World<'a>,
    /// Internal name of the class that holds the code.
    pub(super) class: &'a str,
    pub(super) pool: &'a ConstantPool,
    pub(super) flow: &'a Flow,
}

impl Sites<'_> {
    /// What becomes of `insn`; `None`: it stays.
    pub(super) fn redirect(&self, insn: &Insn<'_>) -> Result<Option<Redirect>, SiteError> {
        // Code that is never reached has no known stack, and needs none.
        if self.flow.at(insn.offset).is_none() {
            return Ok(None);
        }
        let index = insn.pool_index().unwrap_or_default();
        let member = |_: u8| self.pool.member_ref(index);
        Ok(match insn.opcode {
            op @ (opcode::INVOKEVIRTUAL | opcode::INVOKEINTERFACE) => {
                let member = member(op)?;
                let receiver = self.receiver_type(&member);
                self.call_on_object(insn.offset, &member, receiver, false)
            }
            op @ opcode::INVOKESPECIAL => {
                let member = member(op)?;
                if member.name == "<init>" {
                    return self.construction(insn.offset, &member);
                }
                // Private methods, and superclass methods called by accessors: on nothing but the current class (JVMS
                // §4.10.1.9).
                self.call_on_object(insn.offset, &member, self.class, true)
            }
            op @ opcode::INVOKESTATIC => self.static_call(&member(op)?),
            op @ (opcode::GETFIELD | opcode::PUTFIELD) => {
                self.field_of_object(insn.offset, op, &member(op)?)
            }
            op @ (opcode::GETSTATIC | opcode::PUTSTATIC) => self.static_field(op, &member(op)?),
            _ => None,
        })
    }

    /// A call on an object; the bridge takes it as a `receiver`.
    fn call_on_object(
        &self,
        offset: u32,
        member: &MemberRef<'_>,
        receiver: &str,
        special: bool,
    ) -> Option<Redirect> {
        let always_real = is_always_real(&member.owner);
        // Old compilers call `clone` of arrays by this name; no bridge can say that its receiver is either an array or
        // of the current class, as verification wants it (JVMS §4.10.1.8).
        let protected_of_object =
            member.owner == "java/lang/Object" && matches!(&*member.name, "clone" | "finalize");
        let natural = self.world.natural;
        let hash = member.name == "hashCode" && member.desc == "()I";
        let of_object = hash && special && member.owner == "java/lang/Object";
        let asked = of_object
            || self.is_of_machine(member)
            || natural.is_answered(&member.owner, &member.name, &member.desc)
            || always_real
                && !member.owner.starts_with('[')
                && !natural.is_natural_member(&member.owner, &member.name, &member.desc);
        let class_hash = hash && member.owner == "java/lang/Class";
        if !asked
            && !class_hash
            && (always_real || protected_of_object || self.is_this(offset) && (special || !hash))
        {
            return None;
        }
        let rest = member.desc.strip_prefix('(').unwrap_or_default();
        Some(Redirect {
            receiver: match () {
                // That of a member of observed code is real.
                () if member.owner == "java/lang/invoke/VarHandle" => Receiver::MayTell,
                () if asked => Receiver::AnswersFromRecording,
                () if hash => Receiver::MayHash,
                () if member.name == "toString" && member.desc == "()Ljava/lang/String;" => {
                    Receiver::MayTell
                }
                () if self.is_foreign(&member.owner) => Receiver::MayTell,
                () => Receiver::MayBeReal,
            },
            ..redirect(
                Operation::Call,
                Access::Call,
                member,
                format!("(L{receiver};{rest}"),
            )
        })
    }

    /// Does `Thread` itself do this, or the like, whatever class inherits it? Then the machine decides, also for observed threads.
    fn is_of_machine(&self, member: &MemberRef<'_>) -> bool {
        let universe = self.world.universe;
        let is_machine = |class: &str| MACHINES.iter().any(|m| universe.is_subtype(class, m));
        let declared = universe.method(&member.owner, &member.name, &member.desc);
        is_of_machine(&member.name)
            && is_machine(&member.owner)
            && declared.is_none_or(|d| !self.world.is_observed(d.class))
    }

    /// Is this a class of the JDK's that is the environment? Natural code may make an instance (a stream that reads objects makes
    /// descriptions of classes), which then is no stand-in.
    fn is_foreign(&self, class: &str) -> bool {
        !self.world.is_observed(class)
            && !self.world.natural.is_natural_class(class)
            && self.world.universe.opaque_ancestor(class) == class
            && class != "java/lang/Object"
    }

    fn static_call(&self, member: &MemberRef<'_>) -> Option<Redirect> {
        // A class that is only inherited may have it, too.
        if is_of_coverage(&member.name, &member.desc) {
            return None;
        }
        let universe = self.world.universe;
        let declared = universe.method(&member.owner, &member.name, &member.desc);
        let owner = self.declaring(member, declared);
        let natural = self.world.natural;
        if self.world.is_observed(owner)
            || natural.is_natural_member(owner, &member.name, &member.desc)
        {
            return None;
        }
        Some(redirect(
            Operation::CallStatic,
            Access::Call,
            member,
            member.desc.to_string(),
        ))
    }

    fn construction(
        &self,
        offset: u32,
        member: &MemberRef<'_>,
    ) -> Result<Option<Redirect>, SiteError> {
        let new = match self.flow.receiver(offset) {
            Some(Value::UninitThis) => return Ok(None),
            Some(Value::New(new)) => new,
            _ => {
                return Err(SiteError::Unsupported(
                    "a constructor call on an unknown object",
                ));
            }
        };
        let natural = self.world.natural;
        let runs = self.world.is_observed(&member.owner)
            || natural.is_natural_member(&member.owner, &member.name, &member.desc);
        let depends = runs && Natural::depends_on_others(&member.owner);
        if runs && !depends {
            return Ok(None);
        }
        let keep = match self.flow.new_site(new).map(|site| site.shape) {
            Some(NewShape::Pair) => true,
            Some(NewShape::Single) => false,
            _ if depends => return Ok(None),
            _ => {
                return Err(SiteError::Unsupported(
                    "a construction that is not one `new`, at most one `dup` and one constructor call",
                ));
            }
        };
        let params = member.desc.strip_suffix('V').unwrap_or_default();
        let result = if keep {
            format!("{params}L{};", member.owner)
        } else {
            member.desc.to_string()
        };
        Ok(Some(Redirect {
            new: Some((new, keep)),
            receiver: if depends {
                Receiver::MayBeAnswered
            } else {
                Receiver::None
            },
            ..redirect(Operation::Construct, Access::Call, member, result)
        }))
    }

    fn field_of_object(&self, offset: u32, op: u8, member: &MemberRef<'_>) -> Option<Redirect> {
        if self.is_this(offset) {
            return None;
        }
        let receiver = self.receiver_type(member);
        let universe = self.world.universe;
        let declared = universe.field(&member.owner, &member.name, &member.desc);
        let desc = &member.desc;
        let (operation, access, bridge_desc) = if op == opcode::GETFIELD {
            let desc = format!("(L{receiver};){desc}");
            (Operation::GetField, Access::Get, desc)
        } else {
            // Legal in a constructor of the declaring class only, where no bridge can do it; the object is one of S
            // then.
            if declared.is_some_and(|d| d.access & ACC_FINAL != 0) {
                return None;
            }
            let desc = format!("(L{receiver};{desc})V");
            (Operation::PutField, Access::Put, desc)
        };
        Some(Redirect {
            receiver: Receiver::MayBeReal,
            ..redirect(operation, access, member, bridge_desc)
        })
    }

    fn static_field(&self, op: u8, member: &MemberRef<'_>) -> Option<Redirect> {
        let universe = self.world.universe;
        let declared = universe.field(&member.owner, &member.name, &member.desc);
        let owner = self.declaring(member, declared);
        if self.world.is_observed(owner) {
            return None;
        }
        let desc = &member.desc;
        if op == opcode::PUTSTATIC {
            let (operation, access) = (Operation::PutStatic, Access::Put);
            return Some(redirect(operation, access, member, format!("({desc})V")));
        }
        let natural = self.world.natural;
        if declared.is_some_and(|d| d.constant)
            || natural.is_natural_field(owner, &member.name, desc)
        {
            return None;
        }
        let (operation, access) = (Operation::GetStatic, Access::Get);
        Some(redirect(operation, access, member, format!("(){desc}")))
    }

    fn is_this(&self, offset: u32) -> bool {
        let receiver = self.flow.receiver(offset);
        matches!(receiver, Some(Value::This | Value::UninitThis))
    }

    /// The class that declares a static member. If the table does not know, it is in the JDK, at or above the first
    /// class there.
    fn declaring<'m>(
        &'m self,
        member: &'m MemberRef<'_>,
        declared: Option<Declared<'m>>,
    ) -> &'m str {
        match declared {
            Some(declared) => declared.class,
            None => self.world.universe.opaque_ancestor(&member.owner),
        }
    }

    /// Type of the bridge's receiver. The instruction's own class will do, but for protected members inherited from
    /// another package: they are accessible on the current class only (JVMS §4.10.1.8), which the object then is.
    fn receiver_type<'m>(&'m self, member: &'m MemberRef<'_>) -> &'m str {
        let universe = self.world.universe;
        let (owner, name, desc) = (&*member.owner, &*member.name, &*member.desc);
        let declared = if desc.starts_with('(') {
            universe.method(owner, name, desc)
        } else {
            universe.field(owner, name, desc)
        };
        let is_protected = declared.is_some_and(|d| {
            d.access & ACC_PROTECTED != 0 && package(d.class) != package(self.class)
        });
        if is_protected && universe.is_subtype(self.class, owner) {
            self.class
        } else {
            owner
        }
    }
}

fn redirect(
    op: Operation,
    access: Access,
    member: &MemberRef<'_>,
    bridge_desc: String,
) -> Redirect {
    Redirect {
        op,
        access,
        owner: member.owner.to_string(),
        name: member.name.to_string(),
        desc: member.desc.to_string(),
        bridge_desc,
        receiver: Receiver::None,
        new: None,
    }
}

fn package(class: &str) -> &str {
    class.rfind('/').map_or("", |end| &class[..end])
}
