//! What is not known of a call, and what of that a class initializer of the other version makes again.
//!
//! Constants, registries and locks are in static fields, and nobody can tell what a map of the JDK's holds. Where the recording does not know all of
//! what a static field holds, it is left as the initializer of the other version sets it.

use jinsi_inspect::Inspector;
use jinsi_trace::model::ObjectId;
use rustc_hash::FxHashMap;

use crate::call::Call;
use crate::doubt::Doubt;
use crate::graph::{Object, Parts, Val};
use crate::taking::Homes;

/// Why not all is known of a call, if it is not.
pub(crate) fn unknown(call: &Call) -> Option<Doubt> {
    let of = |name: &str, val: &Val| match val {
        Val::Unknown(why) => Some(why.clone().of(name)),
        _ => None,
    };
    let mut given = call.given.iter();
    let of_given = given.find_map(|(name, val)| of(name, val));
    let mut statics = call.statics.iter();
    let mut of_statics =
        || statics.find_map(|(class, name, val)| of(&format!("{class}.{name}"), val));
    let objects = &call.known.graph.objects;
    let needed = call.needed();
    let mut objects = (objects.iter().zip(&needed)).filter(|(_, needed)| **needed);
    of_given
        .or_else(&mut of_statics)
        .or_else(|| objects.find_map(|(object, _)| of_object(object)))
}

/// Why not all is known of what an object itself holds.
fn of_object(object: &Object) -> Option<Doubt> {
    let of = |name: &str, val: &Val| match val {
        Val::Unknown(why) => Some(why.clone().of(name)),
        _ => None,
    };
    match &object.parts {
        Parts::Opaque(why) => Some(Doubt::Given {
            why: Box::new(why.clone()),
        }),
        Parts::Fields(fields) => fields
            .iter()
            .find_map(|(_, name, val)| of(&format!("{}.{name}", object.class), val)),
        Parts::Elements(all) => all.iter().find_map(|val| of(&object.class, val)),
        Parts::Text(_) | Parts::Home(..) | Parts::Made | Parts::Internals(_) => None,
    }
}

/// The objects in static fields of which not all is known, with what can be reached from them. What the call is given itself is not among them, but for
/// constants of an enum.
pub(crate) fn of(inspector: &Inspector<'_>, call: &Call) -> Homes {
    let bad = with_unknown(&call.known.graph.objects);
    let ids: FxHashMap<usize, ObjectId> = (call.known.numbers.iter())
        .map(|(id, no)| (*no, *id))
        .collect();
    let is_given = |no: usize| {
        let mut given = call.given.iter();
        given.any(|(_, val)| *val == Val::Object(no))
    };
    let mut homes = Homes::default();
    for (class, name, val) in &call.statics {
        let Val::Object(no) = *val else { continue };
        let Some(id) = ids.get(&no).filter(|_| bad[no]) else {
            continue;
        };
        let object = &call.known.graph.objects[no];
        let is_recorded = matches!(object.parts, Parts::Fields(_));
        if is_given(no) && is_recorded && !is_constant(inspector, &object.class) {
            continue;
        }
        let home = (class.clone(), name.clone());
        homes.entry(*id).or_insert(home);
    }
    homes
}

/// The objects from which one can be reached of which not all is known.
fn with_unknown(objects: &[Object]) -> Vec<bool> {
    let mut holders: Vec<Vec<usize>> = vec![Vec::new(); objects.len()];
    let mut pending = Vec::new();
    for (no, object) in objects.iter().enumerate() {
        for val in object.parts.values() {
            if let Val::Object(held) = val
                && let Some(holders) = holders.get_mut(*held)
            {
                holders.push(no);
            }
        }
        if of_object(object).is_some() {
            pending.push(no);
        }
    }
    let mut bad = vec![false; objects.len()];
    while let Some(no) = pending.pop() {
        if !std::mem::replace(&mut bad[no], true) {
            pending.extend(&holders[no]);
        }
    }
    bad
}

/// Is a class that of an enum, or of one of its constants?
fn is_constant(inspector: &Inspector<'_>, class: &str) -> bool {
    let above = |name: &str| {
        let class = inspector.trace().class_by_name(name)?;
        class.super_name.as_deref().map(str::to_owned)
    };
    let first = above(&class.replace('.', "/"));
    let second = first.as_deref().and_then(above);
    [first, second]
        .iter()
        .flatten()
        .any(|name| name == "java/lang/Enum")
}
