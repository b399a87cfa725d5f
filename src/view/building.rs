//! Building a view, piece by piece.

use std::borrow::Cow;

use super::run::{Run, Unit};
use super::{Layer, View};
use urlint_standard::text::Span;

#[doc(hidden)]
impl View<'_> {
    /// An empty view to add to; `layer` is the encoding that is being decoded.
    pub fn new(layer: Layer) -> View<'static> {
        View::with_capacity(layer, 0)
    }

    /// An empty view with room for `bytes` bytes.
    pub fn with_capacity(layer: Layer, bytes: usize) -> View<'static> {
        View {
            text: Cow::Owned(Vec::with_capacity(bytes)),
            runs: Vec::new(),
            layers: vec![layer],
        }
    }

    /// Adds bytes that are the same in the source, at offset `source`.
    pub fn copy(&mut self, bytes: &[u8], source: u64) {
        self.extend(source, Unit::Each(1), bytes.is_empty());
        self.text.to_mut().extend_from_slice(bytes);
    }

    /// Adds a byte that came from the `width` source bytes at offset `source`.
    pub fn push(&mut self, byte: u8, source: u64, width: u64) {
        self.extend(source, Unit::each(width), false);
        self.text.to_mut().push(byte);
    }

    /// Adds the bytes of one character, which together came from the `width` source bytes at offset
    /// `source`. Characters of equal length and width that follow one another share a run.
    pub fn push_character(&mut self, bytes: &[u8], source: u64, width: u8) {
        match (bytes, u8::try_from(bytes.len())) {
            (&[byte], _) => self.push(byte, source, width.into()),
            (_, Ok(len)) if width > 0 => {
                let unit = Unit::Characters {
                    len,
                    width,
                    missing: 0,
                };
                self.extend(source, unit, bytes.is_empty());
                self.text.to_mut().extend_from_slice(bytes);
            }
            _ => self.push_together(bytes, Span::new(source, source + u64::from(width))),
        }
    }

    /// Adds bytes decoded from base64 at offset `source`, three bytes from four characters; the last
    /// group may be incomplete.
    pub fn push_base64(&mut self, bytes: &[u8], source: u64) {
        self.extend(source, Unit::Base64 { missing: 0 }, bytes.is_empty());
        self.text.to_mut().extend_from_slice(bytes);
    }

    /// Adds bytes that together came from `span`.
    pub fn push_together(&mut self, bytes: &[u8], span: Span) {
        if !bytes.is_empty() {
            self.add(span.start, Unit::together(span.len()));
            self.text.to_mut().extend_from_slice(bytes);
        }
    }

    /// Adds the text of `other`, a view of the same source. The layers of `other` are not taken over:
    /// the layers of this view have to describe all of its text.
    pub fn append(&mut self, other: &View<'_>) {
        let end = self.text.len();
        let runs = other.runs.iter().map(|run| Run {
            start: run.start + end,
            ..*run
        });
        self.runs.extend(runs);
        self.text.to_mut().extend_from_slice(&other.text);
    }

    /// Begins a run at the end of the text, unless the last run continues there.
    fn extend(&mut self, source: u64, unit: Unit, is_empty: bool) {
        let end = self.text.len();
        let continues = self
            .runs
            .last()
            .is_some_and(|run| run.unit == unit && run.source_of(end).start == source);
        if !continues && !is_empty {
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
