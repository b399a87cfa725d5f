//! Commands of GitHub's workflows, which become annotations in the files.

use std::fmt::Write as _;
use std::io::{self, Write};

use urlint::{Diagnostic, Severity};

use super::excerpt::Place;
use super::{Render, Report};
use crate::terminal;

pub(crate) struct Github;

impl Report for Github {
    fn report(
        &mut self,
        out: &mut dyn Write,
        path: &[u8],
        place: &Place<'_>,
        diagnostic: &Diagnostic,
    ) -> io::Result<()> {
        self.render(out, path, place, diagnostic)
    }

    fn renderer(&self) -> Option<Box<dyn Render>> {
        Some(Box::new(Github))
    }
}

impl Render for Github {
    fn render(
        &self,
        out: &mut dyn Write,
        path: &[u8],
        place: &Place<'_>,
        diagnostic: &Diagnostic,
    ) -> io::Result<()> {
        let (start, end) = place.range(diagnostic);
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "notice",
        };
        let file = property(&terminal::line(path));
        write!(out, "::{command} file={file},line={}", start.line)?;
        // Columns are understood only where the range is in one line.
        if start.line == end.line {
            let last = end.column.max(start.column + 1) - 1;
            write!(out, ",col={},endColumn={last}", start.column)?;
        } else {
            write!(out, ",endLine={}", end.line)?;
        }
        let mut message = diagnostic.message.clone();
        for note in &diagnostic.notes {
            // A `String` never fails.
            let _ = write!(message, "\n{note}");
        }
        let title = property(diagnostic.rule.name());
        writeln!(out, ",title={title}::{}", data(&message))
    }
}

/// A message, with what would end it escaped.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D");
    let lines: Vec<_> = text
        .split('\n')
        .map(|line| terminal::line(line.as_bytes()))
        .collect();
    lines.join("%0A")
}

/// The value of a property, with what would end it escaped.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
