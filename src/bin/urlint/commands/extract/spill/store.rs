//! A temporary file that holds several sequences of bytes.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::commands::extract::batch;
use crate::error::Error;

/// How many bytes are read and written at once by default.
const BLOCK: usize = 64 * 1024;

/// A temporary file without a name. It is created at the first write, and the system deletes it when the
/// last clone of this is dropped, however the program ends. Clones share the file.
#[derive(Clone, Debug)]
pub(in super::super) struct Store {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    folder: PathBuf,
    /// How many bytes are read and written at once.
    block: usize,
    blocks: Mutex<Option<Blocks>>,
}

#[derive(Debug)]
struct Blocks {
    file: File,
    /// The offset of the next block if none is free.
    end: u64,
    free: Vec<u64>,
}

impl Store {
    /// Creates a store whose file is in `folder`.
    pub(in super::super) fn new(folder: PathBuf) -> Self {
        Store::with_block(folder, BLOCK)
    }

    /// Creates a store whose blocks have `block` bytes.
    pub(super) fn with_block(folder: PathBuf, block: usize) -> Self {
        let shared = Shared {
            folder,
            block,
            blocks: Mutex::new(None),
        };
        Store {
            shared: Arc::new(shared),
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Blocks) -> io::Result<T>) -> Result<T, Error> {
        let blocks = self.shared.blocks.lock();
        let mut blocks = blocks.unwrap_or_else(PoisonError::into_inner);
        let done = match &mut *blocks {
            Some(blocks) => act(blocks),
            None => tempfile::tempfile_in(&self.shared.folder).and_then(|file| {
                act(blocks.insert(Blocks {
                    file,
                    end: 0,
                    free: Vec::new(),
                }))
            }),
        };
        done.map_err(|error| Error::Spill(self.shared.folder.clone(), error))
    }

    /// Writes a block, or less, and returns its offset.
    fn write(&self, bytes: &[u8]) -> Result<u64, Error> {
        self.with(|blocks| {
            let at = blocks.free.pop().unwrap_or(blocks.end);
            blocks.file.seek(SeekFrom::Start(at))?;
            blocks.file.write_all(bytes)?;
            blocks.end = blocks.end.max(at + self.shared.block as u64);
            Ok(at)
        })
    }

    /// Reads `len` bytes of the block at the offset `at`, and appends them to `buffer`.
    fn read(&self, at: u64, len: usize, buffer: &mut Vec<u8>) -> Result<(), Error> {
        self.with(|blocks| {
            blocks.file.seek(SeekFrom::Start(at))?;
            let old = buffer.len();
            buffer.resize(old + len, 0);
            blocks.file.read_exact(&mut buffer[old..])
        })
    }

    fn release(&self, freed: &[u64]) {
        let blocks = self.shared.blocks.lock();
        let mut blocks = blocks.unwrap_or_else(PoisonError::into_inner);
        if let Some(blocks) = &mut *blocks {
            blocks.free.extend_from_slice(freed);
        }
    }
}

/// A sequence of bytes in a [`Store`]. It is written first, and can then be read any number of times.
#[derive(Debug)]
pub(in super::super) struct SpillFile {
    store: Store,
    /// The offsets of its blocks, all of them full.
    blocks: Vec<u64>,
    /// The bytes after them.
    rest: Vec<u8>,
    /// How many bytes the last block has, if it is not full.
    stored: usize,
}

impl SpillFile {
    pub(super) fn new(store: &Store) -> Self {
        SpillFile {
            store: store.clone(),
            blocks: Vec::new(),
            rest: Vec::new(),
            stored: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.rest.is_empty()
    }

    /// Adds a record, with its length before it.
    pub(super) fn push_record(&mut self, record: &[u8]) -> Result<(), Error> {
        batch::put_key(&mut self.rest, record);
        let block = self.store.shared.block;
        let mut written = 0;
        while self.rest.len() - written >= block {
            let full = &self.rest[written..written + block];
            self.blocks.push(self.store.write(full)?);
            written += block;
        }
        if written > 0 {
            self.rest.drain(..written);
        }
        Ok(())
    }

    /// Writes what is in memory, and frees that. Nothing can be added after this.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        if !self.rest.is_empty() {
            self.blocks.push(self.store.write(&self.rest)?);
            self.stored = self.rest.len();
        }
        self.rest = Vec::new();
        Ok(())
    }

    /// Returns a reader from the first byte on.
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader {
            file: self,
            next: 0,
            buffer: Vec::new(),
            at: 0,
        }
    }
}

impl Drop for SpillFile {
    fn drop(&mut self) {
        self.store.release(&self.blocks);
    }
}

/// Reads a [`SpillFile`].
#[derive(Debug)]
pub(super) struct Reader<'t> {
    file: &'t SpillFile,
    /// The number of the block that is read next.
    next: usize,
    buffer: Vec<u8>,
    /// Where the unread bytes begin in the buffer.
    at: usize,
}

impl Reader<'_> {
    /// Reads until `bytes` bytes are in the buffer, or the file is at its end.
    fn fill(&mut self, bytes: usize) -> Result<(), Error> {
        while self.buffer.len() - self.at < bytes {
            let blocks = &self.file.blocks;
            let len = match blocks.len().saturating_sub(self.next) {
                0 if self.next > blocks.len() || self.file.rest.is_empty() => return Ok(()),
                1 if self.file.stored > 0 => self.file.stored,
                _ => self.file.store.shared.block,
            };
            self.buffer.drain(..self.at);
            self.at = 0;
            match blocks.get(self.next) {
                Some(&at) => self.file.store.read(at, len, &mut self.buffer)?,
                None => self.buffer.extend_from_slice(&self.file.rest),
            }
            self.next += 1;
        }
        Ok(())
    }

    /// The next record.
    pub(super) fn record(&mut self) -> Result<Option<&[u8]>, Error> {
        // A length takes at most ten bytes.
        if self.buffer.len() - self.at < 10 {
            self.fill(10)?;
        }
        let rest = &self.buffer[self.at..];
        if rest.is_empty() {
            return Ok(None);
        }
        let (len, behind) = batch::number(rest);
        self.at += rest.len() - behind.len();
        let len = len as usize;
        if behind.len() < len {
            self.fill(len)?;
        }
        let start = self.at;
        self.at = (start + len).min(self.buffer.len());
        Ok(Some(&self.buffer[start..self.at]))
    }
}
