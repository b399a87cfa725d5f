//! Headers of WARC records and HTTP messages: one field per line, up to an empty line.

use std::io::{self, BufRead, Read};

/// The longest header that is read, in bytes.
const MAX_HEADER: u64 = 256 << 10;

/// How long most headers are at most, in bytes.
const USUAL_HEADER: usize = 1 << 10;

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

/// Returns the value of the first field called `name`, in upper or lower case.
pub(super) fn field<'h>(header: &'h [u8], name: &str) -> Option<&'h [u8]> {
    let name = name.as_bytes();
    lines(header).find_map(|line| {
        let (found, value) = split(line)?;
        let is_it = found.trim_ascii().eq_ignore_ascii_case(name);
        is_it.then(|| value.trim_ascii())
    })
}

/// The lines of a header, with their line breaks.
fn lines(header: &[u8]) -> impl Iterator<Item = &[u8]> {
    header.split_inclusive(|&byte| byte == b'\n')
}

fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = memchr::memchr(b':', line)?;
    Some((&line[..colon], &line[colon + 1..]))
}

/// Returns the header with everything blanked except the values of the fields `kept`; offsets stay
/// the same.
pub(super) fn only(header: &[u8], kept: &[&str]) -> Vec<u8> {
    let mut text = Vec::with_capacity(header.len());
    for line in lines(header) {
        let is_kept = |name: &[u8]| {
            let mut kept = kept.iter();
            kept.any(|field| field.as_bytes().eq_ignore_ascii_case(name.trim_ascii()))
        };
        let value = split(line).filter(|(name, _)| is_kept(name));
        let value = value.map_or(line.len(), |(name, _)| name.len() + 1);
        blank(&line[..value], &mut text);
        text.extend_from_slice(&line[value..]);
    }
    text
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
        assert_eq!(field(header, "Location"), Some(&b"http://a/"[..]));
        assert_eq!(field(header, "Link"), None);
        let only = only(header, &["Location"]);
        let text = String::from_utf8(only).unwrap();
        assert_eq!(text.len(), header.len());
        assert_eq!(text.trim(), "http://a/");
        assert_eq!(text.find("http"), Some(24));
    }
}
