//! Code points in bytes that may not be UTF-8.

/// Where a line may be broken in the middle of a word.
pub const SOFT_HYPHEN: &str = "\u{AD}";

/// Returns the letters whose ligature `c` is (U+FB00 to U+FB06).
pub fn ligature(c: char) -> Option<&'static str> {
    const LIGATURES: [&str; 7] = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"];
    let at = u32::from(c).checked_sub(0xFB00)?;
    LIGATURES.get(at as usize).copied()
}

/// Returns the length of the code point at the start of `bytes`, in bytes: 1 for a byte that does not
/// begin valid UTF-8, and 0 if there are no bytes.
pub fn code_point_len(bytes: &[u8]) -> usize {
    let width = match bytes.first() {
        None => return 0,
        Some(0xC2..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xF4) => 4,
        Some(_) => return 1,
    };
    match bytes.get(..width).map(std::str::from_utf8) {
        Some(Ok(_)) => width,
        _ => 1,
    }
}

/// How many of the first bytes of a text show that it is UTF-16.
const HEAD: usize = 4096;

/// Returns the name of the form of UTF-16 in which a text that begins with `head` is written: it begins with a byte
/// order mark, or every second byte is a NUL wherever it has ASCII, that is, often and in one order.
pub fn utf_16(head: &[u8]) -> Option<&'static str> {
    match head {
        [0xFF, 0xFE, ..] => return Some("UTF-16LE"),
        [0xFE, 0xFF, ..] => return Some("UTF-16BE"),
        _ => {}
    }
    let head = &head[..head.len().min(HEAD)];
    memchr::memchr(0, head)?;
    let (pairs, _) = head.as_chunks::<2>();
    let count = |order: fn([u8; 2]) -> u16| {
        let units = pairs.iter().map(|pair| order(*pair));
        units.filter(|unit| (0x20..0x7F).contains(unit)).count()
    };
    let (little, big) = (count(u16::from_le_bytes), count(u16::from_be_bytes));
    let (more, less) = (little.max(big), little.min(big));
    let is_text = more * 8 >= pairs.len().max(32) && less * 4 < more && !pairs.contains(&[0, 0]);
    is_text.then_some(if little > big { "UTF-16LE" } else { "UTF-16BE" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_with_and_without_a_mark() {
        let encoded = |text: &str, order: fn(u16) -> [u8; 2]| -> Vec<u8> {
            text.encode_utf16().flat_map(order).collect()
        };
        for text in [
            "see http://a.example/ there",
            "詳細はhttp://a.example/を参照。一　一",
            "\u{FEFF}日",
        ] {
            assert_eq!(
                utf_16(&encoded(text, u16::to_le_bytes)),
                Some("UTF-16LE"),
                "{text}"
            );
            assert_eq!(
                utf_16(&encoded(text, u16::to_be_bytes)),
                Some("UTF-16BE"),
                "{text}"
            );
        }
        for other in [
            &b""[..],
            b"a\0",
            b"a\0\0\0b\0\0\0",
            b"see http://a.example/\0 there",
            b"\x7FELF\x02\x01\x01\0\0\0",
        ] {
            assert_eq!(utf_16(other), None, "{}", other.escape_ascii());
        }
    }

    #[test]
    fn code_points() {
        for (text, len) in [("", 0), ("a", 1), ("é", 2), ("€", 3), ("😀", 4)] {
            assert_eq!(code_point_len(text.as_bytes()), len, "{text}");
        }
        assert_eq!(code_point_len(b"\xE2\x82"), 1, "cut off");
        assert_eq!(code_point_len(b"\xC0\x80"), 1, "overlong");
        assert_eq!(code_point_len(b"\xE9t\xE9"), 1, "Latin-1");
    }
}
