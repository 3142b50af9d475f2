//! Reads session files back; the worker has its own reader, in Java. Used by tests and for diagnosis.

mod around;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use jinsi_trace::model::{
    ClassNo, Content, FieldName, Frame, JavaString, MemberRef, ObjectId, Prim, SiteNo, ThreadNo,
    ThrowableDef, Value,
};

use jinsi_trace::varint::{self, VarintError};

use super::{MAGIC, Script, Session, VERSION};
use crate::codes;
use jinsi_level::function::Function;
use jinsi_level::{
    Effect, Engine, Interaction, Level, ObjectInfo, Operation, Outcome, Outgoing, Pause, Role,
    Turn, Wait,
};

/// Call-backs inside call-backs beyond this depth are taken for damage.
const MAX_DEPTH: u32 = 200;

/// Bytes that are no session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("internal error, please report it: the replay file is wrong at offset {offset}: {reason}")]
pub struct ReadError {
    /// Where, in bytes from the beginning.
    pub offset: usize,
    /// What is wrong there.
    pub reason: &'static str,
}

/// The session in `bytes`. Classes named by values are numbered in order of appearance, from 0; `node` is 0, and so are `thread` and
/// `turn` if there is but one thread.
///
/// # Errors
/// Anything but a whole session of this version, with the place.
pub fn read(bytes: &[u8]) -> Result<Session<'static>, ReadError> {
    let mut r = Reader::new(bytes);
    let kind = r.kind()?;
    let is_script = kind == codes::SESSION_SCRIPT;
    let in_stretches = kind == codes::SESSION_STRETCHES;
    if is_script || in_stretches {
        r.next_outgoing = None;
    }
    r.threaded = r.boolean()?;
    let salt = r.salt()?;
    let stretches = match in_stretches {
        true => r.paths()?,
        false => Vec::new(),
    };
    let (engine, libraries, surroundings) = match kind {
        codes::SESSION_DIRECT => {
            let libraries = r.paths()?;
            let surroundings = r.list(Reader::setting)?;
            (Engine::Direct, Some(libraries), surroundings)
        }
        _ => (Engine::Replay, None, Vec::new()),
    };
    r.names = r.list(Reader::str)?;
    r.members = r.list(Reader::named_member)?;
    let observed = r.list(Reader::name)?.into_iter().collect();
    let classes = r.list(Reader::class)?;
    let bridges = r.list(Reader::bridge)?;
    let traps = r.list(Reader::trap)?;
    let objects = r.list(|r| r.measured(Reader::object))?;
    let class_inits = r.list(|r| Ok((r.name()?, r.outgoings()?)))?;
    let statics = r.list(Reader::effect)?;
    let interactions = r.list(|r| r.measured(Reader::interaction))?;
    let waits = match r.threaded {
        true => r.list(Reader::waits)?,
        false => Vec::new(),
    };
    let predicate = r.predicate()?;
    let script = is_script.then(|| r.script()).transpose()?;
    if r.at != bytes.len() {
        return Err(r.error("bytes behind the end"));
    }
    Ok(Session {
        level: Cow::Owned(Level {
            engine,
            surroundings,
            observed,
            interactions,
            waits: waits.into_iter().collect(),
            class_inits: class_inits.into_iter().collect(),
            statics,
            objects: objects.into_iter().map(|o| (o.id, o)).collect(),
            shrunk: Vec::new(),
            beside: Vec::new(),
        }),
        class_names: r.class_numbers.into_iter().map(|(n, no)| (no, n)).collect(),
        throwables: r.throwables,
        classes,
        bridges,
        traps,
        predicate,
        salt,
        libraries,
        stretches,
        script,
    })
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    depth: u32,
    /// Are there several threads?
    threaded: bool,
    class_numbers: HashMap<String, ClassNo>,
    throwables: BTreeMap<ObjectId, ThrowableDef>,
    /// Number that the next outgoing interaction must have; `None` in a script, whose numbers are free.
    next_outgoing: Option<u32>,
    names: Vec<String>,
    members: Vec<MemberRef>,
}

type Read<T> = Result<T, ReadError>;

impl<'b> Reader<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            depth: 0,
            threaded: false,
            class_numbers: HashMap::new(),
            throwables: BTreeMap::new(),
            next_outgoing: Some(1),
            names: Vec::new(),
            members: Vec::new(),
        }
    }

    /// What kind of session it is, by its first bytes.
    fn kind(&mut self) -> Read<u8> {
        if self.take(MAGIC.len())? != MAGIC {
            return Err(self.error("not a jinsi session"));
        }
        if self.u16()? != VERSION {
            return Err(self.error("unknown version"));
        }
        let kind = self.u8()?;
        match kind > codes::SESSION_STRETCHES {
            true => Err(self.error("unknown kind of session")),
            false => Ok(kind),
        }
    }

    fn script(&mut self) -> Read<Script> {
        Ok(Script {
            setup: self.list(Reader::effect)?,
            answers: self.list(Reader::outgoing)?,
            today: self.today()?,
        })
    }

    fn salt(&mut self) -> Read<Option<u32>> {
        match self.n()?.checked_sub(1) {
            None => Ok(None),
            Some(salt) => match u32::try_from(salt) {
                Ok(salt) => Ok(Some(salt)),
                Err(_) => Err(self.error("a salt of more than 32 bits")),
            },
        }
    }

    fn error(&self, reason: &'static str) -> ReadError {
        ReadError {
            offset: self.at,
            reason,
        }
    }

    fn take(&mut self, n: usize) -> Read<&'b [u8]> {
        let rest = &self.bytes[self.at..];
        if rest.len() < n {
            return Err(self.error("unexpected end"));
        }
        self.at += n;
        Ok(&rest[..n])
    }

    fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }

    fn u8(&mut self) -> Read<u8> {
        Ok(self.array::<1>()?[0])
    }

    fn u16(&mut self) -> Read<u16> {
        self.array().map(u16::from_be_bytes)
    }

    fn u32(&mut self) -> Read<u32> {
        self.array().map(u32::from_be_bytes)
    }

    fn u64(&mut self) -> Read<u64> {
        self.array().map(u64::from_be_bytes)
    }

    fn i32(&mut self) -> Read<i32> {
        self.array().map(i32::from_be_bytes)
    }

    fn boolean(&mut self) -> Read<bool> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.error("neither 0 nor 1")),
        }
    }

    /// A number of seven bits a byte.
    fn n(&mut self) -> Read<u64> {
        let reason = |e| match e {
            VarintError::Cut => "unexpected end",
            VarintError::TooLarge => "number too large",
        };
        let (number, size) =
            varint::read(&self.bytes[self.at..]).map_err(|e| self.error(reason(e)))?;
        self.at += size;
        Ok(number)
    }

    /// A number in the range of `T`.
    fn small<T: TryFrom<u64>>(&mut self) -> Read<T> {
        let number = self.n()?;
        T::try_from(number).map_err(|_| self.error("number too large"))
    }

    /// The number of a site, or none.
    fn site(&mut self) -> Read<Option<SiteNo>> {
        self.small().map(SiteNo::new)
    }

    /// What comes after its length.
    fn measured<T>(&mut self, item: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        let length = self.u32()? as usize;
        let end = self.at.saturating_add(length);
        let item = item(self)?;
        if self.at != end {
            return Err(self.error("a wrong length"));
        }
        Ok(item)
    }

    /// A list; nothing is reserved in advance, so a wrong count costs no memory.
    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let n = self.n()?;
        let mut items = Vec::new();
        for _ in 0..n {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn name(&mut self) -> Read<String> {
        let no: usize = self.small()?;
        let name = self.names.get(no).cloned();
        name.ok_or_else(|| self.error("a name that is not in the table"))
    }

    fn units(&mut self) -> Read<Option<Vec<u16>>> {
        let Some(n) = self.small::<usize>()?.checked_sub(1) else {
            return Ok(None);
        };
        let bytes = n.checked_mul(2);
        let bytes = self.take(bytes.ok_or_else(|| self.error("text too long"))?)?;
        let pairs = bytes.chunks_exact(2);
        Ok(Some(
            pairs.map(|p| u16::from_be_bytes([p[0], p[1]])).collect(),
        ))
    }

    fn optional_str(&mut self) -> Read<Option<String>> {
        let Some(units) = self.units()? else {
            return Ok(None);
        };
        let text = String::from_utf16(&units);
        text.map(Some)
            .map_err(|_| self.error("unpaired surrogate in a name"))
    }

    fn str(&mut self) -> Read<String> {
        let text = self.optional_str()?;
        text.ok_or_else(|| self.error("null where a name is due"))
    }

    fn paths(&mut self) -> Read<Vec<PathBuf>> {
        let paths = self.list(Reader::str)?;
        Ok(paths.into_iter().map(PathBuf::from).collect())
    }

    fn java_string(&mut self) -> Read<JavaString> {
        let units = self.units()?;
        let units = units.ok_or_else(|| self.error("null where a text is due"))?;
        Ok(JavaString(units.into()))
    }

    fn prim(&mut self, letter: u8) -> Read<Prim> {
        Ok(match letter {
            b'Z' => Prim::Boolean(self.boolean()?),
            b'B' => Prim::Byte(i8::from_be_bytes(self.array()?)),
            b'C' => Prim::Char(self.u16()?),
            b'S' => Prim::Short(i16::from_be_bytes(self.array()?)),
            b'I' => Prim::Int(self.i32()?),
            b'J' => Prim::Long(i64::from_be_bytes(self.array()?)),
            b'F' => Prim::Float(f32::from_bits(self.u32()?)),
            b'D' => Prim::Double(f64::from_bits(self.u64()?)),
            _ => return Err(self.error("unknown tag of a value")),
        })
    }

    fn value(&mut self) -> Read<Value> {
        Ok(match self.u8()? {
            codes::VALUE_NULL => Value::Null,
            codes::VALUE_STRING => Value::Str(self.java_string()?),
            codes::VALUE_BOX => {
                let letter = self.u8()?;
                Value::Boxed(self.prim(letter)?)
            }
            codes::VALUE_CLASS => {
                let name = self.name()?;
                Value::Class(self.class_number(name))
            }
            codes::VALUE_OBJECT => Value::Object(self.n()?),
            letter => Value::Prim(self.prim(letter)?),
        })
    }

    /// Numbers are given anew: the session names classes.
    fn class_number(&mut self, name: String) -> ClassNo {
        let next = ClassNo::from_index(self.class_numbers.len());
        *self.class_numbers.entry(name).or_insert(next)
    }

    fn operation(&mut self) -> Read<Operation> {
        Ok(match self.u8()? {
            codes::OP_CONSTRUCT => Operation::Construct,
            codes::OP_CALL => Operation::Call,
            codes::OP_CALL_STATIC => Operation::CallStatic,
            codes::OP_GET_FIELD => Operation::GetField,
            codes::OP_PUT_FIELD => Operation::PutField,
            codes::OP_GET_STATIC => Operation::GetStatic,
            codes::OP_PUT_STATIC => Operation::PutStatic,
            _ => return Err(self.error("unknown operation")),
        })
    }

    /// As the table of members has it.
    fn named_member(&mut self) -> Read<MemberRef> {
        Ok(MemberRef {
            owner: self.name()?.into(),
            name: self.name()?.into(),
            desc: self.name()?.into(),
        })
    }

    fn member(&mut self) -> Read<MemberRef> {
        let no: usize = self.small()?;
        let member = self.members.get(no).cloned();
        member.ok_or_else(|| self.error("a member that is not in the table"))
    }

    fn outcome(&mut self) -> Read<Outcome> {
        Ok(match self.u8()? {
            codes::OUTCOME_OPEN => Outcome::Open,
            codes::OUTCOME_NOTHING => Outcome::Return(None),
            codes::OUTCOME_VALUE => Outcome::Return(Some(self.value()?)),
            codes::OUTCOME_THREW => Outcome::Throw(self.n()?),
            _ => return Err(self.error("unknown outcome")),
        })
    }

    fn content(&mut self) -> Read<Option<Content>> {
        Ok(Some(match self.u8()? {
            codes::CONTENT_NONE => return Ok(None),
            codes::CONTENT_ARRAY => Content::Array(self.list(Self::value)?),
            codes::CONTENT_ELEMENTS => Content::Elements(self.list(Self::value)?),
            codes::CONTENT_ENTRIES => Content::Entries(self.list(Self::value)?),
            codes::CONTENT_TEXT => Content::Text(self.java_string()?),
            codes::CONTENT_TOO_LARGE => Content::TooLarge { len: self.n()? },
            codes::CONTENT_FIELDS => Content::Fields(self.list(Self::field)?.into_iter().collect()),
            _ => return Err(self.error("unknown form of content")),
        }))
    }

    fn field(&mut self) -> Read<(FieldName, Value)> {
        let class = self.name()?;
        let class = self.class_number(class);
        let name = self.name()?;
        Ok((FieldName { class, name }, self.value()?))
    }

    fn effect(&mut self) -> Read<Effect> {
        Ok(match self.u8()? {
            codes::EFFECT_CONTENT => {
                let id = self.n()?;
                let content = self.content()?;
                let content = content.ok_or_else(|| self.error("effect without content"))?;
                Effect::Content { id, content }
            }
            codes::EFFECT_STORE => Effect::Store {
                array: self.n()?,
                index: self.small()?,
                value: self.value()?,
            },
            codes::EFFECT_NATURAL => Effect::Natural {
                op: self.operation()?,
                member: self.member()?,
                receiver: self.value()?,
                args: self.list(Self::value)?,
                result: if self.boolean()? {
                    Some(self.value()?)
                } else {
                    None
                },
            },
            _ => return Err(self.error("unknown effect")),
        })
    }

    fn interaction(&mut self) -> Read<Interaction> {
        let no = self.small()?;
        let before = self.list(Self::effect)?;
        let (thread, turn) = match self.threaded {
            true => (self.small()?, self.turn()?),
            false => (0, None),
        };
        Ok(Interaction {
            no,
            node: jinsi_level::NodeNo::FIRST,
            thread,
            turn,
            op: self.operation()?,
            member: self.member()?,
            target_class: self.name()?,
            receiver: self.value()?,
            args: self.list(Self::value)?,
            outcome: self.outcome()?,
            before,
            outgoing: self.outgoings()?,
        })
    }

    fn waits(&mut self) -> Read<(ThreadNo, Vec<Wait>)> {
        let thread = self.small()?;
        let waits = self.list(|r| {
            Ok(Wait {
                meeting: r.small()?,
                turn: r.small()?,
            })
        });
        Ok((thread, waits?))
    }

    /// `None` if there is but one thread.
    fn turn(&mut self) -> Read<Option<Box<Turn>>> {
        if !self.threaded {
            return Ok(None);
        }
        let first = self.small()?;
        let pauses = self.list(|r| {
            Ok(Pause {
                entries: r.small()?,
                turn: r.small()?,
            })
        })?;
        Ok(Some(Box::new(Turn { first, pauses })))
    }

    fn outgoings(&mut self) -> Read<Vec<Outgoing>> {
        self.list(|r| r.outgoing().map(|(_, outgoing)| outgoing))
    }

    fn outgoing(&mut self) -> Read<(u32, Outgoing)> {
        let no: u32 = self.small()?;
        if let Some(expected) = self.next_outgoing {
            if no != expected {
                return Err(self.error("outgoing interaction out of number"));
            }
            self.next_outgoing = expected.checked_add(1);
        }
        if self.depth == MAX_DEPTH {
            return Err(self.error("call-backs nested too deep"));
        }
        self.depth += 1;
        let outgoing = Outgoing {
            node: jinsi_level::NodeNo::FIRST,
            turn: self.turn()?,
            op: self.operation()?,
            member: self.member()?,
            target_class: self.name()?,
            site: self.site()?,
            bci: self.small()?,
            line: self.small()?,
            receiver: self.value()?,
            args: self.list(Self::value)?,
            outcome: self.outcome()?,
            callbacks: self.list(Self::interaction)?,
            effects: self.list(Self::effect)?,
        };
        self.depth -= 1;
        Ok((no, outgoing))
    }

    fn object(&mut self) -> Read<ObjectInfo> {
        let id = self.n()?;
        let class = self.name()?;
        let length = match self.n()?.checked_sub(1) {
            None => None,
            Some(n) => Some(u32::try_from(n).map_err(|_| self.error("length too large"))?),
        };
        // How the object is used follows from the rest.
        self.boolean()?;
        self.list(Self::name)?;
        let role = match self.u8()? {
            codes::ROLE_OBSERVED => Role::Observed,
            codes::ROLE_GIVEN => Role::Given,
            codes::ROLE_MOCK => Role::Mock,
            codes::ROLE_ARRAY => Role::Array {
                initial: self.content()?,
            },
            codes::ROLE_NATURAL => Role::Natural {
                initial: self.content()?,
            },
            codes::ROLE_TEXT => Role::Text(self.str()?),
            codes::ROLE_THROWABLE => {
                let throwable = self.throwable(id, class.replace('/', "."))?;
                self.throwables.insert(id, throwable);
                Role::Throwable
            }
            codes::ROLE_HIDDEN => Role::Hidden,
            codes::ROLE_RESTORED => Role::Restored {
                initial: self.content()?,
            },
            codes::ROLE_FUNCTION => Role::Function {
                function: Box::new(Function {
                    maker: self.name()?,
                    method: self.name()?,
                    factory: self.name()?,
                    erased: self.name()?,
                    instantiated: self.name()?,
                    kind: self.u8()?,
                    target: self.member()?,
                }),
                initial: self.content()?,
            },
            _ => return Err(self.error("unknown role of an object")),
        };
        Ok(ObjectInfo {
            id,
            class,
            length,
            role,
        })
    }

    fn throwable(&mut self, id: ObjectId, class: String) -> Read<ThrowableDef> {
        Ok(ThrowableDef {
            id,
            class,
            message: self.optional_str()?,
            text: self.optional_str()?,
            cause: self.n()?,
            frames: self.list(Self::frame)?,
        })
    }

    fn frame(&mut self) -> Read<Frame> {
        Ok(Frame {
            class: self.name()?,
            method: self.name()?,
            file: self.optional_str()?,
            line: self.i32()?,
        })
    }
}
