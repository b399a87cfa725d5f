//! The connection between a page and the HTML tokenizer: the tokenizer's input, and the events that
//! it reports.

use std::convert::Infallible;

use html5gum::{Emitter, Error, Reader, State, Tokenizer};

use super::{Page, Raw};

impl Page<'_> {
    /// Tokenizes the page from its position on, starting in `state`, to the end of the next tag,
    /// comment or the like that ordinary text follows; returns whether there is one.
    pub(super) fn tokenize(&mut self, state: State) -> bool {
        let rest = self.source.get(self.position..).unwrap_or_default();
        let mut tokenizer = Tokenizer::new_with_emitter(PageReader(rest), self);
        tokenizer.set_state(state);
        tokenizer.next().is_some()
    }
}

impl Emitter for &mut Page<'_> {
    /// A tag, a comment or the like has ended, and ordinary text follows.
    type Token = ();

    #[inline]
    fn move_position(&mut self, offset: isize) {
        self.position = self.position.saturating_add_signed(offset);
    }

    fn start_open_tag(&mut self) {
        self.open = self.position.saturating_sub(1);
    }

    fn init_start_tag(&mut self) {
        self.begin_tag(false);
    }

    fn init_end_tag(&mut self) {
        self.begin_tag(true);
    }

    #[inline]
    fn push_tag_name(&mut self, name: &[u8]) {
        self.tag.name.extend_from_slice(name);
    }

    fn init_attribute(&mut self) {
        self.tag.attribute.clear();
    }

    #[inline]
    fn push_attribute_name(&mut self, name: &[u8]) {
        self.tag.attribute.extend_from_slice(name);
    }

    fn init_attribute_value(&mut self) {
        if let Some(kind) = self.kind_of_value(&self.tag.attribute, self.position) {
            let value = self.position..self.value_end();
            self.tag.attributes.push((kind, value));
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        let name = std::mem::take(&mut self.tag.name);
        let raw = self.end_tag(&name);
        self.tag.name = name;
        self.is_token = self.raw.is_none();
        raw.map(Raw::state)
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.tag.is_end && self.raw.is_some() && self.raw == Raw::of(&self.tag.name)
    }

    fn emit_current_comment(&mut self) {
        self.end_markup("a comment");
    }

    fn emit_current_doctype(&mut self) {
        self.end_markup("a document type");
    }

    fn emit_eof(&mut self) {
        self.end();
    }

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn pop_token(&mut self) -> Option<()> {
        std::mem::take(&mut self.is_token).then_some(())
    }

    // The rest is not needed.
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

/// The rest of a page, passed to the tokenizer in long pieces. Text is taken from the page itself,
/// so that the tokenizer need not stop at references and line breaks in text and in quoted values.
#[derive(Debug)]
pub(super) struct PageReader<'s>(pub(super) &'s [u8]);

impl<'s> PageReader<'s> {
    /// Takes the next `len` bytes.
    #[inline(always)]
    fn take(&mut self, len: usize) -> Option<&'s [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }
}

impl Reader for PageReader<'_> {
    type Error = Infallible;

    #[inline(always)]
    fn read_byte(&mut self) -> Result<Option<u8>, Infallible> {
        Ok(self.take(1).map(|byte| byte[0]))
    }

    #[inline(always)]
    fn try_read_string(&mut self, text: &[u8], case_sensitive: bool) -> Result<bool, Infallible> {
        let begins = self.0.get(..text.len()).is_some_and(|start| {
            start == text || (!case_sensitive && start.eq_ignore_ascii_case(text))
        });
        if begins {
            self.take(text.len());
        }
        Ok(begins)
    }

    // Inlined, so that the needles are constants at each call.
    #[inline(always)]
    fn read_until<'b>(
        &'b mut self,
        needles: &[u8],
        _: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, Infallible> {
        let len = match end_needle(needles) {
            Some(needle) => memchr::memchr(needle, self.0),
            None => self.0.iter().position(|byte| needles.contains(byte)),
        };
        // A needle is passed by itself.
        let len = len.unwrap_or(self.0.len()).max(1);
        Ok(self.take(len))
    }
}

/// Returns the only needle that ends a token, if there is one: `<` ends text, a quote ends a value.
/// The tokenizer stops at the others only to report or to decode them.
#[inline(always)]
fn end_needle(needles: &[u8]) -> Option<u8> {
    let ends = |byte: &u8| !matches!(byte, b'&' | b'\0' | b'\r');
    let mut ending = needles.iter().copied().filter(|byte| ends(byte));
    match (ending.next(), ending.next()) {
        (Some(needle), None) => Some(needle),
        _ => None,
    }
}
