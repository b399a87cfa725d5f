//! How many sources were read, and how many were not.

use super::skipped::{Reason, Skipped};
use urlint_lint::Fates;

/// How many sources were read, and how many URLs were in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Sources that were read.
    pub read: u64,
    /// URLs that were checked.
    pub urls: u64,
    /// The fates of the diagnostics about them.
    pub fates: Fates,
    /// Known diagnostics that are not there any more.
    pub mended: u64,
    /// Internet-Drafts and RFCs that were read without a profile.
    pub drafts: u64,
    /// Paths and members that could not be read, or not to their end.
    pub failed: u64,
    /// Warnings about documents that are only counted.
    pub notices: u64,
    /// Attachments of messages that could not be opened, or not to their end.
    pub unopened: u64,
    /// Members of archives that are documents or archives of formats that are not read.
    pub members: u64,
    /// Files and folders that were skipped.
    pub skipped: Skipped,
}

impl Totals {
    /// A source was read.
    pub(super) fn read() -> Totals {
        Totals {
            read: 1,
            ..Totals::default()
        }
    }

    /// A path could not be read.
    pub fn failed() -> Totals {
        Totals {
            failed: 1,
            ..Totals::default()
        }
    }

    /// A file or a folder was skipped.
    pub(super) fn skipped(reason: Reason) -> Totals {
        Totals {
            skipped: Skipped::one(reason),
            ..Totals::default()
        }
    }

    /// Adds `other`.
    pub fn add(&mut self, other: Totals) {
        self.read += other.read;
        self.urls += other.urls;
        self.fates += other.fates;
        self.mended += other.mended;
        self.drafts += other.drafts;
        self.failed += other.failed;
        self.notices += other.notices;
        self.unopened += other.unopened;
        self.members += other.members;
        self.skipped.add(other.skipped);
    }
}
