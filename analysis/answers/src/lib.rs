//! What a recorded run answers, as texts and documents: what all frontends have in common.

mod named;
pub mod origin;
pub mod prolog;
mod said;
mod sources;

pub use named::{NoSuch, named};
pub use said::{Row, Shown, Writer, dotted, place};
pub use sources::Sources;
