//! What code does to a member.

/// How an interaction touches its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// `new`: constructor call.
    Construct,
    /// Method call on an object.
    Call,
    /// Static method call.
    CallStatic,
    /// Instance field read.
    GetField,
    /// Instance field write; the value is the only argument.
    PutField,
    /// Static field read.
    GetStatic,
    /// Static field write; the value is the only argument.
    PutStatic,
}
