//! From diagnostics to reports, on the main thread, in the order of the sources.

use std::sync::atomic::Ordering;

use super::batch::{Batch, Entry, Reported};
use super::work::Checking;
use crate::commands::baseline::Baseline;
use crate::commands::reports::Reports;
use crate::commands::summary::Counts;
use crate::error::Error;

/// Counts diagnostics, and prints those that are not in the baseline.
pub(super) struct Reporter<'o> {
    checking: &'static Checking,
    reports: Reports<'o>,
    /// How many diagnostics are printed at most.
    most: u64,
    pub(super) baseline: Option<Baseline>,
    pub(super) found: Counts,
    /// How many diagnostics there were before the current source.
    before: u64,
}

impl<'o> Reporter<'o> {
    pub(super) fn new(
        checking: &'static Checking,
        reports: Reports<'o>,
        most: u64,
        baseline: Option<Baseline>,
    ) -> Self {
        Reporter {
            checking,
            reports,
            most,
            baseline,
            found: Counts::default(),
            before: 0,
        }
    }

    /// Takes all diagnostics of a batch; returns how many of them are not in the baseline.
    pub(super) fn take(&mut self, batch: Batch) -> Result<u64, Error> {
        let before = self.found.all();
        let (entries, bytes) = batch.into_parts();
        for entry in entries {
            match entry {
                Entry::Diagnostic(reported) => self.report(&reported, &bytes)?,
                Entry::SourceEnd => {
                    self.found.files += u64::from(self.found.all() > self.before);
                    self.before = self.found.all();
                }
            }
        }
        Ok(self.found.all() - before)
    }

    fn report(&mut self, reported: &Reported, bytes: &[u8]) -> Result<(), Error> {
        let diagnostic = &reported.diagnostic;
        if let Some(baseline) = &mut self.baseline
            && baseline.takes(&reported.name.whole, diagnostic)
        {
            return Ok(());
        }
        self.found.add(diagnostic, reported.least);
        self.found.outdated += u64::from(reported.is_outdated);
        if self.found.all() > self.most {
            self.checking.has_enough.store(true, Ordering::Relaxed);
            return Ok(());
        }
        let place = reported.place(bytes);
        let texts = reported.rendered.iter().map(|range| &bytes[range.clone()]);
        let path = &reported.name.file;
        let diagnostic = (diagnostic, reported.least);
        self.reports.report(path, place.as_ref(), diagnostic, texts)
    }

    /// Ends the reports. `is_whole`: all sources have been checked; if not, files are left as they
    /// were. Returns how many diagnostics are in the baseline.
    pub(super) fn finish(self, is_whole: bool) -> Result<(Counts, u64), Error> {
        self.reports.finish(is_whole)?;
        let known = match self.baseline {
            Some(baseline) if is_whole => baseline.finish()?,
            _ => 0,
        };
        Ok((self.found, known))
    }
}
