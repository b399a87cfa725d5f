//! The texts of an HTML or XML document: running text, text that is shown line by line, hidden
//! text, and the targets of links.

mod attribute;
mod links;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub(crate) use attribute::{Attribute, AttributeKind, may_be_read};
use links::{LinkTexts, TextKind};

use super::target::is_meant_as_absolute;
use super::texts::Texts;
use super::{Content, Parts, Scope, is_absolute, is_complete, is_one_url, program, set_base};
use urlint_standard::text::{Span, ascii};
use urlint_standard::url::schemes::{MAX_SCHEME, is_scheme_character};
use urlint_view::{Layer, View};

/// Adds text of the source, which begins at an offset, to a view, and decodes its references.
pub(crate) trait Add: Fn(&mut View<'static>, &[u8], u64) {}

impl<F: Fn(&mut View<'static>, &[u8], u64)> Add for F {}

/// The texts of a document. Each is a single view in the order of the source, so that a document of
/// many small pieces takes no more memory than one of a few large pieces.
#[derive(Debug)]
pub(crate) struct MarkupTexts {
    /// The descriptions of links, if requested.
    links: Option<LinkTexts>,
    /// Text that is wrapped when it is shown.
    pub(crate) flow: TextBuilder,
    /// Text that is shown line by line.
    pub(crate) lines: TextBuilder,
    /// Text of attributes that people read, such as descriptions of pictures.
    pub(crate) asides: TextBuilder,
    /// Text that people do not read: comments, scripts, styles, identifiers.
    pub(crate) hidden: TextBuilder,
    pub(crate) targets: TargetBuilder,
    /// The attributes that hold HTML.
    html: Texts,
    /// Which texts are kept.
    pub(crate) scope: Scope,
    /// The base that the document names for its relative targets, if they are resolved.
    pub(crate) base: Option<Vec<u8>>,
}

impl MarkupTexts {
    pub(crate) fn new(scope: Scope) -> Self {
        MarkupTexts {
            links: scope.links.then(LinkTexts::default),
            flow: TextBuilder::new(Layer::References),
            lines: TextBuilder::new(Layer::References),
            asides: TextBuilder::new(Layer::References),
            hidden: TextBuilder::new(Layer::Ascii),
            targets: TargetBuilder {
                view: View::new(Layer::References),
                ranges: Vec::new(),
                relative: scope.resolve,
            },
            html: Texts::new(Layer::References),
            scope,
            base: None,
        }
    }

    /// Begins another page, at `start`, whose texts follow those of the last one.
    pub(crate) fn begin_page(&mut self, start: usize) {
        self.close_link();
        for text in [&mut self.flow, &mut self.lines] {
            text.edge(Edge::Gap, at(start));
        }
    }

    /// Adds the texts to the parts of the document; `add_strings` adds its HTML in attributes.
    pub(crate) fn finish(
        mut self,
        parts: &mut Parts<'_>,
        add_strings: fn(Texts, Scope, &mut Parts<'_>),
    ) {
        let first = parts.parts.len();
        let mut links = self.links.take().unwrap_or_default();
        links.close(&self);
        let examples = self.flow.examples.finish(self.flow.view.text().len());
        let mut at = [0; 2];
        at[TextKind::Flow as usize] = parts.parts.len();
        parts.add(self.flow.view, Content::Flow, examples, links.elements());
        at[TextKind::Lines as usize] = parts.parts.len();
        parts.lines(self.lines.view);
        parts.flow(self.asides.view);
        parts.lines(self.hidden.view);
        let targets = links.finish(at, parts.parts.len());
        parts.targets_with(self.targets.view, self.targets.ranges, targets);
        add_strings(self.html, self.scope, parts);
        if let Some(base) = self.base {
            set_base(&mut parts.parts[first..], &base);
        }
    }

    /// Adds the text at `range` of `source` as text that people do not read, if that is kept.
    pub(crate) fn hide(&mut self, source: &[u8], range: Range<usize>) {
        if self.scope.deep {
            self.hidden.edge(Edge::Gap, at(range.start));
            let add = |view: &mut View<'static>, _: &[u8], _: u64| {
                program::ESCAPES.add(view, source, range.clone());
            };
            self.hidden.text(source, range.clone(), add);
        }
    }
}

/// Builds a text from the text between tags, and from the edges that the tags show in it.
#[derive(Debug)]
pub(crate) struct TextBuilder {
    pub(crate) view: View<'static>,
    /// The edge between the text so far and the next.
    edge: Option<(Edge, Span)>,
    examples: Examples,
    /// Where the last element begins, and where the last one ends.
    element: Range<usize>,
}

/// The ranges of a text that are in elements for code and the like.
#[derive(Debug, Default)]
struct Examples {
    ranges: Vec<Range<usize>>,
    /// Where the outermost element that is open begins, and how many are.
    open: (usize, u32),
}

impl Examples {
    fn begin(&mut self, at: usize) {
        match &mut self.open {
            (start, depth @ 0) => (*start, *depth) = (at, 1),
            (_, depth) => *depth = depth.saturating_add(1),
        }
    }

    fn end(&mut self, at: usize) {
        let (start, depth) = &mut self.open;
        if *depth == 1 && *start < at {
            self.ranges.push(*start..at);
        }
        *depth = depth.saturating_sub(1);
    }

    /// The ranges of a text that ends at `end`.
    fn finish(mut self, end: usize) -> Vec<Range<usize>> {
        if self.open.1 > 0 {
            self.ranges.push(self.open.0..end);
        }
        self.ranges
    }
}

/// The elements for code and the like within running text.
const EXAMPLES: [&[u8]; 9] = [
    b"code", b"kbd", b"samp", b"tt", b"var", b"literal", b"spanx", b"command", b"example",
];

/// The white space in the text at the edge of an element. Of several edges, the greatest is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Edge {
    /// The edge between an element that holds a URL and the next: a blank before a word.
    Element,
    /// The edge of a link: a blank, but not between the link and brackets or quotes around it.
    Link,
    /// A blank.
    Blank,
    /// A line break.
    Break,
    /// A blank line, over which no URL is joined.
    Gap,
}

impl TextBuilder {
    fn new(layer: Layer) -> Self {
        TextBuilder {
            view: View::new(layer),
            edge: None,
            examples: Examples::default(),
            element: 0..0,
        }
    }

    /// Notes that an element `name` begins or ends after the text so far.
    pub(crate) fn element(&mut self, name: &[u8], is_start: bool) {
        let at = self.view.text().len();
        match name {
            // A URL may be broken there when it is shown.
            b"wbr" => self.element.end = usize::MAX,
            _ if is_start => self.element.start = at,
            _ => self.element.end = at,
        }
        if EXAMPLES.contains(&name) {
            if is_start {
                self.examples.begin(at);
            } else {
                self.examples.end(at);
            }
        }
    }

    /// Returns whether an element `name` here directly follows one that holds a URL and nothing else. After a
    /// slash and the like, text in another style is a part of the URL.
    pub(crate) fn follows_url(&self, name: &[u8]) -> bool {
        let text = self.view.text();
        let is_apart = name == b"span" || text.last().is_some_and(u8::is_ascii_alphanumeric);
        let is_next = self.element.end == text.len() && !self.is_in_example();
        is_next && is_apart && is_one_url(&text[self.element.start..])
    }

    /// Returns whether `text`, which follows a word, begins with another URL. The archive of the web has URLs
    /// with a date before them.
    fn precedes_url(&self, text: &[u8]) -> bool {
        let before = self.view.text();
        let folder = before.strip_suffix(b"/").unwrap_or_default();
        let digits = folder.iter().rev().take_while(|byte| byte.is_ascii_digit());
        let is_date = folder.ends_with(b"*") || digits.count() > 3;
        let is_word = |last: &u8| last.is_ascii_alphanumeric() || (*last == b'/' && !is_date);
        let begins = |scheme: &&str| ascii::begins(text, scheme);
        before.last().is_some_and(is_word) && ["http://", "https://", "ftp://"].iter().any(begins)
    }

    /// Returns whether the text that follows is in an element for code and the like.
    pub(crate) fn is_in_example(&self) -> bool {
        self.examples.open.1 > 0
    }

    /// Adds an edge after the text so far; `span` is the span of its tag.
    pub(crate) fn edge(&mut self, edge: Edge, span: Span) {
        match &mut self.edge {
            Some((old, _)) => *old = edge.max(*old),
            None => self.edge = Some((edge, span)),
        }
    }

    /// Adds the text at `range` of `source`, decoded by `add`.
    pub(crate) fn text(&mut self, source: &[u8], range: Range<usize>, add: impl Add) {
        let offset = range.start as u64;
        let text = source.get(range).unwrap_or_default();
        let Some(&first) = text.first() else {
            return;
        };
        if self.precedes_url(text) {
            self.edge(Edge::Blank, at(offset as usize));
        }
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

    /// Returns the text to show for `edge` before `text`, which begins with the byte `first`.
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
            Edge::Element => begins_with_word(text).then_some(b" "),
            Edge::Link => (!opens(before) && !closes(text)).then_some(b" "),
        }
    }

    fn ends_in_space(&self) -> bool {
        let last = self.view.text().last();
        last.is_none_or(u8::is_ascii_whitespace)
    }
}

/// Returns whether `text` begins with a word of letters alone.
fn begins_with_word(text: &[u8]) -> bool {
    let mut words = text.split(u8::is_ascii_whitespace);
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 0x80;
    words.next().is_some_and(|word| word.iter().all(is_letter))
}

/// Returns whether `before` ends in an opening delimiter of a URL.
fn opens(before: &[u8]) -> bool {
    let tail = &before[before.len().saturating_sub(4)..];
    before.ends_with(b"<")
        || matches!(before.last(), Some(b'(' | b'[' | b'{' | b'"' | b'\''))
        || tail.eq_ignore_ascii_case(b"URL:")
}

/// Returns whether `text` begins with a closing delimiter of a URL, or with a reference to one.
fn closes(text: &[u8]) -> bool {
    let references: [&[u8]; 5] = [b"&gt", b"&quot", b"&#62", b"&#x3e", b"&#34"];
    // An apostrophe more often belongs to the text: `</a>'s page`.
    matches!(text.first(), Some(b'>' | b')' | b']' | b'}' | b'"'))
        || references.iter().any(|name| text.starts_with(name))
}

/// Builds a text of the targets of links, one on each line.
#[derive(Debug)]
pub(crate) struct TargetBuilder {
    view: View<'static>,
    ranges: Vec<Range<usize>>,
    /// Whether relative targets are kept.
    relative: bool,
}

impl TargetBuilder {
    /// Adds the value at `range` of `source`, decoded by `add`; `split` finds the targets in the
    /// decoded value.
    pub(crate) fn value(
        &mut self,
        source: &[u8],
        range: Range<usize>,
        add: impl Add,
        split: impl FnOnce(&[u8], &mut dyn FnMut(Range<usize>)),
    ) {
        let value = source.get(range.clone()).unwrap_or_default();
        // A relative target is not needed, unless it is resolved.
        let has_colon = memchr::memchr2(b':', b'&', value).is_some();
        if !has_colon && !self.relative && !is_meant_as_absolute(value.trim_ascii_start()) {
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

/// Takes the whole value as one target.
pub(crate) fn whole(text: &[u8], target: &mut dyn FnMut(Range<usize>)) {
    target(0..text.len());
}

/// Takes each word of the value, without commas, as a target.
pub(crate) fn words(text: &[u8], target: &mut dyn FnMut(Range<usize>)) {
    let mut at = 0;
    for word in text.split(u8::is_ascii_whitespace) {
        let commas = word.iter().rev().take_while(|&&byte| byte == b',').count();
        if word.len() > commas {
            target(at..at + word.len() - commas);
        }
        at += word.len() + 1;
    }
}

/// The kind of value that an unknown attribute has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Url,
    /// Text that begins with a URL.
    Text,
    Other,
}

impl Value {
    /// Returns the kind of a value that `add` decodes.
    fn of_decoded(value: &[u8], add: impl Add) -> Value {
        if memchr::memchr(b'&', value).is_none() {
            return Value::of(value);
        }
        let mut decoded = View::new(Layer::References);
        add(&mut decoded, value, 0);
        Value::of(decoded.text())
    }

    /// Returns the kind of a decoded value.
    pub(crate) fn of(value: &[u8]) -> Value {
        let value = value.trim_ascii();
        let has_scheme = after_scheme(value) == Some(b':');
        if !(has_scheme && is_absolute(value) && is_complete(value)) {
            Value::Other
        } else if value.iter().any(u8::is_ascii_whitespace) {
            Value::Text
        } else {
            Value::Url
        }
    }
}

/// Returns how many characters of a scheme `text` begins with.
pub(crate) fn scheme_len(text: &[u8]) -> usize {
    let is_scheme = |byte: &&u8| is_scheme_character(**byte);
    text.iter().take(MAX_SCHEME).take_while(is_scheme).count()
}

/// Returns whether `value` may begin with a scheme and a colon, perhaps written as references.
pub(crate) fn may_begin_with_scheme(value: &[u8]) -> bool {
    matches!(after_scheme(value), Some(b':' | b'&'))
}

/// The byte after a possible scheme at the start of `value`.
fn after_scheme(value: &[u8]) -> Option<u8> {
    let value = value.trim_ascii_start();
    value.get(scheme_len(value)).copied()
}

/// An empty span.
pub(crate) fn at(offset: usize) -> Span {
    Span::new(offset as u64, offset as u64)
}
