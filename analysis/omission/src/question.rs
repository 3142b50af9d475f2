//! What is asked.

use std::str::FromStr;

use jinsi_trace::model::ObjectId;

/// What was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Anything with an object.
    Object(ObjectId),
    /// A write of a field: of a class, by its dotted name or that without its package; or of this object.
    Field {
        /// The class; `None`: that of the object.
        class: Option<String>,
        /// Its simple name.
        name: String,
        /// The object; `None`: any.
        object: Option<ObjectId>,
    },
    /// A call of a method.
    Call {
        /// The class, by its dotted name or that without its package.
        class: String,
        /// Its simple name.
        name: String,
    },
    /// That a line ran.
    Line {
        /// The class, or its source file.
        class: String,
        /// From 1.
        line: u16,
    },
    /// That a text was printed.
    Output(String),
    /// That the run did not fail.
    Failure,
}

/// A text that is no [`Question`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no question; ask #17, #17.FIELD, CLASS.FIELD, CLASS.METHOD(), CLASS:LINE, \"TEXT\" or failure"
)]
pub struct BadQuestion(pub String);

/// As it is typed: `#17`, `#17.size`, `Bar.total`, `Bar.close()`, `Bar:42` or `Bar.java:42`, `"Total: "`, `failure`.
impl FromStr for Question {
    type Err = BadQuestion;

    fn from_str(text: &str) -> Result<Self, BadQuestion> {
        let none = || BadQuestion(text.to_owned());
        let member = |text: &str| {
            let (class, name) = text.rsplit_once('.')?;
            let both = (class.to_owned(), name.to_owned());
            (!class.is_empty() && !name.is_empty()).then_some(both)
        };
        if text == "failure" {
            return Ok(Self::Failure);
        }
        if let Some(printed) = text.strip_prefix('"') {
            let printed = printed.strip_suffix('"').unwrap_or(printed);
            return Ok(Self::Output(printed.to_owned()));
        }
        if let Some(object) = text.strip_prefix('#') {
            let (id, name) = object.split_once('.').unwrap_or((object, ""));
            let id = id.parse().map_err(|_| none())?;
            return Ok(match name {
                "" => Self::Object(id),
                name => Self::Field {
                    class: None,
                    name: name.to_owned(),
                    object: Some(id),
                },
            });
        }
        if let Some((class, line)) = text.rsplit_once(':') {
            let line = line.parse().map_err(|_| none())?;
            let class = class.to_owned();
            return Ok(Self::Line { class, line });
        }
        if let Some(called) = text.strip_suffix("()") {
            let (class, name) = member(called).ok_or_else(none)?;
            return Ok(Self::Call { class, name });
        }
        let (class, name) = member(text).ok_or_else(none)?;
        Ok(Self::Field {
            class: Some(class),
            name,
            object: None,
        })
    }
}

/// What is asked about, in words.
pub fn words(question: &Question) -> String {
    match question {
        Question::Object(id) => format!("work on #{id}"),
        Question::Field {
            class,
            name,
            object,
        } => match (class, object) {
            (_, Some(id)) => format!("write #{id}.{name}"),
            (Some(class), None) => format!("write {class}.{name}"),
            (None, None) => format!("write {name}"),
        },
        Question::Call { class, name } => format!("call {class}.{name}"),
        Question::Line { class, line } => format!("come to {class}:{line}"),
        Question::Output(text) => format!("use a text like {text:?}"),
        Question::Failure => "keep the run from failing".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_read() {
        let said = |text: &str| text.parse::<Question>().map(|question| words(&question));
        let ok = |text: &str| Ok::<_, BadQuestion>(text.to_owned());
        assert_eq!(said("#17"), ok("work on #17"));
        assert_eq!(said("#17.size"), ok("write #17.size"));
        assert_eq!(said("a.Bar.total"), ok("write a.Bar.total"));
        assert_eq!(said("a.Bar.close()"), ok("call a.Bar.close"));
        assert_eq!(said("Bar.java:42"), ok("come to Bar.java:42"));
        assert_eq!(said("\"Total: \""), ok("use a text like \"Total: \""));
        assert_eq!(said("failure"), ok("keep the run from failing"));
        for bad in ["", "#x", "total", "close()", ".x", "Bar:x", "()"] {
            assert!(said(bad).is_err(), "{bad}");
        }
    }
}
