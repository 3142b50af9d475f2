//! What fields and elements hold, and who wrote it.

use std::collections::BTreeSet;
use std::rc::Rc;

use jinsi_steps::walk::Location;
use jinsi_trace::model::{
    ClassNo, Content, EventId, MemberRef, ObjectId, Payload, ThreadNo, Value,
};

use crate::Inspector;
use crate::error::InspectError;
use crate::facts::Field;
use crate::replay_cache::{Named, ReplayedWrite};
use crate::state::of_type;
use jinsi_steps::cell::default_of;
use jinsi_steps::moment::{At, Moment};
use jinsi_steps::seen::{Seen, Why};

/// An entry, and its place in the order of all threads.
pub(crate) type Written = ((u64, At), Entry);

/// A variable in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variable {
    /// A field of an object.
    Field(ObjectId, Field),
    /// A static field.
    Static(Field),
    /// An element of an array.
    Element(ObjectId, u32),
}

impl Variable {
    pub(crate) fn location(&self) -> Location {
        match self {
            Variable::Field(object, field) => Location::Field(*object, field.no),
            Variable::Static(field) => Location::Static(field.no),
            Variable::Element(array, index) => Location::Element(*array, *index),
        }
    }

    pub(crate) fn object(&self) -> Option<ObjectId> {
        match self {
            Variable::Field(object, _) | Variable::Element(object, _) => Some(*object),
            Variable::Static(_) => None,
        }
    }
}

/// Who wrote something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writer {
    /// The event with which the activation began: its name.
    pub activation: EventId,
    /// Its method.
    pub method: MemberRef,
    /// Source line, 0 if not known.
    pub line: u16,
}

/// That a variable got a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Right before the instruction that wrote it, or the event that tells it.
    pub before: Moment,
    /// Right behind.
    pub after: Moment,
    /// The value.
    pub value: Seen,
    /// Who wrote it; `None`: code that is not recorded.
    pub by: Option<Writer>,
    /// Was it not seen being written, but reported later, with all that the object held then?
    pub reported: bool,
    /// Where the value was made that was written: right before that instruction.
    pub(crate) made: At,
}

/// What a variable holds at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The value.
    pub value: Seen,
    /// Who wrote it last; `None`: it holds what it held from the beginning, or that is not known.
    pub since: Option<Entry>,
}

/// What an object holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Fields, superclasses' first. Are there others, of classes that are not recorded?
    Fields(Vec<(Field, Seen)>, bool),
    /// Elements of an array, those that were asked for; its length, if known.
    Elements(Vec<(u32, Seen)>, Option<u32>),
    /// An object of the JDK's, as it was when that was last recorded.
    Content(Content, Moment),
    /// Nothing is known of it.
    Opaque,
}

/// An object at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectState {
    /// Internal name of its class, or an array's descriptor.
    pub class: String,
    /// What it holds.
    pub holds: Holds,
}

/// Contents that were read last.
#[derive(Debug, Default)]
pub(crate) struct Contents(Vec<(EventId, Option<Rc<Content>>)>);

impl Contents {
    /// So many are kept.
    const KEPT: usize = 16;

    fn get(&self, at: EventId) -> Option<Option<Rc<Content>>> {
        let found = self.0.iter().find(|(event, _)| *event == at);
        found.map(|(_, content)| content.clone())
    }

    fn keep(&mut self, at: EventId, content: Option<Rc<Content>>) {
        if self.0.len() >= Self::KEPT {
            self.0.remove(0);
        }
        self.0.push((at, content));
    }
}

/// What counts as before a moment, on each thread.
pub(crate) struct Horizon<'a, 't> {
    inspector: &'a Inspector<'t>,
    thread: ThreadNo,
    at: At,
    rank: u64,
}

impl<'a, 't> Horizon<'a, 't> {
    pub(crate) fn of(inspector: &'a Inspector<'t>, moment: Moment) -> Self {
        let at = moment.at();
        let order = &inspector.index.order;
        let rank = match at.events.checked_sub(1) {
            Some(index) => {
                let thread = moment.thread();
                order.rank(EventId { thread, index }) + 1
            }
            None => 0,
        };
        Self {
            inspector,
            thread: moment.thread(),
            at,
            rank,
        }
    }

    /// What comes before this is before the moment.
    pub(crate) fn limit(&self, thread: ThreadNo) -> At {
        match thread == self.thread {
            true => self.at,
            false => At {
                events: self.inspector.index.order.count_before(thread, self.rank),
                step: 0,
            },
        }
    }
}

impl<'t> Inspector<'t> {
    /// What the variable holds at a moment.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn value(&self, variable: &Variable, moment: Moment) -> Result<Held, InspectError> {
        self.value_within(variable, &Horizon::of(self, moment))
    }

    pub(crate) fn value_within(
        &self,
        variable: &Variable,
        horizon: &Horizon<'_, 't>,
    ) -> Result<Held, InspectError> {
        if let Some(why) = self.unwatched(variable) {
            return Ok(Held {
                value: Seen::Unknown(why),
                since: None,
            });
        }
        let written = self.last_write(variable, horizon)?;
        let content = self.last_content(variable, horizon)?;
        let read = self.last_read(variable, horizon)?;
        let reported = content
            .into_iter()
            .chain(read)
            .max_by_key(|reported| reported.0);
        let known = written.iter().chain(&reported).map(|known| known.0).max();
        if let Some(value) = self.changed_unseen(variable, known, horizon)? {
            return Ok(Held { value, since: None });
        }
        let latest = match (written, reported) {
            // What is reported may be what was seen being written.
            (Some(write), Some(reported)) => {
                match write.0 > reported.0 || write.1.value == reported.1.value {
                    true => Some(write.1),
                    false => Some(reported.1),
                }
            }
            (write, reported) => write.or(reported).map(|(_, entry)| entry),
        };
        Ok(match latest {
            Some(entry) => Held {
                value: entry.value.clone(),
                since: Some(entry),
            },
            None => Held {
                value: self.initial(variable)?,
                since: None,
            },
        })
    }

    /// Which object a variable holds at a moment, if no event had named it by then. That is looked for not far behind where it was written.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn named_later(&self, variable: &Variable, moment: Moment) -> Result<Named, InspectError> {
        let location = variable.location();
        let horizon = Horizon::of(self, moment);
        for (thread, stretch) in self.index.written(location).into_iter().rev() {
            let limit = horizon.limit(thread);
            if self.index.threads[&thread].begin(stretch) > limit {
                continue;
            }
            let player = self.player();
            let replayed = player.stretch(thread, stretch)?;
            let last = replayed.writes_of(location).rfind(|w| w.at < limit);
            if let Some(write) = last {
                return Ok(player.named_later(thread, stretch, write)?);
            }
        }
        Ok(Named::Unknown)
    }

    /// All values that the variable got, oldest first.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn history(&self, variable: &Variable) -> Result<Vec<Entry>, InspectError> {
        let location = variable.location();
        let mut all = Vec::new();
        for (thread, stretch) in self.index.written(location) {
            let replayed = self.player().stretch(thread, stretch)?;
            let writes = replayed.writes_of(location);
            all.extend(writes.map(|write| self.entry(variable, thread, write)));
        }
        for at in variable
            .object()
            .map_or_else(Vec::new, |id| self.facts.objects.contents(id))
        {
            all.extend(self.reported(variable, at)?);
        }
        all.extend(self.all_reads(variable)?);
        all.sort_by_key(|(rank, _)| *rank);
        let mut entries: Vec<Entry> = Vec::new();
        for (_, entry) in all {
            // What is reported may be known already.
            let known = entries.last().is_some_and(|last| last.value == entry.value);
            if !(entry.reported && known) {
                entries.push(entry);
            }
        }
        Ok(entries)
    }

    /// An object at a moment; of an array, these elements.
    ///
    /// # Errors
    /// There is no such object; the trace cannot be read.
    pub fn object(
        &self,
        id: ObjectId,
        moment: Moment,
        elements: std::ops::Range<u32>,
    ) -> Result<ObjectState, InspectError> {
        let object = self
            .facts
            .objects
            .get(id)
            .ok_or(InspectError::NoObject(id))?;
        let class = self.facts.class_name(object.class).to_owned();
        let horizon = Horizon::of(self, moment);
        if class.starts_with('[') {
            let end = object.length.unwrap_or(elements.end).min(elements.end);
            let held = (elements.start..end).map(|index| {
                let held = self.value_within(&Variable::Element(id, index), &horizon)?;
                Ok((index, held.value))
            });
            let held: Result<Vec<_>, InspectError> = held.collect();
            let holds = Holds::Elements(held?, object.length);
            return Ok(ObjectState { class, holds });
        }
        if !self.facts.is_recorded(object.class) {
            let holds = self.natural(id, &horizon)?;
            return Ok(ObjectState { class, holds });
        }
        let (fields, missing) = self.facts.instance_fields(object.class);
        let held = fields.into_iter().map(|field| {
            let variable = Variable::Field(id, field.clone());
            Ok((field, self.value_within(&variable, &horizon)?.value))
        });
        let held: Result<Vec<_>, InspectError> = held.collect();
        let holds = Holds::Fields(held?, missing);
        Ok(ObjectState { class, holds })
    }

    /// What the object was last recorded to hold before a moment: of an enum constant its name, of a value of the JDK's its text. Nothing of one that the
    /// program keeps in fields.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn content_at(
        &self,
        id: ObjectId,
        moment: Moment,
    ) -> Result<Option<Content>, InspectError> {
        let at = self.content_before(id, &Horizon::of(self, moment));
        let content = at.map(|at| self.content(at)).transpose()?.flatten();
        Ok(content.map(|content| content.as_ref().clone()))
    }

    /// Internal name of an object's class, or an array's descriptor.
    pub fn class_of(&self, id: ObjectId) -> Option<&str> {
        let object = self.facts.objects.get(id)?;
        Some(self.facts.class_name(object.class))
    }

    /// The fields of an object, or the static ones of a class.
    pub fn fields_of(&self, class: &str) -> Vec<Field> {
        let class = self.trace().class_by_name(class);
        class.map_or_else(Vec::new, |class| self.facts.declared(class.no).to_vec())
    }

    /// The variables of an object: its fields by name, or so many elements of an array, `[0]` and so on.
    pub fn variables_of(&self, id: ObjectId, elements: u32) -> Vec<(String, Variable)> {
        if self
            .class_of(id)
            .is_some_and(|class| class.starts_with('['))
        {
            let count = self.length(id).unwrap_or(elements).min(elements);
            let elements = (0..count).map(|at| (format!("[{at}]"), Variable::Element(id, at)));
            return elements.collect();
        }
        let fields = self.fields(id).into_iter();
        fields
            .map(|field| (field.name.to_string(), Variable::Field(id, field)))
            .collect()
    }

    /// The objects of which this field was written, by identity.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn objects_written(&self, field: &Field) -> Result<Vec<ObjectId>, InspectError> {
        let mut written: BTreeSet<ObjectId> = self.index.objects_written(field.no).collect();
        // Of new objects, where they were made has to be gone through.
        let classes = self.trace().classes().iter().map(|class| class.no);
        let having = classes.filter(|class| {
            let (fields, _) = self.facts.instance_fields(*class);
            fields.iter().any(|own| own.no == field.no)
        });
        let having: BTreeSet<ClassNo> = having.collect();
        for (id, class) in self.facts.objects.all() {
            if written.contains(&id) || !having.contains(&class) {
                continue;
            }
            let location = Location::Field(id, field.no);
            if let Some((thread, stretch)) = self.index.named_in(id) {
                let replayed = self.player().stretch(thread, stretch)?;
                let is_written = replayed
                    .writes
                    .iter()
                    .any(|write| write.location == location);
                written.extend(is_written.then_some(id));
            }
        }
        Ok(written.into_iter().collect())
    }

    /// All instance fields that an object has.
    pub(crate) fn fields(&self, id: ObjectId) -> Vec<Field> {
        let object = self.facts.objects.get(id);
        object.map_or_else(Vec::new, |o| self.facts.instance_fields(o.class).0)
    }

    pub(crate) fn length(&self, array: ObjectId) -> Option<u32> {
        self.facts.objects.get(array)?.length
    }

    fn natural(&self, id: ObjectId, horizon: &Horizon<'_, 't>) -> Result<Holds, InspectError> {
        let Some(at) = self.content_before(id, horizon) else {
            return Ok(Holds::Opaque);
        };
        Ok(match self.content(at)? {
            Some(content) => Holds::Content(content.as_ref().clone(), Moment::after(at)),
            None => Holds::Opaque,
        })
    }

    /// Why nothing can be said of the variable: what writes it is not recorded.
    fn unwatched(&self, variable: &Variable) -> Option<Why> {
        let field = match variable {
            Variable::Field(_, field) | Variable::Static(field) => field,
            Variable::Element(..) => return None,
        };
        let class = self.trace().class_by_name(&field.class)?;
        if !self.facts.is_observed(class.no) {
            return Some(Why::Class);
        }
        let unseen = self.facts.has_unseen_code(class.no);
        unseen.then_some(Why::CodeNotRecorded)
    }

    /// What the variable held when it came to be.
    fn initial(&self, variable: &Variable) -> Result<Seen, InspectError> {
        let made = |id: ObjectId| self.index.is_made(id);
        Ok(match variable {
            Variable::Static(field) if self.trace().window().is_none() => Seen::Known(
                field
                    .constant
                    .clone()
                    .map_or_else(|| default_of(&field.desc), |v| constant(v, &field.desc)),
            ),
            Variable::Field(object, field) if made(*object) => Seen::Known(default_of(&field.desc)),
            Variable::Element(array, _) => {
                let class = self.class_of(*array).unwrap_or("[L");
                match made(*array) {
                    true if self.facts.may_be_filled(class) => self.put_by_jvm(variable, *array)?,
                    true => Seen::Known(default_of(&class[1..])),
                    false if self.facts.may_be_row(class) => Seen::Unknown(Why::Unreported),
                    false => Seen::Unknown(Why::Earlier),
                }
            }
            _ => Seen::Unknown(Why::Earlier),
        })
    }

    fn last_write(
        &self,
        variable: &Variable,
        horizon: &Horizon<'_, 't>,
    ) -> Result<Option<Written>, InspectError> {
        let location = variable.location();
        let places = self.index.written(location);
        let mut latest: Option<Written> = None;
        for (&thread, index) in &self.index.threads {
            let limit = horizon.limit(thread);
            let of_thread = places.iter().filter(|(of, _)| *of == thread);
            for &(_, stretch) in of_thread.rev() {
                if index.begin(stretch) > limit {
                    continue;
                }
                let replayed = self.player().stretch(thread, stretch)?;
                let found = replayed.writes_of(location).rfind(|w| w.at < limit);
                if let Some(write) = found {
                    let found = self.entry(variable, thread, write);
                    if latest.as_ref().is_none_or(|(rank, _)| *rank < found.0) {
                        latest = Some(found);
                    }
                    break;
                }
            }
        }
        Ok(latest)
    }

    /// A write as others see it, and its place among all.
    pub(crate) fn entry(
        &self,
        variable: &Variable,
        thread: ThreadNo,
        write: &ReplayedWrite,
    ) -> Written {
        let next = EventId {
            thread,
            index: write.at.events,
        };
        let desc = self.desc(variable);
        let entry = Entry {
            before: write.at.of(thread),
            after: write.after.of(thread),
            value: of_type(write.value.clone(), &desc),
            by: write.by.map(|(began, method, line)| Writer {
                activation: EventId {
                    thread,
                    index: began,
                },
                method: self.method(method),
                line,
            }),
            reported: false,
            made: write.made,
        };
        ((self.index.order.rank(next), write.at), entry)
    }

    /// Can the variable hold an object?
    pub(crate) fn holds_objects(&self, variable: &Variable) -> bool {
        self.desc(variable).starts_with(['L', '['])
    }

    /// Descriptor of the variable's type.
    pub(crate) fn desc(&self, variable: &Variable) -> String {
        match variable {
            Variable::Field(_, field) | Variable::Static(field) => field.desc.to_string(),
            Variable::Element(array, _) => {
                let class = self.class_of(*array).unwrap_or_default();
                class.get(1..).unwrap_or_default().to_owned()
            }
        }
    }

    fn content_before(&self, id: ObjectId, horizon: &Horizon<'_, 't>) -> Option<EventId> {
        let contents = self.facts.objects.contents(id).into_iter();
        let before = contents.filter(|at| at.index < horizon.limit(at.thread).events);
        before.max_by_key(|at| self.index.order.rank(*at))
    }

    fn last_content(
        &self,
        variable: &Variable,
        horizon: &Horizon<'_, 't>,
    ) -> Result<Option<Written>, InspectError> {
        let at = variable
            .object()
            .and_then(|id| self.content_before(id, horizon));
        match at {
            Some(at) => self.reported(variable, at),
            None => Ok(None),
        }
    }

    /// What an event tells that an object holds. Of an array it is asked for each element.
    fn content(&self, at: EventId) -> Result<Option<Rc<Content>>, InspectError> {
        let known = self.contents.borrow().get(at);
        if let Some(known) = known {
            return Ok(known);
        }
        let mut events = self.trace().events_from(at.thread, at.index);
        let event = events.next().transpose()?;
        let content = event.and_then(|event| match event.payload {
            Payload::Content { content, .. } => Some(Rc::new(content)),
            _ => None,
        });
        self.contents.borrow_mut().keep(at, content.clone());
        Ok(content)
    }

    /// What a recorded content says of the variable.
    pub(crate) fn reported(
        &self,
        variable: &Variable,
        at: EventId,
    ) -> Result<Option<Written>, InspectError> {
        let content = self.content(at)?;
        let value = match (content.as_deref(), variable) {
            (Some(Content::Array(elements)), Variable::Element(_, index)) => {
                let value: Option<&Value> = elements.get(*index as usize);
                value.cloned().map(Seen::Known)
            }
            (Some(Content::TooLarge { .. }), Variable::Element(..)) => {
                Some(Seen::Unknown(Why::TooLarge))
            }
            (Some(Content::Fields(fields)), Variable::Field(_, field)) => {
                let class = self.trace().class_by_name(&field.class).map(|c| c.no);
                let value = class.and_then(|class| fields.get(class, &field.name));
                value.cloned().map(Seen::Known)
            }
            _ => None,
        };
        Ok(value.map(|value| self.reported_at(at, value)))
    }

    /// That an event tells what a variable holds.
    pub(crate) fn reported_at(&self, at: EventId, value: Seen) -> Written {
        let events = at.index + 1;
        let entry = Entry {
            before: At {
                events: at.index,
                step: u32::MAX,
            }
            .of(at.thread),
            after: Moment::after(at),
            value,
            by: None,
            reported: true,
            made: At { events, step: 0 },
        };
        // What was written right before is reported by it.
        let rank = (
            self.index.order.rank(at),
            At {
                events,
                step: u32::MAX,
            },
        );
        (rank, entry)
    }
}

/// A constant as a field of this type holds it.
fn constant(value: Value, desc: &str) -> Value {
    jinsi_steps::cell::declared(value, desc)
}
