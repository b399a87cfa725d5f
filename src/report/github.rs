//! Workflow commands of GitHub Actions, which shows them as annotations in the files.

use std::io::{self, Write};

use super::{PlacedDiagnostic, by_severity};
use crate::terminal;

/// Writes the command for a diagnostic.
pub(super) fn command(out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
    let diagnostic = placed.diagnostic;
    let (start, end) = placed.place.range(diagnostic);
    let command = by_severity(diagnostic.severity, ["error", "warning", "notice"]);
    let file = property(&terminal::line(placed.path));
    write!(out, "::{command} file={file},line={}", start.line)?;
    // GitHub accepts columns only for a range within one line.
    if start.line == end.line {
        let last = end.column.max(start.column + 1) - 1;
        write!(out, ",col={},endColumn={last}", start.column)?;
    } else {
        write!(out, ",endLine={}", end.line)?;
    }
    let mut lines = vec![placed.message_with_url()];
    lines.extend_from_slice(&diagnostic.notes);
    let title = property(diagnostic.rule.name());
    writeln!(out, ",title={title}::{}", data(&lines.join("\n")))
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
