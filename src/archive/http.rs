//! HTTP messages in web archives (RFC 9112).

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::sync::Arc;

use flate2::read::{DeflateDecoder, ZlibDecoder};
use urlint_documents::document::{Kind, WebRecord};

use super::peek::PeekReader;
use super::record::{self, Header};
use super::{Skipped, Source, Unpacker};

/// The header fields that contain URLs.
const FIELDS: [&str; 5] = ["Location", "Content-Location", "Link", "Refresh", "URI"];

/// How many of the first bytes of a body are needed to recognise its encoding.
const HEAD: usize = 1024;

/// The size of a decoder's input buffer, in bytes.
const READ: usize = 16 * 1024;

impl<E: From<io::Error>> Unpacker<'_, E> {
    /// Reads a message. `head` is the part of the record's own header that has been read; the message's
    /// header is added to it.
    pub(super) fn http(
        &mut self,
        record: &Source,
        mut head: Vec<u8>,
        reader: &mut PeekReader<'_>,
    ) -> Result<(), E> {
        let header = Header::new(record::read(reader)?);
        let record = &with_status(record, &header.bytes);
        head.extend(header.only(&FIELDS));
        self.header(record, &head)?;
        let media_type = header.field("Content-Type").unwrap_or_default();
        let encoding = header.field("Content-Encoding").unwrap_or_default();
        let transfer = header.field("Transfer-Encoding").unwrap_or_default();
        if !transfer.to_ascii_lowercase().ends_with(b"chunked") {
            return self.encoded(record, encoding, media_type, reader);
        }
        let broken = Cell::new(None);
        let mut chunked = Chunked::new(reader, &broken);
        let mut reader = PeekReader::new(&mut chunked, &self.budget.buffers);
        self.encoded(record, encoding, media_type, &mut reader)?;
        drop(reader);
        if let Some(at) = broken.get() {
            let message = "a chunk without a length, so the rest is read as it is";
            self.damaged(record, message, at)?;
        }
        Ok(())
    }

    /// Reads a body. Archives may store it decoded but keep the header field that says it is
    /// encoded, so its first bytes decide. gzip, Zstandard and compress are recognised as in any
    /// other file.
    fn encoded(
        &mut self,
        record: &Source,
        encoding: &[u8],
        media_type: &[u8],
        reader: &mut PeekReader<'_>,
    ) -> Result<(), E> {
        let head = reader.peek(HEAD).unwrap_or_default();
        let encoding = encoding.to_ascii_lowercase();
        match &*encoding {
            _ if is_text(head) => self.plain_body(record, media_type, reader),
            b"deflate" => match head {
                // `deflate` is zlib's format (RFC 9110, section 8.4.1.2), but some servers send raw deflate.
                [first, second, ..] if is_zlib(*first, *second) => {
                    self.body(record, media_type, ZlibDecoder::new(reader))
                }
                _ => self.body(record, media_type, DeflateDecoder::new(reader)),
            },
            b"br" if !has_long_window(head) => {
                let decoder = brotli_decompressor::Decompressor::new(reader, READ);
                self.body(record, media_type, decoder)
            }
            b"" | b"identity" | b"none" | b"gzip" | b"x-gzip" | b"zstd" | b"compress"
            | b"x-compress" => self.plain_body(record, media_type, reader),
            _ => {
                let encoding = String::from_utf8_lossy(&encoding);
                let message = format!("encoded as {encoding}, so not read");
                self.damaged(record, message, 0)
            }
        }
    }

    /// Reads a decoded body of the media type `media_type`.
    fn body(&mut self, record: &Source, media_type: &[u8], reader: impl Read) -> Result<(), E> {
        match self.source_of_body(record, media_type)? {
            Some(body) => self.decompressed(&body, reader).map(drop),
            None => Ok(()),
        }
    }

    /// Reads a body of the media type `media_type` that was not encoded.
    pub(super) fn plain_body(
        &mut self,
        record: &Source,
        media_type: &[u8],
        reader: &mut PeekReader<'_>,
    ) -> Result<(), E> {
        let Some(body) = self.source_of_body(record, media_type)? else {
            return Ok(());
        };
        match reader.in_memory() {
            Some(bytes) if self.budget.add_whole(bytes.len()) => {
                self.open(&body, &mut PeekReader::of(bytes), None)
            }
            _ => self.decompressed(&body, reader).map(drop),
        }
    }

    /// Returns the source for a body of the media type `media_type`, if it is to be read.
    fn source_of_body(&mut self, record: &Source, media_type: &[u8]) -> Result<Option<Source>, E> {
        let media_type = String::from_utf8_lossy(media_type).to_ascii_lowercase();
        // Some servers separate parameters by other characters.
        let ends = |c: char| matches!(c, ';' | ',' | ':') || c.is_whitespace();
        let name = media_type.trim().split(ends).next().unwrap_or_default();
        let (group, subtype) = name.split_once('/').unwrap_or_default();
        if matches!(group, "image" | "audio" | "video" | "font") && !subtype.ends_with("xml") {
            self.skipped(record, Skipped::NotText(name))?;
            return Ok(None);
        }
        Ok(Some(Source {
            kind: Kind::from_media_type(name.as_bytes()),
            path: Vec::new(),
            ..record.clone()
        }))
    }

    /// Reads a header reduced to the values with URLs. Each is on one line, where a URL may contain
    /// spaces.
    pub(super) fn header(&mut self, record: &Source, text: &[u8]) -> Result<(), E> {
        if text.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        let header = Source {
            kind: Some(Kind::Urls),
            ..record.member(b"head")
        };
        self.held(&header, text)
    }
}

/// Returns `record` with the status code at the start of its HTTP message, if records are kept.
fn with_status<'r>(record: &'r Source, header: &[u8]) -> Cow<'r, Source> {
    let Some(said) = &record.record else {
        return Cow::Borrowed(record);
    };
    let line = header.split(|&byte| byte == b'\n').next();
    let mut words = line.unwrap_or_default().split(u8::is_ascii_whitespace);
    let code = words.nth(1).and_then(|code| std::str::from_utf8(code).ok());
    let mut said = WebRecord::clone(said);
    said.status = code.and_then(|code| code.parse().ok());
    Cow::Owned(Source {
        record: Some(Arc::new(said)),
        ..record.clone()
    })
}

fn is_text(head: &[u8]) -> bool {
    let is_cut = |error: std::str::Utf8Error| error.error_len().is_none();
    memchr::memchr(0, head).is_none() && std::str::from_utf8(head).map_or_else(is_cut, |_| true)
}

/// Returns whether a brotli stream has a window of more than 16 MiB, an extension of RFC 7932,
/// section 9.1, that browsers do not decode.
fn has_long_window(head: &[u8]) -> bool {
    head.first().is_some_and(|first| first & 0x7f == 0x11)
}

fn is_zlib(first: u8, second: u8) -> bool {
    first & 0x0f == 8 && (u16::from(first) << 8 | u16::from(second)) % 31 == 0
}

/// Decodes the chunked transfer coding (RFC 9112, section 7.1).
struct Chunked<'c, R> {
    reader: R,
    /// How many bytes of the chunk are left.
    left: u64,
    state: ChunkState,
    at: u64,
    /// A line in place of a chunk's length, which is read as data.
    back: io::Cursor<Vec<u8>>,
    /// The decoded offset of that line.
    broken: &'c Cell<Option<u64>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ChunkState {
    First,
    Later,
    /// After the last chunk.
    Over,
    /// The rest is read as data.
    Raw,
}

impl<'c, R: BufRead> Chunked<'c, R> {
    fn new(reader: R, broken: &'c Cell<Option<u64>>) -> Self {
        Chunked {
            reader,
            left: 0,
            state: ChunkState::First,
            at: 0,
            back: io::Cursor::default(),
            broken,
        }
    }

    /// Reads the line before a chunk.
    fn next_chunk(&mut self) -> io::Result<()> {
        let mut line = Vec::new();
        if self.state == ChunkState::Later {
            self.line(&mut line)?;
        }
        // This is the end of the previous chunk; if it is missing, no length follows either.
        let start = line.len();
        let is_ended = line.trim_ascii().is_empty();
        if is_ended {
            self.line(&mut line)?;
        }
        let text = line[start..].split(|&byte| byte == b';').next();
        let text = text.unwrap_or_default().trim_ascii();
        let text = std::str::from_utf8(text).ok();
        let is_hex = |text: &&str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let length = text
            .filter(is_hex)
            .map(|text| u64::from_str_radix(text, 16));
        match length {
            Some(Ok(0)) => self.state = ChunkState::Over,
            Some(Ok(length)) => {
                self.left = length;
                self.state = ChunkState::Later;
            }
            _ if self.state == ChunkState::Later && line.trim_ascii().is_empty() => {
                return Err(io::Error::other("the last chunk is missing"));
            }
            _ => {
                // An archive may store the decoded body but keep the header field that says it is
                // chunked.
                if self.state == ChunkState::Later {
                    self.broken.set(Some(self.at));
                }
                self.state = ChunkState::Raw;
                self.back = io::Cursor::new(line);
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &mut Vec<u8>) -> io::Result<()> {
        let reader = &mut self.reader;
        reader.take(1024).read_until(b'\n', line)?;
        Ok(())
    }
}

impl<R: BufRead> Read for Chunked<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        if self.left == 0 && matches!(self.state, ChunkState::First | ChunkState::Later) {
            self.next_chunk()?;
        }
        let count = match self.state {
            ChunkState::Over => 0,
            ChunkState::Raw => match self.back.read(out)? {
                0 => self.reader.read(out)?,
                count => count,
            },
            ChunkState::First | ChunkState::Later => {
                let most = out
                    .len()
                    .min(usize::try_from(self.left).unwrap_or(usize::MAX));
                let count = self.reader.read(&mut out[..most])?;
                if count == 0 {
                    return Err(io::Error::other("the chunk is cut off"));
                }
                self.left -= count as u64;
                count
            }
        };
        self.at += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks() {
        let cases = [
            ("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", "abcde", true, None),
            ("0003 \nabc\n0\n", "abc", true, None),
            ("<html>\r\n5\r\n", "<html>\r\n5\r\n", true, None),
            (
                "3\r\nabc\r\nno length\r\nx",
                "abc\r\nno length\r\nx",
                true,
                Some(3),
            ),
            ("3\r\nabcdef", "abcdef", true, Some(3)),
            ("3\r\nabc\r\n", "abc", false, None),
            ("4\r\nabc", "abc", false, None),
            ("", "", true, None),
            ("\n<html>", "\n<html>", true, None),
            (" \r\n\r\n<html>", " \r\n\r\n<html>", true, None),
        ];
        for (coded, text, is_whole, broken) in cases {
            let fault = Cell::new(None);
            let mut decoded = Vec::new();
            let read = Chunked::new(coded.as_bytes(), &fault).read_to_end(&mut decoded);
            assert_eq!(String::from_utf8_lossy(&decoded), text);
            assert_eq!(read.is_ok(), is_whole, "{coded:?}");
            assert_eq!(fault.get(), broken, "{coded:?}");
        }
    }
}
