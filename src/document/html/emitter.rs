//! What the tokenizer of HTML tells of a page.

use html5gum::{Emitter, Error, State, Tokenizer};

use super::reader::Rest;
use super::{Page, Raw};

impl Page<'_> {
    /// Reads on from where the page stands, in `state`, to behind the next tag, comment or the like
    /// that leaves the page in text and tags; returns whether there is one.
    pub(super) fn tokenize(&mut self, state: State) -> bool {
        let rest = self.source.get(self.position..).unwrap_or_default();
        let mut tokenizer = Tokenizer::new_with_emitter(Rest(rest), self);
        tokenizer.set_state(state);
        tokenizer.next().is_some()
    }
}

/// Something was read, and text and tags follow.
pub(super) struct Token;

impl Emitter for &mut Page<'_> {
    type Token = Token;

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
        if let Some(kind) = self.kind_of_value(self.tag.attribute.get(), self.position) {
            let value = self.position..self.value_end();
            self.tag.attributes.push((kind, value));
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        let name = self.tag.name;
        let raw = self.end_tag(name.get());
        self.is_token = self.raw.is_none();
        raw.map(Raw::state)
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.tag.is_end && self.raw.is_some() && self.raw == Raw::of(self.tag.name.get())
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
    fn pop_token(&mut self) -> Option<Token> {
        std::mem::take(&mut self.is_token).then_some(Token)
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
