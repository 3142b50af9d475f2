//! `jinsi why-not`: what could have been done, and was not, and which branch kept it from happening.

use anyhow::{Result, ensure};
use jinsi_analysis::pipeline::{Run, Turning, Verified};
use jinsi_inspect::{BadLine, Line};
use jinsi_omission::{Code, Finder, Found, Options, Question, Suggestion, suggestions, words};
use jinsi_omission_answers::{Distances, Document, Flip, Hands, Looking, Shower, print};
use jinsi_trace::model::ObjectId;

use super::advice;
use super::bad_value::{BadValue, number};
use super::minimize::patterns;
use super::mistyped;
use super::output::Output;
use super::past::{Opened, Past, file};
use super::progress::Spinner;
use crate::cli::messages::{NoAnswer, Usage};

/// So many suggestions are tried.
const MOST: usize = 20;

const EXAMPLES: &str = "\
Examples:
  jinsi why-not run.jinsi --object 17                  what could have been done to this object, and was not
  jinsi why-not run.jinsi --object 17 --reads          also what would only have read it
  jinsi why-not run.jinsi --field com.foo.Bar.total    why was the field not written
  jinsi why-not run.jinsi --call Bar.close             why was the method not called
  jinsi why-not run.jinsi --line Bar.java:42           why did the line not run
  jinsi why-not run.jinsi --output 'Total: '           why was that text not printed
  jinsi why-not run.jinsi --failure                    which decisions might have kept the run from failing

Each answer is an instruction that ran and went another way than to what was missed, with what it compared then and where that came from.
'jinsi at FILE MOMENT' looks around there, 'jinsi origin FILE @MOMENT' goes on backward. A conditional jump is also turned, in a sandbox:
what comes of that is evidence, not proof, for the program may never have got into that state.";

/// Arguments of `why-not`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    past: Past,
    #[command(flatten)]
    missed: Missed,
    /// Calls between the instruction and what was missed, at most
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    calls: usize,
    /// Also what only reads the object
    #[arg(long)]
    reads: bool,
    /// Of a failure: also what does not speak for itself, as decisions after which it fails all the same
    #[arg(long, requires = "failure")]
    all: bool,
    /// Operations that are not missed: wildcards over dotted CLASS.METHOD, joined by ':'
    #[arg(long, value_name = "PATTERNS", default_value = "")]
    hide: String,
    /// Run nothing: do not try what would have come of it
    #[arg(long)]
    no_flip: bool,
    /// Show so many answers
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    limit: usize,
}

/// What was missed.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Missed {
    /// Anything with this object, by its number
    #[arg(long, value_name = "N", value_parser = number::<ObjectId>)]
    object: Option<ObjectId>,
    /// A write of a field: CLASS.FIELD, or '#N.FIELD' of an object
    #[arg(long, value_name = "FIELD", value_parser = field)]
    field: Option<Question>,
    /// A call of a method: CLASS.METHOD
    #[arg(long, value_name = "METHOD", value_parser = method)]
    call: Option<Question>,
    /// That a line ran: CLASS:LINE or FILE:LINE
    #[arg(long, value_name = "LINE", value_parser = line)]
    line: Option<Question>,
    /// That a text was printed: it, or a part that stands in the code
    #[arg(long, value_name = "TEXT")]
    output: Option<String>,
    /// That the run did not fail
    #[arg(long)]
    failure: bool,
}

impl Missed {
    fn question(&self) -> Option<Question> {
        let object = self.object.map(Question::Object);
        let named = self.field.as_ref().or(self.call.as_ref());
        let named = named.or(self.line.as_ref()).cloned();
        let output = self.output.clone().map(Question::Output);
        let failure = self.failure.then_some(Question::Failure);
        object.or(named).or(output).or(failure)
    }
}

fn field(text: &str) -> Result<Question, BadValue> {
    let (owner, name) = text.rsplit_once('.').ok_or(BadValue::Field)?;
    let (class, object) = match owner.strip_prefix('#') {
        Some(id) => {
            let id = id.parse().map_err(|_| BadValue::Field)?;
            (None, Some(id))
        }
        None => (Some(owner.to_owned()), None),
    };
    Ok(Question::Field {
        class,
        name: name.to_owned(),
        object,
    })
}

fn method(text: &str) -> Result<Question, BadValue> {
    match text.rsplit_once('.') {
        Some((class, name)) if !class.is_empty() && !name.is_empty() => Ok(Question::Call {
            class: class.to_owned(),
            name: name.to_owned(),
        }),
        _ => Err(BadValue::Method),
    }
}

fn line(text: &str) -> Result<Question, BadLine> {
    let line: Line = text.parse()?;
    Ok(Question::Line {
        class: line.class,
        line: line.line,
    })
}

impl Args {
    fn options(&self) -> Options {
        Options {
            calls: self.calls,
            reads: self.reads,
            ..Options::default()
        }
    }
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let Some(question) = args.missed.question() else {
        return Err(advice::usage(Usage::WhyNot));
    };
    let opened = args.past.open_to_run()?;
    let trace = &opened.trace;
    let spinner = Spinner::new("going over what ran");
    let code = Code::of(trace);
    let finder = Finder::new(&code)?;
    let options = args.options();
    let found = finder.ask(&question, &options);
    let mut found = found.map_err(|error| mistyped::advised(error.into(), trace))?;
    drop(spinner);
    let hidden = patterns(&args.hide);
    found.hide(&code, |name| {
        hidden.iter().any(|pattern| pattern.matches_internal(name)) || is_of_replay(name)
    });
    let inspector = opened.inspector()?;
    let near = match found.of_failure {
        true => Distances::default(),
        false => Distances::in_trace(trace),
    };
    let hands = Hands::new(&inspector, &code, &question);
    let ranked = suggestions(
        &found,
        |place| near.of(&code, place),
        |omission| hands.of(omission),
    );
    let verified = verified(args, &opened, &finder, &found, &question, ranked);
    let shower = Shower::new(&inspector, &code, &found, &question);
    let ranked = &verified.ranked;
    let shown = ranked.iter().take(args.limit);
    let looking = Looking {
        finder: &finder,
        inspector: &inspector,
        options: &options,
    };
    let first = ranked.first().map(|(first, _)| first);
    let document = Document {
        trace: file(&args.past).to_owned(),
        question: words(&question),
        uses: shower.uses(finder.gathered()),
        chains: shower.chains(),
        chains_cut: found.chains_cut,
        suggestions: shown
            .map(|(suggestion, flip)| shower.suggested(suggestion, flip.clone()))
            .collect::<Result<_, _>>()?,
        behind: looking.behind(first, &question)?,
        more: ranked.len().saturating_sub(args.limit),
        reads_hidden: found.hidden,
        others_hidden: verified.hidden,
        not_flipped: verified.note,
        unknown_activations: found.lost,
    };
    let any = !document.suggestions.is_empty();
    out.result(&document, |to| print(&document, to))?;
    Ok(any)
}

/// The suggestions, their jumps turned unless that is not wanted.
fn verified(
    args: &Args,
    opened: &Opened,
    finder: &Finder<'_, '_>,
    found: &Found,
    question: &Question,
    ranked: Vec<Suggestion>,
) -> Verified {
    if args.no_flip {
        let why = NoAnswer::NoFlip.to_string();
        return Verified::untried(ranked, Some(why));
    }
    let _spinner = Spinner::new("turning jumps");
    let flips = || -> Result<Vec<Option<Flip>>> {
        let of_rewritten = opened.trace.meta().is_of_rewritten_code();
        ensure!(
            opened.is_replay() || !of_rewritten,
            NoAnswer::Replayed.to_string()
        );
        let turning = Turning::of(finder.code(), found, &ranked, MOST)?;
        if turning.is_empty() {
            return Ok(Vec::new());
        }
        let run = Run::open(file(&args.past))?;
        let prepared = args.past.replay().prepare(None)?;
        Ok(turning.turn_all(&run, &prepared.config, question, opened.steps())?)
    };
    match flips() {
        Ok(flips) => Verified::of(found, ranked, flips, args.all),
        Err(why) => Verified::untried(ranked, Some(format!("{why:#}"))),
    }
}

/// Is it a method of what replays, which the program does not have?
fn is_of_replay(internal: &str) -> bool {
    internal.starts_with("jinsi/replay/")
}
