//! The past of a recorded run for debuggers of editors: a server of the Debug Adapter Protocol (1.71), for one client.
//!
//! A recorded run does not go on; it is moved about in. [`serve`] answers a client until it leaves: `wire` are messages, `launch` is what comes
//! before a run is open, `session` is a run that is looked at from a moment. Nothing can be changed: the run is over.

mod arguments;
mod error;
mod expression;
mod handles;
mod launch;
mod session;
mod wire;

use std::any::Any;
use std::fmt::Display;
use std::io::{self, BufRead, Write};

use jinsi_answers::Sources;
use jinsi_inspect::Inspector;
use jinsi_trace::reader::Trace;

pub use launch::Launch;

use session::Session;
use wire::{Incoming, Out};

/// A run that was opened.
pub struct Opened {
    /// Its trace.
    pub trace: Trace,
    /// What is to be said of it: what is missing, that it is a replay.
    pub remarks: Vec<String>,
    /// Its file, beside which the index is kept; none: it is not kept.
    pub file: Option<std::path::PathBuf>,
    /// What has to live as long.
    pub guard: Option<Box<dyn Any>>,
}

/// Answers a client until it leaves. `open` opens the run that the client names; the client is shown why it cannot.
///
/// # Errors
/// The connection breaks, or what comes is not the protocol.
pub fn serve<E: Display>(
    mut input: impl BufRead,
    output: impl Write,
    mut open: impl FnMut(&Launch) -> Result<Opened, E>,
) -> io::Result<()> {
    let mut out = Out::new(output);
    loop {
        let Some((request, launch, opened)) = launch::wait(&mut input, &mut out, &mut open)? else {
            return Ok(());
        };
        let inspector = match &opened.file {
            Some(file) => Inspector::kept(&opened.trace, file).map(|(inspector, _)| inspector),
            None => Inspector::new(&opened.trace),
        };
        let inspector = match inspector {
            Ok(inspector) => inspector,
            Err(error) => {
                out.respond(&request, Err(error.into()))?;
                continue;
            }
        };
        let mut session = match Session::new(&inspector, Sources::below(&launch.source), &launch) {
            Ok(session) => session,
            Err(why) => {
                out.respond(&request, Err(why))?;
                continue;
            }
        };
        out.respond(&request, Ok(serde_json::Value::Null))?;
        for remark in &opened.remarks {
            out.event(
                "output",
                serde_json::json!({ "category": "important", "output": format!("{remark}\n") }),
            )?;
        }
        out.event("initialized", serde_json::Value::Null)?;
        return answer_all(&mut input, &mut out, &mut session);
    }
}

fn answer_all(
    input: &mut impl BufRead,
    out: &mut Out<impl Write>,
    session: &mut Session<'_, '_>,
) -> io::Result<()> {
    loop {
        let request = match wire::read(input)? {
            Incoming::Request(request) => request,
            Incoming::Other => continue,
            Incoming::End => return Ok(()),
        };
        let ends = matches!(request.command.as_str(), "disconnect" | "terminate");
        let answer = session.answer(&request.command, &request.arguments);
        out.respond(&request, answer)?;
        for (event, body) in session.events() {
            out.event(event, body)?;
        }
        if ends {
            out.event("terminated", serde_json::Value::Null)?;
            if request.command == "disconnect" {
                return Ok(());
            }
        }
    }
}
