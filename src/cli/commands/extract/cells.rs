//! Writes rows in the text formats. Rows of binary tables are packed.

use std::borrow::Cow;
use std::io::Write;

use urlint_list::{Cells, DataType, Field, Time};
use urlint_standard::text::Spans;

use super::Format;
use super::packed::Packed;
use urlint_report::json::in_utf8;
use urlint_report::{json, terminal};

/// The description of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub(super) name: &'static str,
    pub(super) data_type: DataType,
    /// Whether its cell may be absent.
    pub(super) is_optional: bool,
}

impl Column {
    /// Creates a column in which no cell is absent.
    pub(super) const fn new(name: &'static str, data_type: DataType) -> Self {
        Column {
            name,
            data_type,
            is_optional: false,
        }
    }
}

impl From<Field> for Column {
    fn from(field: Field) -> Self {
        Column {
            name: field.name(),
            data_type: field.data_type(),
            is_optional: field.is_optional(),
        }
    }
}

/// The format of rows, and the names of the columns.
#[derive(Clone, Debug)]
pub struct Layout {
    format: Format,
    /// The end of a row.
    pub(super) end: &'static [u8],
    /// Whether control characters are escaped, since the rows go to a terminal.
    pub(super) escape_controls: bool,
    /// How the cells of a row in the format `text` are written.
    text: CellStyle,
    pub(super) columns: Vec<Column>,
    /// The heading above the rows.
    pub(super) heading: Vec<u8>,
    /// For JSON, the bytes before each value of an object: its name.
    names: Vec<Vec<u8>>,
}

impl Layout {
    /// Returns the layout of rows with `columns`.
    pub fn new(
        format: Format,
        columns: Vec<Column>,
        end: &'static [u8],
        escape_controls: bool,
    ) -> Self {
        let names: Vec<_> = columns.iter().map(|column| column.name).collect();
        let heading = match format {
            Format::Csv => names.join(",") + "\n",
            Format::Tsv => names.join("\t") + "\n",
            _ => String::new(),
        };
        let name = |(index, name): (usize, &&str)| {
            let before = if index == 0 { '{' } else { ',' };
            format!("{before}\"{name}\":").into_bytes()
        };
        Layout {
            format,
            end,
            escape_controls,
            text: CellStyle::RawTabs,
            heading: heading.into_bytes(),
            names: names.iter().enumerate().map(name).collect(),
            columns,
        }
    }

    /// Returns the layout for rows whose cells stay as they are in the format `text`, since only the last
    /// one may contain a tab.
    pub(super) fn verbatim(self) -> Self {
        Layout {
            text: CellStyle::Verbatim,
            ..self
        }
    }

    /// Writes a row to `out`, with the cells that `fill` gives.
    #[inline]
    pub fn row(&self, out: &mut Vec<u8>, fill: impl RowOf) {
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
                fill.fill(&mut DelimitedRow::new(out, self, CellStyle::Commas));
                // A row of one empty cell would be an empty line, which readers skip.
                if out.len() == start {
                    out.extend_from_slice(b"\"\"");
                }
                out.push(b'\n');
            }
            Format::Tsv => {
                fill.fill(&mut DelimitedRow::new(out, self, CellStyle::Tabs));
                out.extend_from_slice(self.end);
            }
            Format::Text => {
                fill.fill(&mut DelimitedRow::new(out, self, self.text));
                out.extend_from_slice(self.end);
            }
            Format::Parquet | Format::Arrow | Format::Html => fill.fill(&mut Packed(out)),
        }
    }

    /// Returns the form of `text` by which rows are sorted: as it is written, with other bytes than UTF-8
    /// replaced in the formats that are UTF-8.
    pub(super) fn sorted<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        match self.format {
            Format::Text => text.into(),
            _ => match in_utf8(text) {
                Cow::Borrowed(text) => text.as_bytes().into(),
                Cow::Owned(text) => text.into_bytes().into(),
            },
        }
    }

    /// Returns `text` as it is written if it is all of a row of text but its end.
    pub(super) fn bare<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        if self.escape_controls {
            return terminal::line(text).into_owned().into_bytes().into();
        }
        escape_end(text, self.end)
    }
}

/// A row that can fill the cells of any format.
pub trait RowOf {
    /// Fills the cells of the row.
    fn fill(self, cells: &mut impl Cells);
}

/// The object of a row in JSON.
struct Object<'o> {
    out: &'o mut Vec<u8>,
    /// The bytes before each of the values that are left.
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
        separated(out, b',', texts, |out, text| {
            json::write_text(out, text.as_ref());
        });
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
        separated(out, b',', ranges.iter(), |out, span| {
            out.push(b'[');
            separated(out, b',', [span.start, span.end], push_number);
            out.push(b']');
        });
        out.push(b']');
    }
}

/// How the cells of a row are separated, and how a separator in a cell is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellStyle {
    /// As RFC 4180 describes it, except with LF: commas, and quotes around a cell that contains one.
    Commas,
    /// Tabs; in cells tabs, line breaks and backslashes are written `\t`, `\n`, `\r` and `\\`.
    Tabs,
    /// As `Tabs`, but bytes that are not UTF-8 stay as they are, and NUL is written `\0` if it ends rows.
    RawTabs,
    /// Tabs between cells that stay as they are: only the last may contain a tab or a backslash. The byte
    /// that ends rows is written as [`escape_end`] says.
    Verbatim,
}

/// A row that is being written with separators.
struct DelimitedRow<'o> {
    out: &'o mut Vec<u8>,
    style: CellStyle,
    /// The end of the row.
    end: &'static [u8],
    escape_controls: bool,
    is_begun: bool,
}

impl<'o> DelimitedRow<'o> {
    fn new(out: &'o mut Vec<u8>, layout: &Layout, style: CellStyle) -> Self {
        DelimitedRow {
            out,
            style,
            end: layout.end,
            escape_controls: layout.escape_controls,
            is_begun: false,
        }
    }

    /// Begins the next cell.
    #[inline]
    fn begin(&mut self) -> &mut Vec<u8> {
        if std::mem::replace(&mut self.is_begun, true) {
            self.out.push(match self.style {
                CellStyle::Commas => b',',
                CellStyle::Tabs | CellStyle::RawTabs | CellStyle::Verbatim => b'\t',
            });
        }
        self.out
    }

    /// Ends the cell that begins at `start` of the output, and rewrites it if it contains a separator.
    #[inline]
    fn end(&mut self, start: usize) {
        let cell = &self.out[start..];
        let is_special = match self.style {
            CellStyle::Commas => any(cell, |byte| {
                matches!(byte, b',' | b'"' | b'\r' | b'\n' | 0x80..)
            }),
            CellStyle::Tabs | CellStyle::RawTabs => {
                any(cell, |byte| {
                    matches!(byte, b'\t' | b'\n' | b'\r' | b'\\' | 0x80..)
                }) || self.end == NUL && any(cell, |byte| byte == 0)
            }
            CellStyle::Verbatim => any(cell, |byte| [byte] == self.end),
        };
        if is_special || self.escape_controls {
            self.rewrite(start);
        }
    }

    #[cold]
    fn rewrite(&mut self, start: usize) {
        let cell = self.out.split_off(start);
        let cell = match self.style {
            CellStyle::Commas | CellStyle::Tabs => in_utf8(&cell).into_owned().into_bytes(),
            CellStyle::RawTabs | CellStyle::Verbatim => cell,
        };
        let cell = if self.escape_controls {
            terminal::line(&cell).into_owned().into_bytes()
        } else {
            cell
        };
        match self.style {
            CellStyle::Commas => push_quoted(self.out, &cell),
            CellStyle::Tabs | CellStyle::RawTabs => push_escaped(self.out, &cell, self.end == NUL),
            CellStyle::Verbatim => self.out.extend_from_slice(&escape_end(&cell, self.end)),
        }
    }
}

impl Cells for DelimitedRow<'_> {
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
        separated(out, b' ', texts, |out, text| {
            out.extend_from_slice(text.as_ref());
        });
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
        separated(self.begin(), b' ', ranges.iter(), |out, span| {
            separated(out, b'-', [span.start, span.end], push_number);
        });
    }
}

/// Returns whether `is` holds for any byte. There is no branch for each byte, so this is vectorized.
#[inline(always)]
fn any(bytes: &[u8], is: impl Fn(u8) -> bool) -> bool {
    bytes.iter().fold(false, |any, &byte| any | is(byte))
}

/// Writes `items` to `out` with `by` between them.
fn separated<T>(
    out: &mut Vec<u8>,
    by: u8,
    items: impl IntoIterator<Item = T>,
    write: impl Fn(&mut Vec<u8>, T),
) {
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(by);
        }
        write(out, item);
    }
}

#[inline]
fn push_number(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

fn of_flag(flag: bool) -> &'static [u8] {
    if flag { b"true" } else { b"false" }
}

/// The end of rows with `--null`.
const NUL: &[u8] = b"\0";

/// Returns `text`, a URL or a path by itself, as it is written in a row that ends with `end`: NUL is
/// encoded as `%00` if it is the end, and a line break, which only paths have, is written `\n`.
#[inline]
fn escape_end<'t>(text: &'t [u8], end: &[u8]) -> Cow<'t, [u8]> {
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

/// Writes a cell with its tabs, line breaks and backslashes escaped, and NUL too if it ends rows.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of texts.
    struct Texts<'t>(&'t [&'t [u8]]);

    impl RowOf for Texts<'_> {
        fn fill(self, cells: &mut impl Cells) {
            self.0.iter().for_each(|text| cells.text(text));
        }
    }

    #[test]
    fn separators_in_cells_are_escaped() {
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
                let columns = ["a", "b"].map(|name| Column::new(name, DataType::Text));
                let layout = Layout::new(format, columns.to_vec(), b"\n", false);
                let mut out = Vec::new();
                layout.row(&mut out, Texts(cells));
                assert_eq!(String::from_utf8_lossy(&out), expected, "{format:?}");
            }
        }
    }
}
