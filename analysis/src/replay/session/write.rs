//! Writes session files.

use jinsi_trace::model::{
    Content, Frame, JavaString, MemberRef, ObjectId, Prim, ThrowableDef, Value,
};

use super::{ClassKind, MAGIC, Script, Session, VERSION, operation_code};
use crate::level::{
    CrashPredicate, Effect, Interaction, Level, ObjectInfo, Outcome, Outgoing, Role,
};

/// A session that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// A value stands for a class whose name is not known.
    #[error("class number {0} has no name")]
    UnknownClass(u32),
    /// An object of role `Throwable` is not described.
    #[error("throwable {0} is not in the throwable table")]
    UnknownThrowable(ObjectId),
    /// A list or text is longer than its count field can say.
    #[error("{0}: too many for the session format")]
    TooMany(&'static str),
}

/// The bytes of `session` (`docs/replay-session.md`).
///
/// # Errors
/// What the format cannot say: see [`WriteError`].
pub fn write(session: &Session<'_>) -> Result<Vec<u8>, WriteError> {
    let mut w = Writer {
        out: Vec::new(),
        session,
        next_outgoing: 1,
    };
    w.out.extend_from_slice(MAGIC);
    w.u16(VERSION);
    w.u8(u8::from(session.script.is_some()));
    let level: &Level = &session.level;
    w.count(level.observed.len(), "observed classes")?;
    for name in &level.observed {
        w.str(name)?;
    }
    w.code()?;
    w.count(level.objects.len(), "objects")?;
    for object in level.objects.values() {
        w.object(object)?;
    }
    w.count(level.class_inits.len(), "class initializers")?;
    for (class, outgoing) in &level.class_inits {
        w.str(class)?;
        w.outgoings(outgoing)?;
    }
    w.interactions(&level.interactions)?;
    w.predicate(&session.predicate)?;
    if let Some(script) = &session.script {
        w.script(script)?;
    }
    Ok(w.out)
}

struct Writer<'s> {
    out: Vec<u8>,
    session: &'s Session<'s>,
    /// Number of the next outgoing interaction.
    next_outgoing: u32,
}

type Written = Result<(), WriteError>;

impl Writer<'_> {
    fn u8(&mut self, v: u8) {
        self.out.push(v);
    }

    fn u16(&mut self, v: u16) {
        self.out.extend_from_slice(&v.to_be_bytes());
    }

    fn u32(&mut self, v: u32) {
        self.out.extend_from_slice(&v.to_be_bytes());
    }

    fn u64(&mut self, v: u64) {
        self.out.extend_from_slice(&v.to_be_bytes());
    }

    fn i32(&mut self, v: i32) {
        self.out.extend_from_slice(&v.to_be_bytes());
    }

    fn count(&mut self, n: usize, what: &'static str) -> Written {
        self.u32(u32::try_from(n).map_err(|_| WriteError::TooMany(what))?);
        Ok(())
    }

    fn short_count(&mut self, n: usize, what: &'static str) -> Written {
        self.u16(u16::try_from(n).map_err(|_| WriteError::TooMany(what))?);
        Ok(())
    }

    fn units(&mut self, units: &[u16]) -> Written {
        // The largest count means null.
        match u32::try_from(units.len()) {
            Ok(n) if n != u32::MAX => self.u32(n),
            _ => return Err(WriteError::TooMany("characters")),
        }
        for &unit in units {
            self.u16(unit);
        }
        Ok(())
    }

    fn str(&mut self, text: &str) -> Written {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.units(&units)
    }

    fn optional_str(&mut self, text: Option<&str>) -> Written {
        match text {
            Some(text) => self.str(text),
            None => {
                self.u32(u32::MAX);
                Ok(())
            }
        }
    }

    fn java_string(&mut self, text: &JavaString) -> Written {
        self.units(&text.0)
    }

    fn prim(&mut self, prim: Prim) {
        match prim {
            Prim::Boolean(v) => self.u8(u8::from(v)),
            Prim::Byte(v) => self.out.extend_from_slice(&v.to_be_bytes()),
            Prim::Char(v) => self.u16(v),
            Prim::Short(v) => self.out.extend_from_slice(&v.to_be_bytes()),
            Prim::Int(v) => self.i32(v),
            Prim::Long(v) => self.out.extend_from_slice(&v.to_be_bytes()),
            Prim::Float(v) => self.u32(v.to_bits()),
            Prim::Double(v) => self.u64(v.to_bits()),
        }
    }

    fn value(&mut self, value: &Value) -> Written {
        match value {
            Value::Null => self.u8(b'0'),
            Value::Prim(prim) => {
                self.u8(prim.letter() as u8);
                self.prim(*prim);
            }
            Value::Str(text) => {
                self.u8(b's');
                self.java_string(text)?;
            }
            Value::Boxed(prim) => {
                self.u8(b'b');
                self.u8(prim.letter() as u8);
                self.prim(*prim);
            }
            Value::Class(no) => {
                let session = self.session;
                let name = session.class_names.get(no);
                self.u8(b'c');
                self.str(name.ok_or(WriteError::UnknownClass(*no))?)?;
            }
            Value::Object(id) => {
                self.u8(b'o');
                self.u64(*id);
            }
        }
        Ok(())
    }

    fn args(&mut self, values: &[Value]) -> Written {
        self.short_count(values.len(), "arguments")?;
        values.iter().try_for_each(|v| self.value(v))
    }

    fn member(&mut self, member: &MemberRef) -> Written {
        self.str(&member.owner)?;
        self.str(&member.name)?;
        self.str(&member.desc)
    }

    fn outcome(&mut self, outcome: &Outcome) -> Written {
        match outcome {
            Outcome::Open => self.u8(0),
            Outcome::Return(None) => self.u8(1),
            Outcome::Return(Some(value)) => {
                self.u8(2);
                self.value(value)?;
            }
            Outcome::Throw(id) => {
                self.u8(3);
                self.u64(*id);
            }
        }
        Ok(())
    }

    fn content(&mut self, content: Option<&Content>) -> Written {
        let (form, values) = match content {
            None => {
                self.u8(0);
                return Ok(());
            }
            Some(Content::Text(text)) => {
                self.u8(4);
                return self.java_string(text);
            }
            Some(Content::TooLarge { len }) => {
                self.u8(5);
                self.u64(*len);
                return Ok(());
            }
            Some(Content::Fields(fields)) => {
                self.u8(6);
                self.count(fields.len(), "fields")?;
                return fields.iter().try_for_each(|(field, value)| {
                    let session = self.session;
                    let class = session.class_names.get(&field.class);
                    self.str(class.ok_or(WriteError::UnknownClass(field.class))?)?;
                    self.str(&field.name)?;
                    self.value(value)
                });
            }
            Some(Content::Array(values)) => (1, values),
            Some(Content::Elements(values)) => (2, values),
            Some(Content::Entries(values)) => (3, values),
        };
        self.u8(form);
        self.count(values.len(), "elements")?;
        values.iter().try_for_each(|v| self.value(v))
    }

    fn effects(&mut self, effects: &[Effect]) -> Written {
        self.count(effects.len(), "effects")?;
        effects.iter().try_for_each(|e| self.effect(e))
    }

    fn effect(&mut self, effect: &Effect) -> Written {
        match effect {
            Effect::Content { id, content } => {
                self.u8(1);
                self.u64(*id);
                self.content(Some(content))
            }
            Effect::Store {
                array,
                index,
                value,
            } => {
                self.u8(2);
                self.u64(*array);
                self.u32(*index);
                self.value(value)
            }
            Effect::Natural {
                op,
                member,
                receiver,
                args,
                result,
            } => {
                self.u8(3);
                self.u8(operation_code(*op));
                self.member(member)?;
                self.value(receiver)?;
                self.args(args)?;
                self.u8(u8::from(result.is_some()));
                result.iter().try_for_each(|v| self.value(v))
            }
        }
    }

    fn interactions(&mut self, list: &[Interaction]) -> Written {
        self.count(list.len(), "interactions")?;
        list.iter().try_for_each(|i| self.interaction(i))
    }

    fn interaction(&mut self, i: &Interaction) -> Written {
        self.u32(i.no);
        self.u8(operation_code(i.op));
        self.member(&i.member)?;
        self.str(&i.target_class)?;
        self.value(&i.receiver)?;
        self.args(&i.args)?;
        self.outcome(&i.outcome)?;
        self.effects(&i.before)?;
        self.outgoings(&i.outgoing)
    }

    fn outgoings(&mut self, list: &[Outgoing]) -> Written {
        self.count(list.len(), "outgoing interactions")?;
        list.iter().try_for_each(|o| self.outgoing(o))
    }

    fn outgoing(&mut self, o: &Outgoing) -> Written {
        self.u32(self.next_outgoing);
        self.next_outgoing = match self.next_outgoing.checked_add(1) {
            Some(next) => next,
            None => return Err(WriteError::TooMany("outgoing interactions")),
        };
        self.u8(operation_code(o.op));
        self.member(&o.member)?;
        self.str(&o.target_class)?;
        self.u32(o.site);
        self.u16(o.bci);
        self.u16(o.line);
        self.value(&o.receiver)?;
        self.args(&o.args)?;
        self.outcome(&o.outcome)?;
        self.interactions(&o.callbacks)?;
        self.effects(&o.effects)
    }

    fn object(&mut self, object: &ObjectInfo) -> Written {
        self.u64(object.id);
        self.str(&object.class)?;
        match object.length.map(i32::try_from) {
            None => self.i32(-1),
            Some(Ok(length)) => self.i32(length),
            Some(Err(_)) => return Err(WriteError::TooMany("array elements")),
        }
        match &object.role {
            Role::Observed => self.u8(0),
            Role::Mock => self.u8(1),
            Role::Array { initial } => {
                self.u8(2);
                self.content(initial.as_ref())?;
            }
            Role::Natural { initial } => {
                self.u8(3);
                self.content(initial.as_ref())?;
            }
            Role::Text(text) => {
                self.u8(4);
                self.str(text)?;
            }
            Role::Throwable => {
                let session = self.session;
                let def = session.throwables.get(&object.id);
                self.u8(5);
                self.throwable(def.ok_or(WriteError::UnknownThrowable(object.id))?)?;
            }
            Role::Hidden => self.u8(6),
            Role::Restored { initial } => {
                self.u8(7);
                self.content(initial.as_ref())?;
            }
        }
        Ok(())
    }

    fn throwable(&mut self, t: &ThrowableDef) -> Written {
        self.optional_str(t.message.as_deref())?;
        self.optional_str(t.text.as_deref())?;
        self.u64(t.cause);
        self.short_count(t.frames.len(), "stack frames")?;
        t.frames.iter().try_for_each(|f| self.frame(f))
    }

    fn frame(&mut self, frame: &Frame) -> Written {
        self.str(&frame.class)?;
        self.str(&frame.method)?;
        self.optional_str(frame.file.as_deref())?;
        self.i32(frame.line);
        Ok(())
    }

    /// Classes, bridges and traps.
    fn code(&mut self) -> Written {
        let session = self.session;
        self.count(session.classes.len(), "classes")?;
        for class in &session.classes {
            self.str(&class.name)?;
            self.u8(match class.kind {
                ClassKind::Code => 0,
                ClassKind::Environment => 1,
                ClassKind::Placeholder => 2,
            });
            self.count(class.bytes.len(), "class file bytes")?;
            self.out.extend_from_slice(&class.bytes);
        }
        self.count(session.bridges.len(), "bridges")?;
        for bridge in &session.bridges {
            self.u32(bridge.no);
            self.u8(operation_code(bridge.op));
            self.member(&bridge.member)?;
            self.str(&bridge.class)?;
            self.str(&bridge.method)?;
            self.str(&bridge.desc)?;
            self.u16(bridge.bci);
            self.u16(bridge.line);
            self.u32(bridge.site);
        }
        self.count(session.traps.len(), "traps")?;
        for trap in &session.traps {
            self.u32(trap.no);
            self.u8(operation_code(trap.op));
            self.member(&trap.member)?;
        }
        Ok(())
    }

    fn predicate(&mut self, p: &CrashPredicate) -> Written {
        self.str(&p.class)?;
        self.optional_str(p.message.as_deref())?;
        self.str(&p.at_class)?;
        self.str(&p.at_method)?;
        self.i32(p.at_line);
        Ok(())
    }

    fn script(&mut self, script: &Script) -> Written {
        self.effects(&script.setup)?;
        self.count(script.answers.len(), "answers")?;
        for (no, answer) in &script.answers {
            self.next_outgoing = *no;
            self.outgoing(answer)?;
        }
        Ok(())
    }
}
