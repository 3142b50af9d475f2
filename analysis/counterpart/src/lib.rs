//! Asks another version of the recorded classes what a recorded call should have given: a repaired one, or an older one that worked.
//!
//! What the call was given is built again in a JVM that is shut in, out of what the recording says: receiver, arguments, what can be reached from
//! them, static fields. There the other version's method runs. What came of both is compared as graphs of objects, with what was printed. Where
//! the recording does not know enough, it cannot say, and says why.
//!
//! [`Precedents`] asks another recorded run instead: what came of a call there that was given the same?

mod compare;
mod graph;
mod homes;
mod precedent;
mod printed;
mod recorded;
mod taking;
mod wire;
mod worker;

use std::path::PathBuf;

use jinsi_inspect::{InspectError, Inspector};
use jinsi_jdk::{Jdk, Walls};
use jinsi_trace::model::EventId;

pub use precedent::{Precedent, Precedents, static_fields};

use graph::Snapshot;
use printed::Prints;
use recorded::Statics;
use worker::{Asked, Worker};

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
    prints: Prints,
}

impl<'a, 't> Counterpart<'a, 't> {
    /// Of the classes of this recording.
    pub fn new(inspector: &'a Inspector<'t>, setting: Setting) -> Self {
        Self {
            inspector,
            setting,
            worker: None,
            prints: Prints::default(),
        }
    }

    /// Did this call do what the other version does?
    ///
    /// # Errors
    /// See [`CounterpartError`].
    pub fn judge(&mut self, activation: EventId) -> Result<Judgement, CounterpartError> {
        let call = match recorded::call(self.inspector, activation, Statics::All)? {
            Ok(call) => call,
            Err(why) => return Ok(Judgement::CannotSay(why)),
        };
        let worker = match &mut self.worker {
            Some(worker) => worker,
            None => {
                let recorded = self.inspector.trace().surroundings();
                self.worker.insert(Worker::start(&self.setting, recorded)?)
            }
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
                let why = format!("the JVM with the other version has ended: {e}");
                return Ok(Judgement::CannotSay(why));
            }
        };
        let theirs = match wire::reply(&answer, &call) {
            Some(Ok(theirs)) => theirs,
            Some(Err(why)) => return Ok(Judgement::CannotSay(why)),
            None => return Ok(Judgement::CannotSay("a reply that is none".to_owned())),
        };
        let printed = self.prints.within(self.inspector, activation)?;
        let ours: Snapshot = recorded::exit(self.inspector, &call, Statics::All, printed)?;
        let given = 0..call.known.graph.objects.len();
        let same = given.map(|no| (no, no)).collect();
        let afresh = call.has_static_fields_afresh();
        Ok(compare::compare(&ours, &theirs, (same, afresh)))
    }
}
