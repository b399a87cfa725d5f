//! HTML, as browsers read it.
//!
//! The tokenizer only finds tags and comments. The text between them is taken from the source, so
//! that its references can be decoded with a map.

mod plain_tag;
mod strings;
mod tag;
mod tokenizer;

use std::ops::Range;

use html5gum::State;

use super::markup::{
    Attribute, AttributeKind, Edge, MarkupTexts, may_be_read, may_begin_with_scheme,
};
use super::{Link, Parts, Scope, folded};
pub(crate) use strings::add_strings;
use tag::Raw;
pub(super) use tag::edge;
use urlint_standard::text::Span;
use urlint_view::references::Context;
use urlint_view::{Layer, View, references};

/// Adds the parts of a page of HTML.
pub(super) fn parts<'s>(source: &'s [u8], scope: Scope, parts: &mut Parts<'s>) {
    let mut page = Page::new(source, scope);
    page.read();
    let Page {
        texts,
        unfinished,
        has_markup,
        ..
    } = page;
    if has_markup {
        texts.finish(parts, add_strings);
    } else {
        // This is not HTML but plain text, so its line breaks are kept.
        parts.lines(texts.flow.view);
    }
    if let Some((start, what)) = unfinished {
        let rest = Span::new(start as u64, source.len() as u64);
        parts.warn(
            rest,
            format!("{what} that never ends, so read as plain text"),
        );
        parts.lines(View::borrowed(rest.slice(source), rest.start));
    }
}

/// A page that is being read.
struct Page<'s> {
    source: &'s [u8],
    texts: MarkupTexts,
    /// The position of the tokenizer.
    position: usize,
    /// The start of the text that has not been taken.
    text: usize,
    /// The last `<` that may begin a tag.
    open: usize,
    /// The tag that is being read.
    tag: OpenTag,
    /// The element that the text is in, if it has neither tags nor comments.
    raw: Option<Raw>,
    is_preformatted: bool,
    has_markup: bool,
    /// Whether the tokenizer is at the end of a tag, a comment or the like, and ordinary text
    /// follows.
    is_token: bool,
    /// The start of a construct that never ends, and its name.
    unfinished: Option<(usize, &'static str)>,
}

#[derive(Default)]
struct OpenTag {
    /// Whether a tag is being read.
    is_open: bool,
    is_end: bool,
    /// Its name, in lower case.
    name: Vec<u8>,
    /// The name of the attribute that is being read, in lower case.
    attribute: Vec<u8>,
    /// The attributes that are to be taken, and the ranges of their values, without quotes.
    attributes: Vec<(AttributeKind, Range<usize>)>,
}

impl<'s> Page<'s> {
    fn new(source: &'s [u8], scope: Scope) -> Self {
        Page {
            source,
            texts: MarkupTexts::new(scope),
            position: 0,
            text: 0,
            open: 0,
            tag: OpenTag::default(),
            raw: None,
            is_preformatted: false,
            has_markup: false,
            is_token: false,
            unfinished: None,
        }
    }

    /// Reads all of the page: plain tags directly, everything else that begins with `<` by the
    /// tokenizer.
    fn read(&mut self) {
        while let Some(open) = self.next_open() {
            self.position = open;
            let state = match self.plain_tag() {
                Some(None) => continue,
                Some(Some(raw)) => raw.state(),
                None => State::Data,
            };
            if !self.tokenize(state) {
                return;
            }
        }
        self.position = self.source.len();
        self.end();
    }

    /// The next `<`.
    fn next_open(&self) -> Option<usize> {
        let rest = self.source.get(self.position..)?;
        Some(self.position + memchr::memchr(b'<', rest)?)
    }

    /// Takes the text up to `end`; the next text begins at the position of the tokenizer.
    fn take_text(&mut self, end: usize) {
        let range = self.text..end;
        let MarkupTexts { flow, lines, .. } = &mut self.texts;
        match self.raw {
            Some(Raw::Script | Raw::Style) => self.texts.hide(self.source, range),
            Some(Raw::Verbatim | Raw::Endless) => lines.text(self.source, range, View::copy),
            Some(Raw::Textarea) => lines.text(self.source, range, in_text),
            None if self.is_preformatted => lines.text(self.source, range, in_text),
            Some(Raw::Title) | None => flow.text(self.source, range, in_text),
        }
        self.text = self.position;
    }

    /// Applies the tag: its edge in the text, and its effect on the text after it.
    fn at_tag(&mut self, name: &[u8], span: Span) {
        let MarkupTexts { flow, lines, .. } = &mut self.texts;
        let is_start = !self.tag.is_end;
        if is_start && flow.follows_url(name) {
            flow.edge(Edge::Element, span);
        }
        flow.element(name, is_start);
        if tag::is_preformatted(name) {
            self.is_preformatted = is_start;
        } else if !matches!(name, b"textarea" | b"xmp" | b"plaintext") {
            if let Some(edge) = tag::edge(name) {
                let shown_in = if self.is_preformatted { lines } else { flow };
                shown_in.edge(edge, span);
            }
            return;
        }
        flow.edge(Edge::Break, span);
        if is_start {
            lines.edge(Edge::Gap, span);
        }
    }

    /// Begins a tag.
    fn begin_tag(&mut self, is_end: bool) {
        self.tag.is_open = true;
        self.tag.is_end = is_end;
        self.tag.name.clear();
        self.tag.attributes.clear();
    }

    /// Returns the kind of the attribute `name` if its value, which begins at `start`, is to be
    /// taken.
    #[inline]
    fn kind_of_value(&self, attribute: &[u8], start: usize) -> Option<AttributeKind> {
        if self.tag.is_end {
            return None;
        }
        let kind = AttributeKind::of(attribute);
        let is_read = match kind {
            // Most attributes are of this kind, and their values are short.
            AttributeKind::Other => {
                let rest = self.source.get(start..).unwrap_or_default();
                let is_quoted = start > 0 && b"\"'".contains(&self.source[start - 1]);
                let end = is_quoted.then(|| memchr::memchr(self.source[start - 1], rest));
                may_be_read(&rest[..end.flatten().unwrap_or(0)]) || may_begin_with_scheme(rest)
            }
            AttributeKind::Program | AttributeKind::Identifier => self.texts.scope.deep,
            _ => true,
        };
        is_read.then_some(kind)
    }

    /// Takes the tag, which ends here; returns how the following text is read, unless it is
    /// ordinary text and tags.
    fn end_tag(&mut self, name: &[u8]) -> Option<Raw> {
        self.has_markup = true;
        self.tag.is_open = false;
        let (start, end) = (self.open, self.position);
        self.take_text(start);
        if name == b"a" {
            // A link cannot be in another.
            self.texts.close_link();
        }
        self.at_tag(name, Span::new(start as u64, end as u64));
        if self.tag.is_end {
            self.raw = None;
            return None;
        }
        let mut attributes = std::mem::take(&mut self.tag.attributes);
        let has_links = self.texts.scope.links && !attributes.is_empty();
        let mut link = has_links.then(|| self.link(&attributes));
        let first = self.texts.described();
        if self.texts.scope.resolve && name == b"base" {
            self.take_base(&mut attributes);
        }
        for (kind, value) in attributes.drain(..) {
            let attribute_name = link.as_ref().map(|_| self.name_before(value.start));
            let attribute = Attribute {
                kind,
                value,
                of_meta: name == b"meta",
            };
            self.texts.attribute(self.source, attribute, in_attribute);
            if let (Some(link), Some(name)) = (&mut link, attribute_name) {
                link.attribute = Some(name);
                self.texts.describe(link, self.is_preformatted);
            }
        }
        if name == b"a" && link.is_some() {
            self.texts.open_link(first);
        }
        self.tag.attributes = attributes;
        self.raw = Raw::of(name).filter(|raw| *raw != Raw::Script || !self.is_template());
        self.raw
    }

    /// Returns the tag, comment or declaration that ends here.
    fn markup(&self) -> &'s [u8] {
        self.source
            .get(self.open..self.position)
            .unwrap_or_default()
    }

    /// Returns whether the tag that ends here begins a script whose content is HTML: a template.
    fn is_template(&self) -> bool {
        let tag = self.markup().to_ascii_lowercase();
        let has = |word: &[u8]| memchr::memmem::find(&tag, word).is_some();
        has(b"type=") && (has(b"template") || has(b"text/html"))
    }

    /// Takes the `href` of a `base`: the first counts. It is not a target by itself unless it is absolute.
    fn take_base(&mut self, attributes: &mut [(AttributeKind, Range<usize>)]) {
        for (kind, value) in attributes {
            if *kind != AttributeKind::Url || self.name_before(value.start) != b"href" {
                continue;
            }
            *kind = AttributeKind::UrlOrName;
            let mut base = View::new(Layer::References);
            let value = self.source.get(value.clone()).unwrap_or_default();
            in_attribute(&mut base, value, 0);
            let mut base = base.text().trim_ascii().to_vec();
            base.retain(|byte| !matches!(byte, b'\t' | b'\n' | b'\r'));
            self.texts.base.get_or_insert(base);
        }
    }

    /// Returns the description of the links in the attributes of the tag that ends here.
    fn link(&self, attributes: &[(AttributeKind, Range<usize>)]) -> Link {
        let tag = self.source.get(self.open + 1..).unwrap_or_default();
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
        let end = tag.iter().position(is_end).unwrap_or(tag.len());
        let value = |name: &[u8]| {
            let mut values = attributes.iter().map(|(_, value)| value);
            let value = values.find(|value| self.name_before(value.start) == name)?;
            let mut decoded = View::new(Layer::References);
            in_attribute(&mut decoded, self.source.get(value.clone())?, 0);
            Some(folded(decoded.text()))
        };
        let element = tag[..end].to_ascii_lowercase();
        let is_picture = matches!(&*element, b"img" | b"area");
        Link {
            element,
            title: value(b"title"),
            rel: value(b"rel"),
            anchor: value(b"alt").filter(|_| is_picture),
            ..Link::default()
        }
    }

    /// The name of the attribute whose value begins at `at`, in lower case.
    fn name_before(&self, at: usize) -> Vec<u8> {
        let before = self.source.get(self.open..at).unwrap_or_default();
        let before = match before {
            [before @ .., b'"' | b'\''] => before,
            before => before,
        };
        let before = before.trim_ascii_end();
        let before = before.strip_suffix(b"=").unwrap_or(before);
        let before = before.trim_ascii_end();
        let is_outside = |byte: &u8| byte.is_ascii_whitespace() || b"/\"'>=".contains(byte);
        let start = before.iter().rposition(is_outside).map_or(0, |at| at + 1);
        before[start..].to_ascii_lowercase()
    }

    /// Takes the end of the page.
    fn end(&mut self) {
        if self.unfinished.is_some() {
            return;
        }
        self.unfinished = match self.raw {
            Some(Raw::Script | Raw::Style) => Some((self.text, "a script or style")),
            None if self.tag.is_open => {
                self.take_text(self.open);
                Some((self.open, "a tag"))
            }
            _ => return self.take_text(self.source.len()),
        };
        self.has_markup = true;
    }

    /// Takes the comment or document type from `self.open` to the position of the tokenizer; `what`
    /// is its name in a warning if the page ends first.
    fn end_markup(&mut self, what: &'static str) {
        self.is_token = true;
        let markup = self.markup();
        let is_ended = if markup.starts_with(b"<!--") {
            markup.ends_with(b"-->") || markup.ends_with(b"--!>")
        } else {
            markup.ends_with(b">")
        };
        self.take_text(self.open);
        self.has_markup = true;
        if !is_ended {
            self.unfinished = Some((self.open, what));
        } else {
            self.texts.hide(self.source, self.open..self.position);
        }
    }

    /// The end of the attribute's value that begins here: its quote, or without quotes white space or
    /// `>`.
    fn value_end(&self) -> usize {
        let start = self.position;
        let value = self.source.get(start..).unwrap_or_default();
        let quote = start.checked_sub(1).and_then(|at| self.source.get(at));
        let len = match quote {
            Some(&quote @ (b'"' | b'\'')) => memchr::memchr(quote, value),
            _ => value
                .iter()
                .position(|&byte| byte == b'>' || byte.is_ascii_whitespace()),
        };
        start + len.unwrap_or(value.len())
    }
}

/// Adds `text`, which begins at offset `source`, with its references decoded.
pub(super) fn in_text(view: &mut View<'static>, text: &[u8], source: u64) {
    references::decode(view, text, source, |text| {
        references::html(text, Context::Text)
    });
}

fn in_attribute(view: &mut View<'static>, text: &[u8], source: u64) {
    references::decode(view, text, source, |text| {
        references::html(text, Context::Attribute)
    });
}
