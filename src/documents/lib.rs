//! Reading documents of many kinds: their text is decoded with a map back to the source, and searched.
//! `urlint` re-exports all of it, and its front page is the way in.
//!
//! Each module uses only those that are listed above it.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

// How text of any origin is shown, and the beginnings of long ones.
#[doc(hidden)]
pub mod beginning;
#[doc(hidden)]
pub mod shown;

// Texts derived from a source, with a map back.
pub mod view;

// Kinds of document, split into their parts.
pub mod document;

// Reading sources of any kind.
pub mod read;

pub use read::{Event, Found, Reader};
