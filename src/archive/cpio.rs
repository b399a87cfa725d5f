//! cpio: archives of Unix, the payload of RPM packages, and the first file systems of Linux.
//!
//! Numbers in headers are hexadecimal digits (`newc`, and `crc` with a checksum), octal digits
//! (`odc`, the format of POSIX), or 16-bit words in either order of bytes.

use std::io::{self, BufRead, Read};

use super::magic::Format;
use super::peek::PeekReader;
use super::{HEAD, Source, Unpacker};

/// The longest name of a member, in bytes.
const MAX_NAME: u64 = 64 << 10;

/// The name of the last member, which is none.
const TRAILER: &[u8] = b"TRAILER!!!";

/// The type of file in the mode of a member.
const TYPE: u64 = 0o170_000;
const REGULAR: u64 = 0o100_000;
const FOLDER: u64 = 0o040_000;
const SYMBOLIC_LINK: u64 = 0o120_000;

impl<E: From<io::Error>> Unpacker<'_, E> {
    pub(super) fn cpio(&mut self, source: &Source, reader: &mut PeekReader<'_>) -> Result<(), E> {
        let mut at = 0;
        while !self.budget.is_spent() {
            let head = reader.peek(MAX_HEADER)?;
            let Some(header) = Header::of(head) else {
                let message = if head.is_empty() {
                    "cut off"
                } else {
                    "no member begins here"
                };
                self.damaged(source, message, at);
                break;
            };
            if header.name > MAX_NAME {
                self.damaged(source, "the name of a member is too long", at);
                break;
            }
            reader.consume(header.bytes);
            let mut name = Vec::new();
            reader.take(header.name).read_to_end(&mut name)?;
            if name.len() as u64 != header.name {
                self.damaged(source, "cut off", at);
                break;
            }
            while name.last() == Some(&0) {
                name.pop();
            }
            let padding = header.padding(header.bytes as u64 + header.name);
            skip(reader, padding)?;
            at += header.bytes as u64 + header.name + padding;
            if name == TRAILER {
                if !self.after_trailer(source, reader, &mut at)? {
                    break;
                }
                continue;
            }
            let member = source.member(&name);
            let there = match header.mode & TYPE {
                // Some programs write no type.
                REGULAR | 0 => self.stored(&member, reader.take(header.length))?.length,
                kind => {
                    match kind {
                        FOLDER => {}
                        SYMBOLIC_LINK => self.sink.skipped(&member, "a symbolic link"),
                        _ => self.sink.skipped(&member, "no file"),
                    }
                    skip(reader, header.length)?
                }
            };
            if there < header.length {
                let message = format!("{} bytes long, but cut off", header.length);
                self.damaged(&member, message, there);
                break;
            }
            let padding = header.padding(header.length);
            skip(reader, padding)?;
            at += header.length + padding;
        }
        Ok(())
    }

    /// Reads what follows on the end of an archive: the first file system of Linux may be several
    /// archives, the last one compressed. Returns whether another archive follows that is not.
    fn after_trailer(
        &mut self,
        source: &Source,
        reader: &mut PeekReader<'_>,
        at: &mut u64,
    ) -> Result<bool, E> {
        loop {
            let bytes = reader.fill_buf()?;
            let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
            let is_end = zeros < bytes.len() || bytes.is_empty();
            reader.consume(zeros);
            *at += zeros as u64;
            if is_end {
                break;
            }
        }
        let format = Format::of(reader.peek(HEAD)?);
        if let Some(Format::Compressed(_)) = format {
            self.open(source, reader, None)?;
        }
        Ok(format == Some(Format::Cpio))
    }
}

/// Skips so many bytes; returns how many there were.
fn skip(reader: &mut PeekReader<'_>, count: u64) -> io::Result<u64> {
    io::copy(&mut reader.take(count), &mut io::sink())
}

/// The length of the longest header, in bytes.
const MAX_HEADER: usize = 110;

/// The header of a member.
#[derive(Debug, PartialEq, Eq)]
struct Header {
    /// Its own length, in bytes.
    bytes: usize,
    /// The type of file, and its permissions.
    mode: u64,
    /// The length of the name with the NUL after it.
    name: u64,
    /// The length of the member.
    length: u64,
    /// Name and member are filled up to a multiple of so many bytes.
    multiple: u64,
}

impl Header {
    /// The header at the start of `head`.
    fn of(head: &[u8]) -> Option<Self> {
        let header = match head {
            [b'0', b'7', b'0', b'7', b'0', b'1' | b'2', ..] => {
                let field = |index: usize| {
                    let at = 6 + 8 * index;
                    number(head.get(at..at + 8)?, 16)
                };
                Header {
                    bytes: 110,
                    mode: field(1)?,
                    name: field(11)?,
                    length: field(6)?,
                    multiple: 4,
                }
            }
            [b'0', b'7', b'0', b'7', b'0', b'7', ..] => {
                let field = |at: usize, len: usize| number(head.get(at..at + len)?, 8);
                Header {
                    bytes: 76,
                    mode: field(18, 6)?,
                    name: field(59, 6)?,
                    length: field(65, 11)?,
                    multiple: 1,
                }
            }
            [0xc7, 0x71, ..] => Self::of_words(head, u16::from_le_bytes)?,
            [0x71, 0xc7, ..] => Self::of_words(head, u16::from_be_bytes)?,
            _ => return None,
        };
        (header.name > 0 && head.len() >= header.bytes).then_some(header)
    }

    fn of_words(head: &[u8], word: fn([u8; 2]) -> u16) -> Option<Self> {
        let field = |index: usize| {
            let bytes = head.get(2 * index..)?.first_chunk()?;
            Some(u64::from(word(*bytes)))
        };
        Some(Header {
            bytes: 26,
            mode: field(3)?,
            name: field(10)?,
            length: field(11)? << 16 | field(12)?,
            multiple: 2,
        })
    }

    /// How many bytes come after `length` bytes.
    fn padding(&self, length: u64) -> u64 {
        length.next_multiple_of(self.multiple) - length
    }
}

fn number(digits: &[u8], radix: u32) -> Option<u64> {
    let is_number = digits
        .iter()
        .all(|&digit| char::from(digit).is_digit(radix));
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
    u64::from_str_radix(digits, radix).ok()
}

/// Returns whether `head` begins with the header of a member, and its name if the header alone says
/// little.
pub(super) fn is_cpio(head: &[u8]) -> bool {
    let Some(header) = Header::of(head) else {
        return false;
    };
    let kind = header.mode & TYPE;
    let is_known =
        matches!(kind >> 12, 0 | 1 | 2 | 4 | 6 | 8 | 9 | 10 | 12) && header.name <= MAX_NAME;
    let end = header.bytes.saturating_add(header.name as usize);
    // Of the name, so much is looked at as there is.
    let name = &head[header.bytes..end.min(head.len())];
    let (last, rest) = match name.split_last() {
        Some((last, rest)) if end <= head.len() => (Some(last), rest),
        _ => (None, name),
    };
    is_known && last.is_none_or(|&last| last == 0) && !rest.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        let newc = format!(
            "070701{:08}{:08X}{:032}{:08X}{:032}{:08X}{:08}a.txt\0",
            1, 0o100_644, 0, 16, 0, 6, 0
        );
        let newc = newc.as_bytes();
        let header = Header::of(newc);
        assert_eq!(
            header.map(|header| (header.mode, header.name, header.length)),
            Some((0o100_644, 6, 16))
        );
        assert!(is_cpio(newc));
        assert!(!is_cpio(b"070701 http://a.example/"));
        let words = b"\xc7\x71\0\0\0\0\xa4\x81\0\0\0\0\x01\0\0\0\0\0\0\0\x06\0\x01\0\x02\0a.txt\0";
        let header = Header::of(words);
        assert_eq!(
            header.map(|header| (header.mode, header.name, header.length)),
            Some((0o100_644, 6, 0x1_0002))
        );
        assert!(is_cpio(words));
        assert!(!is_cpio(&words[..20]));
        assert!(!is_cpio(&[&words[..26], &b"a.text"[..]].concat()));
    }
}
