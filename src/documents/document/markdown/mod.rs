//! Markdown: CommonMark with the extensions of GitHub and kramdown-rfc.
//!
//! pulldown-cmark finds the links, and `destination` locates their destinations. Everything else
//! is running text, with its escapes decoded.

mod broken;
mod destination;
mod front_matter;
mod inside_html;
mod nesting;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

use memchr::memmem;
use pulldown_cmark::{CowStr, Event, LinkType, OffsetIter, Options, Parser, Tag, TagEnd};

use super::html;
use super::prose::{Escapes, Prose};
use super::{Kind, Link, Parts, Scope, folded, in_utf8};
use urlint_find::placeholder;
use urlint_standard::text::Span;
use urlint_view::{Layer, View};

pub(super) use broken::why_no_link;
#[cfg(test)]
pub(super) use destination::ESCAPES;
pub(super) use destination::REFERENCES;

/// The characters that are markup in running text and in destinations.
const LAYER: Layer = Layer::AsciiBut(b"\\`*_~<>[]()&|\"");

/// The greatest length of a document that is parsed, in bytes: the parser's tree takes many times
/// that memory.
const MAX_PARSED: usize = 8 << 20;

/// Returns the parser of Markdown without its front matter. Blocks of metadata are not looked for: for each `---`, the
/// parser would search the rest of the document.
fn parser(text: &str) -> Parser<'_> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS;
    Parser::new_ext(text, options)
}

/// Returns the elements of a document in their order, without HTML and code, whose texts are parts.
pub(super) fn markup(dialect: Kind, source: &[u8]) -> String {
    let body = &source[front_matter::end(source)..];
    let mut markup = String::new();
    if too_much(body).is_some() {
        return markup;
    }
    for event in parser(&inside_html::opened(dialect, text_of(body))) {
        let element = match event {
            Event::Text(_) | Event::Code(_) | Event::Html(_) | Event::InlineHtml(_) => continue,
            Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => continue,
            Event::Start(tag) => format!("{:?}", tag.to_end()),
            Event::End(tag) => format!("end of {tag:?}"),
            other => format!("{other:?}"),
        };
        markup.push_str(&element);
        markup.push('\n');
    }
    markup
}

/// Adds the parts of a document of this `dialect` of Markdown.
pub(super) fn parts<'s>(dialect: Kind, source: &'s [u8], scope: Scope, parts: &mut Parts<'s>) {
    let start = front_matter::end(source);
    // kramdown-rfc copies the front matter to XML with its references.
    let matter = destination::REFERENCES.view(&source[..start], Layer::References);
    let first = parts.parts.len();
    parts.lines(matter);
    for part in &mut parts.parts[first..] {
        part.front_matter = true;
    }
    let body = &source[start..];
    if let Some((at, what)) = too_much(body) {
        let at = (start + at) as u64;
        parts.warn(Span::new(at, at), format!("{what}, so read as plain text"));
        return parts.lines(View::borrowed(body, start as u64));
    }
    let mut inner = Parts::default();
    Builder::new(body, scope, dialect).read(&mut inner);
    parts.add_at(start as u64, inner);
}

/// Returns where the document exceeds the limits of the parser, and a description.
fn too_much(body: &[u8]) -> Option<(usize, String)> {
    if body.len() > MAX_PARSED {
        let limit = MAX_PARSED >> 20;
        return Some((0, format!("longer than {limit} MiB")));
    }
    let at = nesting::too_deep(body)?;
    Some((at, "nested too deeply".to_owned()))
}

/// Returns `bytes` as the parser sees them: a byte that is not valid UTF-8 is a letter.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    in_utf8(bytes, 'x')
}

/// A link or an image.
fn link(is_image: bool, title: &str) -> Link {
    let (element, attribute) = if is_image {
        ("img", "src")
    } else {
        ("a", "href")
    };
    Link {
        element: element.into(),
        attribute: Some(attribute.into()),
        title: (!title.is_empty()).then(|| folded(title.as_bytes())),
        ..Link::default()
    }
}

/// Cells and rows of a table are separated by a blank line, over which no URL is joined. For the parser, the rest of a
/// row behind its last cell is no text, so that a comment there is none either.
const CELLS: Escapes = Escapes {
    signs: [b'|', b'\n', b'<'],
    read: |text| match text {
        [b'<', ..] => {
            let comment = &text[..text.len().min(MAX_COMMENT)];
            let len = comment
                .strip_prefix(b"<!--")
                .and_then(|_| memmem::find(comment, b"-->"))?;
            Some((len + 3, Cow::Borrowed(b"")))
        }
        _ => Some((1, Cow::Borrowed(b"\n\n"))),
    },
};

/// The same, with comments.
const CELLS_DEEP: Escapes = Escapes {
    signs: [b'|', b'\n', b'\n'],
    ..CELLS
};

/// The greatest length of a comment behind the last cell of a row, in bytes.
const MAX_COMMENT: usize = 4096;

/// Builds the parts of a document from the events of the parser.
struct Builder<'s> {
    source: &'s [u8],
    dialect: Kind,
    scope: Scope,
    prose: Prose<'s>,
    /// The code blocks.
    code: Vec<Range<usize>>,
    /// The reference definitions, the first one last.
    definitions: Vec<Definition>,
    /// The links that are open, outermost first.
    links: Vec<OpenLink>,
    /// How the text between the cells of a table is read, inside of one.
    cells: Option<&'static Escapes>,
    /// Whether the program that reads the document reads Markdown in blocks of HTML. `None` before the first block.
    reads_html: Option<bool>,
}

/// A reference definition.
struct Definition {
    destination: Destination,
    link: Link,
}

/// A link whose text is being read.
struct OpenLink {
    /// The start of the text.
    start: usize,
    /// Whether it is written as `<http://a.example/>`.
    is_autolink: bool,
    /// Where the link begins in the running text.
    shown: usize,
    /// The destination, if it follows the text.
    destination: Option<String>,
    /// Its description, if requested.
    link: Link,
}

/// Returns whether the `text` of a link without a destination tells that one was meant: it has words or
/// the number of an issue, and no URL.
fn is_meant(text: &[u8]) -> bool {
    let is_letter = |byte: &&u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    let is_number = matches!(text, [b'#', digit, ..] if digit.is_ascii_digit());
    (is_number || text.iter().filter(is_letter).count() > 2) && memmem::find(text, b"://").is_none()
}

/// The range of a destination, with its angle brackets and without.
struct Destination {
    outer: Range<usize>,
    inner: Range<usize>,
}

impl<'s> Builder<'s> {
    fn new(source: &'s [u8], scope: Scope, dialect: Kind) -> Self {
        Builder {
            source,
            dialect,
            scope,
            prose: Prose::new(source, LAYER).with_links(scope),
            code: Vec::new(),
            definitions: Vec::new(),
            links: Vec::new(),
            cells: None,
            reads_html: (dialect == Kind::Mdx).then_some(true),
        }
    }

    fn read(mut self, parts: &mut Parts<'s>) {
        let text = inside_html::opened(self.dialect, text_of(self.source));
        let mut events = parser(&text).into_offset_iter();
        self.find_definitions(&events);
        while let Some((event, range)) = events.next() {
            match event {
                Event::Start(Tag::CodeBlock(_)) => self.code_block(&mut events, range),
                Event::Start(Tag::HtmlBlock) => self.html_block(&mut events, range, parts),
                Event::Start(Tag::Table(_)) => {
                    self.pass(range.start);
                    self.cells = Some(if self.scope.deep { &CELLS_DEEP } else { &CELLS });
                }
                Event::End(TagEnd::Table) => {
                    self.pass(range.end);
                    self.cells = None;
                }
                Event::Start(
                    Tag::Link {
                        link_type,
                        dest_url,
                        title,
                        ..
                    }
                    | Tag::Image {
                        link_type,
                        dest_url,
                        title,
                        ..
                    },
                ) => self.open(range.start, link_type, &dest_url, &title),
                Event::End(TagEnd::Link | TagEnd::Image) => self.close(range.end),
                Event::Start(_) => self.pass(range.start),
                Event::End(_) => {}
                Event::Text(shown) => {
                    self.anchor(&shown);
                    self.text(range, &shown, &text);
                }
                Event::Code(shown) => {
                    self.anchor(&shown);
                    self.code_span(range);
                }
                Event::SoftBreak | Event::HardBreak => {
                    self.anchor(" ");
                    self.pass(range.end);
                }
                Event::InlineHtml(_) => self.inline_html(range, parts),
                _ => self.pass(range.end),
            }
        }
        // The tree of the parser takes more memory than all parts.
        drop(events);
        self.pass(self.source.len());
        let mut code = View::default();
        for block in self.code {
            let (start, end) = (block.start as u64, block.end as u64);
            code.copy(self.source.get(block).unwrap_or_default(), start);
            code.push_together(b"\n\n", Span::new(end, end));
        }
        parts.lines(code);
        self.prose.finish(parts);
    }

    /// Finds the destinations of the reference definitions.
    fn find_definitions(&mut self, events: &OffsetIter<'_>) {
        let definitions = events.reference_definitions().iter();
        self.definitions = definitions
            .filter_map(|(label, definition)| {
                let span = definition.span.clone();
                Some(Definition {
                    destination: destination::find(self.source, span, b':', &definition.dest)?,
                    link: Link {
                        anchor: Some(label.as_bytes().to_vec()),
                        ..link(false, definition.title.as_deref().unwrap_or_default())
                    },
                })
            })
            .collect();
        self.definitions
            .sort_by_key(|next| Reverse(next.destination.outer.start));
    }

    /// Takes the source up to `to` that is not the text of an event.
    fn pass(&mut self, to: usize) {
        let is_before = |next: &mut Definition| next.destination.outer.start < to;
        while let Some(next) = self.definitions.pop_if(is_before) {
            self.destination(&next.destination, next.link, self.prose.len());
        }
        match self.cells {
            Some(escapes) if to > self.prose.at() => self.prose.unescape(to, escapes),
            _ => self.prose.keep(to),
        }
    }

    /// Takes a destination out of the running text.
    fn destination(&mut self, found: &Destination, link: Link, shown: usize) {
        if found.outer.start >= self.prose.at() {
            self.prose.keep(found.outer.start);
            self.prose
                .target(found.inner.clone(), &destination::ESCAPES);
            self.prose.describe(shown, || link);
            // `()` shows that nothing was there.
            if !found.outer.is_empty() {
                self.prose.replace(found.outer.end, b" ");
            }
        }
    }

    /// Takes the text at `range`, which is shown as `shown`.
    fn text(&mut self, range: Range<usize>, shown: &str, text: &str) {
        let escaped = range.start.checked_sub(1).filter(|&sign| {
            sign >= self.prose.at()
                && self.source[sign] == b'\\'
                && self.source[range.start].is_ascii_punctuation()
        });
        if let Some(sign) = escaped {
            self.pass(sign);
            self.prose
                .replace(range.start + 1, &self.source[range.start..=range.start]);
            return self.prose.keep(range.end);
        }
        self.pass(range.start);
        // Most readers decode references in autolinks, as in all but code.
        if self.links.last().is_some_and(|link| link.is_autolink) {
            return self.prose.unescape(range.end, &REFERENCES);
        }
        let raw = text.get(range.clone()).unwrap_or_default();
        if raw.starts_with('&') && raw != shown {
            return self.prose.replace(range.end, shown.as_bytes());
        }
        self.prose.keep(range.end);
    }

    /// Begins a link or an image at `start`.
    fn open(&mut self, start: usize, link_type: LinkType, dest: &CowStr<'_>, title: &str) {
        let is_image = self.source[start] == b'!';
        let link = self.scope.links.then(|| link(is_image, title));
        self.pass(start);
        self.links.push(OpenLink {
            start: start + 1 + usize::from(is_image),
            is_autolink: link_type == LinkType::Autolink,
            shown: self.prose.len(),
            destination: (link_type == LinkType::Inline).then(|| dest.to_string()),
            link: link.unwrap_or_default(),
        });
    }

    /// Takes the rest of a link, which ends at `end`.
    fn close(&mut self, end: usize) {
        let Some(OpenLink {
            start,
            shown,
            destination: Some(dest),
            mut link,
            ..
        }) = self.links.pop()
        else {
            return;
        };
        link.anchor = link.anchor.map(|anchor| folded(&anchor));
        let rest = self.prose.at().max(start)..end;
        if let Some(found) = destination::find(self.source, rest, b'(', &dest) {
            let text = &self.source[start.min(found.outer.start)..found.outer.start];
            if found.inner.is_empty() && is_meant(text) {
                self.pass(found.outer.start);
                self.prose.empty_target(found.inner.start);
                self.prose.describe(shown, || link);
            } else {
                self.destination(&found, link, shown);
                self.pass(end);
                self.prose.end_link();
            }
        }
        self.pass(end);
    }

    /// Adds to the text of the links that are open.
    fn anchor(&mut self, shown: &str) {
        if !self.scope.links {
            return;
        }
        for open in &mut self.links {
            let anchor = open.link.anchor.get_or_insert_default();
            anchor.extend_from_slice(shown.as_bytes());
        }
    }

    fn code_span(&mut self, range: Range<usize>) {
        self.pass(range.start);
        if self.scope.skip_code {
            return self.prose.replace(range.end, b" ");
        }
        let start = self.prose.len();
        self.prose.keep(range.end);
        self.prose.end_example(start);
    }

    fn code_block(&mut self, events: &mut OffsetIter<'_>, range: Range<usize>) {
        events.find(|(event, _)| matches!(event, Event::End(TagEnd::CodeBlock)));
        self.pass(range.start);
        if !self.scope.skip_code {
            self.code.push(range.clone());
        }
        self.prose.replace(range.end, b"\n\n");
    }

    fn html_block(
        &mut self,
        events: &mut OffsetIter<'_>,
        range: Range<usize>,
        parts: &mut Parts<'s>,
    ) {
        let mut view = View::default();
        let is_line = |(event, _): &_| !matches!(event, Event::End(TagEnd::HtmlBlock));
        for (_, line) in events.take_while(is_line) {
            let start = line.start as u64;
            view.copy(self.source.get(line).unwrap_or_default(), start);
        }
        let first = parts.parts.len();
        self.html(&view, parts);
        for part in &mut parts.parts[first..] {
            let is_read = || inside_html::is_read(self.source);
            part.in_html = true;
            part.reads_markdown = *self.reads_html.get_or_insert_with(is_read);
        }
        self.pass(range.start);
        self.prose.replace(range.end, b"\n\n");
    }

    fn inline_html(&mut self, range: Range<usize>, parts: &mut Parts<'s>) {
        self.pass(range.start);
        if placeholder::is_name_in_url(self.source, range.start) {
            return self.prose.keep(range.end);
        }
        let tag = self.source.get(range.clone()).unwrap_or_default();
        if tag.contains(&b':') {
            self.html(&View::borrowed(tag, range.start as u64), parts);
        }
        self.prose.replace(range.end, b" ");
    }

    fn html(&self, view: &View<'_>, parts: &mut Parts<'s>) {
        let mut inner = Parts::default();
        html::parts(view.text(), self.scope, &mut inner);
        parts.add_within(view, inner);
    }
}
