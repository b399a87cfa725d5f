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

/// Decisions of the vectors that urlint does not follow yet, as their notes begin.
const TO_COME: [&str; 1] = ["O4:"];

pub(crate) fn validate() {
    let is_to_come = |vector: &Value| {
        let note = vector["note"].as_str().unwrap_or_default();
        TO_COME.iter().any(|decision| note.starts_with(decision))
    };
    let (to_come, vectors): (Vec<_>, Vec<_>) =
        vectors("validate.jsonl").into_iter().partition(is_to_come);
    for vector in to_come {
        let found = judged(vector["url"].as_str().unwrap());
        let is_followed =
            found["valid"] == vector["valid"] && found["problems"] == vector["problems"];
        assert!(
            !is_followed || vector["valid"] == true,
            "no longer to come: {vector}"
        );
    }
    let wrong = differences(&vectors, |vector| {
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
