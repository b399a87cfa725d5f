//! Zstandard, frame after frame (RFC 8878).

use std::cell::RefCell;
use std::mem;

use zstd::zstd_safe::zstd_sys::ZSTD_ErrorCode;
use zstd::zstd_safe::{
    DCtx, ErrorCode, InBuffer, OutBuffer, ResetDirective, find_frame_compressed_size,
    get_error_name, get_frame_content_size,
};

use super::members::{Decoder, Step};
use super::pieces::MAX_DECODED;
use super::pool::Decoded;
use super::rewind::MemberFormat;

/// A frame begins with a header whose reserved bit is 0.
pub(super) const ZSTD: MemberFormat = MemberFormat {
    magic: MAGIC,
    len: 5,
    is_it: |header| header[4] & 0x08 == 0,
    is_exact: true,
    decode: decode_frame,
};

const MAGIC: &[u8] = b"\x28\xb5\x2f\xfd";

/// How many bytes are passed to the decoder at the start of a frame: fewer than any frame has.
const FIRST: usize = 8;

thread_local! {
    static CONTEXT: RefCell<DCtx<'static>> = RefCell::new(DCtx::create());
}

/// Decodes a frame, and checks its checksum. Like `zstd -d`, it decodes no window longer than 128
/// MiB.
pub(super) struct ZstdDecoder {
    context: DCtx<'static>,
    /// How many bytes the decoder needs next: up to the end of a block.
    needs: usize,
    /// Whether the decoder may hold more output that there was no room for.
    is_full: bool,
    /// Bytes that have been read but not yet consumed by the decoder.
    block: Vec<u8>,
}

impl Decoder for ZstdDecoder {
    const FORMAT: &MemberFormat = &ZSTD;
    const INCOMPLETE: &str = "incomplete frame";

    fn new() -> Self {
        ZstdDecoder {
            context: DCtx::create(),
            needs: FIRST,
            is_full: false,
            block: Vec::new(),
        }
    }

    fn again(mut self) -> Self {
        // Resetting the session cannot fail.
        let _ = self.context.reset(ResetDirective::SessionOnly);
        self.block.clear();
        ZstdDecoder {
            needs: FIRST,
            is_full: false,
            ..self
        }
    }

    fn may_begin(first: u8) -> bool {
        // The second range is for skippable frames.
        matches!(first, 0x28 | 0x50..=0x5f)
    }

    /// Passes the decoder bytes up to the end of a block, so that the output does not depend on how
    /// they arrive, and nothing before a damaged block is lost with it.
    fn decode(&mut self, input: &[u8], out: &mut [u8]) -> Step {
        let mut step = Step {
            read: 0,
            written: 0,
            is_over: Ok(false),
        };
        // A block may decode to more than there was room for.
        if self.is_full {
            self.run(&[], out, &mut step);
            if step.written > 0 || step.is_over != Ok(false) {
                return step;
            }
        }
        let missing = self.needs.saturating_sub(self.block.len());
        step.read = missing.min(input.len());
        self.block.extend_from_slice(&input[..step.read]);
        if step.read == missing {
            let mut block = mem::take(&mut self.block);
            let taken = self.run(&block, out, &mut step);
            block.drain(..taken);
            self.block = block;
        }
        step
    }
}

impl ZstdDecoder {
    /// Runs the decoder on `input`. Returns how much of it was consumed.
    fn run(&mut self, input: &[u8], out: &mut [u8], step: &mut Step) -> usize {
        let (mut from, mut to) = (InBuffer::around(input), OutBuffer::around(&mut *out));
        match self.context.decompress_stream(&mut to, &mut from) {
            Ok(needs) => {
                step.written = to.pos();
                step.is_over = Ok(needs == 0);
                self.needs = needs;
            }
            Err(code) => step.is_over = Err(damaged(code)),
        }
        self.is_full = step.written == out.len();
        from.pos()
    }
}

/// Describes the fault, in the same words whether the decoder writes to the output or, if there is
/// no room for a block, to its own buffer.
fn damaged(code: ErrorCode) -> &'static str {
    let no_room = ZSTD_ErrorCode::ZSTD_error_dstSize_tooSmall as usize;
    match code.wrapping_neg() {
        number if number == no_room => "Data corruption detected",
        _ => get_error_name(code),
    }
}

/// Decodes the frame at the start of `bytes`; returns its length. Returns `None` if it is
/// incomplete or damaged, does not state its length, or may be longer than a piece.
fn decode_frame(bytes: &[u8], _: bool, decoded: &mut Decoded) -> Option<usize> {
    if !ZSTD.is_at(bytes) {
        return None;
    }
    let end = find_frame_compressed_size(bytes).ok()?;
    let frame = bytes.get(..end)?;
    let length = usize::try_from(get_frame_content_size(frame).ok()??).ok()?;
    // A window that is too long is reported when the frame is decoded as it is read.
    let is_single = frame[4] & 0x20 != 0;
    if !is_single && (frame.get(5)? >> 3) + 10 >= 27 {
        return None;
    }
    let room = decoded.room(length, MAX_DECODED)?;
    let count = CONTEXT.with_borrow_mut(|context| context.decompress(room, frame));
    if count != Ok(length) {
        return None;
    }
    decoded.filled += length;
    Some(end)
}
