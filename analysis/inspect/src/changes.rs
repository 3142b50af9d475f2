//! What changed in an activation between two moments.

use std::collections::BTreeMap;

use jinsi_trace::model::{EventId, ObjectId, ThreadNo, Value};

use rustc_hash::FxHashSet;

use crate::Inspector;
use crate::error::InspectError;
use crate::memory::{Held, Horizon, Variable};
use crate::point::Stop;
use crate::state::{Local, State, state_at};
use jinsi_steps::moment::{At, Moment};
use jinsi_steps::seen::{Seen, Why};

/// Elements of an array that are compared.
const ELEMENTS: u32 = 10_000;
/// Objects that are looked into.
const OBJECTS: usize = 10_000;

/// How a variable changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Not at all.
    Same,
    /// It holds what it held; something that can be reached from it does not (yellow).
    Below,
    /// It holds something else (red).
    Changed,
    /// It is not known.
    Unknown,
}

/// A variable with what it held and holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its name, as an expression of the activation: `this`, `c`, `c[2]`, `this.next.size`.
    pub name: String,
    /// At the beginning.
    pub old: Seen,
    /// At the end.
    pub new: Seen,
    /// How it changed.
    pub mark: Mark,
    /// Where it was written last, if another thread than the activation's did.
    pub by: Option<Moment>,
    /// What it refers to, if that was looked into: fields and elements that changed, or below which something did.
    pub below: Vec<Change>,
}

impl Inspector<'_> {
    /// How the variables of an activation changed from where it began up to `until`, or to its end: parameters, `this` and local variables,
    /// with what can be reached from them.
    ///
    /// # Errors
    /// There is no such activation; the trace cannot be read.
    pub fn changes(
        &self,
        activation: EventId,
        until: Option<Moment>,
    ) -> Result<Vec<Change>, InspectError> {
        self.changes_among(activation, until, OBJECTS)
    }

    /// The same, looking into so many objects at most. What may have changed below a variable beyond these is [`Mark::Unknown`].
    ///
    /// # Errors
    /// There is no such activation; the trace cannot be read.
    pub fn changes_among(
        &self,
        activation: EventId,
        until: Option<Moment>,
        most: usize,
    ) -> Result<Vec<Change>, InspectError> {
        self.changes_since(activation, (Moment::after(activation), until), most)
    }

    /// The same, from a moment in the activation on.
    ///
    /// # Errors
    /// There is no such activation, or it was not running then; the trace cannot be read.
    pub fn changes_since(
        &self,
        activation: EventId,
        (from, until): (Moment, Option<Moment>),
        most: usize,
    ) -> Result<Vec<Change>, InspectError> {
        let row = self.row(activation)?;
        let thread = activation.thread;
        let first = Stop::at(self.player(), from)?;
        let old = state_at(&first);
        let end = At {
            events: row.ended,
            step: 0,
        };
        let limit = until.map_or(end, |until| until.at().min(end));
        let (new, end) = self.last_of(&old, activation, limit)?;
        let [before, after] = [
            Horizon::of(self, old.moment),
            Horizon::of(self, end.of(thread)),
        ];
        let mut compare = Comparing::new(self, (before, after), thread, most)?;
        let frame = |state: &State| {
            let mut frames = state.frames.iter();
            let found = frames.find(|frame| frame.activation == activation);
            found.map_or((None, Vec::new()), |f| (f.this.clone(), f.locals.clone()))
        };
        let (old_this, old) = frame(&old);
        let (new_this, new) = frame(&new);
        let mut all = Vec::new();
        if let (Some(old), Some(new)) = (old_this, new_this) {
            all.push(compare.variable("this".into(), old, new, None)?);
        }
        for local in new {
            let before = old
                .iter()
                .find(|o: &&Local| o.slot == local.slot && o.name == local.name);
            let old = before.map_or(Seen::Unknown(Why::Unset), |local| local.value.clone());
            all.push(compare.variable(local.name, old, local.value, None)?);
        }
        Ok(all)
    }

    /// Right before the last instruction that an activation itself ran before a moment, or before its end; its beginning if it ran none.
    ///
    /// # Errors
    /// There is no such activation; the trace cannot be read.
    pub fn last_of_activation(
        &self,
        activation: EventId,
        until: Option<Moment>,
    ) -> Result<Moment, InspectError> {
        let row = self.row(activation)?;
        let end = At {
            events: row.ended,
            step: 0,
        };
        let limit = until.map_or(end, |until| until.at().min(end));
        let last = Stop::last_before(self.player(), activation.thread, limit, |machine, _| {
            machine
                .top()
                .is_some_and(|top| top.began == activation.index)
        })?;
        Ok(last.unwrap_or(Moment::after(activation)))
    }

    /// How the static variables changed of the class whose method an activation is, from where it began up to `until`, or to its end.
    ///
    /// # Errors
    /// There is no such activation; the trace cannot be read.
    pub fn changes_of_statics(
        &self,
        activation: EventId,
        until: Option<Moment>,
    ) -> Result<Vec<Change>, InspectError> {
        let row = self.row(activation)?;
        let end = At {
            events: row.ended,
            step: 0,
        };
        let limit = until.map_or(end, |until| until.at().min(end));
        let [before, after] = [
            Horizon::of(self, Moment::after(activation)),
            Horizon::of(self, limit.of(activation.thread)),
        ];
        let mut compare = Comparing::new(self, (before, after), activation.thread, OBJECTS)?;
        let owner = self.method(row.method).owner;
        let fields = self.fields_of(&owner).into_iter().filter(|f| f.is_static);
        let mut all = Vec::new();
        for field in fields {
            let variable = Variable::Static(field);
            let old = self.value_within(&variable, &compare.before)?.value;
            let new = self.value_within(&variable, &compare.after)?;
            let by = compare.other(&new);
            all.push(compare.variable(variable.to_string(), old, new.value, by)?);
        }
        Ok(all)
    }

    /// The state before the last instruction of an activation up to a limit, and where it ends.
    fn last_of(
        &self,
        first: &State,
        activation: EventId,
        limit: At,
    ) -> Result<(State, At), InspectError> {
        let thread = activation.thread;
        let last = Stop::last_before(self.player(), thread, limit, |machine, _| {
            machine
                .top()
                .is_some_and(|top| top.began == activation.index)
        })?;
        let Some(last) = last else {
            return Ok((first.clone(), limit));
        };
        // Right behind it, if that is still in the activation: what it did belongs to it.
        let next = self.next(last)?;
        let state = match next {
            Some(next) if next.at() <= limit => {
                let state = self.state(next)?;
                let inside = state.frames.iter().any(|f| f.activation == activation);
                if inside { state } else { self.state(last)? }
            }
            _ => self.state(last)?,
        };
        Ok((state, limit))
    }
}

struct Comparing<'a, 't> {
    inspector: &'a Inspector<'t>,
    thread: ThreadNo,
    before: Horizon<'a, 't>,
    after: Horizon<'a, 't>,
    /// Objects that were looked into: did something change below them?
    seen: BTreeMap<ObjectId, bool>,
    /// So many objects are looked into.
    most: usize,
    /// There were others, below the variable that is looked at.
    cut: bool,
    /// Objects that may have changed.
    touched: FxHashSet<ObjectId>,
    /// So many of them were not met yet: when all were, nothing that is left can have changed.
    left: usize,
}

impl<'a, 't> Comparing<'a, 't> {
    fn new(
        inspector: &'a Inspector<'t>,
        (before, after): (Horizon<'a, 't>, Horizon<'a, 't>),
        thread: ThreadNo,
        most: usize,
    ) -> Result<Self, InspectError> {
        let touched = inspector.touched(&before, &after)?;
        Ok(Self {
            inspector,
            thread,
            before,
            after,
            seen: BTreeMap::new(),
            most,
            cut: false,
            left: touched.len(),
            touched,
        })
    }

    /// Where it was written last, if another thread did.
    fn other(&self, held: &Held) -> Option<Moment> {
        let by = held.since.as_ref()?.before;
        (by.thread() != self.thread).then_some(by)
    }

    fn variable(
        &mut self,
        name: String,
        old: Seen,
        new: Seen,
        by: Option<Moment>,
    ) -> Result<Change, InspectError> {
        let mut mark = match (&old, &new) {
            (Seen::Unknown(Why::Unset), Seen::Unknown(Why::Unset)) => Mark::Same,
            (Seen::Unknown(Why::Unset), Seen::Known(_) | Seen::Fresh { .. }) => Mark::Changed,
            (Seen::Unknown(_), _) | (_, Seen::Unknown(_)) => Mark::Unknown,
            (old, new) if old == new => Mark::Same,
            _ => Mark::Changed,
        };
        let mut below = Vec::new();
        let cut = std::mem::take(&mut self.cut);
        if let Seen::Known(Value::Object(id)) = new {
            let changed = match self.seen.get(&id) {
                // What changed below it is reported where it was met first.
                Some(changed) => *changed,
                None if self.left == 0 => false,
                None if self.seen.len() >= self.most => {
                    self.cut = true;
                    false
                }
                None => {
                    self.seen.insert(id, false);
                    below = self.inside(&name, id)?;
                    self.seen.insert(id, !below.is_empty());
                    !below.is_empty()
                }
            };
            mark = match mark {
                Mark::Same if changed => Mark::Below,
                Mark::Same if self.cut => Mark::Unknown,
                mark => mark,
            };
        }
        self.cut |= cut;
        Ok(Change {
            name,
            old,
            new,
            mark,
            by,
            below,
        })
    }

    /// What changed in an object, or below it.
    fn inside(&mut self, name: &str, id: ObjectId) -> Result<Vec<Change>, InspectError> {
        let mut changes = Vec::new();
        let touched = self.touched.contains(&id);
        self.left -= usize::from(touched);
        let length = self.inspector.length(id).unwrap_or(0).min(ELEMENTS);
        let elements = (0..length).map(|index| {
            let variable = Variable::Element(id, index);
            (format!("{name}[{index}]"), variable)
        });
        let fields = self.inspector.fields(id).into_iter();
        let fields = fields.map(|field| {
            let name = format!("{name}.{}", field.name);
            (name, Variable::Field(id, field))
        });
        let is_array = self
            .inspector
            .class_of(id)
            .is_some_and(|c| c.starts_with('['));
        let variables: Vec<(String, Variable)> = match is_array {
            true => elements.collect(),
            false => fields.collect(),
        };
        for (name, variable) in variables {
            let is_over = self.seen.len() >= self.most;
            self.cut |= !touched && is_over;
            // What holds no object, and was not written, is of no interest.
            if !touched && (is_over || self.left == 0 || !self.inspector.holds_objects(&variable)) {
                continue;
            }
            let held = self.inspector.value_within(&variable, &self.after)?;
            let (by, new) = (self.other(&held), held.value);
            let old = match touched {
                true => self.inspector.value_within(&variable, &self.before)?.value,
                false => new.clone(),
            };
            let change = self.variable(name, old, new, by)?;
            if matches!(change.mark, Mark::Changed | Mark::Below) {
                changes.push(change);
            }
        }
        Ok(changes)
    }
}
