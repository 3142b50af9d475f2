//! What is asked.

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
    }
}
