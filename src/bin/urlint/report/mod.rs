//! The reports of diagnostics: a file for each output format, listed in `format`.

mod concise;
pub(crate) mod excerpt;
mod fingerprint;
mod format;
mod full;
mod github;
mod gitlab;
pub(crate) mod json;
mod json_lines;
mod rdjson;
mod sarif;
mod statistics;
mod xml;

use std::io::{self, Write};

use urlint::Diagnostic;
use urlint::text::Position;

use excerpt::Place;
use fingerprint::Fingerprints;
pub(crate) use format::{Format, OutputSpec};
pub(crate) use full::with_place;

/// A diagnostic and where it is.
#[derive(Clone, Copy)]
pub(crate) struct Finding<'f> {
    /// The name of the file.
    pub(crate) path: &'f [u8],
    pub(crate) place: &'f Place<'f>,
    pub(crate) diagnostic: &'f Diagnostic,
}

impl Finding<'_> {
    /// Returns the line and column of the first byte at fault.
    fn start(&self) -> Position {
        self.place.locate(self.diagnostic.spans.start())
    }
}

/// Writes diagnostics in one format.
pub(crate) trait Report {
    /// Writes the next diagnostic.
    fn report(&mut self, out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()>;

    /// Returns what renders diagnostics for this report on any thread, or `None` if what is written of
    /// a diagnostic depends on others.
    fn renderer(&self) -> Option<Box<dyn Render>> {
        None
    }

    /// Writes the next diagnostic as the [renderer](Report::renderer) has rendered it.
    fn write_rendered(&mut self, out: &mut dyn Write, rendered: &[u8]) -> io::Result<()> {
        out.write_all(rendered)
    }

    /// Writes what follows the last diagnostic.
    fn finish(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// Renders each diagnostic by itself.
pub(crate) trait Render: Send + Sync {
    /// Writes a diagnostic.
    fn render(&self, out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()>;
}

#[cfg(test)]
mod tests;
