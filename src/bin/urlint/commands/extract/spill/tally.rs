//! How often each key comes, and in how many documents.

use std::hash::BuildHasher;

use foldhash::quality::RandomState;

use super::keys::Keys;
use super::parts::{DEEPEST, part, parts};
use super::store::{Store, Tape};
use crate::commands::extract::batch;
use crate::error::Error;

/// Takes a key and its count.
type Take<'e> = dyn FnMut(&[u8], &Count) -> Result<(), Error> + 'e;

/// How often a key comes, in a stretch of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Count {
    pub(in super::super) times: u64,
    /// In how many documents.
    pub(in super::super) documents: u64,
    /// The number of the document in which it comes first, and of the one in which it comes last.
    pub(in super::super) within: (u64, u64),
    /// The number of the row in which it comes first.
    pub(in super::super) place: u64,
}

impl Count {
    /// A single row.
    pub(in super::super) fn once(document: u64, place: u64) -> Self {
        Count {
            times: 1,
            documents: 1,
            within: (document, document),
            place,
        }
    }

    /// Adds what was counted behind it.
    fn add(&mut self, next: &Count) {
        self.times += next.times;
        // The document in which one stretch ends and the other begins is one.
        self.documents += next.documents - u64::from(next.within.0 == self.within.1);
        self.within.1 = next.within.1;
    }

    fn put(&self, out: &mut Vec<u8>) {
        let (first, last) = self.within;
        for number in [self.times, self.documents, first, last, self.place] {
            batch::put_number(out, number);
        }
    }

    /// The count that `record` begins with, and what is behind it.
    fn read(mut record: &[u8]) -> (Self, &[u8]) {
        let mut next = || {
            let (number, rest) = batch::number(record);
            record = rest;
            number
        };
        let count = Count {
            times: next(),
            documents: next(),
            within: (next(), next()),
            place: next(),
        };
        (count, record)
    }
}

/// Counts keys. What memory has no room for is divided, and counted part by part at the end.
#[derive(Debug)]
pub(in super::super) struct Tally {
    hasher: RandomState,
    store: Store,
    /// How many bytes of memory keys and counts may take.
    memory: usize,
    level: u32,
    keys: Keys,
    /// The count of each key.
    counts: Vec<Count>,
    /// Counts of stretches, in the order of these.
    parts: Vec<Tape>,
}

impl Tally {
    pub(in super::super) fn new(store: &Store, memory: usize) -> Self {
        Tally {
            hasher: RandomState::default(),
            store: store.clone(),
            memory,
            level: 0,
            keys: Keys::default(),
            counts: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Whether keys will be handed out in the order in which they came first.
    pub(in super::super) fn is_in_order(&self) -> bool {
        self.parts.is_empty()
    }

    /// Counts `key`, behind all that has been counted so far.
    pub(in super::super) fn add(&mut self, key: &[u8], count: &Count) -> Result<(), Error> {
        let hash = self.hasher.hash_one(key);
        if let Some(number) = self.keys.find(hash, key) {
            self.counts[number].add(count);
            return Ok(());
        }
        let size = self.keys.size_with(key) + size_of_val(&*self.counts);
        if size > self.memory && self.level < DEEPEST && self.keys.len() > 0 {
            self.divide()?;
        }
        self.keys.add(hash, key);
        self.counts.push(*count);
        Ok(())
    }

    fn divide(&mut self) -> Result<(), Error> {
        if self.parts.is_empty() {
            self.parts = parts(&self.store);
        }
        let keys = std::mem::take(&mut self.keys);
        let mut record = Vec::new();
        for (number, count) in self.counts.drain(..).enumerate() {
            let key = keys.key(number);
            record.clear();
            count.put(&mut record);
            record.extend_from_slice(key);
            let part = part(self.hasher.hash_one(key), self.level);
            self.parts[usize::from(part)].push_record(&record)?;
        }
        Ok(())
    }

    /// Hands out each key and its count; in no order, unless it [is](Self::is_in_order).
    pub(in super::super) fn finish(mut self, emit: &mut Take<'_>) -> Result<(), Error> {
        if self.parts.is_empty() {
            let counts = self.counts.iter().enumerate();
            return counts
                .map(|(number, count)| (self.keys.key(number), count))
                .try_for_each(|(key, count)| emit(key, count));
        }
        self.divide()?;
        self.counts = Vec::new();
        let mut parts = std::mem::take(&mut self.parts);
        parts.iter_mut().try_for_each(Tape::end)?;
        for part in parts {
            let mut tally = Tally {
                hasher: self.hasher.clone(),
                level: self.level + 1,
                ..Tally::new(&self.store, self.memory)
            };
            let mut records = part.reader();
            while let Some(record) = records.record()? {
                let (count, key) = Count::read(record);
                tally.add(key, &count)?;
            }
            drop(records);
            drop(part);
            tally.finish(emit)?;
        }
        Ok(())
    }
}
