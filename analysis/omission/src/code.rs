//! The recorded code with the values that its instructions work on, and how a person reads an instruction.

use std::collections::HashMap;

use jinsi_classfile::cfg::Ending;
use jinsi_classfile::descriptor::MethodType;
use jinsi_classfile::effect::Access;
use jinsi_classfile::opcode;
use jinsi_steps::code::{Body, Constant, Instruction, Method, MethodNo, Program};
use jinsi_trace::model::Value;
use jinsi_trace::reader::Trace;

use crate::dynamic::{self, Dynamic};
use crate::place::Place;
use crate::values::{Born, Operand, ValueNo, Values};

/// Characters of a constant that are shown.
const SHOWN: usize = 40;

/// The code of a trace.
#[derive(Debug)]
pub struct Code<'t> {
    /// The trace.
    pub trace: &'t Trace,
    /// Its methods.
    pub program: Program,
    /// By method.
    values: Vec<Values>,
    dynamic: HashMap<Place, Dynamic>,
}

impl<'t> Code<'t> {
    /// Of a trace.
    pub fn of(trace: &'t Trace) -> Self {
        let program = Program::of(trace);
        let of_method = |method: &std::rc::Rc<Method>| {
            let body = method.body.as_deref();
            body.map(Values::of).unwrap_or_default()
        };
        let values = program.methods().iter().map(of_method).collect();
        Self {
            dynamic: dynamic::all(trace, &program),
            trace,
            program,
            values,
        }
    }

    /// What stands behind an `invokedynamic`.
    pub fn dynamic(&self, place: Place) -> Option<&Dynamic> {
        self.dynamic.get(&place)
    }

    /// A method.
    pub fn method(&self, no: MethodNo) -> &Method {
        self.program.get(no)
    }

    /// Its code, if its instructions are known.
    pub fn body(&self, no: MethodNo) -> Option<&Body> {
        self.program.get(no).body.as_deref()
    }

    /// All methods whose instructions are known.
    pub fn bodies(&self) -> impl Iterator<Item = (MethodNo, &Body)> {
        let methods = self.program.methods().iter().enumerate();
        methods.filter_map(|(no, method)| Some((MethodNo::from_index(no), method.body.as_deref()?)))
    }

    /// The values of a method.
    pub fn values(&self, no: MethodNo) -> &Values {
        &self.values[no.index()]
    }

    /// An instruction; `None` if there is none.
    pub fn instruction(&self, place: Place) -> Option<&Instruction> {
        self.body(place.method)?.instructions.get(place.at)
    }

    /// An operand of an instruction.
    pub fn operand(&self, place: Place, index: usize) -> Option<Operand> {
        self.values(place.method).operand(place.at, index)
    }

    /// The instruction that made a value, if one did.
    pub fn maker(&self, method: MethodNo, value: ValueNo) -> Option<(usize, &Instruction)> {
        let born = self.values(method).born.get(value as usize)?;
        let Born::Instruction(at) = *born else {
            return None;
        };
        let at = at as usize;
        Some((at, self.body(method)?.instructions.get(at)?))
    }

    /// How many operands the instruction has that belong to no argument: 1 if it has a receiver.
    pub fn receivers(instruction: &Instruction) -> usize {
        let static_call = matches!(
            instruction.opcode,
            opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC
        );
        match instruction.effect.access {
            Access::Invoke(_) => usize::from(!static_call),
            Access::GetField(_) | Access::PutField(_) | Access::ArrayLoad | Access::ArrayStore => 1,
            _ => 0,
        }
    }

    /// A method as `Class.name`, without its package.
    pub fn short_name(&self, no: MethodNo) -> String {
        let method = self.method(no);
        format!("{}.{}", simple(&method.owner), method.name)
    }

    /// An operand as the source has it, as far as that is known.
    pub fn expression(&self, place: Place, index: usize) -> String {
        let unknown = || "…".to_owned();
        let Some(operand) = self.operand(place, index) else {
            return unknown();
        };
        let Some(put_by) = operand.put_by.map(|at| at as usize) else {
            return unknown();
        };
        let there = Place {
            at: put_by,
            ..place
        };
        let (Some(instruction), Some(body)) = (self.instruction(there), self.body(place.method))
        else {
            return unknown();
        };
        match instruction.effect.access {
            Access::Load(slot) => variable(body, slot, instruction.bci)
                .map(str::to_owned)
                .unwrap_or_else(|| self.unnamed(place.method, operand, slot)),
            Access::GetField(_) | Access::GetStatic(_) => {
                let field = instruction.field.map(|no| self.program.field_name(no));
                field.unwrap_or_else(unknown)
            }
            Access::Invoke(_) => match &instruction.target {
                Some(target) => {
                    let given = MethodType::parse(&target.desc);
                    let is_empty = given.is_ok_and(|given| given.params.is_empty());
                    let given = if is_empty { "" } else { "…" };
                    format!("{}({given})", target.name)
                }
                None => unknown(),
            },
            Access::ArrayLoad => format!("{}[…]", self.expression(there, 0)),
            Access::Allocate => "new …".to_owned(),
            Access::None => constant(instruction).unwrap_or_else(unknown),
            _ => unknown(),
        }
    }

    /// Is the operand the result of a method that returns a `boolean`? The JVM compares that as an `int`.
    pub fn is_boolean(&self, place: Place, index: usize) -> bool {
        let put_by = self.operand(place, index).and_then(|o| o.put_by);
        let there = put_by.map(|at| Place {
            at: at as usize,
            ..place
        });
        let instruction = there.and_then(|there| self.instruction(there));
        let called = instruction.filter(|i| matches!(i.effect.access, Access::Invoke(_)));
        let target = called.and_then(|called| called.target.as_deref());
        target.is_some_and(|target| target.desc.ends_with(")Z"))
    }

    fn unnamed(&self, method: MethodNo, operand: Operand, slot: u16) -> String {
        let born = operand
            .value
            .and_then(|v| self.values(method).born.get(v as usize));
        let is_static = self.body(method).is_some_and(|body| {
            let words = MethodType::parse(&self.method(method).desc);
            words.is_ok_and(|words| words.params.len() == body.parameters.len())
        });
        match born {
            Some(Born::Parameter(0)) if !is_static => "this".to_owned(),
            Some(Born::Parameter(no)) => {
                format!("arg{}", usize::from(*no) - usize::from(!is_static))
            }
            _ => format!("slot{slot}"),
        }
    }

    /// An instruction as the source has it, with `name` in the place of one of its operands.
    pub fn text(&self, place: Place, named: Option<(usize, &str)>) -> String {
        let Some(instruction) = self.instruction(place) else {
            return "…".to_owned();
        };
        let operand = |index: usize| match named {
            Some((no, name)) if no == index => name.to_owned(),
            _ => self.expression(place, index),
        };
        let field = || {
            let field = instruction.field.map(|no| self.program.field_name(no));
            field.unwrap_or_else(|| "…".to_owned())
        };
        if let Some(dynamic) = self.dynamic(place) {
            return match dynamic.texts.as_slice() {
                [] => "a function".to_owned(),
                texts => format!("{:?}", texts.join("…")),
            };
        }
        match instruction.effect.access {
            Access::Invoke(_) => {
                let count = usize::from(instruction.effect.stack.pops());
                let first = Self::receivers(instruction);
                let arguments: Vec<String> = (first..count).map(operand).collect();
                let target = instruction.target.as_deref();
                let (owner, name) = target.map_or(("", "…"), |t| (&*t.owner, &*t.name));
                let arguments = arguments.join(", ");
                match (first, name) {
                    (_, "<init>") => format!("new {}({arguments})", simple(owner)),
                    (0, _) => format!("{}.{name}({arguments})", simple(owner)),
                    _ => format!("{}.{name}({arguments})", operand(0)),
                }
            }
            Access::GetField(_) => format!("{}.{}", operand(0), field()),
            Access::PutField(_) => format!("{}.{} = {}", operand(0), field(), operand(1)),
            Access::GetStatic(_) => field(),
            Access::PutStatic(_) => format!("{} = {}", field(), operand(0)),
            Access::ArrayLoad => format!("{}[{}]", operand(0), operand(1)),
            Access::ArrayStore => format!("{}[{}] = {}", operand(0), operand(1), operand(2)),
            Access::Branch(_) => {
                let count = usize::from(instruction.effect.stack.pops());
                let operands: Vec<String> = (0..count).map(operand).collect();
                format!("if ({})", condition(instruction.opcode, &operands))
            }
            Access::Store(slot) => match self.stored(place, slot) {
                Some(name) => format!("{name} = {}", operand(0)),
                None => "…".to_owned(),
            },
            Access::Return => "return".to_owned(),
            Access::Throw => format!("throw {}", operand(0)),
            _ => constant(instruction)
                .or_else(|| computed(instruction, operand))
                .unwrap_or_else(|| "…".to_owned()),
        }
    }
}

impl Code<'_> {
    /// The name of a variable from its store on.
    fn stored(&self, place: Place, slot: u16) -> Option<&str> {
        let body = self.body(place.method)?;
        let next = body.instructions.get(place.at + 1)?;
        variable(body, slot, next.bci)
    }

    /// What would have had to hold at a jump, so that it goes the way that begins with that instruction.
    pub fn needed(&self, jump: Place, way: u32) -> Option<String> {
        let (body, instruction) = (self.body(jump.method)?, self.instruction(jump)?);
        let block = body.cfg.block(body.cfg.block_of(jump.at));
        let count = usize::from(instruction.effect.stack.pops());
        let operands: Vec<String> = (0..count).map(|no| self.expression(jump, no)).collect();
        match block.ending {
            Ending::Branch => {
                let taken = body.cfg.block(*block.successors.first()?).first as u32;
                let op = match taken == way {
                    true => instruction.opcode,
                    false => opcode::inverted(instruction.opcode)?,
                };
                Some(match (op, operands.as_slice()) {
                    (opcode::IFNE, [only]) if self.is_boolean(jump, 0) => only.clone(),
                    (opcode::IFEQ, [only]) if self.is_boolean(jump, 0) => format!("!{only}"),
                    _ => condition(op, &operands),
                })
            }
            Ending::Switch => Some(format!("another case of {}", operands.join(", "))),
            _ => None,
        }
    }
}

/// The name of a class without its package.
pub fn simple(internal: &str) -> &str {
    internal.rsplit('/').next().unwrap_or(internal)
}

/// The name that a local variable has at a bytecode index.
fn variable(body: &Body, slot: u16, bci: u32) -> Option<&str> {
    let there = body
        .variables
        .iter()
        .find(|v| v.slot == slot && v.from <= bci && bci < v.to);
    there.map(|variable| variable.name.as_str())
}

/// What an instruction leaves that stands in the code.
fn constant(instruction: &Instruction) -> Option<String> {
    let number = |n: i32| Some(n.to_string());
    match (&instruction.constant, instruction.opcode) {
        (_, opcode::ACONST_NULL) => Some("null".to_owned()),
        (_, op @ opcode::ICONST_M1..=opcode::ICONST_5) => {
            number(i32::from(op) - i32::from(opcode::ICONST_0))
        }
        (Constant::Number(n), opcode::BIPUSH | opcode::SIPUSH) => number(*n),
        (Constant::Value(value), _) => Some(match value {
            Value::Str(text) => {
                let text = text.to_string();
                let shown: String = text.chars().take(SHOWN).collect();
                let more = if shown.len() < text.len() { "…" } else { "" };
                format!("{:?}", format!("{shown}{more}"))
            }
            Value::Prim(prim) => prim_text(prim),
            _ => return None,
        }),
        _ => None,
    }
}

/// What is computed of operands, as far as that can fail.
fn computed(instruction: &Instruction, operand: impl Fn(usize) -> String) -> Option<String> {
    let operator = match (&instruction.constant, instruction.opcode) {
        (_, opcode::ARRAYLENGTH) => return Some(format!("{}.length", operand(0))),
        (Constant::Class(class), opcode::CHECKCAST) => {
            return Some(format!("({}) {}", simple(class), operand(0)));
        }
        (_, opcode::IDIV | opcode::LDIV) => '/',
        (_, opcode::IREM | opcode::LREM) => '%',
        _ => return None,
    };
    Some(format!("{} {operator} {}", operand(0), operand(1)))
}

fn prim_text(prim: &jinsi_trace::model::Prim) -> String {
    use jinsi_trace::model::Prim;
    match prim {
        Prim::Boolean(v) => v.to_string(),
        Prim::Byte(v) => v.to_string(),
        Prim::Char(v) => v.to_string(),
        Prim::Short(v) => v.to_string(),
        Prim::Int(v) => v.to_string(),
        Prim::Long(v) => v.to_string(),
        Prim::Float(v) => v.to_string(),
        Prim::Double(v) => v.to_string(),
    }
}

/// What a conditional jump compares: it goes on elsewhere if that is so.
fn condition(op: u8, operands: &[String]) -> String {
    let sign = match op {
        opcode::IFEQ | opcode::IF_ICMPEQ | opcode::IF_ACMPEQ | opcode::IFNULL => "==",
        opcode::IFNE | opcode::IF_ICMPNE | opcode::IF_ACMPNE | opcode::IFNONNULL => "!=",
        opcode::IFLT | opcode::IF_ICMPLT => "<",
        opcode::IFGE | opcode::IF_ICMPGE => ">=",
        opcode::IFGT | opcode::IF_ICMPGT => ">",
        opcode::IFLE | opcode::IF_ICMPLE => "<=",
        opcode::TABLESWITCH | opcode::LOOKUPSWITCH => {
            return operands.join(", ");
        }
        _ => "?",
    };
    let other = match op {
        opcode::IFNULL | opcode::IFNONNULL => "null",
        _ => "0",
    };
    let one = operands.first().map_or("…", String::as_str);
    let two = operands.get(1).map_or(other, String::as_str);
    format!("{one} {sign} {two}")
}
