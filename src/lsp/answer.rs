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

    /// The editor no longer wants an answer.
    pub(super) fn cancelled() -> Refusal {
        Refusal::new(ErrorCode::RequestCanceled, "cancelled")
    }

    /// A panic, which has been printed.
    pub(super) fn fault(method: &str) -> Refusal {
        let message = format!("{method} has failed; this is a fault of urlint");
        Refusal::new(ErrorCode::InternalError, message)
    }

    /// The subject of the request has changed in the meantime.
    pub(super) fn outdated(message: &str) -> Refusal {
        Refusal::new(ErrorCode::ContentModified, message)
    }

    /// The same for diagnostics, for which the editor asks again by itself.
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
