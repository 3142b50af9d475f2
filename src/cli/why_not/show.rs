//! Omissions as people read them.

use std::io::{self, Write};

use anyhow::Result;
use jinsi_doors::origin::steps;
use jinsi_doors::{Shown, Writer, place};
use jinsi_inspect::{How, Inspector, Moment};
use jinsi_omission::gather::Gathered;
use jinsi_omission::jumps::Kind;
use jinsi_omission::{Code, Found, MethodNo, Place, Question, Suggestion};
use jinsi_trace::model::{EventId, MemberRef};
use serde::Serialize;

use super::Document;
use super::behind::Behind;
use super::verify::Flip;

/// Omitted operations that are shown of one instruction.
const OMITTED: usize = 8;
/// Steps back to where a compared value came from.
const STEPS: usize = 3;

/// An instruction that does what is asked about.
#[derive(Serialize)]
pub(super) struct Used {
    /// As the source has it, with the object in the place of the variable.
    text: String,
    /// Class, method and line.
    place: String,
    /// May it change the object?
    writes: bool,
    /// Did it run anywhere?
    ran: bool,
}

/// An instruction that went another way.
#[derive(Serialize)]
pub(super) struct Suggested {
    /// `jump`, `cut`, `dispatch` or `round`.
    kind: &'static str,
    /// Class, method and line.
    place: String,
    method: String,
    descriptor: String,
    file: Option<String>,
    line: u16,
    bci: u32,
    /// What would have had to hold; absent if it is no jump.
    #[serde(skip_serializing_if = "Option::is_none")]
    needed: Option<String>,
    /// What it compared, the last time.
    values: Vec<Compared>,
    /// In how many activations it went so.
    activations: usize,
    /// The last of them.
    call: Option<String>,
    /// Right before it ran in that one, the last time.
    at: Option<String>,
    /// What it kept from running, the nearest first.
    omitted: Vec<Omitted>,
    /// How much more it kept from running.
    more: usize,
    /// What came of turning it.
    #[serde(skip_serializing_if = "Option::is_none")]
    flip: Option<Flip>,
}

impl Suggested {
    /// With no more than the nearest of all that stands below it.
    pub(super) fn in_short(mut self) -> Self {
        let left_out = self.omitted.len().saturating_sub(1);
        self.more += left_out;
        self.omitted.truncate(1);
        for value in &mut self.values {
            value.from.truncate(1);
        }
        self
    }
}

/// A value that was compared.
#[derive(Serialize)]
pub(super) struct Compared {
    expression: String,
    #[serde(flatten)]
    value: Shown,
    /// Where it came from, step by step.
    from: Vec<String>,
}

/// Something that did not run.
#[derive(Serialize)]
pub(super) struct Omitted {
    text: String,
    place: String,
    /// Calls on the way.
    calls: usize,
    /// The methods on the way, that of the jump first.
    chain: Vec<String>,
    writes: bool,
    /// It ran nowhere.
    never: bool,
}

pub(super) struct Shower<'a, 't> {
    inspector: &'a Inspector<'t>,
    writer: Writer<'a, 't>,
    code: &'a Code<'t>,
    found: &'a Found,
    /// The object that is asked about.
    object: Option<String>,
}

impl<'a, 't> Shower<'a, 't> {
    pub(super) fn new(
        inspector: &'a Inspector<'t>,
        code: &'a Code<'t>,
        found: &'a Found,
        question: &Question,
    ) -> Self {
        let object = match question {
            Question::Object(id) => Some(*id),
            Question::Field { object, .. } => *object,
            _ => None,
        };
        Self {
            writer: Writer::new(inspector),
            inspector,
            code,
            found,
            object: object.map(|id| format!("#{id}")),
        }
    }

    pub(super) fn uses(&self, gathered: &Gathered) -> Vec<Used> {
        let used = |target: &jinsi_omission::Target| Used {
            text: self.text(target.place, target.operand),
            place: self.place(target.place),
            writes: target.writes,
            ran: gathered.has_run(target.place),
        };
        self.found.targets.iter().map(used).collect()
    }

    pub(super) fn chains(&self) -> Vec<Vec<String>> {
        let chains = self.found.chains.iter();
        chains.map(|chain| self.chain(chain)).collect()
    }

    fn chain(&self, chain: &[MethodNo]) -> Vec<String> {
        chain.iter().map(|no| self.code.short_name(*no)).collect()
    }

    fn text(&self, at: Place, operand: Option<usize>) -> String {
        let named = operand.zip(self.object.as_deref());
        self.code.text(at, named)
    }

    fn member(&self, no: MethodNo) -> MemberRef {
        let method = self.code.method(no);
        MemberRef {
            owner: method.owner.as_str().into(),
            name: method.name.as_str().into(),
            desc: method.desc.as_str().into(),
        }
    }

    pub(super) fn place(&self, at: Place) -> String {
        let line = self.code.instruction(at).map_or(0, |i| i.line);
        place(&self.member(at.method), line)
    }

    pub(super) fn suggested(
        &self,
        suggestion: &Suggestion,
        flip: Option<Flip>,
    ) -> Result<Suggested> {
        let jump = suggestion.jump;
        let instruction = self.code.instruction(jump);
        let (line, bci) = instruction.map_or((0, 0), |i| (i.line, i.bci));
        let last = suggestion.activations.last().copied();
        let at = last.map(|last| self.last_time(last, bci)).transpose()?;
        let at = at.flatten();
        let omitted = suggestion.omitted.iter().take(OMITTED);
        let method = self.member(jump.method);
        Ok(Suggested {
            kind: suggestion.kind.name(),
            place: self.place(jump),
            method: place(&method, 0),
            descriptor: method.desc.to_string(),
            file: self.code.method(jump.method).file.clone(),
            line,
            bci,
            needed: self.code.needed(jump, suggestion.other_way),
            values: at.map_or(Ok(Vec::new()), |at| self.compared(suggestion, at))?,
            activations: suggestion.activations.len(),
            call: last.map(|last| last.to_string()),
            at: at.map(|at| at.to_string()),
            omitted: omitted.map(|no| self.omitted(*no)).collect(),
            more: suggestion.omitted.len().saturating_sub(OMITTED),
            flip,
        })
    }

    fn last_time(&self, activation: EventId, bci: u32) -> Result<Option<Moment>> {
        let mut times = self.inspector.times_of(activation, bci, 1)?;
        Ok(times.pop())
    }

    /// What the instruction compared, or on what it called.
    fn compared(&self, suggestion: &Suggestion, at: Moment) -> Result<Vec<Compared>> {
        if suggestion.kind == Kind::Cut {
            return Ok(Vec::new());
        }
        let origin = self.inspector.origin_of(at)?;
        let count = match suggestion.kind {
            Kind::Dispatch => 1,
            _ => origin.inputs.len(),
        };
        let inputs = origin.inputs.iter().take(count).enumerate();
        inputs
            .map(|(no, input)| {
                let origin = self.inspector.origin_of(input.made)?;
                let mut value = self.writer.seen(&input.value);
                // What nothing told there is what was written.
                if let (None, How::Read(_, Some(entry))) = (&value.value, &origin.how) {
                    value = self.writer.seen(&entry.value);
                }
                let from = steps(&self.writer, origin, STEPS)?.into_iter();
                Ok(Compared {
                    expression: self.code.expression(suggestion.jump, no),
                    value,
                    from: from
                        .map(|step| match step.by {
                            Some(by) => format!("{}: {} in {by}", step.at, step.what),
                            None => format!("{}: {}", step.at, step.what),
                        })
                        .collect(),
                })
            })
            .collect()
    }

    fn omitted(&self, no: usize) -> Omitted {
        let omission = &self.found.omissions[no];
        let target = &self.found.targets[omission.target];
        Omitted {
            text: self.text(target.place, target.operand),
            place: self.place(target.place),
            calls: omission.calls(),
            chain: self.chain(&omission.chain),
            writes: target.writes,
            never: omission.never,
        }
    }
}

pub(super) fn print(document: &Document, to: &mut dyn Write) -> io::Result<()> {
    for (no, suggested) in (1..).zip(&document.suggestions) {
        print_one(no, suggested, to)?;
        writeln!(to)?;
        if no == 1 {
            print_behind(&document.behind, to)?;
        }
    }
    let all = document.suggestions.len() + document.more;
    let ran = document.uses.iter().filter(|used| used.ran).count();
    match all {
        0 => writeln!(
            to,
            "nothing that ran kept the program from it: {} instructions {}, {ran} of them ran",
            document.uses.len(),
            document.question
        )?,
        _ => writeln!(
            to,
            "{all} places kept the program from it; {} instructions {}, {ran} of them ran",
            document.uses.len(),
            document.question
        )?,
    }
    if document.more > 0 {
        writeln!(to, "--limit {all} shows all")?;
    }
    if document.reads_hidden > 0 {
        writeln!(
            to,
            "{} more would only have read it: --reads",
            document.reads_hidden
        )?;
    }
    if document.unknown_activations > 0 {
        let count = document.unknown_activations;
        writeln!(to, "of {count} calls it is not known what ran in them")?;
    }
    Ok(())
}

/// What is behind the first answer, further in.
fn print_behind(behind: &[Behind], to: &mut dyn Write) -> io::Result<()> {
    for behind in behind {
        writeln!(to, "   behind it: {} in {}", behind.read, behind.place)?;
        for (no, suggested) in (1..).zip(&behind.suggestions) {
            let mut text = Vec::new();
            print_one(no, suggested, &mut text)?;
            for line in String::from_utf8_lossy(&text).lines() {
                writeln!(to, "      {line}")?;
            }
        }
        writeln!(to)?;
    }
    Ok(())
}

fn print_one(no: usize, suggested: &Suggested, to: &mut dyn Write) -> io::Result<()> {
    let what = match suggested.kind {
        "cut" => "an exception came, or the end".to_owned(),
        "dispatch" => "another method was called".to_owned(),
        "round" => "the loop had no further round".to_owned(),
        _ => String::new(),
    };
    let needed = suggested.needed.as_deref();
    let needed = needed.map(|needed| format!("not so: {needed}"));
    let words: Vec<String> = [Some(what).filter(|what| !what.is_empty()), needed]
        .into_iter()
        .flatten()
        .collect();
    let times = match suggested.activations {
        1 => String::new(),
        many => format!(" (in {many} calls)"),
    };
    writeln!(to, "{no}. {}  {}{times}", suggested.place, words.join("; "))?;
    for compared in &suggested.values {
        writeln!(to, "     {} was {}", compared.expression, compared.value)?;
        for from in &compared.from {
            writeln!(to, "         {from}")?;
        }
    }
    for omitted in &suggested.omitted {
        let calls = match omitted.calls {
            0 => String::new(),
            1 => format!(", by {}", omitted.chain.join(" -> ")),
            many => format!(", {many} calls on: {}", omitted.chain.join(" -> ")),
        };
        let again = if omitted.never {
            ""
        } else {
            " (it ran elsewhere)"
        };
        writeln!(
            to,
            "   - {} in {}{calls}{again}",
            omitted.text, omitted.place
        )?;
    }
    if suggested.more > 0 {
        writeln!(to, "   - and {} more", suggested.more)?;
    }
    if let Some(flip) = &suggested.flip {
        writeln!(to, "   turned: {}", flip.words())?;
    }
    match &suggested.at {
        Some(at) => writeln!(to, "   at {at}"),
        None => Ok(()),
    }
}
