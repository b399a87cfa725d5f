//! The targets in an ordinary run, on the files in `fixtures/fuzz`, and mutations of their tokens and bytes, with
//! the same seed each time.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::{fs, io};

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

use crate::ALL;

/// The number of mutations of a target's inputs.
const MUTATIONS: usize = 60;

/// Tries the target named `name` on its inputs.
fn replay(name: &str, target: fn(&[u8])) {
    let inputs = inputs(name);
    assert!(!inputs.is_empty(), "fixtures/fuzz/{name} has no inputs");
    let try_on = |input: &[u8], what: &str| {
        let tried = catch_unwind(AssertUnwindSafe(|| target(input)));
        tried.unwrap_or_else(|panic| {
            eprintln!("{name} fails on {what}: {}", input.escape_ascii());
            resume_unwind(panic)
        });
    };
    for (path, input) in &inputs {
        try_on(input, &path.display().to_string());
    }
    let tokens = tokens();
    let mut random = Random(TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    for number in 0..MUTATIONS {
        let (path, input) = &inputs[number % inputs.len()];
        let mut input = input.clone();
        for _ in 0..=random.below(4) {
            mutate(&mut input, &tokens, &mut random);
        }
        try_on(&input, &format!("a mutation of {}", path.display()));
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/fuzz")
}

/// Returns the inputs that are kept, sorted by file name.
fn inputs(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let files = fs::read_dir(folder().join(name)).unwrap();
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let input = fs::read(&path).unwrap();
        (path, input)
    };
    paths.into_iter().map(read).collect()
}

/// Returns the tokens of the dictionary.
fn tokens() -> Vec<Vec<u8>> {
    let text = fs::read_to_string(folder().join("tokens.dict")).unwrap();
    let lines = text.lines();
    let tokens = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let quoted = |line: &str| Some(unescaped(line.strip_prefix('"')?.strip_suffix('"')?));
    tokens
        .map(|line| quoted(line).unwrap_or_else(|| panic!("no token: {line}")))
        .collect()
}

fn unescaped(token: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), token.as_bytes());
    while let [first, after @ ..] = rest {
        let (byte, after) = match (first, after) {
            (b'\\', [b'x', high, low, after @ ..]) => {
                let digits = [*high, *low];
                let digits = str::from_utf8(&digits).unwrap();
                (u8::from_str_radix(digits, 16).unwrap(), after)
            }
            (b'\\', [escaped, after @ ..]) => (*escaped, after),
            _ => (*first, after),
        };
        bytes.push(byte);
        rest = after;
    }
    bytes
}

struct Random(TestRng);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0.next_u64() as usize % bound
    }
}

fn mutate(input: &mut Vec<u8>, tokens: &[Vec<u8>], random: &mut Random) {
    let at = random.below(input.len() + 1);
    let end = (at + random.below(8)).min(input.len());
    match random.below(4) {
        0 => drop(input.splice(at..at, tokens[random.below(tokens.len())].iter().copied())),
        1 => drop(input.splice(at..end, tokens[random.below(tokens.len())].iter().copied())),
        2 => drop(input.drain(at..end)),
        _ => input[at..end]
            .iter_mut()
            .for_each(|byte| *byte ^= 1 << random.below(8)),
    }
}

#[test]
fn each_target_holds_on_its_inputs() {
    for &(name, target) in ALL {
        replay(name, target);
    }
}

#[test]
fn each_target_is_fuzzed_every_day() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
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
    assert!(ALL.iter().all(has));
}
