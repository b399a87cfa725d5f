//! Zstandard, frame after frame (RFC 8878).

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::kept::{Beginning, Faults, Kept};

/// The longest window that is decoded, in bytes: as much as `zstd -d` allows.
const MAX_WINDOW: u64 = 128 << 20;

/// What begins a frame: a bit that is to be 0 is.
const FRAME: Beginning = Beginning {
    magic: b"\x28\xb5\x2f\xfd",
    len: 5,
    is_it: |header| header[4] & 0x08 == 0,
};

/// Decodes all frames of a file, and checks their sums. Behind a broken one the next is looked for,
/// and a line break stands for what is missing.
pub(super) struct Zstd<'f, R> {
    reader: Kept<R>,
    decoder: FrameDecoder,
    is_in_frame: bool,
    faults: &'f Faults,
    /// How many bytes there have been.
    at: u64,
}

impl<'f, R: BufRead> Zstd<'f, R> {
    /// What is wrong, and did not end the decoding, is added to `faults`.
    pub(super) fn new(reader: R, faults: &'f Faults) -> Self {
        Zstd {
            reader: Kept::new(reader),
            decoder: decoder(),
            is_in_frame: false,
            faults,
            at: 0,
        }
    }

    /// Goes to the next frame that has content; whether there is one.
    fn next_frame(&mut self) -> io::Result<bool> {
        use ReadFrameHeaderError::SkipFrame;
        loop {
            self.reader.mark();
            if self.reader.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.init(&mut self.reader) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(SkipFrame { length, .. })) => {
                    let mut frame = (&mut self.reader).take(length.into());
                    io::copy(&mut frame, &mut io::sink())?;
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }

    fn check_sum(&self) -> io::Result<()> {
        let told = self.decoder.get_checksum_from_data();
        match (told, self.decoder.get_calculated_checksum()) {
            (Some(told), Some(real)) if told != real => {
                Err(io::Error::other("the checksum does not match"))
            }
            _ => Ok(()),
        }
    }
    fn decode(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_in_frame {
                if !self.next_frame()? {
                    return Ok(0);
                }
                self.is_in_frame = true;
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                let decoded = self.decoder.decode_blocks(&mut self.reader, one);
                decoded.map_err(io::Error::other)?;
            }
            let count = self.decoder.read(out)?;
            if count > 0 {
                return Ok(count);
            }
            self.is_in_frame = false;
            self.check_sum()?;
        }
    }
}

impl<R: BufRead> Read for Zstd<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        let count = match self.decode(out) {
            Err(fault) if fault.kind() != io::ErrorKind::Interrupted => {
                self.reader
                    .go_on_behind(fault, &FRAME, self.faults, self.at)?;
                self.decoder = decoder();
                self.is_in_frame = false;
                out[0] = b'\n';
                1
            }
            read => read?,
        };
        self.at += count as u64;
        Ok(count)
    }
}

fn decoder() -> FrameDecoder {
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(MAX_WINDOW);
    decoder
}
