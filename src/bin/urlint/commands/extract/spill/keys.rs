//! A set of keys in memory.

use hashbrown::HashTable;

/// A set of keys, numbered from 0 in the order in which they are added. They are in one block of
/// memory, which takes a quarter of what a block for each would.
#[derive(Debug, Default)]
pub(super) struct Keys {
    table: HashTable<Slot>,
    bytes: Vec<u8>,
    /// Where each key ends.
    ends: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The lower half of the key's hash.
    hash: u32,
    number: u32,
}

impl Slot {
    /// Returns a hash of 64 bits, which the table needs.
    fn spread(hash: u32) -> u64 {
        u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

impl Keys {
    /// Returns how many bytes of memory the set uses once `key` has been added.
    pub(super) fn size_with(&self, key: &[u8]) -> usize {
        let mut slots = self.table.capacity();
        if self.table.len() == slots {
            // While the table grows, there are two of them.
            slots *= 3;
        }
        let slots = slots * (size_of::<Slot>() + 1) * 8 / 7;
        slots + self.bytes.len() + key.len() + size_of_val(&*self.ends)
    }

    /// Returns the key of that number.
    pub(super) fn key(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start as usize..self.ends[number] as usize]
    }

    /// Returns the number of `key`, whose hash is `hash`, if it is in the set.
    pub(super) fn find(&self, hash: u64, key: &[u8]) -> Option<usize> {
        let hash = hash as u32;
        let is_key = |slot: &Slot| slot.hash == hash && self.key(slot.number as usize) == key;
        let slot = self.table.find(Slot::spread(hash), is_key)?;
        Some(slot.number as usize)
    }

    /// Loads the memory that [`find`](Self::find) looks at into the cache. If this is called for several
    /// keys before they are looked up, their loads overlap.
    pub(super) fn warm(&self, hash: u64) {
        let hash = hash as u32;
        let is_hash = |slot: &Slot| slot.hash == hash;
        let slot = self.table.find(Slot::spread(hash), is_hash);
        let end = slot.map_or(0, |slot| self.ends[slot.number as usize]);
        let last = end.checked_sub(1).map(|last| self.bytes[last as usize]);
        std::hint::black_box(last);
    }

    /// Adds `key`, which is not in the set.
    pub(super) fn add(&mut self, hash: u64, key: &[u8]) {
        let slot = Slot {
            hash: hash as u32,
            number: self.ends.len() as u32,
        };
        let rehash = |slot: &Slot| Slot::spread(slot.hash);
        self.table
            .insert_unique(Slot::spread(slot.hash), slot, rehash);
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len() as u32);
    }
}
