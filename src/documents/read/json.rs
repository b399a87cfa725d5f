//! Cutting JSON into documents: between two strings, or between two records of one line each.

use std::io::{self, Read};

use memchr::{memchr_iter, memrchr, memrchr_iter};

use super::by_name::ByName;
use super::piece::{Document, Form, RecordsEnd};
use super::records::Records;
use super::{Event, READ_SIZE, Reader, Segment, Take, room, too_long};
use crate::document::{Kind, MAX_DOCUMENT, Parts, json};
use urlint_standard::text::Locator;
use urlint_standard::text::buffer::Buffer;

/// JSON that has been read, from which documents are cut.
struct Cutter<R> {
    buffer: Buffer<R>,
    by_name: ByName,
    /// Counts lines up to the start of the buffer, if they are counted.
    locator: Option<Locator>,
}

impl<R: Read> Cutter<R> {
    fn new(reader: R, own: &Reader) -> Self {
        Cutter {
            buffer: Buffer::new(reader),
            by_name: own.by_name(),
            locator: own.positions.then(Locator::default),
        }
    }

    /// Reads the whole source, passing the buffer to `take` repeatedly. `take` returns how many
    /// bytes it has finished with.
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

    /// Doubles the content of the buffer, so that no byte is examined often, up to one byte more
    /// than the longest document.
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
    /// Cuts JSON between two strings.
    pub(super) fn json<E: From<io::Error>>(
        &self,
        reader: impl Read,
        take: &mut Take<'_, E>,
    ) -> Result<(), E> {
        let mut has_warned = false;
        Cutter::new(reader, self).each(|held| {
            let text = held.buffer.bytes();
            let (mut end, mut kind) = (text.len(), Kind::Json);
            if !held.buffer.is_complete() {
                end = json::cut(text);
                if end == 0 && text.len() > MAX_DOCUMENT {
                    (end, kind) = (text.len(), Kind::Plain);
                    if !std::mem::replace(&mut has_warned, true) {
                        let notice = too_long("json", held.buffer.start());
                        take(Segment::Event(Event::Notice(notice)))?;
                    }
                }
            }
            if end > 0 {
                take(Segment::Document(held.document(end, kind)))?;
            }
            Ok(end)
        })
    }

    /// Cuts JSON between two records, if only fields are read. If no record certainly begins, lines
    /// are read one by one.
    pub(super) fn json_lines<E: From<io::Error>>(
        &self,
        reader: impl Read,
        take: &mut Take<'_, E>,
    ) -> Result<(), E> {
        let mut number = 1;
        let mut records = Records::new(self, number);
        Cutter::new(reader, self).each(|held| {
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
            if document.text.is_empty() && !goes_on {
                // There is nothing to read, and nothing to report about the end.
            } else if goes_on || records_end == RecordsEnd::Line {
                room::ensure(document.text, document.kind)?;
                let mut parts = Parts::default();
                records.read(&document, records_end, &mut parts);
                let visit = &mut |event: Event<'_>| take(Segment::Event(event));
                self.parts(&document, parts, visit)?;
            } else {
                take(Segment::Document(document))?;
                records = Records::new(self, number);
            }
            Ok(end)
        })
    }
}

/// Returns the end of the last complete line of `text`. A single line is cut only if it is too
/// long.
fn lines_end(text: &[u8]) -> usize {
    match memrchr(b'\n', text) {
        Some(last) => last + 1,
        None if text.len() > MAX_DOCUMENT => text.len(),
        None => 0,
    }
}

/// Returns the start of the first line of `text` that certainly begins a record.
fn first_record(text: &[u8]) -> Option<usize> {
    let mut lines = memchr_iter(b'\n', text).map(|end| end + 1);
    lines.find(|&line| begins_record(text, line))
}

/// Returns the start of the last line of `text` that certainly begins a record.
fn last_record(text: &[u8]) -> Option<usize> {
    let mut lines = memrchr_iter(b'\n', text).map(|end| end + 1);
    lines.find(|&line| begins_record(text, line))
}

/// Returns whether the line at `line` certainly begins a record: its first byte opens one, and the
/// last byte before it closes one. In JSON, only a new record can follow without a comma.
fn begins_record(text: &[u8], line: usize) -> bool {
    let before = &text[..line - 1];
    let before = before.strip_suffix(b"\r").unwrap_or(before);
    matches!(before.last(), Some(b'}' | b']')) && matches!(text.get(line), Some(b'{' | b'['))
}
