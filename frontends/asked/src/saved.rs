//! Answers beside the trace.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use jinsi_declarative::{Answer, NodeNo, Session, Stretch, Tree};
use jinsi_files::private;
use jinsi_trace::model::EventId;
use serde::{Deserialize, Serialize};

use crate::error::{AskedError, Result};

/// Form of the file, and the oldest that is read: what 1 has, 2 has as well.
const FORMAT: u32 = 2;
const OLDEST: u32 = 1;

/// Who answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// Who was asked.
    User,
    /// The failure that was recorded: the call is that which failed.
    Failure,
    /// An assertion of the run, which held, about what the call returned.
    Asserted,
    /// A contract of the program, which held: what it says itself that the call has to return.
    Contract,
    /// Another version of the classes.
    Counterpart,
    /// A run that passed: a call there was given the same, and gave the same.
    Passed,
    /// Who was asked in an earlier session, about a call that was given the same and gave the same.
    Earlier,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    /// The activation; of several that were judged together, the first.
    call: String,
    /// The last of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<String>,
    answer: String,
    /// What of it is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<String>,
    by: By,
}

/// The answers.
#[derive(Debug, Serialize, Deserialize)]
pub struct Saved {
    format: u32,
    answers: Vec<Line>,
}

impl Default for Saved {
    fn default() -> Self {
        Self {
            format: FORMAT,
            answers: Vec::new(),
        }
    }
}

/// An answer as it is written.
pub(crate) fn text(answer: Answer) -> &'static str {
    match answer {
        Answer::Valid => "valid",
        Answer::Invalid => "invalid",
        Answer::Trusted => "trusted",
        Answer::Unknown => "unknown",
    }
}

fn answer(text: &str) -> Option<Answer> {
    let all = [
        Answer::Valid,
        Answer::Invalid,
        Answer::Trusted,
        Answer::Unknown,
    ];
    all.into_iter().find(|answer| self::text(*answer) == text)
}

/// The call of this name.
fn node(tree: &Tree, name: &str) -> Option<NodeNo> {
    tree.node(name.parse().ok()?)
}

impl Saved {
    /// Where those of a trace are.
    pub fn beside(trace: &Path) -> PathBuf {
        let mut name = trace.as_os_str().to_owned();
        name.push(".ask");
        name.into()
    }

    /// The trace that a file of answers lies beside, by its name.
    pub fn trace(place: &Path) -> Option<PathBuf> {
        let is_one = place.extension().is_some_and(|ext| ext == "ask");
        is_one.then(|| place.with_extension(""))
    }

    /// Those that were kept; none if there is no such file.
    ///
    /// # Errors
    /// It cannot be read, or is of another jinsi.
    pub fn read(place: &Path) -> Result<Self> {
        let text = match fs::read_to_string(place) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => {
                let path = place.to_owned();
                return Err(AskedError::Open { path, source });
            }
        };
        let mut saved: Self =
            serde_json::from_str(&text).map_err(|source| AskedError::NoAnswers {
                path: place.to_owned(),
                source,
            })?;
        if !(OLDEST..=FORMAT).contains(&saved.format) {
            let path = place.to_owned();
            return Err(AskedError::Version { path });
        }
        saved.format = FORMAT;
        Ok(saved)
    }

    /// What was said of which calls; of several answers to one, the last. What was said of several calls together is said of none of them.
    pub fn said(&self) -> BTreeMap<EventId, Answer> {
        let lines = self.answers.iter().filter(|line| line.last.is_none());
        let known = lines.filter_map(|line| Some((line.call.parse().ok()?, answer(&line.answer)?)));
        known.collect()
    }

    /// Keeps them.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, place: &Path) -> Result<()> {
        let failed = |source| AskedError::Write {
            path: place.to_owned(),
            source,
        };
        let text = serde_json::to_string_pretty(self).map_err(|e| failed(e.into()))?;
        private::write(place, text).map_err(failed)
    }

    /// Gives the answers to a session. Those of calls that it does not have are left out. `had_a_part` says which calls had a part in something that
    /// a call gave; where it does not, the call is just wrong.
    pub fn apply(
        &mut self,
        session: &mut Session<'_>,
        had_a_part: impl Fn(NodeNo, &str) -> Option<Vec<NodeNo>>,
    ) {
        self.answers.retain_mut(|line| {
            let tree = session.tree();
            let Some((node, answer)) = node(tree, &line.call).zip(answer(&line.answer)) else {
                return false;
            };
            if let Some(last) = &line.last {
                let stretch =
                    self::node(tree, last).and_then(|last| Stretch::new(tree, node, last));
                stretch
                    .into_iter()
                    .for_each(|stretch| session.answer_stretch(stretch, answer));
                return stretch.is_some();
            }
            let part = line.part.take().filter(|_| answer == Answer::Invalid);
            let had_one = part.as_ref().and_then(|part| had_a_part(node, part));
            match had_one {
                Some(had_one) => {
                    session.answer_part(node, had_one);
                    line.part = part;
                }
                None => session.answer(node, answer),
            }
            true
        });
    }

    pub(crate) fn add(&mut self, call: EventId, answer: (Answer, Option<String>), by: By) {
        self.push((call, None), answer, by);
    }

    /// An answer to several calls, by the first and the last.
    pub(crate) fn add_stretch(&mut self, [first, last]: [EventId; 2], answer: Answer) {
        self.push((first, Some(last)), (answer, None), By::User);
    }

    fn push(
        &mut self,
        (call, last): (EventId, Option<EventId>),
        answer: (Answer, Option<String>),
        by: By,
    ) {
        self.answers.push(Line {
            call: call.to_string(),
            last: last.map(|last| last.to_string()),
            answer: text(answer.0).to_owned(),
            part: answer.1,
            by,
        });
    }

    pub(crate) fn back(&mut self) {
        self.answers.pop();
    }

    /// Was it said of the call that this is wrong of it?
    pub(crate) fn has_part(&self, call: EventId, part: &str) -> bool {
        let call = call.to_string();
        let mut all = self.answers.iter();
        all.any(|line| line.call == call && line.part.as_deref() == Some(part))
    }

    /// What of each call was said to be wrong, and who answered, oldest first.
    pub(crate) fn given(&self) -> impl Iterator<Item = (Option<&str>, By)> + '_ {
        self.answers
            .iter()
            .map(|line| (line.part.as_deref(), line.by))
    }
}
