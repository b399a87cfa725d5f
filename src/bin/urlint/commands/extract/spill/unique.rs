//! Emits each key once, in the order of their first records.
//!
//! As long as the keys fit into memory, the first record of each key is emitted at once. After that,
//! records with keys that are not in memory are parted by their hashes. In each part, the first record
//! of each key is found in the same way. Each part keeps the order, so that merging them restores it.

use std::hash::BuildHasher;

use foldhash::quality::RandomState;

use super::Emit;
use super::keys::Keys;
use super::parts::{DEEPEST, Parts};
use super::sorter::{EmitPlaced, Order, Sorter};
use super::store::{SpillFile, Store};
use crate::commands::extract::batch;
use crate::commands::extract::batch::KeyLayout;
use crate::error::Error;

/// How many keys are looked up together: see [`Keys::warm`].
const TOGETHER: usize = 64;

/// Emits each row whose key has not occurred before.
#[derive(Debug)]
pub(in super::super) struct Unique {
    layout: KeyLayout,
    hasher: RandomState,
    store: Store,
    /// How many bytes of memory keys may use.
    memory: usize,
    level: u32,
    /// How many records there were.
    taken: u64,
    seen: Keys,
    parts: Parts,
    placed: Vec<u8>,
}

impl Unique {
    /// `memory` is how many bytes keys may use.
    pub(in super::super) fn new(layout: KeyLayout, store: &Store, memory: usize) -> Self {
        Unique {
            layout,
            hasher: RandomState::default(),
            store: store.clone(),
            memory,
            level: 0,
            taken: 0,
            seen: Keys::default(),
            parts: Parts::default(),
            placed: Vec::new(),
        }
    }

    /// Takes records, and emits the rows that are known to be the first of their keys.
    pub(in super::super) fn take<'r>(
        &mut self,
        records: impl Iterator<Item = &'r [u8]>,
        emit: &mut Emit<'_>,
    ) -> Result<(), Error> {
        let hashed: Vec<_> = records.map(|record| (self.hash(record), record)).collect();
        for together in hashed.chunks(TOGETHER) {
            (together.iter()).for_each(|&(hash, _)| self.seen.warm(hash));
            for &(hash, record) in together {
                self.taken += 1;
                self.add(self.taken, hash, record, &mut |_, row| emit(row))?;
            }
        }
        Ok(())
    }

    fn hash(&self, record: &[u8]) -> u64 {
        self.hasher.hash_one(self.layout.split(record).0)
    }

    fn add(
        &mut self,
        place: u64,
        hash: u64,
        record: &[u8],
        emit: &mut EmitPlaced<'_>,
    ) -> Result<(), Error> {
        let (key, row) = self.layout.split(record);
        if self.seen.find(hash, key).is_some() {
            return Ok(());
        }
        let fits = || self.level == DEEPEST || self.seen.size_with(key) <= self.memory;
        if self.parts.is_empty() && fits() {
            self.seen.add(hash, key);
            return emit(place, row);
        }
        self.placed.clear();
        batch::put_number(&mut self.placed, place);
        self.placed.extend_from_slice(record);
        (self.parts).push(&self.store, self.level, hash, &self.placed)
    }

    /// Emits the rows that are left.
    pub(in super::super) fn finish(self, emit: &mut Emit<'_>) -> Result<(), Error> {
        if self.parts.is_empty() {
            return Ok(());
        }
        let by_place = Order::by_key(KeyLayout::Before);
        let mut merged = Sorter::new(by_place, usize::MAX, &self.store, self.memory);
        self.add_runs(&mut merged)?;
        merged.finish(emit)
    }

    /// Adds the rows that are left to `merged`.
    fn add_runs(self, merged: &mut Sorter) -> Result<(), Error> {
        drop(self.seen);
        for part in self.parts.end()? {
            let mut firsts = Unique {
                hasher: self.hasher.clone(),
                level: self.level + 1,
                ..Unique::new(self.layout, &self.store, self.memory)
            };
            let mut run = SpillFile::new(&self.store);
            let mut placed = Vec::new();
            let mut records = part.reader();
            while let Some(record) = records.record()? {
                let (place, record) = batch::number(record);
                let hash = firsts.hash(record);
                firsts.add(place, hash, record, &mut |place, row| {
                    placed.clear();
                    batch::put_number(&mut placed, place);
                    // Records without a key are in the order of their places.
                    batch::put_key(&mut placed, b"");
                    placed.extend_from_slice(row);
                    run.push_record(&placed)
                })?;
            }
            drop(part);
            merged.add_run(run)?;
            firsts.add_runs(merged)?;
        }
        Ok(())
    }
}
