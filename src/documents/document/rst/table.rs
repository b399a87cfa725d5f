//! Tables of reStructuredText: where their cells end.
//!
//! A URL belongs to one cell, and each cell is a document of its own.

use std::borrow::Cow;
use std::ops::Range;

use urlint_standard::text::window::is_blank;

/// A table.
pub(super) struct Table {
    /// Where it ends in the source.
    pub(super) end: usize,
    /// The lines of its cells, each with the number of its cell.
    pub(super) lines: Vec<(usize, Range<usize>)>,
    /// The cells of the last row.
    row: Range<usize>,
}

impl Table {
    /// A table without rows, whose first line ends at `end`.
    fn new(end: usize) -> Self {
        Table {
            end,
            lines: Vec::new(),
            row: 0..0,
        }
    }

    /// Adds a line whose cells end before the bytes at `ends`, and begins a row with it if it `begins` one.
    fn add(&mut self, line: Range<usize>, ends: impl Iterator<Item = usize>, begins: bool) {
        let (mut start, first) = (line.start, self.lines.len());
        let ends = ends.map(|end| line.start + end).chain([line.end]);
        let cells = ends.map(|end| std::mem::replace(&mut start, end + 1)..end);
        self.lines.extend((self.row.start..).zip(cells));
        let count = self.lines.len() - first;
        if begins || count > self.row.len() {
            let by = self.row.len();
            self.lines[first..]
                .iter_mut()
                .for_each(|(cell, _)| *cell += by);
            self.row = self.row.end..self.row.end + count;
        }
        self.end = line.end;
    }
}

/// The table that begins with the line `first`; `rest` are the lines after that.
pub(super) fn begins(
    source: &[u8],
    first: &Range<usize>,
    rest: impl Iterator<Item = Range<usize>> + Clone,
) -> Option<Table> {
    let border = &*without_marker(source.get(first.clone())?.trim_ascii_end());
    match border.trim_ascii_start() {
        [b'+', b'-', ..] if is_grid_border(border) => Some(grid(source, first, border, rest)),
        [b'=', ..] if is_simple_border(border) => simple(source, first, border, rest),
        _ => None,
    }
}

/// The line with blanks in place of the marker of a list: `* `, `1. `, `#) `.
pub(super) fn without_marker(line: &[u8]) -> Cow<'_, [u8]> {
    let indent = indentation(line).unwrap_or(0);
    let end = memchr::memchr(b' ', &line[indent..]).map_or(indent, |len| indent + len);
    match &line[indent..end] {
        marker @ ([b'*' | b'-' | b'+'] | [_, .., b'.' | b')']) if marker != b".." => {
            [&vec![b' '; end], &line[end..]].concat().into()
        }
        _ => line.into(),
    }
}

/// Returns whether a line consists of the signs of a grid's border: `+-----+---+`.
fn is_grid_border(line: &[u8]) -> bool {
    let border = line.trim_ascii_start();
    border.ends_with(b"-+") && border.iter().all(|byte| b"+-".contains(byte))
}

/// Returns whether a line is a border of a simple table of several columns: `=====  ===`.
#[doc(hidden)]
pub fn is_simple_border(line: &[u8]) -> bool {
    let border = line.trim_ascii();
    border.contains(&b' ') && border.iter().all(is_of_border)
}

fn is_of_border(byte: &u8) -> bool {
    matches!(byte, b'=' | b' ')
}

fn grid(
    source: &[u8],
    first: &Range<usize>,
    border: &[u8],
    rest: impl Iterator<Item = Range<usize>>,
) -> Table {
    let mut table = Table::new(first.end);
    for line in rest {
        let text = &source[line.clone()];
        if !matches!(text.trim_ascii_start(), [b'+' | b'|', ..]) {
            break;
        }
        let bars = memchr::memchr_iter(b'|', text).filter(|&at| is_border(text, at, border));
        table.add(line, bars, memchr::memmem::find(text, b"+-").is_some());
    }
    table
}

/// Returns whether the bar at `at` is the border of a cell. One with text on both sides is a border
/// only where the table's border has a corner.
fn is_border(text: &[u8], at: usize, border: &[u8]) -> bool {
    let is_apart = |byte: Option<&u8>| byte.is_none_or(|&byte| is_blank(byte));
    let before = at.checked_sub(1).and_then(|before| text.get(before));
    is_apart(before) || is_apart(text.get(at + 1)) || border.get(at) == Some(&b'+')
}

fn simple(
    source: &[u8],
    first: &Range<usize>,
    border: &[u8],
    rest: impl Iterator<Item = Range<usize>> + Clone,
) -> Option<Table> {
    let columns = columns(border);
    let &second = columns.first()?;
    let mut table = Table::new(first.end);
    let mut others = 0;
    let mut lines = rest.peekable();
    while let Some(line) = lines.next() {
        let text = &source[line.clone()];
        // The text of a row continues in lines where the first column is empty.
        let begins = indentation(text).is_none_or(|columns| columns < second);
        table.add(line, gaps(text, &columns), begins);
        if text.contains(&b'=') && text.trim_ascii_end().iter().all(is_of_border) {
            others += 1;
            let is_blank_line = |line: &Range<usize>| source[line.clone()].trim_ascii().is_empty();
            // The header has a border of its own.
            if others == 2 || lines.peek().is_none_or(is_blank_line) {
                return Some(table);
            }
        }
    }
    None
}

/// Returns the columns of text after the first, each as the number of characters before it.
fn columns(border: &[u8]) -> Vec<usize> {
    let begins = |at: &usize| *at > 0 && border[*at] == b'=' && border[at - 1] == b' ';
    let indentation = indentation(border).unwrap_or(0);
    let starts = (0..border.len()).filter(begins);
    starts.filter(|&start| start > indentation).collect()
}

/// The blanks before the columns at which cells begin in the line `text`.
fn gaps(text: &[u8], columns: &[usize]) -> impl Iterator<Item = usize> {
    let is_first = |byte: u8| byte & 0xC0 != 0x80;
    let mut characters = (0..text.len()).filter(move |&at| is_first(text[at]));
    let mut passed = 0;
    columns.iter().filter_map(move |&column| {
        let blank = characters.nth(column - 1 - passed)?;
        passed = column;
        is_blank(text[blank]).then_some(blank)
    })
}

/// The number of blanks before the text of a line; `None` if it has no text.
fn indentation(line: &[u8]) -> Option<usize> {
    line.iter().position(|byte| !byte.is_ascii_whitespace())
}
