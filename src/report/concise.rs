//! `path:line:column: severity[rule] message`, a line for each diagnostic.

use std::io::{self, Write};

use super::PlacedDiagnostic;
use crate::terminal;

/// Writes the line of a diagnostic.
pub(super) fn line(out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
    let diagnostic = placed.diagnostic;
    let line = format!(
        "{}: {}[{}] {}\n",
        placed.shown_place(),
        diagnostic.severity,
        diagnostic.rule,
        terminal::line(diagnostic.message.as_bytes()),
    );
    out.write_all(terminal::without_commands(&line).as_bytes())
}
