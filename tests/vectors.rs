//! The conformance vectors beside the project, where they are: every problem, span and component
//! exact.

use std::path::Path;

use serde_json::{Value, json};
use urlint::rfc1738::{Components, Parsed, parse};

fn vectors(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/vectors")
        .join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: there is no {}", path.display());
        return Vec::new();
    };
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn text(bytes: &[u8]) -> Value {
    Value::from(std::str::from_utf8(bytes).unwrap())
}

fn components(parsed: &Parsed<'_>) -> Value {
    let mut object = serde_json::Map::new();
    for (name, part) in parsed.named_parts() {
        object.insert(
            name.into(),
            part.map_or(Value::Null, |part| text(parsed.slice(&part))),
        );
    }
    if let Components::Prospero { fields, .. } = &parsed.components {
        let fields = fields
            .iter()
            .map(|(name, value)| json!([text(parsed.slice(name)), text(parsed.slice(value))]));
        object.insert("fields".into(), fields.collect());
    }
    Value::Object(object)
}

#[test]
fn validate() {
    let mut wrong = Vec::new();
    for vector in vectors("validate.jsonl") {
        let url = vector["url"].as_str().unwrap();
        let parsed = parse(url.as_bytes());
        let found = json!({
            "valid": parsed.is_valid(),
            "scheme": parsed.scheme().map(str::to_ascii_lowercase),
            "problems": parsed.problems.iter().map(|problem| json!({
                "kind": problem.kind.name(),
                "span": [problem.range.start, problem.range.end],
            })).collect::<Vec<_>>(),
        });
        let mut expected = json!({"valid": vector["valid"], "scheme": vector["scheme"], "problems": vector["problems"]});
        if expected["problems"].is_null() {
            expected["problems"] = json!([]);
        }
        let components_differ = parsed.is_valid() && components(&parsed) != vector["components"];
        if found != expected || components_differ {
            wrong.push(format!(
                "{url:?}\n  expected {expected}\n  {}\n  found    {found}\n  {}",
                vector["components"],
                components(&parsed)
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
