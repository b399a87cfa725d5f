//! Which diagnostics are fixed: only those that would be reported.

use urlint::Diagnostic;
use urlint::lint::Suppressions;

use crate::commands::baseline::{Baseline, Known};
use crate::commands::check::MAX_MARKED;
use crate::walk::Input;

/// The diagnostics of a source that are reported: those that neither a suppression comment nor the
/// baseline nor `--min-severity` drops.
pub(super) struct Reported<'s> {
    input: &'s Input<'s>,
    suppressions: Suppressions,
    known: Option<Known>,
}

impl<'s> Reported<'s> {
    /// `start` is the source, or its beginning.
    pub(super) fn new(input: &'s Input<'s>, start: &[u8], baseline: Option<&Baseline>) -> Self {
        Reported {
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
