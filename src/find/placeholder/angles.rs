//! Angle brackets: a name that the reader is to replace, or code that a program replaces.

use super::{MAX_NAME, MAX_TEMPLATE, is_name_byte, name_len, template};
use crate::text::Text;

/// Returns the length of `<%= x %>`, `<?php x ?>` or `<?= x ?>` at the start of `text`.
pub(super) fn embedded(text: &[u8]) -> Option<usize> {
    let text = &text[..text.len().min(MAX_TEMPLATE)];
    match text {
        [b'<', b'%', ..] => template::until(text, b"%>"),
        [b'<', b'?', b'p' | b'=' | b' ', ..] => template::until(text, b"?>"),
        _ => None,
    }
}

/// Returns the length of the `<name>` at `at`, if it is part of the URL that begins at `start`,
/// rather than a tag after the URL.
pub(super) fn named(bytes: &[u8], start: usize, at: usize) -> Option<usize> {
    let text = &bytes[at + 1..bytes.len().min(at + 1 + MAX_NAME)];
    let len = text.iter().position(|&byte| !is_name_byte(byte))?;
    let name = &text[..len];
    if text[len] != b'>' || !name.first()?.is_ascii_alphabetic() {
        return None;
    }
    let before = *bytes[start..at].last()?;
    let next = bytes.get(at + len + 2).copied();
    let goes_on = next.is_some_and(|next| b"/.:?&=-_@<".contains(&next));
    let has_word_after = || bytes.get(at + len + 3).is_some_and(|byte| *byte > b' ');
    let is_url_byte = b"/.:?&=-_@%+~#>".contains(&before);
    let is_inside = goes_on && next != Some(b'<') && has_word_after();
    let is_placeholder =
        (is_url_byte && is_inside) || ((is_url_byte || is_inside) && !is_tag(name));
    is_placeholder.then_some(len + 2)
}

/// Returns the length of the `<name>` at `at`, if it is part of the URL before it.
pub(crate) fn name_in_angles(text: &Text<'_>, at: usize) -> Option<usize> {
    let close =
        (at + 1..at + MAX_NAME).find(|&at| text.at(at).is_none_or(|byte| !is_name_byte(byte)))?;
    // The result also depends on the bytes after the `>`.
    let _ = (text.at(close + 1), text.at(close + 2));
    named(text.bytes, at.saturating_sub(1), at)
}

/// Returns whether the `<` at `at` begins a placeholder in a URL, rather than a tag:
/// `http://host/<x>/`.
#[doc(hidden)]
pub fn is_name_in_url(text: &[u8], at: usize) -> bool {
    let before = &text[at.saturating_sub(MAX_TEMPLATE)..at];
    let word = before
        .iter()
        .rposition(|byte| *byte <= b' ')
        .map_or(0, |space| space + 1);
    memchr::memmem::find(&before[word..], b"://").is_some_and(|colon| {
        let start = at - before.len() + word + colon;
        named(text, start, at).is_some()
    })
}

/// Returns whether `text` begins with something that a person would replace: `<your name>`,
/// `<user@host>`.
pub(super) fn loose_name(text: &[u8]) -> bool {
    let text = &text[1..text.len().min(MAX_NAME)];
    let is_name_byte =
        |byte: &u8| byte.is_ascii_alphanumeric() || b" _-.|".contains(byte) || *byte >= 0x80;
    let len = text.iter().position(|byte| !is_name_byte(byte));
    let Some((name, b'>')) = len.map(|len| (&text[..len], text[len])) else {
        return false;
    };
    name.first().is_some_and(u8::is_ascii_alphabetic) && !is_tag(&name[..name_len(name)])
}

/// The HTML elements that occur in texts, sorted.
#[rustfmt::skip]
const TAGS: [&[u8]; 67] = [
    b"a", b"abbr", b"address", b"article", b"b", b"blockquote", b"body", b"br", b"center",
    b"cite", b"code", b"dd", b"del", b"div", b"dl", b"dt", b"em", b"font", b"footer", b"form",
    b"h1", b"h2", b"h3", b"h4", b"h5", b"h6", b"head", b"header", b"hr", b"html", b"i", b"img",
    b"input", b"ins", b"kbd", b"li", b"link", b"meta", b"nobr", b"ol", b"option", b"p", b"pre",
    b"q", b"s", b"samp", b"script", b"small", b"span", b"strike", b"strong", b"style", b"sub",
    b"sup", b"svg", b"table", b"tbody", b"td", b"th", b"thead", b"title", b"tr", b"tt", b"u",
    b"ul", b"var", b"wbr",
];
/// The length of the longest of these names.
const MAX_TAG: usize = 10;

/// Returns whether `name` is an HTML element that occurs in texts.
fn is_tag(name: &[u8]) -> bool {
    let mut lower = [0; MAX_TAG];
    let Some(lower) = lower.get_mut(..name.len()) else {
        return false;
    };
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    TAGS.binary_search(&&*lower).is_ok()
}
