//! The commands: one module for each, and what several of them share.

pub(crate) mod add_ignore;
mod baseline;
pub(crate) mod check;
mod diff;
pub(crate) mod extract;
mod filter;
mod fix;
pub(crate) mod generate;
pub(crate) mod help;
pub(crate) mod init;
mod interrupt;
mod jobs;
#[cfg(feature = "lsp")]
pub(crate) mod lsp;
pub(crate) mod parse;
mod read;
mod replace;
mod reports;
pub(crate) mod rule;
pub(crate) mod rules;
pub(crate) mod schema;
mod show;
pub(crate) mod standard;
mod summary;
