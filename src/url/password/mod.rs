//! Passwords in URLs, so that they are not shown.
//!
//! Where a password lies is asked of any text, valid or not, and answered with caution: what may be
//! a password is taken for one.
//!
//! A login begins after a scheme, its colon and its slashes. It has a password if there is a colon
//! in it and an `@` after that, or if what looks like a port is no number and an `@` follows
//! further on: a raw `/`, `?` or `@` in a password makes a parser see a host and a port there. A
//! port of one to five digits never is a password. One of the parts around may be missing, broken
//! or written in another way:
//!
//! | form | example |
//! |---|---|
//! | any number of slashes, or backslashes | `http:/joe:secret@a.example`, `http:\\joe:secret@a.example` |
//! | slashes escaped in a string of source code | `http:\/\/joe:secret@a.example` |
//! | no slashes, after the schemes that log in | `ftp:joe:secret@a.example` |
//! | no colon after the scheme | `telnet//joe:secret@a.example` |
//! | a URL that holds another | `http://a.example/http://joe:secret@b.example` |
//! | delimiters encoded | `http://a.example/?u=ftp%3A%2F%2Fjoe%3Asecret%40b.example` |
//! | a line that ends within the password | `ftp://joe:sec`, and in the next line `ret@a.example` |

mod escapes;
mod rest;
mod source;
#[cfg(test)]
mod tests;
mod walk;

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr2};

use super::escape::escape_at;
use super::schemes::is_scheme_name;
pub use source::{passwords_in_source, possible_passwords, redacted_source};
use walk::{Scope, found_in};

/// What is shown in place of a password.
pub const MASK: &str = "***";

/// Returns where passwords lie in `url`, in bytes, in order and apart from one another; none is
/// empty.
///
/// `url` is one URL, which may be invalid and may hold others, as those of archives do; white space
/// in it belongs to it. Takes time linear in its length.
///
/// ```
/// use urlint::url::password::passwords;
///
/// assert_eq!(passwords(b"ftp://joe:secret@a.example/"), [10..16]);
/// assert_eq!(passwords(b"ftp://joe:se/cret@a.example/"), [10..17]);
/// assert_eq!(passwords(b"ftp:joe:secret@a.example/"), [8..14]);
/// assert!(passwords(b"http://a.example:80/@joe").is_empty());
/// ```
pub fn passwords(url: &[u8]) -> Vec<Range<usize>> {
    passwords_before(url, Some(b""))
}

/// Returns where passwords lie in `text`, in bytes, in order and apart from one another; none is
/// empty.
///
/// `text` may be anything with any number of URLs in it. White space, `<`, `>` and `"` end a URL,
/// but a login that a line ends within is looked for in the lines that follow, after quote marks and
/// other leaders. Takes time linear in the length of `text`.
///
/// ```
/// use urlint::url::password::passwords_in_text;
///
/// let text = b"> at ftp://joe:sec\n> ret@a.example/ or joe@b.example";
/// assert_eq!(passwords_in_text(text), [15..18, 21..24]);
/// ```
pub fn passwords_in_text(text: &[u8]) -> Vec<Range<usize>> {
    if memchr(b'@', text).is_none() && !has_encoded_delimiter(text) {
        return Vec::new();
    }
    all_in(text, Scope::Text)
}

/// Returns where passwords lie in `url`, as [`passwords`] does, and in the text after it, where the
/// login of the URL is cut by a line end and goes on in the next line.
///
/// `after` is what follows the URL in its text, if that is known; a few hundred bytes are enough.
/// The ranges count on from `url` into it. If it is not known, what may begin a password is taken
/// for one.
///
/// ```
/// use urlint::url::password::passwords_before;
///
/// let (url, after) = (b"ftp://joe:sec", b"\nret@a.example/");
/// assert_eq!(passwords_before(url, Some(after)), [10..13, 14..17]);
/// assert!(passwords_before(url, Some(b" and so on")).is_empty());
/// assert_eq!(passwords_before(url, None), [10..13]);
/// ```
pub fn passwords_before(url: &[u8], after: Option<&[u8]>) -> Vec<Range<usize>> {
    let may_be_cut = after.is_none_or(|after| !after.is_empty());
    if !(may_be_cut || memchr(b'@', url).is_some() || has_encoded_delimiter(url)) || is_plain(url) {
        return Vec::new();
    }
    all_in(url, Scope::Url { after })
}

/// Returns `url` with [`MASK`] in place of each of its [possible passwords](possible_passwords); it is
/// borrowed if it has none. To do so twice changes nothing more.
///
/// ```
/// use urlint::url::password::redacted;
///
/// assert_eq!(&*redacted(b"ftp://joe:secret@a.example/"), b"ftp://joe:***@a.example/");
/// assert_eq!(&*redacted(b"ftp://joe@a.example/"), b"ftp://joe@a.example/");
/// ```
pub fn redacted(url: &[u8]) -> Cow<'_, [u8]> {
    source::redacted_by(url, |url| possible_passwords(url, Some(b"")))
}

/// Returns `text` with [`MASK`] in place of each of its passwords, as [`passwords_in_text`] finds
/// them; it is borrowed if it has none. To do so twice changes nothing more.
///
/// ```
/// use urlint::url::password::redacted_text;
///
/// let text = b"at <ftp://joe:secret@a.example/>";
/// assert_eq!(&*redacted_text(text), b"at <ftp://joe:***@a.example/>");
/// ```
pub fn redacted_text(text: &[u8]) -> Cow<'_, [u8]> {
    masked(text, &passwords_in_text(text))
}

/// Returns the bytes of `text` at `part` with [`MASK`] in place of what lies in `passwords`, ranges
/// of `text` in order. A password that lies in `part` only partly is not shown either.
///
/// ```
/// use urlint::url::password::{passwords, redacted_part};
///
/// let url = b"ftp://joe:secret@a.example/";
/// let login = redacted_part(url, 6..16, &passwords(url));
/// assert_eq!(login, b"joe:***");
/// ```
pub fn redacted_part(text: &[u8], part: Range<usize>, passwords: &[Range<usize>]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(part.len());
    let mut at = part.start;
    for password in passwords {
        let (start, end) = (password.start.max(at), password.end.min(part.end));
        if start < end {
            shown.extend_from_slice(&text[at..start]);
            shown.extend_from_slice(MASK.as_bytes());
            at = end;
        }
    }
    shown.extend_from_slice(&text[at..part.end.max(at)]);
    shown
}

/// `text` with [`MASK`] in place of what lies in `passwords`.
pub(crate) fn masked<'t>(text: &'t [u8], passwords: &[Range<usize>]) -> Cow<'t, [u8]> {
    if passwords.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(redacted_part(text, 0..text.len(), passwords))
}

/// Returns whether `url` has nothing that could belong to a login but the colon before its slashes, and
/// perhaps that of a port.
/// Passwords are asked of every URL, and most are so.
pub(crate) fn is_plain(url: &[u8]) -> bool {
    let Some(colon) = memchr2(b':', b'@', url) else {
        return false;
    };
    let rest = &url[colon + 1..];
    url[colon] == b':'
        && is_scheme_name(&url[..colon])
        && rest.first().is_some_and(is_slash)
        && has_only_port(rest)
        && !has_encoded_delimiter(rest)
}

/// Returns whether a path ends what may be a login in `url`, so that what follows it is no part of that.
pub(crate) fn ends_login(url: &[u8]) -> bool {
    let slash = memchr(b'/', url).map(|at| &url[at + 1..]);
    let login = slash.and_then(|rest| rest.strip_prefix(b"/"));
    login.is_some_and(|login| memchr(b'/', login).is_some()) && is_plain(url)
}

/// Returns whether no `:` or `@` is in `rest`, but for the colon of a port with a slash after it, which
/// is never taken for a password.
fn has_only_port(rest: &[u8]) -> bool {
    let Some(at) = memchr2(b':', b'@', rest) else {
        return true;
    };
    let port = &rest[at + 1..];
    let digits = port.iter().take(6).take_while(|byte| byte.is_ascii_digit());
    let digits = digits.count();
    rest[at] == b':'
        && (1..=5).contains(&digits)
        && port.get(digits) == Some(&b'/')
        && memchr2(b':', b'@', &port[digits..]).is_none()
}

/// Returns whether `text` has an encoded `:` or `@`.
fn has_encoded_delimiter(text: &[u8]) -> bool {
    let is_one = |at: usize| matches!(text.get(at + 1..at + 3), Some(b"3A" | b"3a" | b"40"));
    memchr::memchr_iter(b'%', text).any(is_one)
}

/// How often a text that has passwords is looked at again.
const MAX_ROUNDS: usize = 8;

/// Returns where passwords lie in `text`, as it is written and with the delimiters of URLs decoded.
///
/// A password that is found in one of them may be a part of a longer one in the other, so both are
/// looked at again, with what was found masked, until nothing more is found.
fn all_in(text: &[u8], scope: Scope<'_>) -> Vec<Range<usize>> {
    let mut found = found_in(text, scope);
    let has_encoded = has_encoded_delimiter(text);
    if found.is_empty() && !has_encoded {
        return found;
    }
    let mut masked = text.to_vec();
    for _ in 0..MAX_ROUNDS {
        for range in &found {
            if let Some(password) = masked.get_mut(range.start..range.end.min(text.len())) {
                password.fill(b'*');
            }
        }
        let known = found.clone();
        found.extend(found_in(&masked, scope));
        if has_encoded {
            let (decoded, places) = decoded(&masked);
            let in_text = |range: Range<usize>| places[range.start]..places[range.end];
            found.extend(found_in(&decoded, scope.decoded()).into_iter().map(in_text));
        }
        merge(&mut found);
        if found == known {
            break;
        }
    }
    found
}

/// `text` with the delimiters of URLs decoded, and where each byte of that and its end lie in
/// `text`.
fn decoded(text: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let mut decoded = Vec::with_capacity(text.len());
    let mut places = Vec::with_capacity(text.len() + 1);
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        places.push(at);
        let delimiter = escape_at(text, at).filter(|byte| b":/?#@\\".contains(byte));
        decoded.push(delimiter.unwrap_or(byte));
        at += if delimiter.is_some() { 3 } else { 1 };
    }
    places.push(text.len());
    (decoded, places)
}

/// Puts `ranges` in order, and those together that overlap or touch.
fn merge(ranges: &mut Vec<Range<usize>>) {
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|next, last| {
        let touches = next.start <= last.end;
        if touches {
            last.end = last.end.max(next.end);
        }
        touches
    });
}

/// `from` and what `search` finds in `text` after it, or the end of the text.
fn position(text: &[u8], from: usize, search: impl Fn(&[u8]) -> Option<usize>) -> usize {
    let rest = &text[from..];
    from + search(rest).unwrap_or(rest.len())
}

/// Returns whether `byte` is a slash or a backslash, which escapes a slash in strings of source code
/// and which browsers take for one.
fn is_slash(byte: &u8) -> bool {
    b"/\\".contains(byte)
}

/// Returns whether `byte` ends a URL in text.
fn ends_url(byte: u8) -> bool {
    byte <= b' ' || b"<>\"".contains(&byte)
}
