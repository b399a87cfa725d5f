//! Headers of WARC records and HTTP messages: one field per line, up to an empty line.

use std::io::{self, BufRead, Read};
use std::ops::Range;

/// The longest header that is read, in bytes.
const MAX_HEADER: u64 = 256 << 10;

/// How long most headers are at most, in bytes.
const USUAL_HEADER: usize = 1 << 10;

/// How many fields most headers have at most.
const USUAL_FIELDS: usize = 32;

/// Reads a header with its empty line.
pub(super) fn read(reader: &mut dyn BufRead) -> io::Result<Vec<u8>> {
    let mut header = Vec::with_capacity(USUAL_HEADER);
    let mut reader = reader.take(MAX_HEADER);
    loop {
        let start = header.len();
        reader.read_until(b'\n', &mut header)?;
        if matches!(&header[start..], b"" | b"\n" | b"\r\n") {
            return Ok(header);
        }
    }
}

/// A header whose lines have been told apart.
pub(super) struct Header {
    pub(super) bytes: Vec<u8>,
    /// The name of each field, and its value with the line break.
    fields: Vec<(Range<usize>, Range<usize>)>,
}

impl Header {
    pub(super) fn new(bytes: Vec<u8>) -> Header {
        let mut fields = Vec::with_capacity(USUAL_FIELDS);
        let mut start = 0;
        let ends = memchr::memchr_iter(b'\n', &bytes).map(|end| end + 1);
        for end in ends.chain([bytes.len()]) {
            if let Some(colon) = memchr::memchr(b':', &bytes[start..end]) {
                fields.push((start..start + colon, start + colon + 1..end));
            }
            start = end;
        }
        Header { bytes, fields }
    }

    fn is(&self, name: &Range<usize>, wanted: &str) -> bool {
        let name = self.bytes[name.clone()].trim_ascii();
        name.eq_ignore_ascii_case(wanted.as_bytes())
    }

    /// Returns the value of the first field called `name`, in upper or lower case.
    pub(super) fn field(&self, name: &str) -> Option<&[u8]> {
        let mut fields = self.fields.iter();
        let (_, value) = fields.find(|(found, _)| self.is(found, name))?;
        Some(self.bytes[value.clone()].trim_ascii())
    }

    /// Returns the header with everything blanked except the values of the fields `kept`; offsets stay
    /// the same.
    pub(super) fn only(&self, kept: &[&str]) -> Vec<u8> {
        let mut text = Vec::with_capacity(self.bytes.len());
        blank(&self.bytes, &mut text);
        for (name, value) in &self.fields {
            if kept.iter().any(|kept| self.is(name, kept)) {
                text[value.clone()].copy_from_slice(&self.bytes[value.clone()]);
            }
        }
        text
    }
}

/// Adds `bytes` to `text` with everything but line breaks replaced by spaces.
pub(super) fn blank(bytes: &[u8], text: &mut Vec<u8>) {
    let start = text.len();
    text.resize(start + bytes.len(), b' ');
    for at in memchr::memchr2_iter(b'\r', b'\n', bytes) {
        text[start + at] = bytes[at];
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn a_header_ends_at_an_empty_line() {
        for (text, length) in [
            ("A: b\r\n\r\nbody", 8),
            ("A: b\n\n", 6),
            ("A: b\nC: d", 9),
            ("\r\nbody", 2),
            ("", 0),
        ] {
            assert_eq!(
                read(&mut text.as_bytes()).unwrap().len(),
                length,
                "{text:?}"
            );
        }
    }

    #[test]
    fn fields_of_a_header() {
        let header = b"HTTP/1.0 200\r\nlocation: http://a/\r\nX: http://b/\r\n\r\n";
        let header = Header::new(header.to_vec());
        assert_eq!(header.field("Location"), Some(&b"http://a/"[..]));
        assert_eq!(header.field("Link"), None);
        let only = header.only(&["Location"]);
        let text = String::from_utf8(only).unwrap();
        assert_eq!(text.len(), header.bytes.len());
        assert_eq!(text.trim(), "http://a/");
        assert_eq!(text.find("http"), Some(24));
    }
}
