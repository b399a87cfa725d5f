//! Diagnostics on their way to the reports.

use std::ops::Range;
use std::sync::Arc;

use urlint::lint::Applicability;
use urlint::text::{Position, Window};
use urlint::{Diagnostic, Span};

use crate::commands::jobs;
use crate::commands::jobs::Name;
use crate::report::excerpt::{Part, Place};

/// How many bytes are handed on at once.
const ENOUGH: usize = 64 << 10;

/// How many bytes of memory a diagnostic takes beside its rendered text, about.
const DIAGNOSTIC: usize = 1024;

/// How far from a candidate the text is kept, in bytes: reports show no more.
const NEAR: u64 = 1024;

/// Diagnostics that are handed on together.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) entries: Vec<Entry>,
    /// What has been rendered, and source text.
    bytes: Vec<u8>,
}

pub(super) enum Entry {
    // Boxed, since an entry that ends a source has nothing.
    Diagnostic(Box<Reported>),
    /// The end of a source that has diagnostics.
    SourceEnd,
}

/// A diagnostic that is to be reported, unless it is in the baseline.
pub(super) struct Reported {
    pub(super) name: Arc<Name>,
    pub(super) diagnostic: Diagnostic,
    /// What a fix must be at least to be made in the source; `None` if none is made.
    pub(super) least: Option<Applicability>,
    /// Whether it is an error by RFC 1738 in a URL that has none by RFC 3986.
    pub(super) is_outdated: bool,
    /// For each report, where its text is in the batch; empty if there is none.
    pub(super) rendered: Vec<Range<usize>>,
    /// Where it is, if a report asks for that.
    place: Option<PlaceCopy>,
}

/// A [`Place`] whose text is in the batch.
struct PlaceCopy {
    outer: Span,
    position: Position,
    line_start: u64,
    start: u64,
    text: Range<usize>,
    message: Option<u64>,
    passwords: Vec<Span>,
}

impl Batch {
    /// Adds a diagnostic. `render` writes what the reports print of it, and returns where in the
    /// batch that is; `is_placed` says whether a report asks for its place.
    pub(super) fn add(
        &mut self,
        (name, least): (Arc<Name>, Option<Applicability>),
        (place, is_placed): (&Place<'_>, bool),
        (diagnostic, is_outdated): (Diagnostic, bool),
        render: impl FnOnce(&mut Vec<u8>, &Diagnostic) -> Vec<Range<usize>>,
    ) {
        let rendered = render(&mut self.bytes, &diagnostic);
        let place = is_placed.then(|| PlaceCopy::new(place, &mut self.bytes));
        self.entries.push(Entry::Diagnostic(Box::new(Reported {
            name,
            diagnostic,
            least,
            is_outdated,
            rendered,
            place,
        })));
    }

    /// Notes the end of a source that has diagnostics.
    pub(super) fn end_source(&mut self) {
        self.entries.push(Entry::SourceEnd);
    }

    /// Takes its entries, and the bytes that they refer to.
    pub(super) fn into_parts(self) -> (Vec<Entry>, Vec<u8>) {
        (self.entries, self.bytes)
    }
}

impl PlaceCopy {
    fn new(place: &Place<'_>, bytes: &mut Vec<u8>) -> Self {
        let window = place.window;
        let index = |offset: u64| {
            let index = offset.saturating_sub(window.start);
            index.min(window.bytes.len() as u64) as usize
        };
        let from = index(place.outer.start.saturating_sub(NEAR));
        let to = index(place.outer.end.saturating_add(NEAR)).max(from);
        let text = bytes.len();
        bytes.extend_from_slice(&window.bytes[from..to]);
        PlaceCopy {
            outer: place.outer,
            position: place.position,
            line_start: place.line_start,
            start: window.start + from as u64,
            text: text..bytes.len(),
            message: place.part.message,
            passwords: place.passwords.to_vec(),
        }
    }
}

impl Reported {
    /// Where it is, if a report has asked for that. `bytes` are those of the batch.
    pub(super) fn place<'p>(&'p self, bytes: &'p [u8]) -> Option<Place<'p>> {
        let place = self.place.as_ref()?;
        Some(Place {
            outer: place.outer,
            position: place.position,
            line_start: place.line_start,
            window: Window {
                start: place.start,
                bytes: &bytes[place.text.clone()],
            },
            part: Part {
                member: self.name.member.as_deref(),
                message: place.message,
            },
            passwords: &place.passwords,
            remembered: None,
        })
    }
}

impl jobs::Batch for Batch {
    fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn is_full(&self) -> bool {
        self.weight() >= ENOUGH
    }

    fn weight(&self) -> usize {
        self.bytes.len() + self.entries.len() * DIAGNOSTIC
    }
}
