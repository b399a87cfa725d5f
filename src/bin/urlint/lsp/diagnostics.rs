//! Diagnostics in the form of the protocol.

use gen_lsp_types as lsp;
use lsp::DiagnosticSeverity;
use urlint::{Diagnostic, Rule};

use super::capabilities::Client;
use super::document::Document;
use crate::report::{by_severity, message_with_notes, related, url_of_section};
use crate::terminal;

/// Those of an error, a warning and a hint. Some editors do not list what the protocol calls a hint.
const SEVERITIES: [DiagnosticSeverity; 3] = [
    DiagnosticSeverity::Error,
    DiagnosticSeverity::Warning,
    DiagnosticSeverity::Information,
];

/// Returns `diagnostic` for the editor. Its message and notes have no password.
pub(super) fn of(diagnostic: &Diagnostic, document: &Document, client: &Client) -> lsp::Diagnostic {
    let section = url_of_section(diagnostic.reference());
    let section = section.filter(|_| client.has_code_descriptions);
    lsp::Diagnostic {
        range: document.text.range(diagnostic.first_place()),
        severity: Some(by_severity(diagnostic.severity, SEVERITIES)),
        code: Some(lsp::Code::String(diagnostic.rule.name().to_owned())),
        code_description: section.map(|href| lsp::CodeDescription { href: href.into() }),
        source: Some("urlint".to_owned()),
        message: lsp::Message::String(message_with_notes(diagnostic)),
        tags: tag(diagnostic.rule).map(|tag| vec![tag]),
        related_information: Some(information(diagnostic, document))
            .filter(|related| client.has_related && !related.is_empty()),
        data: None,
    }
}

/// Returns how editors mark what `rule` reports: faded or struck through.
fn tag(rule: Rule) -> Option<lsp::DiagnosticTag> {
    match rule {
        Rule::UnusedSuppression => Some(lsp::DiagnosticTag::Unnecessary),
        Rule::SchemeDeprecated => Some(lsp::DiagnosticTag::Deprecated),
        _ => None,
    }
}

/// Returns the further spans of the diagnostic, the pieces of a broken URL, and its other readings.
fn information(
    diagnostic: &Diagnostic,
    document: &Document,
) -> Vec<lsp::DiagnosticRelatedInformation> {
    let readings = diagnostic.alternatives.iter().map(|reading| {
        let reading = terminal::line(reading.as_bytes());
        (diagnostic.outer, format!("may also be read as {reading}"))
    });
    let places = related(diagnostic).chain(readings);
    let information = places.map(|(span, message)| lsp::DiagnosticRelatedInformation {
        location: lsp::Location {
            uri: document.uri.clone(),
            range: document.text.range(span),
        },
        message,
    });
    information.collect()
}
