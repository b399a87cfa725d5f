//! Cuts a source into blocks of whole lines.

use std::io::{self, Read};

use super::Error;

/// How long a block is, in bytes, unless it has a longer line.
const BLOCK: u64 = 1 << 18;

/// Takes a block, and the number of its first line, from 1.
type Take<'t> = dyn FnMut(&[u8], u64) -> Result<(), Error> + 't;

/// Passes the content to `take`, block by block, each with the number of its first line, from 1.
pub(super) fn each_block(mut content: impl Read, take: &mut Take<'_>) -> Result<(), Error> {
    let (mut buffer, mut line) = (Vec::new(), 1);
    loop {
        let before = buffer.len();
        let read: io::Result<usize> = (&mut content).take(BLOCK).read_to_end(&mut buffer);
        // Read errors are reported by the second pass.
        let is_end = read.is_err() || buffer.len() == before;
        let last = memchr::memrchr(b'\n', &buffer).filter(|_| !is_end);
        let end = last.map_or(buffer.len(), |last| last + 1);
        let lines = &buffer[..end];
        take(lines, line)?;
        if is_end {
            return Ok(());
        }
        line += memchr::memchr_iter(b'\n', lines).count() as u64;
        buffer.drain(..end);
    }
}
