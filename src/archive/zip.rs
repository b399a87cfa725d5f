//! zip archives, whose short members are decompressed ahead, in groups. The directory at the end lists where
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

/// How many groups of members are read ahead. It does not depend on the number of threads, so that the file
/// is always read, and its bytes counted, in the same order.
const AHEAD: usize = 8;

/// A group ends with the member that reaches this many stored bytes, or decompressed ones.
const GROUP: usize = if cfg!(test) { 100 } else { 128 << 10 };
const GROUP_DECODED: usize = MAX_DECODED / 4;

/// The greatest number of members in a group.
const MEMBERS: usize = 1024;

/// The least length of a group that is worth a thread, in bytes.
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
        let mut groups: VecDeque<Group> = VecDeque::new();
        let (mut room, mut taken, mut next) = (Vec::new(), Taken::default(), 0);
        loop {
            while groups.len() < AHEAD && next < archive.len() {
                let mut group = Group::read(&mut archive, next, &mut taken);
                next += group.members.len();
                let started = groups.iter().filter(|group| group.job.is_started());
                if group.job.piece.bytes.len() >= MIN_FOR_THREAD && started.count() < threads {
                    group.job.start(Vec::new());
                }
                groups.push_back(group);
            }
            match groups.pop_front() {
                Some(group) => self.group(source, &mut archive, group, &mut room)?,
                None => return Ok(()),
            }
        }
    }

    /// Opens the members of a group. Those from the first damaged one on, and those that are not decompressed ahead,
    /// are decompressed as they are read.
    fn group<R: Read + Seek>(
        &mut self,
        source: &Source,
        archive: &mut ZipArchive<R>,
        mut group: Group,
        room: &mut Vec<u8>,
    ) -> Result<(), E> {
        let decoded = group.job.result(0, room);
        let mut at = 0;
        for (index, member) in (group.first..).zip(&group.members) {
            match member {
                Member::Packed { name, length, end } if *end <= decoded.consumed => {
                    let bytes = &decoded.room[at..at + length];
                    at += length;
                    if self.budget.add_whole(*length) {
                        self.open(&source.member(name), &mut PeekReader::of(bytes), None)?;
                        continue;
                    }
                }
                Member::Overlapping(name) => {
                    let message = "overlaps another member, so not opened".to_owned();
                    self.damaged(&source.member(name), message, 0)?;
                    continue;
                }
                _ => {}
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
        *room = decoded.room;
        Ok(())
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

/// Members that follow each other, of which most are decompressed together.
struct Group {
    /// The number of the first one.
    first: usize,
    members: Vec<Member>,
    job: Job,
}

/// A member before it is opened.
enum Member {
    /// To be decompressed ahead.
    Packed {
        name: Vec<u8>,
        /// Its decompressed length.
        length: usize,
        /// Where it ends in the piece.
        end: usize,
    },
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

impl Group {
    /// Reads the members from the one with the number `first` on.
    fn read<R: Read + Seek>(archive: &mut ZipArchive<R>, first: usize, taken: &mut Taken) -> Group {
        let (mut bytes, mut decoded, mut members) = (Vec::new(), 0, Vec::new());
        for index in first..archive.len().min(first + MEMBERS) {
            if bytes.len() >= GROUP || decoded >= GROUP_DECODED {
                break;
            }
            let start = bytes.len();
            let read = archive.by_index_raw(index).map_err(io::Error::from);
            let member = read.and_then(|entry| look_ahead(entry, taken, &mut bytes));
            let member = member.unwrap_or(Member::Unread);
            match &member {
                Member::Packed { length, .. } => decoded += length,
                _ => bytes.truncate(start),
            }
            members.push(member);
        }
        let piece = Piece {
            bytes,
            is_cut: true,
        };
        let job = Job::new(piece, decode);
        Group {
            first,
            members,
            job,
        }
    }
}

/// Looks at a member. Its stored bytes go to `piece` if it is to be decompressed ahead, after its checksum, and its
/// decompressed and stored length.
fn look_ahead<R: Read + Seek>(
    mut entry: ZipFile<'_, R>,
    taken: &mut Taken,
    piece: &mut Vec<u8>,
) -> io::Result<Member> {
    let name = entry.name_raw().to_vec();
    let (length, stored) = (entry.size(), entry.compressed_size());
    let data = entry.data_start().unwrap_or(entry.header_start());
    if !taken.take(entry.header_start()..data.saturating_add(stored)) {
        return Ok(Member::Overlapping(name));
    }
    let is_deflated = entry.compression() == CompressionMethod::Deflated && !entry.encrypted();
    let is_short = length <= MAX_DECODED as u64 && stored <= MAX_MEMBER;
    if !is_deflated || !is_short || entry.is_dir() || entry.is_symlink() {
        return Ok(Member::Unread);
    }
    for word in [entry.crc32(), length as u32, stored as u32] {
        piece.extend(word.to_le_bytes());
    }
    entry.read_to_end(piece)?;
    Ok(Member::Packed {
        name,
        length: length as usize,
        end: piece.len(),
    })
}

/// Decompresses a member, unless it is damaged.
fn decode(piece: &[u8], _: bool, decoded: &mut Decoded) -> Option<usize> {
    let mut rest = piece;
    let mut word = || {
        let (word, after) = rest.split_first_chunk()?;
        rest = after;
        Some(u32::from_le_bytes(*word))
    };
    let (sum, length, stored) = (word()?, word()? as usize, word()? as usize);
    let member = rest.get(..stored)?;
    let room = decoded.room(length, MAX_DECODED + GROUP_DECODED)?;
    if inflate(member, room) != Some(sum) {
        return None;
    }
    decoded.filled += length;
    Some(piece.len() - rest.len() + stored)
}
