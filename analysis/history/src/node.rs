//! The nodes of a history: activations, calls and accesses.

use jinsi_trace::model::{ClassNo, ObjectId, SiteNo, Value};

use super::moment::Moment;

jinsi_trace::number! {
    /// Index of a node in a history.
    pub struct NodeNo;
}

/// How a call or access ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Returned, with the value if it has one. For a constructor the new object; for reads the value read; for writes `None`.
    Return(Option<Value>),
    /// Ended by an exception.
    Throw(ObjectId),
    /// The recording ended before it did.
    Open,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A run of an observed method or constructor. If the call that led to it was recorded, this is one node with it.
    Activation,
    /// A call whose callee was not recorded.
    Call,
    /// Instance field read.
    GetField,
    /// Instance field write.
    PutField,
    /// Static field read.
    GetStatic,
    /// Static field write.
    PutStatic,
    /// Array element read.
    ArrayLoad,
    /// Array element write.
    ArrayStore,
}

/// How a node ended, values by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Open,
    Void,
    Value(u32),
    Throw(ObjectId),
}

/// One activation, call or access.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its site: of an activation the `Enter` site, else the call or access site.
    pub site: SiteNo,
    /// Of an activation: the call site that led to it directly; `None` if that is not in observed code.
    pub call_site: Option<SiteNo>,
    /// Innermost activation or call open at its beginning; `None` of what the driver does itself.
    pub parent: Option<NodeNo>,
    /// First node behind its subtree.
    pub end: NodeNo,
    /// Moment of its first event.
    pub begin: Moment,
    /// Moment of its last event; the last of the stream if it was never closed.
    pub close: Moment,
    /// Activation: the current object, 0 if static or never known. Constructor call: the new object.
    pub(super) object: ObjectId,
    /// Index of the receiver (if any), then the arguments.
    pub(super) values: u32,
    pub(super) count: u32,
    pub(super) has_receiver: bool,
    pub(super) ended: Ended,
}

/// Whose code an activation is: an end of an interaction (Burger 2011, Section 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entity {
    /// Nothing recorded: unobserved code.
    Outside,
    /// An object.
    Object(ObjectId),
    /// A class, for static members.
    Class(ClassNo),
    /// An object under construction that never got an identity; named by the outermost constructor activation.
    Unborn(NodeNo),
}

/// The stream has more events or values than 32 bits can number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the thread has more than 2^32 events, which is too many; record fewer classes (--observe)"
)]
pub struct TooLong;
