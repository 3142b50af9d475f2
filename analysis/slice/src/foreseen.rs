//! What a walk has to know before it meets it.

use std::collections::HashSet;
use std::rc::Rc;

use super::links::Links;

/// What a walk has to know before it meets it.
#[derive(Clone, Debug, Default)]
pub(super) struct Foreseen {
    /// Calls that are in the slice.
    pub(super) calls: HashSet<u64>,
    /// Objects that hold each other.
    pub(super) links: Rc<Links>,
}
