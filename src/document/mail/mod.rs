//! Messages of mail and news: RFC 5322, and RFC 2045 to 2049 for what they are made of.

mod content;
mod entity;
mod field;
mod header;
mod lines;
pub(crate) mod mbox;
mod parameters;
mod structure;
mod texts;
mod words;

use std::collections::HashSet;
use std::ops::Range;

use content::{Content, content};
use entity::{Entity, Transfer};
use header::Header;
use structure::{Piece, walk};
pub use texts::{TextBody, text_bodies};

use super::{Kind, Look, Parts};
use crate::text::span::Span;
use crate::view::transfer;
use crate::view::{View, charset, flowed};

/// How many messages may be encoded in each other.
const MOST_ENCODED: u8 = 8;

pub(crate) fn parts<'s>(source: &'s [u8], look: Look, parts: &mut Parts<'s>) {
    message(source, look, 0, parts);
}

/// The parts of a message that is encoded in so many others.
fn message<'s>(source: &'s [u8], look: Look, encoded_in: u8, parts: &mut Parts<'s>) {
    let mut header = Header::new(look.marks);
    let mut message = Message {
        source,
        look,
        encoded_in,
        parts,
        said: HashSet::new(),
    };
    walk(source, &mut |piece| match piece {
        Piece::Field(field) => header.add(source, &field),
        Piece::Between(range) => message.between(range),
        Piece::Body {
            range,
            entity,
            alternative,
        } => {
            let first = message.parts.parts.len();
            message.body(range, entity);
            for part in &mut message.parts.parts[first..] {
                part.alternative |= alternative;
            }
        }
        Piece::Fault { at, message: what } => message.fault(at, what),
    });
    if let Some(span) = header.unknown {
        message.warn(
            Warning::Charset,
            span,
            "an encoded word in an unknown charset, so read as it is",
        );
    }
    header.finish(message.parts);
}

/// What is said once about a message, however often it is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Warning {
    Structure,
    Charset,
    Encoding,
    Transfer(&'static str),
    Depth,
}

/// A message that is being taken apart.
struct Message<'s, 'p> {
    source: &'s [u8],
    look: Look,
    encoded_in: u8,
    parts: &'p mut Parts<'s>,
    said: HashSet<Warning>,
}

impl<'s> Message<'s, '_> {
    fn between(&mut self, range: Range<usize>) {
        let text = &self.source[range.clone()];
        if !text.trim_ascii().is_empty() {
            self.parts.lines(View::borrowed(text, range.start as u64));
        }
    }

    fn body(&mut self, range: Range<usize>, entity: &Entity) {
        let span = Span::new(range.start as u64, range.end as u64);
        let kind = match content(entity) {
            Content::Text(kind) => kind,
            Content::Other => {
                self.parts.skip(span, shown(entity.media()));
                return;
            }
        };
        let decoded = self.decoded(range, entity);
        let is_flowed = kind == Kind::Plain && entity.flowed;
        let flowed = match is_flowed {
            true => self.step(decoded, |text| Some(flowed::unflow(text, entity.delsp))),
            false => decoded,
        };
        self.document(kind, flowed, span);
    }

    /// The text of a body, decoded and in UTF-8, as far as that can be had.
    fn decoded(&mut self, range: Range<usize>, entity: &Entity) -> View<'s> {
        let raw = &self.source[range.clone()];
        let start = range.start as u64;
        let bytes = match entity.encoding {
            Some(Transfer::Encoded(encoding)) => {
                let mut decoded = transfer::decode(raw, encoding);
                if let Some(fault) = decoded.fault {
                    let at = start + fault.at as u64;
                    let warning = Warning::Transfer(fault.message);
                    self.warn(warning, Span::new(at, at), fault.message);
                }
                self.between(range.start + decoded.end.min(raw.len())..range.end);
                decoded.view.shift(start);
                decoded.view
            }
            Some(Transfer::Unknown) => {
                let span = Span::new(start, start);
                let what = "an unknown transfer encoding, so read as it is";
                self.warn(Warning::Encoding, span, what);
                View::borrowed(raw, start)
            }
            Some(Transfer::Same) | None => View::borrowed(raw, start),
        };
        self.in_utf8(bytes, entity, start)
    }

    fn in_utf8(&mut self, bytes: View<'s>, entity: &Entity, start: u64) -> View<'s> {
        let label = entity.charset.as_deref().unwrap_or_default();
        let is = |name: &&str| label.eq_ignore_ascii_case(name.as_bytes());
        if ["", "us-ascii", "utf-8", "utf8", "ascii"].iter().any(is) {
            return bytes;
        }
        let mut is_known = true;
        let decoded = self.step(bytes, |text| {
            let decoded = charset::decode(text, label).ok();
            is_known = decoded.is_some();
            decoded
        });
        if !is_known {
            let what = format!("unknown charset `{}`, so read as it is", shown(label));
            self.warn(Warning::Charset, Span::new(start, start), what);
        }
        decoded
    }

    /// The view that `decode` makes of the text of `view`, if it does; nothing is copied where
    /// nothing changes.
    fn step(
        &self,
        view: View<'s>,
        decode: impl for<'t> FnOnce(&'t [u8]) -> Option<View<'t>>,
    ) -> View<'s> {
        if let Some(start) = view.borrowed_at() {
            let end = start as usize + view.text().len();
            let Some(mut next) = decode(&self.source[start as usize..end]) else {
                return view;
            };
            next.shift(start);
            return next;
        }
        match decode(view.text()) {
            Some(next) if next.borrowed_at().is_none() => view.compose(&next),
            _ => view,
        }
    }

    /// Adds a body that is a document of the kind `kind`.
    fn document(&mut self, kind: Kind, view: View<'s>, span: Span) {
        let is_message = matches!(kind, Kind::Mail | Kind::Mbox);
        if is_message && self.encoded_in == MOST_ENCODED {
            let what = "messages encoded in each other too deep, so read as plain text";
            self.warn(Warning::Depth, span, what);
            self.parts.lines(view);
        } else if kind == Kind::Plain {
            self.parts.lines(view);
        } else if let Some(start) = view.borrowed_at() {
            let end = start as usize + view.text().len();
            let inner = self.inner(kind, &self.source[start as usize..end]);
            self.parts.at(start, inner);
        } else {
            let inner = self.inner(kind, view.text());
            self.parts.within(&view, inner);
        }
    }

    fn inner<'t>(&self, kind: Kind, text: &'t [u8]) -> Parts<'t> {
        let mut parts = Parts::default();
        match kind {
            Kind::Mail => message(text, self.look, self.encoded_in + 1, &mut parts),
            Kind::Mbox => {
                for start_end in crate::document::mail::mbox::split(text) {
                    let mut inner = Parts::default();
                    let start = start_end.start as u64;
                    message(&text[start_end], self.look, self.encoded_in + 1, &mut inner);
                    parts.at(start, inner);
                }
            }
            kind => parts = Parts::of(text, kind, self.look),
        }
        parts
    }

    fn fault(&mut self, at: usize, what: &'static str) {
        let span = Span::new(at as u64, at as u64);
        self.warn(Warning::Structure, span, what);
    }

    fn warn(&mut self, warning: Warning, span: Span, what: impl Into<String>) {
        if self.said.insert(warning) {
            self.parts.warn(span, what);
        }
    }
}

/// A name that a message gives, fit to be shown.
fn shown(name: &[u8]) -> String {
    const MOST: usize = 60;
    let dots = if name.len() > MOST { "..." } else { "" };
    let name = &name[..name.len().min(MOST)];
    format!("{}{dots}", name.escape_ascii())
}
