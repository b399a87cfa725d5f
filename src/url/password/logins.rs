//! The passwords of a URL that are reported: what a program may take for one.

use std::iter;
use std::ops::Range;

use memchr::{memchr, memchr3};

use super::{is_slash, merged, run};
use crate::url::escape::escape_at;
use crate::url::schemes::{has_question_in_login, is_scheme_character, logs_in};
use crate::url::split::userinfo_end;

/// How many places of a URL are looked at where a login may begin: a URL may hold others.
const MOST_LOGINS: usize = 32;

/// Returns where passwords lie in `url`, in bytes, in order and apart from one another; none is empty.
///
/// `url` is one URL, which may be invalid and may hold others, as those of archives do; white space
/// in it belongs to it. A login begins after a scheme, its colon and its slashes, of which some may be
/// missing. It has a password if there is a colon in it and an `@` after that, or if what looks like a
/// port is no number and an `@` follows further on: a raw `/`, `?` or `@` in a password makes a parser
/// see a host and a port there. Takes time linear in the length of `url`.
///
/// ```
/// use urlint::url::password::passwords;
///
/// assert_eq!(passwords(b"ftp://joe:secret@a.example/"), [10..16]);
/// assert_eq!(passwords(b"ftp://joe:se/cret@a.example/"), [10..17]);
/// assert_eq!(passwords(b"ftp:joe:secret@a.example/"), [8..14]);
/// assert_eq!(passwords(b"http://a.example/?u=ftp%3A%2F%2Fjoe%3Asecret%40b.example"), [38..44]);
/// assert!(passwords(b"http://a.example:80/@joe").is_empty());
/// ```
pub fn passwords(url: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if memchr(b'@', url).is_some() {
        found = written(url);
    }
    let is_sign = |at: usize| url[at..].starts_with(b"%40");
    if memchr::memchr_iter(b'%', url).any(is_sign) {
        let (decoded, places) = decoded(url);
        let in_url = |range: Range<usize>| places[range.start]..places[range.end];
        found.extend(written(&decoded).into_iter().map(in_url));
    }
    merged(found)
}

/// Returns where passwords lie in `url` as it is written.
fn written(url: &[u8]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut searched = 0;
    for Login { start, scheme } in logins(url) {
        if start < searched {
            continue;
        }
        if let Some(password) = password(url, start, has_question_in_login(scheme)) {
            searched = password.end;
            if !password.is_empty() {
                found.push(password);
            }
        }
    }
    found
}

/// A place where a login may begin.
pub(super) struct Login<'u> {
    pub(super) start: usize,
    scheme: &'u [u8],
}

/// Returns the places of `url` where a login may begin, in order.
pub(super) fn logins(url: &[u8]) -> impl Iterator<Item = Login<'_>> {
    let mut at = 0;
    let next = move || {
        loop {
            let (before, rest) = url.split_at(at + memchr3(b':', b'/', b'\\', &url[at..])?);
            let colon = usize::from(rest[0] == b':');
            let slashes = run(&rest[colon..], is_slash);
            at = before.len() + colon + slashes;
            let name = before.iter().rev();
            let name = name.take_while(|byte| is_scheme_character(**byte)).count();
            let (before, scheme) = before.split_at(before.len() - name);
            let is_login = match (colon, slashes) {
                (1, 0) => logs_in(scheme),
                (1, _) => true,
                (_, 1) => false,
                // The colon is missing, or the scheme as well.
                _ => before
                    .last()
                    .is_none_or(|byte| b":('`[{,;=|<>\" ".contains(byte)),
            };
            if is_login {
                return Some(Login { start: at, scheme });
            }
        }
    };
    iter::from_fn(next).take(MOST_LOGINS)
}

/// Returns the password of the login that begins at `start` of `url`, if it has one.
fn password(url: &[u8], start: usize, has_question: bool) -> Option<Range<usize>> {
    let part_end = |from: usize| {
        let ends = |byte: &u8| b"/#".contains(byte) || (*byte == b'?' && !has_question);
        from + run(&url[from..], |byte| !ends(byte))
    };
    let part = &url[start..part_end(start)];
    let colon = memchr(b':', part)?;
    let sign = match userinfo_end(part) {
        Some(sign) if colon < sign => start + sign,
        Some(_) => return None,
        None => {
            let address = part.starts_with(b"[").then(|| memchr(b']', part)).flatten();
            let port = address.map_or(colon, |end| end + 1);
            let port = part.get(port..).unwrap_or_default();
            let is_port =
                |digits: &[u8]| digits.len() <= 5 && digits.iter().all(u8::is_ascii_digit);
            if port.is_empty() || port.strip_prefix(b":").is_some_and(is_port) {
                return None;
            }
            let first = start + part.len() + memchr(b'@', &url[start + part.len()..])?;
            first + userinfo_end(&url[first..part_end(first)])?
        }
    };
    Some(start + colon + 1..sign)
}

/// `url` with the delimiters of URLs decoded, and where each byte of that and its end lie in `url`.
fn decoded(url: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let mut decoded = Vec::with_capacity(url.len());
    let mut places = Vec::with_capacity(url.len() + 1);
    let mut at = 0;
    while let Some(&byte) = url.get(at) {
        places.push(at);
        let delimiter = escape_at(url, at).filter(|byte| b":/?#@\\".contains(byte));
        decoded.push(delimiter.unwrap_or(byte));
        at += if delimiter.is_some() { 3 } else { 1 };
    }
    places.push(url.len());
    (decoded, places)
}
