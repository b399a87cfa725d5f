//! Building a view, addition by addition.

use std::borrow::Cow;

use super::run::{Run, Unit};
use super::{Layer, View};
use crate::text::span::Span;

impl View<'_> {
    /// An empty view to add to.
    pub(crate) fn new(layer: Layer) -> View<'static> {
        View {
            text: Cow::Borrowed(&[]),
            runs: Vec::new(),
            layers: vec![layer],
        }
    }

    /// An empty view to which so many bytes will be added, or nearly so.
    pub(crate) fn with_capacity(layer: Layer, bytes: usize) -> View<'static> {
        View {
            text: Cow::Owned(Vec::with_capacity(bytes)),
            ..View::new(layer)
        }
    }

    /// Adds bytes that stand as they are at `source`.
    pub(crate) fn copy(&mut self, bytes: &[u8], source: u64) {
        self.go_on(source, Unit::Each(1), bytes.is_empty());
        self.text.to_mut().extend_from_slice(bytes);
    }

    /// Adds a byte that came from `width` source bytes at `source`.
    pub(crate) fn push(&mut self, byte: u8, source: u64, width: u64) {
        self.go_on(source, Unit::each(width), false);
        self.text.to_mut().push(byte);
    }

    /// Adds a character's bytes that came, all of them together, from `width` source bytes at
    /// `source`; the next one's may come from those behind them.
    pub(crate) fn push_character(&mut self, bytes: &[u8], source: u64, width: u8) {
        match (bytes, u8::try_from(bytes.len())) {
            (&[byte], _) => self.push(byte, source, width.into()),
            (_, Ok(len)) if width > 0 => {
                let unit = Unit::Characters {
                    len,
                    width,
                    missing: 0,
                };
                self.go_on(source, unit, bytes.is_empty());
                self.text.to_mut().extend_from_slice(bytes);
            }
            _ => self.push_together(bytes, Span::new(source, source + u64::from(width))),
        }
    }

    /// Adds bytes that came, three from four, from source bytes at `source`; of the last three
    /// some may be missing.
    pub(crate) fn push_base64(&mut self, bytes: &[u8], source: u64) {
        self.go_on(source, Unit::Base64 { missing: 0 }, bytes.is_empty());
        self.text.to_mut().extend_from_slice(bytes);
    }

    /// Adds bytes that came, all of them together, from `span`.
    pub(crate) fn push_together(&mut self, bytes: &[u8], span: Span) {
        if !bytes.is_empty() {
            self.add(span.start, Unit::together(span.len()));
            self.text.to_mut().extend_from_slice(bytes);
        }
    }

    /// Adds the text of `other`, a view of the same source. What was undone to get that is not
    /// added: the layers of this view stand for all of it.
    pub(crate) fn append(&mut self, other: &View<'_>) {
        let end = self.text.len();
        let runs = other.runs.iter().map(|run| Run {
            start: run.start + end,
            ..*run
        });
        self.runs.extend(runs);
        self.text.to_mut().extend_from_slice(&other.text);
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
