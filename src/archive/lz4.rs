//! LZ4, frame after frame.

use std::io::{self, BufRead, Read};

use lz4_flex::frame::FrameDecoder;

/// Decodes all frames of a file.
pub(super) struct Lz4<R: Read>(FrameDecoder<Strict<R>>);

impl<R: BufRead> Lz4<R> {
    pub(super) fn new(reader: R) -> Self {
        Lz4(FrameDecoder::new(Strict(reader)))
    }
}

impl<R: BufRead> Read for Lz4<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            // The decoder stops behind each frame, of which it has read a header at least.
            let count = self.0.read(out)?;
            if count > 0 || out.is_empty() || self.0.get_mut().0.fill_buf()?.is_empty() {
                return Ok(count);
            }
        }
    }
}

/// A reader whose end inside a frame is none of the kind that the decoder takes for the frame's.
struct Strict<R>(R);

impl<R: Read> Read for Strict<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out)
    }

    fn read_exact(&mut self, out: &mut [u8]) -> io::Result<()> {
        self.0.read_exact(out).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => io::Error::other("incomplete LZ4 frame"),
            _ => error,
        })
    }
}
