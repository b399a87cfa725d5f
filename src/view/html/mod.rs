//! HTML, as browsers read it.
//!
//! The tokenizer only says where tags and comments are: what stands between them is text, and is
//! taken from the source as it stands, so that its references can be decoded with a map.

mod reader;
mod tag;

use std::convert::Infallible;

use html5gum::{Emitter, Error, State, Tokenizer};

use super::View;
use super::markup::{Attribute, Edge, Kind, Sheets, may_begin_with_scheme};
use super::reference::{self, Place};
use crate::document::{Look, Parts};
use crate::span::Span;
use reader::Rest;
use tag::{Name, Raw};

pub(crate) fn parts<'s>(source: &'s [u8], look: Look, parts: &mut Parts<'s>) {
    let mut page = Page::new(source, look);
    let _never_fails = Tokenizer::new_with_emitter(Rest(source), &mut page).finish();
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
        parts.lines(View::same(rest.slice(source), rest.start));
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
    /// The name of the element that `raw` is of.
    raw_name: Name,
    is_preformatted: bool,
    has_markup: bool,
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
    attributes: Vec<Attribute>,
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
            raw_name: Name::default(),
            is_preformatted: false,
            has_markup: false,
            unfinished: None,
        }
    }

    /// Takes the text up to `end`, and goes on behind what stands there.
    fn take_text(&mut self, end: usize) {
        let range = self.text..end;
        let Sheets { flow, lines, .. } = &mut self.sheets;
        match self.raw {
            Some(Raw::Program) if !self.deep => {}
            Some(Raw::Program) => self.sheets.hide(self.source, range),
            Some(Raw::Verbatim) => lines.text(self.source, range, View::copy),
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

    /// Whether what ends at `end` and began at `self.open` was brought to an end.
    fn end_markup(&mut self, what: &'static str) {
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
    reference::decode(view, text, source, |text| {
        reference::html(text, Place::Text)
    });
}

fn in_attribute(view: &mut View<'static>, text: &[u8], source: u64) {
    reference::decode(view, text, source, |text| {
        reference::html(text, Place::Attribute)
    });
}

impl Emitter for &mut Page<'_> {
    type Token = Infallible;

    #[inline]
    fn move_position(&mut self, offset: isize) {
        self.position = self.position.saturating_add_signed(offset);
    }

    fn start_open_tag(&mut self) {
        self.open = self.position.saturating_sub(1);
    }

    fn init_start_tag(&mut self) {
        self.tag.is_open = true;
        self.tag.is_end = false;
        self.tag.name.clear();
        self.tag.attributes.clear();
    }

    fn init_end_tag(&mut self) {
        self.init_start_tag();
        self.tag.is_end = true;
    }

    #[inline]
    fn push_tag_name(&mut self, name: &[u8]) {
        self.tag.name.push(name);
    }

    fn init_attribute(&mut self) {
        self.tag.attribute.clear();
    }

    #[inline]
    fn push_attribute_name(&mut self, name: &[u8]) {
        self.tag.attribute.push(name);
    }

    fn init_attribute_value(&mut self) {
        if self.tag.is_end {
            return;
        }
        let kind = Kind::of(self.tag.attribute.get());
        let is_read = match kind {
            // Most are of this sort, and their values are short.
            Kind::Other => {
                may_begin_with_scheme(self.source.get(self.position..).unwrap_or_default())
            }
            Kind::Program | Kind::Identifier => self.deep,
            _ => true,
        };
        if is_read {
            self.tag.attributes.push(Attribute {
                kind,
                value: self.position..self.value_end(),
                of_meta: self.tag.name.get() == b"meta",
            });
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.has_markup = true;
        self.tag.is_open = false;
        let (start, end) = (self.open, self.position);
        self.take_text(start);
        let name = self.tag.name;
        self.at_tag(name.get(), Span::new(start as u64, end as u64));
        if self.tag.is_end {
            self.raw = None;
            return None;
        }
        let mut attributes = std::mem::take(&mut self.tag.attributes);
        for attribute in attributes.drain(..) {
            self.sheets
                .attribute(self.source, attribute, self.deep, in_attribute);
        }
        self.tag.attributes = attributes;
        let (raw, state) = Raw::of(name.get())?;
        self.raw = Some(raw);
        self.raw_name = name;
        Some(state)
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.tag.is_end && self.raw.is_some() && self.tag.name.get() == self.raw_name.get()
    }

    fn emit_current_comment(&mut self) {
        self.end_markup("a comment");
    }

    fn emit_current_doctype(&mut self) {
        self.end_markup("a document type");
    }

    fn emit_eof(&mut self) {
        if self.unfinished.is_some() {
            return;
        }
        let unfinished = match self.raw {
            Some(Raw::Program) => Some((self.text, "a script or style")),
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

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    // The rest is of no interest.
    fn set_last_start_tag(&mut self, _: Option<&[u8]>) {}
    fn emit_error(&mut self, _: Error) {}
    #[inline]
    fn emit_string(&mut self, _: &[u8]) {}
    fn init_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn set_self_closing(&mut self) {}
    fn set_force_quirks(&mut self) {}
    #[inline]
    fn push_attribute_value(&mut self, _: &[u8]) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
}
