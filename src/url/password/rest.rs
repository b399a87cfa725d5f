//! The rest of a login that a line break cuts.

use std::ops::Range;

use memchr::memchr;

use super::{ends_url, position};
use crate::url::split::userinfo_end;

/// How far after the end of a line the rest of a login is looked for, in bytes.
pub(super) const REST: usize = 400;

/// Returns where a login goes on that `text` has before `at` and that lacks its `@`: up to the `@`
/// in what comes first in the next line, or further down where nothing else is in the lines
/// between. `None` if the line does not end at `at`, or if there is no such `@`.
pub(super) fn rest_of_login(text: &[u8], at: usize) -> Option<Vec<Range<usize>>> {
    let text = &text[..text.len().min(at.saturating_add(REST))];
    let mut parts = Vec::new();
    let mut at = at;
    while line_ends(text, at) {
        let token = first_of_lines(text, at)?;
        let part = &text[token.clone()];
        if let Some(first) = memchr(b'@', part) {
            let segment = part[first..].split(|byte| b"/?#".contains(byte)).next();
            let sign = segment.and_then(userinfo_end);
            parts.push(token.start..token.start + first + sign.unwrap_or(0));
            return Some(parts);
        }
        at = token.end;
        parts.push(token);
    }
    None
}

fn line_ends(text: &[u8], at: usize) -> bool {
    let mut rest = text.get(at..).unwrap_or_default().iter();
    let next = rest.find(|byte| !matches!(byte, b' ' | b'\t'));
    matches!(next, Some(b'\r' | b'\n'))
}

/// What comes first in the lines below `at`, after quote marks and other leaders.
fn first_of_lines(text: &[u8], mut at: usize) -> Option<Range<usize>> {
    loop {
        let is_before = |byte: &u8| *byte <= b' ' || b">|".contains(byte);
        let start = at + text[at..].iter().position(|byte| !is_before(byte))?;
        let end = position(text, start, |rest| {
            rest.iter().position(|byte| ends_url(*byte))
        });
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'@' || *byte >= 0x80;
        if text[start..end].iter().any(is_word) {
            return Some(start..end);
        }
        if start == end {
            return None;
        }
        at = end;
    }
}
