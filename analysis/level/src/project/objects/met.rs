//! What is known of objects, from one stretch of a run to the next.

use std::collections::{BTreeMap, HashMap, HashSet};

use jinsi_trace::model::{ObjectId, Value};

use crate::ObjectInfo;

/// What is known of the objects that observed code has got hold of so far.
#[derive(Debug, Default)]
pub(in crate::project) struct Met {
    /// Every object that a value of the level names.
    pub(in crate::project) known: BTreeMap<ObjectId, ObjectInfo>,
    /// Natural objects, arrays and lambdas that observed code made itself.
    pub(super) made_inside: HashSet<ObjectId>,
    /// What lambdas that observed code made have captured; until such a lambda goes out.
    pub(super) captured: HashMap<ObjectId, Vec<Value>>,
    pub(super) natural_classes: HashMap<String, bool>,
    /// Elements that observed code read or wrote in arrays which were too large to be recorded, by array and index.
    pub(super) elements: HashMap<(ObjectId, u32), Value>,
    /// Pools of threads that another one takes the place of, and the type that this has ([`super::usual`]).
    pub(super) usual: HashMap<ObjectId, &'static str>,
    /// Objects that only crossings within driven interactions have named so far. Where all runs for real, nobody sees these.
    pub(super) only_within: HashSet<ObjectId>,
    /// Streams in memory that were handed to code which is neither recorded nor natural.
    given_away: HashSet<ObjectId>,
}

impl Met {
    /// Nothing yet; these streams will be handed to code which is neither recorded nor natural.
    pub(in crate::project) fn knowing(given_away: HashSet<ObjectId>) -> Self {
        Self {
            given_away,
            ..Self::default()
        }
    }

    /// Is the stream never handed to code which is neither recorded nor natural?
    pub(super) fn keeps(&self, stream: ObjectId) -> bool {
        !self.given_away.contains(&stream)
    }
}
