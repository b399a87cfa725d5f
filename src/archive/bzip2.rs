//! bzip2, stream after stream.

use bzip2::{Decompress, Error, Status};

use super::members::{Decoder, Step};
use super::pieces::{Format, MAX_DECODED};
use super::pool::Decoded;
use super::rewind::Beginning;

/// A stream begins with `BZh9` and the start of a block, or of the end.
const STREAM: Beginning = Beginning {
    magic: b"BZh",
    len: 10,
    is_it: |head| {
        let is_level = matches!(head[3], b'1'..=b'9');
        is_level && (head[4..] == *b"1AY&SY" || head[4..] == *b"\x17\x72\x45\x38\x50\x90")
    },
    is_exact: false,
};

/// How a file of streams is taken apart. Programs that compress with several threads make a stream of
/// each block or a few.
pub(super) const BZIP2: Format = Format {
    beginning: &STREAM,
    decode,
};

/// What a longer stream holds would be too long, as a rule, and would be decompressed for nothing.
const MAX_STREAM: usize = MAX_DECODED / 6;

/// How much is decompressed at once.
const STEP: usize = MAX_DECODED / 4;

/// Returns whether `head` is the beginning of a stream.
pub(super) fn is_bzip2(head: &[u8]) -> bool {
    STREAM.is_at(head)
}

/// How much of a stream is given out at once, in bytes.
const CHUNK: usize = 4 << 10;

/// Decodes a stream, and checks its checksums.
///
/// Where a checksum is wrong, libbz2 does not say how much it has written until then. So that what comes
/// before a fault does not depend on how the bytes arrive and are taken, whole chunks are given out, and
/// what is decoded of one when the fault is noticed is not.
pub(super) struct Bzip2Decoder {
    decoder: Decompress,
    chunk: Vec<u8>,
    /// How much of the chunk is decoded.
    filled: usize,
    /// How much of it has been given out.
    given: usize,
    /// Whether it may be given out: it is full, or what is left of the stream.
    is_ready: bool,
    /// Whether it is the last.
    is_last: bool,
}

impl Bzip2Decoder {
    /// Fills the chunk; `read` is how much of `input` was read, also before a fault.
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
    const MEMBER: &Beginning = &STREAM;
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

/// Decompresses the streams with which a piece begins.
fn decode(bytes: &[u8], is_cut: bool, decoded: &mut Decoded) {
    while let Some(length) = decode_stream(&bytes[decoded.consumed..], is_cut, decoded) {
        decoded.consumed += length;
    }
}

/// Decompresses the stream that `bytes` begin with; returns its length. `None` if it is not all there,
/// has a fault, or is longer than what is decompressed of a piece.
fn decode_stream(bytes: &[u8], is_cut: bool, decoded: &mut Decoded) -> Option<usize> {
    if !STREAM.is_at(bytes) {
        return None;
    }
    let next = STREAM.find(bytes, 1);
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
