//! What a recorded run answers, as texts and documents: what all frontends have in common.

pub mod at;
pub mod events;
pub mod logpoint;
mod named;
pub mod origin;
pub mod prolog;
mod readable;
mod remarks;
mod said;
mod sources;
pub mod tree;

pub use named::{NoSuch, named};
pub use remarks::remarks;
pub use said::{Row, Shown, Writer, dotted, place};
pub use sources::Sources;
