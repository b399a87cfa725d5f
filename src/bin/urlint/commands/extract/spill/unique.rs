//! Each key once, in the order of their first records.
//!
//! As long as the keys fit into memory, the first record of each key is emitted at once. After that,
//! records with keys that are not in memory are partitioned. At the end it is found out part by part
//! which records are the first of their keys, and they are emitted in the order in which they came:
//! nothing is sorted, and every pass is linear.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use foldhash::quality::RandomState;

use super::keys::{CACHED, Keys, TOGETHER};
use super::parts::{DEEPEST, PARTS, Partitioned, part};
use super::store::{SpillFile, Store};
use crate::commands::extract::batch::{Batch, Layout};
use crate::error::Error;

/// The verdict on a record: the first of its key, a later one, or unknown since it is partitioned.
const FIRST: u8 = 0;
const AGAIN: u8 = 1;
const PARTITIONED: u8 = 2;

/// Takes a row.
pub(in super::super) type Emit<'e> = dyn FnMut(&[u8]) -> Result<(), Error> + 'e;

/// Emits each row whose key has not come before.
#[derive(Debug)]
pub(in super::super) struct Unique {
    comparison: Comparison,
    seen: Keys,
    partitioned: Option<Partitioned>,
    hashes: Vec<u64>,
}

/// How keys are compared, and what may be used for it.
#[derive(Debug)]
struct Comparison {
    layout: Layout,
    hasher: RandomState,
    store: Store,
    /// How many bytes of memory keys may use.
    memory: usize,
    threads: usize,
}

impl Unique {
    /// `memory` is how many bytes keys may use, `threads` how many threads work on what does not fit.
    pub(in super::super) fn new(
        layout: Layout,
        store: &Store,
        memory: usize,
        threads: usize,
    ) -> Self {
        Unique {
            comparison: Comparison {
                layout,
                hasher: RandomState::default(),
                store: store.clone(),
                memory,
                threads,
            },
            seen: Keys::default(),
            partitioned: None,
            hashes: Vec::new(),
        }
    }

    /// Takes the records of `batch`, and emits those that are known to be the first of their keys.
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
            hashes.extend(some.map(|record| self.comparison.hash(record)));
            if hashes.is_empty() {
                break;
            }
            if self.seen.len() > CACHED {
                hashes.iter().for_each(|&hash| self.seen.warm(hash));
            }
            // In this order, so that `zip` takes no row for which there is no hash.
            for (&hash, record) in hashes.iter().zip(&mut rows) {
                self.record(record, hash, emit)?;
            }
        }
        self.hashes = hashes;
        Ok(())
    }

    fn record(&mut self, record: &[u8], hash: u64, emit: &mut Emit<'_>) -> Result<(), Error> {
        let (key, row) = self.comparison.layout.split(record);
        if self.seen.find(hash, key).is_some() {
            return Ok(());
        }
        if self.partitioned.is_none() && self.seen.size_with(key) <= self.comparison.memory {
            self.seen.add(hash, key);
            return emit(row);
        }
        let partitioned = self
            .partitioned
            .get_or_insert_with(|| self.comparison.partitioned());
        partitioned.push(part(hash, 0), record)
    }

    /// Emits the rows that are left.
    pub(in super::super) fn finish(mut self, emit: &mut Emit<'_>) -> Result<(), Error> {
        let Some(mut partitioned) = self.partitioned.take() else {
            return Ok(());
        };
        drop(self.seen);
        partitioned.end()?;
        let verdicts = self.comparison.verdicts(&partitioned, 0)?;
        let mut verdicts: Vec<_> = verdicts.iter().map(SpillFile::reader).collect();
        let mut records: Vec<_> = partitioned.parts.iter().map(SpillFile::reader).collect();
        let mut route = partitioned.route();
        while let Some(part) = route.byte()? {
            let part = usize::from(part);
            let is_first = verdicts[part].byte()? == Some(FIRST);
            if let Some(record) = records[part].record()?.filter(|_| is_first) {
                emit(self.comparison.layout.split(record).1)?;
            }
        }
        Ok(())
    }
}

impl Comparison {
    fn hash(&self, record: &[u8]) -> u64 {
        self.hasher.hash_one(self.layout.split(record).0)
    }

    fn partitioned(&self) -> Partitioned {
        Partitioned::new(&self.store)
    }

    /// The verdicts on the records of each part.
    fn verdicts(&self, partitioned: &Partitioned, level: u32) -> Result<Vec<SpillFile>, Error> {
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
                let Some(file) = partitioned.parts.get(part) else {
                    return Ok(done);
                };
                done.push((part, self.of_part(file, level + 1, memory)?));
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
        Ok(done.into_iter().map(|(_, verdicts)| verdicts).collect())
    }

    /// The verdicts on the records of a part.
    fn of_part(&self, records: &SpillFile, level: u32, memory: usize) -> Result<SpillFile, Error> {
        let mut keys = Keys::default();
        let mut verdicts = SpillFile::new(&self.store);
        let mut partitioned: Option<Partitioned> = None;
        let mut records = records.reader();
        while let Some(record) = records.record()? {
            let key = self.layout.split(record).0;
            let hash = self.hasher.hash_one(key);
            let fits = || level == DEEPEST || keys.size_with(key) <= memory;
            let verdict = if keys.find(hash, key).is_some() {
                AGAIN
            } else if partitioned.is_none() && fits() {
                keys.add(hash, key);
                FIRST
            } else {
                let partitioned = partitioned.get_or_insert_with(|| self.partitioned());
                partitioned.push(part(hash, level), record)?;
                PARTITIONED
            };
            verdicts.push(&[verdict])?;
        }
        verdicts.end()?;
        let Some(mut partitioned) = partitioned else {
            return Ok(verdicts);
        };
        drop(keys);
        partitioned.end()?;
        self.resolve(&verdicts, &partitioned, level)
    }

    /// The verdicts on the records of a part of which some were partitioned again.
    fn resolve(
        &self,
        verdicts: &SpillFile,
        partitioned: &Partitioned,
        level: u32,
    ) -> Result<SpillFile, Error> {
        let parts = self.verdicts(partitioned, level)?;
        let mut parts: Vec<_> = parts.iter().map(SpillFile::reader).collect();
        let mut route = partitioned.route();
        let mut verdicts = verdicts.reader();
        let mut resolved = SpillFile::new(&self.store);
        while let Some(mut verdict) = verdicts.byte()? {
            if verdict == PARTITIONED {
                let part = route.byte()?.unwrap_or_default();
                verdict = parts[usize::from(part)].byte()?.unwrap_or(AGAIN);
            }
            resolved.push(&[verdict])?;
        }
        resolved.end()?;
        Ok(resolved)
    }
}
