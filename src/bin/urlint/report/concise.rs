//! `path:line:column: severity[rule] message`, a line for each diagnostic.

use std::io::{self, Write};

use super::{Finding, Render, Report};
use crate::terminal;

pub(crate) struct Concise;

impl Report for Concise {
    fn report(&mut self, out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
        self.render(out, finding)
    }

    fn renderer(&self) -> Option<Box<dyn Render>> {
        Some(Box::new(Concise))
    }
}

impl Render for Concise {
    fn render(&self, out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
        let (start, diagnostic) = (finding.start(), finding.diagnostic);
        let line = format!(
            "{}:{}:{}: {}[{}] {}\n",
            terminal::line(&finding.place.part.within(finding.path)),
            start.line,
            start.column,
            diagnostic.severity,
            diagnostic.rule,
            terminal::line(diagnostic.message.as_bytes()),
        );
        out.write_all(terminal::without_commands(&line).as_bytes())
    }
}
