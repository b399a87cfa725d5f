//! The targets of the fuzzer, which are in `tests/targets`.

/// Runs the target `name`.
pub fn run(name: &str, input: &[u8]) {
    let target = urlint_targets::ALL.iter().find(|(own, _)| *own == name);
    target.expect("a target").1(input);
}
