//! Names that are not in a trace: the error, with the nearest one that is.

use anyhow::Error;
use jinsi_answers::NoSuch;
use jinsi_console::nearest::{Names, nearest};
use jinsi_inspect::{InspectError, Inspector, Line};
use jinsi_locate::look::LookError;
use jinsi_omission::{OmissionError, Question};
use jinsi_slice::SliceError;
use jinsi_slice::criterion::NoSuchPlace;
use jinsi_trace::reader::Trace;

use super::advice::{self, Step};
use super::messages::Way;

/// The error; if it is that a name is not in the trace, with the nearest name.
pub(crate) fn advised(error: Error, trace: &Trace) -> Error {
    let near = error.chain().find_map(|cause| {
        let slice = cause
            .downcast_ref()
            .or_else(|| match cause.downcast_ref()? {
                LookError::Slice(slice) => Some(slice),
                _ => None,
            });
        if let Some(SliceError::Place(place)) = slice {
            return near_place(place, trace);
        }
        if let Some(OmissionError::Nowhere(question)) = cause.downcast_ref() {
            return near_question(question, trace);
        }
        if let Some(NoSuch::NeverWritten { class, name }) = cause.downcast_ref() {
            return near_field(&format!("{class}.{name}"), trace);
        }
        match cause.downcast_ref() {
            Some(InspectError::NoCode(line)) => {
                let line: Line = line.parse().ok()?;
                Names::of(trace).line(&line.class, line.line)
            }
            _ => None,
        }
    });
    match near {
        Some(near) => advice::error(advice::text(&error), vec![Step::new(Way::Nearest, near)]),
        None => error,
    }
}

fn near_place(place: &NoSuchPlace, trace: &Trace) -> Option<String> {
    match place {
        NoSuchPlace::Class(class) => Names::of(trace).class(class),
        NoSuchPlace::Line { class, line } => Names::of(trace).line(class, *line),
        NoSuchPlace::Variable { .. } => None,
    }
}

fn near_question(question: &Question, trace: &Trace) -> Option<String> {
    match question {
        Question::Call { class, name } => Names::of(trace).method(&format!("{class}.{name}")),
        Question::Line { class, line } => Names::of(trace).line(class, *line),
        Question::Field {
            class: Some(class),
            name,
            ..
        } => near_field(&format!("{class}.{name}"), trace),
        _ => None,
    }
}

/// Fields are not only those that were written while it was recorded.
fn near_field(typed: &str, trace: &Trace) -> Option<String> {
    let inspector = Inspector::new(trace).ok()?;
    let of_class = |class: &str| {
        let fields = inspector.fields_of(class).into_iter();
        let dotted = class.replace('/', ".");
        let named = fields.map(|field| format!("{dotted}.{}", field.name));
        named.collect::<Vec<String>>()
    };
    let classes = trace.classes().iter();
    let all: Vec<String> = classes.flat_map(|class| of_class(&class.name)).collect();
    nearest(typed, all.iter().map(String::as_str))
}
