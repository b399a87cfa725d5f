//! Workflow commands of GitHub Actions, which shows them as annotations in the files.

use std::fmt::Write as _;
use std::io::{self, Write};

use urlint::Severity;

use super::{PlacedDiagnostic, Render, Report};
use crate::terminal;

pub(crate) struct Github;

impl Report for Github {
    fn report(&mut self, out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
        self.render(out, placed)
    }

    fn renderer(&self) -> Option<Box<dyn Render>> {
        Some(Box::new(Github))
    }
}

impl Render for Github {
    fn render(&self, out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
        let diagnostic = placed.diagnostic;
        let (start, end) = placed.place.range(diagnostic);
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "notice",
        };
        let file = property(&terminal::line(placed.path));
        write!(out, "::{command} file={file},line={}", start.line)?;
        // GitHub accepts columns only for a range within one line.
        if start.line == end.line {
            let last = end.column.max(start.column + 1) - 1;
            write!(out, ",col={},endColumn={last}", start.column)?;
        } else {
            write!(out, ",endLine={}", end.line)?;
        }
        let mut message = placed.message_with_url();
        for note in &diagnostic.notes {
            // Writing to a `String` never fails.
            let _ = write!(message, "\n{note}");
        }
        let title = property(diagnostic.rule.name());
        writeln!(out, ",title={title}::{}", data(&message))
    }
}

/// Escapes a message.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D");
    let lines: Vec<_> = text
        .split('\n')
        .map(|line| terminal::line(line.as_bytes()))
        .collect();
    lines.join("%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
