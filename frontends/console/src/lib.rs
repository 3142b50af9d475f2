//! What the command says at a terminal: the answer to a run and to each failed test, ways on ([`advice`]), progress, and the same as Markdown.
//!
//! An [`output::Output`] has the result on standard output, as text or as one JSON document. All else goes to standard error.

pub mod advice;
pub mod also;
pub mod answer;
pub mod asking;
pub mod damage;
pub mod failed_test;
pub mod failed_tests;
pub mod markdown;
pub mod messages;
pub mod nearest;
pub mod nothing;
pub mod output;
pub mod progress;
pub mod terminal;
pub mod unread;
