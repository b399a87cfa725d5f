//! Places in a source: byte ranges.
//!
//! A URL that was broken over lines is in several pieces of its source, so it is described by
//! [`Spans`], an ordered list of disjoint [`Span`]s.

use std::ops::Range;

/// A half-open byte range of a source: `start` is the first byte, `end` is one past the last.
///
/// Offsets are 64 bits wide on every machine, since a source may be a stream longer than memory.
///
/// ```
/// use urlint::Span;
///
/// let span = Span::new(4, 9);
/// assert_eq!(span.len(), 5);
/// assert_eq!(span.slice(b"see <x:y> now"), b"<x:y>");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u64,
    /// The offset after the last byte.
    pub end: u64,
}

impl Span {
    /// Returns the span from `start` to `end`, both in bytes; if `end` is before `start`, an empty
    /// span at `start`.
    pub fn new(start: u64, end: u64) -> Self {
        Span {
            start,
            end: end.max(start),
        }
    }

    /// Returns the number of bytes that the span covers.
    pub fn len(self) -> u64 {
        self.end - self.start
    }

    /// Returns whether the span covers no bytes. Such a span shows where something is missing.
    pub fn is_empty(self) -> bool {
        self.end == self.start
    }

    /// Returns the bytes of `source`, which begins at offset 0, that the span covers, as far as
    /// they exist.
    pub fn slice(self, source: &[u8]) -> &[u8] {
        let end = self.end.min(source.len() as u64) as usize;
        let start = self.start.min(end as u64) as usize;
        &source[start..end]
    }
}

/// As a range to slice a text with, in bytes; on a machine of 32 bits, an offset that no slice has
/// is `usize::MAX`.
///
/// ```
/// use std::ops::Range;
/// use urlint::Span;
///
/// assert_eq!(&"see <x:y> now"[Range::from(Span::new(4, 9))], "<x:y>");
/// ```
impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        let offset = |offset| usize::try_from(offset).unwrap_or(usize::MAX);
        offset(span.start)..offset(span.end)
    }
}

/// An ordered, non-empty list of disjoint spans: the source bytes that a URL is made of.
///
/// A single span needs no allocation.
///
/// ```
/// use urlint::Span;
/// use urlint::text::Spans;
///
/// // `ftp://ds.in` at 125..136 and `ternic.net/rfc` at 143..157.
/// let mut spans = Spans::from(Span::new(125, 136));
/// spans.push(Span::new(143, 157));
///
/// // Bytes 9 to 13 of the URL, `inte`, lie on both sides of the break.
/// let inte: Vec<_> = spans.slice(9..13).iter().collect();
/// assert_eq!(inte, [Span::new(134, 136), Span::new(143, 145)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spans {
    first: Span,
    /// Most lists have one span, and they are moved often, so this is kept small.
    #[expect(clippy::box_collection, reason = "a third of the size of a vector")]
    rest: Option<Box<Vec<Span>>>,
}

impl From<Span> for Spans {
    fn from(span: Span) -> Self {
        Spans {
            first: span,
            rest: None,
        }
    }
}

impl Spans {
    /// Adds `span` at the end. If it touches the last span, the two are merged. If it begins before
    /// the end of the last span, it is cut to its bytes after that, so that the list stays ordered.
    pub fn push(&mut self, span: Span) {
        let last = match &mut self.rest {
            Some(rest) => rest.last_mut().unwrap_or(&mut self.first),
            None => &mut self.first,
        };
        let span = Span::new(span.start.max(last.end), span.end);
        if span.is_empty() {
            return;
        }
        if last.is_empty() {
            *last = span;
        } else if last.end == span.start {
            last.end = span.end;
        } else {
            self.rest.get_or_insert_default().push(span);
        }
    }

    /// Returns the spans, in order.
    pub fn iter(&self) -> impl Iterator<Item = Span> + '_ {
        std::iter::once(self.first).chain(self.rest().iter().copied())
    }

    /// Returns all but the first span.
    fn rest(&self) -> &[Span] {
        self.rest.as_ref().map_or(&[], |rest| rest.as_slice())
    }

    /// Returns the span, if there is only one.
    #[doc(hidden)]
    pub fn single(&self) -> Option<Span> {
        self.rest.is_none().then_some(self.first)
    }

    /// Returns the offset of the first byte.
    pub fn start(&self) -> u64 {
        self.first.start
    }

    /// Returns the offset after the last byte.
    pub fn end(&self) -> u64 {
        self.rest().last().unwrap_or(&self.first).end
    }

    /// Returns the number of bytes that the spans cover together.
    pub fn len(&self) -> u64 {
        self.iter().map(Span::len).sum()
    }

    /// Returns these spans; `None` if there are none.
    #[doc(hidden)]
    pub fn of(spans: impl IntoIterator<Item = Span>) -> Option<Spans> {
        let mut spans = spans.into_iter();
        let mut all = Spans::from(spans.next()?);
        spans.for_each(|span| all.push(span));
        Some(all)
    }

    /// Returns whether the spans cover no bytes.
    pub fn is_empty(&self) -> bool {
        self.rest.is_none() && self.first.is_empty()
    }

    /// Returns the spans of part of the covered bytes, such as a part of a URL; `range` counts
    /// covered bytes from the first. An empty range gives an empty span before that byte, or after
    /// the last one; a range past the end is cut.
    pub fn slice(&self, range: Range<usize>) -> Spans {
        let (from, to) = (range.start as u64, range.end as u64);
        let mut passed = 0;
        let found = Spans::of(self.iter().filter_map(|span| {
            let before = passed;
            passed += span.len();
            let (start, end) = (from.max(before), to.min(passed));
            let is_within = start < end || (from >= to && (before..passed).contains(&from));
            let at = |offset: u64| span.start + (offset - before);
            is_within.then(|| Span::new(at(start), at(end.max(start))))
        }));
        found.unwrap_or_else(|| Span::new(self.end(), self.end()).into())
    }

    /// Returns the spans with each offset moved forward by `by` bytes.
    #[doc(hidden)]
    pub fn shifted(mut self, by: u64) -> Spans {
        self.first.start += by;
        self.first.end += by;
        for span in self.rest.iter_mut().flat_map(|rest| rest.iter_mut()) {
            span.start += by;
            span.end += by;
        }
        self
    }

    /// Moves each offset back by `by` bytes.
    #[doc(hidden)]
    pub fn move_back(&mut self, by: u64) {
        let rest = self.rest.iter_mut().flat_map(|rest| rest.iter_mut());
        for span in std::iter::once(&mut self.first).chain(rest) {
            span.start -= by;
            span.end -= by;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(list: &[(u64, u64)]) -> Spans {
        let mut spans = Spans::from(Span::new(list[0].0, list[0].1));
        for &(start, end) in &list[1..] {
            spans.push(Span::new(start, end));
        }
        spans
    }

    #[test]
    fn slices() {
        let broken = spans(&[(10, 14), (20, 23), (30, 31)]);
        type Pairs = &'static [(u64, u64)];
        let cases: &[(Range<usize>, Pairs)] = &[
            (0..8, &[(10, 14), (20, 23), (30, 31)]),
            (0..4, &[(10, 14)]),
            (3..5, &[(13, 14), (20, 21)]),
            (4..4, &[(20, 20)]),
            (2..2, &[(12, 12)]),
            (8..8, &[(31, 31)]),
            (7..99, &[(30, 31)]),
        ];
        for (range, expected) in cases {
            assert_eq!(broken.slice(range.clone()), spans(expected), "{range:?}");
        }
    }

    #[test]
    fn pushing_merges_and_keeps_order() {
        assert_eq!(spans(&[(1, 3), (3, 5)]), spans(&[(1, 5)]));
        assert_eq!(spans(&[(4, 4), (9, 10)]), spans(&[(9, 10)]));
        assert_eq!(spans(&[(1, 5), (2, 7)]), spans(&[(1, 7)]));
        assert_eq!(spans(&[(1, 5), (2, 4)]), spans(&[(1, 5)]));
    }
}
