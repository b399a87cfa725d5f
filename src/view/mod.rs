//! Views: texts that were derived from a source, and where each of their bytes came from.

pub(crate) mod asciidoc;
mod edits;
pub(crate) mod html;
pub(crate) mod mail;
pub(crate) mod markdown;
pub(crate) mod roff;
pub(crate) mod rst;
pub(crate) mod tex;
mod transfer;
pub(crate) mod xml;

use std::borrow::Cow;
use std::ops::Range;

pub(crate) use edits::Line;
pub use transfer::quoted_printable;

use crate::candidate::{Alternative, Candidate};
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use crate::find::Finder;
use crate::span::{Span, Spans};

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

/// Bytes of a view that came from the source in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// Where the run begins in the view.
    start: usize,
    /// Where the source bytes begin that it came from.
    source: u64,
    unit: Unit,
}

/// How the bytes of a run came from source bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// Each from so many source bytes of its own.
    Each(u64),
    /// All of them together from so many source bytes.
    Together(u64),
    /// Three from four source bytes, six bits each; the first byte of the run is this one of its
    /// three, and the run's `source` is the first of its four.
    Base64(usize),
}

impl Run {
    /// The source bytes of the byte at `at`, which is not before the run.
    fn source_of(&self, at: usize) -> Span {
        let passed = at - self.start;
        match self.unit {
            Unit::Each(width) => {
                let start = self.source + passed as u64 * width;
                Span::new(start, start + width)
            }
            Unit::Together(width) => Span::new(self.source, self.source + width),
            Unit::Base64(first) => {
                let (four, byte) = ((first + passed) / 3, (first + passed) % 3);
                let start = self.source + (four * 4 + byte) as u64;
                Span::new(start, start + 2)
            }
        }
    }

    /// The run that goes on like this one from the byte at `at`, and is to begin at `start`.
    fn cut(&self, at: usize, start: usize) -> Run {
        let passed = at - self.start;
        let (source, unit) = match self.unit {
            Unit::Each(width) => (self.source + passed as u64 * width, self.unit),
            Unit::Together(_) => (self.source, self.unit),
            Unit::Base64(first) => {
                let fours = ((first + passed) / 3 * 4) as u64;
                (self.source + fours, Unit::Base64((first + passed) % 3))
            }
        };
        Run {
            start,
            source,
            unit,
        }
    }
}

/// Something that was undone to get a view, and would have to be done to text that is put into its
/// source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// Quoted-printable.
    QuotedPrintable,
    /// Character references of HTML and XML.
    References,
    /// Something that leaves visible US-ASCII characters as they are.
    Ascii,
    /// Something that leaves only letters and digits as they are.
    Alphanumeric,
    /// Something in which nothing can be replaced by itself, such as base64.
    Opaque,
}

impl Layer {
    /// `text` as it has to be written in the source, if it can be.
    fn encode(self, text: &str) -> Option<String> {
        let fine = |ok: bool| ok.then(|| text.to_owned());
        match self {
            Layer::QuotedPrintable => {
                let byte = |byte: u8| match byte {
                    b'!'..=b'<' | b'>'..=b'~' => char::from(byte).to_string(),
                    other => format!("={other:02X}"),
                };
                Some(text.bytes().map(byte).collect())
            }
            Layer::References => {
                let references = text.replace('&', "&amp;").replace('<', "&lt;");
                Some(references.replace('>', "&gt;").replace('"', "&quot;"))
            }
            Layer::Ascii => fine(text.bytes().all(|byte| byte.is_ascii_graphic())),
            Layer::Alphanumeric => fine(text.bytes().all(|byte| byte.is_ascii_alphanumeric())),
            Layer::Opaque => None,
        }
    }
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

    /// An empty view to add to.
    pub(crate) fn new(layer: Layer) -> View<'static> {
        View {
            text: Cow::Borrowed(&[]),
            runs: Vec::new(),
            layers: vec![layer],
        }
    }

    /// The bytes of the view.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Where the bytes `range` of the view stand in the source. An empty range gives an empty span
    /// in front of that byte, or behind the last one.
    pub fn map(&self, range: Range<usize>) -> Spans {
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
        while at < end {
            let run = self.run_of(at);
            let next = self.end_of(run).min(end);
            let (from, to) = (self.source_of(at), self.source_of(next - 1));
            let span = Span::new(from.start, to.end);
            match &mut spans {
                None => spans = Some(span.into()),
                Some(spans) => spans.push(span),
            }
            at = next;
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
        for (index, run) in next.runs.iter().enumerate() {
            let end = next.end_of(index);
            match run.unit {
                Unit::Each(1) => self.copy_runs(run, end, &mut composed.runs),
                Unit::Together(_) => composed.runs.push(Run {
                    start: run.start,
                    ..self.together(run.source_of(run.start))
                }),
                Unit::Each(_) | Unit::Base64(_) => {
                    let byte = |at| Run {
                        start: at,
                        ..self.together(run.source_of(at))
                    };
                    composed.runs.extend((run.start..end).map(byte));
                }
            }
        }
        composed
    }

    /// The runs of this view from which `run` of another, up to its end, was copied.
    fn copy_runs(&self, run: &Run, end: usize, to: &mut Vec<Run>) {
        let mut at = run.start;
        let mut own = self.run_of(run.source as usize);
        while at < end {
            let here = run.source as usize + (at - run.start);
            let Some(origin) = self.runs.get(own) else {
                return;
            };
            to.push(origin.cut(here, at));
            at += (self.end_of(own) - here).max(1);
            own += 1;
        }
    }

    /// A run whose bytes came together from those that `span` of this view came from.
    fn together(&self, span: Span) -> Run {
        let source = self.map_whole(span);
        Run {
            start: 0,
            source: source.start,
            unit: Unit::Together(source.len()),
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
        let alternative = |other: Alternative| Alternative {
            text: other.text,
            pieces: self.spans(&other.pieces),
        };
        Candidate {
            outer: self.map_whole(candidate.outer),
            pieces: self.spans(&candidate.pieces),
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
        let edit = |edit: Edit| {
            let mut layers = self.layers.iter().rev();
            let encoded =
                layers.try_fold(edit.replacement.clone(), |text, layer| layer.encode(&text));
            if encoded.is_none() {
                applicability = Applicability::Display;
            }
            Edit {
                span: self.map_whole(edit.span),
                replacement: encoded.unwrap_or(edit.replacement),
            }
        };
        let edits = fix.edits.into_iter().map(edit).collect();
        Fix {
            message: fix.message,
            applicability,
            edits,
        }
    }

    /// Where what stands at `spans` of the view stands in the source.
    pub(crate) fn spans(&self, spans: &Spans) -> Spans {
        if spans.is_empty() {
            return self
                .map_whole(Span::new(spans.start(), spans.start()))
                .into();
        }
        let parts = spans
            .iter()
            .map(|span| self.map(span.start as usize..span.end as usize));
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
        let (start, end) = (span.start as usize, span.end as usize);
        if start == end && start > 0 && start <= self.text.len() {
            let end = self.source_of(start - 1).end;
            return Span::new(end, end);
        }
        let spans = self.map(start..end);
        Span::new(spans.start(), spans.end())
    }

    /// The same view of a source that has `by` more bytes in front.
    pub(crate) fn shift(&mut self, by: u64) {
        for run in &mut self.runs {
            run.source += by;
        }
    }

    /// The run that the byte at `at` belongs to.
    fn run_of(&self, at: usize) -> usize {
        self.runs
            .partition_point(|run| run.start <= at)
            .saturating_sub(1)
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

    /// Adds bytes that stand as they are at `source`.
    pub(crate) fn copy(&mut self, bytes: &[u8], source: u64) {
        self.go_on(source, Unit::Each(1), bytes.is_empty());
        self.text.to_mut().extend_from_slice(bytes);
    }

    /// Adds a byte that came from `width` source bytes at `source`.
    pub(crate) fn push(&mut self, byte: u8, source: u64, width: u64) {
        self.go_on(source, Unit::Each(width), false);
        self.text.to_mut().push(byte);
    }

    /// Adds bytes that came, all of them together, from `span`.
    pub(crate) fn push_together(&mut self, bytes: &[u8], span: Span) {
        if !bytes.is_empty() {
            self.add(span.start, Unit::Together(span.len()));
            self.text.to_mut().extend_from_slice(bytes);
        }
    }

    /// Begins a run at the end of the text, unless the last one goes on there.
    fn go_on(&mut self, source: u64, unit: Unit, is_empty: bool) {
        let end = self.text.len();
        let goes_on = self
            .runs
            .last()
            .is_some_and(|run| run.unit == unit && run.source_of(end).start == source);
        if !goes_on && !is_empty {
            self.add(source, unit);
        }
    }

    fn add(&mut self, source: u64, unit: Unit) {
        self.runs.push(Run {
            start: self.text.len(),
            source,
            unit,
        });
    }
}
