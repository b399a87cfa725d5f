//! SARIF 2.1.0, the Static Analysis Results Interchange Format.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde_json::{Value, json};
use urlint_lint::{Diagnostic, Fix, Rule, Severity};
use urlint_standard::Span;
use urlint_standard::standard::Standard;

use super::excerpt::Place;
use super::json::Items;
use super::{
    Fingerprints, PlacedDiagnostic, Report, by_severity, documentation, message_with_notes,
    references, url_of_section,
};
use crate::terminal;

/// A log with one run, whose results are written one by one.
pub(super) struct Sarif {
    items: Items,
    fingerprints: Fingerprints,
    /// The standards of the results.
    standards: BTreeSet<Standard>,
    /// The rules of the results, in the order of their indices.
    rules: Vec<Rule>,
}

impl Sarif {
    pub(super) fn new() -> Self {
        Sarif {
            items: Items::new(OPENING),
            fingerprints: Fingerprints::default(),
            standards: BTreeSet::new(),
            rules: Vec::new(),
        }
    }
}

impl Report for Sarif {
    fn report(&mut self, out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
        let fingerprint = self.fingerprints.next(placed.path, placed.diagnostic);
        let rule = placed.diagnostic.rule;
        let index = self.rules.iter().position(|known| *known == rule);
        let index = index.unwrap_or_else(|| {
            self.rules.push(rule);
            self.rules.len() - 1
        });
        let result = result(placed, index, &fingerprint);
        self.standards.insert(placed.diagnostic.standard);
        self.items.add(out, &result)
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        // Files may be judged by different standards.
        let standards = self.standards.iter().map(|standard| standard.name());
        let properties = json!({ "standards": standards.collect::<Vec<_>>() });
        let driver = driver(&self.rules);
        let closing =
            format!("],\"properties\":{properties},\"tool\":{{\"driver\":{driver}}}}}]}}");
        self.items.end(out, &closing)
    }
}

/// The log up to its results. The rules follow them, since only those that reported something are described. By
/// the generator, urlint knows the file.
const OPENING: &str = "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\
    \"properties\":{\"generator\":\"urlint\"},\"runs\":[{\"columnKind\":\"unicodeCodePoints\",\"results\":[";

fn driver(rules: &[Rule]) -> Value {
    let rules: Vec<_> = rules.iter().map(|&rule| descriptor(rule)).collect();
    let mut driver = json!({
        "name": "urlint",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    });
    let homes = [env!("CARGO_PKG_HOMEPAGE"), env!("CARGO_PKG_REPOSITORY")];
    if let Some(home) = homes.into_iter().find(|home| !home.is_empty()) {
        driver["informationUri"] = json!(home);
    }
    driver
}

fn descriptor(rule: Rule) -> Value {
    let markdown = documentation(rule);
    let text = markdown.replace('`', "");
    let sections = references(rule).join("; ");
    let mut descriptor = json!({
        "id": rule.name(),
        "shortDescription": { "text": markdown.lines().next() },
        "fullDescription": { "text": text, "markdown": markdown },
        "help": {
            "text": format!("{text}\n\n{sections}"),
            "markdown": format!("{markdown}\n\n{sections}"),
        },
        "defaultConfiguration": { "level": level(rule.severity()) },
        "properties": { "tags": [rule.group().name()] },
    });
    if let Some(url) = references(rule).into_iter().find_map(url_of_section) {
        descriptor["helpUri"] = json!(url);
    }
    descriptor
}

fn level(severity: Severity) -> &'static str {
    by_severity(severity, ["error", "warning", "note"])
}

fn result(placed: &PlacedDiagnostic<'_>, index: usize, fingerprint: &str) -> Value {
    let (place, diagnostic) = (placed.place, placed.diagnostic);
    let uri = uri(placed.path);
    let first = diagnostic.first_place();
    // Readers take `[text](URL)` in a message for a link.
    let text = message_with_notes(diagnostic).replace("](", "\\](");
    let mut result = json!({
        "ruleId": diagnostic.rule.name(),
        "ruleIndex": index,
        "level": level(diagnostic.severity),
        "message": { "text": text },
        "locations": [location(&uri, place, first)],
        "partialFingerprints": { "urlint/v1": fingerprint },
        "properties": {
            "url": diagnostic.url.as_deref().unwrap_or_default(),
            "alternatives": diagnostic.alternatives,
            "standard": diagnostic.standard.name(),
            "reference": diagnostic.reference(),
        },
    });
    if let Some(member) = place.part.name() {
        result["locations"][0]["logicalLocations"] =
            json!([{ "name": terminal::line(&member), "kind": "member" }]);
    }
    let related: Vec<_> = related(diagnostic)
        .enumerate()
        .map(|(index, (span, text))| {
            let mut related = location(&uri, place, span);
            related["id"] = json!(index + 1);
            related["message"] = json!({ "text": text });
            related
        })
        .collect();
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    if let Some(fix) = placed.offered_fix() {
        result["fixes"] = json!([self::fix(&uri, place, fix)]);
    }
    // Other fixes are only described, so that a program that applies all fixes of a log does not make them.
    if let Some(fix) = &diagnostic.fix {
        result["properties"]["fix"] =
            json!({ "applicability": fix.applicability.name(), "message": fix.message });
    }
    result
}

/// Returns the further spans of a diagnostic and the pieces of a broken URL, each with a message. SARIF
/// would allow several `locations` here, since the fix changes all of them, but viewers show only the
/// first; they show all related locations.
pub fn related(diagnostic: &Diagnostic) -> impl Iterator<Item = (Span, String)> + '_ {
    let is_one = diagnostic.parts.len() < 2;
    let others = diagnostic.spans.iter().skip(1).filter(move |_| !is_one);
    let others = others.map(|span| (span, "and here".to_owned()));
    let is_whole = diagnostic.pieces.iter().count() == 1;
    let pieces = diagnostic.pieces.iter().enumerate();
    let pieces = pieces.filter(move |_| !is_whole);
    let pieces = pieces.map(|(index, piece)| (piece, format!("piece {} of the URL", index + 1)));
    others.chain(pieces)
}

fn fix(uri: &str, place: &Place<'_>, fix: &Fix) -> Value {
    let replacements = fix.edits.iter().map(|edit| {
        json!({
            "deletedRegion": region(place, edit.span),
            "insertedContent": { "text": edit.replacement },
        })
    });
    json!({
        "description": { "text": fix.message },
        "artifactChanges": [{
            "artifactLocation": { "uri": uri },
            "replacements": replacements.collect::<Value>(),
        }],
    })
}

fn location(uri: &str, place: &Place<'_>, span: Span) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri },
            "region": region(place, span),
        },
    })
}

fn region(place: &Place<'_>, span: Span) -> Value {
    let (start, end) = (place.locate(span.start), place.locate(span.end));
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
        "byteOffset": span.start,
        "byteLength": span.len(),
    })
}

/// Returns a path as a URI reference: a relative one as it is, an absolute one as a `file:` URL.
fn uri(path: &[u8]) -> String {
    let mut uri = String::from(if path.starts_with(b"/") {
        "file://"
    } else {
        ""
    });
    for &byte in path {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(char::from(byte));
            }
            b'\\' if cfg!(windows) => uri.push('/'),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_of_an_rfc_has_the_address_of_its_section() {
        for &rule in Rule::ALL {
            // By any standard that speaks of it.
            let mut references = Standard::ALL.iter().filter_map(|by| rule.reference(*by));
            let is_rfc = references.any(|reference| reference.starts_with("RFC "));
            assert_eq!(descriptor(rule)["helpUri"].is_string(), is_rfc, "{rule}");
        }
    }
}
