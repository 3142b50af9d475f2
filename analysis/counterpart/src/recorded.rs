//! What the recording says of a call: what it was given, and what came of it.

use std::collections::BTreeSet;

use jinsi_inspect::{
    Field, Holds, InspectError, Inspector, Moment, Outcome, Seen, State, Variable,
};
use jinsi_trace::model::{ClassOrigin, EventId, EventKind, ObjectId, Payload, Prim, Value};
use jinsi_trace::reader::Trace;

use crate::call::Call;
use crate::doubt::Doubt;
use crate::graph::{End, Parts, Snapshot, Static, Val};
use crate::homes;
use crate::past::{Failed, Source};
use crate::script::{self, Script};
use crate::taking::{Homes, Known, Taking};

/// Which static fields count.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Statics<'a> {
    /// All, and what is not known of them is as the initializers of the other version leave it.
    All,
    /// Those of these names, and all has to be known.
    Named(&'a BTreeSet<String>),
}

impl Statics<'_> {
    fn has(self, field: &Field) -> bool {
        match self {
            Statics::All => true,
            Statics::Named(names) => names.contains(&*field.name),
        }
    }
}

/// The call; or why what it was given is not known.
pub(crate) fn call(
    source: Source<'_, '_>,
    activation: EventId,
    which: Statics<'_>,
) -> Result<Result<Call, Doubt>, InspectError> {
    let inspector = source.inspector;
    let of = inspector.activation(activation)?;
    if of.method.name == "<clinit>" {
        return Ok(Err(Doubt::Initializer));
    }
    if of.end.is_none() {
        return Ok(Err(Doubt::Unfinished));
    }
    let state = inspector.state(Moment::after(activation))?;
    let mut call = match take(source, activation, (&state, which), Homes::default())? {
        Ok(call) => call,
        Err(why) => return Ok(Err(why)),
    };
    let Some(why) = homes::unknown(&call) else {
        return Ok(Ok(call));
    };
    if !matches!(which, Statics::All) {
        return Ok(Err(why));
    }
    let homeless = source.failed.map(|failed| &failed.homeless);
    let mut found = homes::of(inspector, &call);
    if let Some(homeless) = homeless {
        found.retain(|id, _| !homeless.contains_key(id));
    }
    call = match take(source, activation, (&state, which), found)? {
        Ok(call) => call,
        Err(why) => return Ok(Err(why)),
    };
    call.leave_aside();
    Ok(match homes::unknown(&call) {
        Some(why) => Err(why),
        None => Ok(call),
    })
}

fn take(
    source: Source<'_, '_>,
    activation: EventId,
    (state, which): (&State, Statics<'_>),
    homes: Homes,
) -> Result<Result<Call, Doubt>, InspectError> {
    let inspector = source.inspector;
    let of = inspector.activation(activation)?;
    let frame = state.frames.first();
    let Some(frame) = frame.filter(|frame| frame.activation == activation) else {
        return Ok(Err(Doubt::NoInstructions));
    };
    let mut taking = Taking::new(inspector, Moment::after(activation), homes);
    let mut given = Vec::new();
    let constructs = of.method.name == "<init>";
    let mut made = None;
    match (&frame.this, constructs) {
        (Some(Seen::Known(Value::Object(id))), true) => made = Some(*id),
        (_, true) => return Ok(Err(Doubt::NotConstructed)),
        (Some(this), false) => given.push(("this".to_owned(), taking.value(this))),
        (None, false) => {}
    }
    let constructed = match made {
        Some(id) => match constructed(inspector, id, &of.method.owner, activation)? {
            Ok(class) => class,
            Err(why) => return Ok(Err(why)),
        },
        None => None,
    };
    let made = made.map(|id| taking.bare(id));
    let this_slot = frame.this.as_ref().map(|_| 0);
    let locals = frame.locals.iter().filter(|l| Some(l.slot) != this_slot);
    given.extend(locals.map(|l| (l.name.clone(), taking.value(&l.value))));
    let parameters = parameter_count(&of.method.desc);
    let expected = parameters + usize::from(frame.this.is_some() && !constructs);
    if given.len() != expected {
        // Methods that compilers add have no names for them.
        let reported = entered(inspector, activation)?;
        let Some(values) = reported.filter(|values| values.len() == expected) else {
            return Ok(Err(Doubt::NoArguments));
        };
        given = nameless(values, expected > parameters, &mut taking);
    }
    let statics = statics_but(&mut taking, which, source.failed)?;
    let script = script::fill(&mut taking, source, Moment::after(activation))?;
    Ok(Ok(Call {
        activation,
        method: of.method,
        given,
        made,
        constructed,
        statics,
        aside: BTreeSet::new(),
        watched: watched(inspector),
        known: taking.known,
        script,
    }))
}

/// Static fields; those are not known whose object was not found at its home: the other version makes it when it needs it.
fn statics_but(
    taking: &mut Taking<'_, '_>,
    which: Statics<'_>,
    failed: Option<&Failed>,
) -> Result<Vec<Static>, InspectError> {
    let mut statics = statics(taking, which, |_| true)?;
    for (_, _, val) in &mut statics {
        if let (Val::Object(no), Some(failed)) = (&*val, failed)
            && let Some(why) = (taking.known.id(*no)).and_then(|id| failed.homeless.get(&id))
        {
            *val = Val::Unknown(why.clone());
        }
    }
    Ok(statics)
}

/// The class of the object that a constructor of `owner` makes a part of, if it is another one; or why such a call cannot be made alone.
fn constructed(
    inspector: &Inspector<'_>,
    id: ObjectId,
    owner: &str,
    activation: EventId,
) -> Result<Result<Option<String>, Doubt>, InspectError> {
    let class = inspector.class_of(id).unwrap_or_default();
    if class == owner {
        return Ok(Ok(None));
    }
    if has_own(inspector, id, owner, Moment::after(activation))? {
        return Ok(Err(Doubt::PartlyConstructed));
    }
    Ok(Ok(Some(class.replace('/', "."))))
}

/// What a method was given whose parameters have no names.
fn nameless(values: Vec<Value>, has_this: bool, taking: &mut Taking<'_, '_>) -> Vec<(String, Val)> {
    let values = values.into_iter().enumerate();
    let named = values.map(|(at, value)| match has_this && at == 0 {
        true => ("this".to_owned(), taking.value(&Seen::Known(value))),
        false => (format!("arg{at}"), taking.value(&Seen::Known(value))),
    });
    named.collect()
}

impl Call {
    /// The objects that count, by number: those that can be reached from what it is given, and those that repeated calls may keep.
    pub(crate) fn needed(&self) -> Vec<bool> {
        let given = self.given.iter().map(|(_, val)| val);
        let statics = self.statics.iter().map(|(_, _, val)| val);
        let roots: Vec<&Val> = given.chain(statics).collect();
        script::needed(&self.known.graph.objects, &roots, &self.script)
    }

    /// Are there static fields that are as an initializer left them, and not as recorded?
    pub(crate) fn has_static_fields_afresh(&self) -> bool {
        !self.aside.is_empty() || self.known.has_homes()
    }

    /// A field of these that an object has which the call is given, or that can be reached from that.
    pub(crate) fn has_more<'f>(
        &self,
        fields: &'f [(String, String)],
    ) -> Option<&'f (String, String)> {
        let objects = &self.known.graph.objects;
        let roots: Vec<&Val> = self.given.iter().map(|(_, val)| val).collect();
        let given = script::needed(objects, &roots, &Script::default());
        let mut classes = BTreeSet::new();
        for (object, _) in objects.iter().zip(&given).filter(|(_, given)| **given) {
            if let Parts::Fields(fields) = &object.parts {
                classes.extend(fields.iter().map(|(class, ..)| class));
            }
        }
        fields.iter().find(|(class, _)| classes.contains(class))
    }

    /// Has the other version objects in static fields of which nothing was reported? It made them, and others may have to do with them.
    pub(crate) fn has_fewer(&self, theirs: &[Static]) -> bool {
        let reported = self.statics.iter().map(|(class, name, _)| (class, name));
        let reported: BTreeSet<_> = reported.collect();
        let mut objects = theirs
            .iter()
            .filter(|(.., val)| matches!(val, Val::Object(_)));
        objects.any(|(class, name, _)| !reported.contains(&(class, name)))
    }

    /// Static fields of which it is not known what they hold are left as the other version's initializers set them.
    fn leave_aside(&mut self) {
        let (known, unknown) = std::mem::take(&mut self.statics)
            .into_iter()
            .partition(|(_, _, val)| !matches!(val, Val::Unknown(_)));
        self.statics = known;
        let unknown: Vec<Static> = unknown;
        self.aside = (unknown.into_iter())
            .map(|(class, name, _)| (class, name))
            .collect();
    }
}

/// What came of it. Objects that it was given keep their numbers. Beside it, how that of it is made that the recording does not tell.
pub(crate) fn exit(
    source: Source<'_, '_>,
    call: &Call,
    which: Statics<'_>,
    printed: Option<String>,
) -> Result<(Snapshot, Known, Script), InspectError> {
    let inspector = source.inspector;
    let of = inspector.activation(call.activation)?;
    let end = of.end.unwrap_or(Moment::after(call.activation));
    let mut taking = Taking::again(inspector, end, call.known.clone());
    let mut given = call.given.clone();
    let ended = match inspector.outcome(call.activation)? {
        Outcome::Returned(value) => End::Returned(value.map(|seen| taking.value(&seen))),
        Outcome::Threw(0) | Outcome::Open => End::Unknown,
        Outcome::Threw(id) => {
            let class = taking.class(id);
            let all = inspector.exceptions(call.activation.thread)?;
            let thrown = all.into_iter().find(|thrown| thrown.throwable == id);
            End::Threw(class, thrown.and_then(|thrown| thrown.message))
        }
    };
    // What was not constructed to its end is nobody's.
    if !matches!(ended, End::Threw(..)) {
        given.extend(call.made.map(|no| ("this".to_owned(), Val::Object(no))));
    }
    // What initializers set meanwhile is not the call's doing.
    let begun = call.statics.iter().map(|(class, name, _)| (class, name));
    let begun: BTreeSet<_> = begun.collect();
    let mut statics = statics(&mut taking, which, |written| {
        let (class, name, by_initializer) = written;
        let before = begun.contains(&(class, name));
        (before || !by_initializer) && !call.aside.contains(&(class.clone(), name.clone()))
    })?;
    // Where they have their home there is nothing to compare.
    statics.retain(|(_, _, val)| !matches!(val, Val::Object(no) if taking.known.is_home(*no)));
    let script = script::fill(&mut taking, source, end)?;
    if let (Some(_), Some(no)) = (&call.constructed, call.made) {
        // The rest of it is made later.
        let theirs = |declared: &String| {
            let trace = inspector.trace();
            !is_above(trace, (&call.method.owner, declared))
        };
        if let Parts::Fields(fields) = &mut taking.known.graph.objects[no].parts {
            fields.retain(|(declared, ..)| declared.is_empty() || !theirs(declared));
        }
    }
    let snapshot = Snapshot {
        end: ended,
        given,
        statics,
        printed,
        graph: taking.known.graph.clone(),
    };
    Ok((snapshot, taking.known, script))
}

/// What the event with which an activation began tells that it was given.
fn entered(
    inspector: &Inspector<'_>,
    activation: EventId,
) -> Result<Option<Vec<Value>>, InspectError> {
    let mut events = inspector
        .trace()
        .events_from(activation.thread, activation.index);
    let event = events.next().transpose()?;
    let entered = event.filter(|event| event.kind == EventKind::Enter);
    Ok(entered.and_then(|event| match event.payload {
        Payload::Operands(values) => Some(values),
        _ => None,
    }))
}

/// Is a class, by its binary name, this one or above it?
fn is_above(trace: &Trace, (class, other): (&str, &str)) -> bool {
    let mut name = class.to_owned();
    for _ in 0..=trace.classes().len() {
        if name.replace('/', ".") == other {
            return true;
        }
        let above = trace
            .class_by_name(&name)
            .and_then(|class| class.super_name.clone());
        let Some(above) = above else { return false };
        name = above;
    }
    false
}

/// Do fields of an object hold something that classes below another one declare?
fn has_own(
    inspector: &Inspector<'_>,
    id: ObjectId,
    constructing: &str,
    at: Moment,
) -> Result<bool, InspectError> {
    let state = inspector.object(id, at, 0..0)?;
    let Holds::Fields(fields, _) = state.holds else {
        return Ok(true);
    };
    let trace = inspector.trace();
    let mut own = fields.iter().filter(|(field, _)| {
        let declared = field.class.replace('/', ".");
        !is_above(trace, (constructing, &declared))
    });
    let is_unset = |seen: &Seen| {
        matches!(seen, Seen::Known(Value::Null))
            || matches!(seen, Seen::Known(Value::Prim(prim)) if *prim == prim_default(*prim))
    };
    Ok(own.any(|(_, seen)| !is_unset(seen)))
}

/// What a field of this type holds at first.
fn prim_default(prim: Prim) -> Prim {
    Prim::from_word(prim.letter(), 0).unwrap_or(prim)
}

/// The static fields of recorded classes that were written, those that are wanted: by class, name, and whether an initializer wrote it.
fn statics(
    taking: &mut Taking<'_, '_>,
    which: Statics<'_>,
    wanted: impl Fn((&String, &String, bool)) -> bool,
) -> Result<Vec<Static>, InspectError> {
    let inspector = taking.inspector;
    let mut all = Vec::new();
    for class in watched(inspector) {
        for field in inspector.fields_of(&class.replace('.', "/")) {
            if !field.is_static || !which.has(&field) {
                continue;
            }
            let name = field.name.to_string();
            let held = inspector.value(&Variable::Static(field), taking.moment)?;
            let Some(since) = held.since else {
                continue;
            };
            let by = since.by.as_ref();
            let by_initializer = by.is_some_and(|by| by.method.name == "<clinit>");
            if wanted((&class, &name, by_initializer)) {
                all.push((class.clone(), name, taking.value(&held.value)));
            }
        }
    }
    Ok(all)
}

/// The recorded classes that have static fields.
fn watched(inspector: &Inspector<'_>) -> Vec<String> {
    let classes = inspector.trace().classes().iter();
    let observed = classes.filter(|class| class.origin == ClassOrigin::Observed);
    observed
        .filter(|class| inspector.fields_of(&class.name).iter().any(|f| f.is_static))
        .map(|class| class.name.replace('/', "."))
        .collect()
}

fn parameter_count(desc: &str) -> usize {
    let inside = desc.trim_start_matches('(').split(')').next();
    let mut rest = inside.unwrap_or_default();
    let mut count = 0;
    while !rest.is_empty() {
        rest = rest.trim_start_matches('[');
        rest = match rest.strip_prefix('L') {
            Some(name) => name.split_once(';').map_or("", |(_, rest)| rest),
            None => rest.get(1..).unwrap_or_default(),
        };
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    #[test]
    fn parameters_are_counted() {
        for (desc, count) in [("()V", 0), ("(I[J[[Lp/A;Z)I", 4), ("(Lp/A;D)V", 2)] {
            assert_eq!(super::parameter_count(desc), count);
        }
    }
}
