//! `path:line:column: severity[rule] message`, a line for each diagnostic.

use std::io::{self, Write};

use super::PlacedDiagnostic;
use crate::terminal;

/// Writes the line of a diagnostic.
pub(super) fn line(out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
    let (start, diagnostic) = (placed.start(), placed.diagnostic);
    let line = format!(
        "{}:{}:{}: {}[{}] {}\n",
        terminal::line(&placed.place.part.within(placed.path)),
        start.line,
        start.column,
        diagnostic.severity,
        diagnostic.rule,
        terminal::line(diagnostic.message.as_bytes()),
    );
    out.write_all(terminal::without_commands(&line).as_bytes())
}
