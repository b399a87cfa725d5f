//! Diagnostics in the form of the protocol.

use serde_json::{Value, json};
use urlint_lint::{Applicability, Diagnostic, Rule};

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
        "message": message_with_notes(diagnostic) + &by_hand(diagnostic).unwrap_or_default(),
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

/// Returns a line that says how to mend the URL, if no action does.
fn by_hand(diagnostic: &Diagnostic) -> Option<String> {
    let fix = diagnostic.fix.as_ref()?;
    if fix.applicability != Applicability::DisplayOnly && !fix.edits.is_empty() {
        return None;
    }
    let message = terminal::line(fix.message.as_bytes());
    Some(match fix.edits.as_slice() {
        [edit] if diagnostic.password.is_none() && !edit.replacement.is_empty() => {
            let new = terminal::line(edit.replacement.as_bytes());
            format!("\nBy hand: {message}: {new}")
        }
        _ => format!("\nBy hand: {message}"),
    })
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
