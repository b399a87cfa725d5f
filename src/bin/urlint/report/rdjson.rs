//! Reviewdog's diagnostic format. Its columns count bytes.

use std::io::{self, Write};

use serde::Serialize;
use urlint::lint::{Applicability, Edit};
use urlint::text::Position;
use urlint::{Diagnostic, Severity};

use super::excerpt::Place;
use super::json::{self, Text};
use super::{Finding, Report};

const OPENING: &[u8] = br#"{"source":{"name":"urlint"},"diagnostics":["#;

#[derive(Default)]
pub(crate) struct Rdjson {
    items: json::Items,
}

#[derive(Serialize)]
struct Object<'d> {
    message: &'d str,
    location: Location<'d>,
    severity: &'d str,
    code: Code<'d>,
    suggestions: Vec<Suggestion<'d>>,
}

#[derive(Serialize)]
struct Location<'d> {
    path: Text<&'d [u8]>,
    range: Range,
}

#[derive(Serialize)]
struct Code<'d> {
    value: &'d str,
}

#[derive(Serialize)]
struct Suggestion<'d> {
    range: Range,
    text: &'d str,
}

#[derive(Serialize)]
struct Range {
    start: Point,
    end: Point,
}

#[derive(Serialize)]
struct Point {
    line: u64,
    column: u64,
}

impl Report for Rdjson {
    fn report(&mut self, out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
        let Finding {
            path,
            place,
            diagnostic,
        } = *finding;
        let first = diagnostic.first_place();
        let suggestions = suggestions(diagnostic).iter().map(|edit| Suggestion {
            range: Range::new(place, edit.span.start, edit.span.end),
            text: &edit.replacement,
        });
        let object = Object {
            message: &diagnostic.message,
            location: Location {
                path: Text(path),
                range: Range::new(place, first.start, first.end),
            },
            severity: match diagnostic.severity {
                Severity::Error => "ERROR",
                Severity::Warning => "WARNING",
                Severity::Hint => "INFO",
            },
            code: Code {
                value: diagnostic.rule.name(),
            },
            suggestions: suggestions.collect(),
        };
        self.items.add(out, OPENING, &object)
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.items.end(out, OPENING, b"]}\n")
    }
}

/// Returns the edits of the fix if they can be suggested: not if it is for display only, and only
/// if there is one edit, since a reader can accept each suggestion without the others.
fn suggestions(diagnostic: &Diagnostic) -> &[Edit] {
    match &diagnostic.fix {
        Some(fix) if fix.applicability > Applicability::DisplayOnly && fix.edits.len() == 1 => {
            &fix.edits
        }
        _ => &[],
    }
}

impl Range {
    fn new(place: &Place<'_>, start: u64, end: u64) -> Self {
        let point = |offset| {
            let Position { line, column } = place.locate_bytes(offset);
            Point { line, column }
        };
        Range {
            start: point(start),
            end: point(end),
        }
    }
}
