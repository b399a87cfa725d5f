//! What a message is made of: RFC 2046, section 5.1.
//!
//! Own code, since `mail-parser`, which is good at messages, takes quadratic time where boundaries
//! never occur, takes `--boundary` for a delimiter in the middle of a line or in front of more, and
//! decodes all that it meets, though only the places are asked for here.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;

use super::entity::Entity;
use super::field;
use super::field::{Field, Line};
use super::lines::Lines;

/// The most entities of a message whose bodies are told apart.
const MOST_ENTITIES: usize = 100_000;

/// The most fields of a message that are told apart.
const MOST_FIELDS: usize = 1_000_000;

/// Begins every delimiter. Most messages are short, so the searcher is made once for all.
static DASHES: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("--"));

/// A piece of a message. Together with the delimiters of its parts they are all of it.
#[derive(Debug)]
pub(super) enum Piece<'e> {
    /// A field of a header.
    Field(Field),
    /// A body that is not made of others.
    Body {
        range: Range<usize>,
        entity: &'e Entity,
        /// Whether it is one of alternatives.
        alternative: bool,
    },
    /// Text in front of, between or behind the parts of a multipart.
    Between(Range<usize>),
    /// Something that is not as it should be.
    Fault { at: usize, message: &'static str },
}

/// Takes a message apart, in one pass.
pub(super) fn walk(text: &[u8], visit: &mut dyn FnMut(Piece<'_>)) {
    let (start, lines) = behind_postmark(text);
    let walk = Walk {
        text,
        lines,
        open: Vec::new(),
        by_boundary: HashMap::new(),
        fields: 0,
        visit,
    };
    walk.message(start);
}

/// Where the header of a message begins, behind what a mailbox puts there and blank lines, and how
/// its lines end: the postmark's may end otherwise.
fn behind_postmark(text: &[u8]) -> (usize, Lines) {
    let mut at = breaks(text);
    if text[at..].starts_with(b"From ") {
        (_, at) = Lines::of(&text[at..]).line(text, at);
        at += breaks(&text[at..]);
    }
    (at, Lines::of(&text[at..]))
}

/// How long the line breaks are with which `text` begins.
fn breaks(text: &[u8]) -> usize {
    let is_break = |byte: &&u8| matches!(byte, b'\r' | b'\n');
    text.iter().take_while(is_break).count()
}

/// A multipart whose end has not been met.
struct Multipart {
    entity: Entity,
    boundary: Vec<u8>,
    alternative: bool,
    /// Whether its first part has begun.
    begun: bool,
}

/// A line that ends a part.
struct Delimiter {
    /// Where the part ends, in front of the line break that belongs to the line.
    end: usize,
    next: usize,
    /// The multipart that it belongs to, by its place in the stack of those that are open.
    index: usize,
    closes: bool,
}

/// What stands behind a header, or a delimiter that closes.
enum Content {
    Body(Entity),
    Preamble,
    Epilogue,
}

struct Walk<'t, 'v> {
    text: &'t [u8],
    lines: Lines,
    open: Vec<Multipart>,
    /// The open multiparts with a boundary, the innermost last.
    by_boundary: HashMap<Vec<u8>, Vec<usize>>,
    /// How many fields have been met.
    fields: usize,
    visit: &'v mut dyn FnMut(Piece<'_>),
}

impl Walk<'_, '_> {
    fn message(mut self, start: usize) {
        let mut from = start;
        let mut content = self.entity(&mut from, Entity::default());
        let mut entities = 1;
        while entities <= MOST_ENTITIES && self.fields < MOST_FIELDS {
            let delimiter = self.delimiter(from);
            let end = delimiter
                .as_ref()
                .map_or(self.text.len(), |found| found.end);
            let index = delimiter.as_ref().map(|found| found.index);
            self.content(content, from..end.max(from), index);
            let Some(Delimiter {
                next,
                index,
                closes,
                ..
            }) = delimiter
            else {
                self.end();
                return;
            };
            from = next;
            content = self.behind_delimiter(&mut from, index, closes);
            entities += 1;
        }
        let message = match self.fields < MOST_FIELDS {
            true => "more than 100,000 parts, so the rest is read as plain text",
            false => "more than 1,000,000 fields, so the rest is read as plain text",
        };
        self.fault(from, message);
        self.between(from..self.text.len());
    }

    fn content(&mut self, content: Content, range: Range<usize>, delimiter: Option<usize>) {
        match content {
            Content::Body(entity) => self.body(range, &entity),
            Content::Epilogue => self.between(range),
            Content::Preamble if delimiter == self.open.len().checked_sub(1) => {
                self.between(range);
            }
            Content::Preamble => {
                let Some(multipart) = self.open.last_mut() else {
                    return;
                };
                let entity = std::mem::take(&mut multipart.entity);
                self.fault(range.start, "a multipart whose boundary never occurs");
                self.body(range, &entity);
            }
        }
    }

    fn behind_delimiter(&mut self, from: &mut usize, index: usize, closes: bool) -> Content {
        while self.open.len() > index + 1 {
            self.close(*from, true);
        }
        if closes {
            self.close(*from, false);
            return Content::Epilogue;
        }
        let mut digest = false;
        if let Some(multipart) = self.open.last_mut() {
            multipart.begun = true;
            digest = multipart.entity.media() == b"multipart/digest";
        }
        self.entity(
            from,
            Entity {
                digest,
                ..Entity::default()
            },
        )
    }

    /// What is still open at the end is so for want of its last delimiter.
    fn end(&mut self) {
        while !self.open.is_empty() {
            self.close(self.text.len(), true);
        }
    }

    /// Forgets the innermost multipart.
    fn close(&mut self, at: usize, is_missing: bool) {
        let Some(multipart) = self.open.pop() else {
            return;
        };
        if let Some(indices) = self.by_boundary.get_mut(&multipart.boundary) {
            indices.pop();
            if indices.is_empty() {
                self.by_boundary.remove(&multipart.boundary);
            }
        }
        if is_missing && multipart.begun {
            self.fault(at, "a multipart without its last delimiter");
        }
    }

    /// Reads the header at `at`, and those of messages right inside.
    fn entity(&mut self, at: &mut usize, mut entity: Entity) -> Content {
        loop {
            self.header(at, &mut entity);
            if !(entity.is_message() && entity.is_same()) {
                break;
            }
            *at += breaks(&self.text[*at..]);
            entity = Entity::default();
        }
        if !entity.is_multipart() {
            return Content::Body(entity);
        }
        let boundary = entity.boundary.take().unwrap_or_default();
        let boundary = boundary.trim_ascii_end().to_vec();
        // An empty one would be found in front of every signature.
        if boundary.is_empty() {
            self.fault(*at, "a multipart without a boundary");
            return Content::Body(entity);
        }
        let indices = self.by_boundary.entry(boundary.clone()).or_default();
        indices.push(self.open.len());
        self.open.push(Multipart {
            alternative: self.is_alternative() || entity.media() == b"multipart/alternative",
            entity,
            boundary,
            begun: false,
        });
        Content::Preamble
    }

    /// Reads a header to its end.
    fn header(&mut self, at: &mut usize, entity: &mut Entity) {
        let mut is_begun = false;
        while *at < self.text.len() && self.fields < MOST_FIELDS {
            self.fields += 1;
            match field::line(self.text, *at, self.lines) {
                Line::Blank(next) => {
                    *at = next;
                    return;
                }
                Line::Postmark(next) => *at = next,
                Line::Field(field) => {
                    // A field may be called `--x`, but not where that is a boundary.
                    if self.text[*at] == b'-' && self.delimiter_at(*at).is_some() {
                        return;
                    }
                    entity.take(
                        &self.text[field.name.clone()],
                        &self.text[field.value.clone()],
                    );
                    *at = field.end;
                    (self.visit)(Piece::Field(field));
                    is_begun = true;
                }
                Line::Other => {
                    if self.delimiter_at(*at).is_some() {
                        return;
                    }
                    let (end, next) = self.lines.line(self.text, *at);
                    if is_begun {
                        self.fault(*at, "a line in a header that is no field");
                    }
                    if !is_begun || !field::is_usual(self.text, next) {
                        return;
                    }
                    self.between(*at..end);
                    *at = next;
                }
            }
        }
    }

    /// The first delimiter that begins at `from` or behind it.
    fn delimiter(&self, from: usize) -> Option<Delimiter> {
        if self.by_boundary.is_empty() {
            return None;
        }
        let mut at = from;
        loop {
            at += DASHES.find(self.text.get(at..)?)?;
            if !self.lines.begins(self.text, at) {
                at += self.text[at..]
                    .iter()
                    .take_while(|&&byte| byte == b'-')
                    .count();
                continue;
            }
            if let Some(found) = self.delimiter_at(at) {
                return Some(found);
            }
            (_, at) = self.lines.line(self.text, at);
        }
    }

    /// The delimiter that the line at `at` is.
    fn delimiter_at(&self, at: usize) -> Option<Delimiter> {
        let (end, next) = self.lines.line(self.text, at);
        let line = self.text[at..end].strip_prefix(b"--")?.trim_ascii_end();
        let innermost = |boundary: &[u8]| self.by_boundary.get(boundary)?.last().copied();
        let opening = innermost(line).map(|index| (index, false));
        let closing = || Some((innermost(line.strip_suffix(b"--")?)?, true));
        let (index, closes) = opening.or_else(closing)?;
        let end = self.lines.before_break(self.text, at);
        Some(Delimiter {
            end,
            next,
            index,
            closes,
        })
    }

    fn is_alternative(&self) -> bool {
        self.open
            .last()
            .is_some_and(|multipart| multipart.alternative)
    }

    fn body(&mut self, range: Range<usize>, entity: &Entity) {
        let alternative = self.is_alternative();
        if !range.is_empty() {
            (self.visit)(Piece::Body {
                range,
                entity,
                alternative,
            });
        }
    }

    fn between(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            (self.visit)(Piece::Between(range));
        }
    }

    fn fault(&mut self, at: usize, message: &'static str) {
        (self.visit)(Piece::Fault { at, message });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tries::tries;
    use proptest::prelude::*;

    const LINES: [&str; 14] = [
        "--x",
        "--x--",
        "--xy",
        "--xy--",
        "--",
        "Content-Type: multipart/mixed; boundary=x",
        "Content-Type: multipart/alternative; boundary=\"xy\"",
        "Content-Type: multipart/digest; boundary=x",
        "Content-Type: message/rfc822",
        "A: b",
        " folded",
        "",
        "text",
        "From joe",
    ];

    proptest! {
        #![proptest_config(tries(256))]

        /// The pieces come in order, and between them is nothing but delimiters and empty lines,
        /// and what a mailbox puts in front of a message.
        #[test]
        fn nothing_is_lost(
            lines in prop::collection::vec(0..LINES.len(), 0..40),
            line_end in 0..3usize,
        ) {
            let line_end = ["\n", "\r\n", "\r"][line_end];
            let text: String = lines.iter().map(|&line| LINES[line].to_owned() + line_end).collect();
            let mut end = 0;
            let mut rest = Vec::new();
            walk(text.as_bytes(), &mut |piece| {
                let range = match piece {
                    Piece::Field(field) => field.name.start..field.end,
                    Piece::Body { range, .. } | Piece::Between(range) => range,
                    Piece::Fault { .. } => return,
                };
                assert!(end <= range.start && range.start < range.end, "{text:?}");
                rest.push(&text[end..range.start]);
                end = range.end;
            });
            rest.push(&text[end..]);
            for line in rest.iter().flat_map(|rest| rest.split(['\r', '\n'])) {
                let is_delimiter = line.starts_with("--x");
                prop_assert!(line.is_empty() || is_delimiter || line == "From joe", "{line:?}");
            }
        }
    }
}
