//! The statements of a test.

use super::words;

/// A statement, not yet indented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A whole statement.
    Code(String),
    /// The declaration of a variable.
    Declare {
        /// Its type as it stands in the source.
        ty: String,
        /// Its name.
        name: String,
        /// What it is at first, and for ever.
        init: String,
        /// The type says nothing that `init` does not.
        movable: bool,
    },
    /// A statement that threw in the recorded run, which went on.
    Try {
        /// The statement.
        code: String,
        /// Source name of the exception's class.
        exception: String,
        /// Name for the exception.
        variable: String,
    },
    /// A statement that has to throw, for a framework that cannot say so.
    Expect {
        /// The statement.
        code: String,
        /// Source name of the exception's class.
        exception: String,
    },
    /// An empty line.
    Blank,
    /// The head of a block that reaches to the end of the method.
    Open(String),
    /// A remark of one line, and code that is left to the reader.
    Remark {
        /// The remark.
        text: String,
        /// The code: a statement, or lines that are indented.
        code: String,
    },
}

impl Line {
    /// What is executed of it; nothing of a blank one.
    pub(super) fn code(&self) -> &str {
        match self {
            Line::Code(code)
            | Line::Open(code)
            | Line::Declare { init: code, .. }
            | Line::Try { code, .. }
            | Line::Expect { code, .. }
            | Line::Remark { code, .. } => code,
            Line::Blank => "",
        }
    }

    /// Does it have the name, be it in a text?
    pub(super) fn uses(&self, name: &str) -> bool {
        words::places(self.code(), name).next().is_some()
    }

    /// The same, to be changed.
    pub(super) fn code_mut(&mut self) -> Option<&mut String> {
        match self {
            Line::Code(code)
            | Line::Open(code)
            | Line::Declare { init: code, .. }
            | Line::Try { code, .. }
            | Line::Expect { code, .. }
            | Line::Remark { code, .. } => Some(code),
            Line::Blank => None,
        }
    }
}
