//! The summary of a check.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use urlint_documents::document::Kind;
use urlint_engine::{Inputs, Totals};
use urlint_lint::{Applicability, Diagnostic, Fate, Severity};

use urlint_report::terminal::{Verbosity, complain, count, line, say};

/// How many diagnostics there are.
#[derive(Default)]
pub(crate) struct Counts {
    errors: u64,
    warnings: u64,
    hints: u64,
    /// In how many sources they are.
    pub(crate) files: u64,
    /// How many `--fix` would fix.
    fixable: u64,
    /// How many more it would fix with `--unsafe-fixes`.
    unsafely: u64,
    /// How many are not shown, since a rule or a URL has many.
    pub(crate) folded: u64,
    /// How many more are in the baseline.
    pub(crate) known: u64,
    /// How many entries of the baseline nothing matches.
    pub(crate) mended: u64,
}

impl Counts {
    /// Counts a diagnostic. `least` is the least applicability of the fixes that would be made, or
    /// `None` if no fix would be made.
    pub(crate) fn add(&mut self, diagnostic: &Diagnostic, least: Option<Applicability>) {
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
    pub(crate) fn all(&self) -> u64 {
        self.errors + self.warnings + self.hints
    }

    /// Returns how many diagnostics the `flags` would fix, and how many others, or `None` if none would fix any.
    pub(crate) fn fixable(&self, flags: &str) -> Option<String> {
        let by_hand = self.all() - self.fixable - self.unsafely;
        fixable(flags, self.fixable, self.unsafely, by_hand)
    }

    /// Returns how many entries of the baseline can go, or `None` if all are needed.
    pub(crate) fn mended(&self) -> Option<String> {
        let entries = match self.mended {
            0 => return None,
            1 => "1 entry".to_owned(),
            many => format!("{many} entries"),
        };
        Some(format!(
            "{entries} of the baseline can go: --update-baseline."
        ))
    }

    /// Returns whether there are errors or warnings.
    pub(crate) fn has_errors_or_warnings(&self) -> bool {
        self.errors + self.warnings > 0
    }

    /// Returns `Found 3 errors, 1 warning in 2 of 9 files, 40 URLs (1 folded).`
    /// `is_stdin`: standard input is all that was read.
    pub(crate) fn summary(&self, totals: Totals, is_stdin: bool) -> String {
        let found = match self.all() {
            0 => "Nothing to report".to_owned(),
            _ => format!("Found {self}"),
        };
        let of = match self.files {
            0 => String::new(),
            files if files == totals.read => String::new(),
            files => format!("{files} of "),
        };
        let files = match (is_stdin, totals.read) {
            // A hook may have a pipe that is not meant for it.
            (true, 1) => "standard input".to_owned(),
            (_, read) => count(read, "file"),
        };
        let urls = count(totals.urls, "URL");
        let also = [
            (self.folded, "folded"),
            (totals.fates.of(Fate::Suppressed), "suppressed"),
            (self.known, "in the baseline"),
            (totals.fates.of(Fate::Minor), "less severe"),
        ];
        let also: Vec<_> = (also.iter())
            .filter(|(number, _)| *number > 0)
            .map(|(number, fate)| format!("{number} {fate}"))
            .collect();
        let also = match &*also.join(", ") {
            "" => String::new(),
            also => format!(" ({also})"),
        };
        format!("{found} in {of}{files}, {urls}{also}.")
    }

    /// Returns the counts of remaining diagnostics after fixing: `4 remain: 3 errors, 1 warning in 2 files.`
    pub(crate) fn remaining(&self) -> String {
        match self.all() {
            0 => "nothing remains.".to_owned(),
            all => {
                let verb = if all == 1 { "remains" } else { "remain" };
                format!("{all} {verb}: {self} in {}.", count(self.files, "file"))
            }
        }
    }
}

/// Returns how many diagnostics the `flags` fix, and `--unsafe-fixes` more: `1 can be fixed with `--fix`, 3 by hand.`
/// Returns `None` if neither fixes any.
pub(crate) fn fixable(flags: &str, made: u64, unsafely: u64, by_hand: u64) -> Option<String> {
    let can = match (made, unsafely) {
        (0, 0) => return None,
        (made, 0) => format!("{made} can be fixed with `{flags}`"),
        (0, unsafely) => format!("{unsafely} can be fixed with `--fix --unsafe-fixes`"),
        _ => format!("{made} can be fixed with `{flags}`, {unsafely} more with `--unsafe-fixes`"),
    };
    Some(match by_hand {
        0 => format!("{can}."),
        _ => format!("{can}, {by_hand} by hand."),
    })
}

/// Returns that there is a profile for the files, if at least half of them are Internet-Drafts or RFCs.
pub(crate) fn of_ietf(totals: Totals) -> Option<String> {
    let are_most = totals.drafts > 0 && 2 * totals.drafts >= totals.read;
    are_most.then(|| "For Internet-Drafts and RFCs: --profile ietf.".to_owned())
}

/// Reports that no files were `done`, if there were none.
pub(crate) fn report_nothing_done(totals: Totals, done: &str, verbosity: Verbosity) {
    if totals.read > 0 || totals.failed > 0 {
        return;
    }
    let skipped = totals.skipped;
    complain(&match (verbosity.is_verbose(), skipped.is_empty()) {
        (true, true) => format!("no files {done}"),
        (true, false) => format!("no files {done}; skipped {skipped}, as listed"),
        (false, true) => format!("no files {done}: -v lists any that were skipped"),
        (false, false) => format!("no files {done}; skipped {skipped}: -v lists all"),
    });
}

/// Reports how many files and folders were skipped, if any. Hidden, ignored and excluded ones are known
/// only if they are listed.
pub(crate) fn report_skipped(totals: Totals, verbosity: Verbosity) {
    let skipped = totals.skipped;
    if !skipped.is_empty() {
        say(&if verbosity.is_verbose() {
            format!("Skipped {skipped}, as listed.")
        } else {
            format!("Skipped {skipped}: -v lists all that was skipped.")
        });
    }
}

/// Names the hidden folders at the top of the folders that were read, if they have documents for people and are not
/// listed.
pub(crate) fn report_hidden(inputs: &Inputs) {
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let is_document = |path: PathBuf| {
        let kind = Kind::from_path(path.as_os_str().as_encoded_bytes());
        matches!(kind, Some(Kind::Markdown | Kind::Rst | Kind::Asciidoc))
    };
    let is_left_out = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default();
        let mut inside = entries(path).map(|entry| entry.path());
        name.as_encoded_bytes().starts_with(b".")
            && !inputs.configs.excludes(path, true)
            && !inputs.excluded.matched(path, true).is_ignore()
            && inside.any(is_document)
    };
    let paths = inputs
        .paths
        .iter()
        .filter(|_| !(inputs.hidden || inputs.is_verbose));
    let all = paths.flat_map(|path| entries(path).map(|entry| entry.path()));
    let mut hidden: Vec<_> = all.filter(is_left_out).collect();
    hidden.sort();
    for path in hidden {
        let name = path.strip_prefix(".").unwrap_or(&path).to_string_lossy();
        let name = line(name.as_bytes());
        say(&format!(
            "{name} was left out, because it is hidden: --hidden reads it."
        ));
    }
}

/// Reports how many sources could not be read while others were, how many attachments were not opened, how many
/// members of archives were not read, and how many warnings about documents were not printed, if any.
pub(crate) fn report_notices(totals: Totals) {
    let failed = if totals.read > 0 { totals.failed } else { 0 };
    for (number, noun, predicate) in [
        (
            failed,
            "input",
            "could not be read, or not to the end: the messages above say why",
        ),
        (
            totals.unopened,
            "attachment",
            "{were} not opened, or not to the end: -v says why",
        ),
        (
            totals.members,
            "member",
            "of archives {were} not read: -v says why",
        ),
        (totals.notices, "warning", "about documents: -v lists them"),
    ] {
        if number > 0 {
            let predicate = predicate.replace("{were}", if number == 1 { "was" } else { "were" });
            say(&format!("{} {predicate}.", count(number, noun)));
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
