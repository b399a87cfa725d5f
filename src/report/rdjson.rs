//! Reviewdog's diagnostic format. Its columns count bytes.

use urlint_lint::{Applicability, Edit};
use urlint_standard::Span;
use urlint_standard::text::Position;

use super::json::Value::{self, Array, Number, Object, Text};
use super::json::in_utf8;
use super::{PlacedDiagnostic, by_severity};

/// Returns the object for a diagnostic.
pub(super) fn object<'d>(placed: &PlacedDiagnostic<'d>) -> Value<'d> {
    let diagnostic = placed.diagnostic;
    let point = |offset| {
        let Position { line, column } = placed.place.locate_bytes(offset);
        Object(vec![("line", Number(line)), ("column", Number(column))])
    };
    let range = |span: Span| {
        let ends = vec![("start", point(span.start)), ("end", point(span.end))];
        ("range", Object(ends))
    };
    let path = ("path", Text(in_utf8(placed.path)));
    let severity = by_severity(diagnostic.severity, ["ERROR", "WARNING", "INFO"]);
    let suggestions = suggestions(placed).iter().map(|edit| {
        let text = ("text", Text(edit.replacement.as_str().into()));
        Object(vec![range(edit.span), text])
    });
    Object(vec![
        ("message", Text(message(placed).into())),
        (
            "location",
            Object(vec![path, range(diagnostic.first_place())]),
        ),
        ("severity", Text(severity.into())),
        (
            "code",
            Object(vec![("value", Text(diagnostic.rule.name().into()))]),
        ),
        ("suggestions", Array(suggestions.collect())),
    ])
}

/// Returns the edits of the fix if it is offered and has only one, since a user can accept each
/// suggestion without the others.
fn suggestions<'f>(placed: &PlacedDiagnostic<'f>) -> &'f [Edit] {
    match placed.offered_fix() {
        Some(fix) if fix.edits.len() == 1 => &fix.edits,
        _ => &[],
    }
}

/// Returns the message, which marks a fix that is not safe.
fn message(placed: &PlacedDiagnostic<'_>) -> String {
    let message = &placed.diagnostic.message;
    match &placed.diagnostic.fix {
        Some(fix) if fix.applicability == Applicability::Unsafe => {
            format!("{message} (unsafe fix: {})", fix.message)
        }
        _ => message.clone(),
    }
}
