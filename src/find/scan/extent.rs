//! Where a URL ends that no wrapper closes, and why.

use super::unicode;
use super::unicode::Role;
use crate::find::candidate::Candidate;
use crate::standard::rfc1738::code_point_len;
use crate::text::byteset::ByteSet;
use crate::text::window::Text;

/// Why a URL ends where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// At the line's end or that of the text, blanks before it included.
    LineEnd,
    /// At the closer that was asked for.
    Closer,
    /// At any other character that cannot belong to it.
    Character,
    /// At the limit.
    Limit,
}

/// What the bytes before the end have opened, so that a URL can be read on in another line.
#[derive(Clone, Copy, Default)]
pub(crate) struct Extent {
    /// What ends the URL before anything else: a quotation mark.
    closer: Option<u8>,
    /// Whether the URL stands in quotes of source code, in which what is written `\n` ends it too;
    /// `None` until that is looked for.
    quoted: Option<bool>,
    /// How many round, square and curly brackets are open.
    open: [u32; 3],
    /// Whether a `?` or `#` has been passed.
    in_query: bool,
}

/// What goes on with a URL whatever stands around it.
static PLAIN: ByteSet = ByteSet::alphanumeric_and(b"-._~/:=%+$!*@^");

/// Whether `byte` ends a URL wherever it stands.
fn ends(byte: u8) -> bool {
    matches!(byte, 0..=b' ' | 0x7F | b'<' | b'>' | b'"' | b'`')
}

impl Extent {
    /// Nothing read yet; `closer` is the quotation mark that ends the URL, if one opens it, and
    /// `code` whether its quotes are those of source code.
    pub(crate) fn up_to(closer: Option<u8>, code: bool) -> Self {
        let quoted = match code {
            true => closer.map(|_| true),
            false => Some(false),
        };
        Extent {
            closer,
            quoted,
            ..Extent::default()
        }
    }

    /// The same as [`Extent::read`], quicker for a URL with nothing in it that needs a look and
    /// nothing behind it in its line.
    #[inline(always)]
    pub(super) fn read_plain_line(
        &mut self,
        text: &Text<'_>,
        start: usize,
        from: usize,
    ) -> (usize, Stop) {
        let end = PLAIN.skip(text.bytes, from);
        if text.bytes.get(end) == Some(&b'\n') && end - start < Candidate::MAX_LEN {
            return (end, Stop::LineEnd);
        }
        let passed = if end - start < Candidate::MAX_LEN {
            end
        } else {
            from
        };
        self.read(text, start, passed)
    }

    /// Reads on from `from`, where the URL goes on that began at `start`; returns where it ends,
    /// with whatever trails it.
    pub(crate) fn read(&mut self, text: &Text<'_>, start: usize, from: usize) -> (usize, Stop) {
        let limit = start.saturating_add(Candidate::MAX_LEN);
        let within = &text.bytes[..text.bytes.len().min(limit)];
        let mut at = from;
        loop {
            at = PLAIN.skip(within, at);
            if at >= within.len() {
                if at >= limit {
                    return (at, Stop::Limit);
                }
                text.starve();
                return (at, Stop::LineEnd);
            }
            let byte = within[at];
            if Some(byte) == self.closer {
                return (at, Stop::Closer);
            }
            if ends(byte) {
                return (at, why(text, at));
            }
            match self.look(text, start, at, byte) {
                Ok(len) => at += len,
                Err(stop) => return (at, stop),
            }
        }
    }

    /// Decides on a byte that belongs to the URL or not: how many bytes to take, or why to stop.
    fn look(&mut self, text: &Text<'_>, start: usize, at: usize, byte: u8) -> Result<usize, Stop> {
        let goes_on = match byte {
            b'?' | b'#' => {
                self.in_query = true;
                true
            }
            b'[' if !self.in_query => false,
            b'(' | b'[' | b'{' => {
                self.open[bracket(byte)] += 1;
                true
            }
            b')' | b']' | b'}' => {
                let open = &mut self.open[bracket(byte)];
                let balanced = *open > 0;
                *open = open.saturating_sub(1);
                balanced
            }
            b'&' => !closes_markup(text, at),
            b'|' => self.in_query,
            b'\\' => !self.is_written_line_break(text, start, at),
            b',' | b';' => !begins_url(text, at + 1),
            0x80.. => return self.look_beyond_ascii(text, at),
            _ => true,
        };
        if goes_on { Ok(1) } else { Err(Stop::Character) }
    }

    /// Whether a backslash at `at` is the `\n` that a program writes for a line break, not part of
    /// a path: something other than a word follows it, or another URL, or it stands in quotes of
    /// source code, where a path has two.
    fn is_written_line_break(&mut self, text: &Text<'_>, start: usize, at: usize) -> bool {
        let goes_on = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'/' || byte == b'.';
        matches!(text.at(at + 1), Some(b'n' | b'r' | b't'))
            && (!text.at(at + 2).is_some_and(goes_on)
                || begins_url(text, at + 2)
                || (text.bytes[at - 1] != b'\\' && self.is_quoted(text, start)))
    }

    /// Whether the URL that began at `start` stands in quotes of source code: looked for once, since
    /// it may have any number of backslashes.
    fn is_quoted(&mut self, text: &Text<'_>, start: usize) -> bool {
        let look = || is_in_string(text.bytes, start);
        *self.quoted.get_or_insert_with(look)
    }

    /// Takes over what was looked for while the same URL was read as `other`.
    pub(super) fn learn(&mut self, other: &Extent) {
        self.quoted = other.quoted;
    }

    fn look_beyond_ascii(&self, text: &Text<'_>, at: usize) -> Result<usize, Stop> {
        let rest = &text.bytes[at..];
        if rest.len() < 4 {
            text.starve();
        }
        let len = code_point_len(rest);
        let role = match std::str::from_utf8(&rest[..len]).map(|text| text.chars().next()) {
            Ok(Some(character)) => unicode::role(character),
            // C1 controls and the quotation marks of Windows-1252, a no-break space, « and ».
            _ if matches!(rest[0], 0x80..=0xA0 | 0xAB | 0xBB) => Role::Boundary,
            _ => Role::Letter,
        };
        let previous = text.bytes[at - 1];
        match role {
            Role::Boundary => Err(Stop::Character),
            Role::Unspaced if previous.is_ascii_alphanumeric() => Err(Stop::Character),
            _ => Ok(len),
        }
    }

    /// Takes an IPv6 address in brackets at `at`; returns where the URL goes on.
    pub(crate) fn ip_literal(text: &Text<'_>, at: usize) -> usize {
        if text.at(at) != Some(b'[') {
            return at;
        }
        let address = |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.' | b'%');
        let end = text.skip(at + 1, address);
        let has_colon = text.bytes[at..end].contains(&b':');
        if has_colon && text.at(end) == Some(b']') {
            end + 1
        } else {
            at
        }
    }
}

fn bracket(byte: u8) -> usize {
    match byte {
        b'(' | b')' => 0,
        b'[' | b']' => 1,
        _ => 2,
    }
}

fn why(text: &Text<'_>, at: usize) -> Stop {
    let end = text.skip(at, crate::text::window::is_blank);
    match text.at(end) {
        None | Some(b'\n' | b'\r') => Stop::LineEnd,
        Some(_) => Stop::Character,
    }
}

/// Whether a character reference at `at` stands for what would end the URL.
pub(super) fn closes_markup(text: &Text<'_>, at: usize) -> bool {
    const CLOSERS: [&[u8]; 5] = [b"&gt;", b"&lt;", b"&quot;", b"&apos;", b"&nbsp;"];
    CLOSERS.iter().any(|closer| text.has(at, closer))
}

/// How far back a quotation mark is looked for that opens a string of source code.
const MAX_STRING: usize = 512;

/// Whether `at` is in quotes that are open in its line, as far as that can be seen.
fn is_in_string(bytes: &[u8], at: usize) -> bool {
    let near = &bytes[at.saturating_sub(MAX_STRING)..at];
    let line = match memchr::memrchr2(b'\n', b'\r', near) {
        Some(end) => &near[end + 1..],
        None if near.len() == at => near,
        None => return false,
    };
    let mut open = None;
    let mut rest = line.iter();
    while let Some(&byte) = rest.next() {
        match (byte, open) {
            (b'\\', _) => drop(rest.next()),
            (byte, Some(quote)) if byte == quote => open = None,
            (b'"' | b'\'' | b'`', None) => open = Some(byte),
            _ => {}
        }
    }
    open.is_some()
}

/// Whether a URL of its own follows a comma or semicolon.
fn begins_url(text: &Text<'_>, at: usize) -> bool {
    const BEGINNINGS: [&[u8]; 3] = [b"http://", b"https://", b"ftp://"];
    BEGINNINGS.iter().any(|beginning| text.has(at, beginning))
}

/// Takes what trails a URL off its end: sentence punctuation, markup's `* _ ~` (`keep_markup`
/// leaves these), an opener, a dash, a character without width. Never goes before `start`.
#[inline]
pub(crate) fn trim(bytes: &[u8], start: usize, end: usize, keep_markup: bool) -> usize {
    match bytes.get(end.wrapping_sub(1)) {
        Some(last) if last.is_ascii_alphanumeric() || *last == b'/' => end,
        _ => trim_further(bytes, start, end, keep_markup),
    }
}

fn trim_further(bytes: &[u8], start: usize, mut end: usize, keep_markup: bool) -> usize {
    while end > start {
        let rest = &bytes[start..end];
        let len = match rest[rest.len() - 1] {
            b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' => 1,
            b'(' | b'[' | b'{' | b'|' | b'\\' => 1,
            b'*' | b'_' | b'~' if !keep_markup => 1,
            0x80.. => unicode::trailing(rest),
            _ => 0,
        };
        if len == 0 {
            break;
        }
        end -= len;
    }
    end
}
