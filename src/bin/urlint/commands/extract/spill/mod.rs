//! Lists that do not fit into memory.
//!
//! Each of these structures uses a given number of bytes of memory and writes the rest to a temporary
//! file. Records are partitioned by the hashes of their keys into 256 parts, so that equal keys are in
//! the same part. Each part is then processed by itself, and partitioned again if it is still too
//! long. Hashes only choose the part; keys are compared byte by byte.

pub(super) mod counter;
pub(super) mod keys;
pub(super) mod parts;
pub(super) mod sorter;
pub(super) mod store;
pub(super) mod unique;

/// The most bytes of memory that one of them can use: offsets in it are numbers of 32 bits.
pub(super) const MOST_MEMORY: usize = 3 << 30;

#[cfg(test)]
mod tests;
