//! The first words of long texts.

/// The maximum length of a text that is repeated with many URLs, such as the subject of their
/// message; otherwise output could grow quadratically.
pub const MAX_SHARED: usize = 8 << 10;

/// Returns `text`, or its first words up to [`MAX_SHARED`] bytes; `None` if its first word is
/// longer. No word is cut, since it may be a login.
pub fn beginning(text: &[u8]) -> Option<&[u8]> {
    let Some(start) = text.get(..=MAX_SHARED) else {
        return Some(text);
    };
    let end = start.iter().rposition(u8::is_ascii_whitespace)?;
    let words = text[..end].trim_ascii_end();
    (!words.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words() {
        let words = |first: usize, rest: &str| ["a".repeat(first), rest.to_owned()].concat();
        for (first, rest, expected) in [
            (1, " b", Some(3)),
            (MAX_SHARED, "", Some(MAX_SHARED)),
            (MAX_SHARED, " ", Some(MAX_SHARED)),
            (MAX_SHARED, "a", None),
            (MAX_SHARED - 2, " b", Some(MAX_SHARED)),
            (MAX_SHARED - 2, " bc", Some(MAX_SHARED - 2)),
            (MAX_SHARED - 2, "\r\n bc", Some(MAX_SHARED - 2)),
        ] {
            let text = words(first, rest);
            let found = beginning(text.as_bytes()).map(<[u8]>::len);
            assert_eq!(found, expected, "{first} {rest:?}");
        }
        assert_eq!(beginning(" ".repeat(MAX_SHARED + 1).as_bytes()), None);
    }
}
