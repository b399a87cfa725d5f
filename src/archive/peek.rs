//! A buffered reader that can be looked ahead in.

use std::io::{self, BufRead, Read};

/// How many bytes are read at once.
const READ: usize = 64 * 1024;

/// A buffered reader that can show any number of the next bytes.
pub(super) struct PeekReader<'r> {
    reader: &'r mut dyn Read,
    buffer: Vec<u8>,
    /// The part of the buffer that has been read and not consumed.
    at: usize,
    end: usize,
}

impl<'r> PeekReader<'r> {
    pub(super) fn new(reader: &'r mut dyn Read) -> Self {
        PeekReader {
            reader,
            buffer: Vec::new(),
            at: 0,
            end: 0,
        }
    }

    /// The next bytes, at least `count` of them unless the end comes first.
    pub(super) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        if self.end - self.at < count {
            self.buffer.copy_within(self.at..self.end, 0);
            self.end -= self.at;
            self.at = 0;
            if self.buffer.len() < count.max(READ) {
                self.buffer.resize(count.max(READ), 0);
            }
            self.fill(count)?;
        }
        Ok(&self.buffer[self.at..self.end])
    }

    /// Reads until there are `count` bytes, or the end comes.
    fn fill(&mut self, count: usize) -> io::Result<()> {
        while self.end < count {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => break,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl Read for PeekReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // A large read needs no buffer.
        if self.at == self.end && out.len() >= READ {
            return self.reader.read(out);
        }
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
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

    /// Gives one byte at a time.
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
        for reader in readers {
            let mut peek = PeekReader::new(reader);
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
