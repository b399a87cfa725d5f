//! JSON, whether a file is one value or has one on each line.
//!
//! Strings are read with their escapes undone, names as well as values, each for itself: where one
//! ends, so does a URL. One that is a URL as a whole is a target. What stands outside strings and
//! is none of JSON's own, a comment say, is read as it stands.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3, memmem};

use super::{Layer, View};
use crate::document::{Parts, is_absolute};

/// Takes JSON apart.
pub(crate) fn parts<'s>(source: &'s [u8], parts: &mut Parts<'s>) {
    pieces(source, true, parts);
}

/// Takes JSON apart, behind which more may come unless it `is_whole`: as far as that changes
/// nothing, up to the end of a line, if there is one, between strings in any case. Returns how far.
pub(crate) fn pieces<'s>(source: &'s [u8], is_whole: bool, parts: &mut Parts<'s>) -> usize {
    let mut tokens = Tokens::new(source);
    let mut strings = Strings::new(source, 0);
    let mut found = Vec::new();
    let mut open = None;
    for token in tokens.by_ref() {
        open = (!token.is_closed).then_some(token.start);
        found.push(token);
    }
    let end = match tokens.line_end {
        _ if is_whole => source.len(),
        0 => open.unwrap_or(tokens.at),
        line_end => line_end,
    };
    for token in found.into_iter().take_while(|token| token.start < end) {
        match token.is_string {
            true => strings.add(token.range, parts),
            false => {
                let start = token.range.start as u64;
                parts.lines(View::same(&source[token.range], start));
            }
        }
    }
    strings.finish(parts);
    end
}

/// Strings of a text. Those without escapes are the text itself, and share a view.
pub(crate) struct Strings<'s> {
    text: &'s [u8],
    /// Where it begins in the source.
    start: u64,
    plain: Vec<Range<usize>>,
    targets: Vec<Range<usize>>,
}

impl<'s> Strings<'s> {
    pub(crate) fn new(text: &'s [u8], start: u64) -> Self {
        Strings {
            text,
            start,
            plain: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// The string at `range`, what stands between its quotes, if it may hold a URL.
    pub(crate) fn decoded(&self, range: &Range<usize>) -> Option<View<'s>> {
        let text = &self.text[range.clone()];
        may_hold_url(text).then(|| decoded(text, self.start + range.start as u64))
    }

    /// Adds the string at `range`.
    pub(crate) fn add(&mut self, range: Range<usize>, parts: &mut Parts<'s>) {
        let text = &self.text[range.clone()];
        if !may_hold_url(text) {
            return;
        }
        if memchr(b'\\', text).is_some() {
            let view = decoded(text, self.start + range.start as u64);
            let whole = 0..view.text().len();
            return match is_target(view.text()) {
                true => parts.targets(view, vec![whole]),
                false => parts.lines(view),
            };
        }
        match is_target(text) {
            true => self.targets.push(range),
            false => self.plain.push(range),
        }
    }

    /// Adds what has been kept.
    pub(crate) fn finish(self, parts: &mut Parts<'s>) {
        if !self.plain.is_empty() {
            parts.strings(same(self.text, self.start), self.plain);
        }
        if !self.targets.is_empty() {
            parts.targets(same(self.text, self.start), self.targets);
        }
    }
}

/// Whether a string is a URL as a whole.
fn is_target(text: &[u8]) -> bool {
    is_absolute(text)
        && text.iter().all(u8::is_ascii_graphic)
        && memchr3(b'<', b'>', b'"', text).is_none()
}

/// Whether a string has what no URL is without: a colon, or a dot where it has no scheme.
fn may_hold_url(text: &[u8]) -> bool {
    memchr3(b':', b'.', b'\\', text).is_some()
}

/// A string, what stands between its quotes at `start`, with its escapes undone.
pub(crate) fn decoded(text: &[u8], start: u64) -> View<'_> {
    if memchr(b'\\', text).is_none() {
        return same(text, start);
    }
    let mut view = View::with_capacity(LAYER, text.len());
    let mut at = 0;
    while let Some(next) = memchr(b'\\', &text[at..]) {
        let next = at + next;
        view.copy(&text[at..next], start + at as u64);
        let (character, width) = escape(&text[next..]);
        let place = start + next as u64;
        match character {
            Some(character) => {
                let mut bytes = [0; 4];
                let bytes = character.encode_utf8(&mut bytes).as_bytes();
                view.push_character(bytes, place, width);
            }
            None => view.copy(&text[next..next + usize::from(width)], place),
        }
        at = next + usize::from(width);
    }
    view.copy(&text[at..], start + at as u64);
    view
}

/// Strings without escapes.
fn same(text: &[u8], start: u64) -> View<'_> {
    let mut view = View::same(text, start);
    view.layers.push(LAYER);
    view
}

/// What a string's text stands for, all but these two standing for themselves.
const LAYER: Layer = Layer::AsciiBut(b"\"\\");

/// The character that the escape at the start of `text` stands for, if it is one, and how many
/// bytes long that is.
fn escape(text: &[u8]) -> (Option<char>, u8) {
    let character = match text.get(1) {
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(&byte @ (b'"' | b'\\' | b'/' | b'\'')) => char::from(byte),
        Some(b'u') => return unicode(text),
        _ => return (None, 1),
    };
    (Some(character), 2)
}

/// `\u0026`, or two of them that are halves of one character.
fn unicode(text: &[u8]) -> (Option<char>, u8) {
    let unit = |at: usize| {
        let digits = text
            .get(at..at + 6)
            .and_then(|text| text.strip_prefix(b"\\u"))?;
        let digits = std::str::from_utf8(digits).ok()?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)
    };
    let Some(first) = unit(0) else {
        return (None, 1);
    };
    let mut units = char::decode_utf16([first].into_iter().chain(unit(6)));
    match units.next() {
        Some(Ok(character)) => (Some(character), 6 * character.len_utf16() as u8),
        _ => (Some(char::REPLACEMENT_CHARACTER), 6),
    }
}

/// Something in JSON to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Token {
    /// A string, or something that is none of JSON's own.
    is_string: bool,
    /// Where it begins, its opening quote included.
    start: usize,
    /// Its text, without quotes.
    range: Range<usize>,
    /// Whether its end is there.
    is_closed: bool,
}

/// What there is to be read in JSON. A string ends with its line, so that one whose end is missing
/// costs no more.
#[derive(Debug)]
struct Tokens<'t> {
    text: &'t [u8],
    at: usize,
    /// Behind the last line break that stands in none of them, or 0.
    line_end: usize,
}

impl<'t> Tokens<'t> {
    fn new(text: &'t [u8]) -> Self {
        Tokens {
            text,
            at: 0,
            line_end: 0,
        }
    }

    /// Goes past whatever is JSON's own, as far as that is certain; what comes then.
    fn skip(&mut self) -> Option<u8> {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => self.line_end = self.at + 1,
                b'{' | b'}' | b'[' | b']' | b':' | b',' | b' ' | b'\t' | b'\r' => {}
                b'0'..=b'9' | b'+' | b'-' | b'.' | b'a'..=b'z' | b'A'..=b'Z' => {
                    let rest = &self.text[self.at..];
                    let word = word(rest);
                    if word.len() == rest.len() || !is_literal(word) {
                        return Some(byte);
                    }
                    self.at += word.len() - 1;
                }
                _ => return Some(byte),
            }
            self.at += 1;
        }
        None
    }

    fn string(&mut self) -> Token {
        let start = self.at;
        let (end, is_closed) = string_end(&self.text[start + 1..]);
        let end = start + 1 + end;
        // A line break is left to what follows.
        let has_quote = self.text.get(end) == Some(&b'"');
        self.at = end + usize::from(has_quote);
        Token {
            is_string: true,
            start,
            range: start + 1..end,
            is_closed,
        }
    }

    /// What is none of JSON's own, up to a quote that stands in no comment.
    fn other(&mut self) -> Token {
        let start = self.at;
        let mut is_closed = false;
        while let Some(next) = memchr2(b'"', b'/', &self.text[self.at..]) {
            self.at += next;
            let rest = &self.text[self.at..];
            self.at += match rest {
                [b'"', ..] => {
                    is_closed = true;
                    break;
                }
                [b'/', b'/', ..] => memchr(b'\n', rest).unwrap_or(rest.len()),
                [b'/', b'*', ..] => {
                    memmem::find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4)
                }
                _ => 1,
            };
        }
        if !is_closed {
            self.at = self.text.len();
        }
        Token {
            is_string: false,
            start,
            range: start..self.at,
            is_closed,
        }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        match self.skip()? {
            b'"' => Some(self.string()),
            _ => Some(self.other()),
        }
    }
}

/// Where a string ends whose text begins `text`: at its quote, or else at the end of the line; and
/// whether that is there.
pub(crate) fn string_end(text: &[u8]) -> (usize, bool) {
    let mut at = 0;
    while let Some(next) = memchr3(b'"', b'\\', b'\n', &text[at..]) {
        at += next;
        if text[at] != b'\\' {
            return (at, true);
        }
        at = (at + 2).min(text.len());
    }
    (text.len(), false)
}

/// The letters, digits and signs that `text` begins with.
pub(crate) fn word(text: &[u8]) -> &[u8] {
    let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
    &text[..text.iter().take_while(is_of_word).count()]
}

/// Whether `word` is a number or one of JSON's names, or of those that JavaScript and Python write.
pub(crate) fn is_literal(word: &[u8]) -> bool {
    let number = word.strip_prefix(b"-").unwrap_or(word);
    let is_number = number.first().is_some_and(u8::is_ascii_digit)
        && number
            .iter()
            .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
    is_number || matches!(number, b"true" | b"false" | b"null" | b"NaN" | b"Infinity")
}

#[cfg(test)]
mod tests;
