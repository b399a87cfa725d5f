//! Reads fields of JSON records of one line each.

use std::ops::Range;

use super::piece::{Document, Form, RecordsEnd};
use super::{Reader, too_long};
use crate::document::json::fields::{Fields, LineKind};
use crate::document::json::{Strings, decoded};
use crate::document::{Kind, MAX_DOCUMENT, Notice, Parts};
use urlint_standard::text::Span;
use urlint_view::View;

/// The notice for a record that begins inside another one.
const NO_END: &str = "what came before has no end";

/// Reads records of one line each.
pub(super) struct Records<'r> {
    reader: &'r Reader,
    fields: Fields<'r>,
    /// The strings of a line, kept for their memory.
    found: Vec<Range<usize>>,
    /// The number of the next line.
    number: u64,
    /// Whether the next bytes continue a line that is too long.
    is_inside: bool,
}

impl<'r> Records<'r> {
    /// Reads records from the line `number` on, which begins a record.
    pub(super) fn new(reader: &'r Reader, number: u64) -> Self {
        Records {
            reader,
            fields: Fields::new(&reader.json_fields),
            found: Vec::new(),
            number,
            is_inside: false,
        }
    }

    /// Returns whether a record or a line has begun and not ended.
    pub(super) fn goes_on(&self) -> bool {
        self.is_inside || self.fields.is_inside()
    }

    /// Reads the lines of a document, which continues where the last one ended, and ends as `end`
    /// says.
    pub(super) fn read<'t>(
        &mut self,
        document: &Document<'t>,
        end: RecordsEnd,
        parts: &mut Parts<'t>,
    ) {
        let text = document.text;
        let mut strings = Strings::new(text, self.reader.scope(text));
        let mut at = 0;
        if document.start == 0 && text.starts_with(b"\xEF\xBB\xBF") {
            at = 3;
        }
        while at < text.len() {
            let len = memchr::memchr(b'\n', &text[at..]).map(|end| end + 1);
            let line = at..len.map_or(text.len(), |len| at + len);
            at = line.end;
            self.line(line, &mut strings, parts);
        }
        strings.finish(parts);
        let is_open = self.fields.is_inside();
        match end {
            RecordsEnd::Record if is_open => {
                self.warn(NO_END, text.len(), parts);
                self.fields.reset();
            }
            RecordsEnd::Source if is_open => {
                let end = text.len() as u64;
                parts.warn(Span::new(end, end), "the last record has no end");
            }
            _ => {}
        }
    }

    fn line<'t>(&mut self, line: Range<usize>, strings: &mut Strings<'t>, parts: &mut Parts<'t>) {
        let text = &strings.text[line.clone()];
        let has_end = text.ends_with(b"\n");
        let is_rest = std::mem::replace(&mut self.is_inside, text.len() > MAX_DOCUMENT && !has_end);
        let notices = parts.notices.len();
        if is_rest || self.is_inside {
            self.fields.reset();
            if !is_rest {
                parts.notices.push(too_long("json", line.start as u64));
            }
            parts.lines(View::borrowed(text, line.start as u64));
        } else {
            self.record(text, line.start, strings, parts);
        }
        for notice in &mut parts.notices[notices..] {
            notice.member = Some(self.number);
        }
        self.number += u64::from(has_end);
    }

    /// Reads a line that is not too long and begins at `start`.
    fn record<'t>(
        &mut self,
        text: &'t [u8],
        start: usize,
        strings: &mut Strings<'t>,
        parts: &mut Parts<'t>,
    ) {
        self.found.clear();
        if self.fields.is_closed_by(text) {
            self.warn(NO_END, start, parts);
            self.fields.reset();
        }
        match self.fields.line(text, &mut self.found) {
            LineKind::Record => {}
            LineKind::AfterOpenRecord => self.warn(NO_END, start, parts),
            LineKind::Text => {
                self.warn("not JSON, so read as plain text", start, parts);
                parts.lines(View::borrowed(text, start as u64));
            }
        }
        for string in self.found.drain(..) {
            let string = start + string.start..start + string.end;
            self.reader.field(string, strings, parts);
        }
    }

    /// Adds a notice about the line that begins at `start`.
    fn warn(&self, what: &str, start: usize, parts: &mut Parts<'_>) {
        parts.notices.push(Notice {
            span: Span::new(start as u64, start as u64),
            message: what.to_owned(),
            member: Some(self.number),
        });
    }
}

impl Reader {
    /// Adds the parts of the string at `range`, which is one of the fields to read.
    fn field<'t>(&self, range: Range<usize>, strings: &mut Strings<'t>, parts: &mut Parts<'t>) {
        let text = &strings.text[range.clone()];
        // Every URL, even one without a scheme, contains one of these.
        if memchr::memchr3(b':', b'.', b'\\', text).is_none() {
            return;
        }
        let own = self.kind.filter(|&kind| kind != Kind::Json);
        let decode = || decoded(text, range.start as u64);
        let (kind, view) = match own {
            Some(kind) => (kind, None),
            None if is_prose(text) => (Kind::Plain, None),
            None => {
                let view = decode();
                (Kind::from_head(view.text()), Some(view))
            }
        };
        if kind == Kind::Plain {
            strings.add(range, parts);
            return;
        }
        let view = view.unwrap_or_else(decode);
        parts.add_within(&view, Parts::of(view.text(), kind, self.scope(view.text())));
    }
}

/// Numbers the candidates of a document: by the message of a mailbox, or by the line of records.
pub(super) struct Members<'d> {
    document: &'d Document<'d>,
    /// The offset up to which lines have been counted.
    at: u64,
    member: Option<u64>,
}

impl<'d> Members<'d> {
    pub(super) fn new(document: &'d Document<'d>) -> Self {
        Members {
            document,
            at: document.start,
            member: document.member,
        }
    }

    /// Returns the number for a candidate at `offset`, which must not decrease from call to call.
    pub(super) fn at(&mut self, offset: u64) -> Option<u64> {
        let Form::Records(_) = self.document.form else {
            return self.member;
        };
        let near = |offset: u64| (offset - self.document.start) as usize;
        let passed = &self.document.text[near(self.at)..near(offset)];
        let lines = memchr::memchr_iter(b'\n', passed).count() as u64;
        self.at = offset;
        self.member = self.member.map(|member| member + lines);
        self.member
    }
}

/// Returns whether a string is certainly plain text, by its beginning before its escapes are
/// decoded. Other documents begin with punctuation, with `From `, or with the name of a field of a
/// message, which has no space and is followed by other fields.
fn is_prose(text: &[u8]) -> bool {
    let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte >= 0x80;
    let (word, rest) = text.split_at(text.iter().take_while(is_of_word).count());
    if word.is_empty() || word == b"From" || word.starts_with(b"\xEF\xBB\xBF") {
        return false;
    }
    let is_name = match rest {
        [] | [b'\\', b'n' | b'r', ..] => false,
        [b' ', next, ..] | [b',' | b'.', b' ', next, ..] => !next.is_ascii_alphanumeric(),
        _ => word.is_ascii(),
    };
    !is_name || memchr::memchr(b'\\', rest).is_none()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use urlint_testing::tries;

    proptest! {
        #![proptest_config(tries(20_000))]

        #[test]
        fn prose_is_plain_text(
            text in "(From |Subject|To|X-a|é|\u{FEFF}|a)?[:., ]{0,3}(a|\\\\n|\\\\r|\\\\u003a| |:|é|\
                     From: x|Subject: y\\\\n|<html>|\\.TH a|Mar 3 12:00 2003){0,8}",
        ) {
            if is_prose(text.as_bytes()) {
                let view = decoded(text.as_bytes(), 0);
                prop_assert_eq!(Kind::from_head(view.text()), Kind::Plain, "{}", text);
            }
        }
    }
}
