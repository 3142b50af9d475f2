//! Levels that are too long for one file, or for the memory: a session whose interactions are in files of their own, each of one stretch.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

use jinsi_level::{CrashPredicate, Level};
use jinsi_trace::model::ClassNo;

use super::build::{ReplayCode, SessionError, TraceTables, session};
use super::object_use::Uses;
use super::write::{WriteError, Writer};
use super::{STRETCH_MAGIC, Session};

/// Writes the stretches of a level, and behind them its session.
#[derive(Debug)]
pub struct Stretched<'r> {
    recording: &'r TraceTables,
    class_names: BTreeMap<ClassNo, String>,
    uses: Uses,
    /// Number of the next outgoing interaction.
    next_outgoing: u32,
}

impl<'r> Stretched<'r> {
    /// Nothing written yet, of a level of one thread.
    pub fn new(recording: &'r TraceTables) -> Self {
        Self {
            recording,
            class_names: recording.class_names.clone(),
            uses: Uses::default(),
            next_outgoing: 1,
        }
    }

    /// The file of the next stretch: the interactions of `level`.
    ///
    /// # Errors
    /// What the format cannot say.
    pub fn stretch(&mut self, level: &Level) -> Result<Vec<u8>, WriteError> {
        self.uses.read(level);
        let session = Session {
            level: Cow::Borrowed(level),
            class_names: std::mem::take(&mut self.class_names),
            ..Session::default()
        };
        let mut body = Writer::new(&session, &self.uses);
        body.next_outgoing = self.next_outgoing;
        body.driven(&level.interactions)?;
        let mut file = Writer::new(&session, &self.uses);
        file.out.extend_from_slice(STRETCH_MAGIC);
        file.names(&body.names);
        file.out.append(&mut body.out);
        let (next, bytes) = (body.next_outgoing, file.out);
        self.next_outgoing = next;
        self.class_names = session.class_names;
        Ok(bytes)
    }

    /// The session file, once the stretches are in these files. `level` has no interactions, but all the objects and class initializers of the run.
    ///
    /// # Errors
    /// What the format cannot say.
    pub fn session(
        self,
        code: &ReplayCode,
        level: &Level,
        predicate: &CrashPredicate,
        files: Vec<PathBuf>,
    ) -> Result<Vec<u8>, SessionError> {
        let mut session = session(self.recording, code, Cow::Borrowed(level), predicate, None);
        session.stretches = files;
        let mut writer = Writer::new(&session, &self.uses);
        writer.next_outgoing = self.next_outgoing;
        writer.body()?;
        Ok(writer.with_head()?)
    }
}
