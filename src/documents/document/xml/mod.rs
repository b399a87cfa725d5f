//! XML, with the vocabularies RFCXML, feeds, XHTML, SVG, DocBook, and the vocabularies of office documents.
//!
//! The parser only finds tags. The text between them is taken from the source, so that its
//! references can be decoded with a map.

mod doctype;
mod element;
mod office;

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::errors::Error;
use quick_xml::events::attributes::{Attribute as Attr, Attributes};
use quick_xml::events::{BytesStart, Event};

use super::html;
use super::html_strings;
use super::markup::{
    Add, Attribute, AttributeKind, Edge, MarkupTexts, TextBuilder, may_be_read,
    may_begin_with_scheme, whole, words,
};
use super::{Kind, Link, Parts, Scope, folded, in_utf8, is_one_url, json, mediawiki};
use doctype::Entities;
use element::{ElementContent, local};
use office::Office;
use urlint_standard::text::Span;
use urlint_view::{Layer, View, references};

/// Adds the parts of a document of XML.
pub(super) fn parts<'s>(source: &'s [u8], scope: Scope, parts: &mut Parts<'s>) {
    let text = in_utf8(source, '?');
    let mark = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
    let mut reader = Reader::from_str(text.get(mark..).unwrap_or_default());
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut document = XmlDocument::new(source, &text, scope, parts);
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

/// A document that is being read.
struct XmlDocument<'p, 's, 't> {
    source: &'s [u8],
    /// The source as the parser sees it: valid UTF-8 of the same length.
    parsed: &'t str,
    texts: MarkupTexts,
    parts: &'p mut Parts<'s>,
    entities: Entities,
    /// Whether there has been a tag: the first one tells the vocabulary.
    has_root: bool,
    /// The vocabulary, if it is one of office documents.
    office: Option<Office>,
    /// Whether there has been an element that may hold style sheets.
    has_styles: bool,
    /// Whether it is an export of MediaWiki.
    is_wiki: bool,
    /// How the vocabulary writes a line break in text.
    line_break: Option<&'static [u8]>,
    /// The instruction of the field that is open, which may extend over several runs of text; or the
    /// formula of the cell.
    field: Vec<CharData>,
    /// The instructions of the fields around it, which its result belongs to.
    around: Vec<Vec<CharData>>,
    /// The start of the text that has not been taken.
    text: usize,
    /// The start of the content of the element that began last, unless that is the text of a link.
    content: usize,
    /// The innermost element with special content, and the number of open elements of its name.
    element: Option<(&'t [u8], ElementContent, usize)>,
    /// The text of an element that may be a document of HTML.
    embedded: Vec<CharData>,
}

/// The range of character data.
#[derive(Clone, Debug)]
enum CharData {
    /// Text with references.
    Text(Range<usize>),
    /// The text of a CDATA section.
    Cdata(Range<usize>),
}

impl CharData {
    fn range(&self) -> Range<usize> {
        let (CharData::Text(range) | CharData::Cdata(range)) = self;
        range.clone()
    }

    /// Adds the text to `view`, decoded.
    fn add(&self, view: &mut View<'static>, source: &[u8], entities: &Entities) {
        let (bytes, offset) = (&source[self.range()], self.range().start as u64);
        match self {
            CharData::Text(_) => decoding(entities)(view, bytes, offset),
            CharData::Cdata(_) => view.copy(bytes, offset),
        }
    }
}

impl<'p, 's, 't> XmlDocument<'p, 's, 't> {
    fn new(source: &'s [u8], parsed: &'t str, scope: Scope, parts: &'p mut Parts<'s>) -> Self {
        XmlDocument {
            source,
            parsed,
            texts: MarkupTexts::new(scope),
            parts,
            entities: Entities::new(source.len()),
            has_root: false,
            office: None,
            has_styles: false,
            is_wiki: false,
            line_break: None,
            field: Vec::new(),
            around: Vec::new(),
            text: 0,
            content: usize::MAX,
            element: None,
            embedded: Vec::new(),
        }
    }

    /// Ends the document; `error` is the place where the parser stopped, and why.
    fn finish(mut self, error: Option<(usize, String)>) {
        let end = error.as_ref().map_or(self.source.len(), |(at, _)| *at);
        self.take_text(end, end);
        self.write_embedded();
        self.take_field();
        self.texts.finish(self.parts, html::add_strings);
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
            // `a < b` is not a tag.
            Event::Start(_) | Event::Empty(_) if !self.is_tag(range.start) => return,
            _ => {}
        }
        if matches!(event, Event::End(_)) && self.content == self.text {
            let text = CharData::Text(self.text..range.start);
            if self.take_value(&text, range.start) {
                self.text = range.start;
            }
        }
        self.take_text(range.start, range.end);
        let span = Span::new(range.start as u64, range.end as u64);
        match event {
            Event::Start(tag) => self.start(tag, span, false),
            Event::Empty(tag) => self.start(tag, span, true),
            Event::End(tag) => self.end(local(tag.name().into_inner().as_bytes()), span),
            Event::CData(_) => {
                let (open, close) = ("<![CDATA[".len(), "]]>".len());
                let text = range.start + open..range.end.saturating_sub(close);
                let chunk = CharData::Cdata(text);
                let is_all =
                    self.content == range.start && self.source[range.end..].starts_with(b"</");
                if !is_all || !self.take_value(&chunk, range.end) {
                    self.take(chunk);
                }
            }
            Event::PI(instruction) => self.attributes(instruction.attributes(), &range),
            Event::DocType(_) => self.declarations(range),
            Event::Comment(_) => self.texts.hide(self.source, range),
            _ => {}
        }
    }

    /// Reads the document type. An entity that is markup is read as a document, unless it has a
    /// document type of its own, since documents could then nest without end.
    fn declarations(&mut self, range: Range<usize>) {
        let texts = &mut self.texts;
        let markup = self.entities.declare(self.source, range, texts);
        for range in markup {
            let text = self.source.get(range.clone()).unwrap_or_default();
            if memchr::memmem::find(text, b"<!DOCTYPE").is_none() {
                let mut inner = Parts::default();
                let scope = self.scope();
                parts(text, scope, &mut inner);
                inner.notices.clear();
                let view = View::borrowed(text, range.start as u64);
                self.parts.add_within(&view, inner);
            }
        }
    }

    fn scope(&self) -> Scope {
        Scope {
            is_nested: true,
            ..self.texts.scope
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
        if !self.has_root {
            self.has_root = true;
            self.office = vocabulary(tag);
            self.is_wiki = name == b"mediawiki";
            self.line_break = match self.office {
                // In the text of a cell of Excel.
                Some(Office::OpenXml) => Some(b"_x000D_"),
                // In the strings of a program for Android.
                None if name == b"resources" => Some(b"\\n"),
                _ => None,
            };
        }
        self.has_styles |= element::may_hold_styles(name);
        self.write_embedded();
        match name {
            b"fldChar" => self.at_field(tag),
            b"p" => {
                self.take_field();
                self.around.clear();
            }
            _ => {}
        }
        if self.office == Some(Office::OpenXml) && name == b"noBreakHyphen" {
            self.hyphen(range.clone());
        }
        self.edge(name, span);
        let first = self.texts.described();
        if element::is_link(name) {
            self.texts.close_link();
        }
        self.attributes(tag.html_attributes(), &range);
        if is_empty {
            return;
        }
        self.content = range.end;
        if element::is_link(name) {
            self.texts.open_link(first);
            if self.texts.described() > first {
                self.content = usize::MAX;
            }
        }
        self.texts.begin_element(name);
        self.texts.flow.element(name, true);
        match &mut self.element {
            Some((open, _, depth)) if *open == name => *depth += 1,
            Some((_, ElementContent::Lines | ElementContent::Hidden, _)) => {}
            element => {
                let content = match self.office {
                    Some(office) => office.content(name),
                    None => ElementContent::of(name, self.has_styles),
                };
                if let Some(content) = content {
                    *element = Some((name, content, 1));
                    self.texts.lines.edge(Edge::Gap, span);
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
                match content {
                    ElementContent::Embedded => self.take_embedded(),
                    ElementContent::Formula => self.take_instruction(AttributeKind::Formula, name),
                    _ => {}
                }
                self.element = None;
            }
        }
        self.texts.flow.element(name, false);
        if element::is_link(name) {
            self.texts.close_link();
        }
        self.texts.end_element(name);
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
        let edge = match self.office {
            Some(office) => office.edge(name),
            None => element::edge(name),
        };
        if let Some(edge) = edge {
            self.prose().0.edge(edge, span);
        }
    }

    /// Returns the text that content here is added to, and the entities that it may refer to.
    fn prose(&mut self) -> (&mut TextBuilder, &Entities) {
        let texts = &mut self.texts;
        let prose = match self.element {
            Some((_, ElementContent::Lines, _)) => &mut texts.lines,
            _ => &mut texts.flow,
        };
        (prose, &self.entities)
    }

    /// Takes the text up to `end`; the next text begins at `next`.
    fn take_text(&mut self, end: usize, next: usize) {
        let range = self.text..end;
        self.text = next;
        if !range.is_empty() {
            self.take(CharData::Text(range));
        }
    }

    /// Takes `chunk`, all that is in the element whose end tag begins at `tag`, as a target if it is one URL, or as a
    /// document if it is one. Returns whether it is.
    fn take_value(&mut self, chunk: &CharData, tag: usize) -> bool {
        let is_text = matches!(self.element, None | Some((_, ElementContent::Flow, _)))
            && self.office.is_none()
            && !self.texts.flow.is_in_example();
        if is_text && self.is_wiki && self.name_at(tag + 1) == b"text" {
            let mut text = View::new(Layer::References);
            chunk.add(&mut text, self.source, &self.entities);
            let mut inner = Parts::default();
            mediawiki::parts(text.text(), self.scope(), &mut inner);
            inner.set_kind(Kind::Mediawiki);
            self.parts.add_within(&text, inner);
            return true;
        }
        let source = &self.source[chunk.range()];
        let begins_html = matches!(source.trim_ascii_start(), [b'<' | b'&', ..]);
        if !is_text || !(begins_html || may_begin_with_scheme(source)) {
            return false;
        }
        let mut value = View::new(Layer::References);
        chunk.add(&mut value, self.source, &self.entities);
        if begins_html && html_strings::is_html(value.text()) {
            self.embedded.push(chunk.clone());
            self.take_embedded();
            return true;
        }
        let (name, url) = (self.name_at(tag + 1), value.text().trim_ascii());
        let is_spaced = element::is_location(name) && is_spaced_url(url);
        let is_value =
            is_one_url(url) || is_spaced || (element::is_address(name) && json::is_target(url));
        if is_value {
            let add = |view: &mut View<'static>, _: &[u8], _: u64| view.append(&value);
            let targets = &mut self.texts.targets;
            let parts = if is_spaced { whole } else { words };
            targets.value(self.source, chunk.range(), add, parts);
            self.texts.describe(&Link::of(name), false);
        }
        is_value
    }

    fn take(&mut self, chunk: CharData) {
        match self.element {
            Some((_, ElementContent::Hidden, _)) => self.texts.hide(self.source, chunk.range()),
            Some((_, ElementContent::Embedded, _)) => self.embedded.push(chunk),
            Some((_, ElementContent::Field | ElementContent::Formula, _)) => self.field.push(chunk),
            Some(_) if let Some(around) = self.around.last_mut().filter(|own| !own.is_empty()) => {
                around.push(chunk);
            }
            None if self.office.is_some() => self.texts.hide(self.source, chunk.range()),
            _ => self.write(chunk),
        }
    }

    fn write(&mut self, chunk: CharData) {
        let source = self.source;
        let line_break = self.line_break;
        let (prose, entities) = self.prose();
        match chunk {
            CharData::Text(mut range) => {
                let (text, start) = (&source[range.clone()], range.start);
                let breaks = line_break.map(|sign| memchr::memmem::find_iter(text, sign));
                for at in breaks.into_iter().flatten() {
                    let at = start + at;
                    let end = at + line_break.map_or(0, <[u8]>::len);
                    prose.text(source, range.start..at, decoding(entities));
                    prose.edge(Edge::Break, Span::new(at as u64, end as u64));
                    range.start = end;
                }
                prose.text(source, range, decoding(entities));
            }
            CharData::Cdata(range) => prose.text(source, range, View::copy),
        }
    }

    /// Writes the hyphen that the tag at `range` stands for.
    fn hyphen(&mut self, range: Range<usize>) {
        if !matches!(self.element, Some((_, ElementContent::Hidden, _))) {
            let span = Span::new(range.start as u64, range.end as u64);
            let add = |view: &mut View<'static>, _: &[u8], _: u64| view.push_together(b"-", span);
            self.texts.flow.text(self.source, range, add);
        }
    }

    /// Begins or ends a field of Word, or its instruction.
    fn at_field(&mut self, tag: &BytesStart<'_>) {
        let mut attributes = tag.html_attributes();
        let values = attributes.with_checks(false).flatten().map(|own| own.value);
        let mut values = values.filter(|value| matches!(&**value, "begin" | "end"));
        match values.next().as_deref() {
            Some("begin") => self.around.push(std::mem::take(&mut self.field)),
            Some(_) => {
                self.take_field();
                self.field = self.around.pop().unwrap_or_default();
            }
            None => self.take_field(),
        }
    }

    /// Takes the link in the instruction of a field that ends here.
    fn take_field(&mut self) {
        self.take_instruction(AttributeKind::Field, b"instrText");
    }

    /// Takes the links in the instruction or formula that ends here, as in an attribute.
    fn take_instruction(&mut self, kind: AttributeKind, element: &[u8]) {
        let field = std::mem::take(&mut self.field);
        let (Some(first), Some(last)) = (field.first(), field.last()) else {
            return;
        };
        let attribute = Attribute {
            kind,
            value: first.range().start..last.range().end,
            of_meta: false,
        };
        let (source, entities) = (self.source, &self.entities);
        let add = |view: &mut View<'static>, _: &[u8], _: u64| {
            field
                .iter()
                .for_each(|chunk| chunk.add(view, source, entities));
        };
        self.texts.attribute(source, attribute, add);
        self.texts.describe(&Link::of(element), false);
    }

    /// Takes the text of an element that ends here: it is a document of HTML, or else running text.
    fn take_embedded(&mut self) {
        let is_cdata = |chunk: &CharData| match chunk {
            CharData::Text(range) => self.source[range.clone()].trim_ascii().is_empty(),
            CharData::Cdata(_) => true,
        };
        let mut text = View::new(if self.embedded.iter().all(is_cdata) {
            Layer::Ascii
        } else {
            Layer::References
        });
        for chunk in &self.embedded {
            chunk.add(&mut text, self.source, &self.entities);
        }
        if !element::is_html(text.text()) {
            return self.write_embedded();
        }
        self.embedded.clear();
        let mut inner = Parts::default();
        html::parts(text.text(), self.scope(), &mut inner);
        self.parts.add_within(&text, inner);
    }

    /// Takes text that was kept for a document of HTML as running text.
    fn write_embedded(&mut self) {
        for chunk in std::mem::take(&mut self.embedded) {
            self.write(chunk);
        }
        if let Some((_, content @ ElementContent::Embedded, _)) = &mut self.element {
            *content = ElementContent::Flow;
        }
    }

    fn attributes(&mut self, mut attributes: Attributes<'_>, tag: &Range<usize>) {
        let name = self.name_at(tag.start);
        let of_meta = name == b"meta";
        let mut link = (self.texts.scope.links).then(|| self.link(name, attributes.clone()));
        let is_in_lines = matches!(self.element, Some((_, ElementContent::Lines, _)));
        let is_external = name == b"Relationship" && {
            let is = |attribute: Attr<'_>| {
                attribute.key.into_inner() == "TargetMode" && &*attribute.value == "External"
            };
            attributes.clone().with_checks(false).flatten().any(is)
        };
        for attribute in attributes.with_checks(false).flatten() {
            // The value is a slice of the text that the parser was given.
            let address = attribute.value.as_ptr().addr();
            let Some(start) = address.checked_sub(self.parsed.as_ptr().addr()) else {
                continue;
            };
            let value = start..start + attribute.value.len();
            if value.start < tag.start || value.end > tag.end {
                continue;
            }
            let attribute_name = attribute.key.into_inner().as_bytes();
            let kind = match self.office {
                Some(office) => match office.attribute(attribute_name, is_external) {
                    Some(kind) => kind,
                    None => continue,
                },
                // A class of things.
                None if name == b"type" && attribute_name == b"rdf:resource" => {
                    AttributeKind::Identifier
                }
                None => AttributeKind::of(attribute_name),
            };
            let bytes = self.source.get(value.clone()).unwrap_or_default();
            if kind == AttributeKind::Other && !may_be_read(bytes) {
                continue;
            }
            let attribute = Attribute {
                kind,
                value,
                of_meta,
            };
            self.take_field();
            let add = decoding(&self.entities);
            self.texts.attribute(self.source, attribute, add);
            if let Some(link) = &mut link {
                link.attribute = Some(attribute_name.to_vec());
                self.texts.describe(link, is_in_lines);
            }
        }
    }

    /// Returns the description of the links in the attributes of a tag.
    fn link(&self, name: &[u8], mut attributes: Attributes<'_>) -> Link {
        let mut link = Link::of(name);
        for attribute in attributes.with_checks(false).flatten() {
            let value = match local(attribute.key.into_inner().as_bytes()) {
                b"title" => &mut link.title,
                b"rel" => &mut link.rel,
                b"alt" => &mut link.anchor,
                _ => continue,
            };
            let mut decoded = View::new(Layer::References);
            decoding(&self.entities)(&mut decoded, attribute.value.as_bytes(), 0);
            *value = Some(folded(decoded.text()));
        }
        link
    }
}

/// The vocabulary of office documents that the namespace of a tag belongs to.
fn vocabulary(tag: &BytesStart<'_>) -> Option<Office> {
    let name = tag.name().into_inner();
    let prefix = name.split_once(':').map(|(prefix, _)| prefix);
    let is_own = |attribute: &Attr<'_>| {
        let key = attribute.key.into_inner();
        match prefix {
            Some(prefix) => key.strip_prefix("xmlns:") == Some(prefix),
            None => key == "xmlns",
        }
    };
    let mut attributes = tag.html_attributes();
    let own = attributes.with_checks(false).flatten().find(is_own);
    Office::of(own?.value.as_bytes())
}

/// Decodes the references of XML, and of the document's own entities.
fn decoding(entities: &Entities) -> impl Add {
    |view: &mut View<'static>, text: &[u8], source: u64| {
        references::decode(view, text, source, |text| entities.read(text));
    }
}

/// Returns whether `value` is a URL with spaces that are not encoded: only words follow its first one.
fn is_spaced_url(value: &[u8]) -> bool {
    let mut words = value.split(|&byte| byte == b' ');
    let is_word = |word: &[u8]| word.first().is_some_and(u8::is_ascii_alphanumeric);
    words.next().is_some_and(is_one_url)
        && words.all(|word| is_word(word) && !word.iter().any(|byte| b":\n\r\t".contains(byte)))
}
