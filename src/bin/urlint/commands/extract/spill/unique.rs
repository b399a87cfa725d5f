//! Emits each key once, in the order of their first records.
//!
//! As long as the keys fit into memory, the first record of each key is emitted at once. After that,
//! records with keys that are not in memory are sorted by their keys, and the first of each key are
//! sorted back into the order in which they came.

use super::Emit;
use super::keys::Keys;
use super::sorter::{Order, Sorter};
use super::store::Store;
use crate::commands::extract::batch;
use crate::commands::extract::batch::KeyLayout;
use crate::error::Error;

/// Emits each row whose key has not occurred before.
#[derive(Debug)]
pub(in super::super) struct Unique {
    layout: KeyLayout,
    /// How many bytes of memory keys may use.
    memory: usize,
    seen: Keys<()>,
    /// The records whose keys are not in memory, by key.
    others: Sorter,
    /// How many of them there are.
    spilled: u64,
    /// The first of each key, by place.
    firsts: Sorter,
}

impl Unique {
    /// `memory` is how many bytes may be used.
    pub(in super::super) fn new(layout: KeyLayout, store: &Store, memory: usize) -> Self {
        // Keys and records are in memory at the same time.
        let memory = memory / 2;
        Unique {
            layout,
            memory,
            seen: Keys::default(),
            others: Sorter::new(Order::by_key(layout), usize::MAX, store, memory),
            spilled: 0,
            firsts: Sorter::new(Order::by_key(KeyLayout::Before), usize::MAX, store, memory),
        }
    }

    /// Takes a record, and emits its row if it is known to be the first of its key.
    pub(in super::super) fn take(
        &mut self,
        record: &[u8],
        emit: &mut Emit<'_>,
    ) -> Result<(), Error> {
        let (key, row) = self.layout.split(record);
        if self.seen.values.contains_key(key) {
            return Ok(());
        }
        if self.spilled == 0 && self.seen.size_with(key) <= self.memory {
            self.seen.add(key, ());
            return emit(row);
        }
        self.spilled += 1;
        self.others.add(self.spilled, record)
    }

    /// Emits the rows that are left.
    pub(in super::super) fn finish(self, emit: &mut Emit<'_>) -> Result<(), Error> {
        let (layout, mut firsts) = (self.layout, self.firsts);
        drop(self.seen);
        let mut last: Option<Vec<u8>> = None;
        let mut first = Vec::new();
        self.others.records(&mut |place, record| {
            let (key, row) = layout.split(record);
            if last.as_deref() == Some(key) {
                return Ok(());
            }
            last = Some(key.to_vec());
            first.clear();
            // Without a key, records are sorted by place.
            batch::put_key(&mut first, b"");
            first.extend_from_slice(row);
            firsts.add(place, &first)
        })?;
        firsts.finish(emit)
    }
}
