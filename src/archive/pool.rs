//! Threads that decompress ahead of the reader.

use std::mem;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// A piece of a compressed file that is decompressed independently.
pub(super) struct Piece {
    pub(super) bytes: Vec<u8>,
    /// Whether it ends at the end of the file, or where a member may begin.
    pub(super) is_cut: bool,
}

impl Piece {
    /// Decompresses the members that begin at `at`, to `room`.
    fn decode(&self, at: usize, decode: Decode, room: Vec<u8>) -> Decoded {
        let mut decoded = Decoded {
            room,
            ..Decoded::default()
        };
        let rest = &self.bytes[at..];
        while let Some(length) = decode(&rest[decoded.consumed..], self.is_cut, &mut decoded) {
            decoded.consumed += length;
        }
        decoded
    }
}

/// The decompressed members of a piece.
#[derive(Default)]
pub(super) struct Decoded {
    /// How many bytes of the piece have been decompressed, in whole members.
    pub(super) consumed: usize,
    /// The decompressed bytes are `room[..filled]`; the rest is reused memory.
    pub(super) room: Vec<u8>,
    pub(super) filled: usize,
}

impl Decoded {
    /// Returns room for `length` more bytes, unless there would be more than `most`.
    pub(super) fn room(&mut self, length: usize, most: usize) -> Option<&mut [u8]> {
        let end = self.filled.checked_add(length).filter(|&end| end <= most)?;
        if self.room.len() < end {
            self.room.resize(end, 0);
        }
        Some(&mut self.room[self.filled..end])
    }
}

/// Decompresses the member at the start of `bytes`, and returns its length. Returns `None` if it is
/// incomplete, damaged or too long for a piece.
pub(super) type Decode = fn(bytes: &[u8], is_cut: bool, decoded: &mut Decoded) -> Option<usize>;

/// A piece, and the thread that decompresses it ahead, if there is one.
pub(super) struct Job {
    pub(super) piece: Arc<Piece>,
    decode: Decode,
    thread: Option<JoinHandle<Decoded>>,
}

impl Job {
    pub(super) fn new(piece: Piece, decode: Decode) -> Self {
        Job {
            piece: Arc::new(piece),
            decode,
            thread: None,
        }
    }

    /// Starts to decompress the piece on a thread of its own, to `room`.
    pub(super) fn start(&mut self, room: Vec<u8>) {
        let (piece, decode) = (self.piece.clone(), self.decode);
        let thread = thread::Builder::new().name("unpacker".to_owned());
        // Without a thread, `result` decompresses.
        self.thread = thread.spawn(move || piece.decode(0, decode, room)).ok();
    }

    /// Returns whether a thread has been started and its result has not been taken.
    pub(super) fn is_started(&self) -> bool {
        self.thread.is_some()
    }

    /// Returns the decompressed members from `at` on, in `room` unless a thread has decompressed
    /// them.
    pub(super) fn result(&mut self, at: usize, room: &mut Vec<u8>) -> Decoded {
        match self.thread.take() {
            // If a thread has panicked, its part is decompressed as it is read.
            Some(thread) if at == 0 => thread.join().unwrap_or_default(),
            _ => self.piece.decode(at, self.decode, mem::take(room)),
        }
    }
}
