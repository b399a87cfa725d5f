//! A window on a reader's bytes that moves forward.

use std::io::{self, Read};

use crate::text::window::Window;

/// A reader, and the bytes that have been read from it and are still needed. Offsets count from the
/// start of the source.
#[derive(Debug)]
pub struct Buffer<R> {
    reader: R,
    /// The window is `room[..filled]`.
    room: Vec<u8>,
    filled: usize,
    /// The offset of the window's first byte.
    start: u64,
    is_complete: bool,
}

impl<R> Buffer<R> {
    /// Makes an empty window on `reader`, which begins with the source.
    pub fn new(reader: R) -> Self {
        Buffer {
            reader,
            room: Vec::new(),
            filled: 0,
            start: 0,
            is_complete: false,
        }
    }

    /// Returns the bytes that are held, and where they are in the source.
    #[inline]
    pub fn window(&self) -> Window<'_> {
        Window {
            start: self.start,
            bytes: self.bytes(),
        }
    }

    /// Returns the bytes that are held.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.room[..self.filled]
    }

    /// Returns the offset of the first byte that is held.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Returns the offset after the last byte that is held.
    pub fn end(&self) -> u64 {
        self.start + self.filled as u64
    }

    /// Returns whether the source is known to end where the window ends.
    #[inline]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Drops the bytes before the offset `to`. The remaining bytes are moved, so this is worthwhile
    /// only if most of the window is dropped.
    pub fn forget(&mut self, to: u64) {
        let count = (to.saturating_sub(self.start) as usize).min(self.filled);
        self.room.copy_within(count..self.filled, 0);
        self.filled -= count;
        self.start += count as u64;
    }

    /// Returns how many bytes of memory the window has.
    pub fn room(&self) -> usize {
        self.room.len()
    }
}

impl<R: Read> Buffer<R> {
    /// Reads up to `size` bytes in a single read; returns how many, 0 at the end of the source.
    /// Fails if the reader fails, or if there is no memory for them.
    pub fn read(&mut self, size: usize) -> io::Result<usize> {
        let end = self.filled + size;
        if let Some(more) = end.checked_sub(self.room.len()) {
            self.room.try_reserve(more)?;
            self.room.resize(end, 0);
        }
        let free = &mut self.room[self.filled..end];
        let read = loop {
            match self.reader.read(free) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // A faulty reader may claim to have read more than it was given room for.
                read => break read?.min(free.len()),
            }
        };
        self.is_complete = read == 0;
        self.filled += read;
        Ok(read)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn a_window_moves_forward() {
        let mut buffer = Buffer::new(&b"0123456789"[..]);
        assert_eq!(buffer.read(4).unwrap(), 4);
        buffer.forget(3);
        assert_eq!(buffer.read(2).unwrap(), 2);
        assert_eq!(buffer.bytes(), b"345");
        assert_eq!((buffer.start(), buffer.end()), (3, 6));
        buffer.forget(2);
        buffer.forget(1000);
        assert_eq!((buffer.start(), buffer.end()), (6, 6));
        assert_eq!(buffer.read(9).unwrap(), 4);
        assert!(!buffer.is_complete());
        assert_eq!(buffer.read(9).unwrap(), 0);
        assert!(buffer.is_complete());
        assert_eq!(buffer.window().bytes, b"6789");
    }
}
