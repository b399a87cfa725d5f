//! What requests say, and what they are answered.

use lsp_server::{ErrorCode, RequestId, Response, ResponseError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Why a request has no result.
#[derive(Debug)]
pub(super) struct Refusal {
    code: ErrorCode,
    message: String,
    data: Option<Value>,
}

impl Refusal {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Refusal {
        Refusal {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// The editor does not want an answer any more.
    pub(super) fn cancelled() -> Refusal {
        Refusal::new(ErrorCode::RequestCanceled, "cancelled")
    }

    /// A panic, which has been printed.
    pub(super) fn fault(method: &str) -> Refusal {
        let message = format!("{method} has failed; this is a fault of urlint");
        Refusal::new(ErrorCode::InternalError, message)
    }

    /// What was asked about has changed since.
    pub(super) fn outdated(message: &str) -> Refusal {
        Refusal::new(ErrorCode::ContentModified, message)
    }

    /// The same of diagnostics. `again` tells the editor to ask again.
    pub(super) fn outdated_diagnostics(message: &str, again: bool) -> Refusal {
        Refusal {
            data: Some(json!({ "retriggerRequest": again })),
            ..Refusal::new(ErrorCode::ServerCancelled, message)
        }
    }
}

/// Returns the answer to a request.
pub(super) fn response(id: RequestId, answer: Result<Value, Refusal>) -> Response {
    let response_result = answer.map_err(|refusal| ResponseError {
        code: refusal.code as i32,
        message: refusal.message,
        data: refusal.data,
    });
    Response {
        id,
        response_result,
    }
}

/// Returns a field of the parameters, if it is what it should be. Nothing else of them is read, so
/// that what an editor does not get right elsewhere does no harm.
pub(super) fn field<T: DeserializeOwned>(params: &Value, path: &str) -> Option<T> {
    T::deserialize(params.pointer(path)?).ok()
}

/// The same of a field without which nothing can be done.
pub(super) fn required<T: DeserializeOwned>(params: &Value, path: &str) -> Result<T, Refusal> {
    let missing = || {
        let name = path.trim_start_matches('/').replace('/', ".");
        Refusal::new(ErrorCode::InvalidParams, format!("expected {name}"))
    };
    field(params, path).ok_or_else(missing)
}

pub(super) fn value(result: &impl Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(result)
        .map_err(|error| Refusal::new(ErrorCode::InternalError, error.to_string()))
}
