//! ar: static libraries and Debian packages, which contain other archives.

use std::io::{self, BufRead, Read};

use super::peek::PeekReader;
use super::{Source, Unpacker};

/// The first bytes of an archive.
pub(super) const MAGIC: &[u8] = b"!<arch>\n";

/// The length of a member's header, in bytes.
const HEADER: usize = 60;

/// The most memory for names, in bytes.
const MAX_NAMES: u64 = 4 << 20;

impl<E: From<io::Error>> Unpacker<'_, E> {
    pub(super) fn ar(&mut self, source: &Source, reader: &mut PeekReader<'_>) -> Result<(), E> {
        reader.consume(MAGIC.len());
        let mut at = MAGIC.len() as u64;
        let mut table = Vec::new();
        while !self.budget.is_spent() {
            let header = reader.peek(HEADER)?;
            if header.is_empty() {
                break;
            }
            let Some(Header { name, length }) = Header::of(header) else {
                self.damaged(source, "no member begins here", at);
                break;
            };
            reader.consume(HEADER);
            // How many bytes of the member are names: its own, or the table of long names.
            let names = match name.strip_prefix(b"#1/") {
                Some(digits) => number(digits).unwrap_or(u64::MAX),
                None if name == b"//" => length,
                None => 0,
            };
            if names > length.min(MAX_NAMES) {
                let message = "the name of a member is too long";
                self.damaged(source, message, at);
                break;
            }
            let mut text = Vec::new();
            reader.take(names).read_to_end(&mut text)?;
            let there = match &*name {
                b"//" => {
                    table = text;
                    table.len() as u64
                }
                // The symbol table.
                b"/" | b"/SYM64/" => io::copy(&mut reader.take(length), &mut io::sink())?,
                _ => {
                    let name = match names {
                        0 => name_of(&name, &table),
                        _ => up_to(&text, b"\0"),
                    };
                    let member = source.member(name);
                    let decoded = self.stored(&member, reader.take(length - names))?;
                    if decoded.length < length - names {
                        let message = format!("{} bytes long, but cut off", length - names);
                        self.damaged(&member, message, decoded.length);
                    }
                    names + decoded.length
                }
            };
            if there < length {
                break;
            }
            // Members begin at even offsets.
            let odd = length % 2;
            io::copy(&mut reader.take(odd), &mut io::sink())?;
            at += HEADER as u64 + length + odd;
        }
        Ok(())
    }
}

/// The header of a member.
struct Header {
    /// The name field, without trailing spaces.
    name: Vec<u8>,
    /// The length of the member in bytes.
    length: u64,
}

impl Header {
    fn of(header: &[u8]) -> Option<Self> {
        let header = header.first_chunk::<HEADER>()?;
        let (name, length) = (&header[..16], &header[48..58]);
        header.ends_with(b"`\n").then_some(Header {
            name: name.trim_ascii_end().to_vec(),
            length: number(length.trim_ascii())?,
        })
    }
}

/// The name of a member: `/` and a number in the field give an offset in the table of long names.
fn name_of<'n>(field: &'n [u8], table: &'n [u8]) -> &'n [u8] {
    let at = field.strip_prefix(b"/").and_then(number);
    match at.and_then(|at| table.get(usize::try_from(at).ok()?..)) {
        Some(long) => up_to(long, b"/\n\0"),
        None => field.strip_suffix(b"/").unwrap_or(field),
    }
}

/// `text` up to the first of `ends`; a slash counts only before a line break.
fn up_to<'t>(text: &'t [u8], ends: &[u8]) -> &'t [u8] {
    let is_end = |(at, byte): (usize, &u8)| {
        ends.contains(byte) && (*byte != b'/' || text.get(at + 1) == Some(&b'\n'))
    };
    let end = text.iter().enumerate().position(is_end);
    &text[..end.unwrap_or(text.len())]
}

fn number(digits: &[u8]) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let digits = std::str::from_utf8(digits).ok()?;
    digits.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let table = b"a-long-name.txt/\nb/c.txt/\nlast";
        let cases: [(&[u8], &[u8]); 7] = [
            (b"a.txt/", b"a.txt"),
            (b"a b", b"a b"),
            (b"/0", b"a-long-name.txt"),
            (b"/17", b"b/c.txt"),
            (b"/26", b"last"),
            (b"/99", b"/99"),
            (b"/x", b"/x"),
        ];
        for (field, name) in cases {
            assert_eq!(name_of(field, table), name);
        }
    }
}
