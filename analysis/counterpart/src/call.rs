//! A call that another version is asked about.

use std::collections::BTreeSet;

use jinsi_trace::model::{EventId, MemberRef};

use crate::graph::{Static, Val};
use crate::script::Script;
use crate::taking::Known;

/// A call, with what it was given.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) activation: EventId,
    pub(crate) method: MemberRef,
    /// Receiver and arguments with their names; of a constructor, arguments alone.
    pub(crate) given: Vec<(String, Val)>,
    /// Of a constructor, the number of what it constructs.
    pub(crate) made: Option<usize>,
    /// The class of that, if the constructor is that of a superclass.
    pub(crate) constructed: Option<String>,
    /// Static fields.
    pub(crate) statics: Vec<Static>,
    /// Static fields that are as an initializer left them, as far as is known.
    pub(crate) aside: BTreeSet<(String, String)>,
    /// Classes with static fields.
    pub(crate) watched: Vec<String>,
    pub(crate) known: Known,
    /// How that of it is made that the recording does not tell.
    pub(crate) script: Script,
}
