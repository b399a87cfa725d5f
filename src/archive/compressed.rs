//! Compressed files that are not archives.

use std::io::{self, BufRead, Read};

use lzma_rust2::{LzmaReader, XzReader};

use super::bzip2::Bzip2Decoder;
use super::gzip::GzipDecoder;
use super::lz4::Lz4;
use super::magic::Method;
use super::members::{Decoder, Members};
use super::peek::PeekReader;
use super::pieces::{Ahead, Pieces};
use super::rewind::Faults;
use super::zstd::ZstdDecoder;
use super::{HEAD, Source, Unpacker};
use urlint_documents::read::room;

/// The memory limit for decoding xz or LZMA, in KiB: more than `xz -9` needs.
const MAX_XZ: u32 = 256 << 10;

/// Returns how much memory decoding may take, in KiB: as much as can be had of [`MAX_XZ`]. A decoder that
/// needs more fails, while one that is allowed more than there is would end the process.
fn max_xz() -> u32 {
    let mut limits = (0..u32::BITS).map(|shift| MAX_XZ >> shift);
    let limit = limits.find(|&limit| room::has((limit as usize) << 10));
    limit.unwrap_or(0)
}

/// The mark of a frame with the dictionary of those after it (IIPC, WARC files compressed with Zstandard).
const DICTIONARY: &[u8] = b"\x5d\x2a\x4d\x18";

/// The greatest length of a dictionary, in bytes.
const MAX_DICTIONARY: u64 = 16 << 20;

/// Begins with the dictionary, which may be compressed itself.
fn with_dictionary<R: BufRead>(mut reader: R) -> io::Result<impl Read> {
    let mut head = [0; 8];
    reader.read_exact(&mut head)?;
    let [.., a, b, c, d] = head;
    let length = u64::from(u32::from_le_bytes([a, b, c, d]));
    let mut dictionary = Vec::new();
    let mut frame = reader.by_ref().take(length.min(MAX_DICTIONARY));
    frame.read_to_end(&mut dictionary)?;
    if dictionary.starts_with(ZstdDecoder::FORMAT.magic) {
        let packed = std::mem::take(&mut dictionary);
        let frame = zstd::Decoder::new(&*packed)?;
        frame.take(MAX_DICTIONARY).read_to_end(&mut dictionary)?;
    }
    zstd::Decoder::with_dictionary(reader, &dictionary)
}

/// A decoder that is asked for little at once: where there is damage, all of a piece is lost.
struct Pieced<R>(R);

impl<R: Read> Read for Pieced<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        const PIECE: usize = 64 << 10;
        let len = out.len().min(PIECE);
        self.0.read(&mut out[..len])
    }
}

impl<E: From<io::Error>> Unpacker<'_, E> {
    pub(super) fn compressed(
        &mut self,
        source: &Source,
        method: Method,
        reader: &mut PeekReader<'_>,
    ) -> Result<(), E> {
        let inner = source.decompressed();
        match method {
            Method::Gzip => self.members::<GzipDecoder>(&inner, reader),
            Method::Bzip2 => self.members::<Bzip2Decoder>(&inner, reader),
            Method::Zstd if reader.peek(HEAD)?.starts_with(DICTIONARY) => {
                self.decoded(&inner, with_dictionary(reader))
            }
            Method::Zstd => self.members::<ZstdDecoder>(&inner, reader),
            Method::Xz => self.decoded(&inner, Ok(XzReader::new_mem_limit(reader, true, max_xz()))),
            Method::Lzma => self.decoded(&inner, LzmaReader::new_mem_limit(reader, max_xz(), None)),
            Method::Lz4 => self.decoded(&inner, Ok(Lz4::new(reader))),
        }
    }

    /// Opens the output of a decoder, if it can read the start of the file.
    fn decoded(&mut self, inner: &Source, decoder: io::Result<impl Read>) -> Result<(), E> {
        match decoder {
            Ok(decoder) => self.decompressed(inner, Pieced(decoder)).map(drop),
            Err(error) => self.damaged(inner, error.to_string(), 0),
        }
    }

    /// Opens the content of a file of members, one after another.
    fn members<D: Decoder>(
        &mut self,
        inner: &Source,
        reader: &mut PeekReader<'_>,
    ) -> Result<(), E> {
        let faults = Faults::default();
        // Nested compression is decompressed by one thread.
        let is_file = inner.nesting.depth == 1;
        let ahead = Ahead {
            waits: self.ahead.waits && reader.in_memory().is_none(),
            threads: if is_file { self.ahead.threads } else { 0 },
        };
        let budget = is_file.then_some(self.budget);
        let pieces = Pieces::new(reader, D::FORMAT, ahead, budget);
        self.decompressed(inner, Members::<_, D>::new(pieces, &faults))?;
        for (fault, at) in faults.take() {
            self.damaged(inner, fault, at)?;
        }
        Ok(())
    }
}
