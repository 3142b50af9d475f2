//! `jinsi ask`: asks whether calls were right, until one method is to blame.

mod saved;
mod show;

use std::collections::BTreeSet;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use jinsi_counterpart::{Counterpart, Judgement, Setting};
use jinsi_declarative::{Answer, Method, Next, NodeNo, Session, Strategy, Tree, Verdict, Weights};
use jinsi_history::failures;
use jinsi_natural::pattern::Pattern;
use jinsi_trace::model::ThreadNo;
use jinsi_trace::reader::Trace;
use serde::Serialize;

use super::minimize::patterns;
use super::output::{Output, note};
use super::past::{Past, file, inspector};
use super::progress::Spinner;
use saved::{By, Saved};
use show::{Question, Show};

const EXAMPLES: &str = "\
Examples:
  jinsi record --detail states --observe 'com.foo.*' -o run.jinsi -- java -cp app.jar com.foo.Main
  jinsi ask run.jinsi                              one question at a time, until one method is to blame
  jinsi ask run.jinsi --trust 'com.foo.util.*'     nothing of these classes is asked about
  jinsi ask run.jinsi --right old/app.jar          what an older version, which worked, gives answers what it can
  printf 'n\\ny\\nn\\n' | jinsi ask run.jinsi --json --fresh

A call is right if it did all that it should, for what it was given: what it returned, what it changed, what it printed. Answers are kept beside
the trace, in FILE.ask, and the next time it goes on from there.";

/// Arguments of `ask`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    past: Past,
    /// How the next question is chosen
    #[arg(long, value_name = "HOW", default_value = "likely")]
    strategy: How,
    /// Classes whose methods have no defect: wildcards over the dotted name, joined by ':'. Those of the JDK, and all that is not recorded, never
    /// have one here
    #[arg(long, value_name = "PATTERNS", default_value = "")]
    trust: String,
    /// Another version of the program's classes, which is right: a class path. It is asked the same, shut in, and answers what it can
    #[arg(long, value_name = "CLASSPATH")]
    right: Option<String>,
    /// The thread whose calls are asked about (default: that of the failure, else main)
    #[arg(long, value_name = "NUMBER")]
    thread: Option<ThreadNo>,
    /// Ask until one call is left, even if it is known before which method it is
    #[arg(long)]
    call: bool,
    /// Forget the answers of earlier sessions
    #[arg(long)]
    fresh: bool,
    /// Neither take nor keep answers: those that are kept stay as they are
    #[arg(long, conflicts_with = "fresh")]
    unsaved: bool,
}

/// A strategy.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum How {
    /// A call, and if it is wrong what it called, in that order
    TopDown,
    /// The call below which half of the suspected calls are
    Divide,
    /// The call that leaves as many to be asked about either way
    Optimal,
    /// Half by covered branches; those that right calls covered count less
    Edges,
    /// Half by covered def-use chains
    Chains,
    /// The call whose answer tells most about which method it is
    Likely,
}

impl From<How> for Strategy {
    fn from(how: How) -> Self {
        match how {
            How::TopDown => Self::TopDown,
            How::Divide => Self::Divide,
            How::Optimal => Self::Optimal,
            How::Edges => Self::Edges,
            How::Chains => Self::Chains,
            How::Likely => Self::Likely,
        }
    }
}

#[derive(Serialize)]
struct Document {
    trace: PathBuf,
    strategy: &'static str,
    thread: ThreadNo,
    calls: usize,
    suspected: usize,
    answers: Vec<Answered>,
    /// The next question, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<Question>,
    /// What is to blame, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Blame>,
    /// `asking`, `found`, `undecided`: nothing but "unknown" is left; or `nothing`: no call is wrong.
    state: &'static str,
}

#[derive(Serialize)]
struct Answered {
    call: String,
    method: String,
    answer: &'static str,
    by: By,
}

#[derive(Serialize)]
struct Blame {
    method: String,
    descriptor: String,
    file: Option<String>,
    /// First line of the method, 0 if not known.
    line: u16,
    /// A wrong call that is to blame, or that leads to the one that is.
    call: String,
    /// Is it that very call?
    exact: bool,
    /// Commands that lead on.
    next: Vec<String>,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let opened = args.past.open()?;
    let trace = &opened.trace;
    let inspector = inspector(&opened)?;
    let thread = thread(args, trace)?;
    let spinner = Spinner::new("going over the calls");
    let tree = Tree::read(trace, thread)?;
    drop(spinner);
    anyhow::ensure!(!tree.is_empty(), "thread {thread} has no recorded call");
    let trusted = patterns(&args.trust);
    let mut session = Session::new(&tree, |method| is_trusted(method, &trusted));
    if args.call {
        session = session.exactly();
    }
    let place = Saved::beside(file(&args.past));
    let mut saved = match args.fresh || args.unsaved {
        true => Saved::default(),
        false => Saved::read(&place)?,
    };
    saved.apply(&mut session);
    let prepared = match &args.right {
        Some(_) => Some(args.past.replay().prepare(None)?),
        None => None,
    };
    let counterpart = prepared.as_ref().zip(args.right.as_deref());
    let counterpart = counterpart.map(|(prepared, class_path)| {
        let setting = Setting {
            jdk: prepared.config.jdk.clone(),
            harness: prepared.config.harness.clone(),
            class_path: std::env::split_paths(class_path).collect(),
            walls: prepared.config.walls,
        };
        Counterpart::new(&inspector, setting)
    });
    let mut asking = Asking {
        strategy: args.strategy.into(),
        show: Show::new(&inspector),
        session,
        saved,
        place: (!args.unsaved).then_some(place),
        counterpart,
        by_user: BTreeSet::new(),
        quiet: out.is_json(),
    };
    let next = asking.ask_all()?;
    asking.finish(args, thread, next, out)
}

fn thread(args: &Args, trace: &Trace) -> Result<ThreadNo> {
    if let Some(thread) = args.thread {
        let known = trace.threads().iter().any(|t| t.no == thread);
        anyhow::ensure!(known, "there is no thread {thread}");
        return Ok(thread);
    }
    if let Some(failure) = failures::pick(trace.failures()) {
        return Ok(failure.thread);
    }
    let threads = trace.threads();
    let main = threads.iter().find(|thread| thread.name == "main");
    let first = main.or(threads.first());
    Ok(first.context("the trace has no thread")?.no)
}

/// Packages of the JDK: whoever records them suspects something else.
const JDK: [&str; 5] = ["java/", "javax/", "jdk/", "sun/", "com/sun/"];

fn is_trusted(method: &Method, patterns: &[Pattern]) -> bool {
    JDK.iter().any(|package| method.owner.starts_with(package))
        || patterns.iter().any(|p| p.matches_internal(&method.owner))
}

/// A session at the terminal.
struct Asking<'a, 't> {
    strategy: Strategy,
    show: Show<'a, 't>,
    session: Session<'a>,
    saved: Saved,
    /// Where answers are kept.
    place: Option<PathBuf>,
    counterpart: Option<Counterpart<'a, 't>>,
    /// Whose answers were taken back are asked of the user.
    by_user: BTreeSet<NodeNo>,
    /// Is nothing printed but the document?
    quiet: bool,
}

/// What the user says.
enum Said {
    Answer(Answer),
    Back,
    Quit,
    /// Something that is no answer.
    Else,
}

impl Said {
    fn of(line: &str) -> Self {
        match line.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" | "valid" => Self::Answer(Answer::Valid),
            "n" | "no" | "invalid" => Self::Answer(Answer::Invalid),
            "t" | "trust" | "trusted" => Self::Answer(Answer::Trusted),
            "u" | "unknown" | "?" => Self::Answer(Answer::Unknown),
            "b" | "back" => Self::Back,
            "q" | "quit" => Self::Quit,
            _ => Self::Else,
        }
    }
}

impl Asking<'_, '_> {
    /// Until nothing more need be asked, or nobody answers any more.
    fn ask_all(&mut self) -> Result<Next> {
        let mut lines = io::stdin().lock().lines();
        let weights = Weights::default();
        loop {
            let next = self.strategy.next(&self.session, &weights);
            let Next::Ask(node) = next else {
                return Ok(next);
            };
            if self.answered_by_counterpart(node)? {
                continue;
            }
            self.put(node)?;
            loop {
                let Some(line) = lines.next().transpose()? else {
                    return Ok(next);
                };
                match Said::of(&line) {
                    Said::Answer(answer) => self.take(node, answer, By::User)?,
                    Said::Back => self.back()?,
                    Said::Quit => return Ok(next),
                    Said::Else => {
                        self.prompt(node, "That is no answer. ")?;
                        continue;
                    }
                }
                break;
            }
        }
    }

    fn take(&mut self, node: NodeNo, answer: Answer, by: By) -> Result<()> {
        self.session.answer(node, answer);
        let name = self.session.tree().name(node);
        self.saved.add(name, answer, by);
        self.save()
    }

    fn save(&self) -> Result<()> {
        match &self.place {
            Some(place) => self.saved.write(place),
            None => Ok(()),
        }
    }

    fn back(&mut self) -> Result<()> {
        let Some((node, _)) = self.session.back() else {
            self.say("There is nothing to take back.")?;
            return Ok(());
        };
        self.by_user.insert(node);
        self.saved.back();
        self.save()?;
        self.say("The last answer is taken back.")
    }

    /// Does the other version know?
    fn answered_by_counterpart(&mut self, node: NodeNo) -> Result<bool> {
        let Some(counterpart) = &mut self.counterpart else {
            return Ok(false);
        };
        if self.by_user.contains(&node) {
            return Ok(false);
        }
        let judged = counterpart.judge(self.session.tree().name(node))?;
        let call = self.show.call(self.session.tree().name(node))?;
        let (answer, text) = match judged {
            Judgement::Right => (Answer::Valid, "right".to_owned()),
            Judgement::Wrong(why) => (Answer::Invalid, format!("wrong: {why}")),
            Judgement::CannotSay(why) => {
                self.say(&format!("The other version cannot say: {why}."))?;
                return Ok(false);
            }
        };
        self.say(&format!("{call}\n    the other version says {text}\n"))?;
        self.take(node, answer, By::Counterpart)?;
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
        let no = self.session.answers().len() + 1;
        let left = self.session.suspected();
        let methods: BTreeSet<u32> = (self.session.suspects())
            .map(|node| self.session.tree().method_of(node))
            .collect();
        let question = self.show.question(self.session.tree().name(node))?;
        let mut stdout = io::stdout().lock();
        let calls = if left == 1 { "call" } else { "calls" };
        let of = if methods.len() == 1 {
            "method"
        } else {
            "methods"
        };
        writeln!(
            stdout,
            "Question {no}. Suspected: {left} {calls} of {} {of}.\n",
            methods.len()
        )?;
        question.print(&mut stdout)?;
        drop(stdout);
        self.prompt(node, "")
    }

    fn prompt(&self, node: NodeNo, before: &str) -> Result<()> {
        if self.quiet {
            return Ok(());
        }
        let method = self.session.tree().method_of(node);
        let name = &self.session.tree().method(method).name;
        let mut stdout = io::stdout().lock();
        write!(
            stdout,
            "\n{before}Is that right? y(es), n(o), t(rust {name}, always), u(nknown), b(ack), q(uit): "
        )?;
        stdout.flush()?;
        if !io::stdin().is_terminal() {
            writeln!(stdout)?;
        }
        Ok(())
    }

    fn finish(&mut self, args: &Args, thread: ThreadNo, next: Next, out: &Output) -> Result<bool> {
        let tree = self.session.tree();
        let (state, verdict) = match next {
            Next::Ask(_) => ("asking", None),
            Next::Undecided => ("undecided", None),
            Next::Nothing => ("nothing", None),
            Next::Found(verdict) => ("found", Some(self.blame(args, verdict))),
        };
        let question = match next {
            Next::Ask(node) if self.quiet => Some(self.show.question(tree.name(node))?),
            _ => None,
        };
        let answers = self.session.answers().iter().zip(self.saved.by());
        let answers = answers.map(|((node, answer), by)| Answered {
            call: tree.name(*node).to_string(),
            method: tree.method(tree.method_of(*node)).dotted(),
            answer: saved::text(*answer),
            by,
        });
        let document = Document {
            trace: file(&args.past).to_owned(),
            strategy: self.strategy.name(),
            thread,
            calls: tree.len(),
            suspected: self.session.suspected(),
            answers: answers.collect(),
            question,
            verdict,
            state,
        };
        out.result(&document, |to| self.print(&document, to))?;
        let kept = self.place.as_ref().filter(|_| !self.quiet);
        if let (Some(place), "asking") = (kept, state) {
            let place = place.display();
            note(&format!(
                "the answers are in {place}; the same command goes on"
            ));
        }
        Ok(state == "found")
    }

    fn blame(&self, args: &Args, verdict: Verdict) -> Blame {
        let tree = self.session.tree();
        let (method, node, exact) = match verdict {
            Verdict::Call(node) => (tree.method_of(node), node, true),
            Verdict::Method(method, node) => (method, node, false),
        };
        let call = tree.name(node).to_string();
        let method = tree.method(method);
        let trace = file(&args.past).display();
        let replayed = if args.past.is_replayed() {
            " --replayed"
        } else {
            ""
        };
        let mut next = vec![format!("jinsi at {trace}{replayed} {call}")];
        if !exact {
            next.insert(0, format!("jinsi ask {trace}{replayed} --call"));
        }
        Blame {
            method: method.dotted(),
            descriptor: method.desc.clone(),
            file: method.file.clone(),
            line: method.line,
            call,
            exact,
            next,
        }
    }

    fn print(&self, document: &Document, to: &mut dyn Write) -> io::Result<()> {
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
        let count = document.answers.iter().filter(|a| a.by == By::User).count();
        let others = document.answers.len() - count;
        writeln!(
            to,
            "  answers: {count} of yours, {others} of the other version"
        )?;
        match blame.exact {
            true => writeln!(
                to,
                "  call {}: it is wrong, and what it called is not",
                blame.call
            )?,
            false => writeln!(
                to,
                "  call {}: it is wrong, and all that is suspected in it are calls of this method",
                blame.call
            )?,
        }
        for command in &blame.next {
            writeln!(to, "  {command}")?;
        }
        Ok(())
    }
}
