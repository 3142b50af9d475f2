//! Snapshots as bytes.

use std::rc::Rc;

use jinsi_steps::code::Program;
use jinsi_steps::walk::Role;
use jinsi_trace::model::{ClassNo, JavaString, Prim, Value};
use jinsi_trace::varint::{self, Reader};

use super::{Activation, Call, Snapshot};
use jinsi_steps::cell::{Binding, Cell, Datum};
use jinsi_steps::moment::At;
use jinsi_steps::seen::{Seen, Why};

/// Reasons, by the number that stands for each.
const REASONS: [Why; 10] = [
    Why::Detail,
    Why::Unreported,
    Why::Computed,
    Why::CodeNotRecorded,
    Why::Lost,
    Why::Earlier,
    Why::Constant,
    Why::TooLarge,
    Why::Class,
    Why::Unset,
];

impl Snapshot {
    /// Appends it to some bytes.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let mut to = Writer {
            out,
            near: Near::default(),
        };
        to.number(self.now.events);
        to.number(u64::from(self.now.step));
        to.number(self.open.len() as u64);
        for (number, binding) in &self.open {
            to.open(*number);
            to.seen(&binding.seen);
        }
        to.number(self.frames.len() as u64);
        for frame in &self.frames {
            to.activation(frame);
        }
    }

    /// Takes it off the front of some bytes; `None` if there is none that can be of this program.
    pub(crate) fn read(bytes: &mut Reader<'_>, program: &Program) -> Option<Self> {
        let now = At {
            events: bytes.number()?,
            step: u32::try_from(bytes.number()?).ok()?,
        };
        let mut from = Taker {
            bytes,
            near: Near::default(),
        };
        let count = from.bytes.count()?;
        let open = (0..count).map(|_| {
            let number = from.open()?;
            let seen = from.seen()?;
            Some((number, Binding { seen }))
        });
        let open = open.collect::<Option<Vec<_>>>()?;
        let count = from.bytes.count()?;
        let frames = (0..count).map(|_| from.activation(program));
        let frames = frames.collect::<Option<Vec<_>>>()?;
        Some(Self { frames, open, now })
    }
}

/// What numbers are written relative to: of an activation that is open for long the same bytes come out each time, which pack well.
#[derive(Default)]
struct Near {
    /// Where the activation began.
    began: u64,
    /// The object and the open value that came before.
    object: u64,
    open: u64,
}

/// How far a number is from the one before it, which it takes the place of.
fn far(last: &mut u64, number: u64) -> u64 {
    let far = number.wrapping_sub(*last).cast_signed();
    *last = number;
    varint::zigzag(far)
}

/// The number that is so far from the one before it, which it takes the place of.
fn at_far(last: &mut u64, far: u64) -> u64 {
    *last = last.wrapping_add(varint::unzigzag(far).cast_unsigned());
    *last
}

/// Writes numbers near others.
struct Writer<'a> {
    out: &'a mut Vec<u8>,
    near: Near,
}

impl Writer<'_> {
    fn number(&mut self, number: u64) {
        varint::write(self.out, number);
    }

    fn at(&mut self, at: At) {
        let behind = at.events.wrapping_sub(self.near.began);
        self.number(varint::zigzag(behind.cast_signed()));
        self.number(u64::from(at.step));
    }

    fn open(&mut self, number: u64) {
        let far = far(&mut self.near.open, number);
        self.number(far);
    }

    fn activation(&mut self, frame: &Activation) {
        self.number(frame.method.index() as u64);
        self.number(frame.role.number());
        self.number(u64::from(frame.stepwise));
        let began = far(&mut self.near.began, frame.began);
        self.number(began);
        self.number(u64::from(frame.line));
        self.option(frame.this.as_ref(), Self::cell);
        self.cells(&frame.locals);
        self.cells(&frame.stack);
        self.option(frame.call.as_ref(), |to, call| {
            to.number(u64::from(call.at));
            to.at(call.began);
            to.cells(&call.arguments);
            to.number(u64::from(call.entered));
            to.option(call.result.as_ref(), Self::cell);
        });
        self.option(frame.at.as_ref(), |to, (instruction, at)| {
            to.number(u64::from(*instruction));
            to.at(*at);
        });
        self.option(frame.result.as_ref(), Self::cell);
    }

    fn option<T>(&mut self, what: Option<&T>, write: impl FnOnce(&mut Self, &T)) {
        self.number(u64::from(what.is_some()));
        if let Some(what) = what {
            write(self, what);
        }
    }

    fn cells(&mut self, cells: &[Cell]) {
        self.number(cells.len() as u64);
        for cell in cells {
            self.cell(cell);
        }
    }

    fn cell(&mut self, cell: &Cell) {
        match &cell.datum {
            Datum::Unset => return self.number(0),
            Datum::Known(value) => {
                self.number(1);
                self.value(value);
            }
            Datum::Open(number, _) => {
                self.number(2);
                self.open(*number);
            }
        }
        self.at(cell.made);
    }

    fn seen(&mut self, seen: &Seen) {
        match seen {
            Seen::Known(value) => {
                self.number(0);
                self.value(value);
            }
            Seen::Fresh { class, length } => {
                self.number(1);
                self.text(class);
                self.number(length.map_or(0, |length| u64::from(length) + 1));
            }
            Seen::Unknown(why) => {
                let reason = REASONS.iter().position(|reason| reason == why);
                self.number(2);
                self.number(reason.unwrap_or(0) as u64);
            }
        }
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.out.extend_from_slice(text.as_bytes());
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.number(0),
            Value::Object(id) => {
                self.number(1);
                let far = far(&mut self.near.object, *id);
                self.number(far);
            }
            Value::Class(no) => {
                self.number(2);
                self.number(no.index() as u64);
            }
            Value::Str(JavaString(units)) => {
                self.number(3);
                self.number(units.len() as u64);
                for unit in units.iter() {
                    self.number(u64::from(*unit));
                }
            }
            Value::Prim(prim) => self.prim(4, *prim),
            Value::Boxed(prim) => self.prim(5, *prim),
        }
    }

    fn prim(&mut self, what: u64, prim: Prim) {
        self.number(what);
        self.number(u64::from(u32::from(prim.letter())));
        self.number(varint::zigzag(prim.to_word().cast_signed()));
    }
}

/// Reads it again.
struct Taker<'a, 'b> {
    bytes: &'a mut Reader<'b>,
    near: Near,
}

impl Taker<'_, '_> {
    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.bytes.number()?).ok()
    }

    fn flag(&mut self) -> Option<bool> {
        match self.bytes.number()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn at(&mut self) -> Option<At> {
        let behind = varint::unzigzag(self.bytes.number()?);
        Some(At {
            events: self.near.began.wrapping_add(behind.cast_unsigned()),
            step: self.small()?,
        })
    }

    fn open(&mut self) -> Option<u64> {
        Some(at_far(&mut self.near.open, self.bytes.number()?))
    }

    fn activation(&mut self, program: &Program) -> Option<Activation> {
        let method = program.method_at(self.bytes.number()?)?;
        let code = Rc::clone(program.get(method));
        let instructions = code.body.as_ref().map_or(0, |b| b.instructions.len()) as u32;
        let role = Role::of_number(self.bytes.number()?)?;
        let frame = Activation {
            method,
            code,
            role,
            stepwise: self.flag()?,
            began: at_far(&mut self.near.began, self.bytes.number()?),
            line: u16::try_from(self.bytes.number()?).ok()?,
            this: self.option(Self::cell)?,
            locals: self.cells()?,
            stack: self.cells()?,
            call: self.option(Self::call)?.map(Box::new),
            at: self.option(|from| Some((from.small()?, from.at()?)))?,
            result: self.option(Self::cell)?,
        };
        let within = |at: u32| at < instructions.max(1);
        let fits = frame.call.as_ref().is_none_or(|call| within(call.at))
            && frame.at.is_none_or(|(at, _)| within(at));
        fits.then_some(frame)
    }

    fn call(&mut self) -> Option<Call> {
        Some(Call {
            at: self.small()?,
            began: self.at()?,
            arguments: self.cells()?,
            entered: self.flag()?,
            result: self.option(Self::cell)?,
            wrote: None,
        })
    }

    /// Nothing, or what `read` takes.
    fn option<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.flag()? {
            true => read(self).map(Some),
            false => Some(None),
        }
    }

    fn cells(&mut self) -> Option<Vec<Cell>> {
        let count = self.bytes.count()?;
        (0..count).map(|_| self.cell()).collect()
    }

    fn cell(&mut self) -> Option<Cell> {
        let datum = match self.bytes.number()? {
            0 => return Some(Cell::UNSET),
            1 => Datum::Known(self.value()?),
            2 => Datum::Open(self.open()?, Why::Unreported),
            _ => return None,
        };
        let made = self.at()?;
        Some(Cell { datum, made })
    }

    fn seen(&mut self) -> Option<Seen> {
        Some(match self.bytes.number()? {
            0 => Seen::Known(self.value()?),
            1 => {
                let class = Rc::from(self.text()?);
                let length = self.bytes.number()?.checked_sub(1);
                let length = length.map(u32::try_from).transpose().ok()?;
                Seen::Fresh { class, length }
            }
            2 => Seen::Unknown(*REASONS.get(usize::try_from(self.bytes.number()?).ok()?)?),
            _ => return None,
        })
    }

    fn text(&mut self) -> Option<String> {
        let count = self.bytes.count()?;
        let bytes = self.bytes.bytes(count)?;
        String::from_utf8(bytes.to_vec()).ok()
    }

    fn value(&mut self) -> Option<Value> {
        Some(match self.bytes.number()? {
            0 => Value::Null,
            1 => Value::Object(at_far(&mut self.near.object, self.bytes.number()?)),
            2 => Value::Class(ClassNo::checked(self.bytes.number()?)?),
            3 => {
                let count = self.bytes.count()?;
                let units = (0..count).map(|_| u16::try_from(self.bytes.number()?).ok());
                Value::Str(JavaString(units.collect::<Option<_>>()?))
            }
            4 => Value::Prim(self.prim()?),
            5 => Value::Boxed(self.prim()?),
            _ => return None,
        })
    }

    fn prim(&mut self) -> Option<Prim> {
        let letter = char::from_u32(self.small()?)?;
        let word = varint::unzigzag(self.bytes.number()?).cast_unsigned();
        Prim::from_word(letter, word)
    }
}
