//! Rows in the formats that are text; those of tables are packed.

use std::borrow::Cow;
use std::io::Write;

use urlint::list::{Cells, Time};
use urlint::text::Spans;

use super::Format;
use super::table::{Column, Packed};
use crate::report::json;
use crate::terminal;

/// How rows are written, and what the columns are called.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    format: Format,
    /// What ends a row.
    end: &'static [u8],
    /// Whether control characters must not go out as they are.
    harmless: bool,
    /// How the cells of a row in the format `text` are written.
    text: Style,
    pub(super) columns: Vec<Column>,
    /// What stands above the rows.
    pub(super) heading: Vec<u8>,
    /// What precedes each value of an object.
    names: Vec<Vec<u8>>,
}

impl Layout {
    /// The layout of rows with `columns`.
    pub(crate) fn new(
        format: Format,
        columns: Vec<Column>,
        end: &'static [u8],
        harmless: bool,
    ) -> Self {
        let names: Vec<_> = columns.iter().map(|column| column.name).collect();
        let heading = match format {
            Format::Csv => names.join(",") + "\n",
            Format::Tsv => names.join("\t") + "\n",
            Format::Text | Format::JsonLines | Format::Parquet | Format::Arrow => String::new(),
        };
        let name = |(index, name): (usize, &&str)| {
            let before = if index == 0 { '{' } else { ',' };
            format!("{before}\"{name}\":").into_bytes()
        };
        Layout {
            format,
            end,
            harmless,
            text: Style::RawTabs,
            heading: heading.into_bytes(),
            names: names.iter().enumerate().map(name).collect(),
            columns,
        }
    }

    /// The layout of rows whose cells stay as they are in the format `text`, since only the last one
    /// may hold a tab.
    pub(super) fn verbatim(self) -> Self {
        Layout {
            text: Style::Verbatim,
            ..self
        }
    }

    /// Writes a row to `out`, whose cells `fill` gives.
    #[inline]
    pub(crate) fn row(&self, out: &mut Vec<u8>, fill: impl RowOf) {
        match self.format {
            Format::JsonLines => {
                fill.fill(&mut Object {
                    out,
                    names: self.names.iter(),
                });
                out.extend_from_slice(b"}\n");
            }
            Format::Csv => {
                let start = out.len();
                fill.fill(&mut Line::new(out, self, Style::Commas));
                // A row of one empty cell would be an empty line, which readers skip.
                if out.len() == start {
                    out.extend_from_slice(b"\"\"");
                }
                out.push(b'\n');
            }
            Format::Tsv => {
                fill.fill(&mut Line::new(out, self, Style::Tabs));
                out.extend_from_slice(self.end);
            }
            Format::Text => {
                fill.fill(&mut Line::new(out, self, self.text));
                out.extend_from_slice(self.end);
            }
            Format::Parquet | Format::Arrow => fill.fill(&mut Packed(out)),
        }
    }

    /// Returns `text` as it is compared where rows are sorted: as it is written, if that is in UTF-8.
    pub(super) fn sorted<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        match self.format {
            Format::Text => text.into(),
            _ => in_utf8(text),
        }
    }

    /// Writes a row to `out` that is one text and nothing else.
    pub(super) fn bare(&self, out: &mut Vec<u8>, text: &[u8]) {
        if self.harmless {
            out.extend_from_slice(terminal::line(text).as_bytes());
        } else {
            out.extend_from_slice(&within(text, self.end));
        }
        out.extend_from_slice(self.end);
    }
}

/// A row that can be given to the cells of any format.
pub(crate) trait RowOf {
    /// Gives the cells of the row.
    fn fill(self, cells: &mut impl Cells);
}

/// A row of texts.
pub(super) struct Texts<'t>(pub(super) &'t [&'t [u8]]);

impl RowOf for Texts<'_> {
    fn fill(self, cells: &mut impl Cells) {
        self.0.iter().for_each(|text| cells.text(text));
    }
}

/// The object of a row in JSON.
struct Object<'o> {
    out: &'o mut Vec<u8>,
    /// What precedes the values that are left.
    names: std::slice::Iter<'o, Vec<u8>>,
}

impl Object<'_> {
    #[inline]
    fn begin(&mut self) -> &mut Vec<u8> {
        if let Some(name) = self.names.next() {
            self.out.extend_from_slice(name);
        }
        self.out
    }
}

impl Cells for Object<'_> {
    #[inline]
    fn absent(&mut self) {
        self.begin().extend_from_slice(b"null");
    }

    #[inline]
    fn text(&mut self, text: &[u8]) {
        json::write_text(self.begin(), text);
    }

    #[inline]
    fn name(&mut self, name: &'static str) {
        let out = self.begin();
        out.push(b'"');
        out.extend_from_slice(name.as_bytes());
        out.push(b'"');
    }

    fn texts<T: AsRef<[u8]>>(&mut self, texts: impl IntoIterator<Item = T>) {
        let out = self.begin();
        out.push(b'[');
        for (index, text) in texts.into_iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            json::write_text(out, text.as_ref());
        }
        out.push(b']');
    }

    #[inline]
    fn number(&mut self, number: u64) {
        push_number(self.begin(), number);
    }

    #[inline]
    fn flag(&mut self, flag: bool) {
        self.begin().extend_from_slice(of_flag(flag));
    }

    fn time(&mut self, time: Time) {
        let out = self.begin();
        // Writing to memory never fails.
        let _ = write!(out, "\"{time}\"");
    }

    fn ranges(&mut self, ranges: &Spans) {
        let out = self.begin();
        out.push(b'[');
        for (index, span) in ranges.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.push(b'[');
            push_number(out, span.start);
            out.push(b',');
            push_number(out, span.end);
            out.push(b']');
        }
        out.push(b']');
    }
}

/// How the cells of a line are separated, and what is written in place of a separator in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// As RFC 4180 describes it, but with LF: commas, and quotes around a cell that holds one.
    Commas,
    /// Tabs; in cells tabs, line breaks and backslashes are written `\t`, `\n`, `\r` and `\\`.
    Tabs,
    /// As `Tabs`, but bytes that are not UTF-8 stay as they are, and NUL is written `\0` if it ends rows.
    RawTabs,
    /// Tabs between cells that stay as they are: only the last may hold a tab or a backslash. What
    /// would end a row is written as [`within`] says.
    Verbatim,
}

/// The line of a row in a table.
struct Line<'o> {
    out: &'o mut Vec<u8>,
    style: Style,
    /// What ends the line.
    end: &'static [u8],
    harmless: bool,
    is_begun: bool,
}

impl<'o> Line<'o> {
    fn new(out: &'o mut Vec<u8>, layout: &Layout, style: Style) -> Self {
        Line {
            out,
            style,
            end: layout.end,
            harmless: layout.harmless,
            is_begun: false,
        }
    }

    /// Begins the next cell.
    #[inline]
    fn begin(&mut self) -> &mut Vec<u8> {
        if std::mem::replace(&mut self.is_begun, true) {
            self.out.push(match self.style {
                Style::Commas => b',',
                Style::Tabs | Style::RawTabs | Style::Verbatim => b'\t',
            });
        }
        self.out
    }

    /// Ends the cell that begins at `start` of the output: writes it anew if it holds what would end
    /// it.
    #[inline]
    fn end(&mut self, start: usize) {
        let cell = &self.out[start..];
        let is_special = match self.style {
            Style::Commas => any(cell, |byte| {
                matches!(byte, b',' | b'"' | b'\r' | b'\n' | 0x80..)
            }),
            Style::Tabs | Style::RawTabs => {
                any(cell, |byte| {
                    matches!(byte, b'\t' | b'\n' | b'\r' | b'\\' | 0x80..)
                }) || self.end == NUL && any(cell, |byte| byte == 0)
            }
            Style::Verbatim => any(cell, |byte| [byte] == self.end),
        };
        if is_special || self.harmless {
            self.rewrite(start);
        }
    }

    #[cold]
    fn rewrite(&mut self, start: usize) {
        let cell = self.out.split_off(start);
        let cell = match self.style {
            Style::Commas | Style::Tabs => in_utf8(&cell).into_owned(),
            Style::RawTabs | Style::Verbatim => cell,
        };
        let cell = if self.harmless {
            terminal::line(&cell).into_owned().into_bytes()
        } else {
            cell
        };
        match self.style {
            Style::Commas => push_quoted(self.out, &cell),
            Style::Tabs | Style::RawTabs => push_escaped(self.out, &cell, self.end == NUL),
            Style::Verbatim => self.out.extend_from_slice(&within(&cell, self.end)),
        }
    }
}

impl Cells for Line<'_> {
    #[inline]
    fn absent(&mut self) {
        self.begin();
    }

    #[inline]
    fn text(&mut self, text: &[u8]) {
        let out = self.begin();
        let start = out.len();
        out.extend_from_slice(text);
        self.end(start);
    }

    #[inline]
    fn name(&mut self, name: &'static str) {
        self.begin().extend_from_slice(name.as_bytes());
    }

    fn texts<T: AsRef<[u8]>>(&mut self, texts: impl IntoIterator<Item = T>) {
        let out = self.begin();
        let start = out.len();
        for (index, text) in texts.into_iter().enumerate() {
            if index > 0 {
                out.push(b' ');
            }
            out.extend_from_slice(text.as_ref());
        }
        self.end(start);
    }

    #[inline]
    fn number(&mut self, number: u64) {
        push_number(self.begin(), number);
    }

    #[inline]
    fn flag(&mut self, flag: bool) {
        self.begin().extend_from_slice(of_flag(flag));
    }

    fn time(&mut self, time: Time) {
        // Writing to memory never fails.
        let _ = write!(self.begin(), "{time}");
    }

    fn ranges(&mut self, ranges: &Spans) {
        let out = self.begin();
        for (index, span) in ranges.iter().enumerate() {
            if index > 0 {
                out.push(b' ');
            }
            push_number(out, span.start);
            out.push(b'-');
            push_number(out, span.end);
        }
    }
}

/// Returns whether `is` is true of a byte. Without a branch for each, many are looked at together.
#[inline(always)]
fn any(bytes: &[u8], is: impl Fn(u8) -> bool) -> bool {
    bytes.iter().fold(false, |any, &byte| any | is(byte))
}

#[inline]
fn push_number(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

fn of_flag(flag: bool) -> &'static [u8] {
    if flag { b"true" } else { b"false" }
}

/// What ends rows with `--null`.
const NUL: &[u8] = b"\0";

/// Returns `text`, a URL or a path by itself, as it is written in a row that ends with `end`: NUL is
/// encoded as `%00` if it is the end, and a line break, which only paths have, is written `\n`.
#[inline]
pub(super) fn within<'t>(text: &'t [u8], end: &[u8]) -> Cow<'t, [u8]> {
    let [end] = end else {
        return text.into();
    };
    if memchr::memchr(*end, text).is_none() {
        return text.into();
    }
    let instead: &[u8] = if *end == 0 { b"%00" } else { b"\\n" };
    let parts: Vec<_> = text.split(|byte| byte == end).collect();
    parts.join(instead).into()
}

/// Writes a cell as RFC 4180 describes it.
fn push_quoted(out: &mut Vec<u8>, cell: &[u8]) {
    if !cell.iter().any(|byte| b",\"\r\n".contains(byte)) {
        out.extend_from_slice(cell);
        return;
    }
    out.push(b'"');
    for &byte in cell {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

/// Writes a cell with its tabs, line breaks and backslashes escaped, and if NUL ends rows, that too.
fn push_escaped(out: &mut Vec<u8>, cell: &[u8], ends_with_nul: bool) {
    let is_escaped = |&byte: &u8| b"\t\n\r\\".contains(&byte) || byte == 0 && ends_with_nul;
    let mut rest = cell;
    while let Some(at) = rest.iter().position(is_escaped) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(match rest[at] {
            b'\t' => b"\\t",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            0 => b"\\0",
            _ => b"\\\\",
        });
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}

/// Returns `bytes` as UTF-8: each byte that is not becomes U+FFFD, as in JSON.
pub(super) fn in_utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    if std::str::from_utf8(bytes).is_ok() {
        return bytes.into();
    }
    let mut text = String::with_capacity(bytes.len());
    terminal::each_char(bytes, |_, c| text.push(c));
    text.into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_what_would_end_them() {
        let cases: [(&[&[u8]], &str, &str, &str); 6] = [
            (&[b""], "\n", "\"\"\n", "{\"a\":\"\"}\n"),
            (
                &[b"a", b"b"],
                "a\tb\n",
                "a,b\n",
                "{\"a\":\"a\",\"b\":\"b\"}\n",
            ),
            (
                &[b"a\tb", b"c\\d"],
                "a\\tb\tc\\\\d\n",
                "a\tb,c\\d\n",
                "{\"a\":\"a\\tb\",\"b\":\"c\\\\d\"}\n",
            ),
            (
                &[b"a\r\nb", b""],
                "a\\r\\nb\t\n",
                "\"a\r\nb\",\n",
                "{\"a\":\"a\\r\\nb\",\"b\":\"\"}\n",
            ),
            (
                &[b"x,y", b"\"q\""],
                "x,y\t\"q\"\n",
                "\"x,y\",\"\"\"q\"\"\"\n",
                "{\"a\":\"x,y\",\"b\":\"\\\"q\\\"\"}\n",
            ),
            (
                &[b"\xc3\xa9\xe2\x82", b"\x7f"],
                "é\u{fffd}\u{fffd}\t\x7f\n",
                "é\u{fffd}\u{fffd},\x7f\n",
                "{\"a\":\"é\u{fffd}\u{fffd}\",\"b\":\"\\u007f\"}\n",
            ),
        ];
        for (cells, tabs, commas, object) in cases {
            let formats = [
                (Format::Tsv, tabs),
                (Format::Csv, commas),
                (Format::JsonLines, object),
            ];
            for (format, expected) in formats {
                let layout = Layout::new(format, Column::texts(&["a", "b"]), b"\n", false);
                let mut out = Vec::new();
                layout.row(&mut out, Texts(cells));
                assert_eq!(String::from_utf8_lossy(&out), expected, "{format:?}");
            }
        }
    }
}
