//! Which diagnostics are fixed: only those that would be reported.

use urlint::{Diagnostic, Found, Suppressions};

use crate::commands::baseline::Baseline;
use crate::commands::check::MAX_MARKED;
use crate::commands::secrets::Secrets;
use crate::walk::Input;

/// Drops the diagnostics of a source that a suppression comment, the baseline or `--min-severity`
/// keeps from being reported.
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

    /// Hands each diagnostic of a candidate that would be reported to `take`.
    pub(super) fn each(&mut self, found: &Found<'_>, take: &mut dyn FnMut(Diagnostic)) {
        let settings = self.input.settings;
        found.lint(settings.lint(), &mut |diagnostic| {
            // The baseline has diagnostics without passwords.
            let mut is_known = |baseline: &mut Baseline| {
                let mut shown = diagnostic.clone();
                Secrets::of(found).scrub(&mut shown);
                baseline.knows(self.input.name, &shown)
            };
            let is_dropped = self.suppressions.suppress(&diagnostic)
                || diagnostic.severity < settings.resolved.min_severity
                || self.baseline.as_mut().is_some_and(&mut is_known);
            if !is_dropped {
                take(diagnostic);
            }
        });
    }
}
