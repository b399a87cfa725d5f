//! Passwords of URLs: where they are, and what is shown in their place.
//!
//! [`passwords`] are those that are reported. What is hidden is more: a login may be written in ways
//! that only the program it is meant for knows, so nothing is read but what every login has. In a text
//! that is [`hidden_in_text`] and in a URL [`hidden_in_url`], by one rule:
//!
//! What stands between a colon and an `@` after it is hidden, however the two are written. The colon of
//! a scheme or of a port does not count. Secrets elsewhere are known by their names or by their form.

mod hidden;
mod logins;
mod secrets;

use std::borrow::Cow;
use std::ops::Range;

pub use hidden::{hidden_in_text, hidden_in_url};
pub use logins::passwords;

/// What is shown in place of a password.
pub const MASK: &str = "***";

/// Returns `url` with [`MASK`] in place of what is [hidden](hidden_in_url); it is borrowed if nothing
/// is. To do so twice changes nothing more.
///
/// ```
/// use urlint::url::password::redacted;
///
/// assert_eq!(&*redacted(b"ftp://joe:secret@a.example/"), b"ftp://joe:***@a.example/");
/// assert_eq!(&*redacted(b"ftp://joe:sec"), b"ftp://joe:***");
/// assert_eq!(&*redacted(b"ftp://joe@a.example:21/"), b"ftp://joe@a.example:21/");
/// ```
pub fn redacted(url: &[u8]) -> Cow<'_, [u8]> {
    masked(url, &hidden_in_url(url))
}

/// Returns `text` with [`MASK`] in place of what is [hidden](hidden_in_text); it is borrowed if nothing
/// is.
///
/// ```
/// use urlint::url::password::redacted_text;
///
/// let text = b"at <ftp://joe:secret@a.example/>, or elsewhere";
/// assert_eq!(&*redacted_text(text), b"at <ftp://joe:***@a.example/>, or elsewhere");
/// ```
pub fn redacted_text(text: &[u8]) -> Cow<'_, [u8]> {
    masked(text, &hidden_in_text(text))
}

/// Returns the bytes of `text` at `part` with [`MASK`] in place of what lies in `hidden`, ranges of
/// `text` in order. A range that lies in `part` only partly is not shown either.
///
/// ```
/// use urlint::url::password::{hidden_in_url, redacted_part};
///
/// let url = b"ftp://joe:secret@a.example/";
/// let login = redacted_part(url, 6..16, &hidden_in_url(url));
/// assert_eq!(login, b"joe:***");
/// ```
pub fn redacted_part(text: &[u8], part: Range<usize>, hidden: &[Range<usize>]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(part.len());
    let mut at = part.start;
    for range in hidden {
        let (start, end) = (range.start.max(at), range.end.min(part.end));
        if start < end {
            shown.extend_from_slice(&text[at..start]);
            shown.extend_from_slice(MASK.as_bytes());
            at = end;
        }
    }
    shown.extend_from_slice(&text[at..part.end.max(at)]);
    shown
}

fn masked<'t>(text: &'t [u8], hidden: &[Range<usize>]) -> Cow<'t, [u8]> {
    if hidden.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(redacted_part(text, 0..text.len(), hidden))
}

/// Returns whether `byte` is a slash, or a backslash, which browsers take for one and which escapes
/// one in strings of source code.
fn is_slash(byte: &u8) -> bool {
    b"/\\".contains(byte)
}

/// Returns `ranges` in order, and those as one that overlap or touch.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|next, last| {
        let touches = next.start <= last.end;
        if touches {
            last.end = last.end.max(next.end);
        }
        touches
    });
    ranges
}

/// Returns how many bytes at the start of `text` pass `test`.
fn run(text: &[u8], test: impl Fn(&u8) -> bool) -> usize {
    text.iter().take_while(|byte| test(byte)).count()
}

#[cfg(test)]
mod tests;
