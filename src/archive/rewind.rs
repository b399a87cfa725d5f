//! A reader that can go back, to find the next part of a file after damage.

use std::cell::RefCell;
use std::io::{self, BufRead, Read};

use memchr::memmem;

use super::peek::read_buffered;
use super::pool::Decode;

/// The greatest number of bytes it can go back.
const MAX_KEPT: usize = 1 << 20;

/// How many bytes are read at once in a search.
const READ: u64 = 64 << 10;

/// A file is not read further after this many damaged parts, since the reader may have to go back
/// far for each.
const MAX_FAULTS: usize = 1000;

/// Faults that did not stop decoding, and how many bytes were decoded before each.
pub(super) type Faults = RefCell<Vec<(String, u64)>>;

/// How to recognise the start of a member, and how to decompress it ahead.
pub(super) struct MemberFormat {
    pub(super) magic: &'static [u8],
    /// How many bytes `is_it` needs.
    pub(super) len: usize,
    pub(super) is_it: fn(&[u8]) -> bool,
    /// Whether the decoder has read no more than it needed when it finds a fault, so that skipped
    /// bytes can be counted.
    pub(super) is_exact: bool,
    pub(super) decode: Decode,
}

impl MemberFormat {
    /// Returns whether it is at the start of `text`.
    pub(super) fn is_at(&self, text: &[u8]) -> bool {
        text.starts_with(self.magic) && text.get(..self.len).is_some_and(self.is_it)
    }

    /// Where the first one begins in `text` from `from` on.
    pub(super) fn find(&self, text: &[u8], from: usize) -> Option<usize> {
        let places = memmem::find_iter(text.get(from..)?, self.magic);
        let mut places = places.map(|at| from + at);
        places.find(|&at| self.is_at(&text[at..]))
    }
}

/// A reader that can go back to any offset after a mark.
pub(super) struct RewindReader<R> {
    reader: R,
    /// Bytes to read before more are taken from the reader.
    ahead: io::Cursor<Vec<u8>>,
    /// The bytes that have been read since the mark, or the last of them.
    kept: Vec<u8>,
}

impl<R: BufRead> RewindReader<R> {
    pub(super) fn new(reader: R) -> Self {
        RewindReader {
            reader,
            ahead: io::Cursor::default(),
            kept: Vec::new(),
        }
    }

    /// The underlying reader, if this one has not gone back.
    pub(super) fn below(&mut self) -> Option<&mut R> {
        let is_level = self.ahead.fill_buf().is_ok_and(<[u8]>::is_empty);
        is_level.then_some(&mut self.reader)
    }

    /// Sets the mark at the current position.
    pub(super) fn mark(&mut self) {
        self.kept.clear();
    }

    /// Seeks the next part after a damaged one, and adds `fault` to `faults` with `at`, the number
    /// of bytes decoded so far. Fails with `fault` if there is no next part.
    pub(super) fn go_on_after(
        &mut self,
        fault: io::Error,
        format: &MemberFormat,
        faults: &Faults,
        at: u64,
    ) -> io::Result<()> {
        let mut faults = faults.borrow_mut();
        let next = if faults.len() < MAX_FAULTS {
            self.seek(format)?
        } else {
            None
        };
        let Some(passed) = next else {
            return Err(fault);
        };
        let passed = match passed {
            _ if !format.is_exact => "; the rest of it is skipped".to_owned(),
            0 => String::new(),
            1 => "; the byte before the next part is skipped".to_owned(),
            _ => format!("; the {passed} bytes before the next part are skipped"),
        };
        faults.push((format!("{fault}{passed}"), at));
        Ok(())
    }

    /// Seeks the next part after the mark, backwards or forwards. Returns how many unread bytes are
    /// skipped, or `None` if there is no next part.
    fn seek(&mut self, format: &MemberFormat) -> io::Result<Option<u64>> {
        let back = self.kept.len().saturating_sub(1);
        let mut text = self.kept.split_off(self.kept.len() - back);
        self.ahead.read_to_end(&mut text)?;
        let mut passed = 0;
        loop {
            if let Some(at) = format.find(&text, 0) {
                text.drain(..at);
                self.ahead = io::Cursor::new(text);
                self.mark();
                return Ok(Some((passed + at as u64).saturating_sub(back as u64)));
            }
            let done = text.len().saturating_sub(format.len - 1);
            text.drain(..done);
            passed += done as u64;
            if (&mut self.reader).take(READ).read_to_end(&mut text)? == 0 {
                return Ok(None);
            }
        }
    }
}

impl<R: BufRead> BufRead for RewindReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.ahead.fill_buf()?.is_empty() {
            return self.reader.fill_buf();
        }
        self.ahead.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        let kept = &mut self.kept;
        let mut keep = |bytes: &[u8]| {
            if kept.len() + count > MAX_KEPT {
                kept.clear();
            }
            kept.extend_from_slice(&bytes[..count.min(bytes.len()).min(MAX_KEPT)]);
        };
        match self.ahead.fill_buf() {
            Ok(bytes) if !bytes.is_empty() => {
                keep(bytes);
                self.ahead.consume(count);
            }
            _ => {
                // Consumed bytes have already been buffered, so this reads nothing and does not
                // fail.
                if let Ok(bytes) = self.reader.fill_buf() {
                    keep(bytes);
                }
                self.reader.consume(count);
            }
        }
    }
}

impl<R: BufRead> Read for RewindReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        read_buffered(self, out)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn goes_back_and_forth() {
        let format = MemberFormat {
            magic: b"#",
            len: 3,
            is_it: |text| text.ends_with(b"!"),
            is_exact: true,
            decode: |_, _, _| None,
        };
        let long = [&[b'.'; 200_000][..], b"#1!"].concat();
        for (text, read, passed, rest) in [
            (&b"#1!..#2!x"[..], 4, Some(1), &b"#2!x"[..]),
            (b"#1!..#2!x", 1, Some(4), b"#2!x"),
            (b"#1!..#2!x", 9, Some(0), b"#2!x"),
            (b"#1!..#2?#3!", 2, Some(6), b"#3!"),
            (b"#1!..#2", 4, None, b""),
            (&long, 10, Some(199_990), b"#1!"),
        ] {
            let mut reader = RewindReader::new(text);
            io::copy(&mut (&mut reader).take(read), &mut io::sink()).unwrap();
            assert_eq!(reader.seek(&format).unwrap(), passed);
            let mut left = Vec::new();
            reader.read_to_end(&mut left).unwrap();
            assert_eq!(left, rest);
        }
    }
}
