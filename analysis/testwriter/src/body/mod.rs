//! Bodies of lambdas as expressions, read off their instructions: those without loops and variables of their own, as most are
//! (`docs/decisions/0018-written-tests.md`).

mod branch;
mod operators;

use std::collections::HashMap;

use jinsi_classfile::constants::Loaded;
use jinsi_classfile::insn::{self, Insn};
use jinsi_classfile::opcode as op;
use jinsi_classfile::{ACC_VARARGS, ClassFile};
use jinsi_trace::model::{MemberRef, Prim, Value};

use branch::{Condition, Flow};

use super::Inexpressible;
use super::access::{params, result};
use super::java::{JavaExpr, JavaStmt, JavaType, LambdaBody, Node, Primitive, Target};
use super::member::is_generic_container;
use super::writer::Writer;

/// Instructions of a body that is still written.
const LONGEST: usize = 60;

/// Fields of an object that has no name in a test: by name what they hold, and the types of that.
pub(super) type Fields = HashMap<String, (Value, JavaType)>;

/// What is on the stack.
#[derive(Clone, Debug)]
enum Term {
    /// An expression.
    Value(JavaExpr),
    /// What a branch chose, and, where it may be true or false, what that depends on.
    Chosen {
        value: JavaExpr,
        condition: Option<Box<Condition>>,
    },
    /// Two numbers that were compared; where one is none, the result is `nan`.
    Compared {
        left: JavaExpr,
        right: JavaExpr,
        nan: Option<i32>,
    },
    /// An object without its constructor.
    Raw(String),
    /// An array that is being filled: its type, its length, what is in it.
    Array {
        ty: JavaType,
        length: usize,
        items: Vec<JavaExpr>,
    },
}

impl Term {
    /// An expression's type.
    fn ty(&self) -> Option<&JavaType> {
        match self {
            Self::Value(value) | Self::Chosen { value, .. } => Some(&value.ty),
            _ => None,
        }
    }
}

/// The body in the making.
struct Body<'w, 'a, 'c> {
    writer: &'w mut Writer<'a>,
    class: &'c ClassFile,
    /// By slot.
    locals: Vec<Option<JavaExpr>>,
    /// Those of `this`.
    fields: Fields,
    stack: Vec<Term>,
    statements: Vec<JavaExpr>,
    /// Instructions that were gone through.
    gone: usize,
}

impl Writer<'_> {
    /// The body of this method, a block if it is more than one expression; `locals` are its parameters, `fields` those of `this`, which
    /// the body has no other way to name.
    pub(super) fn body(
        &mut self,
        method: &MemberRef,
        locals: Vec<JavaExpr>,
        fields: Fields,
    ) -> Result<LambdaBody, Inexpressible> {
        let no = || Inexpressible("the body of a function cannot be written".into());
        let class = self
            .request
            .classes
            .class_file(&method.owner)
            .ok_or_else(no)?;
        let at = class
            .find_method(&method.name, &method.desc)
            .ok_or_else(no)?;
        let code = class
            .methods
            .get(at)
            .and_then(|m| m.code(&class.pool).ok()?);
        let code = code.filter(|c| c.handlers.is_empty()).ok_or_else(no)?;
        let insns = insn::decode(&code.bytes).map_err(|_| no())?;
        if insns.len() > LONGEST {
            return Err(no());
        }
        let mut slots = Vec::new();
        for local in locals {
            let wide = local.ty.slots() > 1;
            slots.push(Some(local));
            slots.extend(wide.then_some(None));
        }
        let result = result(&method.desc);
        let mut body = Body {
            writer: self,
            class: &class,
            locals: slots,
            fields,
            stack: Vec::new(),
            statements: Vec::new(),
            gone: 0,
        };
        let flow = Flow::of(insns).ok_or_else(no)?;
        body.whole(&flow).ok_or_else(no)?;
        body.end(result.as_ref()).ok_or_else(no)
    }
}

impl Body<'_, '_, '_> {
    fn end(mut self, result: Option<&JavaType>) -> Option<LambdaBody> {
        let value = match result {
            Some(ty) => Some(self.pop_as(ty)?),
            None => None,
        };
        if !self.stack.is_empty() {
            return None;
        }
        // As a result, Java puts it into a box by itself.
        let value = value.map(|value| boxed(&value).cloned().unwrap_or(value));
        Some(match (value, &self.statements[..]) {
            (Some(one), []) => LambdaBody::Value(Box::new(one)),
            (None, [one]) => LambdaBody::Value(Box::new(one.clone())),
            (value, _) => {
                let statements = self.statements.into_iter().map(JavaStmt::Expression);
                LambdaBody::Block(statements.chain(value.map(JavaStmt::Return)).collect())
            }
        })
    }

    /// `None`: it cannot be written.
    fn step(&mut self, insn: &Insn<'_>) -> Option<()> {
        match insn.opcode {
            op::NOP => {}
            op::ACONST_NULL => self.push(JavaExpr::null()),
            op::ICONST_M1..=op::ICONST_5 => {
                self.int(i32::from(insn.opcode) - i32::from(op::ICONST_0))
            }
            op::BIPUSH | op::SIPUSH => self.int(insn.immediate()?),
            op::LCONST_0 | op::LCONST_1 => {
                self.number(Prim::Long(i64::from(insn.opcode - op::LCONST_0)));
            }
            op::DCONST_0 | op::DCONST_1 => {
                self.number(Prim::Double(f64::from(insn.opcode - op::DCONST_0)));
            }
            op::FCONST_0..=op::FCONST_2 => {
                self.number(Prim::Float(f32::from(insn.opcode - op::FCONST_0)));
            }
            op::LDC | op::LDC_W | op::LDC2_W => self.constant(insn.pool_index()?)?,
            op::ILOAD..=op::ALOAD_3 => {
                let local = self.locals.get(usize::from(insn.local()?))?.clone()?;
                self.push(local);
            }
            op::POP | op::POP2 => {
                let value = self.pop()?;
                self.statement(value)?;
            }
            op::DUP => {
                let top = self.stack.last()?.clone();
                matches!(top, Term::Raw(_) | Term::Array { .. }).then_some(())?;
                self.stack.push(top);
            }
            op::GETSTATIC | op::GETFIELD | op::PUTSTATIC | op::PUTFIELD => self.field(insn)?,
            op::INVOKEVIRTUAL | op::INVOKEINTERFACE | op::INVOKESTATIC | op::INVOKESPECIAL => {
                self.invoke(insn)?;
            }
            op::INVOKEDYNAMIC => self.concatenation(insn.pool_index()?)?,
            op::NEW => {
                let class = self.class.pool.class_name(insn.pool_index()?).ok()?;
                self.stack.push(Term::Raw(class.into_owned()));
            }
            op::CHECKCAST | op::INSTANCEOF => self.cast(insn)?,
            op::ANEWARRAY | op::NEWARRAY => self.array(insn)?,
            op::IASTORE..=op::SASTORE => self.store()?,
            op::IALOAD..=op::SALOAD => self.element()?,
            op::ARRAYLENGTH => {
                let array = self.pop()?;
                self.push(JavaExpr::field(array, "length", JavaType::INT));
            }
            op::IADD..=op::DREM => self.arithmetic(insn.opcode)?,
            op::I2L..=op::I2S => self.convert(insn.opcode)?,
            op::LCMP..=op::DCMPG => self.compare(insn.opcode)?,
            _ => return None,
        }
        Some(())
    }

    /// An element of an array.
    fn element(&mut self) -> Option<()> {
        let index = self.pop_as(&JavaType::INT)?;
        let array = self.pop()?;
        array.ty.is_array().then(|| self.push(array.element(index)))
    }

    fn push(&mut self, value: JavaExpr) {
        self.stack.push(Term::Value(value));
    }

    fn int(&mut self, value: i32) {
        self.push(JavaExpr::int(value));
    }

    fn number(&mut self, value: Prim) {
        self.push(JavaExpr::literal(value));
    }

    fn constant(&mut self, index: u16) -> Option<()> {
        let pool = &self.class.pool;
        match pool.loaded(index).ok()?? {
            Loaded::Int(v) => self.int(v),
            Loaded::Long(v) => self.number(Prim::Long(v)),
            Loaded::Float(v) => self.number(Prim::Float(v)),
            Loaded::Double(v) => self.number(Prim::Double(v)),
            Loaded::Text(text) => self.push(JavaExpr::text(&text)),
            Loaded::Class(class) => {
                let class = self.named(&class)?;
                self.push(JavaExpr::class(class));
            }
        }
        Some(())
    }

    fn named(&self, class: &str) -> Option<JavaType> {
        let ty = JavaType::class(class);
        self.writer.scope.type_accessible(&ty).then_some(ty)
    }

    fn pop(&mut self) -> Option<JavaExpr> {
        match self.stack.pop()? {
            Term::Value(value) | Term::Chosen { value, .. } => Some(value),
            Term::Raw(_) | Term::Compared { .. } => None,
            Term::Array { ty, length, items } => match items.len() {
                0 => Some(JavaExpr::new_array(ty, length)),
                n if n == length => Some(JavaExpr::array_of(ty, items)),
                _ => None,
            },
        }
    }

    /// The top of the stack where a value of this type is wanted.
    fn pop_as(&mut self, ty: &JavaType) -> Option<JavaExpr> {
        use Primitive::{Boolean, Byte, Char, Int, Short};
        if let Some(Term::Chosen {
            condition: Some(condition),
            ..
        }) = self.stack.last()
            && *ty == JavaType::BOOLEAN
        {
            let holds = condition.holds().clone();
            self.stack.pop();
            return Some(holds);
        }
        let value = self.pop()?;
        Some(
            match (ty.primitive(), value.as_int(), value.ty.primitive()) {
                (Some(Boolean), Some(number), _) => JavaExpr::literal(Prim::Boolean(number != 0)),
                (Some(Boolean), None, own) if own != Some(Boolean) => return None,
                (Some(Char), Some(number), _) => {
                    JavaExpr::literal(Prim::Char(u16::try_from(number).ok()?))
                }
                // To widen takes no instruction, and decides between methods, and between a letter and its number.
                (Some(Int), _, Some(Byte | Char | Short)) => value.cast(JavaType::INT),
                (Some(Byte | Char | Short), _, Some(Int)) => value.cast(ty.clone()),
                _ => value,
            },
        )
    }

    /// A statement that is an expression. Nothing may wait for what comes before it.
    fn statement(&mut self, code: JavaExpr) -> Option<()> {
        let is_one = self.stack.is_empty() && code.is_statement();
        is_one.then(|| self.statements.push(code))
    }

    fn member(&self, index: u16) -> Option<MemberRef> {
        let member = self.class.pool.member_ref(index).ok()?;
        let member = MemberRef {
            owner: member.owner.as_ref().into(),
            name: member.name.as_ref().into(),
            desc: member.desc.as_ref().into(),
        };
        let scope = &self.writer.scope;
        (scope.class_accessible(&member.owner) && scope.member_accessible(&member))
            .then_some(member)
    }

    fn field(&mut self, insn: &Insn<'_>) -> Option<()> {
        let is_this = |term: &Term| matches!(term, Term::Value(of) if of.node == Node::This);
        if insn.opcode == op::GETFIELD && self.stack.last().is_some_and(is_this) {
            let field = self.class.pool.member_ref(insn.pool_index()?).ok()?;
            let (value, ty) = self.fields.get(&*field.name)?.clone();
            let held = self.writer.kept(&value, &ty).ok()?;
            self.stack.pop();
            self.push(held);
            return Some(());
        }
        let field = self.member(insn.pool_index()?)?;
        let ty = JavaType::of(&field.desc);
        let puts = matches!(insn.opcode, op::PUTSTATIC | op::PUTFIELD);
        let value = match puts {
            true => Some(self.pop_as(&ty)?),
            false => None,
        };
        let of = match insn.opcode {
            op::GETSTATIC | op::PUTSTATIC => Target::Static(self.named(&field.owner)?),
            _ => self.pop()?.into(),
        };
        let place = JavaExpr::field(of, &field.name, ty);
        match value {
            Some(value) => self.statement(place.assign(value)),
            None => {
                self.push(place);
                Some(())
            }
        }
    }

    fn invoke(&mut self, insn: &Insn<'_>) -> Option<()> {
        let method = self.member(insn.pool_index()?)?;
        let args = self.args(&method)?;
        if insn.opcode == op::INVOKESPECIAL {
            return self.construct(&method, args);
        }
        let of = match insn.opcode {
            op::INVOKESTATIC => Target::Static(self.named(&method.owner)?),
            _ => self.pop()?.into(),
        };
        let ty = result(&method.desc).unwrap_or(JavaType::Void);
        let call = JavaExpr::call(of, &method.name, args, ty);
        match call.ty {
            JavaType::Void => self.statement(call),
            _ => {
                self.push(call);
                Some(())
            }
        }
    }

    fn args(&mut self, method: &MemberRef) -> Option<Vec<JavaExpr>> {
        let types = params(&method.desc);
        let any_number = match self.writer.scope.find(method) {
            Some((_, m)) => m.access & ACC_VARARGS != 0,
            // The JDK takes what is written as an array by `...`, mostly.
            None => true,
        };
        let mut args = Vec::new();
        for (at, ty) in types.iter().enumerate().rev() {
            let last = at + 1 == types.len() && any_number;
            match self.stack.last()? {
                Term::Array { items, length, .. } if last && items.len() == *length => {
                    args.extend(items.iter().rev().cloned());
                    self.stack.pop();
                }
                _ => args.push(self.pop_as(ty)?),
            }
        }
        args.reverse();
        Some(args)
    }

    fn construct(&mut self, method: &MemberRef, args: Vec<JavaExpr>) -> Option<()> {
        let (Term::Raw(class), true) = (self.stack.pop()?, method.name == "<init>") else {
            return None;
        };
        let ty = self.named(&class)?;
        // The other one of the two is what remains.
        let kept = matches!(self.stack.last(), Some(Term::Raw(other)) if *other == class);
        let made = JavaExpr::make_generic(ty, is_generic_container(&class), args);
        if self.writer.scope.is_inner(&class) {
            return None;
        }
        match kept {
            true => {
                self.stack.pop();
                self.push(made);
                Some(())
            }
            false => self.statement(made),
        }
    }

    fn cast(&mut self, insn: &Insn<'_>) -> Option<()> {
        let class = self.class.pool.class_name(insn.pool_index()?).ok()?;
        let value = self.pop()?;
        let ty = self.named(&class)?;
        self.push(match insn.opcode {
            op::INSTANCEOF => value.instance_of(ty),
            _ if value.ty == ty => value,
            _ => value.cast(ty),
        });
        Some(())
    }

    fn array(&mut self, insn: &Insn<'_>) -> Option<()> {
        const CODES: [char; 8] = ['Z', 'C', 'F', 'D', 'B', 'S', 'I', 'J'];
        let element = match insn.opcode {
            op::NEWARRAY => {
                let code = usize::from(*insn.bytes.get(1)?);
                let letter = CODES.get(code.checked_sub(4)?)?;
                JavaType::Primitive(Primitive::of_letter(*letter)?)
            }
            _ => JavaType::class(&self.class.pool.class_name(insn.pool_index()?).ok()?),
        };
        let ty = element.array();
        if !self.writer.scope.type_accessible(&ty) {
            return None;
        }
        let length = usize::try_from(self.pop()?.as_int()?).ok()?;
        self.stack.push(Term::Array {
            ty,
            length,
            items: Vec::new(),
        });
        Some(())
    }

    /// An element of an array that is being filled, in order.
    fn store(&mut self) -> Option<()> {
        let ty = match self.stack.get(self.stack.len().checked_sub(3)?)? {
            Term::Array { ty, .. } => ty.element()?.clone(),
            _ => return None,
        };
        let item = self.pop_as(&ty)?;
        let at = usize::try_from(self.pop()?.as_int()?).ok()?;
        self.stack.pop();
        match self.stack.last_mut()? {
            Term::Array { items, .. } if items.len() == at => {
                items.push(item);
                Some(())
            }
            _ => None,
        }
    }
}

/// The primitive value that the expression puts into a box, if it does nothing else.
fn boxed(value: &JavaExpr) -> Option<&JavaExpr> {
    match &value.node {
        Node::Call(Target::Static(class), name, args) => match &args[..] {
            [arg] if name == "valueOf" && class.unboxed().is_some() => {
                arg.ty.primitive().map(|_| arg)
            }
            _ => None,
        },
        _ => None,
    }
}
