//! Writes session files.

mod around;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use jinsi_trace::model::{
    ClassNo, Content, Frame, JavaString, MemberRef, ObjectId, Prim, SiteNo, ThreadNo, ThrowableDef,
    Value,
};

use jinsi_trace::varint;

use super::object_use::Uses;
use super::{MAGIC, MAX_BYTES, Session, VERSION, operation_code};
use crate::codes;
use jinsi_level::change::Change;
use jinsi_level::function::Function;
use jinsi_level::surroundings::Setting;
use jinsi_level::{Effect, Interaction, Level, ObjectInfo, Outcome, Outgoing, Role, Turn, Wait};

/// A session that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// A value stands for a class whose name is not known.
    #[error("internal error, please report it: class number {0} has no name")]
    UnknownClass(ClassNo),
    /// An object of role `Throwable` is not described.
    #[error("internal error, please report it: exception {0} is unknown")]
    UnknownThrowable(ObjectId),
    /// A list or text is longer than its count field can say.
    #[error("{0}: too many for a replay")]
    TooMany(&'static str),
}

/// The bytes of `session` (`java-harness/SESSION.md`).
///
/// # Errors
/// What the format cannot say: see [`WriteError`].
pub fn write(session: &Session<'_>) -> Result<Vec<u8>, WriteError> {
    let uses = Uses::of(session);
    let mut w = Writer::new(session, &uses);
    w.body()?;
    w.with_head()
}

/// Values that a level's tests are to run with instead of those in its session.
///
/// # Errors
/// What the format cannot say: class objects, and fields.
pub fn changes(changes: &[Change]) -> Result<Vec<u8>, WriteError> {
    let (nothing, uses) = (Session::default(), Uses::default());
    let mut w = Writer::new(&nothing, &uses);
    w.n(changes.len() as u64);
    for change in changes {
        match change {
            Change::Argument { no, index, value } => {
                w.u8(codes::CHANGE_ARGUMENT);
                w.n(u64::from(*no));
                w.n(u64::from(*index));
                w.value(value)?;
            }
            Change::Content { id, content } => {
                w.u8(codes::CHANGE_CONTENT);
                w.n(*id);
                w.content(Some(content))?;
            }
        }
    }
    Ok(w.out)
}

/// Names and members by number, in order of appearance.
#[derive(Default)]
pub(super) struct Names<'s> {
    names: HashMap<&'s str, u32>,
    list: Vec<&'s str>,
    members: HashMap<[u32; 3], u32>,
    member_list: Vec<[u32; 3]>,
}

impl<'s> Names<'s> {
    fn name(&mut self, name: &'s str) -> u32 {
        *self.names.entry(name).or_insert_with(|| {
            self.list.push(name);
            self.list.len() as u32 - 1
        })
    }

    fn member(&mut self, owner: &'s str, name: &'s str, desc: &'s str) -> u32 {
        let parts = [self.name(owner), self.name(name), self.name(desc)];
        *self.members.entry(parts).or_insert_with(|| {
            self.member_list.push(parts);
            self.member_list.len() as u32 - 1
        })
    }
}

pub(super) struct Writer<'s> {
    pub(super) out: Vec<u8>,
    session: &'s Session<'s>,
    /// Are there several threads, so that each has its turns?
    threaded: bool,
    /// Number of the next outgoing interaction.
    pub(super) next_outgoing: u32,
    pub(super) names: Names<'s>,
    uses: &'s Uses,
}

pub(super) type Written = Result<(), WriteError>;

impl<'s> Writer<'s> {
    pub(super) fn new(session: &'s Session<'s>, uses: &'s Uses) -> Self {
        Self {
            out: Vec::new(),
            session,
            // Nothing says in what order code runs that is as it is: its threads make one.
            threaded: session.script.is_none()
                && session.libraries.is_none()
                && session.level.is_threaded(),
            next_outgoing: 1,
            names: Names::default(),
            uses,
        }
    }

    /// The whole file, whose body has been written.
    pub(super) fn with_head(mut self) -> Result<Vec<u8>, WriteError> {
        let session = self.session;
        let mut head = Writer::new(session, self.uses);
        head.out.extend_from_slice(MAGIC);
        head.out.extend_from_slice(&VERSION.to_be_bytes());
        head.u8(match (&session.libraries, &session.script) {
            _ if !session.stretches.is_empty() => codes::SESSION_STRETCHES,
            (Some(_), _) => codes::SESSION_DIRECT,
            (None, Some(_)) => codes::SESSION_SCRIPT,
            (None, None) => codes::SESSION_LEVEL,
        });
        head.u8(u8::from(head.threaded));
        head.n(session.salt.map_or(0, |salt| u64::from(salt) + 1));
        if !session.stretches.is_empty() {
            head.paths(&session.stretches);
        }
        if let Some(libraries) = &session.libraries {
            head.paths(libraries);
            let settings = &session.level.surroundings;
            head.n(settings.len() as u64);
            settings.iter().for_each(|setting| head.setting(setting));
        }
        head.names(&self.names);
        if head.out.len() + self.out.len() > MAX_BYTES {
            return Err(WriteError::TooMany("bytes"));
        }
        head.out.append(&mut self.out);
        Ok(head.out)
    }

    fn paths(&mut self, paths: &[PathBuf]) {
        self.n(paths.len() as u64);
        paths.iter().for_each(|p| self.str(&p.to_string_lossy()));
    }

    /// The tables of names.
    pub(super) fn names(&mut self, names: &Names<'_>) {
        self.n(names.list.len() as u64);
        names.list.iter().for_each(|name| self.str(name));
        self.n(names.member_list.len() as u64);
        let parts = names.member_list.iter().flatten();
        parts.for_each(|part| self.n(u64::from(*part)));
    }

    fn setting(&mut self, setting: &Setting) {
        match setting {
            Setting::TimeZone(zone) => {
                self.u8(codes::SETTING_TIME_ZONE);
                self.str(zone);
            }
            Setting::Locale(tag) => {
                self.u8(codes::SETTING_LOCALE);
                self.str(tag);
            }
            Setting::Property { name, value } => {
                self.u8(codes::SETTING_PROPERTY);
                self.str(name);
                self.str(value);
            }
        }
    }

    /// Everything behind the tables of names.
    pub(super) fn body(&mut self) -> Written {
        let session = self.session;
        let level: &'s Level = &session.level;
        self.n(level.observed.len() as u64);
        for name in &level.observed {
            self.name(name);
        }
        self.code();
        self.n(level.objects.len() as u64);
        for object in level.objects.values() {
            self.measured(|w| w.object(object))?;
        }
        self.n(level.class_inits.len() as u64);
        for (class, outgoing) in &level.class_inits {
            self.name(class);
            self.outgoings(outgoing)?;
        }
        self.effects(&level.statics)?;
        self.driven(&level.interactions)?;
        if self.threaded {
            self.waits(&level.waits);
        }
        self.predicate(&session.predicate);
        match &session.script {
            Some(script) => self.script(script),
            None => Ok(()),
        }
    }

    /// What `part` writes, after its length.
    fn measured(&mut self, part: impl FnOnce(&mut Self) -> Written) -> Written {
        let at = self.out.len();
        self.out.extend_from_slice(&[0; 4]);
        part(self)?;
        let length = u32::try_from(self.out.len() - at - 4);
        let length = length.map_err(|_| WriteError::TooMany("bytes"))?;
        self.out[at..at + 4].copy_from_slice(&length.to_be_bytes());
        Ok(())
    }

    /// Seven bits a byte, the lowest first; all but the last have the eighth.
    fn n(&mut self, v: u64) {
        varint::write(&mut self.out, v);
    }

    fn name(&mut self, name: &'s str) {
        let no = self.names.name(name);
        self.n(u64::from(no));
    }

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

    /// The count is one more; 0 means null.
    fn units(&mut self, count: usize, units: impl Iterator<Item = u16>) {
        self.n(count as u64 + 1);
        units.for_each(|unit| self.u16(unit));
    }

    fn str(&mut self, text: &str) {
        self.units(text.encode_utf16().count(), text.encode_utf16());
    }

    fn optional_str(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.str(text),
            None => self.n(0),
        }
    }

    fn java_string(&mut self, text: &JavaString) {
        self.units(text.0.len(), text.0.iter().copied());
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

    fn value(&mut self, value: &'s Value) -> Written {
        match value {
            Value::Null => self.u8(codes::VALUE_NULL),
            Value::Prim(prim) => {
                self.u8(prim.letter() as u8);
                self.prim(*prim);
            }
            Value::Str(text) => {
                self.u8(codes::VALUE_STRING);
                self.java_string(text);
            }
            Value::Boxed(prim) => {
                self.u8(codes::VALUE_BOX);
                self.u8(prim.letter() as u8);
                self.prim(*prim);
            }
            Value::Class(no) => {
                let session = self.session;
                let name = session.class_names.get(no);
                self.u8(codes::VALUE_CLASS);
                self.name(name.ok_or(WriteError::UnknownClass(*no))?);
            }
            Value::Object(id) => {
                self.u8(codes::VALUE_OBJECT);
                self.n(*id);
            }
        }
        Ok(())
    }

    fn args(&mut self, values: &'s [Value]) -> Written {
        self.n(values.len() as u64);
        values.iter().try_for_each(|v| self.value(v))
    }

    fn member(&mut self, member: &'s MemberRef) {
        let no = self.names.member(&member.owner, &member.name, &member.desc);
        self.n(u64::from(no));
    }

    fn outcome(&mut self, outcome: &'s Outcome) -> Written {
        match outcome {
            Outcome::Open => self.u8(codes::OUTCOME_OPEN),
            Outcome::Return(None) => self.u8(codes::OUTCOME_NOTHING),
            Outcome::Return(Some(value)) => {
                self.u8(codes::OUTCOME_VALUE);
                self.value(value)?;
            }
            Outcome::Throw(id) => {
                self.u8(codes::OUTCOME_THREW);
                self.n(*id);
            }
        }
        Ok(())
    }

    fn content(&mut self, content: Option<&'s Content>) -> Written {
        let (form, values) = match content {
            None => {
                self.u8(codes::CONTENT_NONE);
                return Ok(());
            }
            Some(Content::Text(text)) => {
                self.u8(codes::CONTENT_TEXT);
                self.java_string(text);
                return Ok(());
            }
            Some(Content::TooLarge { len }) => {
                self.u8(codes::CONTENT_TOO_LARGE);
                self.n(*len);
                return Ok(());
            }
            Some(Content::Fields(fields)) => {
                self.u8(codes::CONTENT_FIELDS);
                self.n(fields.len() as u64);
                return fields.iter().try_for_each(|(field, value)| {
                    let session = self.session;
                    let class = session.class_names.get(&field.class);
                    self.name(class.ok_or(WriteError::UnknownClass(field.class))?);
                    self.name(&field.name);
                    self.value(value)
                });
            }
            Some(Content::Array(values)) => (codes::CONTENT_ARRAY, values),
            Some(Content::Elements(values)) => (codes::CONTENT_ELEMENTS, values),
            Some(Content::Entries(values)) => (codes::CONTENT_ENTRIES, values),
        };
        self.u8(form);
        self.n(values.len() as u64);
        values.iter().try_for_each(|v| self.value(v))
    }

    fn effects(&mut self, effects: &'s [Effect]) -> Written {
        self.n(effects.len() as u64);
        effects.iter().try_for_each(|e| self.effect(e))
    }

    fn effect(&mut self, effect: &'s Effect) -> Written {
        match effect {
            Effect::Content { id, content } => {
                self.u8(codes::EFFECT_CONTENT);
                self.n(*id);
                self.content(Some(content))
            }
            Effect::Store {
                array,
                index,
                value,
            } => {
                self.u8(codes::EFFECT_STORE);
                self.n(*array);
                self.n(u64::from(*index));
                self.value(value)
            }
            Effect::Natural {
                op,
                member,
                receiver,
                args,
                result,
            } => {
                self.u8(codes::EFFECT_NATURAL);
                self.u8(operation_code(*op));
                self.member(member);
                self.value(receiver)?;
                self.args(args)?;
                self.u8(u8::from(result.is_some()));
                result.iter().try_for_each(|v| self.value(v))
            }
        }
    }

    pub(super) fn driven(&mut self, list: &'s [Interaction]) -> Written {
        self.n(list.len() as u64);
        let mut list = list.iter();
        list.try_for_each(|i| self.measured(|w| w.interaction(i)))
    }

    fn interactions(&mut self, list: &'s [Interaction]) -> Written {
        self.n(list.len() as u64);
        list.iter().try_for_each(|i| self.interaction(i))
    }

    fn interaction(&mut self, i: &'s Interaction) -> Written {
        self.n(u64::from(i.no));
        self.effects(&i.before)?;
        if self.threaded {
            self.n(u64::from(i.thread));
            self.turn(i.turn.as_deref());
        }
        self.u8(operation_code(i.op));
        self.member(&i.member);
        self.name(&i.target_class);
        self.value(&i.receiver)?;
        self.args(&i.args)?;
        self.outcome(&i.outcome)?;
        self.outgoings(&i.outgoing)
    }

    fn waits(&mut self, waits: &BTreeMap<ThreadNo, Vec<Wait>>) {
        self.n(waits.len() as u64);
        for (thread, of_thread) in waits {
            self.n(u64::from(*thread));
            self.n(of_thread.len() as u64);
            for wait in of_thread {
                self.n(u64::from(wait.meeting));
                self.n(u64::from(wait.turn));
            }
        }
    }

    fn turn(&mut self, turn: Option<&Turn>) {
        self.n(turn.map_or(0, |t| u64::from(t.first)));
        let pauses = turn.map_or(&[][..], |t| &t.pauses);
        self.n(pauses.len() as u64);
        for pause in pauses {
            self.n(u64::from(pause.entries));
            self.n(u64::from(pause.turn));
        }
    }

    fn outgoings(&mut self, list: &'s [Outgoing]) -> Written {
        self.n(list.len() as u64);
        list.iter().try_for_each(|o| self.outgoing(o))
    }

    fn outgoing(&mut self, o: &'s Outgoing) -> Written {
        self.n(u64::from(self.next_outgoing));
        self.next_outgoing = match self.next_outgoing.checked_add(1) {
            Some(next) => next,
            None => return Err(WriteError::TooMany("outgoing interactions")),
        };
        if self.threaded {
            self.turn(o.turn.as_deref());
        }
        self.u8(operation_code(o.op));
        self.member(&o.member);
        self.name(&o.target_class);
        self.n(u64::from(SiteNo::written(o.site)));
        self.n(u64::from(o.bci));
        self.n(u64::from(o.line));
        self.value(&o.receiver)?;
        self.args(&o.args)?;
        self.outcome(&o.outcome)?;
        self.interactions(&o.callbacks)?;
        self.effects(&o.effects)
    }

    fn object(&mut self, object: &'s ObjectInfo) -> Written {
        self.n(object.id);
        self.name(&object.class);
        match object.length {
            Some(length) if i32::try_from(length).is_err() => {
                return Err(WriteError::TooMany("array elements"));
            }
            length => self.n(length.map_or(0, |l| u64::from(l) + 1)),
        }
        let used = self.uses.get(object.id);
        self.u8(u8::from(used.is_some_and(|u| u.made_inside)));
        let types = used.map_or(&[][..], |u| &u.types);
        self.n(types.len() as u64);
        types.iter().for_each(|class| self.name(class));
        match &object.role {
            Role::Observed => self.u8(codes::ROLE_OBSERVED),
            Role::Given => self.u8(codes::ROLE_GIVEN),
            Role::Mock => self.u8(codes::ROLE_MOCK),
            Role::Array { initial } => {
                self.u8(codes::ROLE_ARRAY);
                self.content(initial.as_ref())?;
            }
            Role::Natural { initial } => {
                self.u8(codes::ROLE_NATURAL);
                self.content(initial.as_ref())?;
            }
            Role::Text(text) => {
                self.u8(codes::ROLE_TEXT);
                self.str(text);
            }
            Role::Throwable => {
                let session = self.session;
                let def = session.throwables.get(&object.id);
                self.u8(codes::ROLE_THROWABLE);
                self.throwable(def.ok_or(WriteError::UnknownThrowable(object.id))?);
            }
            Role::Hidden => self.u8(codes::ROLE_HIDDEN),
            Role::Restored { initial } => {
                self.u8(codes::ROLE_RESTORED);
                self.content(initial.as_ref())?;
            }
            Role::Function { function, initial } => {
                self.u8(codes::ROLE_FUNCTION);
                self.function(function);
                self.content(initial.as_ref())?;
            }
        }
        Ok(())
    }

    fn function(&mut self, function: &'s Function) {
        self.name(&function.maker);
        self.name(&function.method);
        self.name(&function.factory);
        self.name(&function.erased);
        self.name(&function.instantiated);
        self.u8(function.kind);
        self.member(&function.target);
    }

    fn throwable(&mut self, t: &'s ThrowableDef) {
        self.optional_str(t.message.as_deref());
        self.optional_str(t.text.as_deref());
        self.n(t.cause);
        self.n(t.frames.len() as u64);
        t.frames.iter().for_each(|f| self.frame(f));
    }

    fn frame(&mut self, frame: &'s Frame) {
        self.name(&frame.class);
        self.name(&frame.method);
        self.optional_str(frame.file.as_deref());
        self.i32(frame.line);
    }
}
