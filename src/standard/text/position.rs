//! Lines and columns.

use memchr::{memchr_iter, memrchr2};

use crate::text::window::Window;

/// A line and a column, both counted from 1.
///
/// A line ends with LF, CRLF or CR. A column is a code point, or a byte that is not part of valid
/// UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The number of the line, from 1.
    pub line: u64,
    /// The number of the column, from 1, in code points.
    pub column: u64,
}

/// The place of a byte among the lines of its source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The line and column.
    pub position: Position,
    /// The offset of the first byte of the line, from the start of the source.
    pub line_start: u64,
}

impl Default for Position {
    fn default() -> Self {
        Position { line: 1, column: 1 }
    }
}

impl Position {
    /// Returns the position after `text`, which begins at this position.
    ///
    /// ```
    /// use urlint::text::Position;
    ///
    /// let start = Position { line: 7, column: 3 };
    /// assert_eq!(start.after(b"ab"), Position { line: 7, column: 5 });
    /// assert_eq!(start.after("ab\r\nné".as_bytes()), Position { line: 8, column: 3 });
    /// ```
    pub fn after(self, text: &[u8]) -> Position {
        let (breaks, last) = line_breaks(text);
        self.after_breaks(text, breaks, last)
    }

    /// Returns the position after `text`, which has `breaks` line breaks, the last of them at
    /// `last`.
    fn after_breaks(self, text: &[u8], breaks: u64, last: Option<usize>) -> Position {
        match last {
            None => Position {
                line: self.line,
                column: self.column + code_points(text),
            },
            Some(last) => Position {
                line: self.line + breaks,
                column: 1 + code_points(&text[last + 1..]),
            },
        }
    }
}

/// Counts lines and columns from the start of a source, in one pass for any number of places.
///
/// ```
/// use urlint::text::{Locator, Position, Window};
///
/// let source = Window { start: 0, bytes: b"one\r\ntwo three" };
/// let mut locator = Locator::default();
/// let place = locator.advance(source, 9);
/// assert_eq!(place.position, Position { line: 2, column: 5 });
/// assert_eq!(place.line_start, 5);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Locator {
    at: u64,
    place: Place,
    /// Whether the previous byte is a CR, so that an LF here belongs to its line break.
    after_cr: bool,
}

impl Locator {
    /// Returns the place of the byte at offset `to` of the source; `window` holds the bytes that
    /// have not been counted. If `to` is less than in an earlier call, returns the place of the
    /// greatest offset so far.
    pub fn advance(&mut self, window: Window<'_>, to: u64) -> Place {
        let Window { start, bytes } = window;
        let from = self.at.saturating_sub(start) as usize;
        let end = (to.saturating_sub(start) as usize).min(bytes.len());
        if from >= end {
            return self.place;
        }
        let mut text = &bytes[from..end];
        if self.after_cr && text[0] == b'\n' {
            text = &text[1..];
        }
        let (breaks, last) = line_breaks(text);
        self.place.position = self.place.position.after_breaks(text, breaks, last);
        if let Some(last) = last {
            let text_start = start + (end - text.len()) as u64;
            self.place.line_start = text_start + last as u64 + 1;
        } else if text.len() < end - from {
            self.place.line_start = start + from as u64 + 1;
        }
        self.after_cr = bytes[end - 1] == b'\r';
        self.at = to;
        self.place
    }
}

/// Returns the number of line breaks in `text`, and the offset of the last byte of the last one.
fn line_breaks(text: &[u8]) -> (u64, Option<usize>) {
    let breaks = memchr_iter(b'\n', text).count() + lone_returns(text);
    let last = if breaks > 0 {
        memrchr2(b'\n', b'\r', text)
    } else {
        None
    };
    (breaks as u64, last)
}

/// Returns the number of CRs in `text` that no LF follows.
fn lone_returns(text: &[u8]) -> usize {
    memchr_iter(b'\r', text)
        .filter(|at| text.get(at + 1) != Some(&b'\n'))
        .count()
}

fn code_points(text: &[u8]) -> u64 {
    if text.is_ascii() {
        return text.len() as u64;
    }
    let chunks = text.utf8_chunks();
    chunks
        .map(|chunk| (chunk.valid().chars().count() + chunk.invalid().len()) as u64)
        .sum()
}
