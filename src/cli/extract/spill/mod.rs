//! Lists that do not fit into memory.
//!
//! Each of these holds a given number of bytes in memory and puts the rest into one temporary file.
//! What is equal has the same hash, and so ends in the same of 256 parts; each part is then dealt
//! with by itself, and divided again if it is still too long. Hashes only choose the part: what is
//! compared are the keys.

pub(super) mod keys;
pub(super) mod parts;
pub(super) mod sorter;
pub(super) mod store;
pub(super) mod tally;
pub(super) mod unique;

/// How many bytes of memory each of them takes; less than 4 GiB, for which [`keys`] has room.
pub(super) const MEMORY: usize = 256 << 20;

#[cfg(test)]
mod tests;
