//! 7z.
//!
//! The crates that read it trust the counts in a header, so that a short file could take all memory;
//! and the decoders are there already.

mod header;

use std::io::{self, Read, Seek, SeekFrom};

use bzip2::read::BzDecoder;
use flate2::Crc;
use flate2::read::DeflateDecoder;
use lzma_rust2::filter::bcj::BcjReader;
use lzma_rust2::filter::delta::DeltaReader;
use lzma_rust2::{Lzma2Reader, LzmaReader, lzma_get_memory_usage_by_props};

use super::compressed::MAX_XZ;
use super::seekable::Seekable;
use super::{Source, Unpacker};
use header::{Coder, Folder, Header, Member};

/// The first bytes of an archive.
pub(super) const MAGIC: &[u8] = b"7z\xbc\xaf\x27\x1c";

/// The length of what comes before the packed streams, in bytes.
const SIGNATURE: u64 = 32;

/// The longest header, in bytes.
const MAX_HEADER: u64 = 64 << 20;

/// How often a header may be packed.
const MAX_PACKED: usize = 4;

impl<E: From<io::Error>> Unpacker<'_, E> {
    pub(super) fn sevenz(&mut self, source: &Source, file: &mut Seekable<'_>) -> Result<(), E> {
        let (folders, members) = match header(file) {
            Ok(header) => header,
            Err(error) => {
                self.damaged(source, error.to_string(), 0);
                return Ok(());
            }
        };
        let mut members = members.into_iter();
        for folder in &folders {
            if !self.folder(source, file, folder, &mut members)? {
                return Ok(());
            }
        }
        self.without_stream(source, &mut members)?;
        Ok(())
    }

    /// Hands on the members that are packed in `folder`. Returns whether more can be read.
    fn folder(
        &mut self,
        source: &Source,
        file: &mut Seekable<'_>,
        folder: &Folder,
        members: &mut std::vec::IntoIter<Member>,
    ) -> Result<bool, E> {
        let mut unpacked = unpack(file, folder);
        let mut is_broken = false;
        for stream in &folder.streams {
            let Some(member) = self.without_stream(source, members)? else {
                self.damaged(source, "more streams than members", 0);
                return Ok(false);
            };
            if self.budget.is_spent() {
                return Ok(false);
            }
            let name = source.member(&member.name);
            match &mut unpacked {
                // What comes after a fault in the same folder cannot be unpacked.
                _ if is_broken => self.damaged(&name, "after a fault, so not read", 0),
                Err(error) => self.damaged(&name, error.to_string(), 0),
                Ok(unpacked) => {
                    let mut checked = Checked {
                        reader: unpacked.take(stream.size),
                        checksum: stream.checksum,
                        crc: Crc::new(),
                    };
                    if member.is_symlink {
                        self.sink.skipped(&name, "a symbolic link");
                        is_broken = io::copy(&mut checked, &mut io::sink()).is_err();
                        continue;
                    }
                    let decoded = self.decompressed(&name, checked)?;
                    is_broken = !decoded.is_whole;
                    if decoded.length < stream.size && decoded.is_whole && !self.budget.is_spent() {
                        let message = format!("{} bytes long, but cut off", stream.size);
                        self.damaged(&name, message, decoded.length);
                        is_broken = true;
                    }
                }
            }
        }
        Ok(true)
    }

    /// Hands on members up to the next one that has bytes, which is returned.
    fn without_stream(
        &mut self,
        source: &Source,
        members: &mut std::vec::IntoIter<Member>,
    ) -> Result<Option<Member>, E> {
        for member in members {
            if member.has_stream {
                return Ok(Some(member));
            }
            if !member.is_folder {
                self.stored(&source.member(&member.name), io::empty())?;
            }
        }
        Ok(None)
    }
}

/// Reads the header at the end of the file.
fn header(file: &mut Seekable<'_>) -> io::Result<(Vec<Folder>, Vec<Member>)> {
    let mut signature = [0; SIGNATURE as usize];
    file.rewind()?;
    file.read_exact(&mut signature).map_err(|_| cut_off())?;
    let number = |at: usize| {
        let bytes = signature[at..].first_chunk();
        bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
    };
    let (start, length) = (number(12), number(20));
    let mut bytes = packed(file, start, length)?;
    let mut crc = Crc::new();
    crc.update(&bytes);
    if crc.sum().to_le_bytes() != signature[28..32] {
        return Err(io::Error::other(
            "the checksum of the header does not match",
        ));
    }
    if length == 0 {
        return Ok((Vec::new(), Vec::new()));
    }
    for _ in 0..MAX_PACKED {
        match Header::of(&bytes) {
            Some(Header::Plain(folders, members)) => return Ok((folders, members)),
            Some(Header::Packed(folder)) => {
                let size = folder.streams.first().map_or(0, |stream| stream.size);
                let reader = unpack(file, &folder)?;
                let mut unpacked = Vec::new();
                check_length(size)?;
                reader.take(size).read_to_end(&mut unpacked)?;
                bytes = unpacked;
            }
            None => break,
        }
    }
    Err(io::Error::other("the header is damaged"))
}

/// Reads the bytes of the header.
fn packed(file: &mut Seekable<'_>, start: u64, length: u64) -> io::Result<Vec<u8>> {
    check_length(length)?;
    let start = start.checked_add(SIGNATURE).ok_or_else(cut_off)?;
    file.seek(SeekFrom::Start(start)).map_err(|_| cut_off())?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length {
        Ok(bytes)
    } else {
        Err(cut_off())
    }
}

fn check_length(length: u64) -> io::Result<()> {
    if length > MAX_HEADER {
        return Err(io::Error::other("the header is too long"));
    }
    Ok(())
}

fn cut_off() -> io::Error {
    io::Error::other("cut off")
}

/// What is packed in a folder, unpacked.
fn unpack<'f>(file: &'f mut Seekable<'_>, folder: &Folder) -> io::Result<Box<dyn Read + 'f>> {
    let start = folder.start.checked_add(SIGNATURE).ok_or_else(cut_off)?;
    file.seek(SeekFrom::Start(start)).map_err(|_| cut_off())?;
    let mut reader: Box<dyn Read + 'f> = Box::new(file.take(folder.packed));
    for coder in &folder.coders {
        reader = decoder(coder, reader)?;
    }
    Ok(reader)
}

/// What `coder` makes of `reader`.
fn decoder<'f>(coder: &Coder, reader: Box<dyn Read + 'f>) -> io::Result<Box<dyn Read + 'f>> {
    let properties = coder.properties.as_slice();
    Ok(match coder.method.as_slice() {
        [0x00] => reader,
        [0x03, 0x01, 0x01] => {
            let &[first, ref size @ ..] = properties else {
                return Err(unsupported("LZMA without properties"));
            };
            let size = size
                .first_chunk()
                .map_or(0, |size| u32::from_le_bytes(*size));
            let size = dictionary(size, coder);
            if lzma_get_memory_usage_by_props(size, first)? > MAX_XZ {
                return Err(too_large());
            }
            Box::new(LzmaReader::new_with_props(
                reader, coder.size, first, size, None,
            )?)
        }
        [0x21] => {
            let size = match properties {
                [bits @ 0..40] => (2 | u32::from(bits & 1)) << (bits / 2 + 11),
                _ => u32::MAX,
            };
            let size = dictionary(size, coder);
            Box::new(
                Lzma2Reader::new_mem_limit(reader, size, MAX_XZ, None).map_err(|_| too_large())?,
            )
        }
        [0x03] => {
            let distance = properties
                .first()
                .map_or(1, |&distance| usize::from(distance) + 1);
            Box::new(DeltaReader::new(reader, distance))
        }
        [0x04] | [0x03, 0x03, 0x01, 0x03] => Box::new(BcjReader::new_x86(reader, 0)),
        [0x05] | [0x03, 0x03, 0x02, 0x05] => Box::new(BcjReader::new_ppc(reader, 0)),
        [0x06] | [0x03, 0x03, 0x04, 0x01] => Box::new(BcjReader::new_ia64(reader, 0)),
        [0x07] | [0x03, 0x03, 0x05, 0x01] => Box::new(BcjReader::new_arm(reader, 0)),
        [0x08] | [0x03, 0x03, 0x07, 0x01] => Box::new(BcjReader::new_arm_thumb(reader, 0)),
        [0x09] | [0x03, 0x03, 0x08, 0x05] => Box::new(BcjReader::new_sparc(reader, 0)),
        [0x0a] => Box::new(BcjReader::new_arm64(reader, 0)),
        [0x04, 0x01, 0x08] => Box::new(DeflateDecoder::new(reader)),
        [0x04, 0x02, 0x02] => Box::new(BzDecoder::new(reader)),
        [0x04, 0xf7, 0x11, 0x01] => Box::new(zstd::Decoder::new(reader)?),
        [0x06, 0xf1, 0x07, 0x01] => return Err(io::Error::other("encrypted, so not read")),
        [0x03, 0x04, 0x01] => return Err(unsupported("PPMd")),
        [0x04, 0x01, 0x09] => return Err(unsupported("Deflate64")),
        _ => return Err(unsupported("a method that is not known")),
    })
}

/// The size of the dictionary: no more is needed than there are bytes.
fn dictionary(size: u32, coder: &Coder) -> u32 {
    const LEAST: u32 = 4096;
    size.min(u32::try_from(coder.size).unwrap_or(u32::MAX))
        .max(LEAST)
}

fn unsupported(method: &str) -> io::Error {
    io::Error::other(format!("compressed by {method}, so not read"))
}

fn too_large() -> io::Error {
    io::Error::other("takes too much memory, so not read")
}

/// How many bytes are unpacked at once: of so many, a decoder gives none if it fails in them.
const AT_ONCE: usize = 4096;

/// A reader that fails at its end if its checksum does not match.
struct Checked<R> {
    reader: R,
    checksum: Option<u32>,
    crc: Crc,
}

impl<R: Read> Read for Checked<io::Take<R>> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = out.len().min(AT_ONCE);
        let count = self.reader.read(&mut out[..most])?;
        self.crc.update(&out[..count]);
        let is_whole = count == 0 && !out.is_empty() && self.reader.limit() == 0;
        if is_whole
            && self
                .checksum
                .is_some_and(|checksum| checksum != self.crc.sum())
        {
            self.checksum = None;
            return Err(io::Error::other("the checksum does not match"));
        }
        Ok(count)
    }
}
