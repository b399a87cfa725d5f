//! Compressed files that are no archives.

use std::io;

use bzip2::bufread::MultiBzDecoder;
use lzma_rust2::{LzmaReader, XzReader};

use super::gzip::{GZIP, Gzip};
use super::lz4::Lz4;
use super::magic::Method;
use super::peek::PeekReader;
use super::pieces::{Ahead, Pieces};
use super::rewind::Faults;
use super::zstd::{ZSTD, Zstd};
use super::{Source, Unpacker};

/// The most memory for decoding xz or LZMA, in KiB: more than `xz -9` needs.
const MAX_XZ: u32 = 256 << 10;

impl<E: From<io::Error>> Unpacker<'_, E> {
    pub(super) fn compressed(
        &mut self,
        source: &Source,
        method: Method,
        reader: &mut PeekReader<'_>,
    ) -> Result<(), E> {
        let inner = source.decompressed();
        let faults = Faults::default();
        // Who decompresses what has been decompressed has it from one thread.
        let is_file = source.depth == 0;
        let ahead = Ahead {
            waits: self.ahead.waits && reader.in_memory().is_none(),
            threads: if is_file { self.ahead.threads } else { 0 },
        };
        let budget = is_file.then_some(self.budget);
        match method {
            Method::Gzip => self.decompressed(
                &inner,
                Gzip::new(Pieces::new(reader, &GZIP, ahead, budget), &faults),
            ),
            Method::Zstd => {
                let pieces = Pieces::new(reader, &ZSTD, ahead, budget);
                self.decompressed(&inner, Zstd::new(pieces, &faults)?)
            }
            Method::Xz => self.decompressed(&inner, XzReader::new_mem_limit(reader, true, MAX_XZ)),
            Method::Bzip2 => self.decompressed(&inner, MultiBzDecoder::new(reader)),
            Method::Lzma => match LzmaReader::new_mem_limit(reader, MAX_XZ, None) {
                Ok(decoder) => self.decompressed(&inner, decoder),
                Err(error) => {
                    self.damaged(source, error.to_string(), 0);
                    return Ok(());
                }
            },
            Method::Lz4 => self.decompressed(&inner, Lz4::new(reader)),
        }?;
        for (fault, at) in faults.take() {
            self.damaged(&inner, fault, at);
        }
        Ok(())
    }
}
