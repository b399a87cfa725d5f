//! Counts how often each key occurs, and in how many documents.

use std::hash::BuildHasher;

use foldhash::quality::RandomState;
use urlint::list::Time;

use super::keys::Keys;
use super::parts::{DEEPEST, Parts};
use super::store::Store;
use crate::commands::extract::batch;
use crate::commands::extract::batch::KeyLayout;
use crate::error::Error;

/// Takes a key and its count.
type EmitCount<'e> = dyn FnMut(&[u8], &Count) -> Result<(), Error> + 'e;

/// How often a key occurs in a part of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Count {
    pub(in super::super) times: u64,
    /// In how many documents.
    pub(in super::super) documents: u64,
    /// The numbers of the first and of the last document in which it occurs.
    pub(in super::super) within: (u64, u64),
    /// The number of the row in which it occurs first.
    pub(in super::super) place: u64,
    /// The first date, its bits inverted, and the last one; 0 if there is none.
    seen: (u64, u64),
}

impl Count {
    /// Returns the count of a single row.
    pub(in super::super) fn once(document: u64, place: u64) -> Self {
        Count {
            times: 1,
            documents: 1,
            within: (document, document),
            place,
            seen: (0, 0),
        }
    }

    /// Sets the [date](Self::of_date), unless it is 0.
    pub(in super::super) fn with_date(self, date: u64) -> Self {
        let first = if date == 0 { 0 } else { !date };
        Count {
            seen: (first, date),
            ..self
        }
    }

    /// Returns a date as a number, which is not 0.
    pub(in super::super) fn of_date(date: Time) -> u64 {
        date.microseconds.cast_unsigned() ^ SIGN
    }

    /// Returns the first and the last date, in UTC.
    pub(in super::super) fn dates(&self) -> Option<[Time; 2]> {
        let (first, last) = self.seen;
        let time = |date: u64| Time::of_unix((date ^ SIGN).cast_signed());
        (last > 0).then(|| [time(!first), time(last)])
    }

    /// Adds the count of the rows that follow.
    fn add(&mut self, next: &Count) {
        self.times += next.times;
        // A document may be the last of one part and the first of the next.
        self.documents += next.documents - u64::from(next.within.0 == self.within.1);
        self.within.1 = next.within.1;
        self.seen.0 = self.seen.0.max(next.seen.0);
        self.seen.1 = self.seen.1.max(next.seen.1);
    }

    fn put(&self, out: &mut Vec<u8>) {
        let (first, last) = self.within;
        let (times, documents, seen) = (self.times, self.documents, self.seen);
        for number in [times, documents, first, last, self.place, seen.0, seen.1] {
            batch::put_number(out, number);
        }
    }

    fn read(mut record: &[u8]) -> Self {
        let mut next = || {
            let (number, rest) = batch::number(record);
            record = rest;
            number
        };
        Count {
            times: next(),
            documents: next(),
            within: (next(), next()),
            place: next(),
            seen: (next(), next()),
        }
    }
}

/// The bit of the sign: without it, numbers of dates are in their order.
const SIGN: u64 = 1 << 63;

/// Counts keys. When memory is full, the counts so far are parted by the hashes of their keys, and those
/// of each part are added at the end.
#[derive(Debug)]
pub(in super::super) struct Counter {
    hasher: RandomState,
    store: Store,
    /// How many bytes of memory keys and counts may use.
    memory: usize,
    level: u32,
    keys: Keys,
    /// The count of each key.
    counts: Vec<Count>,
    /// Counts that have been written, in their order.
    parts: Parts,
}

impl Counter {
    pub(in super::super) fn new(store: &Store, memory: usize) -> Self {
        Counter {
            hasher: RandomState::default(),
            store: store.clone(),
            memory,
            level: 0,
            keys: Keys::default(),
            counts: Vec::new(),
            parts: Parts::default(),
        }
    }

    /// Adds `count` rows with `key`, which follow all that has been counted.
    pub(in super::super) fn add(&mut self, key: &[u8], count: Count) -> Result<(), Error> {
        let hash = self.hasher.hash_one(key);
        if let Some(number) = self.keys.find(hash, key) {
            self.counts[number].add(&count);
            return Ok(());
        }
        let size = self.keys.size_with(key) + size_of_val(&*self.counts);
        if size > self.memory && self.level < DEEPEST && !self.counts.is_empty() {
            self.spill()?;
        }
        self.keys.add(hash, key);
        self.counts.push(count);
        Ok(())
    }

    fn spill(&mut self) -> Result<(), Error> {
        let keys = std::mem::take(&mut self.keys);
        let mut record = Vec::new();
        for (number, count) in self.counts.drain(..).enumerate() {
            let key = keys.key(number);
            record.clear();
            batch::put_key(&mut record, key);
            count.put(&mut record);
            let hash = self.hasher.hash_one(key);
            (self.parts).push(&self.store, self.level, hash, &record)?;
        }
        Ok(())
    }

    /// Emits each key and its count, in any order.
    pub(in super::super) fn finish(mut self, emit: &mut EmitCount<'_>) -> Result<(), Error> {
        if self.parts.is_empty() {
            let mut counts = self.counts.iter().enumerate();
            return counts.try_for_each(|(number, count)| emit(self.keys.key(number), count));
        }
        self.spill()?;
        self.counts = Vec::new();
        for part in self.parts.end()? {
            let mut counter = Counter {
                hasher: self.hasher.clone(),
                level: self.level + 1,
                ..Counter::new(&self.store, self.memory)
            };
            let mut records = part.reader();
            while let Some(record) = records.record()? {
                let (key, count) = KeyLayout::Before.split(record);
                counter.add(key, Count::read(count))?;
            }
            drop(part);
            counter.finish(emit)?;
        }
        Ok(())
    }
}
