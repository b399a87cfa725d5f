//! The bytes that are searched, while more may come.

use std::cell::Cell;

use urlint_standard::text::window::is_blank;

/// The bytes of a window that are searched.
///
/// While more bytes are to come, a decision that depends on bytes after the end of the window is
/// provisional. Looking past the end finds nothing and is recorded, so that the decision is
/// discarded and made again with more bytes. This is why the result cannot depend on how the bytes
/// are split when they arrive.
pub(crate) struct Text<'t> {
    pub(crate) bytes: &'t [u8],
    /// Whether the source ends where the window ends.
    pub(crate) complete: bool,
    /// Whether bytes after the end were requested.
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

    /// Returns the text up to `end`, as if the source ended there.
    pub(crate) fn up_to(&self, end: usize) -> Text<'t> {
        match self.bytes.get(..end) {
            Some(bytes) => Text::new(bytes, true),
            None => Text::new(self.bytes, self.complete),
        }
    }

    /// Returns the byte at `at`; `None` after the end.
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

    /// Returns whether `prefix` begins at `at`, ignoring case.
    pub(crate) fn has(&self, at: usize, prefix: &[u8]) -> bool {
        prefix.iter().enumerate().all(|(i, byte)| {
            self.at(at + i)
                .is_some_and(|found| found.eq_ignore_ascii_case(byte))
        })
    }

    /// Returns the first offset from `at` on whose byte fails `test`, but at most `at + most`.
    #[inline]
    pub(crate) fn skip_at_most(&self, at: usize, most: usize, test: impl Fn(u8) -> bool) -> usize {
        let mut end = at;
        while end - at < most && self.at(end).is_some_and(&test) {
            end += 1;
        }
        end
    }

    /// Returns the first offset from `at` on whose byte fails `test`.
    pub(crate) fn skip(&self, mut at: usize, test: impl Fn(u8) -> bool) -> usize {
        while self.at(at).is_some_and(&test) {
            at += 1;
        }
        at
    }

    /// Returns where the line of `at` ends: at its line break, or at the end.
    pub(crate) fn line_end(&self, at: usize) -> usize {
        match memchr::memchr2(b'\n', b'\r', &self.bytes[at.min(self.bytes.len())..]) {
            Some(len) => at + len,
            None => {
                self.starve();
                self.bytes.len()
            }
        }
    }

    /// Returns the text from `at` to the end of its line, up to `most` bytes.
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

    /// Returns where the line break at `at` ends: LF, CRLF or CR. `None` if there is none.
    pub(crate) fn after_break(&self, at: usize) -> Option<usize> {
        match self.at(at)? {
            b'\n' => Some(at + 1),
            b'\r' if self.at(at + 1) == Some(b'\n') => Some(at + 2),
            b'\r' => Some(at + 1),
            _ => None,
        }
    }

    /// Skips the blanks at `at`, also those that break no line (U+00A0), which some programs leave before a
    /// line break.
    pub(crate) fn skip_to_break(&self, at: usize) -> usize {
        let mut end = self.skip(at, is_blank);
        while self.has(end, "\u{a0}".as_bytes()) {
            end = self.skip(end + 2, is_blank);
        }
        end
    }

    /// Records that bytes after the end were requested.
    pub(crate) fn starve(&self) {
        self.starved.set(true);
    }

    /// Returns whether bytes that have not yet come were requested since the last call.
    pub(crate) fn take_starved(&self) -> bool {
        self.starved.take() && !self.complete
    }
}
