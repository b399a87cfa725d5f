//! The targets of the fuzzer, which are in `tests/targets`.

#[path = "../it/oracle/mod.rs"]
#[allow(dead_code, reason = "a part of it writes URLs for tests")]
mod oracle;

#[path = "../targets/mod.rs"]
mod targets;

/// Runs the target `name`.
pub fn run(name: &str, input: &[u8]) {
    let target = targets::ALL.iter().find(|(own, _)| *own == name);
    target.expect("a target").1(input);
}
