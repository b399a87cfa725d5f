//! A cursor: remembers where in a view the last range was mapped, so that the next one is found
//! fast.

use std::ops::Range;

use super::View;
use super::run::{Run, Unit};
use urlint_find::Candidate;
use urlint_standard::text::{Span, Spans};

/// The number of runs that are tried one by one before the run is found by binary search.
const NEAR: usize = 12;

/// Maps ranges of a view to its source. A range is found fast if it begins in the run in which the
/// last one began, or a few runs after it; any other range is found by binary search.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'v> {
    view: &'v View<'v>,
    /// The run in which the last range began.
    run: usize,
}

impl<'v> Cursor<'v> {
    pub(super) fn new(view: &'v View<'v>) -> Self {
        Cursor { view, run: 0 }
    }

    /// Moves to the run that the byte at `at` belongs to, and returns its index.
    fn seek(&mut self, at: usize) -> usize {
        let near = self.view.runs.iter().skip(self.run).take(NEAR);
        self.run = match near.take_while(|run| run.start <= at).count() {
            0 | NEAR => self.view.run_of(at),
            begun => self.run + begun - 1,
        };
        self.run
    }

    /// The source bytes of the byte at `at`.
    fn source_of(&mut self, at: usize) -> Span {
        let run = self.seek(at);
        self.view.source_in(run, at)
    }

    /// As [`View::map`].
    pub fn map(&mut self, range: Range<usize>) -> Spans {
        let len = self.view.text.len();
        let end = range.end.min(len);
        let start = range.start.min(end);
        if start == end {
            let at = if start < len {
                self.source_of(start).start
            } else {
                self.view.source_end()
            };
            return Span::new(at, at).into();
        }
        let mut at = start;
        let mut run = self.seek(start);
        let view = self.view;
        let spans = Spans::of(std::iter::from_fn(|| {
            if at >= end {
                return None;
            }
            let next = view.end_of(run).min(end);
            let (first, last) = (view.source_in(run, at), view.source_in(run, next - 1));
            (at, run) = (next, run + 1);
            Some(Span::new(first.start, last.end))
        }));
        spans.unwrap_or_else(|| Span::default().into())
    }

    /// As [`View::map_whole`].
    pub fn map_whole(&mut self, span: Span) -> Span {
        let (start, end) = (span.start as usize, span.end as usize);
        let len = self.view.text.len();
        if start == end && start > 0 && start <= len {
            let end = self.source_of(start - 1).end;
            return Span::new(end, end);
        }
        if start >= end || start >= len {
            let at = self.map(start..end).start();
            return Span::new(at, at);
        }
        let first = self.source_of(start);
        // A copy, so that this cursor stays where the span begins.
        let last = { *self }.source_of(end.min(len) - 1);
        Span::new(first.start, last.end)
    }

    /// As [`View::spans`].
    pub fn spans(&mut self, spans: &Spans) -> Spans {
        if spans.is_empty() {
            let at = Span::new(spans.start(), spans.start());
            return self.map_whole(at).into();
        }
        let mut mapped: Option<Spans> = None;
        for span in spans.iter() {
            let part = self.map(span.start as usize..span.end as usize);
            match &mut mapped {
                None => mapped = Some(part),
                Some(mapped) => part.iter().for_each(|span| mapped.push(span)),
            }
        }
        mapped.unwrap_or_else(|| Span::default().into())
    }

    /// As [`View::candidate`].
    pub fn candidate<'c>(&mut self, mut candidate: Candidate<'c>) -> Candidate<'c> {
        let outer = self.map_whole(candidate.outer);
        let mut alternatives = *self;
        let mut spaces = *self;
        candidate.outer = outer;
        candidate.pieces = self.spans(&candidate.pieces);
        for space in &mut candidate.spaces {
            *space = spaces.map_whole(*space);
        }
        for other in &mut candidate.alternatives {
            other.pieces = alternatives.spans(&other.pieces);
        }
        candidate
    }

    /// Adds to `to` the runs that take the bytes of `run`, a run of a view that was derived from
    /// this one, back to this view's source. `run` ends at `end`.
    pub(super) fn compose(&mut self, run: &Run, end: usize, to: &mut Vec<Run>) {
        let mut at = run.start;
        while at < end {
            let span = run.source_of(at);
            let below = self.seek(span.start as usize);
            let rest = run.cut(at, at);
            let limit = self.view.end_of(below);
            let composed = self.view.runs.get(below).and_then(|below| rest.over(below));
            if span.end <= limit as u64
                && let Some(composed) = composed
            {
                to.push(composed);
                at = rest.reach(limit as u64).max(at + 1);
            } else {
                let source = self.map_whole(span);
                to.push(Run {
                    start: at,
                    source: source.start,
                    unit: Unit::together(source.len()),
                });
                at = run.end_together(at);
            }
        }
    }
}
