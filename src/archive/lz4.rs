//! LZ4, frame after frame.

use std::io::{self, BufRead, Read};

use lz4_flex::frame::FrameDecoder;

/// Decodes all frames of a file.
pub(super) struct Lz4<R: Read>(FrameDecoder<NoQuietEnd<R>>);

impl<R: BufRead> Lz4<R> {
    pub(super) fn new(reader: R) -> Self {
        Lz4(FrameDecoder::new(NoQuietEnd(reader)))
    }
}

impl<R: BufRead> Read for Lz4<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            // The decoder stops after each frame, having read at least the header of the next.
            let count = self.0.read(out)?;
            if count > 0 || out.is_empty() || self.0.get_mut().0.fill_buf()?.is_empty() {
                return Ok(count);
            }
        }
    }
}

/// Changes the kind of a reader's `UnexpectedEof` error, since the decoder takes that for the end
/// of the file, even inside a frame.
struct NoQuietEnd<R>(R);

impl<R: Read> Read for NoQuietEnd<R> {
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
