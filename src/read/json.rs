//! Cutting JSON into documents: between two strings, or between the records of which each is a line.

use std::io::{self, Read};

use memchr::{memchr_iter, memrchr, memrchr_iter};

use super::batch::{Document, Form, RecordsEnd};
use super::records::Records;
use super::{Event, Piece, Reading, too_long};
use crate::document::json;
use crate::document::{Kind, MAX_DOCUMENT, Parts};
use crate::find::stream::read_once;
use crate::text::position::Locator;

/// How many bytes are asked of the reader at once.
const CHUNK: usize = 256 * 1024;

/// What has been read and not been handed out.
struct Buffer<R> {
    reader: R,
    bytes: Vec<u8>,
    filled: usize,
    /// Where it begins in the source.
    base: u64,
    is_complete: bool,
    /// Whether the source is source code.
    code: bool,
    /// Counts lines up to there, if they are counted.
    locator: Option<Locator>,
}

impl<R: Read> Buffer<R> {
    fn new(reader: R, code: bool, counts: bool) -> Self {
        Buffer {
            reader,
            bytes: Vec::new(),
            filled: 0,
            base: 0,
            is_complete: false,
            code,
            locator: counts.then(Locator::default),
        }
    }

    fn text(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    /// Reads as much more as there is, so that little is looked at twice, but no more than makes a
    /// document too long.
    fn grow(&mut self) -> io::Result<()> {
        let enough = self.filled + self.filled.max(CHUNK);
        let enough = enough.min(MAX_DOCUMENT + 1);
        while !self.is_complete && self.filled < enough {
            let room = CHUNK.min(enough - self.filled);
            let read = read_once(&mut self.reader, &mut self.bytes, self.filled, room)?;
            self.is_complete = read == 0;
            self.filled += read;
        }
        Ok(())
    }

    /// The first so many bytes as a document.
    fn document(&self, end: usize, kind: Kind) -> Document<'_> {
        Document {
            text: &self.text()[..end],
            start: self.base,
            kind,
            member: None,
            form: Form::Whole,
            code: self.code,
            locator: self.locator.unwrap_or_default(),
        }
    }

    fn forget(&mut self, count: usize) {
        let end = self.base + count as u64;
        if let Some(locator) = &mut self.locator {
            locator.advance(&self.bytes[..self.filled], self.base, end);
        }
        self.bytes.copy_within(count..self.filled, 0);
        self.filled -= count;
        self.base = end;
    }
}

impl Reading<'_> {
    /// Cuts JSON between two strings. `counts`: the documents know the lines in front of them.
    pub(super) fn json<E: From<io::Error>>(
        &self,
        reader: impl Read,
        counts: bool,
        visit: &mut dyn FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut buffer = Buffer::new(reader, self.finder.code, counts);
        let mut is_told = false;
        loop {
            buffer.grow()?;
            let text = buffer.text();
            let (mut end, mut kind) = (text.len(), Kind::Json);
            if !buffer.is_complete {
                end = json::cut(text);
                if end == 0 && text.len() > MAX_DOCUMENT {
                    (end, kind) = (text.len(), Kind::Plain);
                    if !std::mem::replace(&mut is_told, true) {
                        visit(Piece::Event(Event::Notice(too_long("json", buffer.base))))?;
                    }
                }
            }
            if end > 0 {
                visit(Piece::Document(buffer.document(end, kind)))?;
            }
            buffer.forget(end);
            if buffer.is_complete {
                return Ok(());
            }
        }
    }

    /// Cuts JSON of which only fields are read between two records. Where none is sure to begin
    /// anew, lines are read one after the other.
    pub(super) fn json_lines<E: From<io::Error>>(
        &self,
        reader: impl Read,
        counts: bool,
        visit: &mut dyn FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut buffer = Buffer::new(reader, self.finder.code, counts);
        let mut number = 1;
        let mut records = Records::new(self, number);
        loop {
            buffer.grow()?;
            let text = buffer.text();
            let goes_on = records.goes_on();
            let record = match goes_on {
                true => first_record(text),
                false if buffer.is_complete => None,
                false => last_record(text),
            };
            let (end, records_end) = match record {
                Some(record) => (record, RecordsEnd::Record),
                None if buffer.is_complete => (text.len(), RecordsEnd::Source),
                None => (lines_end(text), RecordsEnd::Line),
            };
            let document = Document {
                member: Some(number),
                form: Form::Records(records_end),
                ..buffer.document(end, Kind::Json)
            };
            number += memchr_iter(b'\n', document.text).count() as u64;
            if document.is_empty() && !goes_on {
                // There is nothing to be read or told.
            } else if goes_on || records_end == RecordsEnd::Line {
                let mut parts = Parts::default();
                records.read(&document, records_end, &mut parts);
                visit(Piece::Parts(document, parts))?;
            } else {
                visit(Piece::Document(document))?;
                records = Records::new(self, number);
            }
            let is_last = records_end == RecordsEnd::Source;
            buffer.forget(end);
            if is_last {
                return Ok(());
            }
        }
    }
}

/// Where the last line of `text` ends; if it has none, whether it is too long is for others to tell.
fn lines_end(text: &[u8]) -> usize {
    match memrchr(b'\n', text) {
        Some(last) => last + 1,
        None if text.len() > MAX_DOCUMENT => text.len(),
        None => 0,
    }
}

/// Where the first record of `text` begins that is sure to.
fn first_record(text: &[u8]) -> Option<usize> {
    let mut lines = memchr_iter(b'\n', text).map(|end| end + 1);
    lines.find(|&line| begins_record(text, line))
}

/// Where the last one does.
fn last_record(text: &[u8]) -> Option<usize> {
    let mut lines = memrchr_iter(b'\n', text).map(|end| end + 1);
    lines.find(|&line| begins_record(text, line))
}

/// Whether a record begins with the line at `line`: its first byte opens one, and the last one
/// before it closes one. In JSON nothing but a record begins behind that without a comma.
fn begins_record(text: &[u8], line: usize) -> bool {
    let before = &text[..line - 1];
    let before = before.strip_suffix(b"\r").unwrap_or(before);
    matches!(before.last(), Some(b'}' | b']')) && matches!(text.get(line), Some(b'{' | b'['))
}
