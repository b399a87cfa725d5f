//! A reader whose first bytes can be looked at.

use std::io::{self, BufRead, Read};

/// How much is read at once.
const READ: usize = 64 * 1024;

/// Buffers what it reads, and shows more of it than one read may bring.
pub(super) struct Peek<'r> {
    reader: &'r mut dyn Read,
    buffer: Vec<u8>,
    at: usize,
}

impl<'r> Peek<'r> {
    pub(super) fn new(reader: &'r mut dyn Read) -> Self {
        Peek {
            reader,
            buffer: Vec::new(),
            at: 0,
        }
    }

    /// The next bytes, at least `count` of them unless the end comes first.
    pub(super) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        let missing = count.saturating_sub(self.buffer.len() - self.at);
        if missing > 0 {
            self.buffer.drain(..self.at);
            self.at = 0;
            let more = missing.max(READ.saturating_sub(self.buffer.len()));
            self.fill(missing, more)?;
        }
        Ok(&self.buffer[self.at..])
    }

    /// Reads at least `least` bytes, if there are so many, and at most `most`.
    fn fill(&mut self, least: usize, most: usize) -> io::Result<()> {
        let start = self.buffer.len();
        self.buffer.resize(start + most, 0);
        let mut end = start;
        let mut read = Ok(());
        while end < start + least {
            match self.reader.read(&mut self.buffer[end..]) {
                Ok(0) => break,
                Ok(count) => end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    read = Err(error);
                    break;
                }
            }
        }
        self.buffer.truncate(end);
        read
    }
}

impl Read for Peek<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // Whoever has room for a bufferful needs no buffer between.
        if self.at == self.buffer.len() && out.len() >= READ {
            return self.reader.read(out);
        }
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Peek<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.peek(1)
    }

    fn consume(&mut self, count: usize) {
        self.at = (self.at + count).min(self.buffer.len());
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    /// Brings a byte at a time.
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
            let mut peek = Peek::new(reader);
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
