//! Passes diagnostics to the reports, on the main thread, in the order of the sources.

use std::sync::Arc;

use urlint_engine::Name;
use urlint_report::PlacedDiagnostic;

use super::baseline::NewBaseline;
use super::batch::{DiagnosticBatch, Reported};
use super::reports::Reports;
use crate::error::Error;
use crate::output::summary::Counts;

/// Counts diagnostics, and prints those that do not go into a new baseline.
pub(super) struct Reporter<'o> {
    reports: Reports<'o>,
    baseline: Option<NewBaseline>,
    found: Counts,
    /// The source of the last diagnostic that was counted.
    source: Option<Arc<Name>>,
}

impl<'o> Reporter<'o> {
    pub(super) fn new(reports: Reports<'o>, baseline: Option<NewBaseline>) -> Self {
        Reporter {
            reports,
            baseline,
            found: Counts::default(),
            source: None,
        }
    }

    /// Takes all diagnostics of a batch; returns how many of them are reported.
    pub(super) fn take(&mut self, batch: DiagnosticBatch) -> Result<u64, Error> {
        let before = self.found.all();
        for reported in &batch.diagnostics {
            self.report(reported, &batch.bytes)?;
        }
        Ok(self.found.all() - before)
    }

    fn report(&mut self, reported: &Reported, bytes: &[u8]) -> Result<(), Error> {
        let (name, diagnostic) = (&reported.name, &reported.diagnostic);
        if let Some(baseline) = &mut self.baseline {
            baseline.add(name, diagnostic);
            return Ok(());
        }
        if !(self.source.as_ref()).is_some_and(|source| Arc::ptr_eq(source, name)) {
            self.source = Some(name.clone());
            self.found.files += 1;
        }
        self.found.add(diagnostic, reported.least);
        self.reports.report(&PlacedDiagnostic {
            path: name.file(),
            place: &reported.place(bytes),
            diagnostic,
            least: reported.least,
        })
    }

    /// Ends the reports. `is_whole`: all sources have been checked; otherwise files stay as they were.
    /// Returns the counts.
    pub(super) fn finish(mut self, is_whole: bool) -> Result<Counts, Error> {
        self.found.folded = self.reports.folded();
        self.reports.finish(is_whole)?;
        if let Some(baseline) = self.baseline.filter(|_| is_whole) {
            self.found.known = baseline.finish()?;
        }
        Ok(self.found)
    }
}
