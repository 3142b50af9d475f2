//! Values that are tried in place of recorded ones.

use jinsi_trace::model::{Content, ObjectId, Value};

/// A value in a level that is another one than recorded.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The argument `index` of driven interaction number `no`.
    Argument {
        /// Number of the interaction.
        no: u32,
        /// Place among its arguments.
        index: u32,
        /// The new value.
        value: Value,
    },
    /// What an array or natural object holds when it first comes in.
    Content {
        /// The object.
        id: ObjectId,
        /// The new content.
        content: Content,
    },
}
