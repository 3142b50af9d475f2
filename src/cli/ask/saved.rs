//! Answers beside the trace.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jinsi_declarative::{Answer, Session};
use jinsi_files::private;
use jinsi_trace::model::EventId;
use serde::{Deserialize, Serialize};

/// Form of the file.
const FORMAT: u32 = 1;

/// Who answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum By {
    /// Who was asked.
    User,
    /// Another version of the classes.
    Counterpart,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    call: String,
    answer: String,
    by: By,
}

/// The answers.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Saved {
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
pub(super) fn text(answer: Answer) -> &'static str {
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

impl Saved {
    /// Where those of a trace are.
    pub(super) fn beside(trace: &Path) -> PathBuf {
        let mut name = trace.as_os_str().to_owned();
        name.push(".ask");
        name.into()
    }

    pub(super) fn read(place: &Path) -> Result<Self> {
        let text = match fs::read_to_string(place) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(e) => return Err(e).with_context(|| format!("cannot read {}", place.display())),
        };
        let what = || format!("{} has no answers; --fresh begins anew", place.display());
        let saved: Self = serde_json::from_str(&text).with_context(what)?;
        ensure!(
            saved.format == FORMAT,
            "{} is of another jinsi; --fresh begins anew",
            place.display()
        );
        Ok(saved)
    }

    pub(super) fn write(&self, place: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        private::write(place, text).with_context(|| format!("cannot write {}", place.display()))
    }

    /// Gives the answers to a session. Those of calls that it does not have are left out.
    pub(super) fn apply(&mut self, session: &mut Session<'_>) {
        self.answers.retain(|line| {
            let name: Option<EventId> = line.call.parse().ok();
            let node = name.and_then(|name| session.tree().node(name));
            match node.zip(answer(&line.answer)) {
                Some((node, answer)) => {
                    session.answer(node, answer);
                    true
                }
                None => false,
            }
        });
    }

    pub(super) fn add(&mut self, call: EventId, answer: Answer, by: By) {
        self.answers.push(Line {
            call: call.to_string(),
            answer: text(answer).to_owned(),
            by,
        });
    }

    pub(super) fn back(&mut self) {
        self.answers.pop();
    }

    /// Who gave them, oldest first.
    pub(super) fn by(&self) -> impl Iterator<Item = By> + '_ {
        self.answers.iter().map(|line| line.by)
    }
}
