//! What comes before a run is open: what the adapter can do, and which run it is to be.

use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::Opened;
use crate::error::DapError;
use crate::wire::{self, Incoming, Out, Request};

/// Which run, and where it begins.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Launch {
    /// The trace; absent: the one that the adapter was started with.
    pub trace: Option<PathBuf>,
    /// `failure`, or a moment; absent: the failure, or the beginning.
    pub at: Option<String>,
    /// Directories with the program's sources.
    pub source: Vec<PathBuf>,
    /// Replay the recording first.
    pub replayed: bool,
}

/// Waits until a client has said which run it wants, and opens that. `None`: the client has left.
pub(crate) fn wait<E: Display>(
    input: &mut impl BufRead,
    out: &mut Out<impl Write>,
    open: &mut impl FnMut(&Launch) -> Result<Opened, E>,
) -> io::Result<Option<(Request, Launch, Opened)>> {
    loop {
        let request = match wire::read(input)? {
            Incoming::Request(request) => request,
            Incoming::Other => continue,
            Incoming::End => return Ok(None),
        };
        match request.command.as_str() {
            "initialize" => out.respond(&request, Ok(capabilities()))?,
            "launch" | "attach" => match opened(&request, open) {
                Ok((launch, opened)) => return Ok(Some((request, launch, opened))),
                Err(why) => out.respond(&request, Err(why))?,
            },
            "disconnect" | "terminate" => {
                out.respond(&request, Ok(Value::Null))?;
                return Ok(None);
            }
            other => {
                let command = other.to_owned();
                out.respond(&request, Err(DapError::TooEarly { command }))?;
            }
        }
    }
}

/// What a client wants, and the run that it names.
fn opened<E: Display>(
    request: &Request,
    open: &mut impl FnMut(&Launch) -> Result<Opened, E>,
) -> Result<(Launch, Opened), DapError> {
    let launch = Launch::deserialize(&request.arguments).map_err(DapError::Arguments)?;
    let opened = open(&launch).map_err(|error| DapError::NotOpened {
        why: format!("{error:#}"),
    })?;
    Ok((launch, opened))
}

fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsStepBack": true,
        "supportsSteppingGranularity": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsDataBreakpoints": true,
        "supportsEvaluateForHovers": true,
        "supportsGotoTargetsRequest": true,
        "supportsStepInTargetsRequest": true,
        "supportsCompletionsRequest": true,
        "supportsRestartFrame": true,
        "supportsExceptionInfoRequest": true,
        "supportsDelayedStackTraceLoading": true,
        "supportsTerminateRequest": true,
        "supportsSetVariable": false,
        "exceptionBreakpointFilters": [
            {
                "filter": "caught",
                "label": "Caught exceptions",
                "description": "Where an exception was thrown that recorded code caught",
                "default": false,
            },
            {
                "filter": "uncaught",
                "label": "Uncaught exceptions",
                "description": "Where an exception was thrown that the method did not catch",
                "default": true,
            },
        ],
    })
}
