//! What runs for real in a replay, and what is answered from the recording; and patterns over the names of classes. Knows no trace and no
//! class file: the agent, the projection and the replay ask the same list.

mod list;
mod members;
pub mod packages;
pub mod pattern;

pub use list::{Natural, PatternError};
pub use members::{MACHINES, is_of_coverage, is_of_machine, meets_others};
