//! A session of questions at the terminal.

mod others;

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use jinsi_asked::{Asked, Asserted, By, Question, Said};
use jinsi_counterpart::{Counterpart, Judgement};
use jinsi_declarative::{About, Answer, Next, NodeNo, Stretch, Verdict};
use jinsi_trace::model::EventId;
use jinsi_trace::reader::Trace;
use serde::Serialize;

use crate::messages::{NoAnswer, Remark};
use crate::output::{Output, note};
pub use others::{OtherRun, Others};

#[derive(Serialize)]
struct Document {
    trace: PathBuf,
    #[serde(flatten)]
    asked: jinsi_asked::Document,
}

/// Commands that go on from here.
pub struct GoOn {
    /// That with this session.
    pub ask: String,
    /// That looks at a moment, which is written behind it.
    pub at: String,
}

/// A session at the terminal.
pub struct Asking<'a, 't> {
    /// What is asked, and was answered.
    pub asked: Asked<'a, 't>,
    /// The recording.
    pub trace: &'a Trace,
    /// Assertions of the program.
    pub asserted: Asserted<'a, 't>,
    /// Other runs.
    pub others: Others<'a, 't>,
    /// Another version of the program.
    pub counterpart: Option<Counterpart<'a, 't>>,
    /// Whose answers were taken back are asked of the user.
    pub by_user: BTreeSet<NodeNo>,
    /// Writes a small test of a call.
    pub tests: &'a dyn Fn(EventId) -> Result<String>,
    /// Is nothing printed but the document?
    pub quiet: bool,
}

impl Asking<'_, '_> {
    /// This is wrong of the outermost call.
    ///
    /// # Errors
    /// It is no part of what that gave.
    pub fn begin_with(&mut self, part: &str) -> Result<()> {
        let outermost = self.asked.outermost()?;
        if self.asked.has_part(outermost, part) {
            return Ok(());
        }
        let taken = self.asked.take_part(outermost, part, By::User)?;
        taken.map_err(|why| {
            let why = why.to_string();
            anyhow::anyhow!(NoAnswer::Wrong { part, why }.to_string())
        })
    }

    /// Asks until nothing more need be asked, or nobody answers any more.
    ///
    /// # Errors
    /// The trace or the terminal cannot be read, or the answers not be kept.
    pub fn ask_all(&mut self) -> Result<Next> {
        let mut lines = io::stdin().lock().lines();
        loop {
            let next = self.asked.next();
            let node = match next {
                Next::Ask(node) => node,
                Next::Together(stretch) => match self.ask_together(stretch, &mut lines)? {
                    true => continue,
                    false => return Ok(next),
                },
                _ => match self.is_taken_back(next, &mut lines)? {
                    true => continue,
                    false => return Ok(next),
                },
            };
            if !self.is_for_user(node)?
                && (self.answered_by_assertion(node)?
                    || self.answered_by_others(node)?
                    || self.answered_by_counterpart(node)?)
            {
                continue;
            }
            self.put(node)?;
            loop {
                let Some(line) = lines.next().transpose()? else {
                    return Ok(next);
                };
                match Said::of(&line) {
                    Said::Answer(answer) => self.asked.take(node, answer, By::User)?,
                    Said::Part(part) => {
                        if let Err(why) = self.asked.take_part(node, &part, By::User)? {
                            self.refuse(node, &why)?;
                            continue;
                        }
                    }
                    Said::Test => {
                        self.show(node)?;
                        self.prompt(node, "")?;
                        continue;
                    }
                    Said::Back => self.back()?,
                    Said::Quit => return Ok(next),
                    Said::Else => {
                        self.refuse(node, &"That is no answer")?;
                        continue;
                    }
                }
                break;
            }
        }
    }

    /// Asks about several calls. Is it to go on?
    fn ask_together(
        &mut self,
        stretch: Stretch,
        lines: &mut impl Iterator<Item = io::Result<String>>,
    ) -> Result<bool> {
        if !self.quiet {
            let question = self.asked.together(stretch)?;
            self.print(&question)?;
        }
        let mut before = "";
        loop {
            self.prompt_together(before)?;
            let Some(line) = lines.next().transpose()? else {
                return Ok(false);
            };
            match Said::of(&line) {
                Said::Answer(answer) if answer != Answer::Trusted => {
                    self.asked.take_together(stretch, answer)?;
                }
                Said::Back => self.back()?,
                Said::Quit => return Ok(false),
                _ => {
                    before = "Several calls are right together, or not. ";
                    if self.quiet {
                        note(before.trim_end());
                    }
                    continue;
                }
            }
            return Ok(true);
        }
    }

    /// Nothing more need be asked. Is the last answer taken back nevertheless?
    fn is_taken_back(
        &mut self,
        next: Next,
        lines: &mut impl Iterator<Item = io::Result<String>>,
    ) -> Result<bool> {
        if self.asked.session().answers().is_empty() {
            return Ok(false);
        }
        loop {
            if !self.quiet && io::stdin().is_terminal() {
                let mut stdout = io::stdout().lock();
                write!(
                    stdout,
                    "\nNothing more need be asked. Enter, s(how a test of it), or b(ack): "
                )?;
                stdout.flush()?;
            }
            let said = lines.next().transpose()?;
            match (said.map(|line| Said::of(&line)), next) {
                (Some(Said::Back), _) => {
                    self.back()?;
                    return Ok(true);
                }
                (Some(Said::Test), Next::Found(Verdict::Call(node) | Verdict::Method(_, node))) => {
                    self.show(node)?
                }
                _ => return Ok(false),
            }
        }
    }

    fn back(&mut self) -> Result<()> {
        match self.asked.back()? {
            None => return self.say("There is nothing to take back."),
            Some(About::Call(node)) => drop(self.by_user.insert(node)),
            Some(About::Stretch(_)) => {}
        }
        self.say("The last answer is taken back.")
    }

    /// Shows the test of a call.
    fn show(&self, node: NodeNo) -> Result<()> {
        let text = match (self.tests)(self.asked.name(node)) {
            Ok(test) => format!("It fails as long as the call gives this:\n\n{test}"),
            Err(why) => format!("There is no test of this call: {why:#}."),
        };
        match self.quiet {
            true => note(&text),
            false => self.say(&format!("\n{text}"))?,
        }
        Ok(())
    }

    /// What was said is no answer.
    fn refuse(&self, node: NodeNo, why: &dyn Display) -> Result<()> {
        // Who reads the document finds the answer missing there, and here why.
        if self.quiet {
            note(format!("{why}."));
        }
        self.prompt(node, &format!("{why}. "))
    }

    /// Does an assertion say it that held?
    fn answered_by_assertion(&mut self, node: NodeNo) -> Result<bool> {
        let Some((answer, by)) = self.asserted.says(self.asked.name(node))? else {
            return Ok(false);
        };
        let call = self.asked.call(node)?;
        let what = match by {
            By::Contract => "a contract of the program",
            _ => "an assertion",
        };
        self.say(&format!(
            "{call}\n    {what} says that it has to give what it gave, and held: right\n"
        ))?;
        self.asked.take(node, answer, by)?;
        Ok(true)
    }

    /// Is it the user's to answer? So is what he took back, and what other threads had a part in: another run may be right only for what they did
    /// there, and what tasks did need not show in what a call gave.
    fn is_for_user(&self, node: NodeNo) -> Result<bool> {
        Ok(self.by_user.contains(&node) || self.asked.is_shared(node)?)
    }

    /// Does another run know?
    fn answered_by_others(&mut self, node: NodeNo) -> Result<bool> {
        let tree = self.asked.session().tree();
        let says = self.others.say(self.trace, tree, node)?;
        for text in &says.texts {
            self.say(&format!("{}\n    {text}\n", self.asked.call(node)?))?;
        }
        let Some((answer, by)) = says.answer else {
            return Ok(false);
        };
        self.asked.take(node, answer, by)?;
        Ok(true)
    }

    /// Does the other version know?
    fn answered_by_counterpart(&mut self, node: NodeNo) -> Result<bool> {
        let Some(counterpart) = &mut self.counterpart else {
            return Ok(false);
        };
        let judged = counterpart.judge(self.asked.name(node))?;
        let call = self.asked.call(node)?;
        let (answer, text) = match judged {
            Judgement::Right => (Answer::Valid, "right".to_owned()),
            Judgement::Wrong(differs) => (Answer::Invalid, format!("wrong: {}", differs.text)),
            Judgement::CannotSay(why) => {
                self.say(&format!("The other version cannot say: {why}."))?;
                return Ok(false);
            }
        };
        self.say(&format!("{call}\n    the other version says {text}\n"))?;
        self.asked.take(node, answer, By::Counterpart)?;
        Ok(true)
    }

    fn say(&self, text: &str) -> Result<()> {
        if !self.quiet {
            let mut stdout = io::stdout().lock();
            writeln!(stdout, "{text}")?;
        }
        Ok(())
    }

    /// Puts the question.
    fn put(&mut self, node: NodeNo) -> Result<()> {
        if self.quiet {
            return Ok(());
        }
        let question = self.asked.question(node)?;
        self.print(&question)?;
        self.prompt(node, "")
    }

    fn print(&self, question: &Question) -> Result<()> {
        let session = self.asked.session();
        let no = session.answers().len() + 1;
        let (left, methods) = (session.suspected(), session.suspected_methods());
        let mut stdout = io::stdout().lock();
        let calls = if left == 1 { "call" } else { "calls" };
        let of = if methods == 1 { "method" } else { "methods" };
        writeln!(
            stdout,
            "Question {no}. Suspected: {left} {calls} of {methods} {of}.\n"
        )?;
        question.print(&mut stdout)?;
        Ok(())
    }

    fn prompt(&self, node: NodeNo, before: &str) -> Result<()> {
        let tree = self.asked.session().tree();
        let name = &tree.method(tree.method_of(node)).name;
        self.prompt_for(&format!(
            "{before}Is that right? y(es), n(o), n PART (which is wrong of it), t(rust {name}, always), u(nknown), s(how a test of it), b(ack), q(uit)"
        ))
    }

    fn prompt_together(&self, before: &str) -> Result<()> {
        self.prompt_for(&format!(
            "{before}Is what they came to right, for what was there before? y(es), n(o), u(nknown: about each alone), b(ack), q(uit)"
        ))
    }

    fn prompt_for(&self, text: &str) -> Result<()> {
        if self.quiet {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        write!(stdout, "\n{text}: ")?;
        stdout.flush()?;
        if !io::stdin().is_terminal() {
            writeln!(stdout)?;
        }
        Ok(())
    }

    /// Says what it has come to. `false`: no method is to blame yet.
    ///
    /// # Errors
    /// The trace cannot be read, or nothing can be written.
    pub fn finish(&mut self, file: &Path, next: Next, go_on: &GoOn, out: &Output) -> Result<bool> {
        let mut asked = self.asked.document(next, self.quiet)?;
        if let Some(blame) = &mut asked.verdict {
            if !blame.exact {
                blame.next.push(format!("{} --call", go_on.ask));
            }
            blame.next.push(format!("{} {}", go_on.at, blame.call));
        }
        let document = Document {
            trace: file.to_owned(),
            asked,
        };
        let state = document.asked.state;
        out.result(&document, |to| print(&document.asked, to))?;
        let kept = self.asked.place().filter(|_| !self.quiet);
        if let (Some(place), "asking") = (kept, state) {
            let place = place.display();
            note(Remark::Answers { path: place });
        }
        Ok(state == "found")
    }
}

fn print(document: &jinsi_asked::Document, to: &mut dyn Write) -> io::Result<()> {
    let Some(blame) = &document.verdict else {
        return match document.state {
            "undecided" => writeln!(
                to,
                "\nWhat is left was answered with \"unknown\": {} calls. 'b' takes answers back.",
                document.suspected
            ),
            "nothing" => writeln!(
                to,
                "\nNo call is suspected any more. The defect is in what was trusted or not recorded, or an answer was wrong."
            ),
            _ => writeln!(to),
        };
    };
    let file = blame.file.as_deref().unwrap_or("?");
    writeln!(
        to,
        "\nThe defect is in {}, {file}:{}.",
        blame.method, blame.line
    )?;
    let of = |by: By| document.answers.iter().filter(|a| a.by == by).count();
    write!(
        to,
        "  answers: {} of yours, {} of the other version",
        of(By::User),
        of(By::Counterpart)
    )?;
    let runs = of(By::Passed) + of(By::Earlier);
    for (count, of) in [
        (of(By::Asserted), "assertions"),
        (of(By::Contract), "contracts"),
        (runs, "other runs"),
    ] {
        if count > 0 {
            write!(to, ", {count} of {of}")?;
        }
    }
    writeln!(to)?;
    let what = match blame.exact {
        true => "what it called is not",
        false => "all that is suspected in it are calls of this method",
    };
    writeln!(to, "  call {}: it is wrong, and {what}", blame.call)?;
    if blame.apart > 0 {
        writeln!(
            to,
            "  {} calls in it were not asked about: they had no part in what you pointed at. If one of them should have had, take that back ('b') and say 'n'",
            blame.apart
        )?;
    }
    for command in &blame.next {
        writeln!(to, "  {command}")?;
    }
    Ok(())
}
