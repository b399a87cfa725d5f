//! Counts how often each key occurs, and in how many documents.

use super::keys::Keys;
use super::sorter::{Order, Sorter};
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
}

impl Count {
    /// Returns the count of a single row.
    pub(in super::super) fn once(document: u64, place: u64) -> Self {
        Count {
            times: 1,
            documents: 1,
            within: (document, document),
            place,
        }
    }

    /// Adds the count of the rows that follow.
    fn add(&mut self, next: &Count) {
        self.times += next.times;
        // A document may be the last of one part and the first of the next.
        self.documents += next.documents - u64::from(next.within.0 == self.within.1);
        self.within.1 = next.within.1;
    }

    fn put(&self, out: &mut Vec<u8>) {
        let (first, last) = self.within;
        for number in [self.times, self.documents, first, last, self.place] {
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
        }
    }
}

/// Counts keys. When memory is full, the counts so far are sorted by their keys, and those of equal keys
/// are added at the end.
#[derive(Debug)]
pub(in super::super) struct Counter {
    /// How many bytes of memory keys and counts may use.
    memory: usize,
    counts: Keys<Count>,
    spilled: Sorter,
    has_spilled: bool,
}

impl Counter {
    pub(in super::super) fn new(store: &Store, memory: usize) -> Self {
        // What is counted and what is sorted are in memory at the same time.
        let memory = memory / 2;
        let order = Order::by_key(KeyLayout::Before);
        Counter {
            memory,
            counts: Keys::default(),
            spilled: Sorter::new(order, usize::MAX, store, memory),
            has_spilled: false,
        }
    }

    /// Adds `count` rows with `key`, which follow all that has been counted.
    pub(in super::super) fn add(&mut self, key: &[u8], count: Count) -> Result<(), Error> {
        if let Some(known) = self.counts.values.get_mut(key) {
            known.add(&count);
            return Ok(());
        }
        if self.counts.size_with(key) > self.memory {
            self.spill()?;
        }
        self.counts.add(key, count);
        Ok(())
    }

    fn spill(&mut self) -> Result<(), Error> {
        self.has_spilled = true;
        let mut record = Vec::new();
        for (key, count) in std::mem::take(&mut self.counts).values {
            record.clear();
            batch::put_key(&mut record, &key);
            count.put(&mut record);
            self.spilled.add(count.place, &record)?;
        }
        Ok(())
    }

    /// Emits each key and its count, in any order.
    pub(in super::super) fn finish(mut self, emit: &mut EmitCount<'_>) -> Result<(), Error> {
        if !self.has_spilled {
            let mut counts = self.counts.values.iter();
            return counts.try_for_each(|(key, count)| emit(key, count));
        }
        self.spill()?;
        let mut last: Option<(Vec<u8>, Count)> = None;
        self.spilled.records(&mut |_, record| {
            let (key, count) = KeyLayout::Before.split(record);
            let count = Count::read(count);
            match &mut last {
                Some((known, total)) if known == key => total.add(&count),
                _ => {
                    if let Some((known, total)) = last.replace((key.to_vec(), count)) {
                        emit(&known, &total)?;
                    }
                }
            }
            Ok(())
        })?;
        last.map_or(Ok(()), |(key, count)| emit(&key, &count))
    }
}
