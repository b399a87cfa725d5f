//! The character classes of section 5.
//!
//! A set has the characters that one component admits raw; an escape (`%` and two hexadecimal
//! digits) is not a character here, the productions look for it themselves.

use crate::standard::survey::Charset;
use crate::text::byteset::ByteSet;

/// alphadigit and `+ - .`, in both cases: see decision O3 for the upper case.
pub(crate) static SCHEME: ByteSet = ByteSet::alphanumeric_and(b"+-.");
/// alphadigit, `-` and `.`.
pub(super) static HOST: ByteSet = ByteSet::alphanumeric_and(b"-.");
/// uchar (without escapes): `unreserved`, which is alpha, digit, safe and extra.
pub(super) static UCHAR: ByteSet = ByteSet::alphanumeric_and(b"$-_.+!*'(),");
/// xchar (without escapes): `unreserved` and `reserved`.
pub(super) static XCHAR: ByteSet = ByteSet::alphanumeric_and(b"$-_.+!*'(),;/?:@&=");
/// xchar and `%`, as a survey knows them.
pub(super) static XCHARS: Charset = Charset::new([
    (b" !  $%&'()*+,-./", &[2]),
    (b"          :; = ?", &[3]),
    (b"@               ", &[4]),
    (b"               _", &[5]),
]);
/// user and password: uchar `; ? & =`.
pub(super) static USER: ByteSet = ByteSet::alphanumeric_and(b"$-_.+!*'(),;?&=");
/// fsegment and its separator: uchar `? : @ & =` and `/`; a psegment is the same.
pub(super) static FPATH: ByteSet = ByteSet::alphanumeric_and(b"$-_.+!*'(),?:@&=/");
/// hsegment and its separator: uchar `; : @ & =` and `/`.
pub(super) static HPATH: ByteSet = ByteSet::alphanumeric_and(b"$-_.+!*'(),;:@&=/");
/// search: uchar `; : @ & =`.
pub(super) static SEARCH: ByteSet = ByteSet::alphanumeric_and(b"$-_.+!*'(),;:@&=");
/// group: alpha digit `- . + _`.
pub(super) static GROUP: ByteSet = ByteSet::alphanumeric_and(b"-.+_");
/// the unique part of an article: uchar `; / ? : & =`.
pub(super) static ARTICLE: ByteSet = ByteSet::alphanumeric_and(b"$-_.+!*'(),;/?:&=");
/// fieldname and fieldvalue: uchar `? : @ &`.
pub(super) static FIELD: ByteSet = ByteSet::alphanumeric_and(b"$-_.+!*'(),?:@&");

/// Returns whether `byte` is one of the `reserved` characters.
pub(super) fn is_reserved(byte: u8) -> bool {
    b";/?:@&=".contains(&byte)
}

/// Returns whether `byte` is one of the characters that section 2.2 calls unsafe; `%` is unsafe too, but
/// has problems of its own.
pub(super) fn is_unsafe(byte: u8) -> bool {
    b"<>\"#{}|\\^~[]`".contains(&byte)
}

/// Returns how many bytes the code point at the start of `bytes` takes: 1 for a byte that begins no
/// valid UTF-8, and 0 only for no bytes.
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
            let outer = [UCHAR.has(byte), is_reserved(byte), is_unsafe(byte)];
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
