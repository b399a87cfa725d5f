//! The output of a run: files that are written or replaced whole, and the summary.

pub(crate) mod replace;
pub(crate) mod summary;
