//! `path:line:column: severity[rule] message`, a line for each diagnostic.

use std::io::{self, Write};

use urlint::Diagnostic;

use super::excerpt::Place;
use super::{Render, Report};
use crate::terminal;

pub(crate) struct Concise;

impl Report for Concise {
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
        Some(Box::new(Concise))
    }
}

impl Render for Concise {
    fn render(
        &self,
        out: &mut dyn Write,
        path: &[u8],
        place: &Place<'_>,
        diagnostic: &Diagnostic,
    ) -> io::Result<()> {
        let start = place.locate(diagnostic.spans.start());
        writeln!(
            out,
            "{}:{}:{}: {}[{}] {}",
            terminal::line(&place.part.within(path)),
            start.line,
            start.column,
            diagnostic.severity,
            diagnostic.rule,
            terminal::line(diagnostic.message.as_bytes()),
        )
    }
}
