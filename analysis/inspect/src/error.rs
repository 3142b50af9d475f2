//! Why a question has no answer.

use jinsi_trace::model::{Detail, EventId, ObjectId, ThreadNo};
use jinsi_trace::reader::ReadError;

use jinsi_steps::moment::Moment;
use jinsi_steps::seen::Why;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum InspectError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the trace has no instructions (detail={0}); record with --detail states")]
    Detail(Detail),
    #[error("the trace has no thread {0}; 'jinsi info FILE' lists the threads")]
    NoThread(ThreadNo),
    #[error("the thread has no instruction at {0} or later; 'jinsi events FILE' lists what it did")]
    NoMoment(Moment),
    #[error(
        "no call of a recorded method begins with event {0}; 'jinsi tree FILE' lists the calls"
    )]
    NoActivation(EventId),
    #[error("the stack has no frame number {0}; the innermost is number 0")]
    NoFrame(usize),
    #[error("the recording has no object #{0}; 'jinsi events FILE' shows the numbers of objects")]
    NoObject(ObjectId),
    #[error("no recorded code is on line {0}; 'jinsi info FILE' lists the recorded classes")]
    NoCode(String),
    #[error(transparent)]
    BadPath(#[from] BadPath),
    #[error(
        "{path}: there is no variable {name} at this moment; 'jinsi at FILE MOMENT' shows those there are"
    )]
    NoVariable { path: String, name: String },
    #[error(
        "{class} has no recorded field {name}; 'jinsi at FILE MOMENT --object NUMBER' shows an object's fields"
    )]
    NoField { class: String, name: String },
    #[error("{path}: the array has {length} elements")]
    NoElement { path: String, length: u32 },
    #[error("{0} is no index of an array: it is not a number from 0")]
    NotAnIndex(String),
    #[error("{0} has no value: something on the way to it is null")]
    ThroughNull(String),
    #[error("{0} has no value: something on the way to it has no fields")]
    ThroughValue(String),
    #[error("{0} is not known: an object on the way to it is still being constructed")]
    ThroughNew(String),
    #[error("{path} is not known: {why}")]
    NotKnown { path: String, why: Why },
    #[error(
        "{0} has no origin: the length of an array never changes; ask for the origin of the array"
    )]
    Length(String),
    #[error(
        "the recording ended before the call did, so there is no result; ask about what the call was given"
    )]
    NotEnded,
    #[error("the value holds too many objects; name a part of it")]
    TooMuch,
}

/// A text that is no [`Path`](crate::Path).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no variable, field or element, such as total, this.next.size or a[2]")]
pub struct BadPath(pub String);

/// A text that is no [`Line`](crate::Line).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not CLASS:LINE or FILE:LINE, such as shop.Cart:20 or Cart.java:20")]
pub struct BadLine(pub String);
