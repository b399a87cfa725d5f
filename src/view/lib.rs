//! Views: texts derived from a source, with a map from each of their bytes back to the source.
//!
//! Decoders return a [`View`]: [`base64()`] and [`quoted_printable()`] are public, the other decoders
//! (charsets, character references, flowed text, parameters of MIME) serve the readers of documents.

mod base64;
mod building;
#[doc(hidden)]
pub mod charset;
mod cursor;
mod decoded;
#[doc(hidden)]
pub mod encoded_words;
#[doc(hidden)]
pub mod flowed;
mod layer;
#[doc(hidden)]
pub mod parameters;
mod quoted_printable;
#[doc(hidden)]
pub mod references;
mod run;
#[doc(hidden)]
pub mod transfer;
#[doc(hidden)]
pub mod words;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

pub use base64::base64;
#[doc(hidden)]
pub use cursor::Cursor;
#[doc(hidden)]
pub use layer::Layer;
#[doc(hidden)]
pub use quoted_printable::plain_byte;
pub use quoted_printable::quoted_printable;
use run::{Run, Unit};

use urlint_find::{Candidate, Finder};
use urlint_standard::text::{Span, Spans};

/// A text derived from a source, with a map from each of its bytes back to the source bytes that it
/// came from.
///
/// Candidates that [`find`](View::find) returns have their spans in the source, whatever encodings
/// are in between:
///
/// ```
/// use urlint::view::quoted_printable;
/// use urlint::{Finder, Span};
///
/// let source = b"see <URL:http://a.example/=\n%7Ejoe?x=3D1>";
/// let view = quoted_printable(source);
/// let found = view.find(&Finder::default()).next().unwrap();
/// assert_eq!(found.url(), b"http://a.example/%7Ejoe?x=1");
/// let pieces: Vec<_> = found.pieces.iter().collect();
/// assert_eq!(pieces, [Span::new(9, 26), Span::new(28, 40)]);
/// ```
///
/// `Debug` shows only the length of the text, since it may contain passwords.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct View<'s> {
    text: Cow<'s, [u8]>,
    /// In the order of the text; each ends where the next one begins.
    runs: Vec<Run>,
    /// The encodings that were decoded, outermost first.
    layers: Vec<Layer>,
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("View");
        shown.field("len", &self.text.len());
        shown.field("runs", &self.runs);
        shown.field("layers", &self.layers).finish()
    }
}

impl<'s> View<'s> {
    /// Makes a view of a part of its source as it is: `text` begins at byte `offset` of the source.
    ///
    /// ```
    /// use urlint::{Span, view::View};
    ///
    /// let view = View::borrowed(b"a part", 100);
    /// assert_eq!(view.map(2..6), Span::new(102, 106).into());
    /// ```
    pub fn borrowed(text: &'s [u8], offset: u64) -> Self {
        View {
            text: Cow::Borrowed(text),
            runs: vec![Run {
                start: 0,
                source: offset,
                unit: Unit::Each(1),
            }],
            layers: Vec::new(),
        }
    }

    /// Takes the text out of the view.
    #[doc(hidden)]
    pub fn into_text(self) -> Cow<'s, [u8]> {
        self.text
    }

    /// Returns the view with one more layer, which was decoded without changing any byte.
    #[doc(hidden)]
    pub fn with_layer(mut self, layer: Layer) -> Self {
        self.layers.push(layer);
        self
    }

    /// Returns the layers that were decoded, the last one last.
    #[doc(hidden)]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Returns whether the order of the text is the order of the source.
    #[doc(hidden)]
    pub fn is_in_order(&self) -> bool {
        self.runs.is_sorted_by_key(|run| run.source)
    }

    /// The text of the view.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the source bytes that the bytes `range` of the view came from. A range that goes
    /// past the end of the text is cut there. An empty range gives an empty span: before the source
    /// of the byte at `range.start`, or at the end of the text, after the source of the last byte.
    pub fn map(&self, range: Range<usize>) -> Spans {
        self.cursor().map(range)
    }

    /// Combines two maps: `next` was derived from the text of this view, and the result has the
    /// text of `next` and maps it to the source of this view.
    ///
    /// ```
    /// use urlint::{Span, view::{View, quoted_printable}};
    ///
    /// let source = b"Hello:\r\na=3Db";
    /// let body = View::borrowed(&source[8..], 8);
    /// let decoded = body.compose(quoted_printable(body.text()));
    /// assert_eq!(decoded.text(), b"a=b");
    /// assert_eq!(decoded.map(1..2), Span::new(9, 12).into());
    /// ```
    pub fn compose(&self, next: View<'_>) -> View<'static> {
        let mut runs = Vec::with_capacity(next.runs.len());
        let mut cursor = self.cursor();
        for (index, run) in next.runs.iter().enumerate() {
            cursor.compose(run, next.end_of(index), &mut runs);
        }
        View {
            text: Cow::Owned(next.text.into_owned()),
            runs,
            layers: [&self.layers[..], &next.layers].concat(),
        }
    }

    /// Finds the candidates of the view's text; their spans are in the source.
    pub fn find(&self, finder: &Finder) -> impl Iterator<Item = Candidate<'_>> {
        finder
            .find(&self.text)
            .map(|candidate| self.candidate(candidate))
    }

    /// Returns a cursor at the start of the view, for mapping many consecutive ranges.
    #[doc(hidden)]
    pub fn cursor(&self) -> Cursor<'_> {
        Cursor::new(self)
    }

    /// A candidate of the view's text with its spans mapped to the source.
    #[doc(hidden)]
    pub fn candidate<'c>(&self, candidate: Candidate<'c>) -> Candidate<'c> {
        self.cursor().candidate(candidate)
    }

    /// The source bytes that the bytes `spans` of the view came from.
    #[doc(hidden)]
    pub fn spans(&self, spans: &Spans) -> Spans {
        self.cursor().spans(spans)
    }

    /// Returns the single span from the first to the last source byte of `span`; for an empty span,
    /// the place after the source of the byte before it.
    #[doc(hidden)]
    pub fn map_whole(&self, span: Span) -> Span {
        self.cursor().map_whole(span)
    }

    /// Moves the view to a source with `by` more bytes before this one.
    #[doc(hidden)]
    pub fn shift(&mut self, by: u64) {
        for run in &mut self.runs {
            run.source += by;
        }
    }

    /// Returns the offset of the text in the source, if the view is a part of its source as it is.
    #[doc(hidden)]
    pub fn borrowed_at(&self) -> Option<u64> {
        match (&self.text, &self.runs[..]) {
            (Cow::Borrowed(_), [run]) if run.unit == Unit::Each(1) && self.layers.is_empty() => {
                Some(run.source)
            }
            _ => None,
        }
    }

    /// The index of the run that the byte at `at` belongs to.
    fn run_of(&self, at: usize) -> usize {
        self.runs
            .partition_point(|run| run.start <= at)
            .saturating_sub(1)
    }

    /// The end of a run in the view.
    fn end_of(&self, run: usize) -> usize {
        let next = self.runs.get(run + 1);
        next.map_or(self.text.len(), |next| next.start)
    }

    /// The source bytes of the byte at `at`.
    #[doc(hidden)]
    pub fn source_of(&self, at: usize) -> Span {
        self.source_in(self.run_of(at), at)
    }

    /// The source bytes of the byte at `at`, which belongs to `run`.
    fn source_in(&self, run: usize, at: usize) -> Span {
        let run = self.runs.get(run);
        run.map_or(Span::default(), |run| run.source_of(at))
    }

    /// The end of the source bytes of the last byte.
    fn source_end(&self) -> u64 {
        match self.text.len() {
            0 => self.runs.first().map_or(0, |run| run.source),
            len => self.source_of(len - 1).end,
        }
    }
}
