//! What several tests share.

#![allow(dead_code, reason = "each of the two test binaries uses a part of it")]

#[cfg(feature = "cli")]
pub(crate) mod arrival;
#[cfg(feature = "cli")]
pub(crate) mod command;
#[cfg(feature = "documents")]
pub(crate) mod conformance;
#[cfg(feature = "documents")]
pub(crate) mod decoding;
#[cfg(feature = "cli")]
pub(crate) mod hostile;
#[cfg(feature = "lsp")]
pub(crate) mod lsp;
#[cfg(feature = "documents")]
pub(crate) mod messages;
#[cfg(feature = "cli")]
pub(crate) mod packing;
#[cfg(feature = "cli")]
pub(crate) mod same;
pub(crate) mod texts;
pub(crate) mod tries;
pub(crate) mod urls;
