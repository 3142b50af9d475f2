//! Objects and what they hold, whoever had them.

use std::sync::Arc;

use jinsi_trace::model::Prim;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Val {
    Null,
    /// An object by its number.
    Object(usize),
    Text(Arc<[u16]>),
    Prim(Prim),
    Boxed(Prim),
    /// The object of a class, as `Class.getName` has it.
    Class(String),
    /// It is not known: why.
    Unknown(String),
}

/// What an object holds.
#[derive(Clone, Debug)]
pub(crate) enum Parts {
    /// Class that declares it, name, value.
    Fields(Vec<(String, String, Val)>),
    Elements(Vec<Val>),
    /// What it is in text says all of it.
    Text(Arc<[u16]>),
    /// It is what this static field holds when its class was initialized: class, name.
    Home(String, String),
    Opaque,
}

/// An object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    /// As `Class.getName` has it.
    pub(crate) class: String,
    pub(crate) parts: Parts,
}

/// Objects by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) objects: Vec<Object>,
}

/// How a call ended.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// With this value; nothing if it gives none.
    Returned(Option<Val>),
    /// With an exception: class, message.
    Threw(String, Option<String>),
    Unknown,
}

/// A static field: class, name, value.
pub(crate) type Static = (String, String, Val);

/// What came of a call.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) end: End,
    /// Receiver and arguments with their names.
    pub(crate) given: Vec<(String, Val)>,
    /// Static fields.
    pub(crate) statics: Vec<Static>,
    pub(crate) printed: Option<String>,
    pub(crate) graph: Graph,
}
