//! Determines where a URL without a closing delimiter ends, and why.

use memchr::memmem;

use super::near::{MAX_BRACKETS, MAX_STRING, begins_url, line_before};
use super::unicode::Role;
use super::{notation, unicode};
use crate::candidate::Candidate;
use crate::placeholder;
use crate::rejoin::has_extension;
use crate::text::Text;
use urlint_standard::text::ascii::WordList;
use urlint_standard::text::byteset::ByteSet;
use urlint_standard::text::utf8::code_point_len;
use urlint_standard::url::schemes::{MAX_SCHEME, is_scheme_character};

/// Where a URL ends on its line, including trailing punctuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) at: usize,
    pub(super) stop: Stop,
}

/// Why a URL ends where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The line or the text ends, perhaps after blanks.
    LineEnd,
    /// The expected closer follows.
    Closer,
    /// Another character follows that cannot belong to the URL.
    Character,
    /// The URL is [`Candidate::MAX_LEN`] bytes long.
    Limit,
}

/// The bytes of a URL that have been read, with the state that reading needs to continue on another
/// line.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) start: usize,
    /// The quotation mark that ends the URL before anything else does.
    closer: Option<u8>,
    /// Whether the text is source code.
    code: bool,
    /// Whether the URL is inside quotes of source code, where an escaped `\n` ends it as well;
    /// `None` until that has been checked.
    quoted: Option<bool>,
    /// The number of open round, square and curly brackets.
    open: [u32; 3],
    /// Whether a `?` or `#` has been read.
    in_query: bool,
    /// How many more failed searches for a template are allowed.
    tries: u8,
    /// Whether the URL is in quotes or brackets.
    is_enclosed: bool,
}

/// How many searches for a template may fail: each looks at a few hundred bytes.
const TRIES: u8 = 8;

/// The bytes that belong to a URL in any context.
pub(super) static PLAIN: ByteSet = ByteSet::alphanumeric_and(b"-._~/:=%+$!*@^");

/// Returns whether `byte` ends a URL in any context.
fn ends(byte: u8) -> bool {
    matches!(byte, 0..=b' ' | 0x7F | b'<' | b'>' | b'"' | b'`')
}

impl Extent {
    /// Starts a URL at `start`, of which nothing has been read yet. `closer` closes the quotation
    /// mark or bracket before the URL, if any, and `code` says whether the text is source code.
    pub(super) fn new(start: usize, closer: Option<u8>, code: bool) -> Self {
        let is_enclosed = closer.is_some();
        let closer = closer.filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
        Extent {
            start,
            closer,
            code,
            quoted: closer.filter(|_| code).map(|_| true),
            open: [0; 3],
            in_query: false,
            tries: TRIES,
            is_enclosed,
        }
    }

    /// Continues reading at `from` as [`Extent::read`] does, but faster if every byte of the URL is
    /// plain and nothing follows it on its line.
    #[inline(always)]
    pub(super) fn read_plain_line(&mut self, text: &Text<'_>, from: usize) -> End {
        let at = PLAIN.skip(text.bytes, from);
        let is_short = at - self.start < Candidate::MAX_LEN;
        if text.bytes.get(at) == Some(&b'\n') && is_short {
            let stop = Stop::LineEnd;
            return End { at, stop };
        }
        self.read(text, if is_short { at } else { from })
    }

    /// Continues reading at `from`; returns where the URL ends.
    pub(super) fn read(&mut self, text: &Text<'_>, from: usize) -> End {
        let limit = self.start.saturating_add(Candidate::MAX_LEN);
        let within = &text.bytes[..text.bytes.len().min(limit)];
        let mut at = from;
        let stop = loop {
            at = PLAIN.skip(within, at);
            if at >= within.len() {
                match text.at(at) {
                    // The URL has its maximum length.
                    Some(byte) if Some(byte) == self.closer => break Stop::Closer,
                    Some(byte) if ends(byte) => break why(text, at),
                    Some(_) => break Stop::Limit,
                    None => break Stop::LineEnd,
                }
            }
            let byte = within[at];
            if Some(byte) == self.closer {
                if byte == b'\'' && is_in_word(text, at) {
                    at += 1;
                    continue;
                }
                break Stop::Closer;
            }
            // `{link}` of magazines before the URL and `{end}` after it: 1,723 times in unseen texts.
            if byte == b'{' && text.bytes[..self.start].ends_with(b"}") {
                break Stop::Character;
            }
            if matches!(byte, b'{' | b'(' | b'<' | b'[')
                && let Some(len) = self.template(text, at)
                && at + len <= limit
            {
                at += len;
                continue;
            }
            if ends(byte) {
                // An angle bracket of POD is `E<gt>`.
                let is_escape = byte == b'<' && text.bytes[at - 1] == b'E' && text.has(at, b"<gt>");
                at -= usize::from(is_escape);
                break why(text, at);
            }
            match self.look(text, at, byte) {
                Ok(len) => at += len,
                Err(stop) => break stop,
            }
        };
        End { at, stop }
    }

    /// Returns the length of the template at `at`, which is read as a whole.
    fn template(&mut self, text: &Text<'_>, at: usize) -> Option<usize> {
        let may_begin = match text.at(at) {
            Some(b'(') => text.bytes[at - 1] == b'$',
            Some(b'<') => (text.at(at + 1)).is_some_and(|next| next.is_ascii_alphabetic()),
            _ => true,
        };
        if self.tries == 0 || !may_begin {
            return None;
        }
        let end = at + text.line_from(at, placeholder::MAX_TEMPLATE).len();
        let line = &text.bytes[..end];
        let len = placeholder::span(line, self.start, at, self.closer);
        if len.is_none() {
            self.tries -= 1;
        }
        len
    }

    /// Decides whether a byte belongs to the URL: returns how many bytes to take, or why to stop.
    fn look(&mut self, text: &Text<'_>, at: usize, byte: u8) -> Result<usize, Stop> {
        let goes_on = match byte {
            // An address after a login.
            b'[' if text.bytes[at - 1] == b'@' && self.is_in_authority(text, at) => {
                match Extent::ip_literal(text, at) - at {
                    0 => false,
                    len => return Ok(len),
                }
            }
            b'?' | b'#' => {
                self.in_query = true;
                true
            }
            b'[' if let Some(len) = self.defanged_dot(text, at) => return Ok(len),
            b'[' if self.open[0] > 0 && closes_in_brackets(text, at) => {
                self.open[bracket(byte)] += 1;
                true
            }
            b'[' if !self.in_query && !is_part_of_path(text, self.start, at) => false,
            b'[' if self.in_query && notation::begins_tag_or_note(text, self.start, at) => false,
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
            b'|' if notation::ends_link(text, self.start, at) => false,
            b'|' if self.in_query => !self.is_in_markup(text) || is_data(text, at),
            b'|' => self.is_enclosed && is_drive(text, at),
            b'\\' if self.code && matches!(text.at(at + 1), Some(b'\'' | b'"')) => {
                // It belongs to a string that is the URL, and ends the URL in any other one.
                let is_in_word = self.closer == text.at(at + 1)
                    && self.start > 1
                    && text.bytes[self.start - 2] != b'\\'
                    && text
                        .at(at + 2)
                        .is_some_and(|next| next.is_ascii_alphanumeric());
                return if is_in_word {
                    Ok(2)
                } else {
                    Err(Stop::Character)
                };
            }
            b'\\'
                if text.at(at + 1) == Some(b'f')
                    && text.at(at + 2).is_some_and(|font| b"BIRP".contains(&font)) =>
            {
                false
            }
            // It ends a word of reStructuredText, without a space.
            b'\\' if text.at(at + 1).is_some_and(|next| next >= 0x80) => false,
            b'\\' => !self.is_written_line_break(text, at) && !is_written_escape(text, at),
            b',' if self.ends_host(text, at) => false,
            b',' | b';' => {
                !begins_url(text, at + 1)
                    && (self.in_query
                        || !self.ends_setting(text, at)
                        || (byte == b';' && self.is_only_parameter(text, at)))
            }
            0x80.. => return self.look_beyond_ascii(text, at),
            _ => true,
        };
        if goes_on { Ok(1) } else { Err(Stop::Character) }
    }

    /// Returns whether the URL is in quotes or brackets, or in a tag of JSDoc.
    fn is_in_markup(&self, text: &Text<'_>) -> bool {
        self.is_enclosed || text.bytes[..self.start].ends_with(b"{@link ")
    }

    /// Returns the length of the dot in brackets at `at`, as in `http://a[.]example/`, which nobody shall open.
    fn defanged_dot(&self, text: &Text<'_>, at: usize) -> Option<usize> {
        let dots: [&[u8]; 2] = [b"[.]", b"[dot]"];
        let dot = dots.into_iter().find(|dot| text.has(at, dot))?;
        let is_between = text.bytes[at - 1].is_ascii_alphanumeric()
            && text
                .at(at + dot.len())
                .is_some_and(|next| next.is_ascii_alphanumeric());
        (is_between && self.is_in_authority(text, at)).then_some(dot.len())
    }

    /// Returns whether the comma at `at` ends the host of a URL of the web, or another URL follows it in the
    /// place of a host.
    fn ends_host(&self, text: &Text<'_>, at: usize) -> bool {
        let is_in_login = || {
            let before = authority(&text.bytes[self.start..at]).unwrap_or_default();
            let after = text.line_from(at, MAX_AUTHORITY);
            let end = after
                .iter()
                .position(|&byte| ends(byte) || b"/?#@".contains(&byte));
            let after = &after[..end.filter(|&end| after[end] == b'@').unwrap_or(0)];
            let is_of_host = |byte: &u8| byte.is_ascii_alphanumeric() || b".-".contains(byte);
            let (name, rest) = match memchr::memchr(b':', before) {
                Some(colon) => before.split_at(colon),
                None => (before, &b":"[..]),
            };
            let is_host = name.iter().all(is_of_host) && rest[1..].iter().all(u8::is_ascii_digit);
            let is_user = !before.contains(&b'.') && after.contains(&b':');
            !after.is_empty() && (!is_host || is_user)
        };
        let next = || {
            let end = text.skip_at_most(at + 1, MAX_SCHEME, is_scheme_character);
            end > at + 2 && text.has(end, b"://")
        };
        self.is_in_authority(text, at) && (begins_url(text, self.start) || next()) && !is_in_login()
    }

    /// Returns whether the URL is the value of a setting, and another setting follows the comma or
    /// semicolon at `at`: `url=http://a.example/,name=x`.
    fn ends_setting(&self, text: &Text<'_>, at: usize) -> bool {
        let is_value = self.start > 0 && text.bytes[self.start - 1] == b'=';
        let name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        is_value && text.at(at + 1).is_some_and(name) && {
            text.at(text.skip(at + 1, name)) == Some(b'=')
        }
    }

    /// Returns whether the semicolon at `at` begins a session of a servlet, or the only parameter after the URL, which
    /// is the value of the first key of its line, of a template or of a tag: `[url=http://a.example/;p=1]`.
    fn is_only_parameter(&self, text: &Text<'_>, at: usize) -> bool {
        let name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        let before = &text.bytes[..self.start - 1];
        let key = before.iter().rposition(|byte| !name(*byte));
        let is_first = key.is_none_or(|key| match before[key] {
            b'\n' | b'\r' | b'|' | b'[' => true,
            b' ' => !matches!(
                before[..key].trim_ascii_end(),
                [.., b';' | b',' | b':' | b'=']
            ),
            _ => false,
        });
        let end = text.skip(at + 1, name);
        let line = text.line_from(end, Candidate::MAX_LEN);
        let line = &line[..line
            .iter()
            .position(|&byte| ends(byte))
            .unwrap_or(line.len())];
        text.has(at + 1, b"jsessionid=") || is_first && !line.contains(&b';')
    }

    /// Returns whether the backslash at `at` begins an escaped line break (`\n`), rather than being
    /// part of a path: no word follows it, or another URL does, or it is in quotes of source code,
    /// where a path has two backslashes.
    fn is_written_line_break(&mut self, text: &Text<'_>, at: usize) -> bool {
        let goes_on = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'/' || byte == b'.';
        matches!(text.at(at + 1), Some(b'n' | b'r' | b't' | b'N'))
            && (!text.at(at + 2).is_some_and(goes_on)
                || begins_url(text, at + 2)
                || (text.bytes[at - 1] != b'\\'
                    && (self.code || text.at(at + 1) == Some(b'n'))
                    && self.is_quoted(text)))
    }

    /// Returns whether the URL is in quotes of source code. They are looked for only once, since a
    /// URL may have any number of backslashes.
    fn is_quoted(&mut self, text: &Text<'_>) -> bool {
        let look = || is_in_string(text.bytes, self.start, self.code);
        *self.quoted.get_or_insert_with(look)
    }

    /// Takes over from `other`, an extent of the same URL, whether the URL is in quotes.
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
        // The joiner before a Persian suffix.
        let is_joiner = rest.starts_with("\u{200C}".as_bytes()) && previous.is_ascii();
        // A sign between two URLs. A byte that is none may be a part of one.
        if len > 1 && begins_url(text, at + len)
            || is_joiner && rest.get(len).is_some_and(|next| *next >= 0x80)
        {
            return Err(Stop::Character);
        }
        match role {
            // A name in a path, as in `/wiki/【x】`.
            Role::Boundary if previous == b'/' => {
                unicode::bracketed(text.line_from(at, MAX_LABEL)).ok_or(Stop::Character)
            }
            Role::Boundary => Err(why(text, at)),
            Role::Unspaced if previous.is_ascii_alphanumeric() && !self.is_in_label(text, at) => {
                Err(Stop::Character)
            }
            Role::Unspaced if previous == b'/' && self.is_before_text(text, at) => {
                Err(Stop::Character)
            }
            _ => Ok(len),
        }
    }

    /// Returns whether the letters at `at`, after a slash, go on with the text: a particle does, and so does a word if
    /// such a letter also precedes the URL, unless more of a path follows the word.
    fn is_before_text(&self, text: &Text<'_>, at: usize) -> bool {
        let near = text.line_from(at, MAX_LABEL);
        let end = near.iter().position(u8::is_ascii).unwrap_or(near.len());
        let goes_on = match near[end..] {
            [b'/' | b'_' | b'%' | b'=' | b'?', ..] => true,
            [b'.' | b'-', next, ..] => next.is_ascii_alphanumeric(),
            _ => false,
        };
        let is_glued = || unicode::ends_unspaced(&text.bytes[..self.start]);
        unicode::begins_particle(&String::from_utf8_lossy(near)) || !goes_on && is_glued()
    }

    /// Returns whether the URL up to `at` is a scheme and the beginning of an authority. This is called for
    /// many characters, so the length of an authority is limited.
    fn is_in_authority(&self, text: &Text<'_>, at: usize) -> bool {
        let before = &text.bytes[self.start..at];
        before.len() <= MAX_AUTHORITY
            && authority(before).is_some_and(|host| !host.iter().any(|byte| b"/?#".contains(byte)))
    }

    /// Returns whether the letters at `at` are part of a label of the host, since a dot and another label
    /// follow: `https://tokyo東京.jp/`. After a whole host they are text.
    fn is_in_label(&self, text: &Text<'_>, at: usize) -> bool {
        let near = text.line_from(at, MAX_LABEL);
        let is_of_label =
            |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80 || *byte == b'-';
        let dot = near.iter().position(|byte| !is_of_label(byte));
        self.is_in_authority(text, at)
            && dot.is_some_and(|dot| {
                let label = near.get(dot + 1).is_some_and(u8::is_ascii_alphanumeric);
                let letters = String::from_utf8_lossy(&near[..dot]);
                let mut letters = letters.chars().filter(|letter| !letter.is_ascii());
                near[dot] == b'.'
                    && label
                    && letters.all(|letter| unicode::role(letter) != Role::Boundary)
            })
    }

    /// Skips an address in brackets at `at`, of IPv6 or of a later version; returns where the URL
    /// continues.
    #[inline(always)]
    pub(super) fn ip_literal(text: &Text<'_>, at: usize) -> usize {
        match text.at(at) {
            Some(b'[') => Extent::bracketed_address(text, at),
            _ => at,
        }
    }

    #[inline(never)]
    fn bracketed_address(text: &Text<'_>, at: usize) -> usize {
        if matches!(text.at(at + 1), Some(b'v' | b'V')) {
            // `IPvFuture` of RFC 3986, section 3.2.2.
            let dot = text.skip(at + 2, |byte| byte.is_ascii_hexdigit());
            let address =
                |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:".contains(&byte);
            let end = text.skip(dot + 1, address);
            let is_address = dot > at + 2 && text.at(dot) == Some(b'.') && end > dot + 1;
            return if is_address && text.at(end) == Some(b']') {
                end + 1
            } else {
                at
            };
        }
        let address = |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.' | b'%');
        let zone = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let mut end = text.skip(at + 1, address);
        if text.bytes[at..end].contains(&b'%') {
            // `%25en1` names an interface (RFC 6874).
            end = text.skip(end, zone);
        }
        let has_colon = text.bytes[at..end].contains(&b':');
        if has_colon && text.at(end) == Some(b']') {
            end + 1
        } else {
            at
        }
    }
}

/// The maximum length of a scheme and an authority in which commas, brackets and letters of other scripts are
/// distinguished from the text after it, in bytes.
const MAX_AUTHORITY: usize = 512;

/// Returns the rest of `url` after `://`.
fn authority(url: &[u8]) -> Option<&[u8]> {
    memmem::find(url, b"://").map(|colon| &url[colon + "://".len()..])
}

/// The maximum length of a label and the dot after it, in bytes.
const MAX_LABEL: usize = 192;

/// Returns whether the brackets opened by the `[` at `at` are part of a path: they follow one of
/// `_ - . = ,`, or text follows them directly: `/Sprite_[graphics]`, `/x[1]/y`, `/feed[1-9].rss`. At the
/// end of a path they are a note.
fn is_part_of_path(text: &Text<'_>, start: usize, at: usize) -> bool {
    let belongs = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~%+*".contains(&byte);
    let mut end = at + 1;
    let mut depth = 1;
    while end - at <= MAX_BRACKETS {
        match text.at(end) {
            Some(b'[') => depth += 1,
            Some(b']') if depth == 1 => break,
            Some(b']') => depth -= 1,
            Some(byte) if belongs(byte) => {}
            _ => return false,
        }
        end += 1;
    }
    let is_closed = end > at + 1 && text.at(end) == Some(b']');
    let is_word = |at| text.at(at).is_some_and(|byte| byte.is_ascii_alphanumeric());
    let goes_on = || match text.at(end + 1) {
        Some(b'/' | b'.' | b'-' | b'_' | b'=') => is_word(end + 2),
        // Alone on its line. With a template in it, markup is not recognised.
        None | Some(b'\n' | b'\r') => {
            matches!(text.bytes[..start].last(), None | Some(b'\n'))
                && is_word(at - 1)
                && !text.bytes[start..at].contains(&b'{')
                && text
                    .at(at + 1)
                    .is_some_and(|byte| byte.is_ascii_alphabetic())
        }
        _ => false,
    };
    is_closed && (b"_-.=,".contains(&text.bytes[at - 1]) || goes_on())
}

/// Returns whether the `|` at `at` stands for the colon of a drive: `file:///C|/`.
pub(super) fn is_drive(text: &Text<'_>, at: usize) -> bool {
    let before = &text.bytes[..at];
    matches!(before, [.., b'/', letter] if letter.is_ascii_alphabetic())
        && matches!(text.at(at + 1), None | Some(b'/' | b'"' | b'>' | b'\''))
}

/// Returns whether the `|` at `at`, in the query of a URL in quotes or brackets, is data: other bars or
/// parameters follow it. Otherwise it separates the URL from its text.
pub(super) fn is_data(text: &Text<'_>, at: usize) -> bool {
    let rest = text.line_from(at + 1, MAX_BRACKETS);
    let is_of_url = |byte: &&u8| **byte > b' ' && !b"<>[]\"'`".contains(byte);
    rest.iter()
        .take_while(is_of_url)
        .any(|byte| b"|&=".contains(byte))
}

/// Returns whether the backslash at `at` begins an escape of a character that ends a URL, as source code and
/// logs write them: of the one that begins a sequence for a terminal, or by its number in JSON.
fn is_written_escape(text: &Text<'_>, at: usize) -> bool {
    const ENDS: [&[u8]; 6] = [b"0a", b"1b", b"22", b"27", b"3c", b"3e"];
    const NUMBERS: [&[u8]; 2] = [br"\u00", br"\x"];
    let is_end = |at: usize| ENDS.iter().any(|end| text.has(at, end));
    text.has(at, br"\033[")
        || (NUMBERS.iter()).any(|number| text.has(at, number) && is_end(at + number.len()))
}

pub(super) fn bracket(byte: u8) -> usize {
    match byte {
        b'(' | b')' => 0,
        b'[' | b']' => 1,
        _ => 2,
    }
}

/// Returns why a URL ends before the byte at `at`, which cannot belong to it.
fn why(text: &Text<'_>, at: usize) -> Stop {
    match text.at(text.skip_to_break(at)) {
        None | Some(b'\n' | b'\r') => Stop::LineEnd,
        Some(_) => Stop::Character,
    }
}

/// Returns whether the character reference at `at`, if any, stands for a character that ends a URL.
#[inline]
pub(super) fn closes_markup(text: &Text<'_>, at: usize) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'#';
    let end = text.skip_at_most(at + 1, MAX_NAME, is_name);
    text.at(end) == Some(b';') && closes_by_reference(text, at, end)
}

/// Returns whether the apostrophe at `at` is in a word of a URL in quotes: another one follows that closes them.
pub(super) fn is_in_word(text: &Text<'_>, at: usize) -> bool {
    let is_of_word = |byte: u8| byte.is_ascii_alphanumeric();
    let near = text.line_from(at + 1, MAX_LABEL);
    let end = near.iter().position(|&byte| byte == b'\'' || ends(byte));
    is_of_word(text.bytes[at - 1])
        && near.first().is_some_and(u8::is_ascii_alphabetic)
        && end.is_some_and(|end| {
            near[end] == b'\'' && !near.get(end + 1).is_some_and(|&next| is_of_word(next))
        })
}

/// Returns whether the square bracket at `at` is closed right before a round one, as in `/f(x[1])`.
fn closes_in_brackets(text: &Text<'_>, at: usize) -> bool {
    let near = text.line_from(at, MAX_LABEL);
    let end = near.iter().position(|&byte| byte == b']' || ends(byte));
    end.is_some_and(|end| near[end..].starts_with(b"])"))
}

/// The maximum length of the name or number of a character that ends a URL, in bytes.
const MAX_NAME: usize = 8;

/// Returns whether the reference from `at` to the semicolon at `end` stands for a character that ends a URL.
#[inline(never)]
fn closes_by_reference(text: &Text<'_>, at: usize, end: usize) -> bool {
    const CLOSERS: WordList = WordList(
        "gt lt quot apos nbsp ldquo rdquo bdquo lsquo rsquo sbquo laquo raquo hellip mdash ndash bull rarr",
    );
    match &text.bytes[at + 1..end] {
        [b'#', number @ ..] => character(number).is_some_and(|character| match character {
            // It belongs to a word that continues.
            '\'' => !text
                .at(end + 1)
                .is_some_and(|next| next.is_ascii_alphanumeric()),
            '"' | '<' | '>' | ' ' | '\n' | '\t' | '\r' => true,
            character => !character.is_ascii() && unicode::role(character) == Role::Boundary,
        }),
        // Encoded once more.
        b"amp" => !text.has(end + 1, b"amp") && closes_markup(text, end),
        name => CLOSERS.contains(name),
    }
}

/// Returns the character of this `number`, decimal or hexadecimal, in a reference.
fn character(number: &[u8]) -> Option<char> {
    let number = std::str::from_utf8(number).ok()?;
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    char::from_u32(code.ok()?)
}

/// Returns whether `at` is in quotes opened on its line. If the line begins too far back, or the text is not
/// `code` but may quote some, an escaped line break in them shows that it is, unless they open directly
/// before the URL.
fn is_in_string(bytes: &[u8], at: usize, code: bool) -> bool {
    match line_before(bytes, at) {
        Some(line) if code => open_quote(line).is_some(),
        Some(line) if line.ends_with(b"\"") && !bytes[at..].starts_with(b"file:") => true,
        Some(line) => open_quote(line).is_some_and(|quote| {
            let string = memchr::memrchr(quote, line).map_or(0, |at| at + 1);
            memmem::find(&line[string..], b"\\n").is_some()
        }),
        None => memmem::find(&bytes[at.saturating_sub(MAX_STRING)..at], b"\\n").is_some(),
    }
}

/// Returns the quotation mark that is still open at the end of `line`, the beginning of a line of
/// source code.
fn open_quote(line: &[u8]) -> Option<u8> {
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
    open
}

/// Returns where a URL that ends at `end` ends without trailing characters: sentence punctuation, an opening
/// bracket, a dash, a zero-width character, a suffix, and unless `is_enclosed`, the marks `* _ ~` and
/// rules, if they also precede the URL, which begins at `url`. Returns at least `start`.
#[inline]
pub(super) fn trim(bytes: &[u8], url: usize, start: usize, end: usize, is_enclosed: bool) -> usize {
    match bytes.get(end.wrapping_sub(1)) {
        Some(b'a' | b'e' | b'n' | b's') if !is_enclosed && suffix_len(&bytes[url..end]) > 0 => {
            end - suffix_len(&bytes[url..end])
        }
        Some(b'/') if closes_comment(bytes, url, end) => {
            trim(bytes, url, start, end - 2, is_enclosed)
        }
        Some(last) if last.is_ascii_alphanumeric() || *last == b'/' => end,
        _ => trim_further(bytes, url, start, end, is_enclosed),
    }
}

/// Returns the length of the suffix at the end of `url`, as in "http://a.example's page": in English after a host, as a
/// path may end so, and in Turkish wherever it is.
#[inline]
fn suffix_len(url: &[u8]) -> usize {
    const TURKISH: WordList = WordList("da de ta te dan den tan ten ya ye nin nun");
    let near = url.len().saturating_sub("'den".len());
    let Some(quote) = memchr::memrchr(b'\'', &url[near..]).map(|quote| near + quote) else {
        return 0;
    };
    let host = authority(&url[..quote]).unwrap_or_default();
    let is_of_host = |byte: &u8| !b"/?#@'".contains(byte);
    let is_suffix = match &url[quote + 1..] {
        b"s" => !host.is_empty() && host.iter().all(is_of_host),
        suffix => TURKISH.contains(suffix) && !host.is_empty(),
    };
    if is_suffix { url.len() - quote } else { 0 }
}

/// Returns whether two signs on the line before `url` open a quotation: ``` ``see http://a.example/'' ```.
fn opens_double(bytes: &[u8], url: usize) -> bool {
    let line = line_before(bytes, url).unwrap_or_default();
    let openers: [&[u8]; 2] = [b"``", b"''"];
    let mut openers = openers.into_iter();
    openers.any(|opener| memmem::find(line, opener).is_some())
}

/// Returns whether a `*/` ends at `end` that closes a comment of C before `url`.
fn closes_comment(bytes: &[u8], url: usize, end: usize) -> bool {
    bytes[url..end].ends_with(b"*/") && !bytes[url..end].ends_with(b"/*/") && {
        let near = &bytes[url.saturating_sub(MAX_STRING)..url];
        let opened = memchr::memmem::rfind(near, b"/*");
        opened.is_some_and(|at| memchr::memmem::find(&near[at + 2..], b"*/").is_none())
    }
}

fn trim_further(
    bytes: &[u8],
    url: usize,
    start: usize,
    mut end: usize,
    is_enclosed: bool,
) -> usize {
    while end > start {
        let rest = &bytes[start..end];
        let len = match rest[rest.len() - 1] {
            b'.' | b',' | b';' | b':' | b'!' | b'?' => 1,
            // Two are a closing quotation mark, as in TeX.
            b'\'' if rest.ends_with(b"''") && opens_double(bytes, url) => 2,
            // Quotes opened inside the URL belong to it.
            b'\'' => memchr::memchr_iter(b'\'', rest).count() % 2,
            b'(' | b'[' | b'{' | b'|' | b'\\' => 1,
            b'-' if is_dash(rest) || is_host(bytes, url, end) => hyphens(rest),
            b'_' if rest.ends_with(RULE) => {
                rest.iter().rev().take_while(|&&byte| byte == b'_').count()
            }
            mark @ (b'*' | b'_' | b'~') if !is_enclosed => {
                usize::from(is_marked(bytes, url, mark) || is_ruled(bytes, url, mark))
            }
            // In AsciiDoc, the page opens in another window: `[http://a.example/^]`.
            b'^' if bytes[..url].ends_with(b"[") && bytes.get(end) == Some(&b']') => 1,
            mark if notation::is_marked(bytes, url, mark) => 1,
            mark @ (b'=' | b'-' | b'+' | b'#') if !is_enclosed => {
                usize::from(is_ruled(bytes, url, mark))
            }
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

/// A rule that is drawn directly after a URL.
const RULE: &[u8] = b"________";

/// Returns the number of hyphens at the end of `text`.
fn hyphens(text: &[u8]) -> usize {
    text.iter().rev().take_while(|&&byte| byte == b'-').count()
}

/// Returns whether the hyphens at the end of `rest`, the rest of a URL after its scheme, are a dash:
/// they follow the name of a file.
fn is_dash(rest: &[u8]) -> bool {
    rest.contains(&b'/') && has_extension(&rest[..rest.len() - hyphens(rest)])
}

/// Returns whether the URL from `url` to `end` is a scheme and a host alone, which ends in no hyphen unless it
/// continues after the end of its line.
fn is_host(bytes: &[u8], url: usize, end: usize) -> bool {
    let next = bytes[end..].iter().find(|byte| **byte != b' ');
    let is_inside_line = next.is_some_and(|byte| !matches!(byte, b'\n' | b'\r'));
    let is_host =
        |host: &[u8]| host.contains(&b'.') && !host.iter().any(|byte| b"/?#@".contains(byte));
    is_inside_line && authority(&bytes[url..end]).is_some_and(is_host)
}

/// Returns whether `mark` opens emphasis before `url` on its line, at the start of a word.
fn is_marked(bytes: &[u8], url: usize, mark: u8) -> bool {
    let near = &bytes[url.saturating_sub(MAX_STRING)..url];
    let line = memchr::memrchr2(b'\n', b'\r', near).map_or(0, |end| end + 1);
    let line = &near[line..];
    let opens = |at: usize| {
        let is_start = at == 0 || !line[at - 1].is_ascii_alphanumeric();
        is_start && line.get(at + 1).is_none_or(|&next| next > b' ')
    };
    memchr::memchr_iter(mark, line).any(opens)
}

/// Returns whether a rule or a frame of two or more characters, including `mark`, is drawn directly
/// before `url`.
fn is_ruled(bytes: &[u8], url: usize, mark: u8) -> bool {
    let is_drawn = |byte: &&u8| b"=-+#*_~".contains(byte);
    let before = bytes[url.saturating_sub(MAX_STRING)..url].iter().rev();
    let rule: Vec<u8> = before.take_while(is_drawn).copied().collect();
    rule.len() >= 2 && rule.contains(&mark)
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlint_standard::url::schemes;

    #[test]
    fn only_web_schemes_begin_a_url_after_a_comma() {
        for scheme in schemes::all() {
            let text = format!(",{}://", scheme.name);
            let begins = begins_url(&Text::new(text.as_bytes(), true), 1);
            assert_eq!(begins, scheme.is_web, "{}", scheme.name);
        }
    }
}
