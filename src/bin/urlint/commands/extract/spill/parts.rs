//! Records parted by the hashes of their keys, so that each part fits into memory.

use super::store::{SpillFile, Store};
use crate::error::Error;

/// How many parts there are.
const PARTS: usize = 256;

/// How often a part is parted again. Each level takes a byte of the upper half of the hash; the lower
/// half is for the keys in memory.
pub(super) const DEEPEST: u32 = 4;

/// The parts of one level.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// None before the first record.
    files: Vec<SpillFile>,
}

impl Parts {
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Adds a record whose key has this hash.
    pub(super) fn push(
        &mut self,
        store: &Store,
        level: u32,
        hash: u64,
        record: &[u8],
    ) -> Result<(), Error> {
        if self.files.is_empty() {
            self.files.resize_with(PARTS, || SpillFile::new(store));
        }
        let part = (hash >> (56 - 8 * level)) as u8;
        self.files[usize::from(part)].push_record(record)
    }

    /// Returns the parts that have records, with as little in memory as possible.
    pub(super) fn end(mut self) -> Result<Vec<SpillFile>, Error> {
        self.files.retain(|file| !file.is_empty());
        self.files.iter_mut().try_for_each(SpillFile::end)?;
        Ok(self.files)
    }
}
