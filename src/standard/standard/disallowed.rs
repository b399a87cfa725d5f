//! Classifies a character that its component does not allow.

use super::{Part, ProblemKind};
use crate::text::utf8::code_point_len;

/// A character that its component does not allow, or allows only encoded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Disallowed {
    Control,
    Space,
    NonAscii,
    Unsafe,
    BadEscape,
    Reserved,
    Unreserved,
    Escape,
}

impl Disallowed {
    #[inline]
    pub(super) fn problem(self) -> ProblemKind {
        match self {
            Disallowed::Control => ProblemKind::ControlCharacter,
            Disallowed::Space => ProblemKind::RawSpace,
            Disallowed::NonAscii => ProblemKind::NonAscii,
            Disallowed::Unsafe => ProblemKind::UnsafeCharacter,
            Disallowed::BadEscape => ProblemKind::BadEscape,
            Disallowed::Reserved => ProblemKind::ReservedCharacter,
            Disallowed::Unreserved | Disallowed::Escape => ProblemKind::MisplacedCharacter,
        }
    }

    /// Returns whether no component allows the character raw.
    pub(super) fn is_never_legal(self) -> bool {
        !matches!(
            self,
            Disallowed::Reserved | Disallowed::Unreserved | Disallowed::Escape
        )
    }
}

/// How a standard classifies visible ASCII characters; those in neither list are unreserved. `%` is
/// in neither, since it has problems of its own.
pub(super) struct Visible {
    /// The characters that no component allows raw.
    pub never_legal: &'static [u8],
    /// The characters with a meaning of their own in some component.
    pub reserved: &'static [u8],
}

impl Visible {
    /// Classifies the first character of `text`, which its component does not allow raw. Also
    /// returns its length in bytes, which is 0 if there is no text.
    #[inline]
    pub(super) fn disallowed(&self, text: &[u8]) -> (Disallowed, usize) {
        match text {
            [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                (Disallowed::Escape, 3)
            }
            [b'%', high, ..] if high.is_ascii_hexdigit() => (Disallowed::BadEscape, 2),
            [0x80..=0xFF, ..] => (Disallowed::NonAscii, code_point_len(text)),
            [byte, ..] => (self.disallowed_ascii(*byte), 1),
            [] => (Disallowed::Unreserved, 0),
        }
    }

    /// Classifies the first character of `part`, which its component does not allow, and returns
    /// where it is.
    pub(super) fn first_of(&self, url: &[u8], part: Part) -> (Disallowed, Part) {
        let (disallowed, len) = self.disallowed(part.of(url));
        (disallowed, part.before(part.start + len as u32))
    }

    /// Classifies `byte`, which is ASCII and not allowed where it is. A `%` begins no escape.
    #[inline]
    pub(super) fn disallowed_ascii(&self, byte: u8) -> Disallowed {
        match byte {
            b'%' => Disallowed::BadEscape,
            b' ' => Disallowed::Space,
            0..=0x1F | 0x7F => Disallowed::Control,
            _ if self.never_legal.contains(&byte) => Disallowed::Unsafe,
            _ if self.reserved.contains(&byte) => Disallowed::Reserved,
            _ => Disallowed::Unreserved,
        }
    }
}

/// Checks that every byte belongs to exactly one class of characters.
#[cfg(test)]
pub(super) fn check_classes(visible: &Visible, is_unreserved: impl Fn(u8) -> bool) {
    for byte in 0..=255 {
        let classes = [
            is_unreserved(byte),
            visible.reserved.contains(&byte),
            visible.never_legal.contains(&byte),
            byte <= b' ' || byte >= 0x7F || byte == b'%',
        ];
        let count = classes.iter().filter(|&&is_member| is_member).count();
        assert_eq!(count, 1, "byte {byte:#x}");
    }
}
