//! A call as the small test that can be written for it. Somebody else writes it, and that takes seconds.

use std::fmt;
use std::sync::Arc;

use jinsi_trace::model::EventId;
use serde_json::json;

use crate::http::Reply;
use crate::query::Query;
use crate::refusal::Refusal;

/// Why a call has no test, as the page shows it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no test of this call: {0}")]
pub struct NoTest(pub String);

type Writes = dyn Fn(EventId) -> Result<String, NoTest> + Send + Sync;

/// Who writes the test of a call, or says why there is none.
#[derive(Clone)]
pub struct Tests(Arc<Writes>);

impl Tests {
    /// Written so.
    pub fn new(writes: impl Fn(EventId) -> Result<String, NoTest> + Send + Sync + 'static) -> Self {
        Self(Arc::new(writes))
    }

    /// The document with the test of the call that is asked for.
    pub(crate) fn reply(&self, query: &Query) -> Reply {
        let call = query.need("call");
        let test =
            call.and_then(|call| (self.0)(call).map_err(|why| Refusal::none(why.to_string())));
        Reply::document(test.map(|test| json!({ "test": test })))
    }
}

impl fmt::Debug for Tests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tests")
    }
}
