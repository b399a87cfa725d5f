//! How properties are tried, here and beside the code.

use proptest::prelude::ProptestConfig;

/// How many tries every property has, if it asks for so many.
const LEAST: u32 = 64;

/// Which share of the tries beyond that is made in an ordinary run, which nobody should wait for.
const SHARE: u32 = 10;

/// As many as `cases` tries: all of them where the environment has `URLINT_THOROUGH`, else a tenth,
/// though not fewer than 64 of them. One that fails is printed and not kept in a file: it becomes a
/// test of its own.
#[must_use]
pub fn tries(cases: u32) -> ProptestConfig {
    let cases = match std::env::var_os("URLINT_THOROUGH") {
        Some(_) => cases,
        None => cases.min(LEAST.max(cases / SHARE)),
    };
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
