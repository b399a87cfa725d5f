//! The bytes that are being scanned, and whether more are to come.

use std::cell::Cell;

use crate::text::span::Span;

/// Some bytes of a source.
#[derive(Clone, Copy, Debug)]
pub struct Window<'w> {
    /// Offset of the first of them in the source.
    pub start: u64,
    /// The bytes.
    pub bytes: &'w [u8],
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

/// A window on a source. Reading past its end is how a decision becomes provisional: while more
/// bytes are to come, whoever looks there gets nothing, and the look is remembered, so that the
/// decision is thrown away and made again with more bytes. That is why the answer cannot depend
/// on how the bytes arrive.
pub(crate) struct Text<'t> {
    pub(crate) bytes: &'t [u8],
    /// Whether the source ends where the window ends.
    pub(crate) complete: bool,
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

    /// The same without what stands at `end` and behind it, as if the source ended there.
    pub(crate) fn up_to(&self, end: usize) -> Text<'t> {
        match self.bytes.get(..end) {
            Some(bytes) => Text::new(bytes, true),
            None => Text::new(self.bytes, self.complete),
        }
    }

    /// The byte at `at`; `None` behind the end.
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

    /// Whether the bytes at `at` are `prefix`, in any case of its letters.
    pub(crate) fn has(&self, at: usize, prefix: &[u8]) -> bool {
        prefix.iter().enumerate().all(|(i, byte)| {
            self.at(at + i)
                .is_some_and(|found| found.eq_ignore_ascii_case(byte))
        })
    }

    /// The first position from `at` on whose byte fails `test`.
    pub(crate) fn skip(&self, mut at: usize, test: impl Fn(u8) -> bool) -> usize {
        while self.at(at).is_some_and(&test) {
            at += 1;
        }
        at
    }

    /// Where the line that `at` is in ends: at its line break, or at the end.
    pub(crate) fn line_end(&self, at: usize) -> usize {
        match memchr::memchr2(b'\n', b'\r', &self.bytes[at.min(self.bytes.len())..]) {
            Some(len) => at + len,
            None => {
                self.starve();
                self.bytes.len()
            }
        }
    }

    /// Behind the line break at `at`: LF, CRLF or CR. `None` if there is no line break.
    pub(crate) fn after_break(&self, at: usize) -> Option<usize> {
        match self.at(at)? {
            b'\n' => Some(at + 1),
            b'\r' if self.at(at + 1) == Some(b'\n') => Some(at + 2),
            b'\r' => Some(at + 1),
            _ => None,
        }
    }

    /// Remembers that bytes behind the end were asked for.
    pub(crate) fn starve(&self) {
        self.starved.set(true);
    }

    /// Whether what was read since the last call needs bytes that have not come yet.
    pub(crate) fn take_starved(&self) -> bool {
        self.starved.take() && !self.complete
    }
}

/// A space or a tab.
#[inline]
pub(crate) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}
