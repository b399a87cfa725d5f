//! Flags of several commands.

pub(crate) mod paths;
pub(crate) mod read;
pub(crate) mod rules;
pub(crate) mod show;
