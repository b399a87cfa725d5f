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

/// The most bytes of memory that one of them can take: places in it are numbers of 32 bits.
pub(super) const MOST_MEMORY: usize = 3 << 30;

#[cfg(test)]
mod tests;
