//! Flags of several commands.

pub(crate) mod read;
pub(crate) mod rules;
pub(crate) mod show;
pub(crate) mod standard;

/// The most bytes of a source that are searched for suppression comments. The rest is read in a
/// window, so that memory stays bounded.
pub(crate) const MAX_MARKED: usize = 16 << 20;
