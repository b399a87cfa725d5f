//! The conformance vectors beside the project, where they are: every problem, span and component
//! exact; and every wrapped URL with its place, its readings and its flags.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::print_stderr, reason = "what was skipped is to be seen")]

use std::path::Path;

use serde_json::{Value, json};
use urlint::rfc1738::{Components, Parsed, parse};
use urlint::view::quoted_printable;
use urlint::{Candidate, Delimiter, Finder, Flag};

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
    for (name, part) in parsed.components.named_parts() {
        object.insert(
            name.into(),
            part.map_or(Value::Null, |part| text(parsed.slice(part))),
        );
    }
    if let Components::Prospero { fields, .. } = &parsed.components {
        let fields = fields
            .iter()
            .map(|(name, value)| json!([text(parsed.slice(*name)), text(parsed.slice(*value))]));
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
                "span": [problem.part.start, problem.part.end],
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

#[test]
fn extract() {
    let mut wrong = Vec::new();
    for vector in vectors("extract.jsonl") {
        let source = vector["text"].as_str().unwrap();
        let all_described = |candidates: &mut dyn Iterator<Item = Candidate<'_>>| {
            candidates
                .filter(|candidate| candidate.delimiter == Delimiter::Wrapper)
                .map(|candidate| described(&candidate))
                .collect::<Value>()
        };
        let found: Value = if vector["options"]["qp"] == true {
            let view = quoted_printable(source.as_bytes());
            all_described(&mut view.find(&Finder::default()))
        } else {
            all_described(&mut urlint::find(source.as_bytes()))
        };
        let mut expected = vector["expect"].clone();
        for url in expected.as_array_mut().unwrap() {
            sort(&mut url["flags"]);
        }
        if found != expected {
            wrong.push(format!(
                "{} {source:?}\n  expected {expected}\n  found    {found}",
                vector["id"]
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

fn described(candidate: &Candidate<'_>) -> Value {
    let alternates = candidate.alternatives.iter();
    let mut flags = candidate.flags.iter().map(flag_name).collect();
    sort(&mut flags);
    json!({
        "url": text(candidate.url()),
        "fragment": candidate.fragment().map(text),
        "outer": [candidate.outer.start, candidate.outer.end],
        "alternates": alternates.map(|other| text(&other.text)).collect::<Vec<_>>(),
        "flags": flags,
    })
}

fn sort(names: &mut Value) {
    names
        .as_array_mut()
        .unwrap()
        .sort_by_key(|name| name.as_str().map(str::to_owned));
}

/// The vectors' names, which are those of the rules but for the first.
fn flag_name(flag: Flag) -> &'static str {
    match flag {
        Flag::Unterminated => "unterminated",
        Flag::Empty => "empty",
        Flag::InteriorSpace => "interior-space",
        Flag::AmbiguousHyphen => "ambiguous-hyphen",
        Flag::HyphenResolved => "hyphen-resolved",
        Flag::PossibleQpSoftBreak => "possible-qp-soft-break",
        Flag::BrokenUrl => "broken-url",
        Flag::PrefixCase => "prefix-case",
        Flag::QuotePrefix => "quote-prefix",
        Flag::QuoteDepthChange => "quote-depth-change",
        Flag::PageBreak => "page-break",
        Flag::TooLong => "too-long",
        other => unreachable!("{other:?} is a new flag"),
    }
}
