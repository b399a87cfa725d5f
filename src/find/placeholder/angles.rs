//! Names in angle brackets, which the reader is to replace.

use super::{MAX_NAME, MAX_TEMPLATE, is_name_byte};
use crate::text::Text;
use urlint_standard::text::ascii::WordList;

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

/// Returns whether `name` is an HTML element that occurs in texts.
fn is_tag(name: &[u8]) -> bool {
    const TAGS: WordList = WordList(
        "a abbr address article b blockquote body br center cite code dd del div dl dt em font footer \
        form h1 h2 h3 h4 h5 h6 head header hr html i img input ins kbd li link meta nobr ol option p pre \
        q s samp script small span strike strong style sub sup svg table tbody td th thead title tr tt u \
        ul var wbr",
    );
    TAGS.contains(name)
}
