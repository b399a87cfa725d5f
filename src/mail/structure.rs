//! The structure of a message: header fields, and the bodies of its parts (RFC 2046, section 5.1).
//!
//! This is our own code, since `mail-parser` takes quadratic time where boundaries never occur,
//! accepts `--boundary` as a delimiter in the middle of a line or before other text, and decodes
//! all bodies, while only their ranges are needed here.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;

use super::entity::Entity;
use super::field::{self, Field, HeaderLine};
use super::lines::{Lines, breaks};
use super::mbox::separator::article;

/// The greatest number of entities of a message that are read.
const MAX_ENTITIES: usize = 100_000;

/// The greatest number of fields of a message that are read.
const MAX_FIELDS: usize = 1_000_000;

/// How deep multiparts and messages may be nested in a message.
const MAX_DEPTH: usize = 100;

/// The start of every delimiter. Most messages are short, so the searcher is built only once.
static DASHES: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("--"));

/// An item of a message. The items and the delimiters between parts make up the whole message.
#[derive(Debug)]
pub enum Item<'e> {
    /// A field of a header.
    Field(Field),
    /// The body of an entity that is not a multipart.
    Body {
        range: Range<usize>,
        entity: &'e Entity,
        /// Whether it is in a `multipart/alternative`.
        alternative: bool,
    },
    /// Text before, between or after the parts of a multipart.
    Between(Range<usize>),
    /// A fault of the message.
    Fault { at: usize, message: &'static str },
}

/// The position of an item among the parts of a message.
#[derive(Clone, Copy, Debug)]
pub struct Section<'o> {
    /// The innermost multipart that it is in.
    multipart: Option<&'o Multipart>,
    inner: Inner,
}

/// The position of an entity in the multipart around it, or in the message if there is none.
#[derive(Clone, Copy, Debug, Default)]
struct Inner {
    /// How many messages it is nested in, each the only body of the entity around it.
    messages: usize,
    /// The number of the innermost message, from 0 for the outermost.
    message: usize,
}

impl Section<'_> {
    /// The number of the innermost message that the item is in, from 0 for the outermost.
    pub(crate) fn message(&self) -> usize {
        self.inner.message
    }

    /// Returns whether the header that the item belongs to is the header of a message.
    pub(crate) fn is_of_message(&self) -> bool {
        self.multipart.is_none() || self.inner.messages > 0
    }

    /// The number of the part that the item is the body of, as in IMAP (RFC 9051, section 6.4.5.1).
    pub fn of_body(&self) -> Vec<u32> {
        let mut number = self.of_part();
        let levels = self.inner.messages + usize::from(number.is_empty());
        number.resize(number.len() + levels, 1);
        number
    }

    /// The number of the part whose header or text between parts the item is; empty if that is the
    /// outermost message.
    pub(crate) fn of_header(&self) -> Vec<u32> {
        let mut number = self.of_part();
        let is_in_part = !number.is_empty();
        let levels = self.inner.messages.saturating_sub(usize::from(is_in_part));
        number.resize(number.len() + levels, 1);
        number
    }

    /// The number of the part, counted in the multipart.
    fn of_part(&self) -> Vec<u32> {
        let Some(multipart) = self.multipart else {
            return Vec::new();
        };
        let mut number = multipart.number.clone();
        // Before the first part, only the multipart itself has a number.
        number.extend(Some(multipart.parts).filter(|&parts| parts > 0));
        number
    }
}

/// Visits the items of a message, in one pass.
pub fn walk(text: &[u8], visit: &mut dyn FnMut(Item<'_>, Section<'_>)) {
    // An article of a batch comes after a line with its length.
    let start = article(text).map_or(0, |(line, _)| line);
    let (start, lines) = header_start(text, start);
    let walk = Walk {
        text,
        lines,
        open: Vec::new(),
        by_boundary: HashMap::new(),
        fields: 0,
        messages: 0,
        is_too_deep: false,
        visit,
    };
    walk.message(start);
}

/// The start of the header of a message that begins at `start`, after blank lines and the `From ` line
/// of a mailbox, and the line ends of the message; the `From ` line may have others.
fn header_start(text: &[u8], start: usize) -> (usize, Lines) {
    let mut at = start + breaks(&text[start..]);
    if text[at..].starts_with(b"From ") {
        (_, at) = Lines::of(&text[at..]).line(text, at);
        at += breaks(&text[at..]);
    }
    (at, Lines::of(&text[at..]))
}

/// A multipart whose end has not been found.
#[derive(Debug)]
struct Multipart {
    entity: Entity,
    boundary: Vec<u8>,
    alternative: bool,
    /// Its number, to which its parts add theirs.
    number: Vec<u32>,
    /// The number of the message that it is in.
    message: usize,
    /// How many multiparts and messages it is nested in.
    depth: usize,
    /// How many of its parts have begun.
    parts: u32,
}

/// A delimiter line, with the line break before it, which belongs to it.
struct Delimiter {
    /// The end of the part before it.
    end: usize,
    /// The start of the next line.
    next: usize,
    /// The index of its multipart in the stack of open ones.
    index: usize,
    closes: bool,
}

/// The text after a header or a delimiter.
enum Region {
    Body(Entity, Inner),
    Preamble,
    Epilogue,
}

struct Walk<'t, 'v> {
    text: &'t [u8],
    lines: Lines,
    open: Vec<Multipart>,
    /// The open multiparts with each boundary, innermost last.
    by_boundary: HashMap<Vec<u8>, Vec<usize>>,
    /// The number of fields that have been read.
    fields: usize,
    /// How many messages have begun inside the outermost one.
    messages: usize,
    /// Whether something that is nested too deep has been reported.
    is_too_deep: bool,
    visit: &'v mut dyn FnMut(Item<'_>, Section<'_>),
}

impl Walk<'_, '_> {
    fn message(mut self, start: usize) {
        let mut from = start;
        let mut region = self.entity(&mut from, Entity::default());
        let mut entities = 1;
        while entities <= MAX_ENTITIES && self.fields < MAX_FIELDS {
            let delimiter = self.delimiter(from);
            let end = delimiter
                .as_ref()
                .map_or(self.text.len(), |found| found.end);
            let index = delimiter.as_ref().map(|found| found.index);
            self.region(region, from..end.max(from), index);
            let Some(found) = delimiter else {
                while !self.open.is_empty() {
                    self.close(self.text.len(), true);
                }
                return;
            };
            from = found.next;
            region = self.after_delimiter(&mut from, found.index, found.closes);
            entities += 1;
        }
        let message = if self.fields < MAX_FIELDS {
            "more than 100,000 parts, so the rest is read as plain text"
        } else {
            "more than 1,000,000 fields, so the rest is read as plain text"
        };
        self.fault(from, message);
        self.between(from..self.text.len());
    }

    /// Takes a region, which ends at `delimiter`.
    fn region(&mut self, region: Region, range: Range<usize>, delimiter: Option<usize>) {
        match region {
            Region::Body(entity, inner) => self.body(range, &entity, inner),
            Region::Epilogue => self.between(range),
            Region::Preamble if delimiter == self.open.len().checked_sub(1) => {
                self.between(range);
            }
            Region::Preamble => {
                let Some(multipart) = self.open.last_mut() else {
                    return;
                };
                let entity = std::mem::take(&mut multipart.entity);
                self.fault(range.start, "a multipart whose boundary never occurs");
                self.body(range, &entity, self.inner());
            }
        }
    }

    fn after_delimiter(&mut self, from: &mut usize, index: usize, closes: bool) -> Region {
        while self.open.len() > index + 1 {
            self.close(*from, true);
        }
        if closes {
            self.close(*from, false);
            return Region::Epilogue;
        }
        let mut entity = Entity::default();
        if let Some(multipart) = self.open.last_mut() {
            multipart.parts = multipart.parts.saturating_add(1);
            entity.digest = multipart.entity.media() == b"multipart/digest";
            entity.around = multipart.entity.base();
        }
        self.entity(from, entity)
    }

    /// Closes the innermost multipart.
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
        if is_missing && multipart.parts > 0 {
            self.fault(at, "a multipart without its last delimiter");
        }
    }

    /// Reads the header at `at`, and the header of a message directly inside.
    fn entity(&mut self, at: &mut usize, mut entity: Entity) -> Region {
        let mut inner = self.inner();
        loop {
            self.header(at, &mut entity, inner);
            if !(entity.is_message() && entity.is_identity()) {
                break;
            }
            if !self.may_nest(*at, inner) {
                return Region::Body(Entity::default(), inner);
            }
            self.messages += 1;
            inner = Inner {
                messages: inner.messages + 1,
                message: self.messages,
            };
            *at += breaks(&self.text[*at..]);
            entity = Entity::default();
        }
        if !entity.is_multipart() {
            return Region::Body(entity, inner);
        }
        let boundary = entity.boundary.take().unwrap_or_default();
        let boundary = boundary.trim_ascii_end().to_vec();
        // An empty boundary would be found before every signature.
        if boundary.is_empty() {
            self.fault(*at, "a multipart without a boundary");
            return Region::Body(entity, inner);
        }
        if !self.may_nest(*at, inner) {
            return Region::Body(entity, inner);
        }
        let depth = self.depth(inner) + 1;
        let indices = self.by_boundary.entry(boundary.clone()).or_default();
        indices.push(self.open.len());
        self.open.push(Multipart {
            alternative: self.is_alternative() || entity.media() == b"multipart/alternative",
            number: self.section(inner).of_header(),
            message: inner.message,
            depth,
            entity,
            boundary,
            parts: 0,
        });
        Region::Preamble
    }

    /// Returns how many multiparts and messages an entity is nested in.
    fn depth(&self, inner: Inner) -> usize {
        let around = self.open.last().map_or(0, |multipart| multipart.depth);
        around + inner.messages
    }

    /// Returns whether an entity may hold others; reports the first that may not, whose body is at `at`.
    fn may_nest(&mut self, at: usize, inner: Inner) -> bool {
        let may_nest = self.depth(inner) < MAX_DEPTH;
        if !may_nest && !std::mem::replace(&mut self.is_too_deep, true) {
            self.fault(
                at,
                "more than 100 parts within one another, so the rest is read as plain text",
            );
        }
        may_nest
    }

    /// Reads a header to its end.
    fn header(&mut self, at: &mut usize, entity: &mut Entity, inner: Inner) {
        let mut is_begun = false;
        while *at < self.text.len() && self.fields < MAX_FIELDS {
            self.fields += 1;
            match field::line(self.text, *at, self.lines) {
                HeaderLine::Blank(next) => {
                    *at = next;
                    return;
                }
                HeaderLine::Postmark(next) => *at = next,
                HeaderLine::Field(field) => {
                    // A field may be called `--x`, unless that is a delimiter here.
                    if self.text[*at] == b'-' && self.delimiter_at(*at).is_some() {
                        return;
                    }
                    entity.take(
                        &self.text[field.name.clone()],
                        &self.text[field.value.clone()],
                    );
                    *at = field.end;
                    self.visit(Item::Field(field), inner);
                    is_begun = true;
                }
                HeaderLine::Other => {
                    if self.delimiter_at(*at).is_some() {
                        return;
                    }
                    let (end, next) = self.lines.line(self.text, *at);
                    if is_begun {
                        self.fault(*at, "a line in a header that is not a field");
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

    /// The first delimiter at or after `from`.
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

    /// The line at `at`, if it is a delimiter.
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

    fn body(&mut self, range: Range<usize>, entity: &Entity, inner: Inner) {
        let alternative = self.is_alternative();
        if !range.is_empty() {
            let body = Item::Body {
                range,
                entity,
                alternative,
            };
            self.visit(body, inner);
        }
    }

    fn between(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.visit(Item::Between(range), self.inner());
        }
    }

    fn fault(&mut self, at: usize, message: &'static str) {
        self.visit(Item::Fault { at, message }, self.inner());
    }

    fn visit(&mut self, item: Item<'_>, inner: Inner) {
        let multipart = self.open.last();
        (self.visit)(item, Section { multipart, inner });
    }

    fn section(&self, inner: Inner) -> Section<'_> {
        let multipart = self.open.last();
        Section { multipart, inner }
    }

    /// Returns the position of an entity directly in the innermost multipart.
    fn inner(&self) -> Inner {
        let message = self.open.last().map_or(0, |multipart| multipart.message);
        Inner {
            messages: 0,
            message,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use urlint_testing::tries;

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

        /// The items come in order, with nothing but delimiters, empty lines, and the `From ` line
        /// of a mailbox between them.
        #[test]
        fn nothing_is_lost(
            lines in prop::collection::vec(0..LINES.len(), 0..40),
            line_end in 0..3usize,
        ) {
            let line_end = ["\n", "\r\n", "\r"][line_end];
            let text: String = lines.iter().map(|&line| LINES[line].to_owned() + line_end).collect();
            let mut end = 0;
            let mut rest = Vec::new();
            walk(text.as_bytes(), &mut |item, _| {
                let range = match item {
                    Item::Field(field) => field.name.start..field.end,
                    Item::Body { range, .. } | Item::Between(range) => range,
                    Item::Fault { .. } => return,
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
