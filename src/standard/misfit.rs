//! What is wrong with a character that its component does not admit.

use super::ProblemKind;
use crate::text::utf8::code_point_len;

/// A character that its component does not admit, or not raw.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Misfit {
    Control,
    Space,
    NonAscii,
    Unsafe,
    BadEscape,
    Reserved,
    Unreserved,
    Escape,
}

impl Misfit {
    #[inline]
    pub(super) fn problem(self) -> ProblemKind {
        match self {
            Misfit::Control => ProblemKind::ControlCharacter,
            Misfit::Space => ProblemKind::RawSpace,
            Misfit::NonAscii => ProblemKind::NonAscii,
            Misfit::Unsafe => ProblemKind::UnsafeCharacter,
            Misfit::BadEscape => ProblemKind::BadEscape,
            Misfit::Reserved => ProblemKind::ReservedCharacter,
            Misfit::Unreserved | Misfit::Escape => ProblemKind::MisplacedCharacter,
        }
    }

    /// Returns whether no component at all admits the character raw.
    pub(super) fn is_never_legal(self) -> bool {
        !matches!(self, Misfit::Reserved | Misfit::Unreserved | Misfit::Escape)
    }
}

/// What a standard takes visible US-ASCII characters for; what is in neither list is unreserved. `%`
/// is in none, since it has problems of its own.
pub(super) struct Visible {
    /// Those that no component admits raw.
    pub never_legal: &'static [u8],
    /// Those that have a meaning of their own in some component.
    pub reserved: &'static [u8],
}

impl Visible {
    /// What `text` begins with, given that its component does not admit it raw, and its length in
    /// bytes, which is 0 if there is no text.
    #[inline]
    pub(super) fn misfit(&self, text: &[u8]) -> (Misfit, usize) {
        match text {
            [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                (Misfit::Escape, 3)
            }
            [b'%', high, ..] if high.is_ascii_hexdigit() => (Misfit::BadEscape, 2),
            [0x80..=0xFF, ..] => (Misfit::NonAscii, code_point_len(text)),
            [byte, ..] => (self.misfit_of_ascii(*byte), 1),
            [] => (Misfit::Unreserved, 0),
        }
    }

    /// What `byte` of US-ASCII is where it is not admitted. A `%` begins no escape.
    #[inline]
    pub(super) fn misfit_of_ascii(&self, byte: u8) -> Misfit {
        match byte {
            b'%' => Misfit::BadEscape,
            b' ' => Misfit::Space,
            0..=0x1F | 0x7F => Misfit::Control,
            _ if self.never_legal.contains(&byte) => Misfit::Unsafe,
            _ if self.reserved.contains(&byte) => Misfit::Reserved,
            _ => Misfit::Unreserved,
        }
    }
}

/// Checks that every byte belongs to just one of the classes of characters.
#[cfg(test)]
pub(super) fn check_classes(visible: &Visible, is_unreserved: impl Fn(u8) -> bool) {
    for byte in 0..=255 {
        let classes = [
            is_unreserved(byte),
            visible.reserved.contains(&byte),
            visible.never_legal.contains(&byte),
            byte <= b' ' || byte >= 0x7F || byte == b'%',
        ];
        let count = classes.iter().filter(|&&is_of_it| is_of_it).count();
        assert_eq!(count, 1, "byte {byte:#x}");
    }
}
