//! Compressed files that are no archives.

use std::io::{self, BufRead};

use lzma_rust2::{LzmaReader, XzReader};

use super::bzip2::{BZIP2, Bzip2Decoder};
use super::gzip::{GZIP, GzipDecoder};
use super::lz4::Lz4;
use super::lzw::Lzw;
use super::magic::{Method, batch};
use super::members::Members;
use super::peek::PeekReader;
use super::pieces::{Ahead, Pieces};
use super::rewind::Faults;
use super::zstd::{ZSTD, Zstd};
use super::{HEAD, Source, Unpacker};

/// The most memory for decoding xz or LZMA, in KiB: more than `xz -9` needs.
pub(super) const MAX_XZ: u32 = 256 << 10;

impl<E: From<io::Error>> Unpacker<'_, E> {
    pub(super) fn compressed(
        &mut self,
        source: &Source,
        method: Method,
        reader: &mut PeekReader<'_>,
    ) -> Result<(), E> {
        let batch = batch(reader.peek(HEAD)?).unwrap_or(0);
        reader.consume(batch);
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
            Method::Gzip => {
                let pieces = Pieces::new(reader, &GZIP, ahead, budget);
                let members = Members::<_, GzipDecoder>::new(pieces, &faults);
                self.decompressed(&inner, members)
            }
            Method::Bzip2 => {
                let pieces = Pieces::new(reader, &BZIP2, ahead, budget);
                let streams = Members::<_, Bzip2Decoder>::new(pieces, &faults);
                self.decompressed(&inner, streams)
            }
            Method::Zstd => {
                let pieces = Pieces::new(reader, &ZSTD, ahead, budget);
                self.decompressed(&inner, Zstd::new(pieces, &faults)?)
            }
            Method::Xz => self.decompressed(&inner, XzReader::new_mem_limit(reader, true, MAX_XZ)),
            Method::Lzma => match LzmaReader::new_mem_limit(reader, MAX_XZ, None) {
                Ok(decoder) => self.decompressed(&inner, decoder),
                Err(error) => {
                    self.damaged(source, error.to_string(), 0);
                    return Ok(());
                }
            },
            Method::Lzw => match Lzw::new(reader) {
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
