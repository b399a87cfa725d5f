//! The document type: entities that a document declares.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;

use crate::document::markup::{Attribute, AttributeKind, MarkupTexts};
use urlint_view::references;
use urlint_view::references::{Meaning, Reference};
use urlint_view::{Layer, View};

/// The greatest length, in bytes, of the name and of the text of an entity whose references are
/// replaced.
const MAX_TEXT: usize = 64;

/// The entities of a document.
#[derive(Debug, Default)]
pub(super) struct Entities {
    texts: HashMap<Vec<u8>, Vec<u8>>,
    /// Whether more entities may be declared elsewhere: usually those of HTML.
    more_elsewhere: bool,
    /// The number of bytes that references may still be replaced by, so that the text of a document
    /// cannot grow out of proportion.
    left: Cell<usize>,
}

impl Entities {
    /// The predefined entities, for a document of `len` bytes.
    pub(super) fn new(len: usize) -> Self {
        Entities {
            left: Cell::new(len),
            ..Entities::default()
        }
    }

    /// The reference at the start of `text`, if its entity is known.
    pub(super) fn read(&self, text: &[u8]) -> Option<Reference<'_>> {
        if let Some(found) = references::xml(text) {
            return Some(found);
        }
        let near = text.get(..text.len().min(MAX_TEXT + 2))?;
        let end = memchr::memchr(b';', near)?;
        match self.texts.get(near.get(1..end)?) {
            Some(text) => {
                self.left.set(self.left.get().checked_sub(text.len())?);
                Some(Reference {
                    meaning: Meaning::Text(text),
                    len: end + 1,
                })
            }
            None if self.more_elsewhere => references::html_name(text),
            None => None,
        }
    }

    /// Reads the document type declaration at `range`; returns the texts of entities that are
    /// markup. The system identifiers of entities are targets. The system identifier of the
    /// document type is not, since it is not a link.
    pub(super) fn declare(
        &mut self,
        source: &[u8],
        range: Range<usize>,
        texts: &mut MarkupTexts,
    ) -> Vec<Range<usize>> {
        let mut markup = Vec::new();
        let declaration = source.get(range.clone()).unwrap_or_default();
        let head = head(declaration);
        self.more_elsewhere = declaration[..head].iter().any(|byte| b"\"'".contains(byte));
        texts.hide(source, range.start..range.start + head);
        let mut at = head;
        while let Some(open) = memchr::memchr(b'<', &declaration[at..]) {
            at += open;
            let rest = &declaration[at..];
            let len = if rest.starts_with(b"<!--") {
                let comment = until(rest, b"-->");
                let start = range.start + at;
                texts.hide(source, start..start + comment);
                comment
            } else if rest.starts_with(b"<?") {
                until(rest, b"?>")
            } else {
                let (tokens, len) = tokens(rest);
                if rest.starts_with(b"<!ENTITY") {
                    markup.extend(self.entity(source, range.start + at, &tokens, texts));
                }
                len
            };
            at += len;
        }
        markup
    }

    /// Reads the declaration of an entity, which begins at `start`; returns the text of the entity
    /// if it is markup.
    fn entity(
        &mut self,
        source: &[u8],
        start: usize,
        tokens: &[DeclarationToken],
        texts: &mut MarkupTexts,
    ) -> Option<Range<usize>> {
        let at = |token: &DeclarationToken| start + token.range.start..start + token.range.end;
        let word = |token: &DeclarationToken| source.get(at(token)).unwrap_or_default();
        let tokens = match tokens {
            [first, rest @ ..] if word(first) == b"%" => rest,
            tokens => tokens,
        };
        let (name, rest) = tokens.split_first()?;
        let (kind, value) = match rest {
            [value, ..] if word(value).contains(&b'<') => return Some(at(value)),
            [value, ..] if value.is_quoted => {
                self.remember(word(name), word(value));
                // The beginning of a URL is none.
                if word(value).ends_with(b"://") {
                    return None;
                }
                (AttributeKind::Text, value)
            }
            [key, value, ..] if word(key) == b"SYSTEM" => (AttributeKind::Url, value),
            [key, _, value, ..] if word(key) == b"PUBLIC" => (AttributeKind::Url, value),
            _ => return None,
        };
        let attribute = Attribute {
            kind,
            value: at(value),
            of_meta: false,
        };
        texts.attribute(source, attribute, |view, text, source| {
            match kind {
                // A system identifier has no references.
                AttributeKind::Url => view.copy(text, source),
                _ => references::decode(view, text, source, references::xml),
            }
        });
        None
    }

    /// Keeps the text of an entity, if it is short and without markup.
    fn remember(&mut self, name: &[u8], value: &[u8]) {
        if name.len() > MAX_TEXT || value.len() > MAX_TEXT {
            return;
        }
        let mut text = View::new(Layer::References);
        references::decode(&mut text, value, 0, references::xml);
        if !text.text().iter().any(|byte| b"<&%".contains(byte)) {
            let texts = &mut self.texts;
            // The first declaration of a name is binding.
            texts
                .entry(name.to_vec())
                .or_insert_with(|| text.text().to_vec());
        }
    }
}

/// A word or a quoted literal of a declaration.
#[derive(Debug)]
struct DeclarationToken {
    /// Its range, without quotes.
    range: Range<usize>,
    is_quoted: bool,
}

/// The first tokens after the keyword of the declaration at the start of `text`, and its length.
fn tokens(text: &[u8]) -> (Vec<DeclarationToken>, usize) {
    let mut tokens = Vec::new();
    let mut at = text
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || *byte == b'>');
    while let Some(start) = at
        && let Some(&first) = text.get(start)
    {
        let rest = &text[start + 1..];
        let is_quoted = matches!(first, b'"' | b'\'');
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'>".contains(byte);
        let range = match first {
            b'>' => return (tokens, start + 1),
            quote if is_quoted => match memchr::memchr(quote, rest) {
                Some(len) => start + 1..start + 1 + len,
                None => break,
            },
            first if first.is_ascii_whitespace() => {
                at = Some(start + 1);
                continue;
            }
            _ => start..start + 1 + rest.iter().position(ends).unwrap_or(rest.len()),
        };
        at = Some(range.end + usize::from(is_quoted));
        if tokens.len() < 5 {
            tokens.push(DeclarationToken { range, is_quoted });
        }
    }
    (tokens, text.len())
}

/// The start of the internal subset, the declarations in the document itself.
fn head(declaration: &[u8]) -> usize {
    let mut quote = None;
    let begins = declaration.iter().position(|&byte| {
        match quote {
            Some(open) if byte == open => quote = None,
            None if b"\"'".contains(&byte) => quote = Some(byte),
            _ => {}
        }
        quote.is_none() && byte == b'['
    });
    begins.unwrap_or(declaration.len())
}

/// The length of `text` up to and including `end`.
fn until(text: &[u8], end: &[u8]) -> usize {
    memchr::memmem::find(text, end).map_or(text.len(), |at| at + end.len())
}
