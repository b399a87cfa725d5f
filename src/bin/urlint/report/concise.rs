//! `path:line:column: severity[rule] message`, a line for each diagnostic.

use std::io::{self, Write};

use super::{Finding, Report};
use crate::terminal;

pub(crate) struct Concise;

impl Report for Concise {
    fn report(&mut self, out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
        let (start, diagnostic) = (finding.start(), finding.diagnostic);
        writeln!(
            out,
            "{}:{}:{}: {}[{}] {}",
            terminal::line(&finding.place.part.within(finding.path)),
            start.line,
            start.column,
            diagnostic.severity,
            diagnostic.rule,
            terminal::line(diagnostic.message.as_bytes()),
        )
    }
}
