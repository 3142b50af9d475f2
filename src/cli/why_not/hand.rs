//! Is the object that is asked about at hand where something went another way?

use jinsi_inspect::{Holds, InspectError, Inspector, Moment, Seen};
use jinsi_omission::{Code, Question, Suggestion};
use jinsi_trace::model::{EventId, ObjectId, Value};

/// Activations of a suggestion that are looked into, the last ones.
const ACTIVATIONS: usize = 4;
/// Elements of an array that are looked at.
const ELEMENTS: u32 = 100;

/// Looks into activations.
pub(super) struct Hand<'a, 't> {
    inspector: &'a Inspector<'t>,
    code: &'a Code<'t>,
    object: Option<ObjectId>,
}

impl<'a, 't> Hand<'a, 't> {
    pub(super) fn new(
        inspector: &'a Inspector<'t>,
        code: &'a Code<'t>,
        question: &Question,
    ) -> Self {
        let object = match question {
            Question::Object(id) => Some(*id),
            Question::Field { object, .. } => *object,
            _ => None,
        };
        Self {
            inspector,
            code,
            object,
        }
    }

    /// Was it in a variable of the method, or in a field of an object there, as the instruction ran? What cannot be told is not.
    pub(super) fn has(&self, suggestion: &Suggestion) -> bool {
        let Some(object) = self.object else {
            return false;
        };
        let bci = self.code.instruction(suggestion.jump).map_or(0, |i| i.bci);
        let last = suggestion.activations.iter().rev().take(ACTIVATIONS);
        let mut looked = last.map(|activation| self.looked(*activation, bci, object));
        looked.any(|has| has.unwrap_or(false))
    }

    fn looked(
        &self,
        activation: EventId,
        bci: u32,
        object: ObjectId,
    ) -> Result<bool, InspectError> {
        let Some(moment) = self.inspector.times_of(activation, bci, 1)?.pop() else {
            return Ok(false);
        };
        let state = self.inspector.state(moment)?;
        let Some(frame) = state.frames.first() else {
            return Ok(false);
        };
        let locals = frame.locals.iter().map(|local| &local.value);
        for seen in frame.this.iter().chain(locals) {
            let Some(Value::Object(id)) = seen.known() else {
                continue;
            };
            if *id == object || self.holds(*id, object, moment)? {
                return Ok(true);
            }
        }
        Ok(false)
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
            _ => false,
        })
    }
}
