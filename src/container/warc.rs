//! Web archives: WARC (ISO 28500), and ARC before that.

use std::io::{self, BufRead, Read};
use std::ops::Range;

use super::peek::Peek;
use super::{Opener, Source, record};
use crate::cli::Error;

/// The longest line in front of a record of ARC.
const MAX_LINE: u64 = 64 << 10;

impl Opener<'_> {
    pub(super) fn warc(&mut self, source: &Source, reader: &mut Peek<'_>) -> Result<(), Error> {
        let (mut at, mut number) = (0, 0);
        while !self.budget.is_spent() {
            at += skip_blank_lines(reader)?;
            let begins = reader.peek(5)?;
            if begins.is_empty() {
                break;
            }
            if !begins.starts_with(b"WARC/") {
                self.sink.fault(source, "no record begins here", at);
                at += skip_to_record(reader)?;
                continue;
            }
            let header = record::read(reader)?;
            number += 1;
            let record = source.member(number.to_string().as_bytes());
            let length = record::field(&header, "Content-Length").and_then(number_of);
            let Some(length) = length else {
                self.sink.fault(&record, "a record without its length", at);
                at += header.len() as u64 + skip_to_record(reader)?;
                continue;
            };
            at += header.len() as u64;
            let read = self.body_of(&record, length, reader, |opener, body| {
                opener.warc_record(&record, &header, body)
            })?;
            if read < length {
                break;
            }
            at += length;
        }
        Ok(())
    }

    fn warc_record(
        &mut self,
        record: &Source,
        header: &[u8],
        body: &mut Peek<'_>,
    ) -> Result<(), Error> {
        let head = record::only(header, &["WARC-Target-URI"]);
        let kind = record::field(header, "WARC-Type").unwrap_or_default();
        let media_type = record::field(header, "Content-Type").unwrap_or_default();
        let is_http = media_type.starts_with(b"application/http");
        match kind {
            b"response" if is_http && body.peek(5)?.starts_with(b"HTTP/") => {
                self.http(record, head, body)
            }
            b"response" | b"resource" | b"conversion" => {
                self.header(record, &head)?;
                // Its own type is unknown, if that of the message around it was told.
                let media_type = if is_http { &[] } else { media_type };
                self.body(record, media_type, body)
            }
            _ => {
                let kind = String::from_utf8_lossy(kind);
                self.sink
                    .skipped(record, &format!("the body of a {kind} record"));
                self.header(record, &head)
            }
        }
    }

    pub(super) fn arc(&mut self, source: &Source, reader: &mut Peek<'_>) -> Result<(), Error> {
        let (mut at, mut number) = (0, 0);
        let mut is_lost = false;
        while !self.budget.is_spent() {
            at += skip_blank_lines(reader)?;
            let mut line = Vec::new();
            (&mut *reader).take(MAX_LINE).read_until(b'\n', &mut line)?;
            if line.is_empty() {
                break;
            }
            let start = at;
            at += line.len() as u64;
            let Some(arc) = Arc::of(&line) else {
                if !is_lost {
                    self.sink.fault(source, "no record begins here", start);
                }
                is_lost = true;
                continue;
            };
            is_lost = false;
            number += 1;
            let record = source.member(number.to_string().as_bytes());
            let read = self.body_of(&record, arc.length, reader, |opener, body| {
                opener.arc_record(&record, &line, &arc, body)
            })?;
            if read < arc.length {
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
        body: &mut Peek<'_>,
    ) -> Result<(), Error> {
        if line.starts_with(b"filedesc:") {
            return Ok(());
        }
        let mut head = line[..arc.url.end].to_vec();
        record::blank(&line[arc.url.end..], &mut head);
        if body.peek(5)?.starts_with(b"HTTP/") {
            return self.http(record, head, body);
        }
        self.header(record, &head)?;
        self.body(record, arc.media_type, body)
    }

    /// Hands the next `length` bytes to `read`; returns how many there were.
    fn body_of(
        &mut self,
        record: &Source,
        length: u64,
        reader: &mut Peek<'_>,
        read: impl FnOnce(&mut Self, &mut Peek<'_>) -> Result<(), Error>,
    ) -> Result<u64, Error> {
        let mut body = (&mut *reader).take(length);
        read(self, &mut Peek::new(&mut body))?;
        io::copy(&mut body, &mut io::sink())?;
        let there = length - body.limit();
        if there < length && !self.budget.is_spent() {
            let message = format!("a record of {length} bytes, but cut off");
            self.sink.fault(record, &message, there);
        }
        Ok(there)
    }
}

/// The line in front of a record of ARC: `URL address date type … length`.
struct Arc<'l> {
    url: Range<usize>,
    media_type: &'l [u8],
    length: u64,
}

impl<'l> Arc<'l> {
    /// The URL may have spaces in it, so the date tells where it ends.
    fn of(line: &'l [u8]) -> Option<Self> {
        let line = line.trim_ascii_end();
        let words: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
        let length = number_of(words.last()?)?;
        let is_date =
            |word: &&[u8]| (8..=18).contains(&word.len()) && word.iter().all(u8::is_ascii_digit);
        let date = (2..words.len().checked_sub(2)?).find(|&at| is_date(&words[at]))?;
        let end = words[..date - 1]
            .iter()
            .map(|word| word.len() + 1)
            .sum::<usize>()
            - 1;
        memchr::memchr(b':', &line[..end])?;
        Some(Arc {
            url: 0..end,
            media_type: words[date + 1],
            length,
        })
    }
}

fn number_of(text: &[u8]) -> Option<u64> {
    let digits = text.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(text)
        .ok()?
        .parse()
        .ok()
        .filter(|_| digits)
}

/// Skips line ends; returns how many bytes.
fn skip_blank_lines(reader: &mut impl BufRead) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let rest = reader.fill_buf()?;
        let blank = rest
            .iter()
            .take_while(|byte| b"\r\n".contains(byte))
            .count();
        let more = blank > 0 && blank == rest.len();
        reader.consume(blank);
        skipped += blank as u64;
        if !more {
            return Ok(skipped);
        }
    }
}

/// Skips lines up to the next that may begin a record; returns how many bytes.
fn skip_to_record(reader: &mut Peek<'_>) -> io::Result<u64> {
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
                "http://a/, text/html, 15",
            ),
            (
                "http://a/b c 1.2.3.4 20140216050221 text/html 15\r\n",
                "http://a/b c, text/html, 15",
            ),
            (
                "http://a/ 1.2.3.4 20140216050221 a/b 200 - - 0 x.arc 15\n",
                "http://a/, a/b, 15",
            ),
            ("http://a/ 1.2.3.4 20140216050221 text/html -1\n", ""),
            ("http://a/ 1.2.3.4 text/html 15\n", ""),
            ("15\n", ""),
        ];
        for (line, expected) in cases {
            let shown = Arc::of(line.as_bytes()).map(|arc| {
                let media_type = String::from_utf8_lossy(arc.media_type);
                format!("{}, {media_type}, {}", &line[arc.url], arc.length)
            });
            assert_eq!(shown.unwrap_or_default(), expected, "{line}");
        }
    }
}
