//! A reader that keeps what was read last, to go back to where something else begins.

use std::cell::RefCell;
use std::io::{self, BufRead, Read};

use memchr::memmem;

/// The most that is kept, in bytes.
const MAX_KEPT: usize = 1 << 20;

/// How much is read at once to look for something.
const READ: u64 = 64 << 10;

/// After so many broken parts a file is not read on: each may cost going back far.
const MAX_FAULTS: usize = 1000;

/// What was wrong and did not end the decoding, and behind how many decoded bytes.
pub(super) type Faults = RefCell<Vec<(String, u64)>>;

/// What parts of a file begin with, each of which can be decoded by itself.
pub(super) struct Beginning {
    pub(super) magic: &'static [u8],
    /// How many bytes tell whether a part begins.
    pub(super) len: usize,
    pub(super) is_it: fn(&[u8]) -> bool,
}

/// Keeps what is read behind a mark.
pub(super) struct Kept<R> {
    reader: R,
    /// What comes before what the reader gives.
    ahead: io::Cursor<Vec<u8>>,
    /// What has been read since the mark, or as much of it as is kept.
    kept: Vec<u8>,
}

impl<R: BufRead> Kept<R> {
    pub(super) fn new(reader: R) -> Self {
        Kept {
            reader,
            ahead: io::Cursor::default(),
            kept: Vec::new(),
        }
    }

    /// Keeps what is read from here on.
    pub(super) fn mark(&mut self) {
        self.kept.clear();
    }

    /// Goes to the next part behind a broken one, of which `at` bytes and those before it were
    /// decoded, and adds its `fault` to `faults`; fails with it if there is none.
    pub(super) fn go_on_behind(
        &mut self,
        fault: io::Error,
        beginning: &Beginning,
        faults: &Faults,
        at: u64,
    ) -> io::Result<()> {
        let mut faults = faults.borrow_mut();
        let next = match faults.len() < MAX_FAULTS {
            true => self.seek(beginning)?,
            false => None,
        };
        let Some(passed) = next else {
            return Err(fault);
        };
        let passed = match passed {
            0 => String::new(),
            _ => format!("; {passed} bytes are passed over to where the next part begins"),
        };
        faults.push((format!("{fault}{passed}"), at));
        Ok(())
    }

    /// Goes to the next part that begins behind the mark, back or forth. Returns how many bytes are
    /// passed over that have not been read before, or `None` if there is none.
    fn seek(&mut self, beginning: &Beginning) -> io::Result<Option<u64>> {
        let &Beginning { magic, len, is_it } = beginning;
        let back = self.kept.len().saturating_sub(1);
        let mut text = self.kept.split_off(self.kept.len() - back);
        self.ahead.read_to_end(&mut text)?;
        let mut passed = 0;
        loop {
            let mut places = memmem::find_iter(&text, magic);
            let place = places.find(|&at| text.get(at..at + len).is_some_and(is_it));
            if let Some(at) = place {
                text.drain(..at);
                self.ahead = io::Cursor::new(text);
                self.mark();
                return Ok(Some((passed + at as u64).saturating_sub(back as u64)));
            }
            let done = text.len().saturating_sub(len - 1);
            text.drain(..done);
            passed += done as u64;
            if (&mut self.reader).take(READ).read_to_end(&mut text)? == 0 {
                return Ok(None);
            }
        }
    }
}

impl<R: BufRead> BufRead for Kept<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.ahead.fill_buf()?.is_empty() {
            true => self.reader.fill_buf(),
            false => self.ahead.fill_buf(),
        }
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
                // What is to be consumed has been read, so this reads nothing and does not fail.
                if let Ok(bytes) = self.reader.fill_buf() {
                    keep(bytes);
                }
                self.reader.consume(count);
            }
        }
    }
}

impl<R: BufRead> Read for Kept<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn goes_back_and_forth() {
        let beginning = Beginning {
            magic: b"#",
            len: 3,
            is_it: |text| text.ends_with(b"!"),
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
            let mut reader = Kept::new(text);
            io::copy(&mut (&mut reader).take(read), &mut io::sink()).unwrap();
            assert_eq!(reader.seek(&beginning).unwrap(), passed);
            let mut left = Vec::new();
            reader.read_to_end(&mut left).unwrap();
            assert_eq!(left, rest);
        }
    }
}
