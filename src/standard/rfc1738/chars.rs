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
}
