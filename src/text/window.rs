//! Windows on a source: bytes with their place in it, and bytes of which more may come.

use std::cell::Cell;
use std::fmt;

use crate::text::span::Span;

/// Some bytes of a source.
///
/// `Debug` shows how many they are, and not the bytes: there may be passwords in them.
#[derive(Clone, Copy)]
pub struct Window<'w> {
    /// Offset of the first of them in the source.
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
    /// The bytes that `span` of the source covers, as far as the window has them.
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

    /// The bytes from `offset` of the source on.
    pub(crate) fn from(self, offset: u64) -> &'w [u8] {
        self.slice(Span::new(offset, u64::MAX))
    }

    /// The window without its bytes from `offset` of the source on.
    pub(crate) fn up_to(self, offset: u64) -> Window<'w> {
        Window {
            bytes: self.slice(Span::new(self.start, offset)),
            ..self
        }
    }
}

/// The bytes of a window that are searched.
///
/// While more bytes are to come, a decision that depends on bytes after the end of the window is
/// provisional. A look past the end finds nothing and is remembered, so that the decision is
/// discarded and made again with more bytes. This is why the result cannot depend on the sizes of the
/// pieces in which the bytes arrive.
pub(crate) struct Text<'t> {
    pub(crate) bytes: &'t [u8],
    /// Whether the source ends where the window ends.
    pub(crate) complete: bool,
    /// Whether bytes after the end were asked for.
    starved: Cell<bool>,
}

impl<'t> Text<'t> {
    pub(crate) fn new(bytes: &'t [u8], complete: bool) -> Self {
        Text {
            bytes,
            complete,
            starved: Cell::new(false),
        }
    }

    /// The text up to `end`, as if the source ended there.
    pub(crate) fn up_to(&self, end: usize) -> Text<'t> {
        match self.bytes.get(..end) {
            Some(bytes) => Text::new(bytes, true),
            None => Text::new(self.bytes, self.complete),
        }
    }

    /// The byte at `at`; `None` after the end.
    #[inline]
    pub(crate) fn at(&self, at: usize) -> Option<u8> {
        match self.bytes.get(at) {
            Some(&byte) => Some(byte),
            None => {
                self.starve();
                None
            }
        }
    }

    /// Returns whether `prefix` begins at `at`, in any case of its letters.
    pub(crate) fn has(&self, at: usize, prefix: &[u8]) -> bool {
        prefix.iter().enumerate().all(|(i, byte)| {
            self.at(at + i)
                .is_some_and(|found| found.eq_ignore_ascii_case(byte))
        })
    }

    /// The first offset from `at` on whose byte fails `test`.
    pub(crate) fn skip(&self, mut at: usize, test: impl Fn(u8) -> bool) -> usize {
        while self.at(at).is_some_and(&test) {
            at += 1;
        }
        at
    }

    /// Where the line of `at` ends: at its line break, or at the end.
    pub(crate) fn line_end(&self, at: usize) -> usize {
        match memchr::memchr2(b'\n', b'\r', &self.bytes[at.min(self.bytes.len())..]) {
            Some(len) => at + len,
            None => {
                self.starve();
                self.bytes.len()
            }
        }
    }

    /// The text from `at` to the end of its line, at most `most` bytes of it.
    pub(crate) fn line_from(&self, at: usize, most: usize) -> &'t [u8] {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let near = &rest[..rest.len().min(most)];
        match memchr::memchr2(b'\n', b'\r', near) {
            Some(len) => &near[..len],
            None => {
                if near.len() < most {
                    self.starve();
                }
                near
            }
        }
    }

    /// Where the line break at `at` ends: LF, CRLF or CR. `None` if there is no line break.
    pub(crate) fn after_break(&self, at: usize) -> Option<usize> {
        match self.at(at)? {
            b'\n' => Some(at + 1),
            b'\r' if self.at(at + 1) == Some(b'\n') => Some(at + 2),
            b'\r' => Some(at + 1),
            _ => None,
        }
    }

    /// Remembers that bytes after the end were asked for.
    pub(crate) fn starve(&self) {
        self.starved.set(true);
    }

    /// Returns whether bytes that have not come yet were asked for since the last call.
    pub(crate) fn take_starved(&self) -> bool {
        self.starved.take() && !self.complete
    }
}

/// Returns whether `byte` is a space or a tab.
#[inline]
pub(crate) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// `text` without the spaces and tabs that it ends in, and those.
#[inline]
pub(crate) fn split_blanks_at_end(text: &[u8]) -> (&[u8], &[u8]) {
    let last = text.iter().rposition(|&byte| !is_blank(byte));
    text.split_at(last.map_or(0, |last| last + 1))
}
