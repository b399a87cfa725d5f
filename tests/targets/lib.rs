//! Properties of any bytes: a file for each fuzz target, which `replay.rs` also runs on the inputs in
//! `fixtures/fuzz`. `tests/fuzz/README.md` says how to add one.
//!
//! A target is a function that panics if something does not hold.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a target panics, and shows its input, where a property does not hold"
)]
#![allow(missing_docs, reason = "its module documents each target")]

#[path = "../it/oracle/mod.rs"]
#[allow(dead_code, reason = "a part of it writes URLs for tests")]
mod oracle;

mod archives;
mod arrival;
mod command;
mod configuration;
mod documents;
mod find;
mod fix;
mod judge;
mod lists;
mod pdf;
mod rejoin;
#[cfg(test)]
mod replay;

/// A target.
pub type Target = fn(&[u8]);

/// All targets, by their names.
pub const ALL: &[(&str, Target)] = &[
    ("archives", archives::archives),
    ("command", command::command),
    ("configuration", configuration::configuration),
    ("documents", documents::documents),
    ("find", find::find),
    ("fix", fix::fix),
    ("judge", judge::judge),
    ("lists", lists::lists),
    ("pdf", pdf::pdf),
    ("rejoin", rejoin::rejoin),
];
