//! Standard output and standard error, and how bytes of any origin are shown to people: as UTF-8,
//! without control characters, and without passwords.

mod messages;
mod output;

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

pub(crate) use messages::{complain, complain_rendered, count, say};
pub(crate) use output::{Output, Stream, Style};

/// Shown instead of a password.
pub(crate) const HIDDEN: &str = "***";

/// Returns `c`, or a symbol for it if it controls a terminal or the direction of the text.
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

/// Returns whether `c` controls a terminal or the direction of the text.
pub(crate) fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns `bytes` as one line of text: symbols for control characters, and U+FFFD for each byte that
/// is not UTF-8.
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

/// Hands each character of `bytes` and its offset to `take`. A byte that is not UTF-8 is the
/// character U+FFFD.
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
    if let Some(start) = login_of(url) {
        logins.password(start, &mut found);
    }
    logins.all(&mut found);
    found
}

/// Where the login of `url` begins, if it may have one; the colon before the slashes may be missing.
fn login_of(url: &[u8]) -> Option<usize> {
    let name = url.iter().take_while(|byte| is_in_name(byte)).count();
    if url[name..].starts_with(b"//") {
        return Some(name + 2);
    }
    let colon = memchr::memchr(b':', url)?;
    let scheme = &url[..colon];
    let slashes = url[colon + 1..]
        .iter()
        .take_while(|byte| is_slash(byte))
        .count();
    (slashes > 0 || logs_in(scheme)).then_some(colon + 1 + slashes)
}

/// Whether people log in to what the scheme of that name leads to.
fn logs_in(scheme: &[u8]) -> bool {
    ["ftp", "telnet", "http", "https", "sftp", "ssh"]
        .iter()
        .any(|name| name.as_bytes().eq_ignore_ascii_case(scheme))
}

/// Whether `byte` is a slash, or what stands in front of one in strings of programs, or what is
/// taken for one.
fn is_slash(byte: &u8) -> bool {
    b"/\\".contains(byte)
}

/// Whether `byte` may stand in the name of a scheme.
fn is_in_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-.".contains(byte)
}

/// The longest name of a scheme before slashes without a colon.
const NAME: usize = 32;

/// Whether a URL may begin before these slashes: a scheme with its colon, or before two of them
/// without it.
fn begins_url(text: &[u8], slashes: Range<usize>, prose: bool) -> bool {
    let before = &text[..slashes.start];
    let (scheme, has_colon) = match before.strip_suffix(b":") {
        Some(scheme) => (scheme, true),
        None => (before, false),
    };
    let name = scheme.iter().rev().take(NAME);
    let name = name.take_while(|byte| is_in_name(byte)).count();
    let (before, scheme) = scheme.split_at(scheme.len() - name);
    match (has_colon, slashes.len()) {
        (true, 1) => logs_in(scheme),
        (true, _) => true,
        (false, 1) => false,
        (false, _) => {
            let last = before.last();
            prose && last.is_none_or(|&byte| byte == b':' || byte == b'(' || ends_url(byte))
        }
    }
}

/// Where a password may begin in `url`, if that was cut before the `@`: behind the first colon of
/// a login, where no port stands.
pub(crate) fn cut_password(url: &[u8]) -> Option<usize> {
    if memchr::memchr(b'@', url).is_some() {
        return None;
    }
    let others = memmem::find_iter(url, b"://").map(|slashes| slashes + 3);
    login_of(url).into_iter().chain(others).find_map(|start| {
        let (colon, end) = colon_of(&url[start..], |byte| b"/?#".contains(byte))?;
        let port = &url[start + colon..start + end];
        (!port.is_empty() && !is_port(port)).then_some(start + colon)
    })
}

/// Behind the first colon of the login that `text` begins with, and where that login ends.
fn colon_of(text: &[u8], ends: impl Fn(&u8) -> bool) -> Option<(usize, usize)> {
    let end = text.iter().position(ends).unwrap_or(text.len());
    let login = &text[..end];
    if login.starts_with(b"[") {
        return None;
    }
    Some((memchr::memchr(b':', login)? + 1, end))
}

fn is_port(text: &[u8]) -> bool {
    text.len() <= 5 && text.iter().all(u8::is_ascii_digit)
}

/// How far behind the end of a line the rest of a login is looked for, in bytes.
const REST: usize = 400;

/// Where a login goes on that `text` has before `at` and that lacks its `@`: up to the `@` in what
/// stands first in the next line, or further down where nothing else stands in the lines between.
/// Nothing unless the line ends at `at`.
pub(crate) fn rest_of_login(text: &[u8], at: usize) -> Vec<Range<usize>> {
    let text = &text[..text.len().min(at.saturating_add(REST))];
    let mut parts = Vec::new();
    let mut at = at;
    while line_ends(text, at)
        && let Some(token) = first_of_lines(text, at)
    {
        let part = &text[token.clone()];
        let login = part.iter().position(|byte| b"/?#".contains(byte));
        let login = &part[..login.unwrap_or(part.len())];
        let sign = memchr::memrchr(b'@', login).or_else(|| memchr::memchr(b'@', part));
        if let Some(sign) = sign {
            parts.push(token.start..token.start + sign);
            return parts;
        }
        at = token.end;
        parts.push(token);
    }
    Vec::new()
}

fn line_ends(text: &[u8], at: usize) -> bool {
    let mut rest = text.get(at..).unwrap_or_default().iter();
    let next = rest.find(|byte| !matches!(byte, b' ' | b'\t'));
    matches!(next, Some(b'\r' | b'\n'))
}

/// What stands first in the lines below `at`, behind quote marks and other leaders.
fn first_of_lines(text: &[u8], mut at: usize) -> Option<Range<usize>> {
    loop {
        let before = |byte: &u8| *byte <= b' ' || b">|".contains(byte);
        let start = at + text[at..].iter().position(|byte| !before(byte))?;
        let end = text[start..].iter().position(|&byte| ends_url(byte));
        let end = end.map_or(text.len(), |end| start + end);
        let speaks = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'@' || *byte >= 0x80;
        match text[start..end].iter().any(speaks) {
            true => return Some(start..end),
            false if start == end => return None,
            false => at = end,
        }
    }
}

/// Where passwords stand in `text`, whatever else is in it: in all that looks like `://user:…@`, or
/// like `telnet//user:…@`.
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
    /// Where the token goes on in the next lines, if it does.
    rest: Vec<Range<usize>>,
}

impl<'t> Logins<'t> {
    fn new(text: &'t [u8], prose: bool) -> Self {
        Logins {
            text,
            prose,
            token_end: 0,
            at_sign: 0,
            rest: Vec::new(),
        }
    }

    /// Adds every password after slashes that lie behind those in `found`.
    fn all(&mut self, found: &mut Vec<Range<usize>>) {
        let mut behind = 0;
        for at in memchr::memchr2_iter(b'/', b'\\', self.text) {
            if at < behind {
                continue;
            }
            let run = self.text[at..].iter().take_while(|byte| is_slash(byte));
            behind = at + run.count();
            if found.last().is_none_or(|last| at >= last.end)
                && begins_url(self.text, at..behind, self.prose)
            {
                self.password(behind, found);
            }
        }
    }

    /// Adds the password of the login that begins at `start`.
    ///
    /// It ends at the last `@` before the slash. Where a slash stands raw in the password, so that
    /// what precedes it is no port, it ends at the next `@`; and where the line ends before an `@`
    /// came, at one in the next line.
    fn password(&mut self, start: usize, found: &mut Vec<Range<usize>>) {
        let prose = self.prose;
        let ends = |byte: &u8| b"/?#".contains(byte) || (prose && ends_url(*byte));
        let Some((colon, end)) = colon_of(&self.text[start..], ends) else {
            return;
        };
        let (colon, end) = (start + colon, start + end);
        if let Some(at) = memchr::memrchr(b'@', &self.text[start..end]) {
            if colon < start + at {
                found.push(colon..start + at);
            }
        } else if !is_port(&self.text[colon..end]) {
            match self.at_sign(colon) {
                Some(at) if colon < at => found.push(colon..at),
                Some(_) => {}
                None if self.rest.is_empty() => {}
                None => {
                    found.push(colon..self.token_end);
                    found.extend_from_slice(&self.rest);
                }
            }
        }
    }

    /// The next `@` of the token that `from` lies in.
    fn at_sign(&mut self, from: usize) -> Option<usize> {
        if from >= self.token_end {
            let rest = &self.text[from..];
            let end = rest.iter().position(|&byte| self.prose && ends_url(byte));
            self.token_end = from + end.unwrap_or(rest.len());
            self.at_sign = from;
            self.rest = match self.prose {
                true => rest_of_login(self.text, self.token_end),
                false => Vec::new(),
            };
        }
        if from >= self.at_sign {
            let rest = &self.text[from..self.token_end];
            self.at_sign = memchr::memchr(b'@', rest).map_or(usize::MAX, |at| from + at);
        }
        (self.at_sign < usize::MAX).then_some(self.at_sign)
    }
}

/// Whether `byte` ends a URL in text.
pub(crate) fn ends_url(byte: u8) -> bool {
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
            ("telnet//joe:secret@a", "telnet//joe:***@a"),
            ("//joe:secret@a/", "//joe:***@a/"),
            ("x://p/http://joe:secret@a/", "x://p/http://joe:***@a/"),
            ("ftp://joe:@a.example/", "ftp://joe:@a.example/"),
            ("ftp://joe@a.example/", "ftp://joe@a.example/"),
            ("http://a.example:80/@x", "http://a.example:80/@x"),
            ("http://[::1]/x@y", "http://[::1]/x@y"),
            ("mailto:a:b@a.example", "mailto:a:b@a.example"),
            ("ftp://joe:***@a.example/", "ftp://joe:***@a.example/"),
            ("http:\\/\\/joe:secret@a", "http:\\/\\/joe:***@a"),
            ("http:\\\\joe:secret@a", "http:\\\\joe:***@a"),
        ];
        for (url, expected) in cases {
            let shown = redact(url.as_bytes());
            assert_eq!(String::from_utf8_lossy(&shown), expected);
        }
    }

    #[test]
    fn hides_what_goes_on_in_the_next_line() {
        let hidden = |text: &str| {
            let mut shown = text.to_owned();
            for range in passwords_in(text.as_bytes()).into_iter().rev() {
                shown.replace_range(range, "*");
            }
            shown
        };
        for (text, expected) in [
            ("<URL:ftp://u:sec\nret@a/>", "<URL:ftp://u:*\n*@a/>"),
            ("ftp://u:sec \r\n> ret@a/", "ftp://u:* \r\n> *@a/"),
            ("> ftp://u:s/c\n>> # r/t@a", "> ftp://u:*\n>> # *@a"),
            ("ftp://u:s\n\n\x0C\nre@t@a", "ftp://u:*\n\n\x0C\n*@a"),
            ("ftp://u:s\ncr\n@a/ or so", "ftp://u:*\n*\n*@a/ or so"),
            ("<URL:telnet//u:secret@a>", "<URL:telnet//u:*@a>"),
            (
                "x \"http:\\/\\/u:secret@a\\/\"",
                "x \"http:\\/\\/u:*@a\\/\"",
            ),
            ("or http:/u:secret@a", "or http:/u:*@a"),
        ] {
            assert_eq!(hidden(text), expected);
        }
        for text in [
            "gopher://host:port/",
            "x:/y:z@a",
            "http://a.example//x:y@z",
            "gopher://host:port\n",
            "gopher://host:port/\nor http://a.example/@x\n",
            "<gopher://host:port>\njoe@a.example",
            "gopher://host:port and\njoe@a.example",
            "gopher://host:port\n<joe@a.example>",
        ] {
            assert_eq!(hidden(text), text);
        }
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
