//! What is hidden of a text whose lines are shown.

use std::ops::Range;

use super::Finder;
use urlint_standard::url::password::{hidden_in_text, hidden_in_url, merged};

/// Returns the ranges of `text`, in bytes, that are not shown where its lines are: those that
/// [`hidden_in_text`] finds, and the secrets of URLs that go over several lines. They are sorted and disjoint.
///
/// ```
/// use urlint::find::hidden_in_lines;
///
/// assert_eq!(hidden_in_lines(b"<http://a.example/?access_token=\na1b2>"), [33..37]);
/// ```
#[must_use]
pub fn hidden_in_lines(text: &[u8]) -> Vec<Range<usize>> {
    let mut hidden = hidden_in_text(text);
    for found in Finder::default().find(text) {
        if found.pieces.single().is_some() {
            continue;
        }
        for secret in hidden_in_url(&found.text) {
            let spans = found.pieces.slice(secret);
            let ranges = spans
                .iter()
                .map(|span| span.start as usize..span.end as usize);
            hidden.extend(ranges);
        }
    }
    merged(hidden, text.len())
}
