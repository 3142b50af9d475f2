//! Declarative debugging (Shapiro 1982; for Java: Hermanns and Kuchen): somebody who knows says of few calls whether they did what they
//! should, until one method is to blame.
//!
//! [`Tree`] has the calls of a thread, and what each covered of its method. A [`Session`] has the answers; it says which calls are still
//! suspected, and what the verdict is. A [`Strategy`] chooses the next question. It only chooses the order: nothing is ever inferred from what
//! a call covers, so a verdict is as right as the answers.

mod answer;
mod counting;
mod coverage;
mod expected;
mod joined;
mod likely;
mod read;
mod session;
mod set;
mod strategy;
mod stretch;
mod tree;
mod weighed;

#[cfg(test)]
mod random;

pub use answer::{About, Answer};
pub use counting::Counting;
pub use expected::Expected;
pub use joined::Task;
pub use session::{Next, Session, Standing, Verdict};
pub use strategy::{Strategy, Weights};
pub use stretch::Stretch;
pub use tree::{Builder, Method, NodeNo, Tree};
