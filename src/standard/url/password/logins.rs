//! The passwords of a URL that are reported, as parsers see them.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::{memchr, memmem};

use super::{Pattern, all, groups, merged, pattern, patterns};
use crate::url::escape::escape_at;
use crate::url::schemes::{has_question_in_login, logs_in, names};

/// How many places of a URL are looked at where a login may begin: a URL may hold others.
const MOST_LOGINS: usize = 32;

patterns! {
    /// The text before a login: a scheme, its colon and its slashes, of which some may be missing.
    START = format!(
        r#"[a-z0-9+.-]*:[/\\]+|(?:^|[:('`\[{{,;=|<>" ])[a-z0-9+.-]*[/\\]{{2,}}|(?:^|[^a-z0-9+.-])(?:{}):(?:[/\\]+|[a-z0-9+.-]+[/\\]{{2,}})?"#,
        names(logs_in)
    );
    LOGIN = login("/?#");
    /// The same where user and password may have a `?` in them.
    WITH_QUESTION = login("/#");
}

/// Returns a pattern of a user, a colon and a password before an `@`. The password goes up to the last `@`;
/// or, if an apparent port is not a number, up to the last `@` after the first of `end`.
fn login(end: &str) -> String {
    let port = format!(r"(?:\[[^\]{end}]*\](?::[0-9]{{0,5}})?|[^:@{end}]*:[0-9]{{0,5}})[{end}]");
    let password = format!("[^@]+(?:@[^{end}]*)?");
    format!("(?s)^(?:[^:{end}]*:([^{end}]*)@|{port}|[^:@{end}]*:({password})@)")
}

/// Returns where passwords lie in `url` as it is written.
fn as_written(url: &[u8]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for start in all(&START, url).take(MOST_LOGINS) {
        if found.last().is_some_and(|last| start.end() < last.end) {
            continue;
        }
        let mut scheme = start.as_bytes().split(|byte| b":/\\".contains(byte));
        let login = if scheme.any(has_question_in_login) {
            &WITH_QUESTION
        } else {
            &LOGIN
        };
        let password = groups(login, &url[start.end()..]).next();
        found.extend(password.map(|part| start.end() + part.start()..start.end() + part.end()));
    }
    found
}

/// Returns the ranges of passwords in `url`, in bytes, sorted and disjoint; none is empty.
///
/// `url` is one URL, which may be invalid and may hold others, as URLs of archives do; white space in it
/// belongs to it. A login begins after a scheme, its colon and its slashes, of which some may be missing. It
/// has a password if there is a colon in it and an `@` after that, or if an apparent port is not a number and
/// an `@` follows further on: a raw `/`, `?` or `@` in a password makes a parser see a host and a port there.
/// Takes time linear in the length of `url`.
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
        found = as_written(url);
    }
    if memmem::find(url, b"%40").is_some() {
        let (decoded, places) = decoded(url);
        let in_url = |range: Range<usize>| places[range.start]..places[range.end];
        found.extend(as_written(&decoded).into_iter().map(in_url));
    }
    merged(found, url.len())
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
