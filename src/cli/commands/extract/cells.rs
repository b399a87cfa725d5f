//! Writes rows in the text formats. Rows of binary tables are packed.

use std::borrow::Cow;
use std::io::Write;

use urlint_list::{Cell, DataType, Field};

use super::{Format, packed};
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
    /// How the cells of a row with separators are written.
    style: CellStyle,
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
        let style = match format {
            Format::Csv => CellStyle::Commas,
            Format::Tsv => CellStyle::Tabs,
            _ => CellStyle::RawTabs,
        };
        Layout {
            format,
            end,
            escape_controls,
            style,
            heading: heading.into_bytes(),
            names: names.iter().enumerate().map(name).collect(),
            columns,
        }
    }

    /// Returns the layout for rows whose cells stay as they are in the format `text`, since only the last
    /// one may contain a tab.
    pub(super) fn verbatim(self) -> Self {
        let style = match self.format {
            Format::Text => CellStyle::Verbatim,
            _ => self.style,
        };
        Layout { style, ..self }
    }

    /// Writes a row to `out`.
    #[inline]
    pub fn row<'c>(&self, out: &mut Vec<u8>, cells: impl IntoIterator<Item = Cell<'c>>) {
        let start = out.len();
        match self.format {
            Format::JsonLines => {
                for (name, cell) in self.names.iter().zip(cells) {
                    out.extend_from_slice(name);
                    push_json(out, &cell);
                }
                out.extend_from_slice(b"}\n");
            }
            Format::Csv | Format::Tsv | Format::Text => {
                for (index, cell) in cells.into_iter().enumerate() {
                    if index > 0 {
                        out.push(self.style.separator());
                    }
                    self.push_cell(out, &cell);
                }
                // In CSV, a row of one empty cell would be an empty line, which readers skip.
                if self.format == Format::Csv && out.len() == start {
                    out.extend_from_slice(b"\"\"");
                }
                out.extend_from_slice(self.end);
            }
            Format::Parquet | Format::Arrow | Format::Html => {
                cells.into_iter().for_each(|cell| packed::put(out, &cell));
            }
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

/// Writes the value of a cell in JSON.
fn push_json(out: &mut Vec<u8>, cell: &Cell<'_>) {
    match cell {
        Cell::Text(text) => json::write_text(out, text),
        Cell::Texts(texts) => {
            out.push(b'[');
            separated(out, b',', texts, |out, text| json::write_text(out, text));
            out.push(b']');
        }
        Cell::Name(_) | Cell::Time(_) => {
            out.push(b'"');
            push_plain(out, cell);
            out.push(b'"');
        }
        Cell::Ranges(ranges) => {
            out.push(b'[');
            separated(out, b',', ranges.iter(), |out, span| {
                out.push(b'[');
                separated(out, b',', [span.start, span.end], push_number);
                out.push(b']');
            });
            out.push(b']');
        }
        Cell::Number(_) | Cell::Flag(_) => push_plain(out, cell),
        _ => out.extend_from_slice(b"null"),
    }
}

/// Writes the value of a cell without anything around it: nothing if it is absent.
fn push_plain(out: &mut Vec<u8>, cell: &Cell<'_>) {
    match cell {
        Cell::Text(text) => out.extend_from_slice(text),
        Cell::Name(name) => out.extend_from_slice(name.as_bytes()),
        Cell::Texts(texts) => separated(out, b' ', texts, |out, text| out.extend_from_slice(text)),
        Cell::Number(number) => push_number(out, *number),
        Cell::Flag(flag) => out.extend_from_slice(if *flag { b"true" } else { b"false" }),
        // Writing to memory never fails.
        Cell::Time(time) => _ = write!(out, "{time}"),
        Cell::Ranges(ranges) => separated(out, b' ', ranges.iter(), |out, span| {
            separated(out, b'-', [span.start, span.end], push_number);
        }),
        _ => {}
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

impl CellStyle {
    fn separator(self) -> u8 {
        match self {
            CellStyle::Commas => b',',
            CellStyle::Tabs | CellStyle::RawTabs | CellStyle::Verbatim => b'\t',
        }
    }
}

impl Layout {
    /// Writes a cell of a row with separators.
    #[inline]
    fn push_cell(&self, out: &mut Vec<u8>, cell: &Cell<'_>) {
        let start = out.len();
        push_plain(out, cell);
        if matches!(cell, Cell::Text(_) | Cell::Texts(_))
            && (self.escape_controls || self.is_special(&out[start..]))
        {
            self.rewrite(out, start);
        }
    }

    /// Returns whether a cell has to be written in another way.
    #[inline]
    fn is_special(&self, cell: &[u8]) -> bool {
        match self.style {
            CellStyle::Commas => any(cell, |byte| {
                matches!(byte, b',' | b'"' | b'\r' | b'\n' | 0x80..)
            }),
            CellStyle::Tabs | CellStyle::RawTabs => {
                any(cell, |byte| {
                    matches!(byte, b'\t' | b'\n' | b'\r' | b'\\' | 0x80..)
                }) || self.end == NUL && any(cell, |byte| byte == 0)
            }
            CellStyle::Verbatim => any(cell, |byte| [byte] == self.end),
        }
    }

    /// Rewrites the cell that begins at `start` of `out`.
    #[cold]
    fn rewrite(&self, out: &mut Vec<u8>, start: usize) {
        let cell = out.split_off(start);
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
            CellStyle::Commas => push_quoted(out, &cell),
            CellStyle::Tabs | CellStyle::RawTabs => push_escaped(out, &cell, self.end == NUL),
            CellStyle::Verbatim => out.extend_from_slice(&escape_end(&cell, self.end)),
        }
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
                layout.row(&mut out, cells.iter().map(|cell| Cell::from(*cell)));
                assert_eq!(String::from_utf8_lossy(&out), expected, "{format:?}");
            }
        }
    }
}
