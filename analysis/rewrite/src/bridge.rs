//! Bodies of added and replaced methods.

use jinsi_classfile::asm::AsmError;
use jinsi_classfile::descriptor::{MethodType, Type};
use jinsi_classfile::frames::VType;
use jinsi_classfile::{Asm, Code, ConstantPool, PoolError, opcode};

use crate::{CodeError, REPLAY};

/// How a bridge asks the worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// A method call or construction.
    Call,
    /// Field read.
    Get,
    /// Field write.
    Put,
}

/// A bridge to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Body<'a> {
    /// Number for the worker.
    pub(super) no: u32,
    pub(super) access: Access,
    /// Its descriptor: receiver, if any, and arguments as the replaced instruction has them on the stack.
    pub(super) desc: &'a str,
    /// The first parameter is the receiver.
    pub(super) receiver: bool,
    /// There is a receiver; the original instruction (opcode and constant, with its descriptor) is run
    /// unless the receiver is a stand-in.
    pub(super) original: Option<Original<'a>>,
}

/// The replaced instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Original<'a> {
    pub(super) opcode: u8,
    pub(super) index: u16,
    pub(super) desc: &'a str,
    pub(super) asked_if: AskedIf<'a>,
}

/// What decides between the recording and the original instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AskedIf<'a> {
    /// This method of the worker says of the receiver whether the recording answers for it.
    OfReceiver(&'static str),
    /// The recording has this call there.
    Recorded,
    /// The recording has a construction of this class there.
    Constructed(&'a str),
}

impl Body<'_> {
    /// The bridge's code for a class file of version `major`.
    pub(super) fn code(&self, pool: &mut ConstantPool, major: u16) -> Result<Code, CodeError> {
        let method = MethodType::parse(self.desc)?;
        let mut asm = Asm::new();
        match self.original {
            None => self.ask(&mut asm, pool, &method),
            Some(original) => {
                let otherwise = asm.label();
                match original.asked_if {
                    AskedIf::OfReceiver(says) => {
                        asm.load('L', 0)
                            .invokestatic(pool, REPLAY, says, "(Ljava/lang/Object;)Z");
                    }
                    AskedIf::Recorded | AskedIf::Constructed(_) => {
                        asm.int(pool, self.no as i32);
                        match original.asked_if {
                            AskedIf::Recorded => asm.load('L', 0),
                            _ => asm.null(),
                        };
                        let desc = "(ILjava/lang/Object;)Z";
                        asm.invokestatic(pool, REPLAY, "isAnswered", desc);
                    }
                }
                asm.branch(opcode::IFEQ, otherwise);
                self.ask(&mut asm, pool, &method);
                if major < 50 {
                    asm.bind(otherwise);
                } else {
                    let locals = locals(pool, &method)?;
                    asm.bind_with_frame(otherwise, locals, Vec::new());
                }
                if let AskedIf::Constructed(class) = original.asked_if {
                    asm.typed(opcode::NEW, pool, class);
                    if method.result.is_some() {
                        asm.op(opcode::DUP);
                    }
                }
                load_all(&mut asm, &method.params, 0);
                match original.opcode {
                    op @ (opcode::GETFIELD | opcode::PUTFIELD) => {
                        asm.field(op, original.index, original.desc)
                    }
                    op => asm.invoke(op, original.index, original.desc),
                };
                asm.ret(method.result_letter());
            }
        }
        Ok(asm.into_code(pool, method.param_slots())?)
    }

    /// Asks the worker and returns its answer.
    fn ask(&self, asm: &mut Asm, pool: &mut ConstantPool, method: &MethodType<'_>) {
        let receivers = usize::from(self.receiver);
        let (receiver, args) = method.params.split_at(receivers);
        asm.int(pool, self.no as i32);
        match receiver {
            [] => asm.null(),
            _ => asm.load('L', 0),
        };
        let first = receivers as u16;
        match self.access {
            Access::Call => {
                array_of(asm, pool, args, first);
                asm.invokestatic(
                    pool,
                    REPLAY,
                    "call",
                    "(ILjava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
                );
            }
            Access::Get => {
                asm.invokestatic(
                    pool,
                    REPLAY,
                    "get",
                    "(ILjava/lang/Object;)Ljava/lang/Object;",
                );
            }
            Access::Put => {
                for value in args {
                    asm.load(value.letter(), first).boxed(pool, value.letter());
                }
                asm.invokestatic(
                    pool,
                    REPLAY,
                    "put",
                    "(ILjava/lang/Object;Ljava/lang/Object;)V",
                );
                asm.ret('V');
                return;
            }
        }
        answer(asm, pool, method.result);
    }
}

/// The body of a trap: the parameters of `desc`, behind the receiver unless `is_static`, go to the worker.
pub(super) fn trap(
    pool: &mut ConstantPool,
    no: u32,
    desc: &str,
    is_static: bool,
) -> Result<Code, CodeError> {
    let method = MethodType::parse(desc)?;
    let first = u16::from(!is_static);
    let mut asm = Asm::new();
    ask_trap(&mut asm, pool, no, &method, is_static);
    answer(&mut asm, pool, method.result);
    Ok(asm.into_code(pool, method.param_slots() + first)?)
}

/// The body of a trapped constructor: the receiver cannot be handed over before its superclass' constructor has run,
/// which would run real code; so it is never initialized, and if the worker returns, `null` is thrown.
pub(super) fn constructor_trap(
    pool: &mut ConstantPool,
    no: u32,
    desc: &str,
) -> Result<Code, CodeError> {
    let method = MethodType::parse(desc)?;
    let mut asm = Asm::new();
    asm.int(pool, no as i32).null();
    array_of(&mut asm, pool, &method.params, 1);
    invoke_trap(&mut asm, pool);
    asm.op(opcode::POP).null().op(opcode::ATHROW);
    Ok(asm.into_code(pool, method.param_slots() + 1)?)
}

/// Code to go before an instance method's own: a trap if the receiver is a stand-in, else the method goes on behind it.
/// Raw bytes and the stack they need.
pub(super) fn guard(
    pool: &mut ConstantPool,
    no: u32,
    desc: &str,
) -> Result<(Vec<u8>, u16), CodeError> {
    let method = MethodType::parse(desc)?;
    let mut asm = Asm::new();
    let own_code = asm.label();
    asm.load('L', 0)
        .invokestatic(pool, REPLAY, "isMock", "(Ljava/lang/Object;)Z")
        .branch(opcode::IFEQ, own_code);
    ask_trap(&mut asm, pool, no, &method, false);
    answer(&mut asm, pool, method.result);
    asm.bind(own_code);
    let code = asm.into_code(pool, method.param_slots() + 1)?;
    Ok((code.bytes, code.max_stack))
}

fn ask_trap(
    asm: &mut Asm,
    pool: &mut ConstantPool,
    no: u32,
    method: &MethodType<'_>,
    is_static: bool,
) {
    asm.int(pool, no as i32);
    if is_static {
        asm.null();
    } else {
        asm.load('L', 0);
    }
    array_of(asm, pool, &method.params, u16::from(!is_static));
    invoke_trap(asm, pool);
}

fn invoke_trap(asm: &mut Asm, pool: &mut ConstantPool) {
    asm.invokestatic(
        pool,
        REPLAY,
        "trap",
        "(ILjava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
    );
}

/// Returns the `Object` on the stack as a value of type `result`.
fn answer(asm: &mut Asm, pool: &mut ConstantPool, result: Option<Type<'_>>) {
    match result {
        Some(result) => asm.unboxed(pool, result.desc()).ret(result.letter()),
        None => asm.op(opcode::POP).ret('V'),
    };
}

/// Pushes an `Object[]` with the variables of types `params` that begin at slot `first`.
fn array_of(asm: &mut Asm, pool: &mut ConstantPool, params: &[Type<'_>], first: u16) {
    asm.int(pool, params.len() as i32)
        .typed(opcode::ANEWARRAY, pool, "java/lang/Object");
    let mut slot = first;
    for (i, param) in params.iter().enumerate() {
        asm.op(opcode::DUP)
            .int(pool, i as i32)
            .load(param.letter(), slot)
            .boxed(pool, param.letter())
            .op(opcode::AASTORE);
        slot += param.slots();
    }
}

fn load_all(asm: &mut Asm, params: &[Type<'_>], first: u16) {
    let mut slot = first;
    for param in params {
        asm.load(param.letter(), slot);
        slot += param.slots();
    }
}

/// The locals of a static method's first frame.
fn locals(pool: &mut ConstantPool, method: &MethodType<'_>) -> Result<Vec<VType>, CodeError> {
    let vtype = |param: &Type<'_>| -> Result<VType, PoolError> {
        Ok(match (param.letter(), param.class_name()) {
            (_, Some(class)) => VType::Object(pool.add_class(class)?),
            ('J', _) => VType::Long,
            ('D', _) => VType::Double,
            ('F', _) => VType::Float,
            _ => VType::Integer,
        })
    };
    let locals: Result<Vec<VType>, PoolError> = method.params.iter().map(vtype).collect();
    Ok(locals.map_err(AsmError::from)?)
}
