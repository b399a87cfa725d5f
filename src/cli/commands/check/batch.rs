//! Diagnostics on their way from the threads to the reports.

use std::ops::Range;
use std::sync::Arc;

use urlint_engine::{self as engine, Name};
use urlint_lint::{Applicability, Diagnostic};
use urlint_standard::text::Window;

use super::fix::counts::FixCounts;
use urlint_report::excerpt::{FilePart, Place};

/// How many bytes are sent at once.
const ENOUGH: usize = 64 << 10;

/// About how many bytes of memory a diagnostic takes in addition to its rendered text.
const DIAGNOSTIC: usize = 1024;

/// How many bytes of text around a candidate are kept: reports show no more.
const NEAR: u64 = 1024;

/// Diagnostics that are sent together.
#[derive(Default)]
pub(super) struct DiagnosticBatch {
    pub(super) diagnostics: Vec<Reported>,
    /// Rendered diagnostics, and source text.
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
    /// Whether it is an error by RFC 1738, but not by RFC 3986.
    pub(super) is_outdated: bool,
    /// For each report, where its rendered text is in the batch; empty if it renders on the main thread.
    pub(super) rendered: Vec<Range<usize>>,
    /// Where it is, as people are shown it; empty for hints.
    pub(super) shown_place: String,
    /// Its place, if a report needs it.
    pub(super) place: Option<PlaceCopy>,
}

/// A [`Place`] whose text is in the batch, there.
#[derive(Clone)]
pub(super) struct PlaceCopy(Place<'static>, Range<usize>);

impl PlaceCopy {
    /// Returns `place` with the text that reports may show, which is added to `bytes`.
    pub(super) fn new(place: &Place<'_>, bytes: &mut Vec<u8>) -> Self {
        let window = place.window;
        let index = |offset: u64| {
            let index = offset.saturating_sub(window.start);
            index.min(window.bytes.len() as u64) as usize
        };
        let from = index(place.outer.start.saturating_sub(NEAR));
        let to = index(place.outer.end.saturating_add(NEAR)).max(from);
        let text = bytes.len();
        bytes.extend_from_slice(&window.bytes[from..to]);
        let copy = Place {
            outer: place.outer,
            position: place.position,
            window: Window {
                start: window.start + from as u64,
                bytes: b"",
            },
            part: FilePart {
                member: None,
                message: place.part.message,
            },
        };
        PlaceCopy(copy, text..bytes.len())
    }
}

impl Reported {
    /// Returns its place, if a report needs it. `bytes` are the bytes of the batch.
    pub(super) fn place<'p>(&'p self, bytes: &'p [u8]) -> Option<Place<'p>> {
        let PlaceCopy(mut place, text) = self.place.clone()?;
        place.window.bytes = &bytes[text];
        place.part.member = self.name.member();
        Some(place)
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
