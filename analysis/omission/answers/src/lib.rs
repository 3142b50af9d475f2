//! What a run did not do, as people read it: the answers of `jinsi-omission` with the values of the run.
//!
//! [`Hands`] says whether the object that is asked about is at stake. [`Shower`] writes what went another way, with what it compared.
//! [`Looking`] goes on behind the first answer. [`Shower::explained`] makes a few sentences of one answer. [`Document`] is all of it, and
//! [`print()`] what stands on a terminal.

mod behind;
mod distance;
mod document;
mod error;
mod explained;
mod flip;
mod hand;
mod suggested;
mod text;

pub use behind::{Behind, Looking};
pub use distance::Distances;
pub use document::Document;
pub use error::AnswersError;
pub use explained::Sentence;
pub use flip::Flip;
pub use hand::Hands;
pub use suggested::{Shower, Suggested, Used};
pub use text::print;
