//! Zstandard, frame after frame (RFC 8878).

use std::cell::RefCell;
use std::io::{self, BufRead, Read};

use zstd::stream::raw::{Decoder, Operation, Status};
use zstd::zstd_safe::{DCtx, find_frame_compressed_size, get_frame_content_size};

use super::pieces::{Format, MAX_DECODED, Pieces, Ready};
use super::pool::Decoded;
use super::rewind::{Beginning, Faults, RewindReader};

/// A frame begins with a header whose reserved bit is 0.
const FRAME: Beginning = Beginning {
    magic: MAGIC,
    len: 5,
    is_it: |header| header[4] & 0x08 == 0,
    is_exact: true,
};

const MAGIC: &[u8] = b"\x28\xb5\x2f\xfd";

/// How a file of frames is taken apart.
pub(super) const ZSTD: Format = Format {
    beginning: &FRAME,
    decode,
};

/// How many bytes are given to the decoder at the start of a frame: fewer than any frame has.
const FIRST: usize = 8;

thread_local! {
    static CONTEXT: RefCell<DCtx<'static>> = RefCell::new(DCtx::create());
}

/// Decodes all frames of a file, and checks their checksums. After a damaged frame the next one is
/// searched for, and a line break is put in the place of what is missing.
pub(super) struct Zstd<'f, 'b, R> {
    reader: RewindReader<Pieces<'b, R>>,
    /// It decodes no window that is longer than 128 MiB, as `zstd -d` does.
    decoder: Decoder<'static>,
    /// How many bytes the decoder needs next: up to the end of a block. `None` between frames.
    needs: Option<usize>,
    /// Whether the decoder may have more, which there was no room for.
    is_full: bool,
    /// Bytes that have been read and the decoder has not taken.
    block: Vec<u8>,
    /// Frames that were decoded at once.
    ready: Ready,
    faults: &'f Faults,
    /// How many bytes have been decoded.
    at: u64,
}

impl<'f, 'b, R: BufRead> Zstd<'f, 'b, R> {
    /// Faults that do not end the decoding are added to `faults`.
    ///
    /// Fails if there is no memory.
    pub(super) fn new(pieces: Pieces<'b, R>, faults: &'f Faults) -> io::Result<Self> {
        Ok(Zstd {
            reader: RewindReader::new(pieces),
            decoder: Decoder::new()?,
            needs: None,
            is_full: false,
            block: Vec::new(),
            ready: Ready::default(),
            faults,
            at: 0,
        })
    }

    fn decode(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.ready.read(out);
            if count > 0 {
                return Ok(count);
            }
            let Some(needs) = self.needs else {
                if !self.next_frame()? {
                    return Ok(0);
                }
                continue;
            };
            // What a block holds may be more than there was room for.
            let status = if self.is_full {
                self.decoder.run_on_buffers(&[][..], out).map_err(damaged)?
            } else {
                self.block(needs, out)?
            };
            self.is_full = status.bytes_written == out.len();
            self.needs = Some(status.remaining).filter(|&needs| needs > 0);
            if status.bytes_written > 0 {
                return Ok(status.bytes_written);
            }
        }
    }

    /// Decodes the next so many bytes, which go up to the end of a block: what comes out does not
    /// depend on how they arrive, and what precedes a damaged block is not lost with it.
    fn block(&mut self, length: usize, out: &mut [u8]) -> io::Result<Status> {
        let input = self.reader.fill_buf()?;
        if self.block.is_empty() && input.len() >= length {
            let status = self.decoder.run_on_buffers(&input[..length], out);
            // What it does not take is read nevertheless, as below: where a fault is reported must not
            // depend on how the bytes arrive.
            if let Ok(status) = &status {
                let left = &input[status.bytes_read..length];
                self.block.extend_from_slice(left);
            }
            self.reader.consume(length);
            return status.map_err(damaged);
        }
        let missing = length.saturating_sub(self.block.len());
        (&mut self.reader)
            .take(missing as u64)
            .read_to_end(&mut self.block)?;
        if self.block.len() < length {
            return Err(io::Error::other("incomplete frame"));
        }
        let decoded = self.decoder.run_on_buffers(&self.block, out);
        let status = decoded.map_err(damaged)?;
        self.block.drain(..status.bytes_read);
        Ok(status)
    }

    /// Begins the next frame, or takes what is decoded of it and those after it already. Returns
    /// whether there is one.
    fn next_frame(&mut self) -> io::Result<bool> {
        self.reader.mark();
        if self.reader.fill_buf()?.is_empty() {
            return Ok(false);
        }
        let is_ready = match self.reader.below() {
            Some(pieces) => self.ready.take_from(pieces)?,
            None => false,
        };
        if !is_ready {
            self.decoder.reinit()?;
            self.needs = Some(FIRST);
            self.is_full = false;
        }
        Ok(true)
    }
}

impl<R: BufRead> Read for Zstd<'_, '_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        let count = match self.decode(out) {
            Err(fault) if fault.kind() != io::ErrorKind::Interrupted => {
                self.reader
                    .go_on_after(fault, &FRAME, self.faults, self.at)?;
                self.needs = None;
                self.is_full = false;
                self.block.clear();
                out[0] = b'\n';
                1
            }
            read => read?,
        };
        self.at += count as u64;
        Ok(count)
    }
}

/// `fault`, told in the same words wherever the decoder writes to: it decodes to its own buffer if there is
/// no room for a block.
fn damaged(fault: io::Error) -> io::Error {
    if fault.to_string().contains("buffer is too small") {
        return io::Error::other("Data corruption detected");
    }
    fault
}

/// Decodes the frames with which a piece begins.
fn decode(bytes: &[u8], _: bool, decoded: &mut Decoded) {
    CONTEXT.with_borrow_mut(|context| {
        while let Some(length) = decode_frame(context, &bytes[decoded.consumed..], decoded) {
            decoded.consumed += length;
        }
    });
}

/// Decodes the frame that `bytes` begin with; returns its length. `None` if it is not all there, has
/// a fault, does not say its length, or may be longer than a piece.
fn decode_frame(context: &mut DCtx<'static>, bytes: &[u8], decoded: &mut Decoded) -> Option<usize> {
    if !FRAME.is_at(bytes) {
        return None;
    }
    let end = find_frame_compressed_size(bytes).ok()?;
    let frame = bytes.get(..end)?;
    let length = usize::try_from(get_frame_content_size(frame).ok()??).ok()?;
    // A window that is too long is told by who decodes a frame by itself.
    let is_single = frame[4] & 0x20 != 0;
    if !is_single && (frame.get(5)? >> 3) + 10 >= 27 {
        return None;
    }
    let room = decoded.room(length, MAX_DECODED)?;
    let is_whole = matches!(context.decompress(room, frame), Ok(count) if count == length);
    is_whole.then(|| {
        decoded.filled += length;
        end
    })
}
