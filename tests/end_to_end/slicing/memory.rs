//! What defined each variable in memory last, for the slicer that keeps the whole graph.

use std::collections::{BTreeSet, HashMap};

use jinsi_steps::walk::Location;
use jinsi_trace::model::ObjectId;

/// Number of an occurrence of an instruction.
pub(super) type NodeNo = usize;
/// What made a value.
pub(super) type Makers = BTreeSet<NodeNo>;

/// What is known of an object of which only unrecorded code knows what it holds, and of an array's elements all together.
#[derive(Default)]
struct Holds {
    changed: Makers,
    stored: Makers,
}

/// Fields, elements, and what unrecorded code keeps in objects.
#[derive(Default)]
pub(super) struct Memory {
    variables: HashMap<Location, (Makers, NodeNo)>,
    holds: HashMap<ObjectId, Holds>,
    /// When unrecorded code made an object.
    made: HashMap<ObjectId, NodeNo>,
}

impl Memory {
    /// All that unrecorded code may read of an object.
    pub(super) fn all_of(&self, object: ObjectId) -> Makers {
        let held = self.holds.get(&object);
        held.map_or_else(Makers::new, |h| {
            h.changed.union(&h.stored).copied().collect()
        })
    }

    /// When unrecorded code made an object; 0 if it did not.
    pub(super) fn made(&self, object: ObjectId) -> NodeNo {
        self.made.get(&object).copied().unwrap_or(0)
    }

    /// What defined a variable last, and when.
    pub(super) fn definition(&self, location: Location) -> (Makers, NodeNo) {
        if let Some(known) = self.variables.get(&location) {
            return known.clone();
        }
        match location {
            // It was never stored to, but unrecorded code may have done so.
            Location::Element(array, _) => {
                let held = self.holds.get(&array);
                let makers = held.map_or_else(Makers::new, |held| held.changed.clone());
                (makers, 0)
            }
            _ => (Makers::new(), 0),
        }
    }

    /// `node` stores to a variable.
    pub(super) fn store(&mut self, location: Location, node: NodeNo) {
        self.variables
            .insert(location, (Makers::from([node]), node));
        if let Location::Element(array, _) = location {
            self.holds.entry(array).or_default().stored.insert(node);
        }
    }

    /// Unrecorded code that `node` calls makes an object.
    pub(super) fn make(&mut self, object: ObjectId, node: NodeNo) {
        self.made.insert(object, node);
        let holds = Holds {
            changed: Makers::from([node]),
            stored: Makers::new(),
        };
        self.holds.insert(object, holds);
    }

    /// Unrecorded code that `node` calls changes what an object holds.
    pub(super) fn change(&mut self, object: ObjectId, node: NodeNo) {
        self.holds.entry(object).or_default().changed.insert(node);
        for (location, (makers, _)) in &mut self.variables {
            if matches!(location, Location::Element(array, _) if *array == object) {
                makers.insert(node);
            }
        }
    }

    /// `node` copies so many elements, from an array at an index into another at one.
    pub(super) fn copy(
        &mut self,
        node: NodeNo,
        (from, at): (ObjectId, u32),
        (into, to): (ObjectId, u32),
        count: u32,
    ) {
        let copied = |n| {
            let (mut makers, since) = self.definition(Location::Element(from, at + n));
            makers.insert(node);
            (makers, since)
        };
        // All are read first: the two may be the same array.
        let copies: Vec<(Makers, NodeNo)> = (0..count).map(copied).collect();
        for (n, copy) in (0..).zip(copies) {
            self.holds.entry(into).or_default().stored.extend(&copy.0);
            self.variables.insert(Location::Element(into, to + n), copy);
        }
    }
}
