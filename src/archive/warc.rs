//! Web archives: WARC (ISO 28500), and ARC before that.

use std::io::{self, BufRead, Read};
use std::ops::Range;

use memchr::memmem;

use super::peek::{PeekReader, skip};
use super::record::{self, Header};
use super::{Skipped, Source, Unpacker};
use urlint_documents::document::WebRecord;

/// The longest header line of an ARC record, in bytes.
const MAX_LINE: u64 = 64 << 10;

/// The longest record that is held in memory, in bytes, to check its length against the start of
/// the next.
const MAX_CHECKED: u64 = 4 << 20;

/// How many bytes of records with a wrong length are searched in total, which bounds the time for a
/// file that has only such records.
const MAX_CHECKED_IN_VAIN: u64 = 1 << 30;

/// How many bytes after a record are examined.
const AHEAD: usize = 64;

/// How far a web archive has been read.
struct Progress {
    /// The offset in the archive.
    at: u64,
    /// The number of the last record, from 1.
    number: u64,
    /// How many more bytes of records with a wrong length may be searched.
    checkable: u64,
}

impl Progress {
    /// Returns the next record of `source`, named by its number.
    fn next_record(&mut self, source: &Source) -> Source {
        self.number += 1;
        source.member(self.number.to_string().as_bytes())
    }
}

impl<E: From<io::Error>> Unpacker<'_, E> {
    pub(super) fn warc(&mut self, source: &Source, reader: &mut PeekReader<'_>) -> Result<(), E> {
        let mut progress = Progress {
            at: 0,
            number: 0,
            checkable: MAX_CHECKED_IN_VAIN,
        };
        while !self.budget.is_spent() {
            progress.at += skip(reader, b"\r\n")?;
            let start = reader.peek(5)?;
            if start.is_empty() {
                break;
            }
            if !start.starts_with(b"WARC/") {
                let skipped = skip_to_record(reader)?;
                let message = format!("no record begins here; {skipped} bytes are skipped");
                self.damaged(source, message, progress.at)?;
                progress.at += skipped;
                continue;
            }
            let (mut record, header) = self.warc_header(source, &mut progress, reader)?;
            if self.records {
                record.record = Some(std::sync::Arc::new(said_by_warc(&header)));
            }
            let length = header.field("Content-Length").and_then(number_of);
            let Some(length) = length else {
                self.damaged(&record, "a record without a length", progress.at)?;
                progress.at += header.bytes.len() as u64 + skip_to_record(reader)?;
                continue;
            };
            progress.at += header.bytes.len() as u64;
            let length = self.checked_length(&record, length, &mut progress, reader)?;
            let read = self.body_of(&record, length, reader, |unpacker, body| {
                unpacker.warc_record(&record, &header, body)
            })?;
            if read < length {
                break;
            }
            progress.at += length;
        }
        Ok(())
    }

    /// Reads the header of the next record with a body. Returns the record and its header.
    fn warc_header(
        &mut self,
        source: &Source,
        progress: &mut Progress,
        reader: &mut PeekReader<'_>,
    ) -> Result<(Source, Header), E> {
        let mut header = record::read(reader)?;
        let mut record = progress.next_record(source);
        let mut start = 0;
        while let Some(next) = next_record(&header[start..]) {
            self.damaged(&record, "a record without a body", progress.at)?;
            start += next;
            progress.at += next as u64;
            record = progress.next_record(source);
        }
        header.drain(..start);
        Ok((record, Header::new(header)))
    }

    /// Returns the length of a record that claims `length` bytes: a different one if the next
    /// record begins before or after that.
    fn checked_length(
        &mut self,
        record: &Source,
        length: u64,
        progress: &mut Progress,
        reader: &mut PeekReader<'_>,
    ) -> Result<u64, E> {
        if length > MAX_CHECKED.min(progress.checkable) {
            return Ok(length);
        }
        let Some(real) = real_length(reader, length as usize)? else {
            return Ok(length);
        };
        progress.checkable = progress.checkable.saturating_sub(length);
        let message = format!("{real} bytes long, not {length} as it says");
        self.damaged(record, message, real)?;
        Ok(real)
    }

    fn warc_record(
        &mut self,
        record: &Source,
        header: &Header,
        body: &mut PeekReader<'_>,
    ) -> Result<(), E> {
        let head = header.only(&["WARC-Target-URI"]);
        let kind = header.field("WARC-Type").unwrap_or_default();
        let media_type = header.field("Content-Type").unwrap_or_default();
        let is_http = media_type.starts_with(b"application/http");
        match kind {
            b"response" if is_http && body.peek(5)?.starts_with(b"HTTP/") => {
                self.http(record, head, body)
            }
            b"response" | b"resource" | b"conversion" => {
                self.header(record, &head)?;
                // The type belongs to the HTTP message; the type of its body is unknown.
                let media_type = if is_http { &[] } else { media_type };
                self.plain_body(record, media_type, body)
            }
            // Data extracted from a page, such as its links.
            b"metadata" if media_type.starts_with(b"application/json") => {
                self.header(record, &head)?;
                self.plain_body(record, media_type, body)
            }
            _ => {
                let kind = String::from_utf8_lossy(kind);
                let description = format!("the body of a {kind} record");
                self.skipped(record, Skipped::NotText(&description))?;
                self.header(record, &head)
            }
        }
    }

    pub(super) fn arc(&mut self, source: &Source, reader: &mut PeekReader<'_>) -> Result<(), E> {
        let (mut at, mut number) = (0, 0);
        let mut is_lost = false;
        while !self.budget.is_spent() {
            at += skip(reader, b"\r\n")?;
            let mut line = Vec::new();
            (&mut *reader).take(MAX_LINE).read_until(b'\n', &mut line)?;
            if line.is_empty() {
                break;
            }
            let start = at;
            at += line.len() as u64;
            let Some(arc) = Arc::of(&line) else {
                if !is_lost {
                    self.damaged(source, "no record begins here", start)?;
                }
                is_lost = true;
                continue;
            };
            is_lost = false;
            number += 1;
            let mut record = source.member(number.to_string().as_bytes());
            if self.records {
                record.record = Some(std::sync::Arc::new(arc.says(&line)));
            }
            let Some(length) = arc.length else {
                let message = "a record without a length, so only its URL is read";
                self.damaged(&record, message, start)?;
                is_lost = true;
                self.header(&record, &arc.head(&line))?;
                continue;
            };
            let read = self.body_of(&record, length, reader, |unpacker, body| {
                unpacker.arc_record(&record, &line, &arc, body)
            })?;
            if read < length {
                break;
            }
            at += read;
        }
        Ok(())
    }

    fn arc_record(
        &mut self,
        record: &Source,
        line: &[u8],
        arc: &Arc<'_>,
        body: &mut PeekReader<'_>,
    ) -> Result<(), E> {
        let head = arc.head(line);
        if head.is_empty() {
            return Ok(());
        }
        if body.peek(5)?.starts_with(b"HTTP/") {
            return self.http(record, head, body);
        }
        self.header(record, &head)?;
        self.plain_body(record, arc.media_type, body)
    }

    /// Passes the next `length` bytes to `read`. Returns how many there were.
    fn body_of(
        &mut self,
        record: &Source,
        length: u64,
        reader: &mut PeekReader<'_>,
        read: impl FnOnce(&mut Self, &mut PeekReader<'_>) -> Result<(), E>,
    ) -> Result<u64, E> {
        let there = if length <= MAX_CHECKED {
            let text = reader.peek(length as usize)?;
            let body = &text[..text.len().min(length as usize)];
            let there = body.len();
            read(self, &mut PeekReader::of(body))?;
            reader.consume(there);
            there as u64
        } else {
            let mut body = (&mut *reader).take(length);
            let buffers = &self.budget.buffers;
            read(self, &mut PeekReader::new(&mut body, buffers))?;
            io::copy(&mut body, &mut io::sink())?;
            length - body.limit()
        };
        if there < length && !self.budget.is_spent() {
            let message = format!("a record of {length} bytes, but cut off");
            self.damaged(record, message, there)?;
        }
        Ok(there)
    }
}

/// The header line of an ARC record: `URL address date type … length`.
struct Arc<'l> {
    url: Range<usize>,
    date: &'l [u8],
    media_type: &'l [u8],
    /// `None` if it is not a number.
    length: Option<u64>,
}

impl<'l> Arc<'l> {
    /// Splits a line. The URL may contain spaces, so its end is found by the date.
    fn of(line: &'l [u8]) -> Option<Self> {
        let line = line.trim_ascii_end();
        let words: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
        let length = number_of(words.last()?);
        let is_address = |word: &[u8]| {
            let is_of_it = |byte: &u8| byte.is_ascii_hexdigit() || b".:".contains(byte);
            word.iter().all(is_of_it)
        };
        let is_date =
            |word: &&[u8]| (8..=18).contains(&word.len()) && word.iter().all(u8::is_ascii_digit);
        let date = (2..words.len().checked_sub(2)?).find(|&at| is_date(&words[at]))?;
        if length.is_none() && !is_address(words[date - 1]) {
            return None;
        }
        let end = words[..date - 1]
            .iter()
            .map(|word| word.len() + 1)
            .sum::<usize>()
            - 1;
        memchr::memchr(b':', &line[..end])?;
        Some(Arc {
            url: 0..end,
            date: words[date],
            media_type: words[date + 1],
            length,
        })
    }

    /// Returns the facts about the document in the header line.
    fn says(&self, line: &[u8]) -> WebRecord {
        let mut record = WebRecord::default();
        record.target = line.get(self.url.clone()).map(<[u8]>::to_vec);
        record.date = Some(self.date.to_vec());
        record
    }

    /// Returns the line with everything except its URL blanked; empty if it names the archive
    /// itself.
    fn head(&self, line: &[u8]) -> Vec<u8> {
        if line.starts_with(b"filedesc:") {
            return Vec::new();
        }
        let mut head = line[..self.url.end].to_vec();
        record::blank(&line[self.url.end..], &mut head);
        head
    }
}

/// Returns the facts about its document in the header of a record.
fn said_by_warc(header: &Header) -> WebRecord {
    let field = |name| header.field(name).map(<[u8]>::to_vec);
    // Version 0.17 puts the URL in angle brackets.
    let target = field("WARC-Target-URI").map(|target| match &*target {
        [b'<', inner @ .., b'>'] => inner.to_vec(),
        _ => target,
    });
    let mut record = WebRecord::default();
    record.target = target;
    record.date = field("WARC-Date");
    record.kind = field("WARC-Type");
    record
}

fn number_of(text: &[u8]) -> Option<u64> {
    let digits = text.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(text)
        .ok()?
        .parse()
        .ok()
        .filter(|_| digits)
}

/// Returns the length of the next record, if it is not `length`: if another record begins earlier,
/// or none begins there.
fn real_length(reader: &mut PeekReader<'_>, length: usize) -> io::Result<Option<u64>> {
    let text = reader.peek(length + AHEAD)?;
    let rest = text.get(length..).unwrap_or_default();
    let rest = &rest[rest
        .iter()
        .take_while(|&byte| b"\r\n".contains(byte))
        .count()..];
    if begins_record(rest) || (rest.is_empty() && (length..length + AHEAD).contains(&text.len())) {
        return Ok(None);
    }
    let mut places = memmem::find_iter(text, b"WARC/");
    let next = places.find(|&at| begins_record(&text[at..]));
    // Bytes after a mark that looks like the end of a record belong to no record.
    let is_ended = text.get(length..length + 4) == Some(b"\r\n\r\n");
    let next = next.filter(|&next| next < length || !is_ended);
    Ok(next.map(|at| text[..at].trim_ascii_end().len() as u64))
}

/// Returns the offset in a header where another record begins.
fn next_record(header: &[u8]) -> Option<usize> {
    let mut places = memmem::find_iter(header, b"\nWARC/");
    let is_record = |at: &usize| begins_record(&header[at + 1..]);
    places.find(is_record).map(|at| at + 1)
}

/// Returns whether `text` begins with the first line of a record, or with a prefix of one if it is
/// short.
fn begins_record(text: &[u8]) -> bool {
    let version = text.strip_prefix(b"WARC/").unwrap_or_default();
    let version = &version[..version.len().min(AHEAD / 2)];
    let line = version.split(|&byte| byte == b'\n').next();
    let line = line.unwrap_or_default().trim_ascii_end();
    matches!(line, [b'0'..=b'2', b'.', minor @ ..] if minor.iter().all(u8::is_ascii_digit))
        && version.len() > line.len()
}

/// Skips lines up to the next that may begin a record. Returns how many bytes were skipped.
fn skip_to_record(reader: &mut PeekReader<'_>) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        skipped += reader.skip_until(b'\n')? as u64;
        if matches!(reader.peek(5)?, b"") || reader.peek(5)?.starts_with(b"WARC/") {
            return Ok(skipped);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_arc() {
        let cases = [
            (
                "http://a/ 1.2.3.4 20140216050221 text/html 15\n",
                "http://a/, text/html, Some(15)",
            ),
            (
                "http://a/b c 1.2.3.4 20140216050221 text/html 15\r\n",
                "http://a/b c, text/html, Some(15)",
            ),
            (
                "http://a/ 1.2.3.4 20140216050221 a/b 200 - - 0 x.arc 15\n",
                "http://a/, a/b, Some(15)",
            ),
            (
                "http://a/ 1.2.3.4 20140216050221 text/html -1\n",
                "http://a/, text/html, None",
            ),
            ("http://a/ on 20140216050221 and so on\n", ""),
            ("http://a/ 1.2.3.4 text/html 15\n", ""),
            ("15\n", ""),
        ];
        for (line, expected) in cases {
            let shown = Arc::of(line.as_bytes()).map(|arc| {
                let media_type = String::from_utf8_lossy(arc.media_type);
                format!("{}, {media_type}, {:?}", &line[arc.url], arc.length)
            });
            assert_eq!(shown.unwrap_or_default(), expected, "{line}");
        }
    }
}
