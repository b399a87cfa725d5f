//! `path:line:column: severity[rule] message`, a line for each diagnostic.

use std::io::{self, Write};

use urlint::Diagnostic;

use super::Report;
use crate::show;
use crate::source::Place;

pub(crate) struct Concise;

impl Report for Concise {
    fn report(
        &mut self,
        out: &mut dyn Write,
        path: &[u8],
        place: &Place<'_>,
        diagnostic: &Diagnostic,
    ) -> io::Result<()> {
        let start = place.locate(diagnostic.spans.start());
        writeln!(
            out,
            "{}:{}:{}: {}[{}] {}",
            show::line(&place.part.within(path)),
            start.line,
            start.column,
            diagnostic.severity,
            diagnostic.rule,
            show::line(diagnostic.message.as_bytes()),
        )
    }
}
