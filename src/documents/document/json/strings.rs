//! Strings of JSON: which of them may hold a URL, and their text without escapes.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::{memchr, memchr_iter, memchr3, memmem};

use crate::document::ahead::{Ahead, Search};
use crate::document::html;
use crate::document::program::unicode;
use crate::document::texts::Texts;
use crate::document::{Parts, Scope, is_absolute, is_complete};
use urlint_find::mistake::{Mistake, is_spaced};
use urlint_find::scan::next_trigger;
use urlint_view::{Layer, View};

/// All visible US-ASCII characters except these two are written as they are in a string.
pub(super) const LAYER: Layer = Layer::AsciiBut(b"\"\\");

/// The searches for places that may belong to a URL. Each string with a URL has at least one: a colon
/// that [triggers](next_trigger), an escape of a colon or of a letter of a scheme, or a colon before an escape or a
/// reference.
pub(super) const PLACES: [Search; 4] = [
    next_trigger,
    escape_after_colon,
    reference_after_colon,
    escaped_character,
];

/// Finds `:\`, as in `http:\/\/`.
fn escape_after_colon(text: &[u8], from: usize) -> Option<usize> {
    static ESCAPE: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(":\\"));
    Some(from + ESCAPE.find(text.get(from..)?)?)
}

/// Finds `:&#`, as in `http:&#x2F;&#x2F;`.
fn reference_after_colon(text: &[u8], from: usize) -> Option<usize> {
    static REFERENCE: LazyLock<memmem::Finder<'static>> =
        LazyLock::new(|| memmem::Finder::new(":&#"));
    Some(from + REFERENCE.find(text.get(from..)?)?)
}

/// Finds the escape of a colon or a letter, such as `\u003a`.
fn escaped_character(text: &[u8], from: usize) -> Option<usize> {
    static CHARACTER: LazyLock<memmem::Finder<'static>> =
        LazyLock::new(|| memmem::Finder::new("\\u00"));
    let mut at = from;
    loop {
        at += CHARACTER.find(text.get(at..)?)?;
        let is_in_scheme = match text[at + 4..] {
            [b'4'..=b'7', ..] => true,
            [b'3', last, ..] => last.eq_ignore_ascii_case(&b'a'),
            _ => false,
        };
        if is_in_scheme {
            return Some(at);
        }
        at += 4;
    }
}

/// Collects strings of a text, in order. Strings without escapes share one view of the text.
pub(crate) struct Strings<'s> {
    pub(crate) text: &'s [u8],
    places: Ahead<4>,
    scope: Scope,
    pub(super) html: Texts,
    plain: Vec<Range<usize>>,
    targets: Vec<Range<usize>>,
}

impl<'s> Strings<'s> {
    pub(crate) fn new(text: &'s [u8], scope: Scope) -> Self {
        Strings {
            text,
            places: Ahead::new(PLACES, scope.unknown_schemes),
            scope,
            html: Texts::new(LAYER),
            plain: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// Returns the next place at or after `from` that may belong to a URL. It must not decrease from call to call.
    pub(super) fn next_place(&mut self, from: usize) -> Option<usize> {
        self.places.next(self.text, from..self.text.len())
    }

    /// Adds the string between the quotes at `range`, if it may hold a URL.
    pub(crate) fn add(&mut self, range: Range<usize>, parts: &mut Parts<'s>) {
        let place = self.next_place(range.start);
        if place.is_none_or(|place| place >= range.end) {
            return;
        }
        let text = &self.text[range.clone()];
        if matches!(text.trim_ascii_start(), [b'<' | b'\\', ..])
            && self.html.take_html(&decoded(text, range.start as u64))
        {
            return;
        }
        // HTML whose slashes are references, and text whose signs are.
        let has_references = reference_after_colon(text, 0).is_some() || is_of_slack(text);
        if has_references || memchr(b'\\', text).is_some() {
            let mut view = decoded(text, range.start as u64);
            if has_references {
                let mut inner = View::new(Layer::References);
                html::in_text(&mut inner, view.text(), 0);
                view = view.compose(inner);
            }
            let whole = 0..view.text().len();
            if is_target(view.text()) || self.is_meant_as_target(view.text()) {
                parts.targets(view, vec![whole]);
            } else {
                parts.lines(view);
            }
        } else if is_target(text) || self.is_meant_as_target(text) {
            self.targets.push(range);
        } else {
            self.plain.push(range);
        }
    }

    fn is_meant_as_target(&self, text: &[u8]) -> bool {
        let is_url = || Mistake::at_start(text).is_some_and(|found| found.is_before_host(text));
        let is_whole = || text.iter().all(u8::is_ascii_graphic);
        self.scope.mistakes && ((is_url() && is_whole()) || is_spaced(text, false))
    }

    /// Adds the strings without escapes, and those of HTML, to the parts of the document.
    pub(crate) fn finish(self, parts: &mut Parts<'s>) {
        html::add_strings(self.html, self.scope, parts);
        if !self.plain.is_empty() {
            parts.strings(unescaped(self.text, 0), self.plain);
        }
        if !self.targets.is_empty() {
            parts.targets(unescaped(self.text, 0), self.targets);
        }
    }
}

/// Returns whether a string is the text of a message of Slack with a link that has a name: `<http://a.example/|b>`. All
/// other `<`, and `&`, are references there.
fn is_of_slack(text: &[u8]) -> bool {
    const OPENERS: [&[u8]; 6] = [b"http", b"mailto:", b"tel:", b"@", b"#", b"!"];
    let begins = |at: usize| {
        OPENERS
            .iter()
            .any(|opener| text[at + 1..].starts_with(opener))
    };
    let mut openers = memchr_iter(b'<', text).peekable();
    openers.peek().is_some()
        && openers.all(begins)
        && memchr(b'|', text).is_some()
        && memmem::find(text, b"&amp;").is_some()
}

/// Returns whether all of a string is one URL.
///
/// A scheme before two colons begins a path of a programming language.
pub(crate) fn is_target(text: &[u8]) -> bool {
    let is_path = |colon| text.get(colon + 1) == Some(&b':');
    is_absolute(text)
        && is_complete(text)
        && !memchr(b':', text).is_some_and(is_path)
        && text.iter().all(u8::is_ascii_graphic)
        && memchr3(b'<', b'>', b'"', text).is_none()
}

/// A view of text without escapes.
fn unescaped(text: &[u8], start: u64) -> View<'_> {
    View::borrowed(text, start).with_layer(LAYER)
}

/// Decodes the escapes of a string; `text`, without the quotes, begins at offset `start`.
pub(crate) fn decoded(text: &[u8], start: u64) -> View<'_> {
    if memchr(b'\\', text).is_none() {
        return unescaped(text, start);
    }
    let mut view = View::with_capacity(LAYER, text.len());
    let mut at = 0;
    while let Some(next) = memchr(b'\\', &text[at..]) {
        let next = at + next;
        view.copy(&text[at..next], start + at as u64);
        let (character, width) = escape(&text[next..]);
        let place = start + next as u64;
        match character {
            Some(character) => {
                let mut bytes = [0; 4];
                let bytes = character.encode_utf8(&mut bytes).as_bytes();
                view.push_character(bytes, place, width);
            }
            None => view.copy(&text[next..next + usize::from(width)], place),
        }
        at = next + usize::from(width);
    }
    view.copy(&text[at..], start + at as u64);
    view
}

/// The character of the escape at the start of `text`, if it is a valid one, and its length in bytes.
fn escape(text: &[u8]) -> (Option<char>, u8) {
    let character = match text.get(1) {
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(&byte @ (b'"' | b'\\' | b'/' | b'\'')) => char::from(byte),
        Some(b'u') => return unicode(text),
        _ => return (None, 1),
    };
    (Some(character), 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_at_the_edges_of_blocks() {
        let cases: &[(&str, usize)] = &[
            (r"http://a", 4),
            (r"mailto:a", 6),
            (r"x:\/\/a", 1),
            (r"http\u003a//a", 4),
            (r"http\u003A//a", 4),
            (r"mailt\u006F:a", 5),
        ];
        for padding in [
            0, 1, 4085, 4086, 4090, 4091, 4092, 4093, 4094, 4095, 4096, 9000,
        ] {
            for (text, at) in cases {
                let text = [&"\\u00e9\\u003c.: ".repeat(padding)[..padding], "--", text].concat();
                let mut places = Ahead::new(PLACES, false);
                let mut from = 0;
                let mut places = std::iter::from_fn(|| {
                    let place = places.next(text.as_bytes(), from..text.len())?;
                    from = place + 1;
                    Some(place)
                });
                assert!(places.any(|place| place == padding + 2 + at), "{text}");
            }
        }
    }
}
