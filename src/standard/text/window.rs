//! Windows on a source: bytes with their place in it, to which more bytes may be added.

use std::fmt;

use crate::text::span::Span;

/// Some bytes of a source.
///
/// `Debug` shows only the number of bytes, since they may contain passwords.
#[derive(Clone, Copy)]
pub struct Window<'w> {
    /// The offset of the first byte in the source.
    pub start: u64,
    /// The bytes.
    pub bytes: &'w [u8],
}

impl fmt::Debug for Window<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Window");
        shown.field("start", &self.start);
        shown.field("len", &self.bytes.len()).finish()
    }
}

impl<'w> Window<'w> {
    /// Returns the bytes that `span` of the source covers, as far as the window has them.
    ///
    /// ```
    /// use urlint::Span;
    /// use urlint::text::Window;
    ///
    /// let window = Window { start: 100, bytes: b"see <x:y>" };
    /// assert_eq!(window.slice(Span::new(104, 109)), b"<x:y>");
    /// assert_eq!(window.slice(Span::new(0, 103)), b"see");
    /// ```
    pub fn slice(self, span: Span) -> &'w [u8] {
        let inside = |offset: u64| offset.saturating_sub(self.start);
        Span::new(inside(span.start), inside(span.end)).slice(self.bytes)
    }

    /// Returns the bytes from `offset` of the source on.
    #[doc(hidden)]
    pub fn from(self, offset: u64) -> &'w [u8] {
        self.slice(Span::new(offset, u64::MAX))
    }

    /// Returns the window without its bytes from `offset` of the source on.
    #[doc(hidden)]
    pub fn up_to(self, offset: u64) -> Window<'w> {
        Window {
            bytes: self.slice(Span::new(self.start, offset)),
            ..self
        }
    }
}

/// Returns whether `byte` is a space or a tab.
#[inline]
pub fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// Returns the number of spaces and tabs that `text` begins with.
#[inline]
pub fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| is_blank(byte)).count()
}

/// Splits `text` before its trailing spaces and tabs.
#[inline]
pub fn split_blanks_at_end(text: &[u8]) -> (&[u8], &[u8]) {
    let last = text.iter().rposition(|&byte| !is_blank(byte));
    text.split_at(last.map_or(0, |last| last + 1))
}
