//! A session with a user who knows everything.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use jinsi_asked::{expected, is_shared};
use jinsi_counterpart::{Counterpart, Doubt, Judgement, Setting};
use jinsi_declarative::{Answer, Next, NodeNo, Session, Strategy, Tree, Verdict, Weights};
use jinsi_inspect::Inspector;
use jinsi_jdk::Walls;
use jinsi_trace::model::ThreadNo;
use jinsi_trace::reader::Trace;
use serde::Serialize;

use super::mutants::Mutant;
use super::{EvaluationSetup, record};

/// What came of a mutant.
#[derive(Debug, Serialize)]
pub(super) struct Sample {
    pub(super) place: String,
    pub(super) was: String,
    pub(super) is: String,
    pub(super) method: String,
    pub(super) calls: usize,
    pub(super) trusted: usize,
    /// Calls that the user could not judge, and the first reason.
    pub(super) unknown: usize,
    pub(super) why: Option<String>,
    /// By strategy.
    pub(super) sessions: Vec<Played>,
}

/// What came of a strategy.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Played {
    pub(super) strategy: &'static str,
    /// Until the method is known.
    pub(super) to_the_method: usize,
    /// Until one call is left.
    pub(super) to_the_call: usize,
    /// What was blamed; nothing if nothing was.
    pub(super) blamed: Option<String>,
    pub(super) right: bool,
}

/// Records a mutant, and asks about it by each strategy.
pub(super) fn sample(
    ground: &EvaluationSetup,
    package: &str,
    classes: [&PathBuf; 2],
    mutant: Mutant,
) -> Result<Sample> {
    let [right, wrong] = classes;
    let trace = Trace::open(&record(ground, package, wrong)?)?;
    let main = trace.threads().iter().find(|thread| thread.name == "main");
    let thread = main.context("no thread main")?.no;
    let inspector = Inspector::new(&trace)?;
    let tree = jinsi_asked::tree(&inspector, thread)?;
    let setting = Setting {
        jdk: ground.jdk.clone(),
        harness: ground.harness.clone(),
        class_path: vec![right.clone()],
        walls: Walls::Confined,
    };
    let mut user = User::new((&tree, &inspector), Counterpart::new(&inspector, setting));
    let mut sessions = Vec::new();
    for (strategy, name) in Strategy::ALL {
        let [by_method, by_call] = [false, true].map(|exact| user.play(strategy, exact));
        let (asked, verdict) = by_method?;
        let blamed = verdict.map(|verdict| tree.method(method_of(&tree, verdict)));
        let class = mutant.file.with_extension("");
        sessions.push(Played {
            strategy: name,
            to_the_method: asked,
            to_the_call: by_call?.0,
            blamed: blamed.map(|method| method.dotted()),
            right: blamed.is_some_and(|method| {
                method.name == mutant.method && method.owner.rsplit('/').next() == class.to_str()
            }),
        });
    }
    let (calls, trusted) = calls(&inspector, thread)?;
    let unknown = user
        .said
        .values()
        .filter(|said| said.answer == Answer::Unknown)
        .count();
    Ok(Sample {
        place: format!("{}:{}", mutant.file.display(), mutant.line),
        was: mutant.was,
        is: mutant.is,
        method: mutant.method,
        calls,
        trusted,
        unknown,
        why: user.why,
        sessions,
    })
}

/// The method that is blamed.
pub(super) fn method_of(tree: &Tree, verdict: Verdict) -> u32 {
    match verdict {
        Verdict::Call(node) => tree.method_of(node),
        Verdict::Method(method, _) => method,
    }
}

/// How many calls there are, and how many of them are not recorded.
fn calls(inspector: &Inspector<'_>, thread: ThreadNo) -> Result<(usize, usize)> {
    let (mut calls, mut trusted) = (0, 0);
    for outermost in inspector.outermost(thread)? {
        let below = inspector.call_tree(outermost.name, usize::MAX)?;
        calls += 1 + below.len();
        trusted += below.iter().filter(|(_, c)| c.activation.is_none()).count();
    }
    Ok((calls, trusted))
}

/// Who answers: another version of the program.
pub(super) struct User<'a, 't> {
    tree: &'a Tree,
    inspector: &'a Inspector<'t>,
    counterpart: Counterpart<'a, 't>,
    said: HashMap<NodeNo, Said>,
    why: Option<String>,
}

/// What was said of a call.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) answer: Answer,
    /// What is wrong with it, or why that is not known.
    pub(super) why: String,
    /// Which part of what it gave is wrong, if it is one.
    pub(super) part: Option<String>,
    /// Is it unknown because the other version has no such method?
    pub(super) is_of_method: bool,
}

impl<'a, 't> User<'a, 't> {
    pub(super) fn new(
        (tree, inspector): (&'a Tree, &'a Inspector<'t>),
        counterpart: Counterpart<'a, 't>,
    ) -> Self {
        Self {
            tree,
            inspector,
            counterpart,
            said: HashMap::new(),
            why: None,
        }
    }

    /// Asks until the end: number of questions, and the verdict.
    fn play(&mut self, strategy: Strategy, exact: bool) -> Result<(usize, Option<Verdict>)> {
        let expected = expected(self.inspector, self.tree, None)?;
        let mut session = Session::new(self.tree, |_| false).expecting(expected);
        if exact {
            session = session.exactly();
        }
        let weights = Weights::default();
        for asked in 0..=self.tree.len() {
            match strategy.next(&session, &weights) {
                Next::Ask(node) => {
                    let answer = self.answer(node)?.answer;
                    session.answer(node, answer);
                }
                Next::Found(verdict) => return Ok((asked, Some(verdict))),
                Next::Undecided | Next::Nothing | Next::Together(_) => return Ok((asked, None)),
            }
        }
        bail!("more questions than calls")
    }

    /// What the other version says of a call.
    ///
    /// # Errors
    /// It cannot be asked.
    pub(super) fn answer(&mut self, node: NodeNo) -> Result<Said> {
        if let Some(known) = self.said.get(&node) {
            return Ok(known.clone());
        }
        let method = self.tree.method(self.tree.method_of(node));
        let mut part = None;
        let judged = match is_shared(self.inspector, self.tree, node)? {
            true => Judgement::CannotSay(Doubt::Thread),
            false => self.counterpart.judge(self.tree.name(node))?,
        };
        let is_of_method = matches!(&judged, Judgement::CannotSay(why) if why.is_no_method());
        let (answer, why) = match judged {
            Judgement::Right => (Answer::Valid, String::new()),
            Judgement::Wrong(differs) => {
                part = differs.part;
                (Answer::Invalid, differs.text)
            }
            // All that the program printed is known to be wrong, and how it ended.
            Judgement::CannotSay(why) if method.name == "main" => {
                (Answer::Invalid, why.to_string())
            }
            Judgement::CannotSay(why) => {
                let first = format!("{}: {why}", method.dotted());
                self.why.get_or_insert(first);
                (Answer::Unknown, why.to_string())
            }
        };
        let is_of_method = answer == Answer::Unknown && is_of_method;
        let said = Said {
            answer,
            why,
            part,
            is_of_method,
        };
        self.said.insert(node, said.clone());
        Ok(said)
    }
}
