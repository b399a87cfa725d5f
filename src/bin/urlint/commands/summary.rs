//! The summary of a check.

use std::fmt;

use urlint::lint::Applicability;
use urlint::{Diagnostic, Severity};

use super::read::ReadArgs;
use crate::terminal::{Verbosity, complain, count, say};
use crate::walk::{PassedOver, Totals};

/// How many diagnostics there are.
#[derive(Default)]
pub(super) struct Counts {
    errors: u64,
    warnings: u64,
    hints: u64,
    /// In how many sources they are.
    pub(super) files: u64,
    /// How many `--fix` would fix.
    fixable: u64,
    /// How many more it would fix with `--unsafe-fixes`.
    unsafely: u64,
    /// How many errors by RFC 1738 are in URLs that have none by RFC 3986.
    pub(super) outdated: u64,
}

impl Counts {
    /// Counts a diagnostic. `least` is the least applicability of the fixes that would be made, or
    /// `None` if none would.
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

    /// Returns how many diagnostics there are.
    pub(super) fn all(&self) -> u64 {
        self.errors + self.warnings + self.hints
    }

    /// Returns what `--fix` would do, or `None` if that is nothing.
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

    /// Returns how many errors are none by RFC 3986, or `None` if that is so of none.
    pub(super) fn outdated(&self) -> Option<String> {
        let Counts {
            errors, outdated, ..
        } = self;
        let are = match outdated {
            0 => return None,
            1 => "is no error",
            _ => "are no errors",
        };
        let all = count(*errors, "error");
        Some(format!(
            "{outdated} of {all} {are} by RFC 3986: --standard rfc3986."
        ))
    }

    /// Returns whether there are errors or warnings.
    pub(super) fn are_faults(&self) -> bool {
        self.errors + self.warnings > 0
    }

    /// Returns `Found 3 errors, 1 warning in 2 files.`
    pub(super) fn summary(&self, tally: Totals) -> String {
        match self.all() {
            0 => format!("Nothing to report in {}.", count(tally.read, "file")),
            _ => format!("Found {self} in {}.", count(self.files, "file")),
        }
    }

    /// Returns what is left after fixing: `4 remain: 3 errors, 1 warning in 2 files.`
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

/// Says that no files were `done`, if that is so, and how many were passed over.
pub(super) fn nothing_done(totals: Totals, done: &str, args: &ReadArgs, verbosity: Verbosity) {
    if totals.read > 0 || totals.failed > 0 {
        return;
    }
    let passed = totals.passed_over;
    complain(&if passed.is_empty() {
        format!("no files {done}")
    } else {
        format!("no files {done}; {}", counted(passed, args, verbosity))
    });
}

/// Says how many files and folders were passed over, if there were any.
pub(super) fn passed_over(totals: Totals, args: &ReadArgs, verbosity: Verbosity) {
    let passed = totals.passed_over;
    if !passed.is_empty() {
        say(&format!(
            "Passed over {}.",
            counted(passed, args, verbosity)
        ));
    }
}

fn counted(passed: PassedOver, args: &ReadArgs, verbosity: Verbosity) -> String {
    if args.shows_skipped(verbosity) {
        format!("{passed}, as listed")
    } else {
        format!("{passed}: --show-skipped lists them")
    }
}

/// Says how many warnings about documents were not printed, if there were any.
pub(super) fn notices(totals: Totals) {
    if totals.notices > 0 {
        let warnings = count(totals.notices, "warning");
        say(&format!(
            "{warnings} about broken documents: -v lists them."
        ));
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
