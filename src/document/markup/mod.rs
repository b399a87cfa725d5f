//! What is collected from a document of markup, sheet by sheet: HTML and XML write on the same.

mod attribute;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub(crate) use attribute::{Attribute, Kind};

use super::{Parts, is_absolute, is_complete};
use crate::text::span::Span;
use crate::url::schemes::{MAX_SCHEME, is_scheme_character};
use crate::view::{Layer, View};

/// How text of the source, which stands at an offset, is added to a view.
pub(crate) trait Add: Fn(&mut View<'static>, &[u8], u64) {}

impl<F: Fn(&mut View<'static>, &[u8], u64)> Add for F {}

/// The sheets of a document. Each is one view of it, in the order of the source, so that a document
/// of many small pieces takes no more than one of a few large ones.
#[derive(Debug)]
pub(crate) struct Sheets {
    /// Text that is broken anew when it is shown.
    pub(crate) flow: Prose,
    /// Text that is shown line by line.
    pub(crate) lines: Prose,
    /// Text that people read beside the document's own: descriptions of pictures, say.
    pub(crate) asides: Prose,
    /// Comments, scripts, styles, identifiers: what people do not read.
    pub(crate) hidden: Prose,
    pub(crate) targets: Targets,
}

impl Sheets {
    pub(crate) fn new() -> Self {
        Sheets {
            flow: Prose::new(Layer::References),
            lines: Prose::new(Layer::References),
            asides: Prose::new(Layer::References),
            hidden: Prose::new(Layer::Ascii),
            targets: Targets {
                view: View::new(Layer::References),
                ranges: Vec::new(),
            },
        }
    }

    pub(crate) fn finish(self, parts: &mut Parts<'_>) {
        parts.flow(self.flow.view);
        parts.lines(self.lines.view);
        parts.flow(self.asides.view);
        parts.lines(self.hidden.view);
        parts.targets(self.targets.view, self.targets.ranges);
    }

    /// Adds what people do not read, which stands at `range` of `source`, as it stands there.
    pub(crate) fn hide(&mut self, source: &[u8], range: Range<usize>) {
        self.hidden.edge(Edge::Gap, at(range.start));
        self.hidden.text(source, range, View::copy);
    }
}

/// Text between tags, and what the tags show in it.
#[derive(Debug)]
pub(crate) struct Prose {
    pub(crate) view: View<'static>,
    /// What stands between the text so far and the next.
    edge: Option<(Edge, Span)>,
}

/// What the edge of an element shows in the text: what comes last here outdoes what comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Edge {
    /// A link's: a blank, but not between the link and what it is enclosed in.
    Link,
    /// A blank.
    Blank,
    /// A line break.
    Break,
    /// A blank line: nothing is joined over it.
    Gap,
}

impl Prose {
    fn new(layer: Layer) -> Self {
        Prose {
            view: View::new(layer),
            edge: None,
        }
    }

    /// Marks an edge behind the text so far; `span` is that of its tag.
    pub(crate) fn edge(&mut self, edge: Edge, span: Span) {
        match &mut self.edge {
            Some((old, _)) => *old = edge.max(*old),
            None => self.edge = Some((edge, span)),
        }
    }

    /// Adds the text at `range` of `source`, in the way of `add`.
    pub(crate) fn text(&mut self, source: &[u8], range: Range<usize>, add: impl Add) {
        let offset = range.start as u64;
        let text = source.get(range).unwrap_or_default();
        let Some(&first) = text.first() else {
            return;
        };
        if let Some((edge, _)) = self.edge
            && edge < Edge::Gap
            && self.ends_in_space()
            && text.iter().all(u8::is_ascii_whitespace)
        {
            return;
        }
        if let Some((edge, span)) = self.edge.take()
            && let Some(shown) = self.shown(edge, first, text)
        {
            self.view.push_together(shown, span);
        }
        add(&mut self.view, text, offset);
    }

    /// What to show of `edge` before `text`, which begins with the byte `first`.
    fn shown(&self, edge: Edge, first: u8, text: &[u8]) -> Option<&'static [u8]> {
        let before = self.view.text();
        if before.is_empty() {
            return None;
        }
        match edge {
            Edge::Gap => Some(b"\n\n"),
            _ if self.ends_in_space() || first.is_ascii_whitespace() => None,
            Edge::Break => Some(b"\n"),
            Edge::Blank => Some(b" "),
            Edge::Link => (!opens(before) && !closes(text)).then_some(b" "),
        }
    }

    fn ends_in_space(&self) -> bool {
        let last = self.view.text().last();
        last.is_none_or(u8::is_ascii_whitespace)
    }
}

/// Whether `before` ends in what opens a URL.
fn opens(before: &[u8]) -> bool {
    let tail = &before[before.len().saturating_sub(4)..];
    before.ends_with(b"<")
        || matches!(before.last(), Some(b'(' | b'[' | b'{' | b'"' | b'\''))
        || tail.eq_ignore_ascii_case(b"URL:")
}

/// Whether `text` begins with what closes a URL, written as it is or as a reference.
fn closes(text: &[u8]) -> bool {
    let references: [&[u8]; 5] = [b"&gt", b"&quot", b"&#62", b"&#x3e", b"&#34"];
    // An apostrophe rather goes on with the text: `</a>'s page`.
    matches!(text.first(), Some(b'>' | b')' | b']' | b'}' | b'"'))
        || references.iter().any(|name| text.starts_with(name))
}

/// The targets of links, one below the other.
#[derive(Debug)]
pub(crate) struct Targets {
    view: View<'static>,
    ranges: Vec<Range<usize>>,
}

impl Targets {
    /// Adds the value at `range` of `source`, in the way of `add`; `split` says where in the text
    /// that came of it the targets are.
    pub(crate) fn value(
        &mut self,
        source: &[u8],
        range: Range<usize>,
        add: impl Add,
        split: impl FnOnce(&[u8], &mut dyn FnMut(Range<usize>)),
    ) {
        let value = source.get(range.clone()).unwrap_or_default();
        // What is relative need not be kept.
        if memchr::memchr2(b':', b'&', value).is_none() {
            return;
        }
        let start = self.view.text().len();
        add(&mut self.view, value, range.start as u64);
        let ranges = &mut self.ranges;
        let text = self.view.text().get(start..).unwrap_or_default();
        split(text, &mut |range| {
            ranges.push(start + range.start..start + range.end);
        });
        self.view.push_together(b"\n", at(range.end));
    }
}

/// The whole value is one target.
fn whole(text: &[u8], target: &mut dyn FnMut(Range<usize>)) {
    target(0..text.len());
}

/// Each word of the value is a target, commas set aside.
fn words(text: &[u8], target: &mut dyn FnMut(Range<usize>)) {
    let mut at = 0;
    for word in text.split(u8::is_ascii_whitespace) {
        let commas = word.iter().rev().take_while(|&&byte| byte == b',').count();
        if word.len() > commas {
            target(at..at + word.len() - commas);
        }
        at += word.len() + 1;
    }
}

/// What the value of an attribute is that nothing is known about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Url,
    /// Text that begins with a URL.
    Text,
    Other,
}

impl Value {
    /// Judges by how the value begins that `add` decodes.
    fn of_decoded(value: &[u8], add: impl Add) -> Value {
        if memchr::memchr(b'&', value).is_none() {
            return Value::of(value);
        }
        let mut decoded = View::new(Layer::References);
        add(&mut decoded, value, 0);
        Value::of(decoded.text())
    }

    /// Judges by how the value begins.
    pub(crate) fn of(value: &[u8]) -> Value {
        let value = value.trim_ascii();
        match behind_scheme(value) == Some(b':') && is_absolute(value) && is_complete(value) {
            true if value.iter().any(u8::is_ascii_whitespace) => Value::Text,
            true => Value::Url,
            false => Value::Other,
        }
    }
}

/// Whether `value` begins with what may be a scheme and a colon, as they are or hidden in
/// references.
pub(crate) fn may_begin_with_scheme(value: &[u8]) -> bool {
    matches!(behind_scheme(value), Some(b':' | b'&'))
}

/// What follows what may be a scheme.
fn behind_scheme(value: &[u8]) -> Option<u8> {
    let value = value.trim_ascii_start();
    let is_scheme = |byte: &&u8| is_scheme_character(**byte);
    let scheme = value.iter().take(MAX_SCHEME).take_while(is_scheme).count();
    value.get(scheme).copied()
}

/// An empty span.
pub(crate) fn at(offset: usize) -> Span {
    Span::new(offset as u64, offset as u64)
}
