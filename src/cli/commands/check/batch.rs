//! Diagnostics on their way from the threads to the reports.

use std::ops::Range;
use std::sync::Arc;

use urlint_engine::{self as engine, Name};
use urlint_lint::{Applicability, Diagnostic};
use urlint_standard::Span;
use urlint_standard::text::{Position, Window};

use super::fix::counts::FixCounts;
use urlint_report::excerpt::{FilePart, Place};

/// How many bytes are sent at once.
const ENOUGH: usize = 64 << 10;

/// About how many bytes of memory a diagnostic takes in addition to the text around it.
const DIAGNOSTIC: usize = 1024;

/// How many bytes of text around a candidate are kept: reports show no more.
const NEAR: u64 = 1024;

/// Diagnostics that are sent together.
#[derive(Default)]
pub(super) struct DiagnosticBatch {
    pub(super) diagnostics: Vec<Reported>,
    /// The text around the diagnostics.
    pub(super) bytes: Vec<u8>,
    /// How many fixes were made and not made.
    pub(super) fixes: FixCounts,
    /// The other output than reports: the fixed text of standard input, and changes.
    pub(super) printed: Vec<u8>,
}

/// A diagnostic that is to be reported, unless it is in the baseline.
pub(super) struct Reported {
    pub(super) name: Arc<Name>,
    pub(super) diagnostic: Diagnostic,
    /// The least applicability of fixes that are made in the source; `None` if none are made.
    pub(super) least: Option<Applicability>,
    /// The candidate, delimiters included.
    pub(super) outer: Span,
    /// The line and column of its start.
    pub(super) position: Position,
    /// The number of the message that it is in.
    pub(super) message: Option<u64>,
    /// Where the text around it is in the batch, and the offset of that text in the source.
    pub(super) text: Range<usize>,
    pub(super) text_start: u64,
}

impl DiagnosticBatch {
    /// Adds the text around `outer` that reports may show. Returns where it is in `bytes`, and its offset in the
    /// source.
    pub(super) fn add_text(&mut self, window: Window<'_>, outer: Span) -> (Range<usize>, u64) {
        let from = outer.start.saturating_sub(NEAR).max(window.start);
        let near = Span::new(from, outer.end.saturating_add(NEAR));
        let start = self.bytes.len();
        self.bytes.extend_from_slice(window.slice(near));
        (start..self.bytes.len(), from)
    }
}

impl Reported {
    /// Returns its place. `bytes` are the bytes of the batch.
    pub(super) fn place<'p>(&'p self, bytes: &'p [u8]) -> Place<'p> {
        Place {
            outer: self.outer,
            position: self.position,
            window: Window {
                start: self.text_start,
                bytes: &bytes[self.text.clone()],
            },
            part: FilePart {
                member: self.name.member(),
                message: self.message,
            },
        }
    }
}

impl engine::Batch for DiagnosticBatch {
    fn is_empty(&self) -> bool {
        self.diagnostics.is_empty() && self.printed.is_empty() && !self.fixes.are_any()
    }

    fn is_full(&self) -> bool {
        let bytes = self.bytes.len() + self.printed.len();
        bytes + self.diagnostics.len() * DIAGNOSTIC >= ENOUGH
    }
}
