//! GitLab's code quality report.

use super::json::Value::{self, Number, Object, Text};
use super::json::in_utf8;
use super::{Fingerprints, PlacedDiagnostic, by_severity};

/// Returns the issue for a diagnostic.
pub(super) fn issue<'d>(
    placed: &PlacedDiagnostic<'d>,
    fingerprints: &mut Fingerprints,
) -> Value<'d> {
    let diagnostic = placed.diagnostic;
    let fingerprint = fingerprints.next(placed.path, diagnostic);
    let severity = by_severity(diagnostic.severity, ["major", "minor", "info"]);
    let lines = Object(vec![("begin", Number(placed.start().line))]);
    Object(vec![
        ("description", Text(placed.message_with_url().into())),
        ("check_name", Text(diagnostic.rule.name().into())),
        ("fingerprint", Text(fingerprint.into())),
        ("severity", Text(severity.into())),
        (
            "location",
            Object(vec![("path", Text(in_utf8(placed.path))), ("lines", lines)]),
        ),
    ])
}
