//! A candidate's URL, taken apart for the rules to look at.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

use super::diagnostic::{Applicability, Edit, Fix};
use super::rule::Rule;
use crate::find::candidate::{Candidate, Delimiter, Flag};
use crate::standard::rfc1738::{Components, Parsed, Part, Predefined, code_point_len, parse};
use crate::text::span::{Span, Spans};
use crate::url::password::{masked, passwords_before};

use super::finding::Finding;

/// The most bytes that a message quotes.
const QUOTED: usize = 80;

/// A candidate's URL, taken apart.
///
/// User, password, host and port are told apart in every URL with `//`, whether its scheme has
/// them or not, so that rules about them see `https` too.
pub(super) struct Url<'c> {
    pub(super) candidate: &'c Candidate<'c>,
    /// The URL without its fragment.
    pub(super) text: &'c [u8],
    pub(super) parsed: Parsed<'c>,
    /// What stands between `//` and the path.
    pub(super) authority: Option<Part>,
    pub(super) user: Option<Part>,
    pub(super) password: Option<Part>,
    pub(super) host: Option<Part>,
    pub(super) port: Option<Part>,
    /// What follows the authority, or the colon where there is none.
    pub(super) rest: Part,
    /// What follows the candidate in its text, if that is known.
    after: Option<&'c [u8]>,
    secrets: Vec<Part>,
    /// For each problem the furthest end of those up to it: they come in the order of their starts.
    reach: Vec<usize>,
}

impl<'c> Url<'c> {
    pub(super) fn new(candidate: &'c Candidate<'c>, after: Option<&'c [u8]>) -> Self {
        let text = candidate.url();
        let parsed = parse(text);
        let colon = memchr::memchr(b':', text).map_or(0, |colon| colon + 1);
        let mut url = Url {
            candidate,
            text,
            authority: None,
            user: None,
            password: None,
            host: None,
            port: None,
            rest: colon..text.len(),
            after,
            secrets: passwords_in(&candidate.text, after),
            reach: furthest_ends(&parsed),
            parsed,
        };
        match &url.parsed.components {
            Components::Unknown | Components::Mailto { .. } | Components::Group { .. } => {}
            Components::Article { host, .. } => url.host = Some(host.clone()),
            _ => url.split_authority(colon),
        }
        url
    }

    /// Splits as `ip-schemepart` does, with the components' ends that the scheme has.
    fn split_authority(&mut self, colon: usize) {
        if !self.text[colon..].starts_with(b"//") {
            return;
        }
        let start = colon + 2;
        let ends: &[u8] = match self.parsed.predefined() {
            Some(Predefined::Ftp | Predefined::File | Predefined::Telnet) => b"/",
            _ => b"/?",
        };
        let end = self.text[start..]
            .iter()
            .position(|byte| ends.contains(byte))
            .map_or(self.text.len(), |at| start + at);
        let mut host = start..end;
        if let Some(at) = memchr::memrchr(b'@', &self.text[start..end]) {
            let at = start + at;
            host.start = at + 1;
            let colon = memchr::memchr(b':', &self.text[start..at]).map(|colon| start + colon);
            self.user = Some(start..colon.unwrap_or(at));
            self.password = colon.map(|colon| colon + 1..at);
        }
        let literal = match self.text.get(host.start) {
            Some(b'[') => memchr::memchr(b']', &self.text[host.clone()]).unwrap_or(0),
            _ => 0,
        };
        let after = host.start + literal;
        if let Some(colon) = memchr::memchr(b':', &self.text[after..host.end]) {
            self.port = Some(after + colon + 1..host.end);
            host.end = after + colon;
        }
        self.host = Some(host);
        self.authority = Some(start..end);
        self.rest = end..self.text.len();
    }

    pub(super) fn slice(&self, part: &Part) -> &'c [u8] {
        self.text.get(part.clone()).unwrap_or_default()
    }

    /// The scheme in lower case, if it is one of the ten, or as written.
    pub(super) fn scheme(&self) -> &'c str {
        self.parsed.scheme().unwrap_or_default()
    }

    pub(super) fn is_scheme(&self, names: &[&str]) -> bool {
        names
            .iter()
            .any(|name| self.scheme().eq_ignore_ascii_case(name))
    }

    /// Where the scheme stands.
    pub(super) fn scheme_part(&self) -> Part {
        0..self.scheme().len()
    }

    pub(super) fn host(&self) -> &'c [u8] {
        self.host.as_ref().map_or(&[], |host| self.slice(host))
    }

    /// Whether the URL stands in `<` and `>` or is what markup says it is, so that no character of it
    /// can belong to the text.
    pub(super) fn is_wrapped(&self) -> bool {
        matches!(
            self.candidate.delimiter,
            Delimiter::Wrapper | Delimiter::Angle | Delimiter::Target
        ) && !self.candidate.flags.has(Flag::Unterminated)
    }

    /// Whether a problem of the grammar touches `range`.
    pub(super) fn has_problem_in(&self, range: &Part) -> bool {
        let problems = &self.parsed.problems;
        let before = problems.partition_point(|problem| problem.range.start < range.end);
        let reach = before.checked_sub(1).and_then(|last| self.reach.get(last));
        reach.is_some_and(|&end| range.start < end)
    }

    /// Something found at `range` of the candidate's text.
    pub(super) fn finding(&self, rule: Rule, range: Part, message: impl Into<String>) -> Finding {
        Finding::new(rule, self.spans(range), message)
    }

    pub(super) fn spans(&self, range: Part) -> Spans {
        self.candidate.pieces.slice(range)
    }

    /// A fix that replaces ranges of the candidate's text. There is none where the text's bytes
    /// are not the source's, nor where it would show a part of a password.
    pub(super) fn fix(
        &self,
        message: impl Into<String>,
        applicability: Applicability,
        edits: &[(Part, &str)],
    ) -> Option<Fix> {
        let shows = |(range, text): &(Part, &str)| !text.is_empty() && self.is_secret(range);
        let pieces = &self.candidate.pieces;
        if !self.stands_raw() || edits.iter().any(shows) {
            return None;
        }
        let edits = edits.iter();
        Some(Fix {
            message: message.into(),
            applicability,
            edits: edits
                .flat_map(|(range, text)| edits_in_pieces(&pieces.slice(range.clone()), text))
                .collect(),
        })
    }

    /// Whether the URL's bytes are the source's, and not decoded from others.
    pub(super) fn stands_raw(&self) -> bool {
        self.candidate.pieces.len() == self.candidate.text.len() as u64
    }

    /// The passwords in the candidate's text, in order.
    pub(super) fn secrets(&self) -> &[Part] {
        &self.secrets
    }

    /// `text`, which is a reading of the candidate, without its passwords.
    pub(super) fn redacted(&self, text: &[u8]) -> String {
        let redacted = masked(text, &passwords_in(text, self.after));
        String::from_utf8_lossy(&redacted).into_owned()
    }

    /// Whether a part of a password stands at `range` of the candidate's text.
    pub(super) fn is_secret(&self, range: &Part) -> bool {
        let touches = |secret: &Part| secret.start < range.end && range.start < secret.end;
        self.secrets.iter().any(touches)
    }

    /// `range` of the candidate's text as a message may show it: in backquotes, nothing that
    /// cannot be printed, nothing of a password, and not too long.
    pub(super) fn quoted(&self, range: &Part) -> String {
        let text = self.candidate.text.get(range.clone()).unwrap_or_default();
        match text {
            b"`" => return "the grave accent".to_owned(),
            _ if self.is_secret(range) => return "`***`".to_owned(),
            _ => {}
        }
        let mut end = text.len().min(QUOTED);
        while text.get(end).is_some_and(|byte| byte & 0xC0 == 0x80) && end > QUOTED - 4 {
            end -= 1;
        }
        let short = &text[..end];
        let mut printed = printable(short);
        if short.len() < text.len() {
            printed.push('…');
        }
        match printed
            .strip_prefix('<')
            .and_then(|name| name.strip_suffix('>'))
        {
            Some(name) if code_point_len(text) == text.len() => name.to_owned(),
            _ => format!("`{printed}`"),
        }
    }
}

/// The passwords in `text`, in order; `after` is what follows it.
fn passwords_in(text: &[u8], after: Option<&[u8]>) -> Vec<Part> {
    let mut passwords = passwords_before(text, after);
    passwords.retain_mut(|password| {
        password.end = password.end.min(text.len());
        password.start < password.end
    });
    passwords
}

fn furthest_ends(parsed: &Parsed<'_>) -> Vec<usize> {
    let ends = parsed.problems.iter().map(|problem| problem.range.end);
    ends.scan(0, |furthest, end| {
        *furthest = end.max(*furthest);
        Some(*furthest)
    })
    .collect()
}

/// One edit for each piece: the bytes go where they fit, so that a line break between two pieces
/// stays where it is.
fn edits_in_pieces(spans: &Spans, text: &str) -> Vec<Edit> {
    let mut rest = text;
    let last = spans.iter().count() - 1;
    let edit = |(i, span): (usize, Span)| {
        let room = if i == last {
            rest.len()
        } else {
            rest.len().min(span.len() as usize)
        };
        let (replacement, after) = rest.split_at_checked(room).unwrap_or((rest, ""));
        rest = after;
        let replacement = replacement.to_owned();
        Edit { span, replacement }
    };
    spans.iter().enumerate().map(edit).collect()
}

/// `text` with the names of what cannot be printed: `<U+200B>` for a character, `<0xE9>` for a byte
/// that is no UTF-8.
pub(super) fn printable(text: &[u8]) -> String {
    let mut shown = String::new();
    for chunk in code_points(text) {
        // Writing to a string does not fail.
        let _ = match chunk {
            Ok(c) if is_printable(c) => write!(shown, "{c}"),
            Ok(c) => write!(shown, "<U+{:04X}>", c as u32),
            Err(byte) => write!(shown, "<0x{byte:02X}>"),
        };
    }
    shown
}

/// The characters of `text`, and the bytes between them that are no UTF-8.
pub(super) fn code_points(text: &[u8]) -> impl Iterator<Item = Result<char, u8>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let &byte = text.get(at)?;
        let bytes = &text[at..at + code_point_len(&text[at..])];
        at += bytes.len();
        let c = std::str::from_utf8(bytes)
            .ok()
            .and_then(|text| text.chars().next());
        Some(c.ok_or(byte))
    })
}

fn is_printable(c: char) -> bool {
    let hidden = c.is_control() || (c.is_whitespace() && c != ' ');
    !hidden
        && !matches!(c as u32,
            0xAD | 0x600..=0x605 | 0x61C | 0x6DD | 0x70F | 0x180E | 0x200B..=0x200F
            | 0x202A..=0x202E | 0x2060..=0x206F | 0xE000..=0xF8FF | 0xFE00..=0xFE0F | 0xFEFF
            | 0xFFF0..=0xFFFF | 0xE0000..)
}

/// An escape of a URL: where it stands and what it stands for.
#[derive(Clone, Copy)]
pub(super) struct Escape {
    pub(super) at: usize,
    pub(super) byte: u8,
}

impl Escape {
    pub(super) fn range(self) -> Part {
        self.at..self.at + 3
    }
}

/// The escapes in `range` of `text`, one after the other.
pub(super) fn escapes(text: &[u8], range: Range<usize>) -> impl Iterator<Item = Escape> + '_ {
    let Range { mut start, end } = range;
    std::iter::from_fn(move || {
        loop {
            start += memchr::memchr(b'%', text.get(start..end)?)?;
            let at = start;
            match escape_at(text, at, end) {
                Some(byte) => {
                    start += 3;
                    return Some(Escape { at, byte });
                }
                None => start += 1,
            }
        }
    })
}

/// What the escape at `at` stands for, if there is one.
pub(crate) fn escape_at(text: &[u8], at: usize, end: usize) -> Option<u8> {
    let &[b'%', high, low] = text.get(at..(at + 3).min(end))? else {
        return None;
    };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

/// `text` with its escapes decoded.
pub(super) fn decoded(text: &[u8]) -> Cow<'_, [u8]> {
    let mut bytes = Vec::new();
    let mut from = 0;
    for escape in escapes(text, 0..text.len()) {
        bytes.extend_from_slice(&text[from..escape.at]);
        bytes.push(escape.byte);
        from = escape.at + 3;
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    bytes.extend_from_slice(&text[from..]);
    Cow::Owned(bytes)
}
