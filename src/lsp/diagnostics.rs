//! Diagnostics in the form of the protocol.

use serde_json::{Value, json};
use urlint_lint::{Diagnostic, Rule};

use super::capabilities::Client;
use super::document::Document;
use urlint_report::{by_severity, message_with_notes, related, terminal, url_of_section};

/// Returns `diagnostic` for the editor. Its message and notes have no password.
pub(super) fn of(diagnostic: &Diagnostic, document: &Document, client: &Client) -> Value {
    let mut item = json!({
        "range": document.text.range(diagnostic.first_place()),
        // Some editors do not list the hints of the protocol, so a hint is sent as information.
        "severity": by_severity(diagnostic.severity, [1, 2, 3]),
        "code": diagnostic.rule.name(),
        "source": "urlint",
        "message": message_with_notes(diagnostic),
    });
    if let Some(href) =
        url_of_section(diagnostic.reference()).filter(|_| client.has_code_descriptions)
    {
        item["codeDescription"] = json!({ "href": href });
    }
    match diagnostic.rule {
        // Editors fade unnecessary text, and strike out deprecated text.
        Rule::UnusedSuppression => item["tags"] = json!([1]),
        Rule::SchemeDeprecated => item["tags"] = json!([2]),
        _ => {}
    }
    let information = information(diagnostic, document);
    if client.has_related && !information.is_empty() {
        item["relatedInformation"] = information.into();
    }
    item
}

/// Returns the further spans of the diagnostic, the pieces of a broken URL, and its other readings.
fn information(diagnostic: &Diagnostic, document: &Document) -> Vec<Value> {
    let readings = diagnostic.alternatives.iter().map(|reading| {
        let reading = terminal::line(reading.as_bytes());
        (diagnostic.outer, format!("may also be read as {reading}"))
    });
    let places = related(diagnostic).chain(readings);
    let information = places.map(|(span, message)| {
        let location = json!({ "uri": document.uri, "range": document.text.range(span) });
        json!({ "location": location, "message": message })
    });
    information.collect()
}
