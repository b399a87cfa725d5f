//! The words around a place in a text.

use std::ops::Range;

/// The greatest number of bytes that are looked at on either side for each character.
const BYTES: usize = 4;

/// The words around `range` of `text` and in it, or `shown` in place of that: at most `chars` characters
/// on either side, whole words, with white space folded and without control characters.
pub(super) fn around(
    text: &[u8],
    range: Range<usize>,
    shown: Option<&[u8]>,
    chars: usize,
) -> String {
    let reach = chars.saturating_add(1).saturating_mul(BYTES);
    let start = range.start.saturating_sub(reach);
    let end = range.end.saturating_add(reach).min(text.len());
    let part = |range: Range<usize>| String::from_utf8_lossy(text.get(range).unwrap_or_default());
    let (before, after) = (part(start..range.start), part(range.end..end));
    let before = last_words(&before, chars, start > 0);
    let after = first_words(&after, chars, end < text.len());
    let shown = shown.map_or_else(|| part(range), String::from_utf8_lossy);
    folded(&[before, &shown, after].concat())
}

/// The words at the end of `text` that have at most so many characters. The first word of a text that
/// is `cut` is not whole.
fn last_words(text: &str, chars: usize, cut: bool) -> &str {
    let start = text.char_indices().rev().nth(chars);
    let Some((at, before)) = start else {
        // All of it fits.
        let start = text.find(char::is_whitespace).filter(|_| cut);
        return &text[start.unwrap_or(0)..];
    };
    let rest = &text[at + before.len_utf8()..];
    if before.is_whitespace() {
        return rest;
    }
    rest.find(char::is_whitespace).map_or("", |at| &rest[at..])
}

/// The words at the start of `text`.
fn first_words(text: &str, chars: usize, cut: bool) -> &str {
    let end = text.char_indices().nth(chars);
    let Some((at, after)) = end else {
        let end = text.rfind(char::is_whitespace).filter(|_| cut);
        return &text[..end.unwrap_or(text.len())];
    };
    let rest = &text[..at];
    if after.is_whitespace() {
        return rest;
    }
    rest.rfind(char::is_whitespace).map_or("", |at| &rest[..at])
}

/// `text` with white space folded and without control characters.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control() || is_direction(c)) {
        if word.is_empty() {
            continue;
        }
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

/// Returns whether `c` controls the direction of the text.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        let text = "alpha beta  gamma\n<X> delta\tepsilon zeta";
        let at = text.find('X').unwrap_or_default();
        for (chars, expected) in [
            (0, "X"),
            (1, "<X>"),
            (2, "<X>"),
            (6, "<X>"),
            (7, "gamma <X> delta"),
            (13, "beta gamma <X> delta"),
            (15, "beta gamma <X> delta epsilon"),
            (1000, "alpha beta gamma <X> delta epsilon zeta"),
        ] {
            let found = around(text.as_bytes(), at..at + 1, None, chars);
            assert_eq!(found, expected, "{chars}");
        }
    }

    #[test]
    fn bytes_are_shown_harmlessly() {
        let text = b"\x1b[31mred\x07 \xff X \xc3\xa9t\xc3\xa9\x00";
        assert_eq!(around(text, 12..13, None, 50), "[31mred \u{fffd} X été");
        assert_eq!(around(text, 12..13, Some(b"y"), 3), "\u{fffd} y");
    }
}
