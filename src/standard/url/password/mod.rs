//! Passwords of URLs: where they are, and the mask that is shown instead.
//!
//! [`passwords`] are those that are reported. More is hidden, in a text ([`hidden_in_text`]) as in a URL
//! ([`hidden_in_url`]), since a login may be written in ways that only the program it is meant for knows,
//! and since it may be cut off. To hide too much is right. There are three rules:
//!
//! 1. From a colon to an `@` after it, however the two are written, everything is hidden if they are in one
//!    word or not far apart and no URL begins between them. The colon of a URL's scheme does not count, nor
//!    does the colon of a port after plainly a host.
//! 2. After slashes, or after a login, the text after a colon is hidden to the end of the word, unless it
//!    is a port.
//!    A word after a host of `com`, `org`, `net` or `io` is shown if no `@` is near: `https://a.com:joe`.
//! 3. Secrets that are known by their names or by their form are hidden.
//!
//! White space parts words, but a URL is one word. Its passwords are hidden too.

mod hidden;
mod logins;
mod secrets;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::{Match, Regex};

#[doc(hidden)]
pub use hidden::hidden_in_url_before;
pub use hidden::{hidden_in_text, hidden_in_url};
pub use logins::passwords;

/// The mask that is shown in place of a password.
pub const MASK: &str = "***";

/// Returns `url` with [`MASK`] in place of the [hidden ranges](hidden_in_url); it is borrowed if nothing
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

/// Returns `text` with [`MASK`] in place of the [hidden ranges](hidden_in_text); it is borrowed if nothing
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

/// Returns the bytes of `text` at `part` with [`MASK`] in place of the bytes in `hidden`, ranges of
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

/// Returns the parts of `ranges` in the first `len` bytes, in order, and those as one that overlap or touch.
#[doc(hidden)]
pub fn merged(mut ranges: Vec<Range<usize>>, len: usize) -> Vec<Range<usize>> {
    ranges
        .iter_mut()
        .for_each(|range| range.end = range.end.min(len));
    ranges.retain(|range| range.start < range.end);
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

/// Defines expressions, each of which is compiled when it is first needed: that takes long.
macro_rules! patterns {
    ($($(#[$doc:meta])* $name:ident = $expression:expr;)*) => {
        $($(#[$doc])* static $name: Pattern = LazyLock::new(|| pattern(&$expression));)*
    };
}
use patterns;

type Pattern = LazyLock<Option<Regex>>;

fn pattern(expression: &str) -> Option<Regex> {
    let made = Regex::new(&format!("(?i-u){expression}"));
    debug_assert!(made.is_ok(), "{expression}");
    made.ok()
}

/// Returns where `pattern` matches `text`.
fn all<'t>(pattern: &'static Pattern, text: &'t [u8]) -> impl Iterator<Item = Match<'t>> {
    pattern.iter().flat_map(|pattern| pattern.find_iter(text))
}

fn has(pattern: &'static Pattern, text: &[u8]) -> bool {
    all(pattern, text).next().is_some()
}

/// Returns the first group that takes part in a match of `pattern` in `text`, for each match.
fn groups<'t>(pattern: &'static Pattern, text: &'t [u8]) -> impl Iterator<Item = Match<'t>> {
    let matches = pattern
        .iter()
        .flat_map(|pattern| pattern.captures_iter(text));
    matches.filter_map(|found| found.iter().skip(1).flatten().next())
}

fn is_blank(byte: &u8) -> bool {
    *byte <= b' '
}

/// Returns how many bytes at the start of `text` pass `test`.
fn run(text: &[u8], test: impl Fn(&u8) -> bool) -> usize {
    text.iter().take_while(|byte| test(byte)).count()
}

#[cfg(test)]
mod tests;
