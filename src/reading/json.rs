//! Reading JSON piece by piece, and the fields of records of which each is a line.

use std::io::{self, Read};
use std::ops::Range;

use super::{Event, Reading, Visit, too_long};
use crate::document::{Kind, MAX_DOCUMENT, Notice, NoticeKind, Parts};
use crate::json_lines::{Fields, Line};
use crate::portion::Document;
use crate::position::Locator;
use crate::span::Span;
use crate::stream::read_once;
use crate::view::json;

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
}

impl<R: Read> Buffer<R> {
    fn new(reader: R) -> Self {
        Buffer {
            reader,
            bytes: Vec::new(),
            filled: 0,
            base: 0,
            is_complete: false,
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

    fn forget(&mut self, count: usize) {
        self.bytes.copy_within(count..self.filled, 0);
        self.filled -= count;
        self.base += count as u64;
    }
}

impl Reading<'_> {
    /// Reads JSON in pieces that end between two strings.
    pub(super) fn json<E: From<io::Error>>(
        &self,
        reader: impl Read,
        visit: &mut Visit<'_, E>,
    ) -> Result<(), E> {
        let mut buffer = Buffer::new(reader);
        let mut locator = Locator::default();
        let mut is_told = false;
        loop {
            buffer.grow()?;
            let text = buffer.text();
            let mut parts = Parts::default();
            let mut end = json::pieces(text, buffer.is_complete, &mut parts);
            if end == 0 && text.len() > MAX_DOCUMENT {
                end = text.len();
                parts = Parts::of(text, Kind::Plain, self.look());
                if !std::mem::replace(&mut is_told, true) {
                    visit(Event::Notice(too_long("json", buffer.base)))?;
                }
            }
            let document = Document {
                text: &text[..end],
                start: buffer.base,
                kind: Kind::Json,
                member: None,
                is_cut: false,
                locator: Locator::default(),
            };
            self.parts(&document, parts, &mut locator, visit)?;
            buffer.forget(end);
            if buffer.is_complete {
                return Ok(());
            }
        }
    }

    /// Reads the strings under the fields of records of which each is a line.
    pub(super) fn json_lines<E: From<io::Error>>(
        &self,
        reader: impl Read,
        visit: &mut Visit<'_, E>,
    ) -> Result<(), E> {
        let mut buffer = Buffer::new(reader);
        let mut records = Records {
            reading: self,
            fields: Fields::new(self.json_fields),
            strings: Vec::new(),
            locator: Locator::default(),
            number: 0,
            is_inside: false,
            more: None,
        };
        loop {
            buffer.grow()?;
            let text = buffer.text();
            let end = match memchr::memrchr(b'\n', text) {
                _ if buffer.is_complete => text.len(),
                Some(last) => last + 1,
                None if text.len() > MAX_DOCUMENT => text.len(),
                None => 0,
            };
            let mut start = buffer.base;
            for line in text[..end].split_inclusive(|&byte| byte == b'\n') {
                records.line(line, start, visit)?;
                start += line.len() as u64;
            }
            buffer.forget(end);
            if buffer.is_complete {
                return records.finish(buffer.base, visit);
            }
        }
    }
}

/// Records, of which each is a line.
struct Records<'r> {
    reading: &'r Reading<'r>,
    fields: Fields<'r>,
    strings: Vec<Range<usize>>,
    locator: Locator,
    /// The number of the last line.
    number: u64,
    /// Whether what comes goes on with a line that is too long.
    is_inside: bool,
    /// How many lines are no JSON behind the first of which that was told, and where the last of
    /// them begins.
    more: Option<(u64, u64)>,
}

impl Records<'_> {
    fn line<E>(&mut self, line: &[u8], start: u64, visit: &mut Visit<'_, E>) -> Result<(), E> {
        let is_rest = std::mem::replace(&mut self.is_inside, line.len() > MAX_DOCUMENT);
        self.number += u64::from(!is_rest);
        self.strings.clear();
        let mark = line.strip_prefix(b"\xEF\xBB\xBF");
        let text = mark.filter(|_| start == 0).unwrap_or(line);
        let behind_mark = line.len() - text.len();
        let told = match is_rest || self.is_inside {
            true => Line::Text,
            false => self.fields.line(text, &mut self.strings),
        };
        let mut parts = Parts::default();
        match told {
            Line::Text => parts = Parts::of(line, Kind::Plain, self.reading.look()),
            Line::Record | Line::Anew => {
                let mut strings = json::Strings::new(text, behind_mark as u64);
                for range in self.strings.drain(..) {
                    self.reading.field(range, &mut strings, &mut parts);
                }
                strings.finish(&mut parts);
            }
        }
        match told {
            Line::Text if is_rest => {}
            Line::Text if self.is_inside => {
                let member = Some(self.number);
                let notice = too_long("json", start);
                visit(Event::Notice(Notice { member, ..notice }))?;
            }
            Line::Record => {}
            Line::Anew => self.tell("what came before has no end", start, visit)?,
            Line::Text => self.tell("no JSON, so read as plain text", start, visit)?,
        }
        let document = Document {
            text: line,
            start,
            kind: Kind::Json,
            member: Some(self.number),
            is_cut: false,
            locator: Locator::default(),
        };
        self.reading
            .parts(&document, parts, &mut self.locator, visit)
    }

    /// Tells what is wrong with a line, if it is the first; a whole file may be something else.
    fn tell<E>(&mut self, what: &str, at: u64, visit: &mut Visit<'_, E>) -> Result<(), E> {
        match &mut self.more {
            Some((count, last)) => {
                *count += 1;
                *last = at;
                Ok(())
            }
            None => {
                self.more = Some((0, at));
                visit(warning(what.to_owned(), at, Some(self.number)))
            }
        }
    }

    fn finish<E>(&mut self, end: u64, visit: &mut Visit<'_, E>) -> Result<(), E> {
        if let Some((count @ 1.., last)) = self.more {
            let message = format!("{count} more such lines, the last");
            visit(warning(message, last, None))?;
        }
        if self.fields.is_inside() {
            visit(warning("the last record has no end".to_owned(), end, None))?;
        }
        Ok(())
    }
}

impl Reading<'_> {
    /// Adds the parts of a field, the string at `range` of a line.
    fn field<'t>(
        &self,
        range: Range<usize>,
        strings: &mut json::Strings<'t>,
        parts: &mut Parts<'t>,
    ) {
        let Some(view) = strings.decoded(&range) else {
            return;
        };
        let told = self.kind.filter(|&kind| kind != Kind::Json);
        match told.unwrap_or_else(|| Kind::of_head(view.text())) {
            Kind::Plain => strings.add(range, parts),
            kind => parts.within(&view, Parts::of(view.text(), kind, self.look())),
        }
    }
}

fn warning<'w>(message: String, at: u64, member: Option<u64>) -> Event<'w> {
    Event::Notice(Notice {
        kind: NoticeKind::Warning,
        span: Span::new(at, at),
        message,
        member,
    })
}
