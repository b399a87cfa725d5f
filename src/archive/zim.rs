//! ZIM, the archives of openZIM: websites such as Wikipedia to be read offline.
//!
//! Pages are packed in clusters, and entries say in which one a page is. Members come in the order of
//! the clusters, so that each is unpacked once; one with several names has the first of them.

use std::io::{self, BufRead, Read, Seek};

use lzma_rust2::XzReader;

use super::compressed::MAX_XZ;
use super::limited::LimitedReader;
use super::seekable::Seekable;
use super::{Source, Unpacker};

/// The first bytes of an archive.
pub(super) const MAGIC: &[u8] = b"ZIM\x04";

/// The length of the header, in bytes.
const HEADER: usize = 80;

/// The greatest number of entries that is read.
const MAX_ENTRIES: usize = 1 << 23;

/// The greatest number of pages in a cluster.
const MAX_BLOBS: usize = 1 << 20;

/// The longest name, in bytes.
const MAX_NAME: u64 = 4 << 10;

/// The longest list of names, in bytes.
const MAX_NAMES: usize = 16 << 20;

/// Media types from here on are none: an entry refers to another one or to nothing.
const NO_PAGE: u16 = 0xfffd;

impl<E: From<io::Error>> Unpacker<'_, E> {
    pub(super) fn zim(&mut self, source: &Source, file: &mut Seekable<'_>) -> Result<(), E> {
        let archive = match Archive::of(file) {
            Ok(archive) => archive,
            Err(error) => {
                self.damaged(source, shown(&error), 0);
                return Ok(());
            }
        };
        if let Some(at) = archive.broken_at {
            self.damaged(source, "an entry is damaged", at);
        }
        let clusters = archive
            .entries
            .chunk_by(|one, other| one.cluster == other.cluster);
        for entries in clusters {
            if self.budget.is_spent() {
                break;
            }
            self.cluster(source, file, &archive, entries)?;
        }
        Ok(())
    }

    /// Hands on the members of a cluster.
    fn cluster(
        &mut self,
        source: &Source,
        file: &mut Seekable<'_>,
        archive: &Archive,
        entries: &[Entry],
    ) -> Result<(), E> {
        // The names come first, since they are elsewhere in the file.
        let (mut named, mut length) = (Vec::new(), 0);
        for entry in entries {
            match entry.name(file) {
                Ok(name) if length + name.len() <= MAX_NAMES => {
                    length += name.len();
                    named.push((entry, source.member(&name)));
                }
                Ok(_) => {
                    self.damaged(source, "the names of the members are too long", entry.at);
                    break;
                }
                Err(error) => self.damaged(source, shown(&error), entry.at),
            }
        }
        let Some((first, _)) = named.first() else {
            return Ok(());
        };
        let place = archive
            .clusters
            .saturating_add(8 * u64::from(first.cluster));
        let budget = self.budget;
        let opened = open(file, place).and_then(|(reader, wide)| {
            let mut reader = LimitedReader::new(reader, Some(budget));
            let offsets = offsets(&mut reader, wide)?;
            Ok((reader, offsets))
        });
        let (mut reader, offsets) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                self.damaged(source, shown(&error), place);
                return Ok(());
            }
        };
        for (entry, member) in named {
            let blob = entry.blob as usize;
            let (Some(&start), Some(&end)) = (offsets.get(blob), offsets.get(blob + 1)) else {
                self.damaged(&member, "not in its cluster", 0);
                continue;
            };
            let (Some(before), Some(length)) =
                (start.checked_sub(reader.at), end.checked_sub(start))
            else {
                self.damaged(&member, "not in its cluster", 0);
                continue;
            };
            // A limited reader does not fail.
            let _ = io::copy(&mut reader.by_ref().take(before), &mut io::sink());
            let media_type = archive.media_types.get(usize::from(entry.media_type));
            let media_type = media_type.map_or(&b""[..], Vec::as_slice);
            let Some(page) = self.source_of_body(&member, media_type) else {
                continue;
            };
            let decoded = self.stored(&page, reader.by_ref().take(length))?;
            if decoded.length < length {
                match &reader.fault {
                    Some(fault) => self.sink.fault(&member, fault, decoded.length),
                    None if self.budget.is_spent() => {}
                    None => self.damaged(&member, "cut off", decoded.length),
                }
                break;
            }
        }
        Ok(())
    }
}

/// What the header of an archive says, and its entries.
struct Archive {
    media_types: Vec<Vec<u8>>,
    /// The pages, in the order of the clusters.
    entries: Vec<Entry>,
    /// Where the offsets of the clusters are.
    clusters: u64,
    /// Where entries cannot be read, if that is so.
    broken_at: Option<u64>,
}

/// A page.
#[derive(Clone, Copy)]
struct Entry {
    cluster: u32,
    /// Its number in the cluster.
    blob: u32,
    media_type: u16,
    /// Where the entry is in the file.
    at: u64,
}

impl Archive {
    fn of(file: &mut Seekable<'_>) -> io::Result<Self> {
        let mut header = [0; HEADER];
        go(file, 0)?;
        file.read_exact(&mut header)?;
        let number = |at: usize| {
            let bytes = header[at..].first_chunk();
            bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
        };
        let count = number(24) as u32 as usize;
        if count > MAX_ENTRIES {
            return Err(io::Error::other("too many entries"));
        }
        let clusters = number(48);
        go(file, number(56))?;
        let mut types = file.by_ref().take(MAX_NAMES as u64);
        let mut media_types = Vec::new();
        loop {
            let name = until_nul(&mut types)?;
            if name.is_empty() {
                break;
            }
            media_types.push(name);
        }
        go(file, number(32))?;
        let mut places = Vec::new();
        let mut archive = Archive {
            media_types,
            entries: Vec::new(),
            clusters,
            broken_at: None,
        };
        for index in 0..count {
            match word(file, 8) {
                Ok(place) => places.push(place),
                Err(_) => {
                    archive.broken_at = Some(number(32).saturating_add(8 * index as u64));
                    break;
                }
            }
        }
        for at in places {
            match Entry::of(file, at) {
                Ok(entry) => archive.entries.extend(entry),
                Err(_) => archive.broken_at = archive.broken_at.or(Some(at)),
            }
        }
        archive
            .entries
            .sort_by_key(|entry| (entry.cluster, entry.blob));
        archive
            .entries
            .dedup_by_key(|entry| (entry.cluster, entry.blob));
        Ok(archive)
    }
}

impl Entry {
    /// The entry at `at`; `None` if it is no page.
    fn of(file: &mut Seekable<'_>, at: u64) -> io::Result<Option<Self>> {
        go(file, at)?;
        let media_type = word(file, 2)? as u16;
        if media_type >= NO_PAGE {
            return Ok(None);
        }
        // Its length of parameters, the namespace and the revision.
        word(file, 6)?;
        Ok(Some(Entry {
            cluster: word(file, 4)? as u32,
            blob: word(file, 4)? as u32,
            media_type,
            at,
        }))
    }

    /// The name, with the namespace before it: `C/index.html`.
    fn name(&self, file: &mut Seekable<'_>) -> io::Result<Vec<u8>> {
        go(file, self.at.saturating_add(3))?;
        let namespace = word(file, 1)? as u8;
        word(file, 4)?;
        word(file, 8)?;
        let name = until_nul(&mut file.take(MAX_NAME))?;
        Ok([&[namespace, b'/'][..], &name].concat())
    }
}

/// The bytes of a cluster, and whether its offsets have 8 bytes; `place` is where its own offset is.
fn open<'f>(file: &'f mut Seekable<'_>, place: u64) -> io::Result<(Box<dyn Read + 'f>, bool)> {
    go(file, place)?;
    let start = word(file, 8)?;
    go(file, start)?;
    let flags = word(file, 1)?;
    let reader: Box<dyn Read + 'f> = match flags & 0x0f {
        0 | 1 => Box::new(file),
        4 => Box::new(XzReader::new_mem_limit(file, false, MAX_XZ)),
        5 => Box::new(zstd::Decoder::with_buffer(file)?.single_frame()),
        _ => {
            return Err(io::Error::other(
                "a cluster compressed by a method that is not known",
            ));
        }
    };
    Ok((reader, flags & 0x10 != 0))
}

/// Where the pages of a cluster begin in it, and where the last one ends.
fn offsets(reader: &mut impl Read, wide: bool) -> io::Result<Vec<u64>> {
    let length = if wide { 8 } else { 4 };
    let first = word(reader, length)?;
    let count = usize::try_from(first / length as u64).unwrap_or(usize::MAX);
    if count > MAX_BLOBS {
        return Err(io::Error::other("too many pages in a cluster"));
    }
    let mut offsets = vec![first];
    for _ in 1..count {
        offsets.push(word(reader, length)?);
    }
    Ok(offsets)
}

/// Goes to a place, and keeps what is in the buffer if that is near.
fn go(file: &mut Seekable<'_>, to: u64) -> io::Result<()> {
    let at = file.stream_position()?;
    let to = i64::try_from(to).map_err(|_| io::ErrorKind::UnexpectedEof)?;
    file.seek_relative(to.saturating_sub_unsigned(at))
}

/// A number of so many bytes, at most 8, the lowest first.
fn word(reader: &mut impl Read, length: usize) -> io::Result<u64> {
    let mut bytes = [0; 8];
    reader.read_exact(&mut bytes[..length])?;
    Ok(u64::from_le_bytes(bytes))
}

/// The bytes up to a NUL, without it.
fn until_nul(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.read_until(0, &mut bytes)?;
    match bytes.pop() {
        Some(0) => Ok(bytes),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// An error in words.
fn shown(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput => "cut off".to_owned(),
        _ => error.to_string(),
    }
}
