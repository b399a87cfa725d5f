//! The answers of urlint to conformance vectors, in their own form.

use serde_json::{Value, json};
use urlint::find::{Delimiter, Flag};
use urlint::standard::rfc1738::{Parsed, parse};
use urlint::view::quoted_printable;
use urlint::{Candidate, Finder};

/// Returns the objects of a file, one a line.
pub(crate) fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Returns the other values of a vector about the validity of `url`: `valid`, `scheme`, and
/// `components` if it is valid, `problems` if not.
pub(crate) fn judged(url: &str) -> Value {
    let parsed = parse(url.as_bytes());
    let scheme = parsed.scheme();
    if parsed.is_valid() {
        return json!({"valid": true, "scheme": scheme, "components": components(&parsed)});
    }
    let problems = parsed.problems.iter().map(|problem| {
        json!({
            "kind": problem.kind.name(),
            "span": [problem.part.start, problem.part.end],
        })
    });
    json!({"valid": false, "scheme": scheme, "problems": problems.collect::<Value>()})
}

/// Returns the expectations of a vector about the wrappers of `text`, its flags sorted. The text is
/// quoted-printable if `is_quoted`.
pub(crate) fn wrapped(text: &str, is_quoted: bool) -> Value {
    let described = |candidates: &mut dyn Iterator<Item = Candidate<'_>>| {
        candidates
            .filter(|candidate| candidate.delimiter == Delimiter::Wrapper)
            .map(|candidate| described(&candidate))
            .collect::<Value>()
    };
    if is_quoted {
        let view = quoted_printable(text.as_bytes());
        described(&mut view.find(&Finder::default()))
    } else {
        described(&mut urlint::find(text.as_bytes()))
    }
}

/// Returns how the vectors differ from the answers of urlint. `judge` returns the expected and the actual
/// answer to one.
pub(crate) fn differences(vectors: &[Value], judge: impl Fn(&Value) -> (Value, Value)) -> String {
    let mut wrong = String::new();
    for vector in vectors {
        let (expected, found) = judge(vector);
        if expected != found {
            wrong += &format!("{vector}\n  expected {expected}\n  found    {found}\n");
        }
    }
    wrong
}

fn text(bytes: &[u8]) -> Value {
    Value::from(std::str::from_utf8(bytes).unwrap())
}

fn components(parsed: &Parsed<'_>) -> Value {
    let mut object = serde_json::Map::new();
    let parts = parsed.named_parts();
    let (fields, parts): (Vec<_>, Vec<_>) = parts
        .into_iter()
        .partition(|(name, _)| name.starts_with("field"));
    for (name, part) in parts {
        object.insert(
            name.into(),
            part.map_or(Value::Null, |part| text(parsed.slice(part))),
        );
    }
    if object.contains_key("hsoname") {
        let fields = fields.into_iter().filter_map(|(_, part)| part);
        let fields: Vec<_> = fields.map(|part| text(parsed.slice(part))).collect();
        object.insert("fields".into(), fields.chunks(2).collect());
    }
    Value::Object(object)
}

fn described(candidate: &Candidate<'_>) -> Value {
    let alternates = candidate.alternatives.iter();
    let mut flags = candidate.flags.iter().map(Flag::name).collect();
    sort(&mut flags);
    json!({
        "url": text(candidate.url()),
        "fragment": candidate.fragment().map(text),
        "outer": [candidate.outer.start, candidate.outer.end],
        "alternates": alternates.map(|other| text(&other.text)).collect::<Vec<_>>(),
        "flags": flags,
    })
}

pub(crate) fn sort(names: &mut Value) {
    names
        .as_array_mut()
        .unwrap()
        .sort_by_key(|name| name.as_str().map(str::to_owned));
}
