//! Would the object that is asked about have been worked on, had an instruction gone another way?

use std::cell::RefCell;
use std::collections::HashMap;

use jinsi_inspect::{Frame, Holds, InspectError, Inspector, Moment, Seen, Variable};
use jinsi_omission::{Code, Hand, Omission, Question, Source};
use jinsi_trace::model::{EventId, ObjectId, Value};

/// Activations of an omission that are looked into, the last ones.
const ACTIVATIONS: usize = 3;
/// Elements of an array that are looked at.
const ELEMENTS: u32 = 100;

/// An instruction that ran in an activation, the last time.
#[derive(Clone)]
struct Looked {
    moment: Moment,
    /// At the beginning of the activation.
    began: Frame,
    /// Was the object in a variable, or in a field of an object there?
    near: bool,
}

/// Looks into activations.
pub struct Hands<'a, 't> {
    inspector: &'a Inspector<'t>,
    code: &'a Code<'t>,
    object: Option<ObjectId>,
    looked: RefCell<HashMap<(EventId, u32), Option<Looked>>>,
}

impl<'a, 't> Hands<'a, 't> {
    /// For what a question is about.
    pub fn new(inspector: &'a Inspector<'t>, code: &'a Code<'t>, question: &Question) -> Self {
        let object = match question {
            Question::Object(id) => Some(*id),
            Question::Field { object, .. } => *object,
            _ => None,
        };
        Self {
            inspector,
            code,
            object,
            looked: RefCell::default(),
        }
    }

    /// What the activations say, the best of them.
    pub fn of(&self, omission: &Omission) -> Hand {
        let Some(object) = self.object else {
            return Hand::Unknown;
        };
        let last = omission.activations.iter().rev().take(ACTIVATIONS);
        let hands = last.map(|activation| self.within(*activation, omission, object));
        hands.min().unwrap_or(Hand::Unknown)
    }

    fn within(&self, activation: EventId, omission: &Omission, object: ObjectId) -> Hand {
        let bci = self.code.instruction(omission.jump).map_or(0, |i| i.bci);
        let key = (activation, bci);
        let known = self.looked.borrow().get(&key).cloned();
        let looked = known.unwrap_or_else(|| {
            // What cannot be read is not known.
            let looked = self.look(activation, bci, object).unwrap_or_default();
            self.looked.borrow_mut().insert(key, looked.clone());
            looked
        });
        let Some(looked) = looked else {
            return Hand::Unknown;
        };
        let there = omission.source.and_then(|source| {
            let value = self.value(&looked, omission, source);
            value.ok().flatten()
        });
        match there {
            Some(Value::Object(id)) if id == object => Hand::Certain,
            Some(_) => Hand::Other,
            None if looked.near => Hand::Near,
            None => Hand::Unknown,
        }
    }

    fn look(
        &self,
        activation: EventId,
        bci: u32,
        object: ObjectId,
    ) -> Result<Option<Looked>, InspectError> {
        let Some(moment) = self.inspector.times_of(activation, bci, 1)?.pop() else {
            return Ok(None);
        };
        let began = self.inspector.state(Moment::after(activation))?;
        let state = self.inspector.state(moment)?;
        let frames = (began.frames.into_iter().next(), state.frames.first());
        let (Some(began), Some(frame)) = frames else {
            return Ok(None);
        };
        let mut near = false;
        let locals = frame.locals.iter().map(|local| &local.value);
        for seen in frame.this.iter().chain(locals) {
            if let Some(Value::Object(id)) = seen.known() {
                near |= *id == object || self.holds(*id, object, moment)?;
            }
        }
        Ok(Some(Looked {
            moment,
            began,
            near,
        }))
    }

    fn holds(
        &self,
        owner: ObjectId,
        object: ObjectId,
        moment: Moment,
    ) -> Result<bool, InspectError> {
        let is_it = |seen: &Seen| seen.known() == Some(&Value::Object(object));
        let state = self.inspector.object(owner, moment, 0..ELEMENTS)?;
        Ok(match &state.holds {
            Holds::Fields(fields, _) => fields.iter().any(|(_, seen)| is_it(seen)),
            Holds::Elements(elements, _) => elements.iter().any(|(_, seen)| is_it(seen)),
            Holds::Content(..) | Holds::Opaque => false,
        })
    }

    /// What the method had there as the instruction ran; `None`: that is not known.
    fn value(
        &self,
        looked: &Looked,
        omission: &Omission,
        source: Source,
    ) -> Result<Option<Value>, InspectError> {
        let Some(body) = self.code.body(omission.jump.method) else {
            return Ok(None);
        };
        let slot = body.parameters.get(usize::from(source.parameter));
        let local = looked.began.locals.iter().find(|l| Some(&l.slot) == slot);
        let this = looked.began.this.as_ref().filter(|_| source.parameter == 0);
        let given = this
            .or(local.map(|local| &local.value))
            .and_then(Seen::known);
        let Some(wanted) = source.field else {
            return Ok(given.cloned());
        };
        let Some(Value::Object(owner)) = given else {
            return Ok(None);
        };
        let program = &self.code.program;
        let (name, desc) = (program.field_name(wanted), program.field_desc(wanted));
        let variables = self.inspector.variables_of(*owner, 0).into_iter();
        let field = variables.map(|(_, variable)| variable).find(|variable| {
            matches!(variable, Variable::Field(_, field) if *field.name == *name && *field.desc == *desc)
        });
        let Some(field) = field else {
            return Ok(None);
        };
        let held = self.inspector.value(&field, looked.moment)?;
        Ok(held.value.known().cloned())
    }
}
