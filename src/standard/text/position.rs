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
        let breaks = memchr_iter(b'\n', text).count() + lone_returns(text);
        match memrchr2(b'\n', b'\r', text) {
            None => Position {
                line: self.line,
                column: self.column + code_points(text),
            },
            Some(last) => Position {
                line: self.line + breaks as u64,
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
/// assert_eq!(locator.advance(source, 9), Position { line: 2, column: 5 });
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Locator {
    at: u64,
    position: Position,
    /// Whether the previous byte is a CR, so that an LF here belongs to its line break.
    after_cr: bool,
}

impl Locator {
    /// Returns the position of the byte at offset `to` of the source; `window` holds the bytes that
    /// have not been counted. If `to` is less than in an earlier call, returns the position of the
    /// greatest offset so far.
    pub fn advance(&mut self, window: Window<'_>, to: u64) -> Position {
        let Window { start, bytes } = window;
        let from = self.at.saturating_sub(start) as usize;
        let end = (to.saturating_sub(start) as usize).min(bytes.len());
        if from >= end {
            return self.position;
        }
        let mut text = &bytes[from..end];
        if self.after_cr && text[0] == b'\n' {
            text = &text[1..];
        }
        self.position = self.position.after(text);
        self.after_cr = bytes[end - 1] == b'\r';
        self.at = to;
        self.position
    }
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
