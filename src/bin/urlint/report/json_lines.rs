//! A JSON object for each diagnostic, one on each line or all in an array. Programs rely on the keys
//! and their order.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use urlint::Diagnostic;
use urlint::lint::{Edit, Fix};

use super::json::{self, Pairs, Text};
use super::{PlacedDiagnostic, Render, Report};

#[derive(Default)]
pub(crate) struct JsonLines;

/// The same objects in an array.
#[derive(Default)]
pub(crate) struct Json {
    items: json::Items,
}

impl Report for Json {
    fn report(&mut self, out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
        self.items.add(out, b"[", &Object::from(placed))
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.items.end(out, b"[", b"]\n")
    }
}

impl Report for JsonLines {
    fn report(&mut self, out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
        self.render(out, placed)
    }

    fn renderer(&self) -> Option<Box<dyn Render>> {
        Some(Box::new(JsonLines))
    }
}

impl Render for JsonLines {
    fn render(&self, out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
        json::write_line(out, &Object::from(placed))
    }
}

#[derive(Serialize)]
struct Object<'d> {
    path: Text<&'d [u8]>,
    member: Option<Text<Cow<'d, [u8]>>>,
    rule: &'d str,
    severity: &'d str,
    message: &'d str,
    url: &'d str,
    start: u64,
    end: u64,
    line: u64,
    column: u64,
    end_line: u64,
    end_column: u64,
    spans: Pairs<'d>,
    pieces: Pairs<'d>,
    notes: &'d [String],
    alternatives: &'d [String],
    fix: Option<FixObject<'d>>,
    standard: &'d str,
    reference: &'d str,
}

#[derive(Serialize)]
struct FixObject<'d> {
    message: &'d str,
    applicability: &'d str,
    edits: Vec<EditObject<'d>>,
}

#[derive(Serialize)]
struct EditObject<'d> {
    start: u64,
    end: u64,
    replacement: &'d str,
}

impl<'d> From<&PlacedDiagnostic<'d>> for Object<'d> {
    fn from(placed: &PlacedDiagnostic<'d>) -> Self {
        let diagnostic: &'d Diagnostic = placed.diagnostic;
        let (start, end) = placed.place.range(diagnostic);
        let place = diagnostic.first_place();
        let edit = |edit: &'d Edit| EditObject {
            start: edit.span.start,
            end: edit.span.end,
            replacement: &edit.replacement,
        };
        let fix = |fix: &'d Fix| FixObject {
            message: &fix.message,
            applicability: fix.applicability.name(),
            edits: fix.edits.iter().map(edit).collect(),
        };
        Object {
            path: Text(placed.path),
            member: placed.place.part.name().map(Text),
            rule: diagnostic.rule.name(),
            severity: diagnostic.severity.name(),
            message: &diagnostic.message,
            url: diagnostic.url.as_deref().unwrap_or_default(),
            start: place.start,
            end: place.end,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            spans: Pairs(&diagnostic.spans),
            pieces: Pairs(&diagnostic.pieces),
            notes: &diagnostic.notes,
            alternatives: &diagnostic.alternatives,
            fix: diagnostic.fix.as_ref().map(fix),
            standard: diagnostic.standard.name(),
            reference: diagnostic.reference(),
        }
    }
}
