//! What holds for any bytes: a file for each fuzz target, which `tests/it/fuzz.rs` also runs on the
//! inputs in `fixtures/fuzz` in an ordinary test run. CONTRIBUTING says how to add one.
//!
//! A target is a function that panics if something does not hold. `command` is the target for the
//! command: it needs the command's modules, and runs in the command's unit tests.

#[cfg(feature = "archives")]
mod archives;
mod arrival;
#[cfg(feature = "archives")]
mod compress;
#[cfg(feature = "config")]
mod configuration;
#[cfg(feature = "documents")]
mod documents;
pub(crate) mod find;
#[cfg(feature = "documents")]
mod fix;
#[cfg(feature = "whatwg")]
mod judge;
#[cfg(feature = "lists")]
mod lists;
mod rejoin;

/// A target.
pub(crate) type Target = fn(&[u8]);

/// All targets, by their names.
pub(crate) const ALL: &[(&str, Target)] = &[
    #[cfg(feature = "archives")]
    ("archives", archives::archives),
    #[cfg(feature = "archives")]
    ("compress", compress::compress),
    #[cfg(feature = "config")]
    ("configuration", configuration::configuration),
    #[cfg(feature = "documents")]
    ("documents", documents::documents),
    ("find", find::find),
    #[cfg(feature = "documents")]
    ("fix", fix::fix),
    #[cfg(feature = "whatwg")]
    ("judge", judge::judge),
    #[cfg(feature = "lists")]
    ("lists", lists::lists),
    ("rejoin", rejoin::rejoin),
];
