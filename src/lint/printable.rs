//! Bytes of a URL as a message shows them.

use std::fmt::Write;

use urlint_standard::text::utf8::code_point_len;

/// Returns `text` with names in the place of unprintable bytes: `<U+200B>` for a character, `<0xE9>`
/// for a byte that is not part of UTF-8.
pub(super) fn printable(text: &[u8]) -> String {
    // Nearly all URLs are printable as they are.
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~');
    if text.iter().all(is_plain) {
        return String::from_utf8_lossy(text).into_owned();
    }
    let mut shown = String::new();
    for chunk in code_points(text) {
        // Writing to a string does not fail.
        let _ = match chunk {
            Ok(c) if is_printable(c) => write!(shown, "{c}"),
            Ok(c) => write!(shown, "<U+{:04X}>", c as u32),
            Err(byte) => write!(shown, "<0x{byte:02X}>"),
        };
    }
    shown
}

/// Returns the characters of `text`, and the bytes between them that are not part of UTF-8.
fn code_points(text: &[u8]) -> impl Iterator<Item = Result<char, u8>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let &byte = text.get(at)?;
        let bytes = &text[at..at + code_point_len(&text[at..])];
        at += bytes.len();
        let c = std::str::from_utf8(bytes)
            .ok()
            .and_then(|text| text.chars().next());
        Some(c.ok_or(byte))
    })
}

fn is_printable(c: char) -> bool {
    let hidden = c.is_control() || (c.is_whitespace() && c != ' ');
    !hidden
        && !matches!(c as u32,
            0xAD | 0x600..=0x605 | 0x61C | 0x6DD | 0x70F | 0x180E | 0x200B..=0x200F
            | 0x202A..=0x202E | 0x2060..=0x206F | 0xE000..=0xF8FF | 0xFE00..=0xFE0F | 0xFEFF
            | 0xFFF0..=0xFFFF | 0xE0000..)
}
