//! The surroundings of a candidate in its document.

use super::rule::Place;
use urlint_documents::document::{BrokenLink, Kind, Role};
use urlint_find::StreamOptions;
use urlint_standard::text::{Span, Window};

/// The surroundings of a candidate in its document.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Surroundings<'d> {
    pub(crate) role: Role,
    pub(crate) place: Place,
    /// The kind of the document.
    pub(crate) kind: Kind,
    /// The text of the link with this target.
    pub(crate) anchor: Option<&'d [u8]>,
    /// Why the candidate is not the target of a link, if it was meant to be one.
    pub(crate) broken: Option<BrokenLink>,
    /// The source before and after it.
    pub(crate) before: &'d [u8],
    pub(crate) after: &'d [u8],
}

impl<'d> Surroundings<'d> {
    /// The source before and after `outer`: not more than is kept of a stream.
    pub(crate) fn of(outer: Span, window: Window<'d>) -> Self {
        let most = StreamOptions::CONTEXT as u64;
        let before = Span::new(outer.start.saturating_sub(most), outer.start);
        let after = Span::new(outer.end, outer.end + most);
        Surroundings {
            before: window.slice(before),
            after: window.slice(after),
            ..Surroundings::default()
        }
    }
}
