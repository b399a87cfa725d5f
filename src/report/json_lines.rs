//! A JSON object for each diagnostic, one on each line or all in an array. Programs rely on the keys
//! and their order.

use std::io::{self, Write};

use urlint_lint::{Edit, Fix};
use urlint_standard::text::Spans;

use super::PlacedDiagnostic;
use super::json::Value::{self, Array, Null, Number, Object, Text};
use super::json::{self, in_utf8};

/// Writes the object for a diagnostic on a line.
pub(super) fn line(out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
    json::write_line(out, &object(placed))
}

/// Returns the object for a diagnostic.
pub(super) fn object<'d>(placed: &PlacedDiagnostic<'d>) -> Value<'d> {
    let diagnostic = placed.diagnostic;
    let (start, end) = placed.place.range(diagnostic);
    let first = diagnostic.first_place();
    let member = placed.place.part.name();
    let member = member.map(|name| Text(in_utf8(&name).into_owned().into()));
    let url = diagnostic.url.as_deref().unwrap_or_default();
    let texts = |texts: &'d [String]| {
        let texts = texts.iter().map(|text| Text(text.as_str().into()));
        Array(texts.collect())
    };
    Object(vec![
        ("path", Text(in_utf8(placed.path))),
        ("member", member.unwrap_or(Null)),
        ("rule", Text(diagnostic.rule.name().into())),
        ("severity", Text(diagnostic.severity.name().into())),
        ("message", Text(diagnostic.message.as_str().into())),
        ("url", Text(url.into())),
        ("start", Number(first.start)),
        ("end", Number(first.end)),
        ("line", Number(start.line)),
        ("column", Number(start.column)),
        ("end_line", Number(end.line)),
        ("end_column", Number(end.column)),
        ("spans", pairs(&diagnostic.spans)),
        ("pieces", pairs(&diagnostic.pieces)),
        ("notes", texts(&diagnostic.notes)),
        ("alternatives", texts(&diagnostic.alternatives)),
        ("fix", diagnostic.fix.as_ref().map_or(Null, fix)),
        ("standard", Text(diagnostic.standard.name().into())),
        ("reference", Text(diagnostic.reference().into())),
    ])
}

/// Returns spans as pairs: the offset of the first byte, and of the byte after the last.
fn pairs(spans: &Spans) -> Value<'_> {
    let pair = |span: urlint_standard::Span| Array(vec![Number(span.start), Number(span.end)]);
    Array(spans.iter().map(pair).collect())
}

fn fix(fix: &Fix) -> Value<'_> {
    let edit = |edit: &'_ Edit| {
        Object(vec![
            ("start", Number(edit.span.start)),
            ("end", Number(edit.span.end)),
            ("replacement", Text(edit.replacement.clone().into())),
        ])
    };
    Object(vec![
        ("message", Text(fix.message.as_str().into())),
        ("applicability", Text(fix.applicability.name().into())),
        ("edits", Array(fix.edits.iter().map(edit).collect())),
    ])
}
