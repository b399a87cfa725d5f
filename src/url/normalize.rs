//! One way of writing a URL among those that mean the same.

use std::borrow::Cow;
use std::ops::Range;

use crate::lint::{escape_at, is_needless, is_of_dots};
use crate::standard::rfc1738::SCHEME;
use crate::text::byteset;
use crate::url::schemes::{Normal, Scheme, lookup};

/// `url`, written in the one way that stands for all that mean the same, by RFC 1738 and by RFC
/// 3986, sections 6.2.2 and 6.2.3, alike:
///
/// * the scheme in lower case;
/// * of http, https, ftp, file, gopher, nntp, telnet, wais and prospero the host in lower case, the
///   port without leading zeros, and not at all if it is the scheme's own;
/// * in what follows, escapes in upper case; of http, https, ftp and file letters, digits, `-`, `.`
///   and `_` decoded, but for dots that would make `.` or `..` of a segment;
/// * of http and https `/` for an empty path.
///
/// All else stays as it is: user and password, the order of a query, dots, the slash at the end,
/// `%7E` (a raw `~` is not valid by RFC 1738), the fragment, other schemes. Normalizing twice is
/// normalizing once, and a valid URL stays valid. Takes any bytes; borrows what is normal already.
///
/// ```
/// use urlint::normalize;
///
/// let url = normalize(b"HTTP://A.Example:80/%7ejoe/%61#Top");
/// assert_eq!(*url, *b"http://a.example/%7Ejoe/a#Top");
/// assert_eq!(*normalize(b"http://a.example"), *b"http://a.example/");
/// assert_eq!(*normalize(b"MAILTO:Joe@A.Example"), *b"mailto:Joe@A.Example");
/// ```
pub fn normalize(url: &[u8]) -> Cow<'_, [u8]> {
    let colon = SCHEME.skip(url, 0);
    if url.get(colon) != Some(&b':') || colon == 0 {
        return Cow::Borrowed(url);
    }
    let mut writer = Writer {
        url,
        out: Vec::new(),
        same: 0,
    };
    writer.lower(0..colon);
    if url[colon + 1..].starts_with(b"//")
        && let Some(scheme) = lookup(&url[..colon])
        && let Some(normal) = scheme.normal
    {
        writer.after_slashes(scheme, normal, colon + 3);
    }
    writer.finish()
}

/// Writes a URL anew, from the first byte that changes.
struct Writer<'u> {
    url: &'u [u8],
    /// What has been written in place of the first bytes.
    out: Vec<u8>,
    /// How many of them that were.
    same: usize,
}

impl<'u> Writer<'u> {
    fn replace(&mut self, range: Range<usize>, by: &[u8]) {
        self.out
            .extend_from_slice(&self.url[self.same..range.start]);
        self.out.extend_from_slice(by);
        self.same = range.end;
    }

    fn finish(mut self) -> Cow<'u, [u8]> {
        if self.same == 0 && self.out.is_empty() {
            return Cow::Borrowed(self.url);
        }
        self.out.extend_from_slice(&self.url[self.same..]);
        Cow::Owned(self.out)
    }

    fn lower(&mut self, range: Range<usize>) {
        let text = &self.url[range.clone()];
        if text.iter().any(u8::is_ascii_uppercase) {
            self.replace(range, &text.to_ascii_lowercase());
        }
    }

    /// Writes what follows `//`, which ends at `start`.
    fn after_slashes(&mut self, scheme: &Scheme, normal: Normal, start: usize) {
        let text = self.url;
        let end = byteset::find(b'#', text).unwrap_or(text.len()).max(start);
        let mut rest = memchr::memchr(b'/', &text[start..end]).map_or(end, |at| start + at);
        let question = memchr::memchr(b'?', &text[start..rest]).map(|at| start + at);
        match question {
            Some(at) if scheme.is_rooted && !text[at..rest].contains(&b'@') => rest = at,
            // Some would take it for a part of the user's name, some for the end of the host.
            Some(_) => return,
            None => {}
        }
        if text[start..rest].contains(&b'\\') {
            return;
        }
        let has_host = self.authority(scheme, start..rest);
        if scheme.is_rooted && has_host && text.get(rest) != Some(&b'/') {
            self.replace(rest..rest, b"/");
        }
        self.escapes(normal, rest..end);
    }

    /// Writes host and port; returns whether there is a host.
    fn authority(&mut self, scheme: &Scheme, range: Range<usize>) -> bool {
        let text = &self.url[range.clone()];
        let login = memchr::memrchr(b'@', text).map_or(0, |at| at + 1);
        let literal = match text.get(login) {
            Some(b'[') => memchr::memchr(b']', &text[login..]).unwrap_or(0),
            _ => 0,
        };
        let colon = memchr::memchr(b':', &text[login + literal..]);
        let host_end = colon.map_or(text.len(), |at| login + literal + at);
        let host = &text[login..host_end];
        // What is escaped may be anything, a zone for instance.
        if !host.is_empty() && !host.contains(&b'%') {
            self.lower(range.start + login..range.start + host_end);
            if colon.is_some() {
                self.port(scheme, range.start + host_end..range.end);
            }
        }
        !host.is_empty()
    }

    /// Writes a port, with the colon before it.
    fn port(&mut self, scheme: &Scheme, range: Range<usize>) {
        let digits = &self.url[range.start + 1..range.end];
        let Some(own) = scheme.port else {
            return;
        };
        if !digits.iter().all(u8::is_ascii_digit) {
            return;
        }
        let zeros = digits.iter().take_while(|&&byte| byte == b'0').count();
        if digits[zeros..] == *own.to_string().as_bytes() {
            self.replace(range, b"");
        } else if zeros > 0 && zeros < digits.len() {
            self.replace(range.start + 1..range.start + 1 + zeros, b"");
        }
    }

    /// Writes the escapes in `range`.
    fn escapes(&mut self, normal: Normal, range: Range<usize>) {
        let text = &self.url[..range.end];
        let undecoded = normal.decoded_until.map_or(range.start, |until| {
            let ends = |byte: &u8| until.contains(byte);
            let end = text[range.clone()].iter().position(ends);
            end.map_or(range.end, |at| range.start + at)
        });
        let mut at = range.start;
        while let Some(found) = memchr::memchr(b'%', &text[at..]) {
            at += found;
            let Some(byte) = escape_at(text, at, text.len()) else {
                at += 1;
                continue;
            };
            let escape = at..at + 3;
            let plain = at < undecoded && is_needless(byte) && !completes(text, at);
            if plain && !(byte == b'.' && is_of_dots(text, at)) {
                self.replace(escape, &[byte]);
            } else if text[escape.clone()].iter().any(u8::is_ascii_lowercase) {
                let upper = text[escape.clone()].to_ascii_uppercase();
                self.replace(escape, &upper);
            }
            at += 3;
        }
    }
}

/// Whether what the escape at `at` stands for would make an escape of what is before it: of a `%`
/// that begins none.
fn completes(text: &[u8], at: usize) -> bool {
    matches!(text[..at], [.., b'%'] | [.., b'%', _])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(url: &str) -> String {
        String::from_utf8_lossy(&normalize(url.as_bytes())).into_owned()
    }

    #[test]
    fn what_means_the_same_is_written_the_same() {
        let cases = [
            ("HTTP://A.Example/X", "http://a.example/X"),
            ("http://a.example", "http://a.example/"),
            ("http://a.example#Top", "http://a.example/#Top"),
            ("http://a.example?Q", "http://a.example/?Q"),
            ("https://A.example:443", "https://a.example/"),
            ("http://a.example:0080/", "http://a.example/"),
            ("http://a.example:08080/", "http://a.example:8080/"),
            (
                "ftp://Joe:Geheim@A.example:21/x",
                "ftp://Joe:Geheim@a.example/x",
            ),
            (
                "http://a.example/%7ejoe/%61%2d",
                "http://a.example/%7Ejoe/a-",
            ),
            ("http://a.example/x?%61=%3d", "http://a.example/x?a=%3D"),
            ("http://[::FFFF:1]:80/", "http://[::ffff:1]/"),
            ("ftp://a.example/%61;type=%61", "ftp://a.example/a;type=%61"),
            (
                "gopher://A.example:70/0%61%3a",
                "gopher://a.example/0%61%3A",
            ),
            ("file://LOCALHOST/C%3a", "file://localhost/C%3A"),
            ("MAILTO:Joe@A.example", "mailto:Joe@A.example"),
            ("X-Own://Host:80/%7e", "x-own://Host:80/%7e"),
        ];
        for (url, expected) in cases {
            assert_eq!(normal(url), expected, "{url}");
        }
    }

    #[test]
    fn what_may_mean_something_else_stays() {
        let cases = [
            "http://a.example/a/../%2E%2E/%2E",
            "http://a.example/%2F%3B%3F%3A%40%26%3D%23%25%24",
            "http://a.example/~joe",
            "http://a.example/x/",
            "http://a.example/?b&a",
            "http://a.example/#%61",
            "http://a.example:/",
            "http://a.example:0/",
            "http://a.example:x/",
            "http://a%2EExample:80/",
            "http://A\\@B.example:80/%61",
            "http:///x",
            "http:A.example",
            "ftp://A?B@C.example:21/%61",
            "https://A.example?b@C.example",
            "ftp://a.example",
            "http://a.example/%%31",
            "http://a.example/%2%35",
            "http://a.example/100%",
            "news:A%2ab@C.example",
            "www.A.example/x",
            ":x",
            "",
        ];
        for url in cases {
            assert_eq!(normal(url), url);
        }
    }

    #[test]
    fn what_is_normal_is_borrowed() {
        let normal = normalize(b"http://a.example/%7Ex#y");
        assert!(matches!(normal, Cow::Borrowed(_)));
    }
}
