//! Reading documents of many kinds: they are split into parts, whose text is searched.
//! `urlint` re-exports all of it, and its front page is the way in.
//!
//! Each module uses only those that are listed above it.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

// Kinds of document, split into their parts.
pub mod document;

// Reading sources of any kind.
pub mod read;

pub use read::{Event, Found, Reader};
