//! The parameters of requests, and their answers.

use lsp_server::{ErrorCode, RequestId, Response, ResponseError};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Why a request has no result.
#[derive(Debug)]
pub(super) struct Refusal(ResponseError);

impl Refusal {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Refusal {
        Refusal(ResponseError {
            code: code as i32,
            message: message.into(),
            data: None,
        })
    }

    /// The diagnostics that were asked for are outdated; the editor asks again by itself.
    pub(super) fn outdated_diagnostics(message: &str) -> Refusal {
        let mut refusal = Refusal::new(ErrorCode::ServerCancelled, message);
        refusal.0.data = Some(json!({ "retriggerRequest": false }));
        refusal
    }
}

/// Returns the answer to a request.
pub(super) fn response(id: RequestId, answer: Result<Value, Refusal>) -> Response {
    Response {
        id,
        response_result: answer.map_err(|Refusal(error)| error),
    }
}

/// Returns a field of the parameters, if it has the right type. Only the fields that are needed are read,
/// so errors of an editor elsewhere do no harm.
pub(super) fn field<T: DeserializeOwned>(params: &Value, path: &str) -> Option<T> {
    T::deserialize(params.pointer(path)?).ok()
}

/// Returns a field of the parameters, or fails if it is missing.
pub(super) fn required<T: DeserializeOwned>(params: &Value, path: &str) -> Result<T, Refusal> {
    let missing = || {
        let name = path.trim_start_matches('/').replace('/', ".");
        Refusal::new(ErrorCode::InvalidParams, format!("expected {name}"))
    };
    field(params, path).ok_or_else(missing)
}
