//! Readers that deliver bytes in small amounts.

use std::io::{self, Read};

/// Returns at most this many bytes at once.
pub(super) struct Chunked<'t>(pub(super) &'t [u8], pub(super) usize);

impl Read for Chunked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.1.min(buffer.len());
        self.0.read(&mut buffer[..length])
    }
}
