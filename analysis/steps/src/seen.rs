//! What is known of a value, or why it is not.

use std::fmt;
use std::rc::Rc;

use jinsi_trace::model::Value;

/// Why something is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// The recording has no values of the method's own fields and of what only computes.
    Detail,
    /// Nothing reported it: it went into the next event, which did not happen.
    Unreported,
    /// It was computed of something that is not known.
    Computed,
    /// The code that gave it was not recorded.
    CodeNotRecorded,
    /// The instructions there are not known: the events do not fit the code.
    Lost,
    /// It is from before the recording, or what is left of it.
    Earlier,
    /// A constant that the JVM makes when it is first used.
    Constant,
    /// Only its size was recorded.
    TooLarge,
    /// The class is not recorded, so its fields are not.
    Class,
    /// The variable has no value yet.
    Unset,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::Detail => "recorded with detail=states only",
            Why::Unreported => "nothing told it",
            Why::Computed => "computed of what is not known",
            Why::CodeNotRecorded => "code that is not recorded gave it",
            Why::Lost => "the instructions there are not known",
            Why::Earlier => "from before the recording",
            Why::Constant => "a constant that the JVM makes",
            Why::TooLarge => "too large to be recorded",
            Why::Class => "its class is not recorded",
            Why::Unset => "it has no value yet",
        })
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
