//! The places of a document that may be URLs and that no part of it has: in comments, scripts and the like.

use memchr::memmem;

use super::piece::Document;
use crate::document::{Notice, Part};
use urlint_standard::text::Span;

/// Returns a notice about the places with `://` in `document` that none of its `parts` has, if there are any. Names of
/// namespaces and schemas are no places to read.
pub(super) fn unread(document: &Document<'_>, parts: &[Part<'_>]) -> Option<Notice> {
    let places = |text| memmem::find_iter(text, b"://");
    let mut read: Vec<_> = parts
        .iter()
        .flat_map(|part| places(part.view.text()).map(|at| part.view.source_of(at).start))
        .collect();
    read.sort_unstable();
    let mut missed = places(document.text)
        .filter(|at| !is_name(document.text, *at))
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

/// Returns whether the `://` at `at` is in the name of a namespace or a schema: `xmlns:x="http://a.example/"`.
fn is_name(text: &[u8], at: usize) -> bool {
    let near = &text[at.saturating_sub(64)..at];
    let quote = memchr::memrchr2(b'"', b'\'', near);
    let name = quote.and_then(|quote| near[..quote].strip_suffix(b"="));
    let of_namespace = name.is_some_and(|name| {
        let mut words = name.rsplit(u8::is_ascii_whitespace);
        words.next().is_some_and(|word| word.starts_with(b"xmlns"))
    });
    of_namespace || text[at..].starts_with(b"://schemas.")
}
