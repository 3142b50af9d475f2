//! Other runs that answer: those that passed, and those that were asked about before.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jinsi_asked::{By, Saved};
use jinsi_counterpart::{Precedent, Precedents, static_fields};
use jinsi_declarative::{Answer, NodeNo, Tree};
use jinsi_history::failures;
use jinsi_inspect::Inspector;
use jinsi_trace::model::{Detail, EventId};
use jinsi_trace::reader::Trace;

use crate::messages::{NoAnswer, Remark};
use crate::output::note;

/// Another run.
pub struct OtherRun {
    by: By,
    file: PathBuf,
    trace: Trace,
    /// What was said of its calls, if it did not just pass.
    said: BTreeMap<EventId, Answer>,
}

impl OtherRun {
    /// Those that passed, and those whose traces lie beside the answers.
    ///
    /// # Errors
    /// A file cannot be read, or a run did not pass.
    pub fn all(passed: &[PathBuf], answers: &[PathBuf]) -> Result<Vec<Self>> {
        let passed = passed.iter().map(|file| Self::that_passed(file));
        passed
            .chain(answers.iter().map(|file| Self::asked(file)))
            .collect()
    }

    fn that_passed(file: &Path) -> Result<Self> {
        let run = Self::open(By::Passed, file)?;
        let failure = failures::pick(run.trace.failures());
        let path = file.display();
        ensure!(failure.is_none(), NoAnswer::Failed { path }.to_string());
        Ok(run)
    }

    fn asked(file: &Path) -> Result<Self> {
        let trace = Saved::trace(file).with_context(|| {
            NoAnswer::NoAnswers {
                path: file.display(),
            }
            .to_string()
        })?;
        let mut run = Self::open(By::Earlier, &trace)?;
        run.said = Saved::read(file)?.said();
        run.said.retain(|_, answer| *answer != Answer::Unknown);
        Ok(run)
    }

    fn open(by: By, file: &Path) -> Result<Self> {
        let trace = Trace::open(file)?;
        if trace.meta().detail != Detail::States {
            let file = file.display();
            note(Remark::NoStates { path: file });
        }
        Ok(Self {
            by,
            file: file.to_owned(),
            trace,
            said: BTreeMap::new(),
        })
    }

    /// Goes over its trace, or takes what was kept of that.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn inspector(&self) -> Result<Inspector<'_>> {
        Ok(Inspector::kept(&self.trace, &self.file)?.0)
    }

    /// What follows of it for a call that was given the same as this one, and gave the same.
    fn answer(&self, call: EventId) -> Answer {
        match self.by {
            By::Passed => Answer::Valid,
            _ => self.said.get(&call).copied().unwrap_or(Answer::Unknown),
        }
    }
}

/// What other runs say of a call.
pub(super) struct Says {
    /// The answer, and whose it is, if there is one.
    pub(super) answer: Option<(Answer, By)>,
    /// For people.
    pub(super) texts: Vec<String>,
}

/// Other runs, beside the one that is asked about.
#[derive(Default)]
pub struct Others<'a, 't>(Vec<(&'a OtherRun, Precedents<'a, 't>)>);

impl<'a, 't> Others<'a, 't> {
    /// Those beside the run of `ours`.
    pub fn new(
        ours: &'a Inspector<'t>,
        theirs: impl Iterator<Item = (&'a OtherRun, &'a Inspector<'t>)>,
    ) -> Self {
        let all = theirs.map(|(run, inspector)| {
            let precedents = Precedents::new(ours, inspector);
            let precedents = match run.by {
                By::Passed => precedents,
                _ => precedents.among(run.said.keys().copied()),
            };
            (run, precedents)
        });
        Self(all.collect())
    }

    /// What they say of a call; the first that knows.
    pub(super) fn say(&mut self, trace: &Trace, tree: &Tree, node: NodeNo) -> Result<Says> {
        let mut says = Says {
            answer: None,
            texts: Vec::new(),
        };
        if self.0.is_empty() {
            return Ok(says);
        }
        let within = tree.below(node).map(|node| tree.method_of(node));
        let within: BTreeSet<u32> = within.collect();
        let methods = within.into_iter().map(|method| {
            let method = tree.method(method);
            [&*method.owner, &*method.name, &*method.desc]
        });
        let statics = static_fields(trace, methods);
        for (run, precedents) in &mut self.0 {
            let file = run.file.display();
            match precedents.of(tree.name(node), &statics)? {
                Precedent::Same(call) => {
                    let answer = run.answer(call);
                    let said = match (run.by, answer) {
                        (By::Passed, _) => "that run passed: right",
                        (_, Answer::Valid) => "that was said to be right",
                        (_, Answer::Trusted) => "its method is trusted there",
                        _ => "that was said to be wrong",
                    };
                    says.texts.push(format!(
                        "call {call} of {file} was given the same and gave the same; {said}"
                    ));
                    says.answer = Some((answer, run.by));
                    break;
                }
                Precedent::Other(call, why) => says.texts.push(format!(
                    "call {call} of {file} was given the same, and gave something else: as there, {why}"
                )),
                Precedent::None => {}
            }
        }
        Ok(says)
    }
}
