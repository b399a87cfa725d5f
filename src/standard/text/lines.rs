//! Lines: each ends with LF, CRLF or CR, as [`Position`](super::Position) counts them.

use std::ops::Range;

/// A line of a text, as offsets in the text.
///
/// ```
/// use urlint::text::Line;
///
/// let text = b"one\r\ntwo";
/// let line = Line::at(text, 0);
/// assert_eq!((line.start, line.end, line.next), (0, 3, 5));
/// assert_eq!(&text[line.range()], b"one");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last byte, where the line break begins, if any.
    pub end: usize,
    /// The offset of the next line, after the line break; the length of the text if there is none.
    pub next: usize,
}

impl Line {
    /// Returns the line of `text` that begins at the offset `start`.
    pub fn at(text: &[u8], start: usize) -> Self {
        let rest = text.get(start..).unwrap_or_default();
        let len = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let end = start + len;
        let break_len = match rest[len..] {
            [b'\r', b'\n', ..] => 2,
            [_, ..] => 1,
            [] => 0,
        };
        Line {
            start,
            end,
            next: end + break_len,
        }
    }

    /// Returns the line without its break.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns whether a line break, rather than the end of the text, ends the line.
    pub fn has_break(self) -> bool {
        self.end < self.next
    }
}

/// Returns the lines of `text`, at least one: after the last line break there is one more, which
/// may be empty.
///
/// ```
/// use urlint::text::lines;
///
/// let text = b"one\r\ntwo\rthree\n";
/// let lines: Vec<_> = lines(text).map(|line| &text[line.range()]).collect();
/// assert_eq!(lines, [&b"one"[..], b"two", b"three", b""]);
/// ```
pub fn lines(text: &[u8]) -> impl Iterator<Item = Line> + Clone {
    let next = |line: &Line| line.has_break().then(|| Line::at(text, line.next));
    std::iter::successors(Some(Line::at(text, 0)), next)
}
