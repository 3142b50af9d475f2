//! Where a value came from, step by step.

use std::io::{self, Write};

use jinsi_inspect::{How, InspectError, Moment, Origin, Variable};
use serde::Serialize;

use crate::said::{Shown, Writer, place};

/// A step back.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// Right before the instruction that made the value.
    pub at: String,
    /// Method and line.
    pub by: Option<String>,
    /// The call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// How it was made: `constant`, `computed`, `made`, `read`, `called`, `handed` or `initial`.
    pub how: &'static str,
    /// The same in words.
    pub what: String,
    /// What it was made of.
    pub inputs: Vec<Input>,
}

/// A value that went into another.
#[derive(Clone, Debug, Serialize)]
pub struct Input {
    /// Where that was made.
    pub made: String,
    /// What it was.
    #[serde(flatten)]
    pub value: Shown,
}

impl Step {
    /// As text.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn print(&self, to: &mut dyn Write) -> io::Result<()> {
        let by = self.by.as_deref().unwrap_or("-");
        writeln!(to, "{:>12}  {by}  {}", self.at, self.what)?;
        for input in &self.inputs {
            writeln!(to, "{:>14}using {}, from {}", "", input.value, input.made)?;
        }
        Ok(())
    }
}

/// An instruction that computes, as Java writes it, if it does: `+ (dadd)`.
fn operation(opcode: &str) -> String {
    // The first letter is that of the type.
    let written = match opcode.get(1..).unwrap_or_default() {
        "add" | "inc" => "+",
        "sub" | "neg" => "-",
        "mul" => "*",
        "div" => "/",
        "rem" => "%",
        "shl" => "<<",
        "shr" => ">>",
        "ushr" => ">>>",
        "and" => "&",
        "or" => "|",
        "xor" => "^",
        _ => return opcode.to_owned(),
    };
    format!("{written} ({opcode})")
}

/// From an origin back, at most so many steps: with what was read, or with the only value that went in.
///
/// # Errors
/// The trace cannot be read.
pub fn steps(
    writer: &Writer<'_, '_>,
    mut origin: Origin,
    most: usize,
) -> Result<Vec<Step>, InspectError> {
    let mut steps = Vec::new();
    loop {
        steps.push(step(writer, &origin));
        let next = match (&origin.further, origin.inputs.as_slice()) {
            (Some(further), _) => Some(*further),
            (None, [only]) if matches!(origin.how, How::Computed(_)) => Some(only.made),
            _ => None,
        };
        match next.filter(|next| *next != origin.at && steps.len() < most) {
            Some(next) => origin = writer.inspector.origin_of(next)?,
            None => return Ok(steps),
        }
    }
}

jinsi_wording::messages! {
    /// Where a value came from.
    enum Whence<'a> {
        Constant => "a constant",
        Computed { name: String } => "computed by {name}",
        Made => "a new object",
        Read { variable: &'a Variable } => "read from {variable}",
        Written { variable: &'a Variable, at: Moment, by: String } => "read from {variable}, written at {at} by {by}",
        Reported { variable: &'a Variable, at: Moment } => "read from {variable}, which unrecorded code had set by {at}",
        Memory => "read from memory; where is not known",
        Called { by: String } => "returned by {by}",
        Unrecorded => "passed by code that is not recorded",
        Initial => "what it held from the beginning",
    }
}

fn step(writer: &Writer<'_, '_>, origin: &Origin) -> Step {
    let (how, what) = match &origin.how {
        How::Constant => ("constant", Whence::Constant),
        How::Computed(opcode) => (
            "computed",
            Whence::Computed {
                name: operation(opcode),
            },
        ),
        How::Made => ("made", Whence::Made),
        How::Read(Some(variable), None) => ("read", Whence::Read { variable }),
        How::Read(Some(variable), Some(entry)) => {
            let at = entry.after;
            let written = match &entry.by {
                Some(by) => Whence::Written {
                    variable,
                    at,
                    by: place(&by.method, by.line),
                },
                None => Whence::Reported { variable, at },
            };
            ("read", written)
        }
        How::Read(None, _) => ("read", Whence::Memory),
        How::Called(target) => (
            "called",
            Whence::Called {
                by: place(target, 0),
            },
        ),
        How::Handed => ("handed", Whence::Unrecorded),
        How::Initial => ("initial", Whence::Initial),
    };
    let inputs = origin.inputs.iter().map(|input| Input {
        made: input.made.to_string(),
        value: writer.seen_at(&input.value, origin.at),
    });
    Step {
        at: origin.at.to_string(),
        by: origin
            .method
            .as_ref()
            .map(|method| place(method, origin.line)),
        call: origin.activation.map(|call| call.to_string()),
        how,
        what: what.to_string(),
        inputs: inputs.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::operation;

    #[test]
    fn operations_are_written_as_in_java() {
        let all = [
            "iadd",
            "iinc",
            "ddiv",
            "ldiv",
            "fsub",
            "lushr",
            "ixor",
            "instanceof",
        ];
        let written = all.map(operation);
        let expected = [
            "+ (iadd)",
            "+ (iinc)",
            "/ (ddiv)",
            "/ (ldiv)",
            "- (fsub)",
            ">>> (lushr)",
            "^ (ixor)",
            "instanceof",
        ];
        assert_eq!(written, expected);
    }
}
