//! All integration tests that need nothing but this repository. Tests that need texts of others, or
//! Python, are in `tests/external`; those that count allocations, in `tests/allocations.rs`.

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
mod cut_short;
mod fix;
mod fix_preserves_document;
mod fix_safety;
mod grammar;
mod json;
mod mail;
mod markup;
mod properties;
mod prose;
mod rules;
mod uri_grammar;
mod vectors;
mod views;
mod wrappings;

// The command.
mod add_ignore;
mod alone;
mod attachments;
mod check_threads;
mod chunking;
mod command;
mod config;
mod containers;
mod fix_files;
mod formats;
mod hooks;
mod hostile;
mod init;
mod limits;
mod lists;
#[cfg(feature = "lsp")]
mod lsp;
mod mailboxes;
mod manual;
mod members;
#[cfg(target_os = "linux")]
mod memory;
mod one_verdict;
mod output_files;
mod outputs_not_inputs;
mod password_leaks;
#[cfg(feature = "pdf")]
mod pdf;
#[cfg(feature = "pdf")]
mod pdf_views;
mod provenance;
mod questions;
mod readme;
mod repo_rules;
mod schema;
mod standards;
#[cfg(unix)]
mod stdin;
#[cfg(feature = "tables")]
mod tables;
mod threads;
mod untrusted_config;
mod web_archives;
mod wheel;
