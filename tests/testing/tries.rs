//! How properties are tried, here and beside the code.

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// How many tries every property has, if it asks for so many.
const LEAST: u32 = 64;

/// Which share of the tries beyond that is made in an ordinary run, which nobody should wait for.
const SHARE: u32 = 30;

/// As many as `cases` tries, and new ones in each run, where the environment has `URLINT_THOROUGH`. In an
/// ordinary run, a thirtieth of them, though not fewer than 64, and always the same ones: a change is not refused
/// for a fault that it did not bring. One that fails is printed and not kept in a file: it becomes a test of
/// its own.
#[must_use]
pub fn tries(cases: u32) -> ProptestConfig {
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    if is_thorough() {
        return config;
    }
    let rng_seed = match config.rng_seed {
        RngSeed::Random => RngSeed::Fixed(0),
        // `PROPTEST_RNG_SEED` is set.
        seed => seed,
    };
    ProptestConfig {
        cases: cases.min(LEAST.max(cases / SHARE)),
        rng_seed,
        ..config
    }
}

/// Returns how often a loop goes round, or how much it makes: `all` where the environment has `URLINT_THOROUGH`,
/// `some` in an ordinary run.
#[must_use]
pub fn share(some: usize, all: usize) -> usize {
    if is_thorough() { all } else { some }
}

fn is_thorough() -> bool {
    std::env::var_os("URLINT_THOROUGH").is_some()
}
