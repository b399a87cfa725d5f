//! bzip2, stream after stream.

use bzip2::{Decompress, Error, Status};

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

/// How much is decompressed at once.
const STEP: usize = MAX_DECODED / 4;

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
    /// How much of the chunk is decoded.
    filled: usize,
    /// How much of it has been output.
    given: usize,
    /// Whether it may be output: it is full, or the rest of the stream.
    is_ready: bool,
    /// Whether it is the last.
    is_last: bool,
}

impl Bzip2Decoder {
    /// Fills the chunk; `read` becomes how much of `input` was read, even if there is a fault.
    fn fill(&mut self, input: &[u8], read: &mut usize) -> Result<(), &'static str> {
        loop {
            let decoder = &mut self.decoder;
            let (total_in, total_out) = (decoder.total_in(), decoder.total_out());
            let status = decoder.decompress(&input[*read..], &mut self.chunk[self.filled..]);
            let now_read = (decoder.total_in() - total_in) as usize;
            let now_filled = (decoder.total_out() - total_out) as usize;
            *read += now_read;
            let status = match status {
                Ok(Status::MemNeeded) => return Err("no memory"),
                Ok(status) => status,
                Err(Error::DataMagic) => return Err("invalid bzip2 header"),
                Err(_) => return Err("corrupt bzip2 stream"),
            };
            self.filled += now_filled;
            self.is_last = status == Status::StreamEnd;
            let is_cut_off = input.is_empty() && now_filled == 0;
            self.is_ready = self.is_last || self.filled == CHUNK || is_cut_off;
            if self.is_ready || now_read == 0 && now_filled == 0 {
                return Ok(());
            }
        }
    }
}

impl Decoder for Bzip2Decoder {
    const FORMAT: &MemberFormat = &BZIP2;
    const INCOMPLETE: &str = "incomplete bzip2 stream";

    fn new() -> Self {
        Bzip2Decoder {
            decoder: Decompress::new(false),
            chunk: vec![0; CHUNK],
            filled: 0,
            given: 0,
            is_ready: false,
            is_last: false,
        }
    }

    fn decode(&mut self, input: &[u8], out: &mut [u8]) -> Step {
        let mut step = Step {
            read: 0,
            written: 0,
            is_over: Ok(false),
        };
        loop {
            if !self.is_ready
                && let Err(fault) = self.fill(input, &mut step.read)
            {
                step.is_over = Err(fault);
                break;
            }
            let left = &self.chunk[self.given..self.filled];
            if !self.is_ready || left.is_empty() && !self.is_last {
                break;
            }
            let out = &mut out[step.written..];
            let count = left.len().min(out.len());
            out[..count].copy_from_slice(&left[..count]);
            step.written += count;
            self.given += count;
            if self.given < self.filled {
                break;
            }
            (self.given, self.filled, self.is_ready) = (0, 0, false);
            if self.is_last {
                step.is_over = Ok(true);
                break;
            }
        }
        step
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
    let mut decoder = Bzip2Decoder::new();
    let (mut read, mut written) = (0, 0);
    loop {
        let left = MAX_DECODED.checked_sub(decoded.filled + written)?;
        let room = decoded.room(written + left.min(STEP), MAX_DECODED)?;
        let step = decoder.decode(&bytes[read..], &mut room[written..]);
        read += step.read;
        written += step.written;
        if step.is_over.ok()? {
            decoded.filled += written;
            return Some(read);
        }
        if step.read == 0 && step.written == 0 {
            return None;
        }
    }
}
