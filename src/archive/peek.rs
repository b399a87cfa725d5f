//! A buffered reader with lookahead.

use std::io::{self, BufRead, Read};
use std::sync::{Mutex, PoisonError};

/// How many bytes are read at once.
const READ: usize = 64 * 1024;

/// How many buffers are kept for reuse.
const MAX_SPARE: usize = 8;

/// The longest buffer that is kept, in bytes.
const MAX_KEPT: usize = 1 << 20;

/// Unused buffers: allocating and clearing one for each of many small members costs more than
/// reading them.
#[derive(Debug, Default)]
pub(super) struct BufferPool(Mutex<Vec<Vec<u8>>>);

impl BufferPool {
    pub(super) fn take(&self) -> Vec<u8> {
        let mut buffers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        buffers.pop().unwrap_or_default()
    }

    pub(super) fn put(&self, buffer: Vec<u8>) {
        let mut buffers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buffers.len() < MAX_SPARE && (1..=MAX_KEPT).contains(&buffer.len()) {
            buffers.push(buffer);
        }
    }
}

/// A buffered reader that can show any number of the next bytes.
pub(super) struct PeekReader<'r> {
    source: From<'r>,
    /// The part of the buffer that has been read and not consumed.
    at: usize,
    end: usize,
}

/// The source of the bytes.
enum From<'r> {
    Reader {
        reader: &'r mut dyn Read,
        buffer: Vec<u8>,
        pool: &'r BufferPool,
    },
    /// All of them are in memory.
    Memory(&'r [u8]),
}

impl<'r> PeekReader<'r> {
    /// Reads from `reader`. The buffer is taken from `pool`, and returned to it.
    pub(super) fn new(reader: &'r mut dyn Read, pool: &'r BufferPool) -> Self {
        PeekReader {
            source: From::Reader {
                reader,
                buffer: pool.take(),
                pool,
            },
            at: 0,
            end: 0,
        }
    }

    /// Reads bytes that are in memory, without a buffer.
    pub(super) fn of(bytes: &'r [u8]) -> Self {
        PeekReader {
            source: From::Memory(bytes),
            at: 0,
            end: bytes.len(),
        }
    }

    /// Returns the next bytes, at least `count` of them unless the end comes first.
    pub(super) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        let (at, end) = (&mut self.at, &mut self.end);
        match &mut self.source {
            From::Memory(bytes) => Ok(&bytes[*at..*end]),
            From::Reader { reader, buffer, .. } => {
                if *end - *at < count {
                    buffer.copy_within(*at..*end, 0);
                    *end -= *at;
                    *at = 0;
                    if buffer.len() < count.max(READ) {
                        buffer.resize(count.max(READ), 0);
                    }
                    fill(reader, buffer, end, count)?;
                }
                Ok(&buffer[*at..*end])
            }
        }
    }

    /// Returns all bytes up to the end, if they are already in memory.
    pub(super) fn in_memory(&self) -> Option<&'r [u8]> {
        match self.source {
            From::Memory(bytes) => Some(&bytes[self.at..]),
            From::Reader { .. } => None,
        }
    }

    /// Returns all bytes up to the end, if there are at most `most`.
    pub(super) fn all(&mut self, most: usize) -> io::Result<Option<&[u8]>> {
        let rest = self.peek(most + 1)?;
        Ok(Some(rest).filter(|rest| rest.len() <= most))
    }
}

/// Reads the bytes in the buffer of `reader`, or as many of them as there is room for.
pub(super) fn read_buffered(reader: &mut impl BufRead, out: &mut [u8]) -> io::Result<usize> {
    let count = reader.fill_buf()?.read(out)?;
    reader.consume(count);
    Ok(count)
}

/// Skips bytes that are any of `skipped`. Returns how many they were.
pub(super) fn skip(reader: &mut impl BufRead, skipped: &[u8]) -> io::Result<u64> {
    let mut count = 0;
    loop {
        let rest = reader.fill_buf()?;
        let more = rest
            .iter()
            .take_while(|byte| skipped.contains(byte))
            .count();
        let is_over = more < rest.len() || rest.is_empty();
        reader.consume(more);
        count += more as u64;
        if is_over {
            return Ok(count);
        }
    }
}

/// Reads into `buffer` from `end` on, until there are `count` bytes or the end comes.
fn fill(reader: &mut dyn Read, buffer: &mut [u8], end: &mut usize, count: usize) -> io::Result<()> {
    while *end < count {
        match reader.read(&mut buffer[*end..]) {
            Ok(0) => break,
            Ok(read) => *end += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

impl Drop for PeekReader<'_> {
    fn drop(&mut self) {
        if let From::Reader { buffer, pool, .. } = &mut self.source {
            pool.put(std::mem::take(buffer));
        }
    }
}

impl Read for PeekReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // A large read needs no buffer.
        if let From::Reader { reader, .. } = &mut self.source
            && self.at == self.end
            && out.len() >= READ
        {
            return reader.read(out);
        }
        read_buffered(self, out)
    }
}

impl BufRead for PeekReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.peek(1)
    }

    fn consume(&mut self, count: usize) {
        self.at = (self.at + count).min(self.end);
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    /// Returns one byte at a time.
    struct Drops<'d>(&'d [u8]);

    impl Read for Drops<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = out.len().min(1);
            self.0.read(&mut out[..count])
        }
    }

    #[test]
    fn shows_as_much_as_asked_for_and_loses_nothing() {
        let text: Vec<u8> = (0..=255).cycle().take(3 * READ).collect();
        let mut whole = &text[..];
        let mut drops = Drops(&text);
        let readers: [&mut dyn Read; 2] = [&mut whole, &mut drops];
        let buffers = BufferPool::default();
        for reader in readers {
            let mut peek = PeekReader::new(reader, &buffers);
            assert!(peek.peek(300).unwrap().starts_with(&text[..300]));
            let mut first = [0; 100];
            peek.read_exact(&mut first).unwrap();
            assert!(peek.peek(READ).unwrap().starts_with(&text[100..READ]));
            let mut rest = Vec::new();
            peek.read_to_end(&mut rest).unwrap();
            assert_eq!([&first[..], &rest].concat(), text);
            assert!(peek.peek(10).unwrap().is_empty());
        }
    }
}
