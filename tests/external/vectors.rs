//! The conformance vectors beside the project: every problem, span and component exact; and every
//! wrapped URL with its place, its readings and its flags. Those of the project itself are in
//! `fixtures/vectors`.

use serde_json::{Value, json};

use crate::needs::shared;
use crate::support::conformance::{differences, judged, lines, sort, wrapped};

fn vectors(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(shared("vectors").join(name)).unwrap();
    let vectors = lines(&text);
    assert!(vectors.len() > 50, "{name}: {}", vectors.len());
    vectors
}

pub(crate) fn validate() {
    let wrong = differences(&vectors("validate.jsonl"), |vector| {
        let rest = match vector["valid"].as_bool().unwrap() {
            true => "components",
            false => "problems",
        };
        let expected = json!({
            "valid": vector["valid"], "scheme": vector["scheme"], rest: vector[rest],
        });
        (expected, judged(vector["url"].as_str().unwrap()))
    });
    assert!(wrong.is_empty(), "{wrong}");
}

pub(crate) fn extract() {
    let wrong = differences(&vectors("extract.jsonl"), |vector| {
        let mut expected = vector["expect"].clone();
        for url in expected.as_array_mut().unwrap() {
            sort(&mut url["flags"]);
        }
        let is_quoted = vector["options"]["qp"] == true;
        (
            expected,
            wrapped(vector["text"].as_str().unwrap(), is_quoted),
        )
    });
    assert!(wrong.is_empty(), "{wrong}");
}
