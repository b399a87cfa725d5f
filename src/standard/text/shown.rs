//! Makes text of any origin safe to show: UTF-8 without control characters.

use std::borrow::Cow;

/// Returns `c`, or a symbol for it if it controls a terminal or the direction of text.
#[must_use]
pub fn harmless(c: char) -> char {
    match c {
        '\0'..='\x1f' => {
            char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        '\x7f' => '\u{2421}',
        c if is_harmful(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// Returns whether `c` controls a terminal or the direction of text.
#[must_use]
pub fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns `bytes` as one line of text: symbols for control characters, and U+FFFD for each byte
/// that is not UTF-8.
#[must_use]
pub fn line(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.chars().any(is_harmful) => Cow::Borrowed(text),
        _ => {
            let mut shown = String::with_capacity(bytes.len());
            each_char(bytes, |_, c| shown.push(harmless(c)));
            Cow::Owned(shown)
        }
    }
}

/// Passes each character of `bytes` and its offset to `take`. A byte that is not UTF-8 becomes
/// U+FFFD.
pub fn each_char(bytes: &[u8], mut take: impl FnMut(usize, char)) {
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        for (offset, c) in chunk.valid().char_indices() {
            take(at + offset, c);
        }
        at += chunk.valid().len();
        for _ in chunk.invalid() {
            take(at, char::REPLACEMENT_CHARACTER);
            at += 1;
        }
    }
}

/// Formats `48216` as `48,216`.
///
/// ```
/// assert_eq!(urlint_standard::text::shown::with_commas(48_216), "48,216");
/// ```
#[must_use]
pub fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().collect();
    let groups = groups.iter().map(|group| String::from_utf8_lossy(group));
    groups.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_no_control_characters() {
        assert_eq!(
            line(b"a\x1b[31m\xff\xc3\xa9\x7f"),
            "a\u{241b}[31m\u{fffd}\u{e9}\u{2421}"
        );
        assert_eq!(
            line("\u{9b}\u{202e}\u{61c}".as_bytes()),
            "\u{fffd}".repeat(3)
        );
    }
}
