//! How properties are tried, here and beside the code.

use proptest::prelude::ProptestConfig;

/// So many tries. One that fails is printed and not kept in a file: it becomes a test of its own.
pub(crate) fn tries(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
