//! How diagnostics are printed: one small file for each format.

mod concise;
mod full;
pub(crate) mod json;
mod json_lines;
mod statistics;

use std::io::{self, Write};

use urlint::Diagnostic;

use crate::source::Place;

pub(crate) use concise::Concise;
pub(crate) use full::Full;
pub(crate) use json_lines::JsonLines;
pub(crate) use statistics::Statistics;

/// A format that diagnostics are printed in.
pub(crate) trait Report {
    /// Takes the next diagnostic, of the source that goes by the name of `path`.
    fn report(
        &mut self,
        out: &mut dyn Write,
        path: &[u8],
        place: &Place<'_>,
        diagnostic: &Diagnostic,
    ) -> io::Result<()>;

    /// Prints what there is to say behind the last diagnostic.
    fn finish(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
