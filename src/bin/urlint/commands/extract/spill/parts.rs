//! Records divided by the hashes of their keys.

use super::store::{Reader, Store, Tape};
use crate::error::Error;

/// How many parts there are.
pub(super) const PARTS: usize = 256;

/// How deep parts may be parts of parts. Each level takes a byte of the upper half of the hash;
/// the lower half is left to the set that the keys of a part end in.
pub(super) const DEEPEST: u32 = 4;

/// The part of a key whose hash is `hash`.
pub(super) fn part(hash: u64, level: u32) -> u8 {
    (hash >> (56 - 8 * level)) as u8
}

/// Empty parts.
pub(super) fn parts(store: &Store) -> Vec<Tape> {
    (0..PARTS).map(|_| Tape::new(store)).collect()
}

/// Records that were divided, with what is needed to put them into order again.
#[derive(Debug)]
pub(super) struct Divided {
    pub(super) parts: Vec<Tape>,
    /// The part of each record.
    route: Tape,
}

impl Divided {
    pub(super) fn new(store: &Store) -> Self {
        Divided {
            parts: parts(store),
            route: Tape::new(store),
        }
    }

    pub(super) fn push(&mut self, part: u8, record: &[u8]) -> Result<(), Error> {
        self.route.push(&[part])?;
        self.parts[usize::from(part)].push_record(record)
    }

    /// Ends all parts.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        self.parts.iter_mut().try_for_each(Tape::end)?;
        self.route.end()
    }

    /// The parts of the records, in the order in which these were added.
    pub(super) fn route(&self) -> Reader<'_> {
        self.route.reader()
    }
}
