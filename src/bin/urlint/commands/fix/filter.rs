//! Which diagnostics are fixed: only those that would be reported.

use urlint::{Diagnostic, Found, Suppressions};

use crate::commands::baseline::Baseline;
use crate::commands::check::MAX_MARKED;
use crate::commands::secrets::Secrets;
use crate::walk::Input;

/// The diagnostics of a source that are reported: those that neither a suppression comment nor the
/// baseline nor `--min-severity` drops.
pub(super) struct Reported<'s> {
    input: &'s Input<'s>,
    suppressions: Suppressions,
    baseline: Option<Baseline>,
}

impl<'s> Reported<'s> {
    /// `start` is the source, or its beginning.
    pub(super) fn new(input: &'s Input<'s>, start: &[u8], baseline: Option<&Baseline>) -> Self {
        let baseline = baseline.filter(|baseline| !baseline.is_update());
        Reported {
            input,
            suppressions: Suppressions::of(&start[..start.len().min(MAX_MARKED)]),
            baseline: baseline.cloned(),
        }
    }

    /// Returns whether `diagnostic`, which is about `found`, would be reported.
    pub(super) fn has(&mut self, found: &Found<'_>, diagnostic: &Diagnostic) -> bool {
        // The baseline has diagnostics without passwords.
        let mut is_known = |baseline: &mut Baseline| {
            let mut shown = diagnostic.clone();
            Secrets::of(found).scrub(&mut shown);
            baseline.knows(self.input.name, &shown)
        };
        !self.suppressions.suppresses(diagnostic)
            && diagnostic.severity >= self.input.settings.resolved.min_severity
            && !self.baseline.as_mut().is_some_and(&mut is_known)
    }
}
