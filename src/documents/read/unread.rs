//! The places of a document that may be URLs and that no part of it has: in comments, scripts and the like.

use memchr::memmem;

use super::piece::Document;
use crate::document::{Notice, Part};
use urlint_core::text::Span;

/// Returns a notice about the places with `://` in `document` that none of its `parts` has, if there are any.
pub(super) fn unread(document: &Document<'_>, parts: &[Part<'_>]) -> Option<Notice> {
    let places = |text| memmem::find_iter(text, b"://");
    let mut read: Vec<_> = parts
        .iter()
        .flat_map(|part| places(part.view.text()).map(|at| part.view.source_of(at).start))
        .collect();
    read.sort_unstable();
    let mut missed = places(document.text)
        .map(|at| document.start + at as u64)
        .filter(|place| read.binary_search(place).is_err());
    let first = missed.next()?;
    let message = match missed.count() {
        0 => "not read: `://` in a comment, a script or the like".to_owned(),
        more => format!(
            "not read: `://` in comments, scripts and the like, {} times",
            more + 1
        ),
    };
    Some(Notice {
        span: Span::new(first, first + b"://".len() as u64),
        message,
        member: document.member,
    })
}
