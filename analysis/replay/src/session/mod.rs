//! The session file: all that a replay worker, or a written test, needs to know of a level (`java-harness/SESSION.md`).

mod build;
mod flipping;
mod object_use;
pub mod placeholders;
mod read;
mod stretches;
mod write;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

use jinsi_trace::model::{ClassNo, ObjectId, ThrowableDef};

use crate::codes;
use jinsi_rewrite::ClassRole;

use jinsi_level::{CrashPredicate, Effect, Interaction, Level, Operation, Outgoing};

pub use build::{
    ReplayCode, SessionError, TraceTables, as_it_is, direct_session, level_session,
    rewrite_counting, rewrite_for, rewrite_for_recording, script_session, untouched,
};
pub use flipping::{as_it_is_flipping, rewrite_flipping};
pub use jinsi_rewrite::{Bridge, Trap};
pub use read::{ReadError, read};
pub use stretches::Stretched;
pub use write::{WriteError, changes, write};

/// First bytes of a session file.
pub const MAGIC: &[u8; 8] = b"JINSISES";
/// First bytes of the file of a stretch.
const STRETCH_MAGIC: &[u8; 8] = b"JINSISTR";
/// Version of the format that this module writes and reads.
pub const VERSION: u16 = codes::SESSION_VERSION as u16;
/// Longest session: the worker has it in one array.
const MAX_BYTES: usize = i32::MAX as usize - 64;

/// Content of a session file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session<'a> {
    /// The level. In a script session only its kept interactions, without what they ask: see [`Script::answers`].
    ///
    /// `node` of its parts does not travel, `thread` and `turn` only if there are several threads; outgoing interactions have the numbers of [`Numbered`].
    pub level: Cow<'a, Level>,
    /// Names of the classes that `Value::Class` names, by class number.
    pub class_names: BTreeMap<ClassNo, String>,
    /// Throwables behind objects of role `Throwable`.
    pub throwables: BTreeMap<ObjectId, ThrowableDef>,
    /// Classes, already rewritten for replay.
    pub classes: Vec<SessionClass>,
    /// Redirected sites in them.
    pub bridges: Vec<Bridge>,
    /// Trapped methods in them.
    pub traps: Vec<Trap>,
    /// The recorded failure.
    pub predicate: CrashPredicate,
    /// The salt of the recorded JVM's immutable sets and maps, if it is known.
    pub salt: Option<u32>,
    /// Jars and directories that classes come from which are not in [`Session::classes`], in a session of a level that is run for real; in others
    /// there are none.
    pub libraries: Option<Vec<PathBuf>>,
    /// Files with the interactions of the level, if it is too long to have them itself; else there are none.
    pub stretches: Vec<PathBuf>,
    /// What a written test needs besides; `None` in a session for the worker.
    pub script: Option<Script>,
}

/// A rewritten class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionClass {
    /// Binary name (`org.joda.time.Period`).
    pub name: String,
    /// Whether its code runs.
    pub kind: ClassKind,
    /// Class file.
    pub bytes: Vec<u8>,
}

/// How a class takes part in replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassKind {
    /// Its code runs: observed, inherited by an observed class, or natural by the user's wish.
    Code,
    /// Every method is a trap.
    Environment,
    /// Named by other classes but not in the trace: an empty class, unless the JDK has one of this name.
    Placeholder,
}

/// The second half of a script session: what the environment answers while a written test runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// Changes to arrays and natural objects before the test begins: the `before` effects of every recorded interaction
    /// up to the last kept one, in order.
    pub setup: Vec<Effect>,
    /// Number in the level, and answer, in the order in which the test asks. Flat: an answer's call-backs carry no
    /// outgoing interactions of their own, those follow as answers.
    pub answers: Vec<(u32, Outgoing)>,
    /// What it takes to run the classes of today in the place of the recorded ones.
    pub today: Today,
}

/// What rewriting needs to know of the recording to rewrite other versions of its classes ([`jinsi_rewrite::today`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Today {
    /// The user's rules about natural classes.
    pub rules: String,
    /// The recorded classes of [`Session::classes`]. A class that is not among them was never loaded.
    pub parts: Vec<Part>,
}

/// How a recorded class took part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Binary name.
    pub name: String,
    /// How the class itself took part.
    pub role: ClassRole,
    /// Objects of a class that is not observed inherit from it, so that there may be stand-ins.
    pub of_others: bool,
    /// Only what its code did on instances of observed classes was recorded.
    pub only_inherited: bool,
    /// Its initializer ran before the recording begins, and its static fields are set.
    pub initialized: bool,
    /// Length of the class file as it was recorded.
    pub length: u32,
    /// CRC-32 of that.
    pub checksum: u32,
}

/// The outgoing interactions of a level by the numbers they have in its session.
///
/// Numbers count from 1: first those of class initializers (classes in name order), then those of the interactions;
/// within a list in order, each followed by the outgoing interactions inside its call-backs.
pub struct Numbered<'a> {
    all: Vec<&'a Outgoing>,
}

impl<'a> Numbered<'a> {
    /// Numbers of `level`.
    pub fn new(level: &'a Level) -> Self {
        let mut all = Vec::new();
        for list in level.class_inits.values() {
            collect(list, &mut all);
        }
        for interaction in &level.interactions {
            collect(&interaction.outgoing, &mut all);
        }
        Self { all }
    }

    /// The outgoing interaction with number `no`.
    pub fn get(&self, no: u32) -> Option<&'a Outgoing> {
        let index = usize::try_from(no).ok()?.checked_sub(1)?;
        self.all.get(index).copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

fn collect<'a>(list: &'a [Outgoing], all: &mut Vec<&'a Outgoing>) {
    for outgoing in list {
        all.push(outgoing);
        for callback in &outgoing.callbacks {
            collect(&callback.outgoing, all);
        }
    }
}

/// `interaction` without what it asks.
fn without_outgoing(interaction: &Interaction) -> Interaction {
    Interaction {
        outgoing: Vec::new(),
        ..interaction.clone()
    }
}

/// The number of a class' part in the session, which is that in questions to the rewriter.
fn role_code(role: ClassRole) -> u8 {
    match role {
        ClassRole::Observed => codes::PART_OBSERVED,
        ClassRole::Inherited => codes::PART_INHERITED,
        ClassRole::Natural => codes::PART_NATURAL,
        ClassRole::Environment => codes::PART_ENVIRONMENT,
    }
}

fn operation_code(op: Operation) -> u8 {
    match op {
        Operation::Construct => codes::OP_CONSTRUCT,
        Operation::Call => codes::OP_CALL,
        Operation::CallStatic => codes::OP_CALL_STATIC,
        Operation::GetField => codes::OP_GET_FIELD,
        Operation::PutField => codes::OP_PUT_FIELD,
        Operation::GetStatic => codes::OP_GET_STATIC,
        Operation::PutStatic => codes::OP_PUT_STATIC,
    }
}
