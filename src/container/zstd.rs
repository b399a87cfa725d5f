//! Zstandard, frame after frame (RFC 8878).

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The longest window that is decoded, in bytes: as much as `zstd -d` allows.
const MAX_WINDOW: u64 = 128 << 20;

/// Decodes all frames of a file, and checks their sums.
pub(super) struct Zstd<R> {
    reader: R,
    decoder: FrameDecoder,
    is_in_frame: bool,
}

impl<R: BufRead> Zstd<R> {
    pub(super) fn new(reader: R) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW);
        Zstd {
            reader,
            decoder,
            is_in_frame: false,
        }
    }

    /// Goes to the next frame that has content; whether there is one.
    fn next_frame(&mut self) -> io::Result<bool> {
        use ReadFrameHeaderError::SkipFrame;
        loop {
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
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
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
