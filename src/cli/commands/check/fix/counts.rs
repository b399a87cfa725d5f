//! How many fixes were made, and the summary of that.

use urlint_lint::fix::Mended;

use crate::error::Exit;
use crate::output::summary::fixable;
use urlint_report::terminal::{count, say};

/// How many fixes were made, and how many not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FixCounts {
    /// Fixes that were made.
    made: u64,
    /// Sources in which they were made.
    sources: u64,
    /// Unsafe fixes that were not made because they were not asked for.
    unsafe_left: u64,
    /// Diagnostics that no fix resolves.
    by_hand: u64,
    /// Fixes in compressed files and archives, which are not changed.
    in_archives: u64,
    /// Fixes that were not made because they would change how another URL or the document is read, or
    /// because the text may be a program.
    refused: u64,
    /// Sources that could not be fixed.
    pub(crate) failed: u64,
}

impl FixCounts {
    /// Adds the counts of `other`.
    pub(crate) fn add(&mut self, other: FixCounts) {
        self.made += other.made;
        self.sources += other.sources;
        self.unsafe_left += other.unsafe_left;
        self.by_hand += other.by_hand;
        self.in_archives += other.in_archives;
        self.refused += other.refused;
        self.failed += other.failed;
    }

    /// Adds a diagnostic in a compressed file or an archive.
    pub(crate) fn add_unmade(&mut self, is_makeable: bool) {
        if is_makeable {
            self.in_archives += 1;
        } else {
            self.by_hand += 1;
        }
    }

    /// Adds the fixes of a source, which are only shown if `is_diff`.
    pub(super) fn add_source(&mut self, mended: &Mended, is_diff: bool) {
        let left = if is_diff {
            mended.left_before
        } else {
            mended.left
        };
        self.unsafe_left += left.unsafe_ones as u64;
        self.by_hand += left.by_hand as u64;
        self.refused += mended.refused as u64;
        self.made += mended.made as u64;
        self.sources += u64::from(mended.made > 0);
    }

    /// Returns `Fixed 3 in 1 file`, or `None` if nothing was fixed.
    pub(crate) fn summary(&self, is_diff: bool) -> Option<String> {
        let verb = if is_diff { "Would fix" } else { "Fixed" };
        let FixCounts { made, sources, .. } = *self;
        (made > 0).then(|| format!("{verb} {made} in {}", count(sources, "file")))
    }

    /// Returns whether there are fixes, made or not.
    pub(crate) fn are_any(&self) -> bool {
        *self != FixCounts::default()
    }

    /// Returns the exit code of a run that only makes fixes, or shows them if `is_diff`.
    pub(crate) fn exit(&self, is_diff: bool) -> Exit {
        match is_diff {
            true if self.made > 0 => Exit::Found,
            // These fixes were asked for and not made.
            false if self.in_archives > 0 => Exit::Failed,
            _ => Exit::Done,
        }
    }

    /// Prints how many diagnostics the flags `shown`, whose fixes were only shown, and others would fix, and how many
    /// fixes were not made.
    pub(crate) fn report_unmade(&self, shown: Option<&str>) {
        let (unsafe_left, refused) = (self.unsafe_left, self.refused);
        let made = shown.map_or(0, |_| self.made);
        let flags = shown.unwrap_or_default();
        fixable(flags, made, unsafe_left, self.by_hand).inspect(|line| say(line));
        if refused > 0 {
            let (fixes, verb) = match refused {
                1 => ("fix", "it"),
                _ => ("fixes", "they"),
            };
            say(&format!(
                "{refused} {fixes} not made: {verb} would change how another URL or the document is read, or the text may be a program."
            ));
        }
    }

    /// Prints the summary of a run that only makes fixes, or shows those of the flags `shown`; `read` sources were
    /// read.
    pub(crate) fn summarise_fix_only(&self, shown: Option<&str>, read: u64) {
        let is_diff = shown.is_some();
        let files = count(read, "file");
        if let Some(summary) = self.summary(is_diff) {
            say(&format!("{summary}."));
        } else if self.in_archives > 0 {
            say(&format!("Nothing else to fix in {files}."));
        } else if read > 0 {
            say(&format!("Nothing to fix in {files}."));
        }
        self.report_unmade(shown);
        if !(is_diff && self.made > 0) && self.unsafe_left == 0 && self.by_hand > 0 {
            let by_hand = self.by_hand;
            say(&format!(
                "{by_hand} can be fixed by hand: `urlint check` lists them."
            ));
        }
    }
}
