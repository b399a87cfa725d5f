//! Cutting JSON into documents: between two strings, or between two records of one line each.

use std::io::{self, Read};

use memchr::{memchr_iter, memrchr, memrchr_iter};

use super::batch::{Document, Form, RecordsEnd};
use super::by_name::ByName;
use super::records::Records;
use super::{Event, Reader, Sink, too_long};
use crate::document::json;
use crate::document::{Kind, MAX_DOCUMENT, Parts};
use crate::text::buffer::Buffer;
use crate::text::position::Locator;

/// How many bytes are asked of the reader at once.
const READ_SIZE: usize = 256 * 1024;

/// JSON that has been read, from which documents are cut.
struct Cutter<R> {
    buffer: Buffer<R>,
    by_name: ByName,
    /// Counts lines up to where the buffer begins, if they are counted.
    locator: Option<Locator>,
}

impl<R: Read> Cutter<R> {
    fn new(reader: R, own: &Reader, counts: bool) -> Self {
        Cutter {
            buffer: Buffer::new(reader, 0, Vec::new()),
            by_name: own.by_name(),
            locator: counts.then(Locator::default),
        }
    }

    /// Reads on and hands what is held to `take`, which returns how many bytes of it are done with,
    /// again and again until all of the source is.
    fn each<E: From<io::Error>>(
        mut self,
        mut take: impl FnMut(&Self) -> Result<usize, E>,
    ) -> Result<(), E> {
        loop {
            self.grow()?;
            let taken = take(&self)?;
            self.forget(taken);
            if self.buffer.is_complete() && self.buffer.bytes().is_empty() {
                return Ok(());
            }
        }
    }

    /// Doubles what is held, so that no byte is looked at often; but at most to one byte more than a
    /// document may have.
    fn grow(&mut self) -> io::Result<()> {
        let held = self.buffer.bytes().len();
        let mut wanted = held
            .max(READ_SIZE)
            .min((MAX_DOCUMENT + 1).saturating_sub(held));
        while !self.buffer.is_complete() && wanted > 0 {
            wanted -= self.buffer.read(READ_SIZE.min(wanted))?;
        }
        Ok(())
    }

    /// The first `len` bytes as a document.
    fn document(&self, len: usize, kind: Kind) -> Document<'_> {
        Document {
            text: &self.buffer.bytes()[..len],
            start: self.buffer.start(),
            kind,
            member: None,
            form: Form::Whole,
            by_name: self.by_name,
            locator: self.locator.unwrap_or_default(),
        }
    }

    fn forget(&mut self, len: usize) {
        let to = self.buffer.start() + len as u64;
        if let Some(locator) = &mut self.locator {
            locator.advance(self.buffer.window(), to);
        }
        self.buffer.forget(to);
    }
}

impl Reader {
    /// Cuts JSON between two strings. If `counts`, the documents know how many lines precede them.
    pub(super) fn json<E: From<io::Error>>(
        &self,
        reader: impl Read,
        counts: bool,
        sink: &mut dyn Sink<E>,
    ) -> Result<(), E> {
        let mut has_warned = false;
        Cutter::new(reader, self, counts).each(|held| {
            let text = held.buffer.bytes();
            let (mut end, mut kind) = (text.len(), Kind::Json);
            if !held.buffer.is_complete() {
                end = json::cut(text);
                if end == 0 && text.len() > MAX_DOCUMENT {
                    (end, kind) = (text.len(), Kind::Plain);
                    if !std::mem::replace(&mut has_warned, true) {
                        let notice = too_long("json", held.buffer.start());
                        sink.event(Event::Notice(notice))?;
                    }
                }
            }
            if end > 0 {
                sink.document(&held.document(end, kind))?;
            }
            Ok(end)
        })
    }

    /// Cuts JSON of which only fields are read between two records. Where no record is sure to begin,
    /// lines are read one after the other.
    pub(super) fn json_lines<E: From<io::Error>>(
        &self,
        reader: impl Read,
        counts: bool,
        sink: &mut dyn Sink<E>,
    ) -> Result<(), E> {
        let mut number = 1;
        let mut records = Records::new(self, number);
        Cutter::new(reader, self, counts).each(|held| {
            let text = held.buffer.bytes();
            let is_complete = held.buffer.is_complete();
            let goes_on = records.goes_on();
            let record = if goes_on {
                first_record(text)
            } else if is_complete {
                None
            } else {
                last_record(text)
            };
            let (end, records_end) = match record {
                Some(record) => (record, RecordsEnd::Record),
                None if is_complete => (text.len(), RecordsEnd::Source),
                None => (lines_end(text), RecordsEnd::Line),
            };
            let document = Document {
                member: Some(number),
                form: Form::Records(records_end),
                ..held.document(end, Kind::Json)
            };
            number += memchr_iter(b'\n', document.text).count() as u64;
            if document.is_empty() && !goes_on {
                // There is nothing to read, and nothing to say about the end.
            } else if goes_on || records_end == RecordsEnd::Line {
                let mut parts = Parts::default();
                records.read(&document, records_end, &mut parts);
                sink.parts(&document, parts)?;
            } else {
                sink.document(&document)?;
                records = Records::new(self, number);
            }
            Ok(end)
        })
    }
}

/// Where the last line of `text` ends. A text of one line has an end only if it is too long.
fn lines_end(text: &[u8]) -> usize {
    match memrchr(b'\n', text) {
        Some(last) => last + 1,
        None if text.len() > MAX_DOCUMENT => text.len(),
        None => 0,
    }
}

/// Where the first line of `text` begins that certainly begins a record.
fn first_record(text: &[u8]) -> Option<usize> {
    let mut lines = memchr_iter(b'\n', text).map(|end| end + 1);
    lines.find(|&line| begins_record(text, line))
}

/// Where the last line of `text` begins that certainly begins a record.
fn last_record(text: &[u8]) -> Option<usize> {
    let mut lines = memrchr_iter(b'\n', text).map(|end| end + 1);
    lines.find(|&line| begins_record(text, line))
}

/// Returns whether a record begins with the line at `line`: its first byte opens one, and the last
/// byte before it closes one. In JSON only a record can follow without a comma.
fn begins_record(text: &[u8], line: usize) -> bool {
    let before = &text[..line - 1];
    let before = before.strip_suffix(b"\r").unwrap_or(before);
    matches!(before.last(), Some(b'}' | b']')) && matches!(text.get(line), Some(b'{' | b'['))
}
