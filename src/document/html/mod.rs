//! HTML, as browsers read it.
//!
//! The tokenizer only says where tags and comments are: what stands between them is text, and is
//! taken from the source as it stands, so that its references can be decoded with a map.

mod emitter;
mod plain;
mod reader;
mod tag;

use std::ops::Range;

use html5gum::State;

use super::markup::{Attribute, Edge, Kind, Sheets, may_begin_with_scheme};
use super::{Look, Parts};
use crate::text::span::Span;
use crate::view::View;
use crate::view::references;
use crate::view::references::Context;
use tag::{Name, Raw};

pub(crate) fn parts<'s>(source: &'s [u8], look: Look, parts: &mut Parts<'s>) {
    let mut page = Page::new(source, look);
    page.read();
    let Page {
        sheets,
        unfinished,
        has_markup,
        ..
    } = page;
    if has_markup {
        sheets.finish(parts);
    } else {
        // Nobody wrote this as HTML, so its lines are lines.
        parts.lines(sheets.flow.view);
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
    deep: bool,
    sheets: Sheets,
    /// Where the tokenizer stands.
    position: usize,
    /// Where the text begins that was not taken yet.
    text: usize,
    /// Where the last `<` stands that may begin a tag.
    open: usize,
    /// The tag that is being read.
    tag: Tag,
    /// What the text is a part of.
    raw: Option<Raw>,
    is_preformatted: bool,
    has_markup: bool,
    /// Whether the tokenizer has just come to the end of something, and text and tags follow.
    is_token: bool,
    /// Where something begins that never ends, and what.
    unfinished: Option<(usize, &'static str)>,
}

#[derive(Default)]
struct Tag {
    /// Whether a tag is being read at all.
    is_open: bool,
    is_end: bool,
    name: Name,
    /// The name of its attribute that is being read.
    attribute: Name,
    /// The attributes whose values are to be read, and where these stand, without quotes.
    attributes: Vec<(Kind, Range<usize>)>,
}

impl<'s> Page<'s> {
    fn new(source: &'s [u8], look: Look) -> Self {
        Page {
            source,
            deep: look.deep,
            sheets: Sheets::new(),
            position: 0,
            text: 0,
            open: 0,
            tag: Tag::default(),
            raw: None,
            is_preformatted: false,
            has_markup: false,
            is_token: false,
            unfinished: None,
        }
    }

    /// Reads all of the page: plain tags at once, what else begins with `<` by the tokenizer.
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
        if rest.first() == Some(&b'<') {
            return Some(self.position);
        }
        Some(self.position + memchr::memchr(b'<', rest)?)
    }

    /// Takes the text up to `end`, and goes on behind what stands there.
    fn take_text(&mut self, end: usize) {
        let range = self.text..end;
        let Sheets { flow, lines, .. } = &mut self.sheets;
        match self.raw {
            Some(Raw::Script | Raw::Style) if !self.deep => {}
            Some(Raw::Script | Raw::Style) => self.sheets.hide(self.source, range),
            Some(Raw::Verbatim | Raw::Endless) => lines.text(self.source, range, View::copy),
            Some(Raw::Textarea) => lines.text(self.source, range, in_text),
            None if self.is_preformatted => lines.text(self.source, range, in_text),
            Some(Raw::Title) | None => flow.text(self.source, range, in_text),
        }
        self.text = self.position;
    }

    /// What a tag shows in the text, and how it changes what text is.
    fn at_tag(&mut self, name: &[u8], span: Span) {
        let Sheets { flow, lines, .. } = &mut self.sheets;
        let is_start = !self.tag.is_end;
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

    /// Begins to read a tag.
    fn begin_tag(&mut self, is_end: bool) {
        self.tag.is_open = true;
        self.tag.is_end = is_end;
        self.tag.name.clear();
        self.tag.attributes.clear();
    }

    /// What the attribute of that name is, if its value is to be read, which begins at `start`.
    #[inline]
    fn kind_of_value(&self, attribute: &[u8], start: usize) -> Option<Kind> {
        if self.tag.is_end {
            return None;
        }
        let kind = Kind::of(attribute);
        let is_read = match kind {
            // Most are of this sort, and their values are short.
            Kind::Other => may_begin_with_scheme(self.source.get(start..).unwrap_or_default()),
            Kind::Program | Kind::Identifier => self.deep,
            _ => true,
        };
        is_read.then_some(kind)
    }

    /// Takes the tag of that name that ends here; returns what follows, if that is not text and
    /// tags.
    fn end_tag(&mut self, name: &[u8]) -> Option<Raw> {
        self.has_markup = true;
        self.tag.is_open = false;
        let (start, end) = (self.open, self.position);
        self.take_text(start);
        self.at_tag(name, Span::new(start as u64, end as u64));
        if self.tag.is_end {
            self.raw = None;
            return None;
        }
        let mut attributes = std::mem::take(&mut self.tag.attributes);
        for (kind, value) in attributes.drain(..) {
            let attribute = Attribute {
                kind,
                value,
                of_meta: name == b"meta",
            };
            self.sheets
                .attribute(self.source, attribute, self.deep, in_attribute);
        }
        self.tag.attributes = attributes;
        self.raw = Raw::of(name);
        self.raw
    }

    /// Takes the end of the page.
    fn end(&mut self) {
        if self.unfinished.is_some() {
            return;
        }
        let unfinished = match self.raw {
            Some(Raw::Script | Raw::Style) => Some((self.text, "a script or style")),
            None if self.tag.is_open => Some((self.open, "a tag")),
            _ => None,
        };
        match unfinished {
            Some((_, "a tag")) => self.take_text(self.open),
            Some(_) => {}
            None => self.take_text(self.source.len()),
        }
        self.has_markup |= unfinished.is_some();
        self.unfinished = unfinished;
    }

    /// Whether what ends at `end` and began at `self.open` was brought to an end.
    fn end_markup(&mut self, what: &'static str) {
        self.is_token = true;
        let markup = self
            .source
            .get(self.open..self.position)
            .unwrap_or_default();
        let is_ended = match markup.starts_with(b"<!--") {
            true => markup.ends_with(b"-->") || markup.ends_with(b"--!>"),
            false => markup.ends_with(b">"),
        };
        self.take_text(self.open);
        self.has_markup = true;
        if !is_ended {
            self.unfinished = Some((self.open, what));
        } else if self.deep {
            self.sheets.hide(self.source, self.open..self.position);
        }
    }

    /// Where the attribute's value ends that begins here: at its quote, or without one at white
    /// space or `>`.
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

fn in_text(view: &mut View<'static>, text: &[u8], source: u64) {
    references::decode(view, text, source, |text| {
        references::html(text, Context::Text)
    });
}

fn in_attribute(view: &mut View<'static>, text: &[u8], source: u64) {
    references::decode(view, text, source, |text| {
        references::html(text, Context::Attribute)
    });
}
