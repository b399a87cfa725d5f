//! The conformance vectors of `fixtures/vectors`, in the form that others can use too.
//!
//! `judge.jsonl` has a URL a line, whether it is valid by RFC 1738, and its components or its
//! problems, with their ranges in bytes. `wrappers.jsonl` has texts and the wrapped URLs in them:
//! text, fragment, the range from mark to mark, other readings, and flags. To add a vector, write a
//! line with its `url`, or its `note` and `text`; `SNAPSHOTS=overwrite cargo test --test it vectors`
//! adds the answer of urlint. For the validity of a URL, that is not trusted alone: a recogniser that
//! reads the RFC's own grammar confirms it.

use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;

use crate::oracle::Oracle;
use crate::support::conformance::{differences, judged, lines, wrapped};

/// The kinds of problems of a URL.
const KINDS: [&str; 26] = [
    "control-character",
    "raw-space",
    "non-ascii",
    "unsafe-character",
    "bad-escape",
    "reserved-character",
    "misplaced-character",
    "no-scheme",
    "bad-scheme",
    "missing-slashes",
    "userinfo-not-allowed",
    "empty-host",
    "bad-host",
    "ip-literal",
    "empty-port",
    "bad-port",
    "port-not-allowed",
    "missing-slash",
    "missing-path",
    "missing-component",
    "path-not-allowed",
    "bad-typecode",
    "bad-group",
    "bad-article",
    "authority-not-allowed",
    "bad-field",
];

/// Returns the vectors of a file. `say` adds the answer of urlint to one, which is written to the file
/// if that is requested.
fn vectors(name: &str, say: impl Fn(&mut Value)) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/vectors");
    let path = folder.join(name);
    let mut vectors = lines(&std::fs::read_to_string(&path).unwrap());
    if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
        vectors.iter_mut().for_each(say);
        let lines = vectors.iter().map(|vector| format!("{vector}\n"));
        std::fs::write(&path, lines.collect::<String>()).unwrap();
    }
    assert!(vectors.len() > 80, "{name}: {}", vectors.len());
    vectors
}

/// The vectors about validity, which several tests read.
static JUDGE: LazyLock<Vec<Value>> =
    LazyLock::new(|| vectors("judge.jsonl", |vector| *vector = said(vector)));

/// Returns a vector about validity with the answer of urlint.
fn said(vector: &Value) -> Value {
    let mut said = judged(vector["url"].as_str().unwrap());
    said["url"] = vector["url"].clone();
    said
}

#[test]
fn urls_are_judged_as_written_down() {
    let wrong = differences(&JUDGE, |vector| (vector.clone(), said(vector)));
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_grammar_confirms_each_verdict() {
    let mut oracle = Oracle::new();
    for vector in &*JUDGE {
        let derived = oracle.accepts(vector["url"].as_str().unwrap().as_bytes());
        assert_eq!(vector["valid"], derived, "{vector}");
    }
}

#[test]
fn every_scheme_and_every_problem_has_vectors() {
    let count = |is_one: &dyn Fn(&Value) -> bool| JUDGE.iter().filter(|one| is_one(one)).count();
    for name in Oracle::new().schemes() {
        let name = str::from_utf8(name).unwrap();
        for valid in [true, false] {
            let count = count(&|one| one["scheme"] == name && one["valid"] == valid);
            assert!(count >= 5, "{name}, {valid}: {count}");
        }
    }
    for kind in KINDS {
        let is_of_kind = |one: &Value| {
            let problems = one["problems"].as_array();
            problems.is_some_and(|all| all.iter().any(|problem| problem["kind"] == kind))
        };
        assert!(count(&is_of_kind) > 0, "{kind}");
    }
}

#[test]
fn wrapped_urls_are_found_as_written_down() {
    let found = |vector: &Value| {
        let is_quoted = vector["quoted_printable"] == true;
        wrapped(vector["text"].as_str().unwrap(), is_quoted)
    };
    let vectors = vectors("wrappers.jsonl", |vector| vector["expect"] = found(vector));
    let wrong = differences(&vectors, |vector| (vector["expect"].clone(), found(vector)));
    assert!(wrong.is_empty(), "{wrong}");
}
