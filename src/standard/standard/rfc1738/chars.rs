//! The character classes of section 5.
//!
//! Each set contains the characters that a component allows raw. An escape (`%` and two hexadecimal
//! digits) is not a character here; the productions look for it themselves.

use crate::standard::disallowed::Visible;
use crate::text::byteset::ByteSet;

/// alphadigit and `+ - .`, in both cases: see decision O3 for the upper case.
pub(crate) static SCHEME: ByteSet = ByteSet::alphanumeric_and(b"+-.");
/// alphadigit, `-` and `.`.
pub(super) static HOST: ByteSet = ByteSet::alphanumeric_and(b"-.");
/// uchar (without escapes): `unreserved`, which is alpha, digit, safe and extra.
pub(super) static UCHAR: ByteSet = ByteSet::alphanumeric_and(b"$-_.+!*'(),");
/// xchar (without escapes): `unreserved` and `reserved`.
pub(super) static XCHAR: ByteSet = ByteSet::alphanumeric_and(b"$-_.+!*'(),;/?:@&=");
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

/// The characters that section 2.2 calls unsafe and reserved.
pub(super) const VISIBLE: Visible = Visible {
    never_legal: b"<>\"#{}|\\^~[]`",
    reserved: b";/?:@&=",
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standard::disallowed::check_classes;

    #[test]
    fn every_byte_is_in_exactly_one_of_the_outer_classes() {
        check_classes(&VISIBLE, |byte| UCHAR.has(byte));
    }
}
