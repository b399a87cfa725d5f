//! Strings of JSON with their escapes undone.

use memchr::memchr;

use super::{LAYER, same};
use crate::view::View;

/// A string, what stands between its quotes at `start`, with its escapes undone.
pub(crate) fn decoded(text: &[u8], start: u64) -> View<'_> {
    if memchr(b'\\', text).is_none() {
        return same(text, start);
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

/// The character that the escape at the start of `text` stands for, if it is one, and how many
/// bytes long that is.
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

/// `\u0026`, or two of them that are halves of one character.
fn unicode(text: &[u8]) -> (Option<char>, u8) {
    let unit = |at: usize| {
        let digits = text.get(at..)?.strip_prefix(b"\\u")?.first_chunk::<4>()?;
        digits.iter().try_fold(0, |unit, &digit| {
            let digit = char::from(digit).to_digit(16)?;
            Some(unit << 4 | digit as u16)
        })
    };
    let Some(first) = unit(0) else {
        return (None, 1);
    };
    let mut units = char::decode_utf16([first].into_iter().chain(unit(6)));
    match units.next() {
        Some(Ok(character)) => (Some(character), 6 * character.len_utf16() as u8),
        _ => (Some(char::REPLACEMENT_CHARACTER), 6),
    }
}
