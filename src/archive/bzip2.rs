//! bzip2, stream after stream.

use std::io::Read;

use bzip2::bufread::BzDecoder;
use bzip2::{Decompress, Status};

use super::members::{Decoder, Step};
use super::pieces::MAX_DECODED;
use super::pool::Decoded;
use super::rewind::MemberFormat;

/// A stream begins with `BZh9` and the start of a block or of the trailer. Programs that compress
/// with several threads make one stream of each block, or of a few.
pub(super) const BZIP2: MemberFormat = MemberFormat {
    magic: b"BZh",
    len: 10,
    is_it: |head| {
        let is_level = matches!(head[3], b'1'..=b'9');
        is_level && (head[4..] == *b"1AY&SY" || head[4..] == *b"\x17\x72\x45\x38\x50\x90")
    },
    is_exact: false,
    decode: decode_stream,
};

/// A longer stream would usually decompress to more than is kept, so that the work would be wasted.
const MAX_STREAM: usize = MAX_DECODED / 6;

/// How many bytes of a stream are output at once.
const CHUNK: usize = 4 << 10;

/// Decodes a stream, and checks its checksums.
///
/// If a checksum is wrong, libbz2 does not report how much it has written. Only whole chunks are
/// output, and a chunk with a fault is dropped, so that the output before a fault does not depend
/// on how the bytes arrive and are read.
pub(super) struct Bzip2Decoder {
    decoder: Decompress,
    chunk: Vec<u8>,
    /// How much of the chunk has been output.
    given: usize,
    /// Whether the chunk may be output: it is full, or the rest of the stream.
    is_ready: bool,
    /// Whether it is the last.
    is_last: bool,
}

impl Bzip2Decoder {
    /// Fills the chunk from `input`; `read` becomes how much of it was read, even if there is a fault.
    fn fill(&mut self, input: &[u8], read: &mut usize) -> Result<(), &'static str> {
        while !self.is_ready {
            let (total_in, filled) = (self.decoder.total_in(), self.chunk.len());
            let status = (self.decoder).decompress_vec(&input[*read..], &mut self.chunk);
            let now_read = (self.decoder.total_in() - total_in) as usize;
            *read += now_read;
            self.is_last = match status {
                Ok(Status::MemNeeded) => return Err("no memory"),
                Ok(status) => status == Status::StreamEnd,
                Err(_) => return Err("corrupt bzip2 stream"),
            };
            let is_stuck = now_read == 0 && self.chunk.len() == filled;
            let is_over = self.is_last || (is_stuck && input.is_empty());
            self.is_ready = is_over || self.chunk.len() == self.chunk.capacity();
            if is_stuck {
                break;
            }
        }
        Ok(())
    }
}

impl Decoder for Bzip2Decoder {
    const FORMAT: &MemberFormat = &BZIP2;
    const INCOMPLETE: &str = "incomplete bzip2 stream";

    fn new() -> Self {
        Bzip2Decoder {
            decoder: Decompress::new(false),
            chunk: Vec::with_capacity(CHUNK),
            given: 0,
            is_ready: false,
            is_last: false,
        }
    }

    fn decode(&mut self, input: &[u8], out: &mut [u8]) -> Step {
        let (mut read, mut written) = (0, 0);
        let mut is_over = Ok(false);
        while is_over == Ok(false) && written < out.len() {
            is_over = self.fill(input, &mut read).map(|()| false);
            let rest = &self.chunk[self.given..];
            if !self.is_ready || (rest.is_empty() && !self.is_last) {
                break;
            }
            let count = rest.len().min(out.len() - written);
            out[written..written + count].copy_from_slice(&rest[..count]);
            written += count;
            self.given += count;
            if self.given == self.chunk.len() {
                is_over = Ok(self.is_last);
                self.chunk.clear();
                (self.given, self.is_ready) = (0, false);
            }
        }
        Step {
            read,
            written,
            is_over,
        }
    }
}

/// Decompresses the stream at the start of `bytes`; returns its length. Returns `None` if it is
/// incomplete or damaged, or decompresses to more than the limit for a piece.
fn decode_stream(bytes: &[u8], is_cut: bool, decoded: &mut Decoded) -> Option<usize> {
    if !BZIP2.is_at(bytes) {
        return None;
    }
    let next = BZIP2.find(bytes, 1);
    let end = next.or_else(|| is_cut.then_some(bytes.len()))?;
    if end > MAX_STREAM {
        return None;
    }
    let left = MAX_DECODED - decoded.filled;
    let mut decoder = BzDecoder::new(bytes);
    decoded.room.truncate(decoded.filled);
    let mut bounded = (&mut decoder).take(left as u64 + 1);
    let written = bounded.read_to_end(&mut decoded.room).ok()?;
    if written > left {
        return None;
    }
    decoded.filled += written;
    usize::try_from(decoder.total_in()).ok()
}
