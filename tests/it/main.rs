//! All integration tests that need nothing but this repository. What needs texts of others, or
//! Python, is in `tests/external`; what counts allocations, in `tests/allocations.rs`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may fail; clippy knows this only of what stands in `#[test]`"
)]
#![allow(clippy::print_stderr, reason = "how much was compared is to be seen")]

mod oracle;
mod support;

// The library.
#[cfg(feature = "documents")]
mod cut_short;
#[cfg(feature = "documents")]
mod fix;
#[cfg(feature = "documents")]
mod fix_preserves_document;
#[cfg(feature = "documents")]
mod fix_safety;
mod fuzz;
mod grammar;
mod imports;
#[cfg(feature = "documents")]
mod json;
#[cfg(feature = "documents")]
mod mail;
#[cfg(feature = "documents")]
mod markup;
#[cfg(feature = "documents")]
mod properties;
#[cfg(feature = "documents")]
mod prose;
#[cfg(feature = "documents")]
mod rules;
mod uri_grammar;
#[cfg(feature = "documents")]
mod vectors;
#[cfg(feature = "documents")]
mod views;

// The command.
#[cfg(feature = "cli")]
mod add_ignore;
#[cfg(feature = "cli")]
mod check_threads;
#[cfg(feature = "cli")]
mod chunking;
#[cfg(feature = "cli")]
mod command;
#[cfg(feature = "cli")]
mod config;
#[cfg(feature = "cli")]
mod containers;
#[cfg(feature = "cli")]
mod fix_files;
#[cfg(feature = "cli")]
mod formats;
#[cfg(feature = "cli")]
mod hooks;
#[cfg(feature = "cli")]
mod hostile;
#[cfg(feature = "cli")]
mod init;
#[cfg(feature = "cli")]
mod limits;
#[cfg(feature = "cli")]
mod lists;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "cli")]
mod mailboxes;
#[cfg(feature = "cli")]
mod manual;
#[cfg(feature = "cli")]
mod members;
#[cfg(all(feature = "cli", target_os = "linux"))]
mod memory;
#[cfg(feature = "cli")]
mod output_files;
#[cfg(feature = "cli")]
mod outputs_not_inputs;
#[cfg(feature = "cli")]
mod password_leaks;
#[cfg(feature = "cli")]
mod provenance;
#[cfg(feature = "cli")]
mod questions;
#[cfg(feature = "cli")]
mod readme;
#[cfg(feature = "cli")]
mod repo_rules;
#[cfg(feature = "cli")]
mod schema;
#[cfg(feature = "cli")]
mod standards;
#[cfg(all(feature = "cli", unix))]
mod stdin;
#[cfg(feature = "tables")]
mod tables;
#[cfg(feature = "cli")]
mod threads;
#[cfg(feature = "cli")]
mod untrusted_config;
#[cfg(feature = "cli")]
mod web_archives;
#[cfg(feature = "cli")]
mod witnesses;
