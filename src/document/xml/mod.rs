//! XML, and the vocabularies of it that are known: RFCXML, feeds, XHTML, SVG, DocBook.
//!
//! The parser only says where tags are. What stands between them is taken from the source as it
//! stands, so that its references can be decoded with a map.

mod doctype;
mod element;

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::errors::Error;
use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesStart, Event};

use super::html;
use super::markup::{Add, Attribute, Edge, Kind, Prose, Sheets, may_begin_with_scheme};
use super::{Look, Parts};
use crate::text::span::Span;
use crate::view::{Layer, View, references};
use doctype::Entities;
use element::{Content, local};

pub(crate) fn parts<'s>(source: &'s [u8], look: Look, parts: &mut Parts<'s>) {
    let text = in_utf8(source);
    let mark = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
    let mut reader = Reader::from_str(text.get(mark..).unwrap_or_default());
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut document = Document::new(source, &text, look, parts);
    loop {
        let start = mark + reader.buffer_position() as usize;
        let event = reader.read_event();
        let end = mark + reader.buffer_position() as usize;
        match event {
            Ok(Event::Eof) => return document.finish(None),
            Ok(event) => document.event(&event, start..end),
            Err(Error::IllFormed(_)) if end > start => {}
            Err(error) => {
                let at = (mark + reader.error_position() as usize).max(document.text);
                return document.finish(Some((at, error.to_string())));
            }
        }
    }
}

/// `source` with something of the same length for each byte that is not UTF-8: the parser asks for
/// it, and markup is US-ASCII.
fn in_utf8(source: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(source) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(source.len());
    for chunk in source.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    Cow::Owned(text)
}

/// A document that is being read.
struct Document<'p, 's, 't> {
    source: &'s [u8],
    /// The same as the parser has it.
    parsed: &'t str,
    deep: bool,
    sheets: Sheets,
    parts: &'p mut Parts<'s>,
    entities: Entities,
    /// Where the text begins that was not taken yet.
    text: usize,
    /// The innermost element whose content is out of the ordinary, and how many of its name are
    /// open.
    element: Option<(&'t [u8], Content, usize)>,
    /// The text of an element that may be a document of HTML.
    embedded: Vec<Chunk>,
}

/// Some text.
#[derive(Clone, Debug)]
enum Chunk {
    /// With references.
    Text(Range<usize>),
    /// As it stands.
    Cdata(Range<usize>),
}

impl<'p, 's, 't> Document<'p, 's, 't> {
    fn new(source: &'s [u8], parsed: &'t str, look: Look, parts: &'p mut Parts<'s>) -> Self {
        Document {
            source,
            parsed,
            deep: look.deep,
            sheets: Sheets::new(),
            parts,
            entities: Entities::new(source.len()),
            text: 0,
            element: None,
            embedded: Vec::new(),
        }
    }

    /// Ends the document; `error` says where and why the parser gave up.
    fn finish(mut self, error: Option<(usize, String)>) {
        let end = error.as_ref().map_or(self.source.len(), |(at, _)| *at);
        self.take_text(end, end);
        self.give_up_embedded();
        self.sheets.finish(self.parts);
        if let Some((at, message)) = error {
            let rest = Span::new(at as u64, self.source.len() as u64);
            let message = format!("{message}, so read as plain text from here");
            self.parts.warn(rest, message);
            self.parts
                .lines(View::borrowed(rest.slice(self.source), rest.start));
        }
    }

    fn event(&mut self, event: &Event<'t>, range: Range<usize>) {
        match event {
            Event::Text(_) | Event::GeneralRef(_) | Event::Eof => return,
            // `a < b` is no tag.
            Event::Start(_) | Event::Empty(_) if !self.is_tag(range.start) => return,
            _ => {}
        }
        self.take_text(range.start, range.end);
        let span = Span::new(range.start as u64, range.end as u64);
        match event {
            Event::Start(tag) => self.start(tag, span, false),
            Event::Empty(tag) => self.start(tag, span, true),
            Event::End(tag) => self.end(local(tag.name().into_inner().as_bytes()), span),
            Event::CData(_) => {
                let (open, close) = ("<![CDATA[".len(), "]]>".len());
                self.take(Chunk::Cdata(
                    range.start + open..range.end.saturating_sub(close),
                ));
            }
            Event::PI(instruction) => self.attributes(instruction.attributes(), &range),
            Event::DocType(_) => self.declarations(range),
            Event::Comment(_) if self.deep => self.sheets.hide(self.source, range),
            _ => {}
        }
    }

    /// Reads the document type. An entity that is markup cannot declare entities of its own, or
    /// documents could nest without end.
    fn declarations(&mut self, range: Range<usize>) {
        let sheets = &mut self.sheets;
        let markup = self.entities.declare(self.source, range, sheets, self.deep);
        for range in markup {
            let text = self.source.get(range.clone()).unwrap_or_default();
            if memchr::memmem::find(text, b"<!DOCTYPE").is_none() {
                let mut inner = Parts::default();
                let look = self.look();
                parts(text, look, &mut inner);
                inner.notices.clear();
                let view = View::borrowed(text, range.start as u64);
                self.parts.within(&view, inner);
            }
        }
    }

    fn look(&self) -> Look {
        Look {
            deep: self.deep,
            ..Look::default()
        }
    }

    fn is_tag(&self, start: usize) -> bool {
        let first = self.source.get(start + 1);
        first.is_some_and(|&byte| {
            byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':') || byte >= 0x80
        })
    }

    fn start(&mut self, tag: &BytesStart<'t>, span: Span, is_empty: bool) {
        let range = span.start as usize..span.end as usize;
        let name = self.name_at(range.start);
        self.give_up_embedded();
        self.edge(name, span);
        self.attributes(tag.html_attributes(), &range);
        if is_empty {
            return;
        }
        match &mut self.element {
            Some((open, _, depth)) if *open == name => *depth += 1,
            Some((_, Content::Lines | Content::Hidden, _)) => {}
            element => {
                if let Some(content) = Content::of(name) {
                    *element = Some((name, content, 1));
                    self.sheets.lines.edge(Edge::Gap, span);
                }
            }
        }
    }

    fn end(&mut self, name: &[u8], span: Span) {
        if let Some((open, content, depth)) = &mut self.element
            && *open == name
        {
            *depth -= 1;
            if *depth == 0 {
                if *content == Content::Embedded {
                    self.take_embedded();
                }
                self.element = None;
            }
        }
        self.edge(name, span);
    }

    /// The local name of the tag that begins at `start`.
    fn name_at(&self, start: usize) -> &'t [u8] {
        let tag = self.parsed.as_bytes().get(start + 1..).unwrap_or_default();
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
        let end = tag.iter().position(is_end).unwrap_or(tag.len());
        local(tag.get(..end).unwrap_or_default())
    }

    fn edge(&mut self, name: &[u8], span: Span) {
        if let Some(edge) = element::edge(name) {
            self.prose().0.edge(edge, span);
        }
    }

    /// Where text goes now, and what may stand in it.
    fn prose(&mut self) -> (&mut Prose, &Entities) {
        let sheets = &mut self.sheets;
        let prose = match self.element {
            Some((_, Content::Lines, _)) => &mut sheets.lines,
            _ => &mut sheets.flow,
        };
        (prose, &self.entities)
    }

    /// Takes the text up to `end`, and goes on at `next`.
    fn take_text(&mut self, end: usize, next: usize) {
        let range = self.text..end;
        self.text = next;
        if !range.is_empty() {
            self.take(Chunk::Text(range));
        }
    }

    fn take(&mut self, chunk: Chunk) {
        match self.element {
            Some((_, Content::Hidden, _)) => {
                let (Chunk::Text(range) | Chunk::Cdata(range)) = chunk;
                if self.deep {
                    self.sheets.hide(self.source, range);
                }
            }
            Some((_, Content::Embedded, _)) => self.embedded.push(chunk),
            _ => self.write(chunk),
        }
    }

    fn write(&mut self, chunk: Chunk) {
        let source = self.source;
        let (prose, entities) = self.prose();
        match chunk {
            Chunk::Text(range) => prose.text(source, range, decoding(entities)),
            Chunk::Cdata(range) => prose.text(source, range, View::copy),
        }
    }

    /// The text of an element that ends here is a document of its own, or prose.
    fn take_embedded(&mut self) {
        let is_cdata = |chunk: &Chunk| match chunk {
            Chunk::Text(range) => self.source[range.clone()].trim_ascii().is_empty(),
            Chunk::Cdata(_) => true,
        };
        let mut text = match self.embedded.iter().all(is_cdata) {
            true => View::new(Layer::Ascii),
            false => View::new(Layer::References),
        };
        for chunk in &self.embedded {
            let (Chunk::Text(range) | Chunk::Cdata(range)) = chunk;
            let (bytes, offset) = (&self.source[range.clone()], range.start as u64);
            match chunk {
                Chunk::Text(_) => decoding(&self.entities)(&mut text, bytes, offset),
                Chunk::Cdata(_) => text.copy(bytes, offset),
            }
        }
        if !element::is_html(text.text()) {
            return self.give_up_embedded();
        }
        self.embedded.clear();
        let mut inner = Parts::default();
        html::parts(text.text(), self.look(), &mut inner);
        self.parts.within(&text, inner);
    }

    /// What was kept for a document of its own is prose after all.
    fn give_up_embedded(&mut self) {
        for chunk in std::mem::take(&mut self.embedded) {
            self.write(chunk);
        }
        if let Some((_, content @ Content::Embedded, _)) = &mut self.element {
            *content = Content::Flow;
        }
    }

    fn attributes(&mut self, mut attributes: Attributes<'_>, tag: &Range<usize>) {
        let of_meta = self.name_at(tag.start) == b"meta";
        for attribute in attributes.with_checks(false).flatten() {
            // The value is a part of what the parser was given.
            let address = attribute.value.as_ptr().addr();
            let Some(start) = address.checked_sub(self.parsed.as_ptr().addr()) else {
                continue;
            };
            let value = start..start + attribute.value.len();
            if value.start < tag.start || value.end > tag.end {
                continue;
            }
            let kind = Kind::of(attribute.key.into_inner().as_bytes());
            let bytes = self.source.get(value.clone()).unwrap_or_default();
            if kind == Kind::Other && !may_begin_with_scheme(bytes) {
                continue;
            }
            let attribute = Attribute {
                kind,
                value,
                of_meta,
            };
            let add = decoding(&self.entities);
            self.sheets
                .attribute(self.source, attribute, self.deep, add);
        }
    }
}

/// Decodes the references of XML, and of the document's own entities.
fn decoding(entities: &Entities) -> impl Add {
    |view: &mut View<'static>, text: &[u8], source: u64| {
        references::decode(view, text, source, |text| entities.read(text));
    }
}
