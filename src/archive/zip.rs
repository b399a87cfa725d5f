//! zip, whose short members are decompressed ahead.

use std::collections::VecDeque;
use std::io::{self, Read, Seek};
use std::sync::Arc;

use zip::read::{ZipFile, read_zipfile_from_stream};
use zip::{CompressionMethod, ZipArchive};

use super::gzip::inflate;
use super::peek::PeekReader;
use super::pieces::MAX_DECODED;
use super::pool::{Decoded, Job, Piece, Pool};
use super::seekable::Seekable;
use super::{Source, Unpacker};

/// How many members are looked at ahead. However many threads there are, the file is read in the same
/// order, and so counts the same.
const AHEAD: usize = 8;

/// The most bytes of a compressed member that is decompressed ahead.
const MAX_MEMBER: u64 = 1 << 20;

impl<E: From<io::Error>> Unpacker<'_, E> {
    pub(super) fn zip(&mut self, source: &Source, file: &mut Seekable<'_>) -> Result<(), E> {
        let opened = file.rewind().map_err(Into::into);
        let mut archive = match opened.and_then(|()| ZipArchive::new(&mut *file)) {
            Ok(archive) => archive,
            Err(error) => {
                self.damaged(source, error.to_string(), 0);
                return self.broken_zip(source, file);
            }
        };
        // Who decompresses what has been decompressed has it from one thread.
        let threads = if source.depth == 0 {
            self.ahead.threads
        } else {
            0
        };
        let mut pool = Pool::new(decode, threads);
        let mut queue = VecDeque::new();
        for index in 0..archive.len() {
            for next in index + queue.len()..archive.len().min(index + AHEAD) {
                let ahead = piece(&mut archive, next).ok().flatten();
                queue.push_back(ahead.map(|(name, piece)| (name, pool.add(Arc::new(piece)))));
            }
            if let Some((name, job)) = queue.pop_front().flatten()
                && self.unzipped(&source.member(&name), &pool, &job)?
            {
                continue;
            }
            let name = archive.by_index_raw(index);
            let name = name.map(|entry| entry.name_raw().to_vec());
            match archive.by_index(index) {
                Ok(entry) => self.zipped(source, entry)?,
                Err(error) => {
                    let name = name.unwrap_or_else(|_| (index + 1).to_string().into());
                    let member = source.member(&name);
                    self.damaged(&member, error.to_string(), 0);
                }
            }
        }
        Ok(())
    }

    /// Opens a member that has been decompressed ahead. Returns whether it was sound and not too long.
    fn unzipped(&mut self, member: &Source, pool: &Pool, job: &Job) -> Result<bool, E> {
        let decoded = pool.result(job);
        let is_taken = decoded.consumed > 0 && self.budget.add_whole(decoded.filled);
        if is_taken {
            let bytes = &decoded.room[..decoded.filled];
            self.open(member, &mut PeekReader::of(bytes), None)?;
        }
        pool.put_back(decoded.room);
        Ok(is_taken)
    }

    /// Reads the members of an archive without a directory, up to the place where it is damaged.
    fn broken_zip(&mut self, source: &Source, file: &mut Seekable<'_>) -> Result<(), E> {
        if file.rewind().is_err() {
            return Ok(());
        }
        // The fault has been reported already.
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
            self.sink.skipped(&member, "a symbolic link");
        } else if !entry.is_dir() && !self.budget.is_spent() {
            let size = entry.size();
            let decoded = self.decompressed(&member, entry)?;
            if decoded.length < size && decoded.is_whole && !self.budget.is_spent() {
                let message = format!("{size} bytes long, but cut off");
                self.damaged(&member, message, decoded.length);
            }
        }
        Ok(())
    }
}

/// The length of what a piece has before the member: its checksum, and its length once it is
/// decompressed.
const HEAD: usize = 8;

/// The name of the member with this number, and the member as it is stored, if it is one that is
/// decompressed ahead.
fn piece<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    index: usize,
) -> io::Result<Option<(Vec<u8>, Piece)>> {
    let mut entry = archive.by_index_raw(index)?;
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
    Ok(Some((entry.name_raw().to_vec(), piece)))
}

/// Decompresses a member, unless it is damaged.
fn decode(piece: &[u8], _: bool, decoded: &mut Decoded) {
    let Some((head, member)) = piece.split_first_chunk::<HEAD>() else {
        return;
    };
    let [sum @ .., a, b, c, d] = *head;
    let length = u32::from_le_bytes([a, b, c, d]) as usize;
    let sum = u32::from_le_bytes(sum);
    if let Some(room) = decoded.room(length, MAX_DECODED)
        && inflate(member, room) == Some(sum)
    {
        decoded.filled = length;
        decoded.consumed = piece.len();
    }
}
