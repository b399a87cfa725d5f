//! Code that several tests share.

#![allow(dead_code, reason = "each of the two test binaries uses a part of it")]
pub(crate) mod arrival;
pub(crate) mod command;
pub(crate) mod conformance;
pub(crate) mod decoding;
pub(crate) mod hostile;
#[cfg(feature = "lsp")]
pub(crate) mod lsp;
pub(crate) mod messages;
pub(crate) mod packing;
pub(crate) mod same;
pub(crate) mod texts;
pub(crate) mod transcripts;
pub(crate) mod urls;
pub(crate) mod wrappings;
