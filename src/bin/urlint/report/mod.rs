//! How diagnostics are printed: one small file for each format.

mod concise;
pub(crate) mod excerpt;
mod fingerprint;
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

use crate::report::excerpt::Place;

pub(crate) use concise::Concise;
pub(crate) use fingerprint::Fingerprints;
pub(crate) use full::{Full, with_place};
pub(crate) use github::Github;
pub(crate) use gitlab::Gitlab;
pub(crate) use json_lines::{Json, JsonLines};
pub(crate) use rdjson::Rdjson;
pub(crate) use sarif::Sarif;
pub(crate) use statistics::Statistics;
pub(crate) use xml::{Checkstyle, Junit};

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

    /// What renders diagnostics for this report on any thread; `None` if what is printed of a
    /// diagnostic depends on others.
    fn renderer(&self) -> Option<Box<dyn Render>> {
        None
    }

    /// Takes the next diagnostic as the [renderer](Report::renderer) has rendered it.
    fn print(&mut self, out: &mut dyn Write, rendered: &[u8]) -> io::Result<()> {
        out.write_all(rendered)
    }

    /// Prints what there is to say behind the last diagnostic.
    fn finish(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// Renders each diagnostic by itself.
pub(crate) trait Render: Send + Sync {
    /// Writes what is printed of a diagnostic of the source that goes by the name of `path`.
    fn render(
        &self,
        out: &mut dyn Write,
        path: &[u8],
        place: &Place<'_>,
        diagnostic: &Diagnostic,
    ) -> io::Result<()>;
}

#[cfg(test)]
mod tests;
