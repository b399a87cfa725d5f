//! The conformance vectors outside of the project: every problem, span and component exact; and every
//! wrapped URL with its place, its readings and its flags. The vectors of the project itself are in
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

/// The decisions of the vectors that urlint does not follow yet, as their notes begin.
const TO_COME: [&str; 0] = [];

/// Returns the verdict that a vector expects of a URL, and the one of urlint.
fn verdicts(vector: &Value) -> (Value, Value) {
    let rest = if vector["valid"].as_bool().unwrap() {
        "components"
    } else {
        "problems"
    };
    let expected = json!({
        "valid": vector["valid"], "scheme": vector["scheme"], rest: vector[rest],
    });
    (expected, judged(vector["url"].as_str().unwrap()))
}

pub(crate) fn validate() {
    let mut vectors = vectors("validate.jsonl");
    for decision in TO_COME {
        let is_of_it = |vector: &Value| {
            let note = vector["note"].as_str();
            note.is_some_and(|note| note.starts_with(decision))
        };
        let (of_it, others) = vectors.into_iter().partition(is_of_it);
        let of_it: Vec<Value> = of_it;
        let is_to_come = of_it.is_empty() || !differences(&of_it, verdicts).is_empty();
        assert!(is_to_come, "{decision} is followed: it need not be listed");
        vectors = others;
    }
    let wrong = differences(&vectors, verdicts);
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
