//! What an expression means of what a call gave: its result, its exception, or what can be reached from what it was given.

use std::collections::HashSet;

use jinsi_steps::walk::Location;
use jinsi_trace::model::{EventId, ObjectId, Value};

use crate::calls::{Activation, Outcome};
use crate::error::InspectError;
use crate::memory::{Holds, Horizon, Variable};
use crate::path::{Path, Target};
use crate::point::Stop;
use crate::{Field, Inspector};
use jinsi_steps::moment::Moment;
use jinsi_steps::seen::Seen;

/// The name by which an expression means what a call returned; of a constructor, the object.
const RESULT: &str = "result";
/// The name by which it means the exception by which a call ended.
const EXCEPTION: &str = "exception";
/// Variables that a part may be made of.
const MOST: usize = 5_000;

/// Something that a call gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallResult {
    /// The end of the call.
    pub end: Moment,
    /// Is it what the call returned, or the exception by which it ended, or part of that?
    pub outcome: bool,
    /// What it is.
    pub value: Seen,
    /// Variables in memory that it leads through, and all that it holds.
    pub variables: Vec<Location>,
    /// Objects that it holds of which not all variables are recorded.
    pub objects: Vec<ObjectId>,
    /// Fields that it leads through and that nobody wrote: they hold what they held from the beginning.
    pub unset: Vec<(ObjectId, Field)>,
}

impl Inspector<'_> {
    /// What an expression means of what a call gave, with all that it holds: `result`, `exception`, what the call was given and what can be
    /// reached from that, and static fields. What the call was given is what its own variables held when it began; all else is what it was at
    /// the end.
    ///
    /// # Errors
    /// There is no such thing; the call did not end; there is too much of it; the trace cannot be read.
    pub fn call_result(&self, call: EventId, path: &Path) -> Result<CallResult, InspectError> {
        let activation = self.activation(call)?;
        let end = activation.end.ok_or(InspectError::NotEnded)?;
        let stop = Stop::at(self.player(), Moment::after(call))?;
        let depth = self.depth_in(&stop, call)?;
        let (mut target, used, outcome) = self.gave_root(&activation, (&stop, depth), path)?;
        let mut call_result = CallResult {
            end,
            outcome,
            value: Seen::Known(Value::Null),
            variables: Vec::new(),
            objects: Vec::new(),
            unset: Vec::new(),
        };
        let horizon = Horizon::of(self, end);
        let mut left = path.len() - used;
        loop {
            call_result.value = match &target {
                Target::Local(cell, desc) => crate::state::seen(&stop.machine.bindings, cell, desc),
                Target::Value(seen) => seen.clone(),
                Target::Memory(variable) => {
                    call_result.variables.push(variable.location());
                    let held = self.value_within(variable, &horizon)?;
                    if let (Variable::Field(object, field), None) = (variable, &held.since) {
                        call_result.unset.push((*object, field.clone()));
                    }
                    held.value
                }
            };
            if left == 0 {
                break;
            }
            let link = path.len() - left;
            // An array's length is what it was made with.
            if let Seen::Known(Value::Object(id)) = &call_result.value {
                call_result
                    .objects
                    .extend(path.is_length(link).then_some(*id));
            }
            target = self.follow(&stop, (&call_result.value, depth), path, link)?;
            self.is_there(&target, path)?;
            left -= 1;
        }
        self.add_all_held(&mut call_result)?;
        Ok(call_result)
    }

    /// What an expression begins with, how many of its links that are, and whether it is how the call ended.
    fn gave_root(
        &self,
        activation: &Activation,
        (stop, depth): (&Stop<'_, '_>, usize),
        path: &Path,
    ) -> Result<(Target, usize, bool), InspectError> {
        let outcome = match path.first() {
            RESULT | EXCEPTION => Some(self.outcome(activation.name)?),
            _ => None,
        };
        match (path.first(), outcome) {
            (RESULT, Some(Outcome::Returned(Some(seen)))) => Ok((Target::Value(seen), 1, true)),
            (RESULT, Some(Outcome::Returned(None))) if activation.method.name == "<init>" => {
                let this = "this".parse()?;
                Ok((self.target(stop, depth, &this)?, 1, false))
            }
            (EXCEPTION, Some(Outcome::Threw(id))) if id != 0 => {
                let thrown = Seen::Known(Value::Object(id));
                Ok((Target::Value(thrown), 1, true))
            }
            _ => {
                let (target, used) = self.rooted(stop, depth, path)?;
                Ok((target, used, false))
            }
        }
    }

    /// An array has so many elements.
    fn is_there(&self, target: &Target, path: &Path) -> Result<(), InspectError> {
        let Target::Memory(Variable::Element(array, at)) = target else {
            return Ok(());
        };
        match self.length(*array) {
            Some(length) if *at >= length => Err(InspectError::NoElement {
                path: path.to_string(),
                length,
            }),
            _ => Ok(()),
        }
    }

    fn depth_in(&self, stop: &Stop<'_, '_>, call: EventId) -> Result<usize, InspectError> {
        let mut frames = stop.machine.frames.iter().rev();
        let found = frames.position(|frame| frame.began == call.index);
        found.ok_or(InspectError::NoActivation(call))
    }

    /// Adds all that can be reached from the value at the call's end.
    fn add_all_held(&self, call_result: &mut CallResult) -> Result<(), InspectError> {
        let id = |seen: &Seen| match seen {
            Seen::Known(Value::Object(id)) => Some(*id),
            _ => None,
        };
        let mut pending: Vec<ObjectId> = id(&call_result.value).into_iter().collect();
        let mut met: HashSet<ObjectId> = pending.iter().copied().collect();
        while let Some(object) = pending.pop() {
            let mut held = Vec::new();
            // What is a mere name of a thing, such as a class, holds nothing.
            let Ok(state) = self.object(object, call_result.end, 0..MOST as u32 + 1) else {
                call_result.objects.push(object);
                continue;
            };
            match state.holds {
                Holds::Fields(fields, missing) => {
                    call_result.objects.extend(missing.then_some(object));
                    for (field, seen) in fields {
                        let variable = Variable::Field(object, field);
                        call_result.variables.push(variable.location());
                        held.extend(id(&seen));
                    }
                }
                Holds::Elements(elements, _) => {
                    for (at, seen) in elements {
                        call_result.variables.push(Location::Element(object, at));
                        held.extend(id(&seen));
                    }
                }
                Holds::Content(content, _) => {
                    call_result.objects.push(object);
                    for value in content.values() {
                        held.extend(id(&Seen::Known(value.clone())));
                    }
                }
                Holds::Opaque => call_result.objects.push(object),
            }
            if call_result.variables.len() + call_result.objects.len() + pending.len() > MOST {
                return Err(InspectError::TooMuch);
            }
            pending.extend(held.into_iter().filter(|object| met.insert(*object)));
        }
        Ok(())
    }
}
