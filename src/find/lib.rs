//! Finding candidates: URLs in a slice of bytes, or in a reader.
//!
//! A [`Finder`] says how they are found; [`find()`] uses the default one. [`Finder::find`] takes
//! bytes, [`Finder::stream`] a reader.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub(crate) mod candidate;
mod hidden;
#[doc(hidden)]
pub mod mistake;
pub(crate) mod options;
#[doc(hidden)]
pub mod placeholder;
pub(crate) mod rejoin;
#[doc(hidden)]
pub mod scan;
pub(crate) mod schemes;
pub(crate) mod stream;
mod text;

use std::io::Read;

pub use candidate::{Alternative, Candidate, Delimiter, Ending, Evidence, Flag, Flags};
pub use hidden::hidden_in_lines;
#[doc(hidden)]
pub use options::Syntax;
pub use options::{Finder, Hyphen, Rejoin};
pub use schemes::Schemes;
pub use stream::{Located, Stream, StreamOptions};

use crate::text::Text;
use scan::{Scanner, Step};

impl Finder {
    /// Returns the candidates of `text`, in order; their offsets count from its first byte.
    ///
    /// Takes time linear in the length of `text`, and allocates nothing for a candidate that lies
    /// in one piece, but once for each sign of a [placeholder](Flag::Placeholder).
    pub fn find<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = Candidate<'t>> + use<'t> {
        Candidates {
            scanner: Scanner::new(self.clone()),
            text: Text::new(text, true),
        }
    }

    /// Returns all of `text` in order, cut into URLs, each with its candidate, and the text before, between
    /// and after them. A URL over several lines comes with its line breaks, and without its delimiters.
    ///
    /// ```
    /// let text = "See <http://www-\narchive.example/>.";
    /// let finder = urlint::Finder::default();
    /// let parts: Vec<_> = finder.spans(text).map(|(part, found)| (part, found.is_some())).collect();
    /// assert_eq!(parts, [("See <", false), ("http://www-\narchive.example/", true), (">.", false)]);
    /// ```
    pub fn spans<'t>(
        &self,
        text: &'t str,
    ) -> impl Iterator<Item = (&'t str, Option<Candidate<'t>>)> + use<'t> {
        let mut rest = 0;
        let found = self.find(text.as_bytes());
        let found = found.filter(|found| !found.text.is_empty());
        let parts = found.map(Some).chain([None]).flat_map(move |found| {
            let pieces = found.as_ref().map(|found| &found.pieces);
            let url = pieces.map_or(text.len()..text.len(), |pieces| {
                pieces.start() as usize..pieces.end() as usize
            });
            let between = text.get(rest..url.start).unwrap_or_default();
            rest = url.end;
            [(between, None), (text.get(url).unwrap_or_default(), found)]
        });
        parts.filter(|(part, _)| !part.is_empty())
    }

    /// Returns the candidates of `value`, a string of a data format: all of it if it is a URL and nothing
    /// else, since a value has no punctuation of a text at its end.
    #[doc(hidden)]
    pub fn find_value<'t>(&self, value: &'t [u8]) -> impl Iterator<Item = Candidate<'t>> + use<'t> {
        let whole = scan::is_url(value)
            .then(|| self.find(value).next())
            .flatten();
        let whole = whole.and_then(|found| found.extended_to(value));
        let rest = if whole.is_some() { b"" } else { value };
        whole.into_iter().chain(self.find(rest))
    }

    /// Finds the candidates in the bytes of `reader`, in bounded memory: see [`Stream`].
    ///
    /// A finder does not know the name of the source. If it may be source code, set
    /// [`code`](Self::code), or use a `Reader`.
    pub fn stream<R: Read>(&self, reader: R) -> Stream<R> {
        self.stream_with(reader, StreamOptions::default())
    }

    /// Finds the candidates in the bytes of `reader`, in bounded memory and with `options`: see
    /// [`Stream`].
    ///
    /// ```
    /// use urlint::Finder;
    /// use urlint::find::StreamOptions;
    /// use urlint::text::Position;
    ///
    /// let reader: &[u8] = b"first line\nsee <URL:http://a.example/> there\n";
    /// let options = StreamOptions::default().with_context();
    /// let mut stream = Finder::default().stream_with(reader, options);
    /// let found = stream.next_found()?.unwrap();
    /// assert_eq!(found.position.unwrap(), Position { line: 2, column: 5 });
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn stream_with<R: Read>(&self, reader: R, options: StreamOptions) -> Stream<R> {
        Stream::with(reader, self.clone(), options)
    }
}

/// Returns the candidates of `text`, in order, as found by the default [`Finder`].
///
/// ```
/// let text = b"Look at <URL:http://a.example/>, (http://b.example/x) and news:comp.risks.";
/// let urls: Vec<_> = urlint::find(text).map(|found| found.text).collect();
/// assert_eq!(urls, [&b"http://a.example/"[..], b"http://b.example/x", b"news:comp.risks"]);
/// ```
pub fn find(text: &[u8]) -> impl Iterator<Item = Candidate<'_>> {
    Finder::default().find(text)
}

/// Returns the candidates of `text`, as [`find`] does; each is UTF-8, so
/// [`as_str`](Candidate::as_str) returns it.
///
/// ```
/// let text = "Look at <URL:http://a.example/> and (http://b.example/x).";
/// for found in urlint::find_str(text) {
///     let range = found.range().unwrap();
///     assert_eq!(found.as_str(), Some(&text[range]));
/// }
/// ```
pub fn find_str(text: &str) -> impl Iterator<Item = Candidate<'_>> {
    find(text.as_bytes())
}

/// The candidates of a slice.
struct Candidates<'t> {
    scanner: Scanner,
    text: Text<'t>,
}

impl<'t> Iterator for Candidates<'t> {
    type Item = Candidate<'t>;

    // Inlined, together with the functions that it calls, so that a candidate goes through
    // registers and is written only once: measured by `cargo bench --bench find -- dense`.
    #[inline(always)]
    fn next(&mut self) -> Option<Candidate<'t>> {
        // A URL of a list is made here instead of being returned by `step`: writing it to memory
        // and reading it back at once costs a seventh of the time.
        if let Some(found) = self.scanner.listed(&self.text) {
            return Some(found.candidate(self.text.bytes, 0));
        }
        match self.scanner.search(&self.text) {
            Step::Found(found) => Some(found.candidate(self.text.bytes, 0)),
            Step::More | Step::End => None,
        }
    }
}

#[cfg(test)]
mod tests;
