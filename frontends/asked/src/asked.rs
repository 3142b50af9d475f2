//! A session: which call is asked about, what was answered, and what it comes to.

use std::path::PathBuf;

use jinsi_declarative::{
    About, Answer, Method, Next, NodeNo, Session, Standing, Strategy, Stretch, Tree, Verdict,
    Weights,
};
use jinsi_history::failures;
use jinsi_inspect::Inspector;
use jinsi_natural::pattern::Pattern;
use jinsi_trace::model::{EventId, ThreadNo};
use jinsi_trace::reader::Trace;
use serde::Serialize;

use crate::error::{AskedError, Result};
use crate::expected::expected;
use crate::part::had_a_part;
use crate::saved::{By, Saved, text};
use crate::show::{Question, Show};
use crate::span::is_shared;
use crate::together::together;

/// How a session is led.
#[derive(Debug)]
pub struct Options {
    /// How the next question is chosen.
    pub strategy: Strategy,
    /// Classes whose methods have no defect, beside those of the JDK.
    pub trust: Vec<Pattern>,
    /// Is one call looked for, not only its method?
    pub exact: bool,
    /// May calls of a loop be asked about together?
    pub together: bool,
    /// Where answers are kept; `None`: nowhere.
    pub place: Option<PathBuf>,
    /// Are answers of earlier sessions left alone?
    pub fresh: bool,
    /// Is it what was left of a failing run? Then one of its outermost calls is wrong, and the failure showed in the last.
    pub is_left: bool,
}

/// An answer that was given.
#[derive(Debug, Serialize)]
pub struct Answered {
    /// The activation; of several that were judged together, the first.
    pub call: String,
    /// The last of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// Class and name of its method; of several calls, of the one that made them.
    pub method: String,
    /// `valid`, `invalid`, `trusted` or `unknown`.
    pub answer: &'static str,
    /// What of it was said to be wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Who gave it.
    pub by: By,
}

/// What is to blame.
#[derive(Debug, Serialize)]
pub struct Blame {
    /// Class and name of the method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Source file, if known.
    pub file: Option<String>,
    /// First line of the method, 0 if not known.
    pub line: u16,
    /// A wrong call that is to blame, or that leads to the one that is.
    pub call: String,
    /// Is it that very call?
    pub exact: bool,
    /// How many calls in it were not asked about only because they had no part in what was pointed at as wrong.
    pub apart: usize,
    /// Commands that lead on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<String>,
}

/// What a session has come to.
#[derive(Debug, Serialize)]
pub struct Document {
    /// How the next question is chosen.
    pub strategy: &'static str,
    /// The thread whose calls are asked about.
    pub thread: ThreadNo,
    /// How many calls it has.
    pub calls: usize,
    /// In how many the defect may be.
    pub suspected: usize,
    /// Of how many methods these are.
    pub methods: usize,
    /// What was answered, oldest first.
    pub answers: Vec<Answered>,
    /// The next question, if there is one and it was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// What is to blame, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Blame>,
    /// `asking`, `found`, `undecided`: nothing but "unknown" is left; or `nothing`: no call is wrong.
    pub state: &'static str,
}

/// A session.
pub struct Asked<'a, 't> {
    inspector: &'a Inspector<'t>,
    show: Show<'a, 't>,
    session: Session<'a>,
    saved: Saved,
    place: Option<PathBuf>,
    strategy: Strategy,
}

impl<'a, 't> Asked<'a, 't> {
    /// About the calls of a thread, with the answers that were kept.
    ///
    /// # Errors
    /// There is no call; what was kept cannot be read.
    pub fn new(inspector: &'a Inspector<'t>, tree: &'a Tree, options: &Options) -> Result<Self> {
        if tree.is_empty() {
            return Err(AskedError::NoCalls);
        }
        let mut session = Session::new(tree, |method| is_trusted(method, &options.trust));
        let own = |no: &NodeNo| tree.thread_of(*no) == tree.thread();
        let failed = tree.roots().filter(own).last().filter(|_| options.is_left);
        session = session.expecting(expected(inspector, tree, failed)?);
        // One of several may be right for what the others left, though the failure showed in it.
        let is_alone = tree.roots().nth(1).is_none();
        if options.is_left && !is_alone {
            session = session.failed();
        }
        if options.exact {
            session = session.exactly();
        }
        if options.together {
            session = session.balanced();
        }
        let mut saved = match (&options.place, options.fresh) {
            (Some(place), false) => Saved::read(place)?,
            _ => Saved::default(),
        };
        saved.apply(&mut session, |node, part| {
            had_a_part(inspector, tree, node, part).ok()
        });
        let mut asked = Self {
            inspector,
            show: Show::new(inspector, tree),
            session,
            saved,
            place: options.place.clone(),
            strategy: options.strategy,
        };
        if let Some(failed) = failed.filter(|no| is_alone && asked.session.said(*no).is_none()) {
            asked.take(failed, Answer::Invalid, By::Failure)?;
        }
        Ok(asked)
    }

    /// The answers.
    pub fn session(&self) -> &Session<'a> {
        &self.session
    }

    /// Where answers are kept.
    pub fn place(&self) -> Option<&PathBuf> {
        self.place.as_ref()
    }

    /// From now on, questions are chosen so.
    pub fn choose_by(&mut self, strategy: Strategy) {
        self.strategy = strategy;
    }

    /// How questions are chosen.
    pub fn strategy(&self) -> Strategy {
        self.strategy
    }

    /// The name of a call's method.
    pub fn method(&self, node: NodeNo) -> &'a str {
        let tree = self.session.tree();
        &tree.method(tree.method_of(node)).name
    }

    /// How it goes on.
    pub fn next(&self) -> Next {
        self.strategy.next(&self.session, &Weights::default())
    }

    /// The call of an activation.
    pub fn node(&self, name: EventId) -> Option<NodeNo> {
        self.session.tree().node(name)
    }

    /// The activation of a call.
    pub fn name(&self, node: NodeNo) -> EventId {
        self.session.tree().name(node)
    }

    /// What is known of the call of an activation; nothing if that is none of the thread's.
    pub fn standing(&self, name: EventId) -> Option<Standing> {
        Some(self.session.standing(self.node(name)?))
    }

    /// A call as a line of Java.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn call(&self, node: NodeNo) -> Result<String> {
        self.show.call(self.name(node))
    }

    /// A call as a question.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn question(&mut self, node: NodeNo) -> Result<Question> {
        self.show.question(node)
    }

    /// Did other threads have a part in what a call gave and changed? Then only who knows of them can say whether it is right.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn is_shared(&self, node: NodeNo) -> Result<bool> {
        is_shared(self.inspector, self.session.tree(), node)
    }

    /// Several calls as a question.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn together(&mut self, stretch: Stretch) -> Result<Question> {
        together(&mut self.show, self.session.tree(), stretch)
    }

    /// The stretch from one call to another, if one call made both.
    pub fn stretch(&self, first: EventId, last: EventId) -> Option<Stretch> {
        Stretch::new(self.session.tree(), self.node(first)?, self.node(last)?)
    }

    /// Takes an answer to several calls, and keeps it.
    ///
    /// # Errors
    /// It cannot be kept.
    pub fn take_together(&mut self, stretch: Stretch, answer: Answer) -> Result<()> {
        self.session.answer_stretch(stretch, answer);
        let names = [stretch.first, stretch.last].map(|node| self.name(node));
        self.saved.add_stretch(names, answer);
        self.save()
    }

    /// Takes an answer, and keeps it.
    ///
    /// # Errors
    /// It cannot be kept.
    pub fn take(&mut self, node: NodeNo, answer: Answer, by: By) -> Result<()> {
        self.session.answer(node, answer);
        self.saved.add(self.name(node), (answer, None), by);
        self.save()
    }

    /// Takes that a call is wrong, and what of what it gave. `Ok(Err(why))`: it is not known which calls had a part in that.
    ///
    /// # Errors
    /// It cannot be kept.
    pub fn take_part(
        &mut self,
        node: NodeNo,
        part: &str,
        by: By,
    ) -> Result<Result<(), AskedError>> {
        let tree = self.session.tree();
        let had_one = match had_a_part(self.inspector, tree, node, part) {
            Ok(had_one) => had_one,
            Err(why) => return Ok(Err(why)),
        };
        self.session.answer_part(node, had_one);
        let answer = (Answer::Invalid, Some(part.to_owned()));
        self.saved.add(self.name(node), answer, by);
        self.save()?;
        Ok(Ok(()))
    }

    /// Was this said already?
    pub fn has_part(&self, node: NodeNo, part: &str) -> bool {
        self.saved.has_part(self.name(node), part)
    }

    /// Takes the last answer back: whose it was.
    ///
    /// # Errors
    /// That cannot be kept.
    pub fn back(&mut self) -> Result<Option<About>> {
        let Some((about, _)) = self.session.back() else {
            return Ok(None);
        };
        self.saved.back();
        self.save()?;
        Ok(Some(about))
    }

    fn save(&self) -> Result<()> {
        match &self.place {
            Some(place) => self.saved.write(place),
            None => Ok(()),
        }
    }

    /// The outermost call in which the run failed; else the first one.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn outermost(&self) -> Result<NodeNo> {
        let tree = self.session.tree();
        let failure = failures::pick(self.inspector.trace().failures());
        let thread = tree.thread();
        let failure = failure.filter(|failure| failure.thread == thread);
        let thrown = match failure {
            Some(failure) => self.inspector.thrown_at(thread, failure.throwable)?,
            None => None,
        };
        let mut outermost = 0;
        while let Some(thrown) = thrown {
            let next = tree.below(outermost).end;
            let is_over = |next: NodeNo| {
                let name = tree.name(next);
                name.thread != thread || name.index > thrown.event.index
            };
            if next as usize >= tree.len() || is_over(next) {
                break;
            }
            outermost = next;
        }
        Ok(outermost)
    }

    /// What it has come to. `asks`: with the next question.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn document(&mut self, next: Next, asks: bool) -> Result<Document> {
        let (state, verdict) = match next {
            Next::Ask(_) | Next::Together(_) => ("asking", None),
            Next::Undecided => ("undecided", None),
            Next::Nothing => ("nothing", None),
            Next::Found(verdict) => ("found", Some(self.blame(verdict))),
        };
        let question = match next {
            Next::Ask(node) if asks => Some(self.question(node)?),
            Next::Together(stretch) if asks => Some(self.together(stretch)?),
            _ => None,
        };
        let tree = self.session.tree();
        let answers = self.session.answers().iter().zip(self.saved.given());
        let answers = answers.map(|((about, answer), (part, by))| {
            let (call, last, of) = match *about {
                About::Call(node) => (node, None, node),
                About::Stretch(calls) => (calls.first, Some(calls.last), calls.within),
            };
            Answered {
                call: tree.name(call).to_string(),
                last: last.map(|last| tree.name(last).to_string()),
                method: tree.method(tree.method_of(of)).dotted(),
                answer: text(*answer),
                part: part.map(str::to_owned),
                by,
            }
        });
        Ok(Document {
            strategy: self.strategy.name(),
            thread: tree.thread(),
            calls: tree.len(),
            suspected: self.session.suspected(),
            methods: self.session.suspected_methods(),
            answers: answers.collect(),
            question,
            verdict,
            state,
        })
    }

    fn blame(&self, verdict: Verdict) -> Blame {
        let tree = self.session.tree();
        let (method, node, exact) = match verdict {
            Verdict::Call(node) => (tree.method_of(node), node, true),
            Verdict::Method(method, node) => (method, node, false),
        };
        let method = tree.method(method);
        Blame {
            method: method.dotted(),
            descriptor: method.desc.clone(),
            file: method.file.clone(),
            line: method.line,
            call: tree.name(node).to_string(),
            exact,
            apart: self.session.apart(),
            next: Vec::new(),
        }
    }
}

/// The thread whose calls are asked about: that of the failure, else main.
///
/// # Errors
/// The trace has no thread.
pub fn thread(trace: &Trace) -> Result<ThreadNo> {
    if let Some(failure) = failures::pick(trace.failures()) {
        return Ok(failure.thread);
    }
    let threads = trace.threads();
    let main = threads.iter().find(|thread| thread.name == "main");
    let first = main.or(threads.first());
    Ok(first.ok_or(AskedError::NoThread)?.no)
}

/// Packages of the JDK: whoever records them suspects something else.
const JDK: [&str; 5] = ["java/", "javax/", "jdk/", "sun/", "com/sun/"];

fn is_trusted(method: &Method, patterns: &[Pattern]) -> bool {
    JDK.iter().any(|package| method.owner.starts_with(package))
        || patterns.iter().any(|p| p.matches_internal(&method.owner))
}
