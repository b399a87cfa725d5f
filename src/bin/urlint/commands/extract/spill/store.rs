//! A temporary file without a name, in which several tapes lie.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::commands::extract::batch;
use crate::error::Error;

/// How many bytes are read and written at once, if nothing else is said.
const BLOCK: usize = 64 * 1024;

/// A temporary file. It is made when something is written, and is gone when nobody reads it any
/// more, however the program ends. Copies share it.
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
    /// Where the next block goes if none is free.
    end: u64,
    free: Vec<u64>,
}

impl Store {
    /// A store in that folder.
    pub(in super::super) fn new(folder: PathBuf) -> Self {
        Store::with_block(folder, BLOCK)
    }

    /// The same with blocks of another length.
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

    /// Writes up to a block; returns where.
    fn write(&self, bytes: &[u8]) -> Result<u64, Error> {
        self.with(|blocks| {
            let at = blocks.free.pop().unwrap_or(blocks.end);
            blocks.file.seek(SeekFrom::Start(at))?;
            blocks.file.write_all(bytes)?;
            blocks.end = blocks.end.max(at + self.shared.block as u64);
            Ok(at)
        })
    }

    /// Reads `len` bytes of the block at `at` to the end of `buffer`.
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

/// Bytes that are written one behind the other and then read, from the first one, as often as one
/// likes.
#[derive(Debug)]
pub(in super::super) struct Tape {
    store: Store,
    /// Where its blocks are, all of them full.
    blocks: Vec<u64>,
    /// What is behind them.
    rest: Vec<u8>,
    /// How many bytes of `rest` are in the last block, and no longer in memory.
    stored: usize,
}

impl Tape {
    pub(super) fn new(store: &Store) -> Self {
        Tape {
            store: store.clone(),
            blocks: Vec::new(),
            rest: Vec::new(),
            stored: 0,
        }
    }

    /// Adds `bytes`.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.rest.extend_from_slice(bytes);
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

    /// Adds a record, which knows its length.
    pub(super) fn push_record(&mut self, record: &[u8]) -> Result<(), Error> {
        batch::put(&mut self.rest, record);
        self.push(b"")
    }

    /// Gives the memory back. Nothing can be added then.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        if !self.rest.is_empty() {
            self.blocks.push(self.store.write(&self.rest)?);
            self.stored = self.rest.len();
        }
        self.rest = Vec::new();
        Ok(())
    }

    /// Reads it from the first byte.
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader {
            tape: self,
            next: 0,
            buffer: Vec::new(),
            at: 0,
        }
    }
}

impl Drop for Tape {
    fn drop(&mut self) {
        self.store.release(&self.blocks);
    }
}

/// Reads a tape.
#[derive(Debug)]
pub(super) struct Reader<'t> {
    tape: &'t Tape,
    /// The number of the block that is read next.
    next: usize,
    buffer: Vec<u8>,
    /// Where in the buffer what has not been handed out begins.
    at: usize,
}

impl Reader<'_> {
    /// Sees to it that `bytes` bytes are in the buffer, if the tape has so many left.
    fn fill(&mut self, bytes: usize) -> Result<(), Error> {
        while self.buffer.len() - self.at < bytes {
            let blocks = &self.tape.blocks;
            let len = match blocks.len().saturating_sub(self.next) {
                0 if self.next > blocks.len() || self.tape.rest.is_empty() => return Ok(()),
                1 if self.tape.stored > 0 => self.tape.stored,
                _ => self.tape.store.shared.block,
            };
            self.buffer.drain(..self.at);
            self.at = 0;
            match blocks.get(self.next) {
                Some(&at) => self.tape.store.read(at, len, &mut self.buffer)?,
                None => self.buffer.extend_from_slice(&self.tape.rest),
            }
            self.next += 1;
        }
        Ok(())
    }

    /// The next byte.
    pub(super) fn byte(&mut self) -> Result<Option<u8>, Error> {
        if self.at == self.buffer.len() {
            self.fill(1)?;
        }
        let byte = self.buffer.get(self.at).copied();
        self.at += usize::from(byte.is_some());
        Ok(byte)
    }

    /// The next record.
    pub(super) fn record(&mut self) -> Result<Option<&[u8]>, Error> {
        // No length is longer than ten bytes.
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
