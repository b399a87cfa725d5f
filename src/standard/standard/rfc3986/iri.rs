//! RFC 3987: characters that an IRI allows and a URI does not.
//!
//! A URL is a valid IRI if it can be derived from `IRI`, and if its mapping by section 3.1, which
//! replaces each character outside ASCII with the escapes of its UTF-8, is valid in its scheme. So
//! a component allows such a character raw if it allows its escapes.

use super::{Judge, Part, Problem};

/// Whether a character outside ASCII may occur unescaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::standard) enum Repertoire {
    /// Never: RFC 3986.
    Uri,
    /// Where its component allows it: RFC 3987.
    Iri,
}

/// The characters outside ASCII that a component of an IRI allows raw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    Nothing,
    Ucschar,
    UcscharAndIprivate,
}

impl<F: FnMut(Problem)> Judge<'_, F> {
    /// Returns whether the URL may be an IRI, and the character at `part` is one of `beyond`.
    #[cold]
    pub(super) fn admits(&self, beyond: Beyond, part: Part) -> bool {
        let text = str::from_utf8(part.of(self.url)).unwrap_or_default();
        let Some(character) = text.chars().next() else {
            return false;
        };
        self.repertoire == Repertoire::Iri
            && match beyond {
                Beyond::Nothing => false,
                Beyond::Ucschar => is_ucschar(character),
                Beyond::UcscharAndIprivate => is_ucschar(character) || is_iprivate(character),
            }
    }
}

/// ```text
/// ucschar        = %xA0-D7FF / %xF900-FDCF / %xFDF0-FFEF
///                / %x10000-1FFFD / %x20000-2FFFD / %x30000-3FFFD
///                / %x40000-4FFFD / %x50000-5FFFD / %x60000-6FFFD
///                / %x70000-7FFFD / %x80000-8FFFD / %x90000-9FFFD
///                / %xA0000-AFFFD / %xB0000-BFFFD / %xC0000-CFFFD
///                / %xD0000-DFFFD / %xE1000-EFFFD
/// ```
fn is_ucschar(character: char) -> bool {
    match u32::from(character) {
        0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF => true,
        code @ (0x1_0000..=0xD_FFFF | 0xE_1000..=0xE_FFFF) => code & 0xFFFF <= 0xFFFD,
        _ => false,
    }
}

/// ```text
/// iprivate       = %xE000-F8FF / %xF0000-FFFFD / %x100000-10FFFD
/// ```
fn is_iprivate(character: char) -> bool {
    matches!(u32::from(character), 0xE000..=0xF8FF | 0xF_0000..=0xF_FFFD | 0x10_0000..=0x10_FFFD)
}
