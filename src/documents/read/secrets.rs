//! Secrets in a source, where its lines are shown.

use std::io;
use std::ops::Range;

use urlint_core::url::password::{hidden_in_text, hidden_in_url, merged};

use super::{Event, Reader};

impl Reader {
    /// Returns the ranges of `source`, in bytes, that are not to be shown where its lines are: those that
    /// [`hidden_in_text`] finds, and the secrets of URLs that go over several lines. They are sorted and disjoint.
    /// `path` is the name of the source.
    ///
    /// ```
    /// use urlint::Reader;
    ///
    /// let source = b"<http://a.example/?access_token=\na1b2>";
    /// assert_eq!(Reader::default().hidden(b"a.txt", source), [33..37]);
    /// ```
    #[must_use]
    pub fn hidden(&self, path: &[u8], source: &[u8]) -> Vec<Range<usize>> {
        let mut hidden = hidden_in_text(source);
        let visit = &mut |event: Event<'_>| {
            let Event::Found(found) = event else {
                return Ok(());
            };
            if found.candidate.pieces.iter().nth(1).is_none() {
                return Ok(());
            }
            for range in hidden_in_url(&found.candidate.text) {
                let spans = match &found.origin {
                    Some(origin) => origin.view.spans(&origin.candidate.pieces.slice(range)),
                    None => found.candidate.pieces.slice(range),
                };
                let ranges = spans
                    .iter()
                    .map(|span| span.start as usize..span.end as usize);
                hidden.extend(ranges);
            }
            Ok::<(), io::Error>(())
        };
        // Without memory for a document, only what its text shows is known.
        let _ = self.read(path, source, visit);
        merged(hidden, source.len())
    }
}
