//! Properties of any bytes: a file for each fuzz target, which `tests/it/fuzz.rs` also runs on the
//! inputs in `fixtures/fuzz` in an ordinary test run. CONTRIBUTING says how to add one.
//!
//! A target is a function that panics if something does not hold.

mod archives;
mod arrival;
mod command;
mod compress;
mod configuration;
mod documents;
pub(crate) mod find;
mod fix;
mod judge;
mod lists;
mod rejoin;

/// A target.
pub(crate) type Target = fn(&[u8]);

/// All targets, by their names.
pub(crate) const ALL: &[(&str, Target)] = &[
    ("archives", archives::archives),
    ("command", command::command),
    ("compress", compress::compress),
    ("configuration", configuration::configuration),
    ("documents", documents::documents),
    ("find", find::find),
    ("fix", fix::fix),
    ("judge", judge::judge),
    ("lists", lists::lists),
    ("rejoin", rejoin::rejoin),
];
