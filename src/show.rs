//! How bytes from anywhere are shown to people: as UTF-8, without control characters, and without
//! passwords.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

/// What stands for a password.
pub(crate) const HIDDEN: &str = "***";

/// `c`, or a harmless picture of it where it would act on a terminal or turn the text around.
pub(crate) fn harmless(c: char) -> char {
    match c {
        '\0'..='\x1f' => {
            char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        '\x7f' => '\u{2421}',
        c if is_harmful(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// Whether `c` controls a terminal or the direction of the text.
pub(crate) fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `bytes` on one line: control characters as pictures, each byte that is not UTF-8 as U+FFFD.
pub(crate) fn line(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.chars().any(is_harmful) => Cow::Borrowed(text),
        _ => {
            let mut shown = String::with_capacity(bytes.len());
            each_char(bytes, |_, c| shown.push(harmless(c)));
            Cow::Owned(shown)
        }
    }
}

/// Hands each character of `bytes` and its offset to `take`; a byte that is not UTF-8 counts as one
/// character, U+FFFD.
pub(crate) fn each_char(bytes: &[u8], mut take: impl FnMut(usize, char)) {
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        for (offset, c) in chunk.valid().char_indices() {
            take(at + offset, c);
        }
        at += chunk.valid().len();
        for _ in chunk.invalid() {
            take(at, char::REPLACEMENT_CHARACTER);
            at += 1;
        }
    }
}

/// `url` with `***` for each password in it, its own and those of URLs inside it.
pub(crate) fn redact(url: &[u8]) -> Cow<'_, [u8]> {
    let passwords = passwords_of(url);
    if passwords.is_empty() {
        return Cow::Borrowed(url);
    }
    Cow::Owned(redact_part(url, 0..url.len(), &passwords))
}

/// The part `range` of `url`, with `***` for what lies in `passwords`.
pub(crate) fn redact_part(url: &[u8], range: Range<usize>, passwords: &[Range<usize>]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(range.len());
    let mut at = range.start;
    for password in passwords {
        let (start, end) = (password.start.max(at), password.end.min(range.end));
        if start < end {
            shown.extend_from_slice(&url[at..start]);
            shown.extend_from_slice(HIDDEN.as_bytes());
            at = end;
        }
    }
    shown.extend_from_slice(&url[at..range.end.max(at)]);
    shown
}

/// Where the passwords of `url` stand. A URL that lacks its slashes has one too.
pub(crate) fn passwords_of(url: &[u8]) -> Vec<Range<usize>> {
    let mut logins = Logins::new(url, false);
    let mut found = Vec::new();
    if let Some(colon) = memchr::memchr(b':', url) {
        let scheme = &url[..colon];
        let slashes = url[colon + 1..]
            .iter()
            .take_while(|byte| b"/\\".contains(byte))
            .count();
        let logs_in = ["ftp", "telnet", "http", "https", "sftp", "ssh"]
            .iter()
            .any(|name| name.as_bytes().eq_ignore_ascii_case(scheme));
        if slashes > 0 || logs_in {
            found.extend(logins.password(colon + 1 + slashes));
        }
    }
    logins.all(&mut found);
    found
}

/// Where passwords stand in `text`, whatever else is in it: in all that looks like `://user:…@`.
pub(crate) fn passwords_in(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    Logins::new(text, true).all(&mut found);
    found
}

/// Looks for logins, and remembers how far it looked, so that the time stays linear.
struct Logins<'t> {
    text: &'t [u8],
    /// Whether more than one URL is in it: white space and angle brackets end one.
    prose: bool,
    token_end: usize,
    at_sign: usize,
}

impl<'t> Logins<'t> {
    fn new(text: &'t [u8], prose: bool) -> Self {
        Logins {
            text,
            prose,
            token_end: 0,
            at_sign: 0,
        }
    }

    /// Adds every password after a `://` that lies behind those in `found`.
    fn all(&mut self, found: &mut Vec<Range<usize>>) {
        for slashes in memmem::find_iter(self.text, b"://") {
            if found.last().is_none_or(|last| slashes >= last.end) {
                found.extend(self.password(slashes + 3));
            }
        }
    }

    /// The password of the login that begins at `start`.
    ///
    /// It ends at the last `@` before the slash. Where a slash stands raw in the password, so that
    /// what precedes it is no port, it ends at the next `@`; and where the line ends before an `@`
    /// came, it may go on in the next one, so the rest of the line is hidden.
    fn password(&mut self, start: usize) -> Option<Range<usize>> {
        let login = &self.text[start..];
        let ends = |byte: &u8| b"/?#".contains(byte) || (self.prose && ends_url(*byte));
        let login = &login[..login.iter().position(ends).unwrap_or(login.len())];
        if login.starts_with(b"[") {
            return None;
        }
        let colon = start + memchr::memchr(b':', login)? + 1;
        let port = &self.text[colon..start + login.len()];
        let end = match memchr::memrchr(b'@', login) {
            Some(at) => start + at,
            None if port.len() <= 5 && port.iter().all(u8::is_ascii_digit) => return None,
            None => self.at_sign(colon)?,
        };
        (colon < end).then_some(colon..end)
    }

    /// The next `@` of the token that `from` lies in, or else its end if that is a line's end.
    fn at_sign(&mut self, from: usize) -> Option<usize> {
        if from >= self.token_end {
            let rest = &self.text[from..];
            let end = rest.iter().position(|&byte| self.prose && ends_url(byte));
            self.token_end = from + end.unwrap_or(rest.len());
            self.at_sign = from;
        }
        if from >= self.at_sign {
            let rest = &self.text[from..self.token_end];
            self.at_sign = memchr::memchr(b'@', rest).map_or(usize::MAX, |at| from + at);
        }
        let broken = matches!(self.text.get(self.token_end), Some(b'\r' | b'\n'));
        match self.at_sign {
            usize::MAX if broken && self.prose => Some(self.token_end),
            usize::MAX => None,
            at => Some(at),
        }
    }
}

fn ends_url(byte: u8) -> bool {
    byte <= b' ' || b"<>\"".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redacts() {
        let cases = [
            ("ftp://joe:secret@a.example/", "ftp://joe:***@a.example/"),
            ("ftp://joe:s@cret@a.example/", "ftp://joe:***@a.example/"),
            ("ftp://joe:s/cret@a.example/", "ftp://joe:***@a.example/"),
            ("ftp://joe:s cret@a.example/", "ftp://joe:***@a.example/"),
            ("ftp://:secret@a.example", "ftp://:***@a.example"),
            ("ftp:joe:secret@a.example/", "ftp:joe:***@a.example/"),
            ("http:/joe:secret@a.example/", "http:/joe:***@a.example/"),
            ("x://p/http://joe:secret@a/", "x://p/http://joe:***@a/"),
            ("ftp://joe:@a.example/", "ftp://joe:@a.example/"),
            ("ftp://joe@a.example/", "ftp://joe@a.example/"),
            ("http://a.example:80/@x", "http://a.example:80/@x"),
            ("http://[::1]/x@y", "http://[::1]/x@y"),
            ("mailto:a:b@a.example", "mailto:a:b@a.example"),
            ("ftp://joe:***@a.example/", "ftp://joe:***@a.example/"),
        ];
        for (url, expected) in cases {
            let shown = redact(url.as_bytes());
            assert_eq!(String::from_utf8_lossy(&shown), expected);
        }
    }

    #[test]
    fn hides_what_goes_on_in_the_next_line() {
        let broken = passwords_in(b"<URL:ftp://joe:sec\nret@a/>");
        assert_eq!(broken.first(), Some(&(15..18)));
        assert!(passwords_in(b"http://a.example:80\n").is_empty());
    }

    #[test]
    fn shows_no_control_characters() {
        assert_eq!(
            line(b"a\x1b[31m\xff\xc3\xa9\x7f"),
            "a\u{241b}[31m\u{fffd}\u{e9}\u{2421}"
        );
        assert_eq!(line("\u{9b}\u{202e}".as_bytes()), "\u{fffd}\u{fffd}");
    }
}
