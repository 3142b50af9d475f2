//! Asks another version of the recorded classes what a recorded call should have given: a repaired one, or an older one that worked.
//!
//! What the call was given is built again in a JVM that is shut in, out of what the recording says: receiver, arguments, what can be reached from
//! them, static fields. There the other version's method runs. What came of both is compared as graphs of objects, with what was printed. Where
//! the recording does not know enough, it cannot say, and says why.

mod compare;
mod graph;
mod printed;
mod recorded;
mod wire;
mod worker;

use std::path::PathBuf;

use jinsi_inspect::{InspectError, Inspector, Printed};
use jinsi_jdk::{Jdk, Walls};
use jinsi_trace::model::EventId;

use graph::Snapshot;
use worker::{Asked, Worker};

/// Prints that are looked through.
const PRINTS: usize = 100_000;

/// What the other version says of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It gives the same.
    Right,
    /// It gives something else: the first difference.
    Wrong(String),
    /// It is not known: why.
    CannotSay(String),
}

/// Why nothing could be asked.
#[derive(Debug, thiserror::Error)]
pub enum CounterpartError {
    /// The recording cannot be read.
    #[error(transparent)]
    Inspect(#[from] InspectError),
    /// The JVM cannot be shut in, or not be started.
    #[error(transparent)]
    Confine(#[from] jinsi_confine::ConfineError),
    /// Its class path has an entry with the separator in it.
    #[error("the class path cannot be used: {0}")]
    ClassPath(#[from] std::env::JoinPathsError),
    /// The JVM cannot be talked to.
    #[error("cannot talk to the JVM with the other version: {0}")]
    Io(#[from] std::io::Error),
}

/// How the other version is run.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its Java.
    pub jdk: Jdk,
    /// Directory of the replay worker's classes.
    pub harness: PathBuf,
    /// Where the other version's classes are.
    pub class_path: Vec<PathBuf>,
    /// Is it shut in?
    pub walls: Walls,
}

/// Another version of the recorded classes.
#[derive(Debug)]
pub struct Counterpart<'a, 't> {
    inspector: &'a Inspector<'t>,
    setting: Setting,
    worker: Option<Worker>,
    printed: Option<Vec<Printed>>,
}

impl<'a, 't> Counterpart<'a, 't> {
    /// Of the classes of this recording.
    pub fn new(inspector: &'a Inspector<'t>, setting: Setting) -> Self {
        Self {
            inspector,
            setting,
            worker: None,
            printed: None,
        }
    }

    /// Did this call do what the other version does?
    ///
    /// # Errors
    /// See [`CounterpartError`].
    pub fn judge(&mut self, activation: EventId) -> Result<Judgement, CounterpartError> {
        let call = match recorded::call(self.inspector, activation)? {
            Ok(call) => call,
            Err(why) => return Ok(Judgement::CannotSay(why)),
        };
        let worker = match &mut self.worker {
            Some(worker) => worker,
            None => self.worker.insert(Worker::start(&self.setting)?),
        };
        let answer = match worker.ask(&wire::request(&call)) {
            Ok(Asked::Reply(reply)) => reply,
            Ok(Asked::Endless) => {
                self.worker = None;
                let why = "the other version's call did not end".to_owned();
                return Ok(Judgement::CannotSay(why));
            }
            Err(e) => {
                self.worker = None;
                return Err(e.into());
            }
        };
        let theirs = match wire::reply(&answer, &call) {
            Some(Ok(theirs)) => theirs,
            Some(Err(why)) => return Ok(Judgement::CannotSay(why)),
            None => return Ok(Judgement::CannotSay("a reply that is none".to_owned())),
        };
        let printed = self.printed(activation)?;
        let ours: Snapshot = recorded::exit(self.inspector, &call, printed)?;
        Ok(compare::compare(&ours, &theirs, call.graph.objects.len()))
    }

    /// What the recorded call printed, if that is known.
    fn printed(&mut self, activation: EventId) -> Result<Option<String>, CounterpartError> {
        let all = match &self.printed {
            Some(all) => all,
            None => self
                .printed
                .insert(self.inspector.output(activation.thread, PRINTS)?),
        };
        let end = self.inspector.activation(activation)?.end;
        let end = end.map_or(u64::MAX, |end| end.event.index);
        let own = all
            .iter()
            .filter(|p| (activation.index..=end).contains(&p.event.index));
        Ok(printed::text(own))
    }
}
