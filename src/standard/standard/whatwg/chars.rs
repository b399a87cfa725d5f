//! The standard's sets of code points: the code points of URLs, of domains, and the ones to encode.

use crate::standard::ProblemKind;
use crate::standard::disallowed::{Disallowed, Visible};
use crate::text::byteset::ByteSet;

/// ASCII alphanumeric and `+ - .`: the characters of a scheme after its first letter.
pub(super) static SCHEME: ByteSet = ByteSet::alphanumeric_and(b"+-.");
/// The characters of a domain by the rules of STD 3, and its dots.
pub(super) static DOMAIN: ByteSet = ByteSet::alphanumeric_and(b"-.");
/// The ASCII URL code points. A `%` is not one, but begins a URL unit.
pub(super) static URL: ByteSet = ByteSet::alphanumeric_and(b"!$&'()*+,-./:;=?@_~");

/// Returns whether `byte` is a forbidden host code point.
pub(super) fn is_forbidden_in_host(byte: u8) -> bool {
    b"\0\t\n\r #/:<>?@[\\]^|".contains(&byte)
}

/// Returns whether `byte` is a forbidden domain code point.
pub(super) fn is_forbidden_in_domain(byte: u8) -> bool {
    is_forbidden_in_host(byte) || matches!(byte, 0..=0x1F | b'%' | 0x7F)
}

/// Returns whether the URL parser drops `byte` anywhere: ASCII tab or newline.
pub(super) fn is_tab_or_newline(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
}

/// Returns whether the URL parser drops `byte` at either end: C0 control or space.
pub(super) fn is_c0_control_or_space(byte: u8) -> bool {
    byte <= b' '
}

/// The visible characters that are neither URL code points nor delimiters, and those that are,
/// except for `_` and `~`.
pub(super) const VISIBLE: Visible = Visible {
    never_legal: b"\"<>\\^`{|}",
    reserved: b"!#$&'()*+,-./:;=?@[]",
};

/// Returns the problem of the first character of `text`, which is not in the set of its
/// component, and its length in bytes. The problem is `None` if the character is a URL unit.
pub(super) fn disallowed(text: &[u8]) -> (Option<ProblemKind>, usize) {
    let (disallowed, len) = VISIBLE.disallowed(text);
    let is_url_unit = match disallowed {
        Disallowed::Escape => true,
        Disallowed::NonAscii => len > 1 && !is_c1_control_or_noncharacter(&text[..len]),
        _ => false,
    };
    ((!is_url_unit).then(|| disallowed.problem()), len)
}

/// Returns the problem of `byte`, which is ASCII and not allowed where it is.
pub(super) fn disallowed_ascii(byte: u8) -> ProblemKind {
    VISIBLE.disallowed_ascii(byte).problem()
}

/// Returns whether the code point, in UTF-8 and outside ASCII, is a C1 control or a noncharacter.
fn is_c1_control_or_noncharacter(utf8: &[u8]) -> bool {
    let text = std::str::from_utf8(utf8).unwrap_or_default();
    let code = text.chars().next().map_or(0, u32::from);
    matches!(code, 0x80..=0x9F | 0xFDD0..=0xFDEF) || code & 0xFFFE == 0xFFFE
}

/// The characters that the parser encodes in a component, besides controls and those outside ASCII.
pub(super) type EncodeSet = &'static [u8];
pub(super) const C0_CONTROL: EncodeSet = b"";
pub(super) const FRAGMENT: EncodeSet = b" \"<>`";
pub(super) const QUERY: EncodeSet = b" \"#<>";
pub(super) const SPECIAL_QUERY: EncodeSet = b" \"#<>'";
pub(super) const PATH: EncodeSet = b" \"#<>?^`{}";
pub(super) const USERINFO: EncodeSet = b" \"#<>?^`{}/:;=@[\\]|";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standard::disallowed::check_classes;

    #[test]
    fn every_byte_of_us_ascii_is_a_url_code_point_or_something_else() {
        for byte in 0..=0x7F_u8 {
            let is_other = byte <= b' ' || byte == 0x7F || b"\"#%<>[\\]^`{|}".contains(&byte);
            assert_eq!(URL.has(byte), !is_other, "byte {byte:#x}");
        }
    }

    #[test]
    fn every_byte_is_in_exactly_one_of_the_outer_classes() {
        check_classes(&VISIBLE, |byte| {
            byte.is_ascii_alphanumeric() || b"_~".contains(&byte)
        });
    }

    #[test]
    fn code_points_beyond_us_ascii() {
        for character in ('\u{80}'..=char::MAX).step_by(1) {
            let code = character as u32;
            let is_noncharacter = (0xFDD0..=0xFDEF).contains(&code) || code & 0xFFFE == 0xFFFE;
            let is_url = code >= 0xA0 && !is_noncharacter;
            let text = character.to_string();
            let (kind, len) = disallowed(text.as_bytes());
            assert_eq!((kind.is_none(), len), (is_url, text.len()), "U+{code:04X}");
        }
    }
}
