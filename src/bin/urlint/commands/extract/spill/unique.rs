//! Each key once, in the order in which they come first.
//!
//! While the keys fit into memory, records go on at once. After that only those that memory knows
//! are told at once, for all others come behind those that have gone on; they are divided. At the
//! end each part says of its records which are the first of their keys, and by the route they are
//! put into order again: nothing is sorted, and every pass is linear.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use foldhash::quality::RandomState;

use super::keys::{CACHED, Keys, TOGETHER};
use super::parts::{DEEPEST, Divided, PARTS, part};
use super::store::{Store, Tape};
use crate::commands::extract::batch::{Batch, Layout};
use crate::error::Error;

/// What is said of a record: its key comes here first, has come before, or is in a part.
const FIRST: u8 = 0;
const AGAIN: u8 = 1;
const DIVIDED: u8 = 2;

/// Takes a row.
pub(in super::super) type Emit<'e> = dyn FnMut(&[u8]) -> Result<(), Error> + 'e;

/// Hands each row on whose key has not come before.
#[derive(Debug)]
pub(in super::super) struct Unique {
    folding: Folding,
    seen: Keys,
    divided: Option<Divided>,
    hashes: Vec<u64>,
}

/// How keys are told from one another.
#[derive(Debug)]
struct Folding {
    layout: Layout,
    hasher: RandomState,
    store: Store,
    /// How many bytes of memory keys may take.
    memory: usize,
    threads: usize,
}

impl Unique {
    /// `memory`: how many bytes keys may take. `threads`: how many look at what did not fit.
    pub(in super::super) fn new(
        layout: Layout,
        store: &Store,
        memory: usize,
        threads: usize,
    ) -> Self {
        Unique {
            folding: Folding {
                layout,
                hasher: RandomState::default(),
                store: store.clone(),
                memory,
                threads,
            },
            seen: Keys::default(),
            divided: None,
            hashes: Vec::new(),
        }
    }

    /// Takes the records of `batch`; hands those on that can be told already.
    pub(in super::super) fn take(
        &mut self,
        batch: &Batch,
        emit: &mut Emit<'_>,
    ) -> Result<(), Error> {
        let mut hashes = std::mem::take(&mut self.hashes);
        let mut rows = batch.rows();
        loop {
            hashes.clear();
            let some = rows.clone().take(TOGETHER);
            hashes.extend(some.map(|record| self.folding.hash(record)));
            if hashes.is_empty() {
                break;
            }
            if self.seen.len() > CACHED {
                hashes.iter().for_each(|&hash| self.seen.warm(hash));
            }
            // The hashes come first, so that no row is taken for which there is none.
            for (&hash, record) in hashes.iter().zip(&mut rows) {
                self.record(record, hash, emit)?;
            }
        }
        self.hashes = hashes;
        Ok(())
    }

    fn record(&mut self, record: &[u8], hash: u64, emit: &mut Emit<'_>) -> Result<(), Error> {
        let (key, row) = self.folding.layout.split(record);
        if self.seen.find(hash, key).is_some() {
            return Ok(());
        }
        if self.divided.is_none() && self.seen.size_with(key) <= self.folding.memory {
            self.seen.add(hash, key);
            return emit(row);
        }
        let divided = self.divided.get_or_insert_with(|| self.folding.divided());
        divided.push(part(hash, 0), record)
    }

    /// Hands the other records on.
    pub(in super::super) fn finish(mut self, emit: &mut Emit<'_>) -> Result<(), Error> {
        let Some(mut divided) = self.divided.take() else {
            return Ok(());
        };
        drop(self.seen);
        divided.end()?;
        let told = self.folding.told(&divided, 0)?;
        let mut told: Vec<_> = told.iter().map(Tape::reader).collect();
        let mut records: Vec<_> = divided.parts.iter().map(Tape::reader).collect();
        let mut route = divided.route();
        while let Some(part) = route.byte()? {
            let part = usize::from(part);
            let is_first = told[part].byte()? == Some(FIRST);
            if let Some(record) = records[part].record()?.filter(|_| is_first) {
                emit(self.folding.layout.split(record).1)?;
            }
        }
        Ok(())
    }
}

impl Folding {
    fn hash(&self, record: &[u8]) -> u64 {
        self.hasher.hash_one(self.layout.split(record).0)
    }

    fn divided(&self) -> Divided {
        Divided::new(&self.store)
    }

    /// For each part what is said of its records.
    fn told(&self, divided: &Divided, level: u32) -> Result<Vec<Tape>, Error> {
        let threads = match level {
            0 => self.threads,
            _ => 1,
        };
        let memory = self.memory / threads;
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let part = next.fetch_add(1, Ordering::Relaxed);
                let Some(tape) = divided.parts.get(part) else {
                    return Ok(done);
                };
                done.push((part, self.of_part(tape, level + 1, memory)?));
            }
        };
        let done: Result<Vec<Vec<_>>, Error> = match threads {
            1 => work().map(|done| vec![done]),
            _ => thread::scope(|scope| {
                let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
                let joined = threads.into_iter().map(|thread| {
                    let joined = thread.join();
                    joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                });
                joined.collect()
            }),
        };
        let mut done: Vec<_> = done?.into_iter().flatten().collect();
        debug_assert_eq!(done.len(), PARTS);
        done.sort_by_key(|&(part, _)| part);
        Ok(done.into_iter().map(|(_, told)| told).collect())
    }

    /// What is said of the records of a part.
    fn of_part(&self, records: &Tape, level: u32, memory: usize) -> Result<Tape, Error> {
        let mut keys = Keys::default();
        let mut told = Tape::new(&self.store);
        let mut divided: Option<Divided> = None;
        let mut records = records.reader();
        while let Some(record) = records.record()? {
            let key = self.layout.split(record).0;
            let hash = self.hasher.hash_one(key);
            let fits = || level == DEEPEST || keys.size_with(key) <= memory;
            let said = if keys.find(hash, key).is_some() {
                AGAIN
            } else if divided.is_none() && fits() {
                keys.add(hash, key);
                FIRST
            } else {
                let divided = divided.get_or_insert_with(|| self.divided());
                divided.push(part(hash, level), record)?;
                DIVIDED
            };
            told.push(&[said])?;
        }
        told.end()?;
        let Some(mut divided) = divided else {
            return Ok(told);
        };
        drop(keys);
        divided.end()?;
        self.settle(&told, &divided, level)
    }

    /// What is said of the records of a part after all, if some of them were divided.
    fn settle(&self, told: &Tape, divided: &Divided, level: u32) -> Result<Tape, Error> {
        let parts = self.told(divided, level)?;
        let mut parts: Vec<_> = parts.iter().map(Tape::reader).collect();
        let mut route = divided.route();
        let mut told = told.reader();
        let mut settled = Tape::new(&self.store);
        while let Some(mut said) = told.byte()? {
            if said == DIVIDED {
                let part = route.byte()?.unwrap_or_default();
                said = parts[usize::from(part)].byte()?.unwrap_or(AGAIN);
            }
            settled.push(&[said])?;
        }
        settled.end()?;
        Ok(settled)
    }
}
