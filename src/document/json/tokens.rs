//! What there is to be read in JSON, one after the other.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3, memrchr};

/// Something in JSON to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// A string, or something that is none of JSON's own.
    pub(super) is_string: bool,
    /// Where it begins, its opening quote included.
    pub(super) start: usize,
    /// Its text, without quotes.
    pub(super) range: Range<usize>,
    /// Whether its end is there.
    pub(super) is_closed: bool,
}

/// What there is to be read in JSON. A string ends with its line, and what is none of JSON's own
/// where a record begins, so that an end that is missing costs no more.
#[derive(Debug)]
pub(super) struct Tokens<'t> {
    text: &'t [u8],
    at: usize,
    /// Behind the last line break that stands in none of them, or 0.
    line_end: usize,
}

/// Whether a record begins with the line at `line`: its first character that is no blank is a brace.
/// It stands in nothing that began before.
fn begins_record(text: &[u8], line: usize) -> bool {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let blanks = text[line..].iter().take_while(is_blank).count();
    // A string goes on behind a line break with a backslash before it.
    let goes_on = line >= 2 && text[line - 2] == b'\\';
    !goes_on && text.get(line + blanks) == Some(&b'{')
}

/// The start of the last line of that range of `text` that begins a record, unless it is that of
/// the range.
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

    /// Where the next may begin, at the earliest.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Passes over all in front of the record that `place` stands in.
    pub(super) fn pass_to(&mut self, place: usize) {
        if let Some(record) = last_record(self.text, self.at..place.max(self.at)) {
            self.at = record;
        }
    }

    /// Up to where they stay as they are, whatever follows the text: to the end of a line if there
    /// is one, to the beginning of one of them or behind it in any case.
    pub(super) fn certain(mut self) -> usize {
        let last = self.by_ref().last();
        let open = last.filter(|token| !token.is_closed);
        match self.line_end {
            0 => open.map_or(self.at, |token| token.start),
            line_end => line_end,
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

    /// What is none of JSON's own, up to a quote that stands in no comment, or to a record.
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

    /// Where the comment ends that begins here, or the record begins that lies in between.
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

/// Where a string ends whose text begins `text`: at its quote, or else at the end of the line; and
/// whether that is there.
pub(crate) fn string_end(text: &[u8]) -> (usize, bool) {
    let mut from = 0;
    // Quotes are rare beside the escapes that stand for line breaks.
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
