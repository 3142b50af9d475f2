//! Asks another version of the recorded classes what a recorded call should have given: a repaired one, or an older one that worked.
//!
//! What the call was given is built again in a JVM that is shut in, out of what the recording says: receiver, arguments, what can be reached from
//! them, static fields. There the other version's method runs. What came of both is compared as graphs of objects, with what was printed. Where
//! the recording does not know enough, it cannot say, and says why.
//!
//! [`Precedents`] asks another recorded run instead: what came of a call there that was given the same?

mod call;
mod compare;
mod doubt;
mod foreign;
mod graph;
mod homes;
mod methods;
mod past;
mod precedent;
mod printed;
mod recorded;
mod script;
mod taking;
mod wire;
mod worker;

use std::cell::OnceCell;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use jinsi_inspect::{InspectError, Inspector};
use jinsi_jdk::{Jdk, Walls};
use jinsi_trace::model::EventId;

pub use compare::Difference;
pub use doubt::Doubt;
pub use precedent::{Precedent, Precedents, static_fields};

use call::Call;
use compare::Basis;
use foreign::Foreign;
use graph::{End, Snapshot};
use past::{Failed, Past, Source};
use printed::Prints;
use recorded::Statics;
use script::Script;
use taking::Known;
use wire::{CallResult, Reply};
use worker::{Asked, Worker};

/// How often it is tried again without what could not be made.
const RETRIES: usize = 3;
/// How often the other version is asked again, where the order of a table depends on hash codes that each time are others.
const DRAWS: usize = 5;
/// Time for finding out what a call was given and gave.
const LIMIT: Duration = Duration::from_secs(20);

/// What the other version says of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It gives the same.
    Right,
    /// It gives something else: the first difference.
    Wrong(Difference),
    /// It is not known: why.
    CannotSay(Doubt),
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
    /// The run as calls; nothing if it is too long.
    past: OnceCell<Option<Past>>,
}

impl<'a, 't> Counterpart<'a, 't> {
    /// Of the classes of this recording.
    pub fn new(inspector: &'a Inspector<'t>, setting: Setting) -> Self {
        Self {
            inspector,
            setting,
            worker: None,
            prints: Prints::default(),
            past: OnceCell::new(),
        }
    }

    /// Did this call do what the other version does?
    ///
    /// # Errors
    /// See [`CounterpartError`].
    pub fn judge(&mut self, activation: EventId) -> Result<Judgement, CounterpartError> {
        let mut failed = Failed::default();
        let until = Instant::now() + LIMIT;
        let mut last = None;
        for _ in 0..=RETRIES {
            let call = recorded::call(self.source(&failed, until), activation, Statics::All)?;
            let call = match call {
                Ok(call) => call,
                Err(why) => return Ok(Judgement::CannotSay(why)),
            };
            let reply = match self.ask(&wire::request(&call))? {
                Ok(bytes) => wire::reply(&bytes, &call),
                Err(why) => return Ok(Judgement::CannotSay(why)),
            };
            let broken = match reply {
                Some(Reply::Done(theirs)) => return self.compared(&call, theirs, (&failed, until)),
                Some(Reply::Cannot(why)) => return Ok(Judgement::CannotSay(why)),
                Some(Reply::Broken(broken)) => broken,
                None => return Ok(Judgement::CannotSay(Doubt::BadReply)),
            };
            // What cannot be made may still be found where it has its home.
            let why = broken.first().map(|(_, why)| why.clone());
            for (id, no, why) in call.known.ids(broken) {
                match call.known.is_home(no) {
                    true => failed.homeless.insert(id, why),
                    false => failed.made.insert(id, why),
                };
            }
            last = why;
        }
        Ok(Judgement::CannotSay(last.unwrap_or(Doubt::BadReply)))
    }

    fn source<'s>(&'s self, failed: &'s Failed, until: Instant) -> Source<'s, 't> {
        let past = self.past.get_or_init(|| Past::of(self.inspector.trace()));
        Source {
            inspector: self.inspector,
            past: past.as_ref(),
            failed: Some(failed),
            until: Some(until),
        }
    }

    /// What the JVM with the other version replies, or why it does not.
    fn ask(&mut self, request: &[u8]) -> Result<Result<Vec<u8>, Doubt>, CounterpartError> {
        let worker = match &mut self.worker {
            Some(worker) => worker,
            None => {
                let recorded = self.inspector.trace().surroundings();
                self.worker.insert(Worker::start(&self.setting, recorded)?)
            }
        };
        let why = match worker.ask(request) {
            Ok(Asked::Reply(reply)) => return Ok(Ok(reply)),
            Ok(Asked::Endless) => Doubt::Endless,
            Err(e) => Doubt::Ended { why: e.to_string() },
        };
        self.worker = None;
        Ok(Err(why))
    }

    /// Is what came of the recorded call what came of the other one?
    fn compared(
        &mut self,
        call: &Call,
        theirs: CallResult,
        (failed, until): (&Failed, Instant),
    ) -> Result<Judgement, CounterpartError> {
        let printed = self.prints.within(self.inspector, call.activation)?;
        let printed = printed.filter(|_| !call.script.prints);
        let came = recorded::exit(self.source(failed, until), call, Statics::All, printed)?;
        let (mut ours, known, script) = came;
        let given = call.known.graph.objects.len();
        self.tell_contents(&mut ours, (&known, &script), given)?;
        let given_more = call.has_more(&theirs.grown);
        let is_missed = matches!(theirs.snapshot.end, End::Threw(..)) && !theirs.grown.is_empty();
        let missed = theirs.grown.first().filter(|_| is_missed);
        let missing = given_more.or(missed);
        let made = script.looks_beside().then_some(Foreign::Beside);
        let foreign = self.looked_for(call)?.or(made);
        let fresh = call.has_static_fields_afresh() && theirs.is_by_null();
        let afresh = call.has_static_fields_afresh() || call.has_fewer(&theirs.snapshot.statics);
        let basis = Basis {
            same: (0..given).map(|no| (no, no)).collect(),
            afresh: afresh || !theirs.grown.is_empty() || !theirs.apart.is_empty(),
            doubt: missing
                .map(|(class, name)| Doubt::MoreFields {
                    class: class.clone(),
                    name: name.clone(),
                })
                .or_else(|| foreign.map(Foreign::doubt))
                .or_else(|| {
                    let class = theirs.refused.clone();
                    class.map(|class| Doubt::Refused { class })
                })
                .or_else(|| fresh.then_some(Doubt::StaticMayBeNull)),
            known: Some(self.inspector.trace()),
            apart: theirs.apart.iter().cloned().collect(),
            untouched: theirs.untouched.iter().cloned().collect(),
        };
        let judgement = compare::compare(&ours, &theirs.snapshot, basis.clone());
        match judgement {
            Judgement::Wrong(differs) => {
                let times = if theirs.drawn { DRAWS } else { 1 };
                self.again(call, (&ours, basis), (differs, times))
            }
            judgement => Ok(judgement),
        }
    }

    /// What a call looks for that is not the program's doing, or what it is given is made of.
    fn looked_for(&self, call: &Call) -> Result<Option<Foreign>, InspectError> {
        let end = self.inspector.activation(call.activation)?.end;
        let end = end.map(|end| end.event);
        let past = self.past.get().and_then(Option::as_ref);
        let looked = past.and_then(|past| past.looked_for(call.activation, end));
        let written = past.filter(|past| past.is_written_past(call.known.numbers.keys().copied()));
        Ok(looked
            .or(call.script.looks_beside().then_some(Foreign::Beside))
            .or(written.map(|_| Foreign::Memory)))
    }

    /// Does the other version differ in the same way each time? If not, it depends on hash codes that the JVM draws, the time, or other chance.
    fn again(
        &mut self,
        call: &Call,
        (ours, basis): (&Snapshot, Basis<'_>),
        (differs, times): (Difference, usize),
    ) -> Result<Judgement, CounterpartError> {
        for _ in 0..times {
            let reply = match self.ask(&wire::request(call))? {
                Ok(bytes) => wire::reply(&bytes, call),
                Err(why) => return Ok(Judgement::CannotSay(why)),
            };
            let same = match reply {
                Some(Reply::Done(theirs)) => {
                    let judged = compare::compare(ours, &theirs.snapshot, basis.clone());
                    judged == Judgement::Wrong(differs.clone())
                }
                _ => false,
            };
            if !same {
                let why = match times {
                    DRAWS => Doubt::Order,
                    _ => Doubt::Unstable,
                };
                return Ok(Judgement::CannotSay(differs.doubtful(why)));
            }
        }
        Ok(Judgement::Wrong(differs))
    }

    /// Has objects that repeated calls make say what they hold.
    fn tell_contents(
        &mut self,
        ours: &mut Snapshot,
        (known, script): (&Known, &Script),
        given: usize,
    ) -> Result<(), CounterpartError> {
        if script.ops.is_empty() {
            return Ok(());
        }
        let reply = match self.ask(&wire::contents_of(known, given, script))? {
            Ok(bytes) => wire::contents(&bytes),
            Err(why) => Some(Reply::Cannot(why)),
        };
        match reply {
            Some(Reply::Done(contents)) => ours.graph.take(contents, &known.begun),
            Some(Reply::Cannot(why)) => ours.graph.cannot_tell(&why),
            _ => ours.graph.cannot_tell(&Doubt::BadReply),
        }
        Ok(())
    }
}
