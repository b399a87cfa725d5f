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

/// Decodes a stream, and checks its checksums.
pub(super) struct Bzip2Decoder(Decompress);

impl Decoder for Bzip2Decoder {
    const MEMBER: &Beginning = &STREAM;
    const INCOMPLETE: &str = "incomplete bzip2 stream";

    fn new() -> Self {
        Bzip2Decoder(Decompress::new(false))
    }

    fn decode(&mut self, input: &[u8], out: &mut [u8]) -> Step {
        let Bzip2Decoder(decoder) = self;
        let (read, written) = (decoder.total_in(), decoder.total_out());
        let status = decoder.decompress(input, out);
        Step {
            read: (decoder.total_in() - read) as usize,
            written: (decoder.total_out() - written) as usize,
            is_over: match status {
                Ok(Status::MemNeeded) => Err("no memory"),
                Ok(status) => Ok(status == Status::StreamEnd),
                Err(Error::DataMagic) => Err("invalid bzip2 header"),
                Err(_) => Err("corrupt bzip2 stream"),
            },
        }
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
