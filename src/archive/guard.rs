//! What is decoded, kept within limits and turned from failing to ending.

use std::cell::Cell;
use std::io::{self, Read};

/// No fewer decoded bytes than these are held against the ratio.
const ALLOWED: u64 = 16 << 20;

/// How much a file may become.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many times as long as what was read of the file, once it is more than 16 MiB.
    pub ratio: u64,
    /// How many bytes.
    pub size: u64,
}

/// How much a file has become, all its layers and members together, so that archives in archives
/// gain nothing.
pub(super) struct Budget {
    limits: Limits,
    raw: Cell<u64>,
    decoded: Cell<u64>,
    is_spent: Cell<bool>,
}

impl Budget {
    pub(super) fn new(limits: Limits) -> Self {
        Budget {
            limits,
            raw: Cell::new(0),
            decoded: Cell::new(0),
            is_spent: Cell::new(false),
        }
    }

    /// The file's own bytes, counted.
    pub(super) fn count<R>(&self, reader: R) -> Counted<'_, R> {
        Counted {
            reader,
            budget: self,
        }
    }

    pub(super) fn is_spent(&self) -> bool {
        self.is_spent.get()
    }

    /// Takes note of `count` decoded bytes; says what is wrong if they are too many.
    fn take(&self, count: usize) -> Option<String> {
        let decoded = self.decoded.get() + count as u64;
        self.decoded.set(decoded);
        let Limits { ratio, size } = self.limits;
        let most = self.raw.get().saturating_mul(ratio).max(ALLOWED);
        let message = if decoded > size {
            let bytes = if size == 1 { "byte" } else { "bytes" };
            format!("more than {size} {bytes}, so not read on (--max-size)")
        } else if decoded > most && ratio == 1 {
            "longer than the file, so not read on (--max-ratio)".to_owned()
        } else if decoded > most {
            format!("more than {ratio} times as long as the file, so not read on (--max-ratio)")
        } else {
            return None;
        };
        self.is_spent.set(true);
        Some(message)
    }
}

/// A reader of a file's own bytes.
pub(super) struct Counted<'b, R> {
    reader: R,
    budget: &'b Budget,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(out)?;
        let raw = &self.budget.raw;
        raw.set(raw.get() + count as u64);
        Ok(count)
    }
}

impl<R: io::Seek> io::Seek for Counted<'_, R> {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.reader.seek(to)
    }
}

/// A decoder that ends where it fails, and knows why.
pub(super) struct Guard<'b, R> {
    reader: R,
    /// What counts the bytes, if they do count.
    budget: Option<&'b Budget>,
    /// How many bytes there have been.
    pub(super) at: u64,
    pub(super) fault: Option<String>,
}

impl<'b, R> Guard<'b, R> {
    pub(super) fn new(reader: R, budget: Option<&'b Budget>) -> Self {
        Guard {
            reader,
            budget,
            at: 0,
            fault: None,
        }
    }
}

impl<R: Read> Read for Guard<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // One fault is told once, by the layer that came upon it.
        if self.fault.is_some() || self.budget.is_some_and(Budget::is_spent) {
            return Ok(0);
        }
        match self.reader.read(out) {
            Ok(count) => {
                self.at += count as u64;
                self.fault = self.budget.and_then(|budget| budget.take(count));
                Ok(count)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                self.fault = Some(error.to_string());
                Ok(0)
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    fn decode(limits: Limits, raw: &[u8], decoded: u64) -> (u64, Option<String>) {
        let budget = Budget::new(limits);
        io::copy(&mut budget.count(raw), &mut io::sink()).unwrap();
        let mut guard = Guard::new(io::repeat(b'a').take(decoded), Some(&budget));
        io::copy(&mut guard, &mut io::sink()).unwrap();
        assert_eq!(budget.is_spent(), guard.fault.is_some());
        (guard.at, guard.fault)
    }

    #[test]
    fn limits_hold() {
        let limits = Limits {
            ratio: 1000,
            size: 1 << 30,
        };
        let kilobytes = [b'z'; 20 << 10];
        for (raw, length, fine) in [
            (&kilobytes[..], 20_000 << 10, true),
            (&kilobytes, 20_100 << 10, false),
            (b"z", ALLOWED, true),
            (b"z", ALLOWED + (1 << 20), false),
        ] {
            let (read, fault) = decode(limits, raw, length);
            assert_eq!(fault.is_none(), fine, "{fault:?}");
            assert_eq!(read == length, fine, "{read}");
        }
        let small = Limits { size: 10, ..limits };
        assert!(decode(small, b"z", 11).1.unwrap().contains("--max-size"));
        assert_eq!(decode(small, b"z", 10), (10, None));
    }

    #[test]
    fn one_is_no_plural() {
        let limits = Limits { ratio: 1, size: 1 };
        let fault = decode(limits, b"z", 2).1.unwrap();
        assert!(fault.starts_with("more than 1 byte,"), "{fault}");
        let limits = Limits {
            size: u64::MAX,
            ..limits
        };
        let fault = decode(limits, b"z", ALLOWED + 1).1.unwrap();
        assert!(fault.starts_with("longer than the file,"), "{fault}");
    }
}
