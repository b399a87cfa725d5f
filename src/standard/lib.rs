//! Judging URLs by a standard, and what holds under every one. `urlint` re-exports all of it, and its front
//! page is the way in.
//!
//! Each module uses only those that are listed above it.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

// Bytes and places: byte sets, spans, positions, the window on a source. Knows nothing about URLs.
pub mod text;

// The judges: one folder for each standard.
pub mod standard;

// Properties of URLs that hold under every standard.
pub mod url;

pub use standard::Standard;
pub use text::Span;
