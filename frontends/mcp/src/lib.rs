//! The past of a recorded run for coding assistants, by the Model Context Protocol on standard input and output.
//!
//! Each tool is a question of the command line (`tool`), and is answered by it: by a process of its own, which reads the index beside the
//! trace. So the assistant sees what a person sees, an answer that never comes can be called off, and one question cannot break another.
//! Answers are given in parts (`part`), which are bounded.

mod error;
mod part;
mod server;
mod tool;

pub use server::{ServerSetup, serve};
