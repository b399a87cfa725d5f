//! Views: texts that were derived from a source, and where each of their bytes came from.

mod build;
pub(crate) mod charset;
mod edits;
pub(crate) mod flowed;
mod layer;
pub(crate) mod reference;
mod run;
pub(crate) mod transfer;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

pub(crate) use edits::Line;
pub(crate) use layer::Layer;
use run::{Run, Unit};
pub use transfer::{base64, quoted_printable};

use crate::find::Finder;
use crate::find::candidate::{Alternative, Candidate};
use crate::lint::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use crate::text::span::{Span, Spans};

/// How many runs are looked at one by one before others are.
const NEAR: usize = 12;

/// A text that was derived from a source, its parent, with a map from each of its bytes back to the
/// source bytes that it came from.
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
pub struct View<'s> {
    text: Cow<'s, [u8]>,
    /// In the order of the text; each goes on to where the next one begins.
    runs: Vec<Run>,
    /// What was undone, the last thing last.
    layers: Vec<Layer>,
}

impl<'s> View<'s> {
    /// A view that is a part of its source: `text`, which stands at `offset`, in bytes.
    ///
    /// ```
    /// use urlint::{Span, view::View};
    ///
    /// let view = View::same(b"a part", 100);
    /// assert_eq!(view.map(2..6), Span::new(102, 106).into());
    /// ```
    pub fn same(text: &'s [u8], offset: u64) -> Self {
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

    /// The bytes of the view, taken out of it.
    pub(crate) fn into_text(self) -> Cow<'s, [u8]> {
        self.text
    }

    /// The view after one more layer has been undone, which changed none of its bytes.
    pub(crate) fn with_layer(mut self, layer: Layer) -> Self {
        self.layers.push(layer);
        self
    }

    /// The bytes of the view.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Where the bytes `range` of the view stand in the source. An empty range gives an empty span
    /// in front of that byte, or behind the last one.
    pub fn map(&self, range: Range<usize>) -> Spans {
        self.map_near(0, range)
    }

    /// The same for what probably begins in `run` or soon behind it.
    fn map_near(&self, run: usize, range: Range<usize>) -> Spans {
        let end = range.end.min(self.text.len());
        let start = range.start.min(end);
        if start == end {
            let at = if start < self.text.len() {
                self.source_of(start).start
            } else {
                self.source_end()
            };
            return Span::new(at, at).into();
        }
        let mut spans: Option<Spans> = None;
        let mut at = start;
        let mut run = self.run_near(run, start);
        while at < end {
            let next = self.end_of(run).min(end);
            let span = self.runs.get(run).map_or(Span::default(), |run| {
                Span::new(run.source_of(at).start, run.source_of(next - 1).end)
            });
            match &mut spans {
                None => spans = Some(span.into()),
                Some(spans) => spans.push(span),
            }
            (at, run) = (next, run + 1);
        }
        spans.unwrap_or_else(|| Span::default().into())
    }

    /// The view as one of this view's own source, where `next` was derived from the text of this
    /// view: `source` → this → `next`.
    ///
    /// ```
    /// use urlint::{Span, view::{View, quoted_printable}};
    ///
    /// let source = b"Hello:\r\na=3Db";
    /// let body = View::same(&source[8..], 8);
    /// let decoded = body.then(&quoted_printable(body.text()));
    /// assert_eq!(decoded.text(), b"a=b");
    /// assert_eq!(decoded.map(1..2), Span::new(9, 12).into());
    /// ```
    pub fn then(&self, next: &View<'_>) -> View<'static> {
        let mut composed = View {
            text: Cow::Owned(next.text.to_vec()),
            runs: Vec::with_capacity(next.runs.len()),
            layers: [&self.layers[..], &next.layers].concat(),
        };
        let mut below = 0;
        for (index, run) in next.runs.iter().enumerate() {
            let end = next.end_of(index);
            below = self.compose(run, end, below, &mut composed.runs);
        }
        composed
    }

    /// Adds the runs that `run` of a view of this one, up to its end, makes as one of this one's
    /// source. `below` is where its source is to be looked for first; returns where that was.
    fn compose(&self, run: &Run, end: usize, mut below: usize, to: &mut Vec<Run>) -> usize {
        let mut at = run.start;
        while at < end {
            let span = run.source_of(at);
            below = self.run_near(below, span.start as usize);
            let rest = run.cut(at, at);
            let limit = self.end_of(below);
            let composed = self.runs.get(below).and_then(|below| rest.over(below));
            if span.end <= limit as u64
                && let Some(composed) = composed
            {
                to.push(composed);
                at = rest.reach(limit as u64).max(at + 1);
            } else {
                to.push(self.together(span, at));
                at = run.end_together(at);
            }
        }
        below
    }

    /// A run whose bytes came together from those that `span` of this view came from.
    fn together(&self, span: Span, start: usize) -> Run {
        let source = self.map_whole(span);
        Run {
            start,
            source: source.start,
            unit: Unit::together(source.len()),
        }
    }

    /// The candidates of the view, their spans in the source.
    pub fn find(&self, finder: &Finder) -> impl Iterator<Item = Candidate<'_>> {
        finder
            .find(&self.text)
            .map(|candidate| self.candidate(candidate))
    }

    /// A candidate of the view's text, its spans in the source.
    pub(crate) fn candidate<'v>(&self, candidate: Candidate<'v>) -> Candidate<'v> {
        let run = self.run_of(candidate.outer.start as usize);
        self.candidate_near(run, candidate)
    }

    /// The same for one that probably begins in `run` or soon behind it.
    pub(crate) fn candidate_near<'v>(&self, run: usize, candidate: Candidate<'v>) -> Candidate<'v> {
        let alternative = |other: Alternative| Alternative {
            text: other.text,
            pieces: self.spans(&other.pieces),
        };
        Candidate {
            outer: self.map_whole_near(run, candidate.outer).0,
            pieces: self.spans_near(run, &candidate.pieces),
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

    /// A diagnostic about the view's text, its spans and edits in the source. A fix that cannot be
    /// written there is for display only.
    pub(crate) fn diagnostic(&self, diagnostic: Diagnostic) -> Diagnostic {
        Diagnostic {
            spans: self.spans(&diagnostic.spans),
            fix: diagnostic.fix.map(|fix| self.fix(self.in_stretches(fix))),
            outer: self.map_whole(diagnostic.outer),
            pieces: self.spans(&diagnostic.pieces),
            password: diagnostic.password.map(|spans| self.spans(&spans)),
            ..diagnostic
        }
    }

    fn fix(&self, fix: Fix) -> Fix {
        let mut applicability = fix.applicability;
        let mut edits = Vec::with_capacity(fix.edits.len());
        for edit in fix.edits {
            let mut layers = self.layers.iter().rev();
            let encoded =
                layers.try_fold(edit.replacement.clone(), |text, layer| layer.encode(&text));
            let Some(replacement) = encoded else {
                // Drawn among the source's bytes it would be taken for one of them.
                let what = match &*edit.replacement {
                    "" => String::new(),
                    text => format!(": `{text}`"),
                };
                return Fix {
                    message: format!("{}{what} in what is encoded here", fix.message),
                    applicability: Applicability::DisplayOnly,
                    edits: Vec::new(),
                    url_edits: fix.url_edits,
                };
            };
            if !self.is_whole(edit.span) {
                applicability = Applicability::DisplayOnly;
            }
            edits.push(Edit {
                span: self.map_whole(edit.span),
                replacement,
            });
        }
        Fix {
            message: fix.message,
            applicability,
            edits,
            url_edits: fix.url_edits,
        }
    }

    /// Whether the source bytes of `span` are its own: none of them made a byte beside it, too.
    fn is_whole(&self, span: Span) -> bool {
        let is_boundary = |at: usize| {
            if at == 0 || at >= self.text.len() {
                return true;
            }
            let (before, behind) = (self.source_of(at - 1), self.source_of(at));
            before != behind || before.is_empty()
        };
        is_boundary(span.start as usize) && is_boundary(span.end as usize)
    }

    /// Where what stands at `spans` of the view stands in the source.
    pub(crate) fn spans(&self, spans: &Spans) -> Spans {
        self.spans_near(0, spans)
    }

    fn spans_near(&self, run: usize, spans: &Spans) -> Spans {
        if spans.is_empty() {
            return self
                .map_whole(Span::new(spans.start(), spans.start()))
                .into();
        }
        let parts = spans
            .iter()
            .map(|span| self.map_near(run, span.start as usize..span.end as usize));
        let mut mapped: Option<Spans> = None;
        for part in parts {
            match &mut mapped {
                None => mapped = Some(part),
                Some(mapped) => part.iter().for_each(|span| mapped.push(span)),
            }
        }
        mapped.unwrap_or_else(|| Span::default().into())
    }

    /// From the first to the last source byte of a span of the view; for an empty one the place
    /// behind the byte before it.
    pub(crate) fn map_whole(&self, span: Span) -> Span {
        self.map_whole_near(0, span).0
    }

    /// The same for a span that probably begins in `run` or soon behind it; returns also in which.
    pub(crate) fn map_whole_near(&self, run: usize, span: Span) -> (Span, usize) {
        let (start, end) = (span.start as usize, span.end as usize);
        if start == end && start > 0 && start <= self.text.len() {
            let end = self.source_of(start - 1).end;
            return (Span::new(end, end), run);
        }
        if start >= end || start >= self.text.len() {
            let at = self.map(start..end).start();
            return (Span::new(at, at), run);
        }
        let last = end.min(self.text.len()) - 1;
        let first_run = self.run_near(run, start);
        let last_run = self.run_near(first_run, last);
        let source_of = |run: usize, at| self.runs.get(run).map(|run| run.source_of(at));
        let (first, last) = (source_of(first_run, start), source_of(last_run, last));
        let whole = first.zip(last).map_or(Span::default(), |(first, last)| {
            Span::new(first.start, last.end)
        });
        (whole, first_run)
    }

    /// The same view of a source that has `by` more bytes in front.
    pub(crate) fn shift(&mut self, by: u64) {
        for run in &mut self.runs {
            run.source += by;
        }
    }

    /// Where the text stands in the source, if the view is just a part of it.
    pub(crate) fn same_at(&self) -> Option<u64> {
        match (&self.text, &self.runs[..]) {
            (Cow::Borrowed(_), [run]) if run.unit == Unit::Each(1) && self.layers.is_empty() => {
                Some(run.source)
            }
            _ => None,
        }
    }

    /// The run that the byte at `at` belongs to.
    fn run_of(&self, at: usize) -> usize {
        self.runs
            .partition_point(|run| run.start <= at)
            .saturating_sub(1)
    }

    /// The run that the byte at `at` belongs to, which probably is `run` or one soon behind it.
    fn run_near(&self, run: usize, at: usize) -> usize {
        let near = self.runs.iter().skip(run).take(NEAR);
        match near.take_while(|run| run.start <= at).count() {
            0 | NEAR => self.run_of(at),
            begun => run + begun - 1,
        }
    }

    /// Where a run ends in the view.
    fn end_of(&self, run: usize) -> usize {
        let next = self.runs.get(run + 1);
        next.map_or(self.text.len(), |next| next.start)
    }

    /// The source bytes of the byte at `at`.
    fn source_of(&self, at: usize) -> Span {
        let run = self.runs.get(self.run_of(at));
        run.map_or(Span::default(), |run| run.source_of(at))
    }

    /// Where the source bytes of the last byte end.
    fn source_end(&self) -> u64 {
        match self.text.len() {
            0 => self.runs.first().map_or(0, |run| run.source),
            len => self.source_of(len - 1).end,
        }
    }
}
