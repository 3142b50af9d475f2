//! Why a request is not done. An editor shows the text as it is.

use std::io;

use jinsi_answers::NoSuch;
use jinsi_inspect::{BadPath, InspectError};

/// Why what comes from the editor is not the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum WireError {
    #[error("the editor sent a header line that is too long")]
    LongHeader,
    #[error("the editor sent a message without Content-Length")]
    NoLength,
    #[error("the editor sent a Content-Length that is no number")]
    BadLength,
    #[error("the editor sent a message of {length} bytes; the limit is {limit}")]
    LongMessage { length: u64, limit: u64 },
}

impl From<WireError> for io::Error {
    fn from(error: WireError) -> Self {
        io::Error::new(io::ErrorKind::InvalidData, error)
    }
}

/// Why a request is not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DapError {
    #[error(transparent)]
    Inspect(#[from] InspectError),
    #[error(transparent)]
    Path(#[from] BadPath),
    #[error(transparent)]
    NoSuch(#[from] NoSuch),
    /// The run could not be opened.
    #[error("{why}")]
    NotOpened { why: String },
    #[error("{command} comes too early: open a trace first, by 'launch'")]
    TooEarly { command: String },
    #[error("a trace is open already; stop debugging to open another one")]
    OpenAlready,
    #[error("nothing can be changed: the program has ended, and this is its recording")]
    ReadOnly,
    #[error("jinsi sends no sources: the editor reads them from the files")]
    NoSources,
    #[error("jinsi does not support the request {command}")]
    Unsupported { command: String },
    #[error("the arguments are not what the Debug Adapter Protocol demands: {0}")]
    Arguments(serde_json::Error),

    #[error("the moment {text} is not known: it is THREAD:EVENT, or 'failure'")]
    Moment { text: String },
    #[error("no recorded method has seen the failure; leave out \"at\" to begin at the start")]
    NoFailure,
    #[error("the trace has no instructions; set \"replayed\" to true to replay it first")]
    NoInstructions,
    #[error("there is no thread number {id}")]
    NoThread { id: i64 },
    #[error("nothing is recorded of this thread at this moment")]
    NotRecorded,
    #[error("no exception is thrown at this moment")]
    NoException,
    #[error("no recorded method runs at this moment")]
    NoFrame,
    #[error("number {number} belongs to another moment: the editor has to ask again")]
    OtherMoment { number: i64 },

    #[error("the breakpoint has no file: save the source, and set it again")]
    NoPath,
    #[error("no recorded code is on line {line}, nor on the {further} lines after it")]
    NoCode { line: i64, further: i64 },
    #[error("no recorded method {name} was called")]
    NoMethod { name: String },
    #[error("there is no filter {name}: exceptions are 'caught' or 'uncaught'")]
    NoFilter { name: String },
    #[error("'{text}' is no hit count: write 5, > 5, >= 5 or % 5")]
    HitCount { text: String },
    #[error("'{message}' has a {{ without a }}")]
    LogMessage { message: String },
    #[error("a local variable has no history: step back to see earlier values")]
    Local,

    #[error("'{rest}' cannot follow here; remove it, or put an operator before it")]
    Rest { rest: String },
    #[error("a variable or a value is missing at the end")]
    End,
    #[error("a {character} is missing")]
    Missing { character: char },
    #[error("brackets and signs are nested too deeply: {most} levels are allowed")]
    TooDeep { most: usize },
    #[error("a character such as 'a' has to stand between single quotes")]
    Character,
    #[error("a \\ in a text has to be followed by n, t, r, \\ or a quote")]
    Escape,
    #[error("{word} is no number")]
    Number { word: String },
    #[error("methods cannot be called: the program has ended, and this is its recording")]
    Call,
    #[error("{operator} cannot be applied to this value")]
    Operand { operator: char },
    #[error("{operator} needs numbers on both sides")]
    Numbers { operator: String },
    #[error("&& and || need true or false on both sides")]
    TruthValues,
    #[error("division by zero")]
    ByZero,
    #[error("the operator {operator} is not supported")]
    Operator { operator: String },
}
