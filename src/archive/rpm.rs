//! RPM packages: two headers and, compressed, a cpio archive.

use std::io::{self, BufRead, Read};

use super::peek::PeekReader;
use super::{Source, Unpacker};

/// The first bytes of a package.
pub(super) const MAGIC: &[u8] = b"\xed\xab\xee\xdb";

/// The length of what comes before the first header, in bytes.
const LEAD: u64 = 96;

/// The first bytes of a header.
const HEADER: &[u8] = b"\x8e\xad\xe8";

/// The length of the part of a header that says how long it is.
const INTRO: usize = 16;

impl<E: From<io::Error>> Unpacker<'_, E> {
    pub(super) fn rpm(&mut self, source: &Source, reader: &mut PeekReader<'_>) -> Result<(), E> {
        let mut at = io::copy(&mut reader.take(LEAD), &mut io::sink())?;
        // The first one has signatures, and is filled up to a multiple of 8 bytes.
        for multiple in [8, 1] {
            let Some(length) = header(reader.peek(INTRO)?) else {
                self.damaged(source, "no header of a package begins here", at);
                return Ok(());
            };
            let length = length.next_multiple_of(multiple);
            let there = io::copy(&mut reader.take(length), &mut io::sink())?;
            at += there;
            if there < length {
                self.damaged(source, "cut off", at);
                return Ok(());
            }
        }
        if reader.fill_buf()?.is_empty() {
            self.damaged(source, "cut off", at);
            return Ok(());
        }
        self.open(&source.decompressed(), reader, None)
    }
}

/// The length of the header that begins with `intro`, in bytes.
fn header(intro: &[u8]) -> Option<u64> {
    let intro = intro.first_chunk::<INTRO>()?;
    let number = |at: usize| {
        let bytes = intro[at..].first_chunk()?;
        Some(u64::from(u32::from_be_bytes(*bytes)))
    };
    // Entries of the index, and the bytes that they refer to.
    let length = INTRO as u64 + 16 * number(8)? + number(12)?;
    intro.starts_with(HEADER).then_some(length)
}
