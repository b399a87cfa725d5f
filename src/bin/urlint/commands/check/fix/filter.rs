//! Which diagnostics are fixed: only those that would be reported.

use urlint::Diagnostic;
use urlint::lint::Suppressions;

use crate::commands::check::baseline::{Baseline, Known};
use crate::flags::MAX_MARKED;
use crate::walk::Input;

/// Knows which diagnostics of a source are reported: those that are not dropped by a suppression
/// comment, the baseline or `--min-severity`.
pub(super) struct ReportedFilter<'s> {
    input: &'s Input<'s>,
    suppressions: Suppressions,
    known: Option<Known>,
}

impl<'s> ReportedFilter<'s> {
    /// `start` is the source, or its beginning.
    pub(super) fn new(input: &'s Input<'s>, start: &[u8], baseline: Option<&Baseline>) -> Self {
        ReportedFilter {
            input,
            suppressions: Suppressions::of(&start[..start.len().min(MAX_MARKED)]),
            known: baseline.and_then(Baseline::known).cloned(),
        }
    }

    /// Returns whether `diagnostic` would be reported.
    pub(super) fn has(&mut self, diagnostic: &Diagnostic) -> bool {
        let mut is_known = |known: &mut Known| known.takes(self.input.name, diagnostic);
        !self.suppressions.suppresses(diagnostic)
            && diagnostic.severity >= self.input.settings.resolved.min_severity
            && !self.known.as_mut().is_some_and(&mut is_known)
    }
}
