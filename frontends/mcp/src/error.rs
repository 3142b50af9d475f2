//! Why a tool does not answer. An assistant reads the text, and asks again.

use std::io;

/// Why a tool does not answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum McpError {
    #[error("there is no tool {name}; list the tools")]
    NoTool { name: String },
    #[error("{tool} has no argument {name}; see the schema of the tool")]
    NoArgument { tool: &'static str, name: String },
    #[error("the argument {name} is missing: {about}")]
    Missing {
        name: &'static str,
        about: &'static str,
    },
    #[error("the argument trace is missing: name the file of the recording")]
    NoTrace,
    #[error("the argument {name} has to be a text or a number")]
    NotText { name: &'static str },
    #[error("the argument {name} has to be true or false")]
    NotBoolean { name: &'static str },
    #[error("the argument part has to be a number from 1")]
    NotAPart,
    #[error("there is no part {number}: the answer has {count} parts")]
    NoPart { number: usize, count: usize },
    #[error("the question was cancelled")]
    Cancelled,
    #[error("cannot start jinsi: {0}")]
    Start(#[from] io::Error),
    /// The command has no answer, and says why.
    #[error("{why}")]
    Command { why: String },
}
