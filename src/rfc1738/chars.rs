//! The character classes of section 5, one table look-up each.
//!
//! A class names the characters that stand raw in one component; an escape (`%` and two
//! hexadecimal digits) is not a character here, the productions look for it themselves.

/// A set of bytes, as a bit in [`CLASSES`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Class(u16);

/// alphadigit and `+ - .`, in both cases: see decision O3 for the upper case.
pub(super) const SCHEME: Class = Class(1);
/// alphadigit, `-` and `.`.
pub(super) const HOST: Class = Class(1 << 1);
/// uchar (without escapes): `unreserved`.
pub(super) const UCHAR: Class = Class(1 << 2);
/// xchar (without escapes): `unreserved` and `reserved`.
pub(super) const XCHAR: Class = Class(1 << 3);
/// user and password: uchar `; ? & =`.
pub(super) const USER: Class = Class(1 << 4);
/// fsegment and its separator: uchar `? : @ & =` and `/`; a psegment is the same.
pub(super) const FPATH: Class = Class(1 << 5);
/// hsegment and its separator: uchar `; : @ & =` and `/`.
pub(super) const HPATH: Class = Class(1 << 6);
/// search: uchar `; : @ & =`.
pub(super) const SEARCH: Class = Class(1 << 7);
/// group: alpha digit `- . + _`.
pub(super) const GROUP: Class = Class(1 << 8);
/// the unique part of an article: uchar `; / ? : & =`.
pub(super) const ARTICLE: Class = Class(1 << 9);
/// fieldname and fieldvalue: uchar `? : @ &`.
pub(super) const FIELD: Class = Class(1 << 10);
/// digit.
pub(super) const DIGIT: Class = Class(1 << 11);
/// `; / ? : @ & =`.
pub(super) const RESERVED: Class = Class(1 << 12);
/// `<`, `>`, `"`, `#`, `{`, `}`, `|`, `\`, `^`, `~`, `[`, `]` and the grave accent. `%` is unsafe
/// too, but has problems of its own.
pub(super) const UNSAFE: Class = Class(1 << 13);

impl Class {
    /// Whether `byte` is in the class.
    #[inline]
    pub(super) fn has(self, byte: u8) -> bool {
        CLASSES[byte as usize] & self.0 != 0
    }

    /// How many bytes `text` begins with that are in the class. Eight at a time, with one branch
    /// for all of them: most components are longer than that, and clean.
    #[inline]
    pub(super) fn run(self, text: &[u8]) -> usize {
        let mut len = 0;
        for eight in text.chunks_exact(8) {
            let common = eight
                .iter()
                .fold(u16::MAX, |common, &byte| common & CLASSES[byte as usize]);
            if common & self.0 == 0 {
                break;
            }
            len += 8;
        }
        while len < text.len() && self.has(text[len]) {
            len += 1;
        }
        len
    }
}

const CLASSES: [u16; 256] = {
    const fn within(byte: u8, set: &[u8]) -> bool {
        let mut i = 0;
        while i < set.len() {
            if set[i] == byte {
                return true;
            }
            i += 1;
        }
        false
    }

    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let byte = i as u8;
        let alphadigit = byte.is_ascii_alphanumeric();
        // safe and extra
        let unreserved = alphadigit || within(byte, b"$-_.+!*'(),");
        let rows = [
            (SCHEME, alphadigit || within(byte, b"+-.")),
            (HOST, alphadigit || within(byte, b"-.")),
            (UCHAR, unreserved),
            (XCHAR, unreserved || within(byte, b";/?:@&=")),
            (USER, unreserved || within(byte, b";?&=")),
            (FPATH, unreserved || within(byte, b"?:@&=/")),
            (HPATH, unreserved || within(byte, b";:@&=/")),
            (SEARCH, unreserved || within(byte, b";:@&=")),
            (GROUP, alphadigit || within(byte, b"-.+_")),
            (ARTICLE, unreserved || within(byte, b";/?:&=")),
            (FIELD, unreserved || within(byte, b"?:@&")),
            (DIGIT, byte.is_ascii_digit()),
            (RESERVED, within(byte, b";/?:@&=")),
            (UNSAFE, within(byte, b"<>\"#{}|\\^~[]`")),
        ];
        let mut row = 0;
        while row < rows.len() {
            if rows[row].1 {
                table[i] |= rows[row].0.0;
            }
            row += 1;
        }
        i += 1;
    }
    table
};

/// How many bytes the code point at the start of `bytes` takes; 1 for a byte that begins no valid
/// UTF-8, and 0 only for no bytes.
pub(crate) fn code_point_len(bytes: &[u8]) -> usize {
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
    fn every_byte_is_in_exactly_one_of_the_outer_classes() {
        for byte in 0..=255u8 {
            let outer = [UCHAR, RESERVED, UNSAFE].map(|class| class.has(byte));
            let other = byte <= b' ' || byte >= 0x7F || byte == b'%';
            assert_eq!(
                outer.iter().filter(|&&within| within).count() + usize::from(other),
                1,
                "byte {byte:#x}"
            );
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
