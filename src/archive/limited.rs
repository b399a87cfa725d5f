//! Limits on the decoded bytes, and readers that end where a decoder fails.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::Fault;
use super::peek::BufferPool;

/// The ratio does not apply up to this many decoded bytes.
const ALLOWED: u64 = 16 << 20;

/// The greatest ratio for attachments of messages, several times that of documents of office programs: nobody
/// has named them, and an archive that the message is in multiplies it.
const RATIO_OF_ATTACHMENTS: u64 = 32;

/// Limits on the decoded bytes of a file, including all its members and nested archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The greatest ratio of the members' length to the bytes read of the file, once they are
    /// longer than 16 MiB; 1000 by default. For an attachment of a message it is the greatest ratio to the
    /// bytes of the attachment, and at most 32.
    pub ratio: u64,
    /// The greatest length of the members, in bytes; 64 GiB by default.
    pub size: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            ratio: 1000,
            size: 64 << 30,
        }
    }
}

/// Counts the decoded bytes of a file, including all its members and nested archives, so that
/// nesting does not allow more.
#[derive(Debug)]
pub(super) struct Budget {
    limits: Limits,
    /// The ratio does not apply up to this many decoded bytes.
    allowed: u64,
    /// How many bytes of the file itself have been read: up to where, so that none counts twice.
    pub(super) raw: AtomicU64,
    decoded: AtomicU64,
    is_spent: AtomicBool,
    /// Buffers that members reuse.
    pub(super) buffers: BufferPool,
}

impl Budget {
    pub(super) fn new(limits: Limits) -> Self {
        Budget {
            limits,
            allowed: ALLOWED,
            raw: AtomicU64::new(0),
            decoded: AtomicU64::new(0),
            is_spent: AtomicBool::new(false),
            buffers: BufferPool::default(),
        }
    }

    /// The budget of an attachment with this many bytes. A mailbox may have very many of them, so that the
    /// ratio applies to each from the start.
    pub(super) fn of_attachment(mut limits: Limits, length: usize) -> Self {
        limits.ratio = limits.ratio.min(RATIO_OF_ATTACHMENTS);
        Budget {
            allowed: 0,
            raw: AtomicU64::new(length as u64),
            ..Budget::new(limits)
        }
    }

    /// A reader that counts the file's own bytes.
    pub(super) fn count<R>(&self, reader: R) -> Counted<'_, R> {
        Counted {
            reader,
            at: 0,
            budget: self,
        }
    }

    pub(super) fn is_spent(&self) -> bool {
        self.is_spent.load(Relaxed)
    }

    /// Adds `count` decoded bytes that are in memory, unless they are too many. Returns whether
    /// they were added.
    pub(super) fn add_whole(&self, count: usize) -> bool {
        let decoded = self.decoded.load(Relaxed) + count as u64;
        let fits = !self.is_spent() && decoded <= self.most();
        if fits {
            self.decoded.store(decoded, Relaxed);
        }
        fits
    }

    /// Returns how many more decoded bytes are allowed at this point.
    fn left(&self) -> u64 {
        self.most().saturating_sub(self.decoded.load(Relaxed))
    }

    /// Returns how many decoded bytes are allowed at this point.
    fn most(&self) -> u64 {
        let Limits { ratio, size } = self.limits;
        let raw = self.raw.load(Relaxed);
        let by_ratio = raw.saturating_mul(ratio).max(self.allowed);
        by_ratio.min(size)
    }

    /// Adds `count` decoded bytes; returns a fault if they are too many.
    fn add(&self, count: usize) -> Option<Fault> {
        let decoded = self.decoded.load(Relaxed) + count as u64;
        self.decoded.store(decoded, Relaxed);
        let Limits { ratio, size } = self.limits;
        let fault = if decoded > size {
            Fault::TooLong(size)
        } else if decoded > self.most() {
            Fault::TooDense(ratio)
        } else {
            return None;
        };
        self.is_spent.store(true, Relaxed);
        Some(fault)
    }
}

/// A reader of a file's own bytes.
pub(super) struct Counted<'b, R> {
    reader: R,
    /// The offset of the next byte to read.
    at: u64,
    budget: &'b Budget,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(out)?;
        self.at += count as u64;
        self.budget.raw.fetch_max(self.at, Relaxed);
        Ok(count)
    }
}

impl<R: io::Seek> io::Seek for Counted<'_, R> {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.at = self.reader.seek(to)?;
        Ok(self.at)
    }
}

/// A decoder that ends where it fails or reaches a limit, and keeps the fault.
pub(super) struct LimitedReader<'b, R> {
    reader: R,
    /// Where the bytes are counted; `None` if they have already been counted.
    budget: Option<&'b Budget>,
    /// How many bytes have been read.
    pub(super) at: u64,
    pub(super) fault: Option<Fault>,
}

impl<'b, R> LimitedReader<'b, R> {
    pub(super) fn new(reader: R, budget: Option<&'b Budget>) -> Self {
        LimitedReader {
            reader,
            budget,
            at: 0,
            fault: None,
        }
    }
}

impl<R: Read> Read for LimitedReader<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // A fault is reported only once, by the layer that it is in.
        if self.fault.is_some() || self.budget.is_some_and(Budget::is_spent) {
            return Ok(0);
        }
        // One byte beyond the limit is enough to detect it. No more are read, so that the end does
        // not depend on how much is read at once.
        let most = self.budget.map_or(u64::MAX, Budget::left);
        let most = usize::try_from(most.saturating_add(1)).unwrap_or(usize::MAX);
        let most = most.min(out.len());
        match self.reader.read(&mut out[..most]) {
            Ok(count) => {
                self.at += count as u64;
                self.fault = self.budget.and_then(|budget| budget.add(count));
                Ok(count)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                self.fault = Some(Fault::Damaged(error.to_string()));
                Ok(0)
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    fn decode(limits: Limits, raw: &[u8], decoded: u64) -> (u64, Option<Fault>) {
        let budget = Budget::new(limits);
        io::copy(&mut budget.count(raw), &mut io::sink()).unwrap();
        let mut guard = LimitedReader::new(io::repeat(b'a').take(decoded), Some(&budget));
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
        assert_eq!(decode(small, b"z", 11), (11, Some(Fault::TooLong(10))));
        assert_eq!(decode(small, b"z", 10), (10, None));
    }
}
