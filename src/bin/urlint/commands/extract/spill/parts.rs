//! Records partitioned by the hashes of their keys.

use super::store::{Reader, SpillFile, Store};
use crate::error::Error;

/// How many parts there are.
pub(super) const PARTS: usize = 256;

/// How many times records may be partitioned. Each level uses a byte of the upper half of the hash;
/// the lower half is for the set of keys in memory.
pub(super) const DEEPEST: u32 = 4;

/// The part of a key whose hash is `hash`.
pub(super) fn part(hash: u64, level: u32) -> u8 {
    (hash >> (56 - 8 * level)) as u8
}

/// Empty parts.
pub(super) fn parts(store: &Store) -> Vec<SpillFile> {
    (0..PARTS).map(|_| SpillFile::new(store)).collect()
}

/// Partitioned records, and what is needed to restore their order.
#[derive(Debug)]
pub(super) struct Partitioned {
    pub(super) parts: Vec<SpillFile>,
    /// The part of each record.
    route: SpillFile,
}

impl Partitioned {
    pub(super) fn new(store: &Store) -> Self {
        Partitioned {
            parts: parts(store),
            route: SpillFile::new(store),
        }
    }

    pub(super) fn push(&mut self, part: u8, record: &[u8]) -> Result<(), Error> {
        self.route.push(&[part])?;
        self.parts[usize::from(part)].push_record(record)
    }

    /// Writes what is in memory; nothing can be added after this.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        self.parts.iter_mut().try_for_each(SpillFile::end)?;
        self.route.end()
    }

    /// The part of each record, in the order in which they were added.
    pub(super) fn route(&self) -> Reader<'_> {
        self.route.reader()
    }
}
