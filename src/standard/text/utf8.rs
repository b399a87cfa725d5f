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

#[cfg(test)]
mod tests {
    use super::*;

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
