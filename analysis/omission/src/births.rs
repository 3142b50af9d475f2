//! Where each recorded object came from.
//!
//! An object that recorded code made was born at its `new`. Any other, also an array, was born where it was met first: at the call that gave
//! it, the field or element it was read from, or the parameter that brought it. So each object has a place of birth, and all that have
//! the same are one for the analysis.

use jinsi_trace::model::{
    CallOp, ClassNo, Event, EventKind, ObjectId, Payload, Site, SiteNo, ThreadNo, Value,
};
use jinsi_trace::reader::ReadError;
use rustc_hash::FxHashMap;

use crate::code::Code;
use crate::place::Place;
use crate::values::ValueNo;
use jinsi_steps::code::MethodNo;

/// A place of birth: a value of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Birth {
    /// Whose.
    pub method: MethodNo,
    /// The value.
    pub value: ValueNo,
}

/// An object.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// Its class, if that is known.
    pub class: Option<ClassNo>,
    /// Where it came from; `None`: recorded code has not met it.
    pub birth: Option<Birth>,
    /// Where it was made: the thread, and the index of the event that says so.
    pub made: Option<(ThreadNo, u64)>,
}

/// All objects of a run.
#[derive(Debug, Default)]
pub struct Births {
    objects: FxHashMap<ObjectId, Object>,
}

impl Births {
    /// Of a trace.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn of(code: &Code<'_>) -> Result<Self, ReadError> {
        let mut births = Self::default();
        let mut at: FxHashMap<(SiteNo, usize), Option<Birth>> = FxHashMap::default();
        for thread in code.trace.threads() {
            for (index, event) in (0..).zip(code.trace.events(thread.no).brief()) {
                births.meet(code, &mut at, (thread.no, index), &event?);
            }
        }
        Ok(births)
    }

    /// An object; `None` if there is none of this number.
    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(&id)
    }

    /// All objects.
    pub fn all(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.objects.iter().map(|(id, object)| (*id, object))
    }

    fn object(&mut self, id: ObjectId) -> &mut Object {
        self.objects.entry(id).or_insert(Object {
            class: None,
            birth: None,
            made: None,
        })
    }

    fn meet(
        &mut self,
        code: &Code<'_>,
        known: &mut FxHashMap<(SiteNo, usize), Option<Birth>>,
        at: (ThreadNo, u64),
        event: &Event,
    ) {
        let operands = match &event.payload {
            Payload::Define { id, class, .. } => {
                self.object(*id).class = Some(*class);
                return;
            }
            Payload::Content { .. } => return,
            Payload::Operands(operands) => operands,
        };
        let Some(site) = event.site.and_then(|no| code.trace.site(no)) else {
            return;
        };
        if site.outside {
            return;
        }
        for (position, value) in operands.iter().enumerate() {
            let Value::Object(id) = value else { continue };
            let makes = site.kind == EventKind::CallExit && site.op == CallOp::New;
            let object = self.object(*id);
            if object.birth.is_some() && !(makes && object.made.is_none()) {
                continue;
            }
            let birth = known
                .entry((site.no, position))
                .or_insert_with(|| birth(code, site, position));
            let object = self.object(*id);
            if birth.is_some() {
                object.birth = *birth;
            }
            if makes {
                object.made = Some(at);
            }
        }
    }
}

/// The value that an operand of a site's events is.
pub(crate) fn birth(code: &Code<'_>, site: &Site, position: usize) -> Option<Birth> {
    let place = code.program.place(site.no)?;
    let method = place.method?;
    let body = code.body(method)?;
    let values = code.values(method);
    let value = match site.kind {
        EventKind::Enter => {
            let first = usize::from(site.method == "<init>");
            values.parameter(position + first)?
        }
        EventKind::This => values.parameter(0)?,
        kind => {
            let at = body.at(place.bci)?;
            let place = Place { method, at };
            value_of(code, place, (kind, site.op), position)?
        }
    };
    Some(Birth { method, value })
}

/// The value that an operand of an instruction's event is.
pub(crate) fn value_of(
    code: &Code<'_>,
    place: Place,
    (kind, op): (EventKind, CallOp),
    position: usize,
) -> Option<ValueNo> {
    let result = || code.values(place.method).results.get(place.at).copied()?;
    let operand = |index: usize| code.operand(place, index)?.value;
    match (kind, position) {
        // The object under construction is none yet.
        (EventKind::Call, position) if op == CallOp::New => operand(position + 1),
        (EventKind::CallExit, 0) if op == CallOp::New => operand(0),
        (EventKind::CallExit, 0) | (EventKind::GetField, 1) | (EventKind::GetStatic, 0) => result(),
        (EventKind::ArrayLoad, 2) | (EventKind::Given, 0) => result(),
        (
            EventKind::Call
            | EventKind::GetField
            | EventKind::PutField
            | EventKind::PutStatic
            | EventKind::ArrayLoad
            | EventKind::ArrayStore,
            position,
        ) => operand(position),
        _ => None,
    }
}
