//! The commands: one entry for each.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod extract;
pub(crate) mod help;
pub(crate) mod init;
pub(crate) mod lsp;
pub(crate) mod man;
pub(crate) mod parse;
pub(crate) mod rule;
pub(crate) mod schema;
