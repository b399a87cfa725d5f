//! Reviewdog's diagnostic format. Its columns count bytes.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use urlint::Severity;
use urlint::lint::{Applicability, Edit};
use urlint::text::Position;

use super::excerpt::Place;
use super::json::{self, Text};
use super::{PlacedDiagnostic, Report};

const OPENING: &[u8] = br#"{"source":{"name":"urlint"},"diagnostics":["#;

#[derive(Default)]
pub(crate) struct Rdjson {
    items: json::Items,
}

#[derive(Serialize)]
struct Object<'d> {
    message: Cow<'d, str>,
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
    fn report(&mut self, out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
        let (place, diagnostic) = (placed.place, placed.diagnostic);
        let first = diagnostic.first_place();
        let suggestions = suggestions(placed).iter().map(|edit| Suggestion {
            range: Range::new(place, edit.span.start, edit.span.end),
            text: &edit.replacement,
        });
        let object = Object {
            message: message(placed),
            location: Location {
                path: Text(placed.path),
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

/// Returns the edits of the fix if it is offered and has only one, since a user can accept each
/// suggestion without the others.
fn suggestions<'f>(placed: &PlacedDiagnostic<'f>) -> &'f [Edit] {
    match placed.offered_fix() {
        Some(fix) if fix.edits.len() == 1 => &fix.edits,
        _ => &[],
    }
}

/// Returns the message, which marks a fix that is not safe.
fn message<'f>(placed: &PlacedDiagnostic<'f>) -> Cow<'f, str> {
    let message = &placed.diagnostic.message;
    match &placed.diagnostic.fix {
        Some(fix) if fix.applicability == Applicability::Unsafe => {
            format!("{message} (unsafe fix: {})", fix.message).into()
        }
        _ => message.into(),
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
