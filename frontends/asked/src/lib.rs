//! Declarative debugging as people are asked: which call is asked about next, what it was given, gave and changed, what was answered, and what is
//! kept of that beside the trace. The terminal and the page both lead a session by it.

mod alone;
mod asked;
mod asserted;
mod contract;
mod error;
mod expected;
mod handovers;
mod others;
mod part;
mod said;
mod saved;
mod show;
mod span;
mod tasks;
mod together;

pub use asked::{Answered, Asked, Blame, Document, Options, thread};
pub use asserted::Asserted;
pub use error::AskedError;
pub use expected::expected;
pub use part::had_a_part;
pub use said::Said;
pub use saved::{By, Saved};
pub use show::{Question, Show};
pub use span::is_shared;
pub use tasks::tree;
