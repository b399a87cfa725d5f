//! The parameters of requests, and their answers.

use lsp_server::{ErrorCode, ResponseError};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Returns why a request has no result.
pub(super) fn refusal(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError {
        code: code as i32,
        message: message.into(),
        data: None,
    }
}

/// The diagnostics that were asked for are outdated; the editor asks again by itself.
pub(super) fn outdated_diagnostics(message: &str) -> ResponseError {
    ResponseError {
        data: Some(json!({ "retriggerRequest": false })),
        ..refusal(ErrorCode::ServerCancelled, message)
    }
}

/// Returns a field of the parameters, if it has the right type. Only the fields that are needed are read,
/// so errors of an editor elsewhere do no harm.
pub(super) fn field<T: DeserializeOwned>(params: &Value, path: &str) -> Option<T> {
    T::deserialize(params.pointer(path)?).ok()
}

/// Returns a field of the parameters, or fails if it is missing.
pub(super) fn required<T: DeserializeOwned>(
    params: &Value,
    path: &str,
) -> Result<T, ResponseError> {
    let missing = || {
        let name = path.trim_start_matches('/').replace('/', ".");
        refusal(ErrorCode::InvalidParams, format!("expected {name}"))
    };
    field(params, path).ok_or_else(missing)
}
