//! Tables of reStructuredText: where their cells end.
//!
//! A URL belongs to one cell. A cell of a grid is a document of its own. The text of a cell with several lines of a
//! simple table is kept together only if nothing but white space is between the lines: in the last column.

use std::borrow::Cow;
use std::ops::Range;

use urlint_standard::text::window::is_blank;

/// A table.
pub(super) struct Table {
    /// Where it ends in the source.
    pub(super) end: usize,
    /// The borders of the cells and rows of a simple table, in order.
    pub(super) cuts: Vec<Range<usize>>,
    /// The lines of each cell of a grid.
    pub(super) cells: Vec<Vec<Range<usize>>>,
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
    let mut table = Table {
        end: first.end,
        cuts: Vec::new(),
        cells: Vec::new(),
    };
    let mut row: Vec<Vec<Range<usize>>> = Vec::new();
    for line in rest {
        let text = &source[line.clone()];
        if !matches!(text.trim_ascii_start(), [b'+' | b'|', ..]) {
            break;
        }
        table.end = line.end;
        let is_bar = |at: &usize| is_border(text, *at, border);
        let bars = memchr::memchr_iter(b'|', text).filter(is_bar);
        let mut start = line.start;
        let cells = bars.chain([text.len()]).map(|bar| {
            let cell = start..line.start + bar;
            start = cell.end + 1;
            cell
        });
        let cells: Vec<_> = cells.collect();
        if cells.len() != row.len() || memchr::memmem::find(text, b"+-").is_some() {
            table.cells.append(&mut row);
            row.resize(cells.len(), Vec::new());
        }
        row.iter_mut()
            .zip(cells)
            .for_each(|(row, line)| row.push(line));
    }
    table.cells.append(&mut row);
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
    let &last = columns.last()?;
    let mut table = Table {
        end: first.end,
        cuts: Vec::new(),
        cells: Vec::new(),
    };
    let mut others = 0;
    let mut lines = rest.peekable();
    while let Some(line) = lines.next() {
        let text = &source[line.clone()];
        let goes_on = indentation(text).is_some_and(|columns| columns >= last);
        if !goes_on {
            table.cuts.push(table.end..line.start);
            table.cuts.extend(gaps(text, &columns, line.start));
        }
        table.end = line.end;
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

/// The blanks before the columns at which cells begin in the line `text`, which begins at `start`.
fn gaps(text: &[u8], columns: &[usize], start: usize) -> impl Iterator<Item = Range<usize>> {
    let is_first = |byte: u8| byte & 0xC0 != 0x80;
    let mut characters = (0..text.len()).filter(move |&at| is_first(text[at]));
    let mut passed = 0;
    columns.iter().filter_map(move |&column| {
        let blank = characters.nth(column - 1 - passed)?;
        passed = column;
        is_blank(text[blank]).then_some(start + blank..start + blank + 1)
    })
}

/// The number of blanks before the text of a line; `None` if it has no text.
fn indentation(line: &[u8]) -> Option<usize> {
    line.iter().position(|byte| !byte.is_ascii_whitespace())
}
