//! JSON, whether a file is one value or has one on each line.
//!
//! Strings are read with their escapes undone, names as well as values, each for itself: where one
//! ends, so does a URL. One that is a URL as a whole is a target. What stands outside strings and
//! is none of JSON's own, a comment say, is read as it stands.
//!
//! Nothing that was begun goes on beyond a line that begins with `{`: records are read apart from
//! one another, and those without a URL hardly at all.

mod ahead;
mod escapes;
pub(crate) mod lines;
mod tokens;

use std::ops::Range;

use memchr::{memchr, memchr3};

use super::{Look, Parts, is_absolute, is_complete};
use crate::view::{Layer, View};
use ahead::Ahead;
pub(crate) use escapes::decoded;
use tokens::Tokens;
pub(crate) use tokens::{is_literal, string_end, word};

/// Takes JSON apart.
pub(crate) fn parts<'s>(source: &'s [u8], look: Look, parts: &mut Parts<'s>) {
    let mut tokens = Tokens::new(source);
    let mut strings = Strings::new(source, look);
    while let Some(place) = strings.ahead.next(tokens.at()) {
        tokens.pass_to(place);
        let Some(token) = tokens.find(|token| token.range.end > place) else {
            break;
        };
        if token.is_string {
            strings.add(token.range, parts);
        } else {
            let start = token.range.start as u64;
            parts.lines(View::borrowed(&source[token.range], start));
        }
    }
    strings.finish(parts);
}

/// Up to where JSON behind which more may come can be taken apart as if that were all: to a record,
/// or else to the end of a line, or between two strings.
pub(crate) fn cut(source: &[u8]) -> usize {
    let record = tokens::last_record(source, 0..source.len());
    record.unwrap_or_else(|| Tokens::new(source).certain())
}

/// Strings of a text, in order. Those without escapes are the text itself, and share a view.
pub(crate) struct Strings<'s> {
    pub(crate) text: &'s [u8],
    ahead: Ahead<'s>,
    plain: Vec<Range<usize>>,
    targets: Vec<Range<usize>>,
}

impl<'s> Strings<'s> {
    pub(crate) fn new(text: &'s [u8], look: Look) -> Self {
        Strings {
            text,
            ahead: Ahead::new(text, look.marks),
            plain: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// Adds the string at `range`, what stands between its quotes.
    pub(crate) fn add(&mut self, range: Range<usize>, parts: &mut Parts<'s>) {
        let place = self.ahead.next(range.start);
        if place.is_none_or(|place| place >= range.end) {
            return;
        }
        let text = &self.text[range.clone()];
        if memchr(b'\\', text).is_some() {
            let view = decoded(text, range.start as u64);
            let whole = 0..view.text().len();
            return match is_target(view.text()) {
                true => parts.targets(view, vec![whole]),
                false => parts.lines(view),
            };
        }
        match is_target(text) {
            true => self.targets.push(range),
            false => self.plain.push(range),
        }
    }

    /// Adds what has been kept.
    pub(crate) fn finish(self, parts: &mut Parts<'s>) {
        if !self.plain.is_empty() {
            parts.strings(same(self.text, 0), self.plain);
        }
        if !self.targets.is_empty() {
            parts.targets(same(self.text, 0), self.targets);
        }
    }
}

/// Whether a string is a URL as a whole.
///
/// A known scheme and two colons are the path of something in a program.
fn is_target(text: &[u8]) -> bool {
    let is_path = |colon| text.get(colon + 1) == Some(&b':');
    is_absolute(text)
        && is_complete(text)
        && !memchr(b':', text).is_some_and(is_path)
        && text.iter().all(u8::is_ascii_graphic)
        && memchr3(b'<', b'>', b'"', text).is_none()
}

/// Strings without escapes.
fn same(text: &[u8], start: u64) -> View<'_> {
    View::borrowed(text, start).with_layer(LAYER)
}

/// What a string's text stands for, all but these two standing for themselves.
const LAYER: Layer = Layer::AsciiBut(b"\"\\");

#[cfg(test)]
mod tests;
