//! The bytes of a source, in memory or to be read.

use std::fmt;
use std::io::{self, Read};

/// The bytes of a source. Bytes in memory are read without being copied.
///
/// ```
/// use urlint::read::Content;
///
/// assert_eq!(Content::from(&b"text"[..]).in_memory(), Some(&b"text"[..]));
/// assert_eq!(Content::from(&mut std::io::empty()).in_memory(), None);
/// ```
pub enum Content<'c> {
    /// All bytes, in memory.
    Bytes(&'c [u8]),
    /// A reader to read them from.
    Stream(&'c mut dyn Read),
}

impl<'c> Content<'c> {
    /// Returns all bytes that have not been read yet, if they are in memory.
    pub fn in_memory(&self) -> Option<&'c [u8]> {
        match self {
            Content::Bytes(bytes) => Some(bytes),
            Content::Stream(_) => None,
        }
    }

    /// Borrows the content again. Reading a stream through the borrow advances it; bytes in memory
    /// stay available.
    pub fn reborrow(&mut self) -> Content<'_> {
        match self {
            Content::Bytes(bytes) => Content::Bytes(bytes),
            Content::Stream(reader) => Content::Stream(reader),
        }
    }
}

impl<'c> From<&'c [u8]> for Content<'c> {
    fn from(bytes: &'c [u8]) -> Self {
        Content::Bytes(bytes)
    }
}

impl<'c, R: Read> From<&'c mut R> for Content<'c> {
    fn from(reader: &'c mut R) -> Self {
        Content::Stream(reader)
    }
}

impl Read for Content<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Content::Bytes(bytes) => bytes.read(out),
            Content::Stream(reader) => reader.read(out),
        }
    }
}

impl fmt::Debug for Content<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Content::Bytes(bytes) => f.debug_tuple("Bytes").field(bytes).finish(),
            Content::Stream(_) => f.debug_tuple("Stream").finish_non_exhaustive(),
        }
    }
}
