//! What holds for any bytes: a file for each target of the fuzzer, and for `tests/it/fuzz.rs`, which tries
//! it on the inputs of `fixtures/fuzz` in an ordinary run. CONTRIBUTING says how to add one.
//!
//! A target is a function that panics if something does not hold. `command` is the one of the command,
//! whose modules it needs, and whose unit tests try it.

#[cfg(feature = "archives")]
mod archives;
mod arrival;
#[cfg(feature = "archives")]
mod compress;
#[cfg(feature = "config")]
mod configuration;
mod documents;
pub(crate) mod find;
mod fix;
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
    ("documents", documents::documents),
    ("find", find::find),
    ("fix", fix::fix),
    ("judge", judge::judge),
    #[cfg(feature = "lists")]
    ("lists", lists::lists),
    ("rejoin", rejoin::rejoin),
];
