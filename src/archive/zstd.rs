//! Zstandard, frame after frame (RFC 8878).

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::rewind::{Beginning, Faults, RewindReader};

/// The longest window that is decoded, in bytes: as much as `zstd -d` allows.
const MAX_WINDOW: u64 = 128 << 20;

/// A frame begins with a header whose reserved bit is 0.
const FRAME: Beginning = Beginning {
    magic: b"\x28\xb5\x2f\xfd",
    len: 5,
    is_it: |header| header[4] & 0x08 == 0,
};

/// Decodes all frames of a file, and checks their checksums. After a damaged frame the next one is
/// searched for, and a line break is put in the place of what is missing.
pub(super) struct Zstd<'f, R> {
    reader: RewindReader<R>,
    decoder: FrameDecoder,
    is_in_frame: bool,
    faults: &'f Faults,
    /// How many bytes have been decoded.
    at: u64,
}

impl<'f, R: BufRead> Zstd<'f, R> {
    /// Faults that do not end the decoding are added to `faults`.
    pub(super) fn new(reader: R, faults: &'f Faults) -> Self {
        Zstd {
            reader: RewindReader::new(reader),
            decoder: decoder(),
            is_in_frame: false,
            faults,
            at: 0,
        }
    }

    /// Goes to the next frame with content. Returns whether there is one.
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
        let stored = self.decoder.get_checksum_from_data();
        match (stored, self.decoder.get_calculated_checksum()) {
            (Some(stored), Some(real)) if stored != real => {
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
                    .go_on_after(fault, &FRAME, self.faults, self.at)?;
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
