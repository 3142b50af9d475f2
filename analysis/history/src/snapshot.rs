//! A content as it was recorded.

use jinsi_trace::model::{Content, ObjectId, ThreadNo};

use super::Moment;

/// Content of an array, a natural object or an object that no recorded constructor made, as recorded.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// When.
    pub moment: Moment,
    /// By which thread.
    pub thread: ThreadNo,
    /// Of what.
    pub id: ObjectId,
    /// What it held.
    pub content: Content,
    /// Arrays: is this what the content before and the stores since add up to? Else something unrecorded changed it. Other
    /// objects: is it the content recorded before? (Operations between the two are not looked at here.)
    pub explained: bool,
}
