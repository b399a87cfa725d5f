//! Reviewdog's diagnostic format. Its columns count bytes.

use std::io::{self, Write};

use urlint::{Applicability, Diagnostic, Severity};

use super::excerpt::Place;
use super::{Report, json};

const OPENING: &[u8] = br#"{"source":{"name":"urlint"},"diagnostics":["#;

#[derive(Default)]
pub(crate) struct Rdjson {
    items: json::Items,
    line: Vec<u8>,
}

impl Report for Rdjson {
    fn report(
        &mut self,
        out: &mut dyn Write,
        path: &[u8],
        place: &Place<'_>,
        diagnostic: &Diagnostic,
    ) -> io::Result<()> {
        let (start, end) = (diagnostic.spans.start(), diagnostic.spans.end());
        self.line.clear();
        json::object(&mut self.line, |object| {
            object.string("message", diagnostic.message.as_bytes());
            json::object(object.field("location"), |location| {
                location.string("path", path);
                range(location, place, start, end);
            });
            let severity: &[u8] = match diagnostic.severity {
                Severity::Error => b"ERROR",
                Severity::Warning => b"WARNING",
                Severity::Hint => b"INFO",
            };
            object.string("severity", severity);
            json::object(object.field("code"), |code| {
                code.string("value", diagnostic.rule.name().as_bytes());
            });
            json::list(
                object.field("suggestions"),
                suggestions(diagnostic),
                |out, edit| {
                    json::object(out, |suggestion| {
                        range(suggestion, place, edit.span.start, edit.span.end);
                        suggestion.string("text", edit.replacement.as_bytes());
                    });
                },
            );
        });
        self.items.next(out, OPENING)?;
        out.write_all(&self.line)
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.items.end(out, OPENING, b"]}\n")
    }
}

/// The edits of the fix, unless it is for display only: each suggestion can be taken alone, so
/// only a fix of one edit is one.
fn suggestions(diagnostic: &Diagnostic) -> &[urlint::Edit] {
    match &diagnostic.fix {
        Some(fix) if fix.applicability > Applicability::DisplayOnly && fix.edits.len() == 1 => {
            &fix.edits
        }
        _ => &[],
    }
}

fn range(object: &mut json::Object<'_>, place: &Place<'_>, start: u64, end: u64) {
    json::object(object.field("range"), |range| {
        for (name, offset) in [("start", start), ("end", end)] {
            let position = place.locate_bytes(offset);
            json::object(range.field(name), |object| {
                object.number("line", position.line);
                object.number("column", position.column);
            });
        }
    });
}
