//! The fields, elements and other variables in memory whose definitions are sought (δ in Wang 2007, Section 3.2.1). Local variables are kept
//! with their activation.

use std::rc::Rc;

use jinsi_classfile::bits::Bits;
use jinsi_trace::model::ObjectId;
use rustc_hash::FxHashMap;

use super::kinds::{self, Kinds, Objects};
use super::links::Links;
use super::may::May;
use super::others::Used;
use super::using::{Mark, Use};
use jinsi_steps::code::FieldNo;
use jinsi_steps::walk::Location;

/// What is sought of an array's elements, and of what else an object holds.
#[derive(Clone, Debug, Default)]
struct Held {
    some: FxHashMap<u32, Use>,
    /// Every element, and whatever else only unrecorded code sees into.
    all: Use,
    /// How much had been [changed](Changes) when it began to be sought.
    since: u64,
}

impl Held {
    fn any(&self) -> Use {
        self.some.values().fold(self.all, |any, one| any.or(*one))
    }
}

/// When code that is not recorded changed objects of which nothing was sought. Some share a place, and then the last one counts for all.
#[derive(Clone, Debug, Default)]
struct Changes {
    count: u64,
    last: Vec<u64>,
}

/// Places of objects.
const PLACES: usize = 1 << 14;

impl Changes {
    fn note(&mut self, object: ObjectId) {
        self.last.resize(PLACES, 0);
        self.count += 1;
        self.last[object as usize % PLACES] = self.count;
    }

    /// By how many changes in all the one of the object was the last; 0 if there was none.
    fn last(&self, object: ObjectId) -> u64 {
        let last = self.last.get(object as usize % PLACES);
        last.copied().unwrap_or(0)
    }
}

/// Variables in memory that are sought.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    fields: FxHashMap<Location, Use>,
    objects: FxHashMap<ObjectId, Held>,
    census: Census,
    /// All that was ever sought, if that is to be noted.
    noted: Option<Box<Used>>,
    /// Objects that hold each other.
    links: Rc<Links>,
    changes: Changes,
}

/// How many variables of each kind are sought: what a branch that went elsewhere is compared with.
#[derive(Clone, Debug, Default)]
struct Census {
    /// What objects hold; not known, and nothing counted, if nobody asks.
    types: Option<Rc<Objects>>,
    /// By field.
    fields: Vec<u32>,
    /// Fields that are not 0.
    sought: Bits,
    kinds: [u32; kinds::COUNT],
    kinds_sought: Kinds,
    /// Rises whenever something is sought of which nothing was.
    version: u32,
}

impl Census {
    fn add(&mut self, location: Location) {
        let (true, Some(field)) = (self.types.is_some(), field_of(location)) else {
            return;
        };
        let index = field.index();
        if self.fields.len() <= index {
            self.fields.resize(index + 1, 0);
        }
        self.fields[index] += 1;
        if self.sought.insert(field.get()) {
            self.version += 1;
        }
    }

    fn remove(&mut self, location: Location) {
        let (true, Some(field)) = (self.types.is_some(), field_of(location)) else {
            return;
        };
        let count = &mut self.fields[field.index()];
        *count -= 1;
        if *count == 0 {
            self.sought.remove(field.get());
        }
    }

    fn add_object(&mut self, object: ObjectId) {
        let Some(types) = &self.types else { return };
        let held = types.holds(object);
        for kind in held.numbers() {
            self.kinds[kind] += 1;
        }
        let before = self.kinds_sought;
        self.kinds_sought = before.with(held);
        if self.kinds_sought != before {
            self.version += 1;
        }
    }

    fn remove_object(&mut self, object: ObjectId) {
        let Some(types) = &self.types else { return };
        for kind in types.holds(object).numbers() {
            self.kinds[kind] -= 1;
            if self.kinds[kind] == 0 {
                self.kinds_sought = self.kinds_sought.without(kind);
            }
        }
    }
}

fn field_of(location: Location) -> Option<FieldNo> {
    match location {
        Location::Static(field) | Location::Field(_, field) => Some(field),
        Location::Element(..) => None,
    }
}

impl Memory {
    /// Of a slice that asks what may be defined, with what each object may hold.
    pub(super) fn counting(types: Rc<Objects>) -> Self {
        let mut memory = Self::default();
        memory.census.types = Some(types);
        memory
    }

    /// All that is sought from now on is noted.
    pub(super) fn note(&mut self) {
        self.noted = Some(Box::default());
    }

    /// Of objects that hold each other, all are sought.
    pub(super) fn link(&mut self, links: &Rc<Links>) {
        self.links = Rc::clone(links);
    }

    /// All that was sought, if that was noted.
    pub(super) fn noted(&mut self) -> Used {
        self.noted.take().map_or_else(Used::default, |noted| *noted)
    }

    fn held(&mut self, object: ObjectId) -> &mut Held {
        let (census, since) = (&mut self.census, self.changes.count);
        self.objects.entry(object).or_insert_with(|| {
            census.add_object(object);
            Held {
                since,
                ..Held::default()
            }
        })
    }

    fn forget_if_empty(&mut self, object: ObjectId) {
        let empty = |held: &Held| held.some.is_empty() && !held.all.any();
        if self.objects.get(&object).is_some_and(empty) {
            self.objects.remove(&object);
            self.census.remove_object(object);
        }
    }

    /// Seeks the definition of a variable.
    pub(super) fn seek(&mut self, location: Location, mark: Mark) {
        if let Some(noted) = &mut self.noted {
            noted.insert(location);
        }
        match location {
            Location::Element(array, index) => {
                let some = self.held(array).some.entry(index).or_default();
                *some = some.or(Use::by(mark));
            }
            _ => {
                let census = &mut self.census;
                let one = self.fields.entry(location).or_insert_with(|| {
                    census.add(location);
                    Use::NONE
                });
                *one = one.or(Use::by(mark));
            }
        }
    }

    /// The variable is defined here. By what was it used? It is not sought any more.
    pub(super) fn found(&mut self, location: Location) -> Use {
        match location {
            Location::Element(array, index) => {
                let Some(held) = self.objects.get_mut(&array) else {
                    return Use::NONE;
                };
                let one = held.some.remove(&index).unwrap_or_default();
                let found = one.or(held.all);
                self.forget_if_empty(array);
                found
            }
            _ => {
                let Some(found) = self.fields.remove(&location) else {
                    return Use::NONE;
                };
                self.census.remove(location);
                found
            }
        }
    }

    /// Seeks all that unrecorded code may read of an object: its content, if it is an array its elements, and what it holds or is held by.
    pub(super) fn seek_all_of(&mut self, object: ObjectId, mark: Mark) {
        match self.links.around(object) {
            Some(around) => (around.into_iter()).for_each(|one| self.seek_all_of_one(one, mark)),
            None => self.seek_all_of_one(object, mark),
        }
    }

    fn seek_all_of_one(&mut self, object: ObjectId, mark: Mark) {
        if let Some(noted) = &mut self.noted {
            noted.insert_all_of(object);
        }
        let held = self.held(object);
        held.all = held.all.or(Use::by(mark));
    }

    /// By what is used what unrecorded code may write of an object?
    pub(super) fn seeks_any_of(&self, object: ObjectId) -> Use {
        self.objects.get(&object).map_or(Use::NONE, Held::any)
    }

    /// Code that is not recorded changed the object, of which nothing is sought, and with it what holds it or is held by it.
    pub(super) fn changed(&mut self, object: ObjectId) {
        match self.links.around(object) {
            Some(around) => around.into_iter().for_each(|one| self.changes.note(one)),
            None => self.changes.note(object),
        }
    }

    /// `held` was changed whenever `holder` was.
    pub(super) fn changed_with(&mut self, held: ObjectId, holder: ObjectId) {
        let last = self.changes.last(holder);
        if let Some(of_held) = self.changes.last.get_mut(held as usize % PLACES) {
            *of_held = last.max(*of_held);
        }
    }

    /// Since when, counted in changes, is anything sought of the object?
    pub(super) fn sought_since(&self, object: ObjectId) -> Option<u64> {
        self.objects.get(&object).map(|held| held.since)
    }

    /// The object is sought since then, if not longer.
    pub(super) fn seek_since(&mut self, object: ObjectId, since: u64) {
        if let Some(held) = self.objects.get_mut(&object) {
            held.since = since.min(held.since);
        }
    }

    /// Is anything sought of `object`, and was `other` changed after it was first?
    pub(super) fn seeks_since_change(&self, object: ObjectId, other: ObjectId) -> bool {
        let held = self.objects.get(&object);
        held.is_some_and(|held| self.changes.last(other) > held.since)
    }

    /// Is anything still sought?
    pub(super) fn seeks_anything(&self) -> bool {
        !(self.fields.is_empty() && self.objects.is_empty())
    }

    /// Is anything sought of what only unrecorded code sees into, or of elements of arrays?
    pub(super) fn seeks_objects(&self) -> bool {
        !self.objects.is_empty()
    }

    /// The object is made here, with all that it holds. By what was that used?
    pub(super) fn made(&mut self, object: ObjectId) -> Use {
        let Some(held) = self.objects.remove(&object) else {
            return Use::NONE;
        };
        self.census.remove_object(object);
        held.any()
    }

    /// By what are elements in a range used?
    pub(super) fn seeks_in(&self, array: ObjectId, from: u32, count: u32) -> Use {
        let Some(held) = self.objects.get(&array).filter(|_| count > 0) else {
            return Use::NONE;
        };
        let range = from..from.saturating_add(count);
        let some = held.some.iter().filter(|(index, _)| range.contains(index));
        some.fold(held.all, |any, (_, one)| any.or(*one))
    }

    /// The elements `to..to + count` of `into` are copies of those of `array` from `from` on: these are sought in their place.
    pub(super) fn copied(
        &mut self,
        (array, from): (ObjectId, u32),
        (into, to): (ObjectId, u32),
        count: u32,
        mark: Mark,
    ) {
        let range = to..to.saturating_add(count);
        let Some(held) = self.objects.get_mut(&into) else {
            return;
        };
        let copies: Vec<u32> = match held.all.any() {
            true => range.collect(),
            false => (held.some.keys().copied())
                .filter(|index| range.contains(index))
                .collect(),
        };
        for index in &copies {
            held.some.remove(index);
        }
        self.forget_if_empty(into);
        for index in copies {
            self.seek(Location::Element(array, index - to + from), mark);
        }
    }

    /// As long as this stays the same, [`Self::may_be`] does not become true of anything.
    pub(super) fn version(&self) -> u32 {
        self.census.version
    }

    /// Is a variable sought that is among these?
    pub(super) fn may_be(&self, may: &May) -> bool {
        self.census.sought.intersects(&may.fields) || self.census.kinds_sought.intersects(may.kinds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_sought_until_it_is_found() {
        let mut memory = Memory::default();
        let field = Location::Field(3, FieldNo::from_index(1));
        memory.seek(field, 3);
        assert!(
            !memory
                .found(Location::Field(4, FieldNo::from_index(1)))
                .any()
                && !memory.found(Location::Static(FieldNo::from_index(1))).any()
        );
        assert_eq!(memory.found(field), Use::by(3));
        assert_eq!(memory.found(field), Use::NONE);
        memory.seek(Location::Element(9, 2), 0);
        assert!(!memory.found(Location::Element(9, 1)).any() && memory.seeks_any_of(9).any());
        assert!(memory.found(Location::Element(9, 2)).any() && !memory.seeks_any_of(9).any());
    }

    #[test]
    fn what_unrecorded_code_reads_is_sought_until_it_is_made() {
        let mut memory = Memory::default();
        memory.seek_all_of(5, 0);
        assert!(
            memory.found(Location::Element(5, 7)).any()
                && memory.found(Location::Element(5, 7)).any()
        );
        assert!(memory.made(5).any() && !memory.made(5).any() && !memory.seeks_any_of(5).any());
    }

    #[test]
    fn changes_count_from_when_something_is_sought() {
        let mut memory = Memory::default();
        memory.changed(1);
        memory.seek_all_of(2, 0);
        assert!(!memory.seeks_since_change(2, 1) && !memory.seeks_since_change(1, 2));
        memory.changed(1);
        assert!(memory.seeks_since_change(2, 1) && !memory.seeks_since_change(2, 3));
        memory.changed_with(3, 1);
        assert!(memory.seeks_since_change(2, 3));
        memory.seek_all_of(4, 0);
        assert!(!memory.seeks_since_change(4, 1));
        memory.seek_since(4, memory.sought_since(2).unwrap());
        assert!(memory.seeks_since_change(4, 1));
    }

    #[test]
    fn copied_elements_are_sought_where_they_come_from() {
        let mut memory = Memory::default();
        memory.seek(Location::Element(2, 4), 0);
        memory.seek(Location::Element(2, 9), 0);
        assert!(
            memory.seeks_in(2, 4, 1).any()
                && !memory.seeks_in(2, 5, 4).any()
                && !memory.seeks_in(2, 4, 0).any()
        );
        // An array copied within itself.
        memory.copied((2, 0), (2, 3), 2, 0);
        assert!(
            memory.found(Location::Element(2, 1)).any()
                && memory.found(Location::Element(2, 9)).any()
        );
        assert!(!memory.seeks_any_of(2).any());
    }
}
