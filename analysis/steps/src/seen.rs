//! What is known of a value, or why it is not.

use std::rc::Rc;

use jinsi_trace::model::Value;

jinsi_wording::messages! {
    /// Why something is not known.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Why {
        /// The recording has no values of the method's own fields and of what only computes.
        Detail => "needs a recording with --detail states",
        /// Nothing reported it: it went into the next event, which did not happen.
        Unreported => "no event reported it",
        /// It was computed of something that is not known.
        Computed => "computed from a value that is not known",
        /// The code that gave it was not recorded.
        CodeNotRecorded => "unrecorded code wrote it",
        /// The instructions there are not known: the events do not fit the code.
        Lost => "the instructions there are not known",
        /// It is from before the recording, or what is left of it.
        Earlier => "from before the recording",
        /// A constant that the JVM makes when it is first used.
        Constant => "a constant that the JVM creates",
        /// Only its size was recorded.
        TooLarge => "too large to be recorded",
        /// The class is not recorded, so its fields are not.
        Class => "its class is not recorded",
        /// The variable has no value yet.
        Unset => "it has no value yet",
    }
}

/// A value, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// This one. What the JVM keeps as an `int` is one here, unless it is known to be declared otherwise.
    Known(Value),
    /// An object that was made, but that no event has named yet: nobody but the method that made it knows it.
    Fresh {
        /// Internal name of its class, or an array's descriptor.
        class: Rc<str>,
        /// Length of an array, if known.
        length: Option<u32>,
    },
    /// It is not known.
    Unknown(Why),
}

impl Seen {
    /// The value, if it is known.
    pub fn known(&self) -> Option<&Value> {
        match self {
            Seen::Known(value) => Some(value),
            _ => None,
        }
    }
}
