//! The tokens that may hold a URL: strings, and text that is not JSON.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3, memrchr};

/// A string, or text that is not JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) is_string: bool,
    /// Its start, opening quote included.
    pub(super) start: usize,
    /// Its text, without quotes.
    pub(super) range: Range<usize>,
    /// Whether its end has been found.
    pub(super) is_closed: bool,
}

/// The tokens of a text. A string ends at the latest with its line, and other text where a record
/// begins, so that a missing end affects nothing further.
#[derive(Debug)]
pub(super) struct Tokens<'t> {
    text: &'t [u8],
    at: usize,
    /// The end of the last line break that is not in a token, or 0.
    line_end: usize,
}

/// Returns whether the line at `line` begins a record: its first character that is not a blank is a
/// brace. A record is never part of a token that began before.
fn begins_record(text: &[u8], line: usize) -> bool {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let blanks = text[line..].iter().take_while(is_blank).count();
    // A string continues after a line break with a backslash before it.
    let continues = line >= 2 && text[line - 2] == b'\\';
    !continues && text.get(line + blanks) == Some(&b'{')
}

/// Returns the start of the last record in `range` of `text`, except one at the start of the range.
pub(super) fn last_record(text: &[u8], range: Range<usize>) -> Option<usize> {
    let mut end = range.end;
    while let Some(last) = memrchr(b'\n', &text[range.start..end]) {
        end = range.start + last;
        if begins_record(text, end + 1) {
            return Some(end + 1);
        }
    }
    None
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Tokens {
            text,
            at: 0,
            line_end: 0,
        }
    }

    /// The end of the text that has been read: the next token does not begin before it.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Skips everything before the record that holds `place`.
    pub(super) fn skip_to(&mut self, place: usize) {
        if let Some(record) = last_record(self.text, self.at..place.max(self.at)) {
            self.at = record;
        }
    }

    /// Returns the offset up to which the tokens do not depend on bytes after the text: the end of
    /// a line if there is one, or else the start or the end of a token.
    pub(super) fn certain(mut self) -> usize {
        let last = self.by_ref().last();
        let open = last.filter(|token| !token.is_closed);
        match self.line_end {
            0 => open.map_or(self.at, |token| token.start),
            line_end => line_end,
        }
    }

    /// Skips bytes that are certainly JSON between strings; returns the byte after them.
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
        // The line break is left to the next token.
        let has_quote = self.text.get(end) == Some(&b'"');
        self.at = end + usize::from(has_quote);
        Token {
            is_string: true,
            start,
            range: start + 1..end,
            is_closed,
        }
    }

    /// Reads text that is not JSON, up to a quote outside of a comment, or to a record.
    fn other(&mut self) -> Token {
        let start = self.at;
        let mut is_closed = false;
        while let Some(next) = memchr3(b'"', b'/', b'\n', &self.text[self.at..]) {
            self.at += next;
            let rest = &self.text[self.at..];
            is_closed = match rest[0] {
                b'\n' => begins_record(self.text, self.at + 1),
                byte => byte == b'"',
            };
            if is_closed {
                break;
            }
            self.at = match rest {
                [b'/', b'/', ..] => self.at + memchr(b'\n', rest).unwrap_or(rest.len()),
                [b'/', b'*', ..] => self.comment_end(),
                _ => self.at + 1,
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

    /// The end of the comment that begins here, or the start of a record in it.
    fn comment_end(&self) -> usize {
        let mut at = self.at + 2;
        while let Some(next) = memchr2(b'*', b'\n', &self.text[at..]) {
            at += next;
            match self.text[at..] {
                [b'*', b'/', ..] => return at + 2,
                [b'\n', ..] if begins_record(self.text, at + 1) => return at,
                _ => at += 1,
            }
        }
        self.text.len()
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

/// Returns the end of the string whose content starts `text`, and whether it has a closing quote;
/// without one it ends with the line.
pub(crate) fn string_end(text: &[u8]) -> (usize, bool) {
    let mut from = 0;
    // Escapes of line breaks are much more frequent than quotes.
    while let Some(next) = memchr2(b'"', b'\n', &text[from..]) {
        let at = from + next;
        let before = text[from..at].iter().rev();
        let backslashes = before.take_while(|&&byte| byte == b'\\').count();
        if backslashes % 2 == 0 {
            return (at, true);
        }
        from = at + 1;
    }
    (text.len(), false)
}

/// The word at the start of `text`: letters, digits and signs.
pub(super) fn word(text: &[u8]) -> &[u8] {
    let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
    &text[..text.iter().take_while(is_of_word).count()]
}

/// Returns whether `word` is a number or a literal name of JSON, or of JavaScript's and Python's
/// extensions of it.
pub(super) fn is_literal(word: &[u8]) -> bool {
    let number = word.strip_prefix(b"-").unwrap_or(word);
    let is_number = number.first().is_some_and(u8::is_ascii_digit)
        && number
            .iter()
            .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
    is_number || matches!(number, b"true" | b"false" | b"null" | b"NaN" | b"Infinity")
}
