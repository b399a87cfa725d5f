//! The lines of a message, with any of the line ends in use.

use memchr::{memchr, memchr2};

/// The line ends of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    /// LF, after a CR as the standard requires, or alone as in files on most systems.
    Lf,
    /// CR alone, as old Macintosh programs write it.
    Cr,
}

impl Lines {
    /// The line ends of `text`, by its first line.
    pub(crate) fn of(text: &[u8]) -> Self {
        let Some(first) = memchr2(b'\r', b'\n', text) else {
            return Lines::Lf;
        };
        // `\r\r\n` comes from converting line ends twice, and is one line end.
        let last = text[first..].iter().find(|&&byte| byte != b'\r');
        match (text[first], last) {
            (b'\r', last) if last != Some(&b'\n') => Lines::Cr,
            _ => Lines::Lf,
        }
    }

    /// Returns the end of the line at `at` without its line break, and with it.
    pub(crate) fn line(self, text: &[u8], at: usize) -> (usize, usize) {
        let rest = text.get(at..).unwrap_or_default();
        let found = match self {
            Lines::Lf => memchr(b'\n', rest),
            Lines::Cr => memchr2(b'\r', b'\n', rest),
        };
        let Some(len) = found else {
            return (text.len(), text.len());
        };
        let end = at + len;
        match self {
            Lines::Lf => {
                let breaks = rest[..len].iter().rev().take_while(|&&byte| byte == b'\r');
                (end - breaks.count(), end + 1)
            }
            Lines::Cr => {
                let is_pair = text[end] == b'\r' && text.get(end + 1) == Some(&b'\n');
                (end, end + 1 + usize::from(is_pair))
            }
        }
    }

    /// Returns whether a line begins at `at`.
    pub(crate) fn begins(self, text: &[u8], at: usize) -> bool {
        match at.checked_sub(1).and_then(|before| text.get(before)) {
            None => at == 0,
            Some(b'\n') => true,
            Some(b'\r') => self == Lines::Cr,
            Some(_) => false,
        }
    }

    /// The start of the line break that ends at `at`.
    pub(crate) fn before_break(self, text: &[u8], at: usize) -> usize {
        match (self, &text[..at.min(text.len())]) {
            (_, [.., b'\r', b'\n']) => at - 2,
            (_, [.., b'\n']) | (Lines::Cr, [.., b'\r']) => at - 1,
            _ => at,
        }
    }
}

/// Returns how many bytes at the start of `text` are line breaks.
pub(crate) fn breaks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| is_break(byte)).count()
}

pub(crate) fn is_break(byte: &u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}
