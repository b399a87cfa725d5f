//! Views: texts that were derived from a source, and where each of their bytes came from.

mod transfer;

use std::ops::Range;

pub use transfer::quoted_printable;

use crate::candidate::{Alternative, Candidate};
use crate::find::Finder;
use crate::span::{Span, Spans};

/// A text that was decoded from a source, with a map from each of its bytes back to the source
/// bytes that it came from.
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    text: Vec<u8>,
    /// In the order of the text; each goes on to where the next one begins.
    runs: Vec<Run>,
}

/// Bytes of a view that came from the source in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// Where the run begins in the view.
    start: usize,
    /// Where the source bytes of its first byte begin.
    source: u64,
    /// How many source bytes each of its bytes came from.
    width: u64,
}

impl View {
    /// The bytes of the view.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Where the bytes `range` of the view stand in the source. An empty range gives an empty span
    /// in front of that byte, or behind the last one.
    pub fn map(&self, range: Range<usize>) -> Spans {
        let end = range.end.min(self.text.len());
        let start = range.start.min(end);
        let first = self.source_of(start);
        if start == end {
            return Span::new(first.start, first.start).into();
        }
        let mut spans = Spans::from(first);
        let mut at = start + 1;
        while at < end {
            let run = self.run_of(at);
            let next = self
                .runs
                .get(run + 1)
                .map_or(end, |next| next.start.min(end));
            let (from, to) = (self.source_of(at), self.source_of(next - 1));
            spans.push(Span::new(from.start, to.end));
            at = next;
        }
        spans
    }

    /// The candidates of the view, their spans in the source.
    pub fn find(&self, finder: &Finder) -> impl Iterator<Item = Candidate<'_>> {
        finder
            .find(&self.text)
            .map(|candidate| self.mapped(candidate))
    }

    fn mapped<'v>(&self, candidate: Candidate<'v>) -> Candidate<'v> {
        let range = |span: Span| span.start as usize..span.end as usize;
        let map = |spans: Spans| {
            let mut parts = spans.iter().map(|span| self.map(range(span)));
            let first = parts.next().unwrap_or_else(|| self.map(0..0));
            parts.fold(first, |mut all, part| {
                part.iter().for_each(|span| all.push(span));
                all
            })
        };
        let alternative = |other: Alternative| Alternative {
            text: other.text,
            pieces: map(other.pieces),
        };
        Candidate {
            outer: self.map_whole(candidate.outer),
            pieces: map(candidate.pieces),
            spaces: candidate
                .spaces
                .into_iter()
                .map(|space| self.map_whole(space))
                .collect(),
            alternatives: candidate
                .alternatives
                .into_iter()
                .map(alternative)
                .collect(),
            ..candidate
        }
    }

    /// From the first to the last source byte of a span of the view.
    fn map_whole(&self, span: Span) -> Span {
        let spans = self.map(span.start as usize..span.end as usize);
        Span::new(spans.start(), spans.end())
    }

    /// The run that the byte at `at` belongs to.
    fn run_of(&self, at: usize) -> usize {
        self.runs
            .partition_point(|run| run.start <= at)
            .saturating_sub(1)
    }

    /// The source bytes of the byte at `at`; behind the last one, the place behind its own.
    fn source_of(&self, at: usize) -> Span {
        let Some(run) = self.runs.get(self.run_of(at)) else {
            return Span::default();
        };
        let start = run.source + (at - run.start) as u64 * run.width;
        Span::new(start, start + run.width)
    }

    /// Adds a byte that came from `width` source bytes at `source`.
    fn push(&mut self, byte: u8, source: u64, width: u64) {
        let start = self.text.len();
        let goes_on = self.runs.last().is_some_and(|run| {
            run.width == width && run.source + (start - run.start) as u64 * width == source
        });
        if !goes_on {
            self.runs.push(Run {
                start,
                source,
                width,
            });
        }
        self.text.push(byte);
    }
}
