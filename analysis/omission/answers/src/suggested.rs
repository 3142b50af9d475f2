//! Omissions with what was compared, and where that came from.

use jinsi_answers::origin::steps;
use jinsi_answers::{Shown, Writer, place};
use jinsi_inspect::{How, Inspector, Moment};
use jinsi_omission::gather::Gathered;
use jinsi_omission::jumps::Kind;
use jinsi_omission::{Code, Found, MethodNo, Place, Question, Suggestion};
use jinsi_trace::model::{EventId, MemberRef};
use serde::Serialize;

use crate::error::Result;
use crate::flip::Flip;

/// Omitted operations that are shown of one instruction.
const OMITTED: usize = 8;
/// Steps back to where a compared value came from.
const STEPS: usize = 3;

/// An instruction that does what is asked about.
#[derive(Serialize)]
pub struct Used {
    /// As the source has it, with the object in the place of the variable.
    pub(crate) text: String,
    /// Class, method and line.
    pub(crate) place: String,
    /// May it change the object?
    pub(crate) writes: bool,
    /// Did it run anywhere?
    pub(crate) ran: bool,
}

/// An instruction that went another way.
#[derive(Serialize)]
pub struct Suggested {
    /// `jump`, `cut`, `dispatch` or `round`.
    pub(crate) kind: &'static str,
    /// Class, method and line.
    pub(crate) place: String,
    pub(crate) method: String,
    pub(crate) descriptor: String,
    pub(crate) file: Option<String>,
    pub(crate) line: u16,
    pub(crate) bci: u32,
    /// What would have had to hold; absent if it is no jump.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) needed: Option<String>,
    /// What it compared, the last time.
    pub(crate) values: Vec<Compared>,
    /// In how many activations it went so.
    pub(crate) activations: usize,
    /// The last of them.
    pub(crate) call: Option<String>,
    /// Right before it ran in that one, the last time.
    pub(crate) at: Option<String>,
    /// Of a failure: how many dependences it is away from that, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) distance: Option<u32>,
    /// Of a failure: how far from the innermost one the activation is that the exception left there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) frame: Option<usize>,
    /// What it kept from running, the nearest first.
    pub(crate) omitted: Vec<Omitted>,
    /// How much more it kept from running.
    pub(crate) more: usize,
    /// What came of turning it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) flip: Option<Flip>,
}

impl Suggested {
    /// With no more than the nearest of all that stands below it.
    pub fn in_short(mut self) -> Self {
        let left_out = self.omitted.len().saturating_sub(1);
        self.more += left_out;
        self.omitted.truncate(1);
        for value in &mut self.values {
            value.from.truncate(1);
        }
        self
    }
}

/// A `boolean` that the JVM has as an `int`.
fn boolean(value: &str) -> Option<&'static str> {
    match value {
        "0" => Some("false"),
        "1" => Some("true"),
        _ => None,
    }
}

/// A value that was compared.
#[derive(Serialize)]
pub(crate) struct Compared {
    pub(crate) expression: String,
    #[serde(flatten)]
    pub(crate) value: Shown,
    /// Where it came from, step by step.
    pub(crate) from: Vec<String>,
}

/// Something that did not run.
#[derive(Serialize)]
pub(crate) struct Omitted {
    pub(crate) text: String,
    /// What is called, as `--hide` has it; absent if it is no call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) operation: Option<String>,
    pub(crate) place: String,
    /// Calls on the way.
    pub(crate) calls: usize,
    /// The methods on the way, that of the jump first.
    pub(crate) chain: Vec<String>,
    pub(crate) writes: bool,
    /// It ran nowhere.
    pub(crate) never: bool,
}

/// Writes what was found.
pub struct Shower<'a, 't> {
    pub(crate) inspector: &'a Inspector<'t>,
    pub(crate) writer: Writer<'a, 't>,
    pub(crate) code: &'a Code<'t>,
    pub(crate) found: &'a Found,
    /// The object that is asked about.
    object: Option<String>,
}

impl<'a, 't> Shower<'a, 't> {
    /// For what was found of a question.
    pub fn new(
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

    /// The instructions that do what is asked about.
    pub fn uses(&self, gathered: &Gathered) -> Vec<Used> {
        let used = |target: &jinsi_omission::Target| Used {
            text: self.text(target.place, target.operand),
            place: self.place(target.place),
            writes: target.writes,
            ran: gathered.has_run(target.place),
        };
        self.found.targets.iter().map(used).collect()
    }

    /// The chains of calls to them.
    pub fn chains(&self) -> Vec<Vec<String>> {
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

    /// Class, method and line of an instruction.
    pub fn place(&self, at: Place) -> String {
        let line = self.code.instruction(at).map_or(0, |i| i.line);
        place(&self.member(at.method), line)
    }

    /// An instruction that went another way, with what came of turning it.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn suggested(&self, suggestion: &Suggestion, flip: Option<Flip>) -> Result<Suggested> {
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
            distance: self.found.near.get(&jump).copied(),
            frame: self
                .found
                .frames
                .get(&jump)
                .copied()
                .filter(|_| suggestion.kind == Kind::Cut),
            omitted: omitted.map(|no| self.omitted(*no)).collect(),
            more: suggestion.omitted.len().saturating_sub(OMITTED),
            flip,
        })
    }

    pub(crate) fn last_time(&self, activation: EventId, bci: u32) -> Result<Option<Moment>> {
        let mut times = self.inspector.times_of(activation, bci, 1)?;
        Ok(times.pop())
    }

    /// The activations in which it went so, the last ones, each with the moment right before it ran there the last time.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn times(&self, suggestion: &Suggestion, most: usize) -> Result<Vec<(EventId, Moment)>> {
        let bci = self.code.instruction(suggestion.jump).map_or(0, |i| i.bci);
        let last = suggestion.activations.iter().rev().take(most);
        let times = last.map(|one| Ok(self.last_time(*one, bci)?.map(|at| (*one, at))));
        times.filter_map(Result::transpose).collect()
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
                let mut value = self.writer.seen_at(&input.value, at);
                // What nothing reported there is what was written.
                if let (None, How::Read(_, Some(entry))) = (&value.value, &origin.how) {
                    value = self.writer.seen_at(&entry.value, at);
                }
                if self.code.is_boolean(suggestion.jump, no) {
                    value.text = value.value.as_deref().and_then(boolean).map(str::to_owned);
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
        let instruction = self.code.instruction(target.place);
        let called = instruction.and_then(|i| i.target.as_deref());
        Omitted {
            text: self.text(target.place, target.operand),
            operation: called.map(|called| place(called, 0)),
            place: self.place(target.place),
            calls: omission.calls(),
            chain: self.chain(&omission.chain),
            writes: target.writes,
            never: omission.never,
        }
    }
}
