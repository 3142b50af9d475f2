//! What a call printed, as text.

use std::fmt::Write;

use jinsi_inspect::{InspectError, Inspector, Printed};
use jinsi_trace::model::{EventId, Prim, ThreadNo, Value};

/// Prints that are looked through.
const PRINTS: usize = 100_000;

/// What a run printed, as far as somebody asked.
#[derive(Debug, Default)]
pub(crate) struct Prints(Option<(ThreadNo, Vec<Printed>)>);

impl Prints {
    /// What a call printed, if that is known.
    pub(crate) fn within(
        &mut self,
        inspector: &Inspector<'_>,
        call: EventId,
    ) -> Result<Option<String>, InspectError> {
        let known = self.0.take().filter(|(thread, _)| *thread == call.thread);
        let (_, all) = match known {
            Some(known) => self.0.insert(known),
            None => {
                let all = inspector.output(call.thread, PRINTS)?;
                self.0.insert((call.thread, all))
            }
        };
        let end = inspector.activation(call)?.end;
        let end = end.map_or(u64::MAX, |end| end.event.index);
        let within = call.index..=end;
        Ok(text(all.iter().filter(|p| within.contains(&p.event.index))))
    }
}

/// The text; nothing if some of it is not known.
fn text<'a>(all: impl Iterator<Item = &'a Printed>) -> Option<String> {
    let mut text = String::new();
    for printed in all {
        match (printed.method.as_str(), printed.arguments.as_slice()) {
            ("print" | "println", []) => {}
            ("print" | "println", [value]) => add(&mut text, value)?,
            _ => return None,
        }
        if printed.method == "println" {
            text.push('\n');
        }
    }
    Some(text)
}

fn add(text: &mut String, value: &Value) -> Option<()> {
    let written = match value {
        Value::Null => write!(text, "null"),
        Value::Str(string) => write!(text, "{string}"),
        Value::Prim(prim) | Value::Boxed(prim) => match prim {
            Prim::Boolean(b) => write!(text, "{b}"),
            Prim::Byte(n) => write!(text, "{n}"),
            Prim::Short(n) => write!(text, "{n}"),
            Prim::Int(n) => write!(text, "{n}"),
            Prim::Long(n) => write!(text, "{n}"),
            Prim::Char(c) => write!(text, "{}", String::from_utf16_lossy(&[*c])),
            // Java writes them otherwise.
            Prim::Float(_) | Prim::Double(_) => return None,
        },
        Value::Class(_) | Value::Object(_) => return None,
    };
    written.ok()
}
