//! Messages of the editor. One that is not understood is answered with an error, so that an editor that makes a
//! mistake does not lose its session.

use std::io::{self, BufRead, Read};
use std::mem;

use lsp_server::{ErrorCode, Message};
use serde_json::{Value, json};

/// The greatest length of a message.
const MAX_MESSAGE: u64 = 256 << 20;

/// The greatest length of a header.
const MAX_HEADER: u64 = 1024;

/// Returns the next request or notification, or an error to answer with; `None` at the end of the input. Answers are
/// passed over, since nothing depends on them.
///
/// # Errors
///
/// Fails if the input is not made of messages, or one is too long.
pub(super) fn read(stream: &mut impl BufRead) -> io::Result<Option<Result<Message, Value>>> {
    while let Some(length) = read_headers(stream)? {
        // Only what arrives takes memory.
        let mut content = Vec::new();
        if (stream.by_ref().take(length).read_to_end(&mut content)? as u64) < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let json = serde_json::from_slice(&content).or_else(|_| {
            replace_lone_surrogates(&mut content);
            serde_json::from_slice::<Value>(&content)
        });
        let Ok(json) = json else {
            // The error of the parser may quote a document, and so a password.
            let error = error(Value::Null, ErrorCode::ParseError, "expected JSON");
            return Ok(Some(Err(error)));
        };
        if json.get("method").is_some() || !json.is_object() {
            return Ok(Some(message(json)));
        }
    }
    Ok(None)
}

/// Returns the length of the next message, or `None` at the end of the input.
fn read_headers(stream: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        let read = stream
            .by_ref()
            .take(MAX_HEADER)
            .read_until(b'\n', &mut line)?;
        let Some((name, value)) = str::from_utf8(&line)
            .ok()
            .and_then(|line| line.split_once(':'))
        else {
            let is_end = read > 0 && line.trim_ascii().is_empty();
            let length = length.filter(|length| *length <= MAX_MESSAGE && is_end);
            return match read {
                0 => Ok(None),
                _ => length.ok_or(io::ErrorKind::InvalidData.into()).map(Some),
            };
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok();
        }
    }
}

/// Replaces the halves of surrogate pairs that stand alone in JSON by U+FFFD. JavaScript writes half an
/// emoji in this way.
fn replace_lone_surrogates(json: &mut [u8]) {
    let mut rest = json;
    while let Some(start) = memchr::memchr(b'\\', rest) {
        rest = &mut mem::take(&mut rest)[start..];
        let next = rest.get(6..).and_then(surrogate);
        let length = match surrogate(rest) {
            Some(0xD800..0xDC00) if next.is_some_and(|next| next >= 0xDC00) => 12,
            Some(_) => {
                rest[2..6].copy_from_slice(b"fffd");
                6
            }
            None => 2,
        };
        rest = rest.get_mut(length..).unwrap_or_default();
    }
}

/// Returns the surrogate that JSON starts with.
fn surrogate(json: &[u8]) -> Option<u16> {
    let digits = json.strip_prefix(b"\\u")?.get(..4)?;
    let unit = u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
    (0xD800..0xE000).contains(&unit).then_some(unit)
}

/// Returns the message that JSON is, or an error to answer with.
fn message(json: Value) -> Result<Message, Value> {
    let id = json.get("id").cloned().unwrap_or_default();
    let message = match id {
        Value::Null => serde_json::from_value(json).map(Message::Notification),
        _ => serde_json::from_value(json).map(Message::Request),
    };
    message.map_err(|_| {
        let is_usable = id.is_number() || id.is_string();
        let id = if is_usable { id } else { Value::Null };
        let message = "expected a request, a notification or a response";
        error(id, ErrorCode::InvalidRequest, message)
    })
}

/// Returns an error to answer with. Unlike the id of a `Response`, this one may be null.
fn error(id: Value, code: ErrorCode, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": message } })
}
