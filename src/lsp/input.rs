//! Messages of the editor. Any other input is answered with an error, so that an editor that makes a
//! mistake does not lose its session.

use std::io::{self, BufRead, Read};
use std::mem;

use lsp_server::{ErrorCode, Message, RequestId, Response};
use serde_json::{Value, json};

/// The greatest length of a message.
const MAX_MESSAGE: u64 = 256 << 20;

/// How much is kept of a line that is no header. Its end is kept, since the first header of a message
/// follows the text of the message before without a line break.
const MAX_LINE: usize = 1024;

pub(super) struct Input<R> {
    stream: R,
    line: Vec<u8>,
    /// Whether it is unknown where the next message starts.
    is_lost: bool,
}

impl<R: BufRead> Input<R> {
    pub(super) fn new(stream: R) -> Self {
        Input {
            stream,
            line: Vec::new(),
            is_lost: false,
        }
    }

    /// Returns the next message, or an error to answer with; `None` at the end of the input.
    pub(super) fn read(&mut self) -> io::Result<Option<Result<Message, Value>>> {
        let mut length = None;
        while self.read_line()? {
            length = content_length(&self.line).or(length);
            if !self.line.trim_ascii().is_empty() {
                continue;
            }
            let was_lost = mem::replace(&mut self.is_lost, length.is_none());
            match length {
                Some(length) => return self.read_content(length).map(Some),
                // The length is unknown or absurd, and to skip that many bytes might skip all later
                // messages. So this searches for the next header; JSON never contains one.
                None if !was_lost => {
                    let message = "expected `Content-Length` of at most 256 MiB";
                    let error = error(Value::Null, ErrorCode::ParseError, message);
                    return Ok(Some(Err(error)));
                }
                None => {}
            }
        }
        Ok(None)
    }

    /// Reads a line, or the end of a long one; returns whether there is one.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        loop {
            let mut part = self.stream.by_ref().take(MAX_LINE as u64);
            let read = part.read_until(b'\n', &mut self.line)?;
            if read == 0 || self.line.ends_with(b"\n") {
                return Ok(read > 0);
            }
            let excess = self.line.len().saturating_sub(MAX_LINE);
            self.line.drain(..excess);
        }
    }

    fn read_content(&mut self, length: u64) -> io::Result<Result<Message, Value>> {
        // Only what arrives takes memory.
        let mut content = Vec::new();
        let mut body = self.stream.by_ref().take(length);
        if (body.read_to_end(&mut content)? as u64) < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let json = serde_json::from_slice(&content).or_else(|_| {
            replace_lone_surrogates(&mut content);
            serde_json::from_slice(&content)
        });
        // The error of the parser may quote a document, and so a password.
        Ok(json
            .map_err(|_| error(Value::Null, ErrorCode::ParseError, "expected JSON"))
            .and_then(message))
    }
}

/// Returns the length that a line says. It may stand after the rest of a message that was longer than
/// its header said.
fn content_length(line: &[u8]) -> Option<u64> {
    const NAME: &[u8] = b"content-length:";
    let is_name = |bytes: &[u8]| bytes.eq_ignore_ascii_case(NAME);
    let start = line.windows(NAME.len()).rposition(is_name)?;
    let digits = str::from_utf8(line.get(start + NAME.len()..)?).ok()?;
    let length = digits.trim().parse().ok()?;
    (length <= MAX_MESSAGE).then_some(length)
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
    let id = json.get("method").and(json.get("id"));
    let id = id.filter(|id| id.is_number() || id.is_string()).cloned();
    parse(json).ok_or_else(|| {
        let message = "expected a request, a notification or a response";
        error(id.unwrap_or_default(), ErrorCode::InvalidRequest, message)
    })
}

fn parse(mut json: Value) -> Option<Message> {
    let has = |key| json.get(key).is_some();
    if has("method") {
        return Some(if json.get("id").is_none_or(Value::is_null) {
            Message::Notification(serde_json::from_value(json).ok()?)
        } else {
            Message::Request(serde_json::from_value(json).ok()?)
        });
    }
    if !["id", "result", "error"].into_iter().any(has) {
        return None;
    }
    let mut take = |key| json.get_mut(key).map(Value::take).unwrap_or_default();
    // An answer must not be answered: without a usable id, it is one to a question that was never asked.
    let id = serde_json::from_value(take("id")).unwrap_or_else(|_| RequestId::from(0));
    let response_result = match take("error") {
        // Some editors leave out a result that is null.
        Value::Null => Ok(take("result")),
        error => Err(serde_json::from_value(error).ok()?),
    };
    Some(Message::Response(Response {
        id,
        response_result,
    }))
}

/// Returns an error to answer with. Unlike the id of a `Response`, this one may be null.
fn error(id: Value, code: ErrorCode, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": message } })
}
