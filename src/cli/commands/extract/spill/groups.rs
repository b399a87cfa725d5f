//! Finds rows with equal keys, and combines their values.

use std::hash::BuildHasher;

use foldhash::quality::RandomState;
use hashbrown::HashTable;

use super::Spill;
use super::records::Records;
use super::runs::Runs;
use crate::commands::extract::varint;
use crate::error::Error;

/// Adds the value of a row to the value of an earlier row with the same key.
pub(in super::super) type Combine = fn(&mut [u8], &[u8]);

/// A row for each key: the first row with it. Its value is combined from the values of all of them.
#[derive(Debug)]
pub(in super::super) struct Groups {
    combine: Combine,
    memory: usize,
    hasher: RandomState,
    /// The records that are not in a run, in the order in which they were added.
    records: Records,
    slots: HashTable<Slot>,
    runs: Runs,
}

/// The lower half of the hash of a key, and the number of its record.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    number: u32,
}

impl Slot {
    /// Returns a hash of 64 bits, which the table needs.
    fn spread(hash: u32) -> u64 {
        u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

impl Groups {
    pub(in super::super) fn new(combine: Combine, spill: &Spill) -> Self {
        Groups {
            combine,
            memory: spill.memory,
            hasher: RandomState::default(),
            records: Records::default(),
            slots: HashTable::new(),
            runs: Runs::new(spill),
        }
    }

    /// Returns whether all rows are in memory.
    pub(in super::super) fn is_whole(&self) -> bool {
        self.runs.is_empty()
    }

    /// Returns the hash of `key`.
    pub(in super::super) fn hash(&self, key: &[u8]) -> u64 {
        self.hasher.hash_one(key)
    }

    /// Loads the memory that [`add`](Self::add) looks at into the cache. If this is called for several
    /// hashes of keys before those are added, their loads overlap.
    pub(in super::super) fn warm(&self, hash: u64) {
        let hash = hash as u32;
        let slot = (self.slots).find(Slot::spread(hash), |slot| slot.hash == hash);
        let record = slot.map(|slot| self.records.get(slot.number as usize).1);
        std::hint::black_box(record.and_then(<[u8]>::first));
    }

    /// Adds a row with this key, the hash of the key, and a place after all others. Returns whether no other
    /// row in memory has the key.
    pub(in super::super) fn add(
        &mut self,
        hash: u64,
        key: &[u8],
        place: u64,
        value: &[u8],
    ) -> Result<bool, Error> {
        let short = hash as u32;
        let is_it = |slot: &Slot| {
            slot.hash == short && read(self.records.get(slot.number as usize).1).0 == key
        };
        if let Some(slot) = self.slots.find(Slot::spread(short), is_it) {
            let first = self.records.bytes_mut(slot.number as usize);
            (self.combine)(value_mut(first), value);
            return Ok(false);
        }
        let slot = Slot {
            hash: short,
            number: self.records.len() as u32,
        };
        self.records.push(hash, |record| {
            varint::put_text(record, key);
            record.extend_from_slice(&place.to_be_bytes());
            record.extend_from_slice(value);
        });
        let rehash = |slot: &Slot| Slot::spread(slot.hash);
        (self.slots).insert_unique(Slot::spread(short), slot, rehash);
        if self.size() > self.memory {
            self.write_run()?;
        }
        Ok(true)
    }

    /// Returns how many bytes of memory are used once there is another key.
    fn size(&self) -> usize {
        let mut slots = self.slots.capacity();
        if self.slots.len() == slots {
            // While the table grows, there are two of them.
            slots *= 3;
        }
        self.records.size() + slots * (size_of::<Slot>() + 1) * 8 / 7
    }

    fn write_run(&mut self) -> Result<(), Error> {
        self.slots = HashTable::new();
        self.records.sort(usize::MAX);
        self.runs.write(&mut self.records)
    }

    /// Emits the key, the place and the value of each: in the order of the places if [all are in
    /// memory](Self::is_whole), else in any.
    pub(in super::super) fn finish(
        mut self,
        mut emit: impl FnMut(&[u8], u64, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut emit = |record: &[u8]| {
            let (key, place, value) = read(record);
            emit(key, place, value)
        };
        if self.is_whole() {
            let mut records = self.records.iter();
            return records.try_for_each(|(_, record)| emit(record));
        }
        self.write_run()?;
        drop(self.records);
        // The first record of a key.
        let mut first = Vec::new();
        self.runs.merge(usize::MAX, &mut |_, record| {
            if !first.is_empty() {
                if read(&first).0 == read(record).0 {
                    (self.combine)(value_mut(&mut first), read(record).2);
                    return Ok(());
                }
                emit(&first)?;
            }
            first.clear();
            first.extend_from_slice(record);
            Ok(())
        })?;
        emit(&first)
    }
}

/// Returns the key, the place and the value of a record.
fn read(record: &[u8]) -> (&[u8], u64, &[u8]) {
    let (key, rest) = varint::text(record);
    let (place, value) = rest.split_first_chunk().unwrap_or((&[0; 8], b""));
    (key, u64::from_be_bytes(*place), value)
}

fn value_mut(record: &mut [u8]) -> &mut [u8] {
    let start = record.len() - read(record).2.len();
    &mut record[start..]
}
