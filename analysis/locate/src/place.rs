//! Places in the source.

use jinsi_steps::code::Method;
use serde::Serialize;

/// A source line.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// Binary name of the class.
    pub class: String,
    /// Line, from 1.
    pub line: u16,
}

/// Where the code of a method comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Binary name of the class.
    pub class: String,
    /// Name of the method.
    pub method: String,
    /// Descriptor of the method.
    pub desc: String,
    /// Source file, if known.
    pub file: Option<String>,
}

impl Source {
    /// Of a method.
    pub fn of(method: &Method) -> Self {
        Self {
            class: method.owner.replace('/', "."),
            method: method.name.clone(),
            desc: method.desc.clone(),
            file: method.file.clone(),
        }
    }
}
