//! zip archives, whose short members are decompressed ahead. The directory at the end lists where
//! they are.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::ops::Range;

use tempfile::SpooledTempFile;
use zip::read::{ZipFile, read_zipfile_from_stream};
use zip::{CompressionMethod, ZipArchive};

use super::gzip::inflate;
use super::limited::LimitedReader;
use super::peek::PeekReader;
use super::pieces::MAX_DECODED;
use super::pool::{Decoded, Job, Piece};
use super::{Skipped, Source, Unpacker};

/// How many members are read ahead. It does not depend on the number of threads, so that the file
/// is always read, and its bytes counted, in the same order.
const AHEAD: usize = 8;

/// The least length of a compressed member that is worth a thread, in bytes.
const MIN_FOR_THREAD: usize = if cfg!(test) { 1 } else { 32 << 10 };

/// The greatest length of a compressed member that is decompressed ahead, in bytes.
const MAX_MEMBER: u64 = 1 << 20;

/// The greatest length of an archive that is copied to memory if it does not come from a file; a
/// longer one is copied to a temporary file.
const MAX_IN_MEMORY: usize = 16 << 20;

/// A reader that can be read in any order.
pub(super) trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

impl<E: From<io::Error>> Unpacker<'_, E> {
    /// Opens an archive: `file` itself, or a copy of `reader`.
    pub(super) fn zip(
        &mut self,
        source: &Source,
        reader: &mut dyn Read,
        file: Option<&File>,
    ) -> Result<(), E> {
        if let Some(Ok(file)) = file.map(File::try_clone) {
            return self.members_of_zip(source, &mut self.budget.count(file));
        }
        let mut copy = SpooledTempFile::new(MAX_IN_MEMORY);
        let mut reader = LimitedReader::new(reader, None);
        if let Err(error) = io::copy(&mut reader, &mut copy) {
            let message = format!("cannot be copied to a temporary file: {error}");
            return self.damaged(source, message, reader.at);
        }
        self.members_of_zip(source, &mut copy)
    }

    /// Passes on the members of an archive.
    pub(super) fn members_of_zip(
        &mut self,
        source: &Source,
        file: &mut dyn ReadSeek,
    ) -> Result<(), E> {
        let mut file = BufReader::new(file);
        let opened = file.rewind().map_err(Into::into);
        let mut archive = match opened.and_then(|()| ZipArchive::new(&mut file)) {
            Ok(archive) => archive,
            Err(error) => {
                self.damaged(source, error.to_string(), 0)?;
                return self.broken_zip(source, &mut file);
            }
        };
        // A nested archive is already decompressed on one thread.
        let threads = if source.nesting.depth == 0 {
            self.ahead.threads
        } else {
            0
        };
        let mut queue: VecDeque<Unopened> = VecDeque::new();
        let (mut room, mut taken) = (Vec::new(), Taken::default());
        for index in 0..archive.len() {
            for next in index + queue.len()..archive.len().min(index + AHEAD) {
                let mut ahead = look_ahead(&mut archive, next, &mut taken);
                let is_started =
                    |ahead: &&Unopened| matches!(ahead, Unopened::Read(_, job) if job.is_started());
                if let Unopened::Read(_, job) = &mut ahead
                    && job.piece.bytes.len() >= MIN_FOR_THREAD
                    && queue.iter().filter(is_started).count() < threads
                {
                    job.start(Vec::new());
                }
                queue.push_back(ahead);
            }
            let is_done = match queue.pop_front() {
                Some(Unopened::Read(name, job)) => {
                    self.unzipped(&source.member(&name), job, &mut room)?
                }
                Some(Unopened::Overlapping(name)) => {
                    let message = "overlaps another member, so not opened".to_owned();
                    self.damaged(&source.member(&name), message, 0)?;
                    true
                }
                _ => false,
            };
            if is_done {
                continue;
            }
            let name = archive.by_index_raw(index);
            let name = name.map(|entry| entry.name_raw().to_vec());
            match archive.by_index(index) {
                Ok(entry) => self.zipped(source, entry)?,
                Err(error) => {
                    let name = name.unwrap_or_else(|_| (index + 1).to_string().into());
                    let member = source.member(&name);
                    self.damaged(&member, error.to_string(), 0)?;
                }
            }
        }
        Ok(())
    }

    /// Opens a member that has been read ahead. Returns whether it was undamaged and not too long.
    fn unzipped(&mut self, member: &Source, mut job: Job, room: &mut Vec<u8>) -> Result<bool, E> {
        let decoded = job.result(0, room);
        let is_taken = decoded.consumed > 0 && self.budget.add_whole(decoded.filled);
        if is_taken {
            let bytes = &decoded.room[..decoded.filled];
            self.open(member, &mut PeekReader::of(bytes), None)?;
        }
        *room = decoded.room;
        Ok(is_taken)
    }

    /// Reads the members of an archive without a directory, up to where it is damaged.
    fn broken_zip(
        &mut self,
        source: &Source,
        file: &mut BufReader<&mut dyn ReadSeek>,
    ) -> Result<(), E> {
        if file.rewind().is_err() {
            return Ok(());
        }
        // The fault has already been reported.
        while let Ok(Some(entry)) = read_zipfile_from_stream(&mut *file) {
            self.zipped(source, entry)?;
            if self.budget.is_spent() {
                break;
            }
        }
        Ok(())
    }

    fn zipped<R: Read>(&mut self, source: &Source, entry: ZipFile<'_, R>) -> Result<(), E> {
        let member = source.member(entry.name_raw());
        if entry.is_symlink() {
            self.skipped(&member, Skipped::NotText("a symbolic link"))?;
        } else if !entry.is_dir() && !self.budget.is_spent() {
            let size = entry.size();
            let decoded = self.decompressed(&member, entry)?;
            if decoded.length < size && decoded.is_whole && !self.budget.is_spent() {
                let message = format!("{size} bytes long, but cut off");
                self.damaged(&member, message, decoded.length)?;
            }
        }
        Ok(())
    }
}

/// The number of bytes before the member in a piece: its checksum, and its decompressed length.
const HEAD: usize = 8;

/// A member before it is opened.
enum Unopened {
    /// To be decompressed ahead, with its name.
    Read(Vec<u8>, Job),
    /// Its bytes, or its header, belong to another member too. Such archives are made to expand
    /// without end.
    Overlapping(Vec<u8>),
    /// Any other.
    Unread,
}

/// The bytes of a file that members have taken: the end of each range by its start.
#[derive(Default)]
struct Taken(BTreeMap<u64, u64>);

impl Taken {
    /// Takes a range; returns whether all of it was free.
    fn take(&mut self, range: Range<u64>) -> bool {
        let before = self.0.range(..range.end).next_back();
        let is_free = before.is_none_or(|(_, &end)| end <= range.start);
        if is_free {
            self.0.insert(range.start, range.end);
        }
        is_free
    }
}

/// Looks at the member with this number.
fn look_ahead<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    index: usize,
    taken: &mut Taken,
) -> Unopened {
    let Ok(entry) = archive.by_index_raw(index) else {
        return Unopened::Unread;
    };
    let name = entry.name_raw().to_vec();
    let data = entry.data_start().unwrap_or(entry.header_start());
    let end = data.saturating_add(entry.compressed_size());
    if !taken.take(entry.header_start()..end) {
        return Unopened::Overlapping(name);
    }
    let job = job(entry).ok().flatten();
    job.map_or(Unopened::Unread, |job| Unopened::Read(name, job))
}

/// Returns the stored bytes of a member if it is to be decompressed ahead.
fn job<R: Read>(mut entry: ZipFile<'_, R>) -> io::Result<Option<Job>> {
    let is_deflated = entry.compression() == CompressionMethod::Deflated && !entry.encrypted();
    let is_short = entry.size() <= MAX_DECODED as u64 && entry.compressed_size() <= MAX_MEMBER;
    if !is_deflated || !is_short || entry.is_dir() || entry.is_symlink() {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(HEAD + entry.compressed_size() as usize);
    bytes.extend(entry.crc32().to_le_bytes());
    bytes.extend((entry.size() as u32).to_le_bytes());
    entry.read_to_end(&mut bytes)?;
    let piece = Piece {
        bytes,
        is_cut: true,
    };
    Ok(Some(Job::new(piece, decode)))
}

/// Decompresses a member, unless it is damaged.
fn decode(piece: &[u8], _: bool, decoded: &mut Decoded) -> Option<usize> {
    let (head, member) = piece.split_first_chunk::<HEAD>()?;
    let [sum @ .., a, b, c, d] = *head;
    let length = u32::from_le_bytes([a, b, c, d]) as usize;
    let sum = u32::from_le_bytes(sum);
    if inflate(member, decoded.room(length, MAX_DECODED)?) != Some(sum) {
        return None;
    }
    decoded.filled = length;
    Some(piece.len())
}
