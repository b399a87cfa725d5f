//! The text near a URL, as far as it is looked at.

use crate::text::Text;

/// The maximum length of bracketed text in a path, in bytes.
pub(super) const MAX_BRACKETS: usize = 48;

/// How far back to look for the quotation mark that opens a string of source code, in bytes.
pub(super) const MAX_STRING: usize = 512;

/// Returns the text before `at` on its line; `None` if the line begins too far back.
pub(super) fn line_before(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let near = &bytes[at.saturating_sub(MAX_STRING)..at];
    match memchr::memrchr2(b'\n', b'\r', near) {
        Some(end) => Some(&near[end + 1..]),
        None => (near.len() == at).then_some(near),
    }
}

/// Returns whether another URL begins at `at`, after a comma or semicolon.
pub(super) fn begins_url(text: &Text<'_>, at: usize) -> bool {
    const BEGINNINGS: [&[u8]; 3] = [b"http://", b"https://", b"ftp://"];
    BEGINNINGS.iter().any(|beginning| text.has(at, beginning))
}
