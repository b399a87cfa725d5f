//! The targets of the fuzzer, on the inputs that are kept of them.

use std::path::Path;
use std::{fs, io};

#[path = "../targets/replay.rs"]
mod replay;
#[path = "../targets/mod.rs"]
pub(crate) mod targets;

use replay::replay;

#[test]
fn each_target_holds_on_its_inputs() {
    for &(name, target) in targets::ALL {
        replay(name, target);
    }
}

#[test]
fn each_target_is_fuzzed_every_day() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = fs::read_dir(root.join("tests/fuzz/fuzz_targets")).unwrap();
    let name =
        |file: io::Result<fs::DirEntry>| file.unwrap().path().file_stem().unwrap().to_owned();
    let mut names: Vec<_> = files
        .map(name)
        .map(|name| name.into_string().unwrap())
        .collect();
    names.sort();
    let workflow = fs::read_to_string(root.join(".github/workflows/fuzz.yml")).unwrap();
    let (_, matrix) = workflow.split_once("        target:\n").unwrap();
    let fuzzed: Vec<_> = matrix
        .lines()
        .map_while(|line| line.strip_prefix("          - "))
        .collect();
    assert_eq!(fuzzed, names);
    let has = |(name, _): &(&str, _)| names.iter().any(|own| own == name);
    assert!(targets::ALL.iter().all(has));
}
