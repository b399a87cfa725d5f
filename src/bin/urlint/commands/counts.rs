//! How much was found, in words.

use std::fmt;

use urlint::{Applicability, Diagnostic, Severity};

use super::count;
use crate::walk::Totals;

/// How much was found.
#[derive(Default)]
pub(super) struct Counts {
    errors: u64,
    warnings: u64,
    hints: u64,
    /// In how many sources.
    pub(super) files: u64,
    /// Of how many there is a fix that `--fix` makes …
    fixable: u64,
    /// … and of how many one that it makes with `--unsafe-fixes`.
    unsafely: u64,
}

impl Counts {
    /// Counts a diagnostic. `least`: what fixes are made of, if any are.
    pub(super) fn add(&mut self, diagnostic: &Diagnostic, least: Option<Applicability>) {
        let rank = diagnostic.fix.as_ref().map(|fix| fix.applicability);
        if let (Some(rank), Some(least)) = (rank, least) {
            self.fixable += u64::from(rank >= least);
            self.unsafely += u64::from(rank < least && rank == Applicability::Unsafe);
        }
        match diagnostic.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Hint => self.hints += 1,
        }
    }

    pub(super) fn all(&self) -> u64 {
        self.errors + self.warnings + self.hints
    }

    /// What `--fix` would do, if it would do anything.
    pub(super) fn fixable(&self) -> Option<String> {
        match (self.fixable, self.unsafely) {
            (0, 0) => None,
            (safely, 0) => Some(format!("{safely} can be fixed with `--fix`.")),
            (0, unsafely) => Some(format!(
                "{unsafely} can be fixed with `--fix --unsafe-fixes`."
            )),
            (safely, unsafely) => Some(format!(
                "{safely} can be fixed with `--fix`, {unsafely} more with `--unsafe-fixes`."
            )),
        }
    }

    /// Whether there is more than hints.
    pub(super) fn are_faults(&self) -> bool {
        self.errors + self.warnings > 0
    }

    /// `Found 3 errors, 1 warning in 2 files.`
    pub(super) fn summary(&self, tally: Totals) -> String {
        match self.all() {
            0 => format!("Nothing to report in {}.", count(tally.read, "file")),
            _ => format!("Found {self} in {}.", count(self.files, "file")),
        }
    }

    /// What is left where something was fixed: `4 remain: 3 errors, 1 warning in 2 files.`
    pub(super) fn remaining(&self) -> String {
        match self.all() {
            0 => "nothing remains.".to_owned(),
            all => {
                let verb = if all == 1 { "remains" } else { "remain" };
                format!("{all} {verb}: {self} in {}.", count(self.files, "file"))
            }
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.errors, "error"),
            (self.warnings, "warning"),
            (self.hints, "hint"),
        ];
        let counts: Vec<_> = counts
            .into_iter()
            .filter(|&(number, _)| number > 0)
            .map(|(number, noun)| count(number, noun))
            .collect();
        f.write_str(&counts.join(", "))
    }
}
