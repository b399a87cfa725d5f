//! Passwords in URLs, so that they are not shown.
//!
//! Where a password stands is asked of *any* text, valid or not, and on the safe side: a raw `/`,
//! `?` or `@` in a password makes the grammar see a host and a port there, but what looks like a
//! port and is no number, and has an `@` somewhere behind it, is taken for a part of a password.
//! A port that is a number never is.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;

/// Where the password of `url` stands, if it has one that is not empty. The URL may be invalid, and
/// it may be one that holds another, as those of archives do: the first password found counts.
///
/// ```
/// use urlint::redact::password;
///
/// assert_eq!(password(b"ftp://joe:secret@a.example/"), Some(10..16));
/// assert_eq!(password(b"ftp://joe:se/cret@a.example/"), Some(10..17));
/// assert_eq!(password(b"http://a.example:80/@joe"), None);
/// ```
pub fn password(url: &[u8]) -> Option<Range<usize>> {
    passwords(url).next()
}

/// The same URL with `***` in place of every password.
///
/// ```
/// use urlint::redact::redacted;
///
/// assert_eq!(&*redacted(b"ftp://joe:secret@a.example/"), b"ftp://joe:***@a.example/");
/// assert_eq!(&*redacted(b"ftp://joe@a.example/"), b"ftp://joe@a.example/");
/// ```
pub fn redacted(url: &[u8]) -> Cow<'_, [u8]> {
    let mut text = Vec::new();
    let mut from = 0;
    for range in passwords(url) {
        text.extend_from_slice(&url[from..range.start]);
        text.extend_from_slice(b"***");
        from = range.end;
    }
    if from == 0 {
        return Cow::Borrowed(url);
    }
    text.extend_from_slice(&url[from..]);
    Cow::Owned(text)
}

/// Every password of `url`, in order.
pub(crate) fn passwords(url: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    // Without an `@` further on nothing can be a password.
    let last = memchr::memrchr(b'@', url).unwrap_or(0);
    std::iter::from_fn(move || {
        while at < last {
            let (range, next) = next_authority(url, at)?;
            at = next;
            if range.is_some() {
                return range;
            }
        }
        None
    })
}

/// Looks at what follows the next colon with slashes from `at` on: its password, and where to go on.
fn next_authority(url: &[u8], at: usize) -> Option<(Option<Range<usize>>, usize)> {
    let slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    let (colon, slashes) = match before_slashes(url).filter(|_| at == 0) {
        Some(end) => (end, end),
        None => {
            let mut pairs = url[at..].windows(2);
            let colon = at + pairs.position(|pair| pair[0] == b':' && slash(&pair[1]))?;
            (colon, colon + 1)
        }
    };
    let start = slashes + url[slashes..].iter().take_while(|byte| slash(byte)).count();
    // A password of these two schemes may have a raw `?` (RFC 1738, section 3.1).
    let login = [&b"ftp"[..], b"telnet"].iter().any(|scheme| {
        let before = &url[at..colon];
        before.len() >= scheme.len()
            && before[before.len() - scheme.len()..].eq_ignore_ascii_case(scheme)
    });
    let end_of = |from: usize| {
        let ends = |&byte: &u8| slash(&byte) || byte == b'#' || (byte == b'?' && !login);
        from + url[from..]
            .iter()
            .position(ends)
            .unwrap_or(url.len() - from)
    };

    let end = end_of(start);
    let authority = &url[start..end];
    let last_at = memchr::memrchr(b'@', authority).map(|at| start + at);
    let userinfo = start..last_at.unwrap_or(end);
    let Some(colon) = first_colon(url, userinfo, last_at.is_some()) else {
        return Some((None, end));
    };
    let password = colon + 1;
    let mut close = match last_at {
        Some(at) => at,
        None if is_port(&url[password..end]) => return Some((None, end)),
        None => match at_sign(url, end, end_of) {
            Some(at) => at,
            None => return Some((None, end)),
        },
    };
    // The host behind the `@` may have no port either, but a rest of the password.
    loop {
        let end = end_of(close);
        let Some(colon) = first_colon(url, close + 1..end, false) else {
            break;
        };
        if is_port(&url[colon + 1..end]) {
            break;
        }
        let Some(at) = at_sign(url, end, end_of) else {
            break;
        };
        close = at;
    }
    Some(((password < close).then_some(password..close), close))
}

/// Where the scheme of `url` ends, if the colon before the slashes is missing: `telnet//joe:…@host`.
fn before_slashes(url: &[u8]) -> Option<usize> {
    let in_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let end = url.iter().take_while(in_name).count();
    url[end..].starts_with(b"//").then_some(end)
}

/// The first colon of `part`. Where no user name can be, the colons of an address in brackets are
/// passed over.
fn first_colon(url: &[u8], part: Range<usize>, user: bool) -> Option<usize> {
    let mut start = part.start;
    if !user && url.get(start) == Some(&b'[') {
        start += memchr(b']', &url[part.clone()])?;
    }
    memchr(b':', url.get(start..part.end)?).map(|at| start + at)
}

/// The last `@` of the part in which the next one from `from` on stands.
fn at_sign(url: &[u8], from: usize, end_of: impl Fn(usize) -> usize) -> Option<usize> {
    let first = from + memchr(b'@', &url[from..])?;
    let end = end_of(first);
    memchr::memrchr(b'@', &url[first..end]).map(|at| first + at)
}

fn is_port(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_hidden() {
        let cases = [
            ("ftp://u:p@h/x", "ftp://u:***@h/x"),
            ("http://u:p@h/x", "http://u:***@h/x"),
            ("https://u:p@h:443/x@y", "https://u:***@h:443/x@y"),
            ("HTTPS://u:p@h", "HTTPS://u:***@h"),
            ("ftp://:p@h/", "ftp://:***@h/"),
            ("ftp://u:p:q@h/", "ftp://u:***@h/"),
            ("ftp://u:p@q@h/", "ftp://u:***@h/"),
            ("ftp://u:p?q@h/", "ftp://u:***@h/"),
            ("ftp://u:12?34@h/", "ftp://u:***@h/"),
            ("https://u:p?q@h/", "https://u:***@h/"),
            ("ftp://u:a/z@host/x", "ftp://u:***@host/x"),
            ("ftp://u:a/b/c@host/x", "ftp://u:***@host/x"),
            ("ftp://u:a/z@q@host/x", "ftp://u:***@host/x"),
            ("ftp://u:p@s:w/d@host/x", "ftp://u:***@host/x"),
            ("ftp://u:p#q@h", "ftp://u:***@h"),
            ("http://u:p\\q@h", "http://u:***@h"),
            ("http:\\\\u:p@h\\x", "http:\\\\u:***@h\\x"),
            ("http:/u:p@h/", "http:/u:***@h/"),
            ("http:///u:p@h/", "http:///u:***@h/"),
            ("ssh://git:tok en@h", "ssh://git:***@h"),
            ("URL:http://u:p@h/", "URL:http://u:***@h/"),
            (
                "http://web.example/1999/ftp://u:p@h/x",
                "http://web.example/1999/ftp://u:***@h/x",
            ),
            ("http://a:b@c/http://d:e@f", "http://a:***@c/http://d:***@f"),
            ("http://u:p@[::1]:80/", "http://u:***@[::1]:80/"),
            ("telnet//u:p?q@h", "telnet//u:***@h"),
            ("//u:p@h/ftp://u:p@h", "//u:***@h/ftp://u:***@h"),
        ];
        for (url, expected) in cases {
            let found = redacted(url.as_bytes());
            assert_eq!(String::from_utf8_lossy(&found), expected, "{url}");
        }
    }

    #[test]
    fn nothing_else_is_hidden() {
        let cases = [
            "",
            "@",
            "http://h:80/@x",
            "http://h:80?x=a@b",
            "http://h:80#@x",
            "http://h:/@x",
            "http://h/a:b@c",
            "http://[::1]/@x",
            "http://[2001:db8::1]:80/@x",
            "http://u@h:80/",
            "ftp://u:@h/",
            "ftp://h:21",
            "ftp://h:x/y",
            "ftp//h/x:y@z",
            "mailto:a:b@c",
            "news:a:b@c",
        ];
        for url in cases {
            assert!(
                matches!(redacted(url.as_bytes()), Cow::Borrowed(_)),
                "{url}"
            );
        }
    }

    #[test]
    fn takes_linear_time() {
        let parts = [
            "://a:b@",
            "://a:b/",
            "://a:1/",
            ":/",
            "@",
            "://a:b@c:d/",
            "://[",
            "x",
        ];
        for part in parts {
            let text = part.repeat(200_000);
            redacted(text.as_bytes());
            redacted(format!("{text}@").as_bytes());
        }
    }
}
