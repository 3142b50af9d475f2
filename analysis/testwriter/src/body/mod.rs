//! Bodies of lambdas as expressions, read off their instructions: those without loops and variables of their own, as most are
//! (`docs/decisions/0018-written-tests.md`).

mod branch;
mod operators;

use std::collections::HashMap;

use jinsi_classfile::constants::Loaded;
use jinsi_classfile::insn::{self, Insn};
use jinsi_classfile::opcode as op;
use jinsi_classfile::{ACC_VARARGS, ClassFile};
use jinsi_trace::model::{JavaString, MemberRef, Prim, Value};

use branch::{Condition, Flow};

use super::access::{desc_of, params, result};
use super::member::{BOXES, is_generic_container};
use super::writer::Writer;
use super::{Inexpressible, literal};

/// Instructions of a body that is still written.
const LONGEST: usize = 60;

/// Fields of an object that has no name in a test: by name what they hold, and the types of that.
pub(super) type Fields = HashMap<String, (Value, String)>;

/// What is on the stack.
#[derive(Clone, Debug)]
enum Term {
    /// An expression, and the descriptor of its type; `simple`: it needs no brackets as an operand or receiver.
    Value {
        text: String,
        ty: String,
        simple: bool,
    },
    /// What a branch chose, and, where it may be true or false, what that depends on.
    Chosen {
        text: String,
        ty: String,
        condition: Option<Box<Condition>>,
    },
    /// Two numbers that were compared; where one is none, the result is `nan`.
    Compared {
        left: String,
        right: String,
        nan: Option<i32>,
    },
    /// An object without its constructor.
    Raw(String),
    /// An array that is being filled: its type, its length, what is in it.
    Array {
        ty: String,
        length: usize,
        items: Vec<String>,
    },
}

impl Term {
    /// Descriptor of an expression's type.
    fn ty(&self) -> Option<&str> {
        match self {
            Self::Value { ty, .. } | Self::Chosen { ty, .. } => Some(ty),
            _ => None,
        }
    }
}

/// The body in the making.
struct Body<'w, 'a, 'c> {
    writer: &'w mut Writer<'a>,
    class: &'c ClassFile,
    /// By slot: the expression and its type.
    locals: Vec<Option<(String, String)>>,
    /// Those of `this`.
    fields: Fields,
    stack: Vec<Term>,
    statements: Vec<String>,
    /// What was put into a box last: with the box, and without.
    boxed: Option<(String, String)>,
    /// Instructions that were gone through.
    gone: usize,
}

impl Writer<'_> {
    /// The body of this method, `{ … }` if it is more than one expression; `locals` are its parameters, `fields` those of `this`, which
    /// the body has no other way to name.
    pub(super) fn body(
        &mut self,
        method: &MemberRef,
        locals: Vec<(String, String)>,
        fields: Fields,
    ) -> Result<String, Inexpressible> {
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
        for (text, ty) in locals {
            let wide = ty == "J" || ty == "D";
            slots.push(Some((text, ty)));
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
            boxed: None,
            gone: 0,
        };
        let flow = Flow::of(insns).ok_or_else(no)?;
        body.whole(&flow).ok_or_else(no)?;
        body.end(result.as_deref()).ok_or_else(no)
    }
}

impl Body<'_, '_, '_> {
    fn end(mut self, result: Option<&str>) -> Option<String> {
        let value = match result {
            Some(ty) => Some(self.pop_as(ty)?),
            None => None,
        };
        if !self.stack.is_empty() {
            return None;
        }
        // As a result, Java puts it into a box by itself.
        let value = value.map(|value| match self.boxed {
            Some((boxed, inner)) if boxed == value => inner,
            _ => value,
        });
        Some(match (value, &self.statements[..]) {
            (Some(value), []) => value,
            (None, [one]) => one.clone(),
            (value, statements) => {
                let mut text = String::from("{ ");
                for statement in statements {
                    text += &format!("{statement}; ");
                }
                if let Some(value) = value {
                    text += &format!("return {value}; ");
                }
                text + "}"
            }
        })
    }

    /// `None`: it cannot be written.
    fn step(&mut self, insn: &Insn<'_>) -> Option<()> {
        match insn.opcode {
            op::NOP => {}
            op::ACONST_NULL => self.push("null", "null", true),
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
                let (text, ty) = self.locals.get(usize::from(insn.local()?))?.clone()?;
                self.push(&text, &ty, true);
            }
            op::POP | op::POP2 => {
                let text = self.pop()?.0;
                self.statement(text)?;
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
                let (text, _, simple) = self.operand()?;
                self.push(&format!("{}.length", bracketed(&text, simple)), "I", true);
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
        let index = self.pop_as("I")?;
        let (array, ty, simple) = self.operand()?;
        let element = ty.strip_prefix('[')?;
        self.push(
            &format!("{}[{index}]", bracketed(&array, simple)),
            element,
            true,
        );
        Some(())
    }

    fn push(&mut self, text: &str, ty: &str, simple: bool) {
        self.stack.push(Term::Value {
            text: text.to_owned(),
            ty: ty.to_owned(),
            simple,
        });
    }

    fn int(&mut self, value: i32) {
        self.number(Prim::Int(value));
    }

    fn number(&mut self, value: Prim) {
        let text = literal::primitive(value);
        let ty = value.letter().to_string();
        let simple = !text.starts_with('-');
        self.push(&text, &ty, simple);
    }

    fn constant(&mut self, index: u16) -> Option<()> {
        let pool = &self.class.pool;
        match pool.loaded(index).ok()?? {
            Loaded::Int(v) => self.int(v),
            Loaded::Long(v) => self.number(Prim::Long(v)),
            Loaded::Float(v) => self.number(Prim::Float(v)),
            Loaded::Double(v) => self.number(Prim::Double(v)),
            Loaded::Text(text) => {
                let text = literal::string(&JavaString::new(&text));
                self.push(&text, "Ljava/lang/String;", true);
            }
            Loaded::Class(class) => {
                let class = class.into_owned();
                let text = self.named(&class)? + ".class";
                self.push(&text, "Ljava/lang/Class;", true);
            }
        }
        Some(())
    }

    fn named(&mut self, class: &str) -> Option<String> {
        let desc = desc_of(class);
        self.writer
            .scope
            .type_accessible(&desc)
            .then(|| self.writer.imports.descriptor(&desc))
    }

    /// Text, type, and whether it needs no brackets.
    fn operand(&mut self) -> Option<(String, String, bool)> {
        match self.stack.pop()? {
            Term::Value { text, ty, simple } => Some((text, ty, simple)),
            Term::Chosen { text, ty, .. } => Some((text, ty, false)),
            Term::Raw(_) | Term::Compared { .. } => None,
            Term::Array { ty, length, items } => {
                let text = match items.len() {
                    0 => {
                        let element = self.writer.imports.descriptor(&ty[1..]);
                        format!("new {element}[{length}]")
                    }
                    n if n == length => {
                        let array = self.writer.imports.descriptor(&ty);
                        format!("new {array} {{{}}}", items.join(", "))
                    }
                    _ => return None,
                };
                Some((text, ty, false))
            }
        }
    }

    fn pop(&mut self) -> Option<(String, String)> {
        self.operand().map(|(text, ty, _)| (text, ty))
    }

    /// The top of the stack where a value of this type is wanted.
    fn pop_as(&mut self, ty: &str) -> Option<String> {
        if let (
            "Z",
            Some(Term::Chosen {
                condition: Some(condition),
                ..
            }),
        ) = (ty, self.stack.last())
        {
            let text = condition.text().to_owned();
            self.stack.pop();
            return Some(text);
        }
        let (text, own, simple) = self.operand()?;
        let number = text.parse::<i32>().ok().filter(|_| own == "I");
        Some(match (ty, number) {
            ("Z", Some(value)) => (value != 0).to_string(),
            ("Z", None) if own != "Z" => return None,
            ("C", Some(value)) => literal::primitive(Prim::Char(u16::try_from(value).ok()?)),
            // To widen takes no instruction, and decides between methods, and between a letter and its number.
            ("I", _) if matches!(&*own, "B" | "C" | "S") => {
                format!("(int) {}", bracketed(&text, simple))
            }
            ("B" | "C" | "S", _) if own == "I" => {
                let ty = self.writer.imports.descriptor(ty);
                format!("({ty}) ({text})")
            }
            _ => text,
        })
    }

    /// A statement that is an expression. Nothing may wait for what comes before it.
    fn statement(&mut self, text: String) -> Option<()> {
        let is_statement = text.ends_with(')') && !text.starts_with('(') || text.contains(" = ");
        (self.stack.is_empty() && is_statement).then(|| self.statements.push(text))
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
        if insn.opcode == op::GETFIELD
            && matches!(self.stack.last(), Some(Term::Value { text, .. }) if text == "this")
        {
            let field = self.class.pool.member_ref(insn.pool_index()?).ok()?;
            let (value, ty) = self.fields.get(&*field.name)?.clone();
            let text = self.writer.kept(&value, &ty).ok()?;
            self.stack.pop();
            self.push(&text, &ty, is_simple(&text));
            return Some(());
        }
        let field = self.member(insn.pool_index()?)?;
        let puts = matches!(insn.opcode, op::PUTSTATIC | op::PUTFIELD);
        let value = match puts {
            true => Some(self.pop_as(&field.desc)?),
            false => None,
        };
        let of = match insn.opcode {
            op::GETSTATIC | op::PUTSTATIC => self.named(&field.owner)?,
            _ => {
                let (text, _, simple) = self.operand()?;
                bracketed(&text, simple)
            }
        };
        let text = format!("{of}.{}", field.name);
        match value {
            Some(value) => self.statement(format!("{text} = {value}")),
            None => {
                self.push(&text, &field.desc, true);
                Some(())
            }
        }
    }

    fn invoke(&mut self, insn: &Insn<'_>) -> Option<()> {
        let method = self.member(insn.pool_index()?)?;
        let args = self.args(&method)?;
        if insn.opcode == op::INVOKESPECIAL {
            return self.construct(&method, &args);
        }
        let of = match insn.opcode {
            op::INVOKESTATIC => self.named(&method.owner)?,
            _ => {
                let (text, _, simple) = self.operand()?;
                bracketed(&text, simple)
            }
        };
        let text = format!("{of}.{}({args})", method.name);
        if is_boxing(&method) {
            self.boxed = Some((text.clone(), args));
        }
        match result(&method.desc) {
            Some(ty) => self.push(&text, &ty, true),
            None => self.statement(text)?,
        }
        Some(())
    }

    fn args(&mut self, method: &MemberRef) -> Option<String> {
        let types = params(&method.desc);
        let any_number = match self.writer.scope.find(method) {
            Some((_, m)) => m.access & ACC_VARARGS != 0,
            // The JDK takes what is written as an array by `...`, mostly.
            None => true,
        };
        let mut texts = Vec::new();
        for (at, ty) in types.iter().enumerate().rev() {
            let last = at + 1 == types.len() && any_number;
            match self.stack.last()? {
                Term::Array { items, length, .. } if last && items.len() == *length => {
                    texts.extend(items.iter().rev().cloned());
                    self.stack.pop();
                }
                _ => texts.push(self.pop_as(ty)?),
            }
        }
        texts.reverse();
        Some(texts.join(", "))
    }

    fn construct(&mut self, method: &MemberRef, args: &str) -> Option<()> {
        let (Term::Raw(class), true) = (self.stack.pop()?, method.name == "<init>") else {
            return None;
        };
        let name = self.named(&class)?;
        let inner = self.writer.scope.is_inner(&class);
        // The other one of the two is what remains.
        let kept = matches!(self.stack.last(), Some(Term::Raw(other)) if *other == class);
        let diamond = if is_generic_container(&class) {
            "<>"
        } else {
            ""
        };
        let text = format!("new {name}{diamond}({args})");
        if inner {
            return None;
        }
        match kept {
            true => {
                self.stack.pop();
                self.push(&text, &desc_of(&class), true);
                Some(())
            }
            false => self.statement(text),
        }
    }

    fn cast(&mut self, insn: &Insn<'_>) -> Option<()> {
        let class = self.class.pool.class_name(insn.pool_index()?).ok()?;
        let class = class.into_owned();
        let (text, ty, simple) = self.operand()?;
        let name = self.named(&class)?;
        let operand = bracketed(&text, simple);
        if insn.opcode == op::INSTANCEOF {
            self.push(&format!("{operand} instanceof {name}"), "Z", false);
        } else if ty == desc_of(&class) {
            self.push(&text, &ty, simple);
        } else {
            self.push(&format!("({name}) {operand}"), &desc_of(&class), false);
        }
        Some(())
    }

    fn array(&mut self, insn: &Insn<'_>) -> Option<()> {
        const CODES: [&str; 8] = ["[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"];
        let ty = match insn.opcode {
            op::NEWARRAY => {
                let code = usize::from(*insn.bytes.get(1)?);
                (*CODES.get(code.checked_sub(4)?)?).to_owned()
            }
            _ => {
                let class = self.class.pool.class_name(insn.pool_index()?).ok()?;
                format!("[{}", desc_of(&class))
            }
        };
        if !self.writer.scope.type_accessible(&ty) {
            return None;
        }
        let length = self.pop()?.0.parse().ok()?;
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
            Term::Array { ty, .. } => ty[1..].to_owned(),
            _ => return None,
        };
        let item = self.pop_as(&ty)?;
        let at: usize = self.pop()?.0.parse().ok()?;
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

/// Does the method put a primitive value into a box?
fn is_boxing(method: &MemberRef) -> bool {
    let class = method.owner.strip_prefix("java/lang/");
    let one = |types: &[String]| matches!(types, [ty] if ty.len() == 1);
    class.is_some_and(|name| BOXES.contains(&name))
        && method.name == "valueOf"
        && one(&params(&method.desc))
}

fn bracketed(text: &str, simple: bool) -> String {
    match simple {
        true => text.to_owned(),
        false => format!("({text})"),
    }
}

/// Has the text no operator outside brackets and literals?
fn is_simple(text: &str) -> bool {
    let is_literal = text.starts_with('"') && text.ends_with('"') && !text[1..].contains("\" ");
    is_literal || !text.contains(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_seen() {
        assert!(is_simple("a.b(c)") && is_simple("\"a b\""));
        assert!(!is_simple("a + b") && !is_simple("\"a\" + \"b\""));
    }
}
