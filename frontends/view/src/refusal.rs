//! Questions that are not answered.

use jinsi_answers::NoSuch;
use jinsi_inspect::{BadPath, InspectError};
use serde_json::{Value, json};

use crate::http::{OWN, Reply};

/// Why a question is not answered.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// As in HTTP.
    pub(crate) status: u16,
    pub(crate) why: String,
}

impl Refusal {
    /// The question is none.
    pub(crate) fn bad(why: String) -> Self {
        Self { status: 400, why }
    }

    /// It could not be answered.
    pub(crate) fn failed(why: String) -> Self {
        Self { status: 500, why }
    }

    /// There is no such thing.
    pub(crate) fn none(why: String) -> Self {
        Self { status: 404, why }
    }
}

impl From<InspectError> for Refusal {
    fn from(error: InspectError) -> Self {
        let status = match error {
            InspectError::Read(_) => 500,
            _ => 404,
        };
        Self {
            status,
            why: error.to_string(),
        }
    }
}

impl From<BadPath> for Refusal {
    fn from(error: BadPath) -> Self {
        Self::bad(error.to_string())
    }
}

impl From<NoSuch> for Refusal {
    fn from(error: NoSuch) -> Self {
        Self::none(error.to_string())
    }
}

impl Reply {
    /// A document, or why there is none.
    pub(crate) fn document(answer: Result<Value, Refusal>) -> Self {
        let (status, document) = match answer {
            Ok(document) => (200, document),
            Err(refusal) => (refusal.status, json!({ "error": refusal.why })),
        };
        Self {
            status,
            kind: "application/json",
            policy: OWN,
            body: document.to_string().into_bytes(),
        }
    }
}
