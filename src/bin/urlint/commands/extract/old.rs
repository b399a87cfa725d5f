//! Reading a list that was made before.

use std::borrow::Cow;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use serde::Deserialize;
use urlint::list::Field;

use super::Format;
use super::cells::in_utf8;
use super::differences::CHANGE;
use crate::error::Error;

/// How much is read at first, to tell the format.
const HEAD: u64 = 64 << 10;

/// The longest row that is read, in bytes.
const MAX_ROW: u64 = 64 << 20;

/// The column that is read.
const URL: &str = "url";

/// Takes a URL.
pub(super) type Take<'t> = dyn FnMut(&[u8]) -> Result<(), Error> + 't;

/// A list that was made before.
pub(super) struct Old<'p> {
    path: &'p Path,
    rows: Box<dyn BufRead>,
    pub(super) format: Format,
    /// What ends a row of text.
    end: u8,
    /// The number of the row that was read last, from 1.
    row: u64,
}

/// A row of JSON.
#[derive(Deserialize)]
struct Row<'r> {
    #[serde(borrow)]
    url: Option<Cow<'r, str>>,
}

impl<'p> Old<'p> {
    /// Opens the list at `path`; `-` is standard input. A row of text ends with `end`.
    pub(super) fn open(path: &'p Path, end: u8) -> Result<Self, Error> {
        let opened = open(path);
        let (mut head, rest) = opened.map_err(|error| Error::File(path.to_owned(), error))?;
        if head.starts_with(b"\xEF\xBB\xBF") {
            head.drain(..3);
        }
        let format = by_extension(path).unwrap_or_else(|| by_content(&head));
        let mut old = Old {
            path,
            rows: Box::new(io::empty()),
            format,
            end: if format == Format::Text { end } else { b'\n' },
            row: 0,
        };
        if old.end != 0 && head.contains(&0) {
            return Err(old.wrong(
                "not a list of URLs; one that is compressed can be unpacked into `--diff -`",
            ));
        }
        old.rows = Box::new(BufReader::new(Cursor::new(head).chain(rest)));
        Ok(old)
    }

    /// Hands each URL to `take`.
    pub(super) fn each(mut self, take: &mut Take<'_>) -> Result<(), Error> {
        match self.format {
            Format::Text => self.text(take),
            Format::JsonLines => self.json(take),
            Format::Csv => self.comma_separated(take),
            Format::Tsv => self.tab_separated(take),
            // No list is taken for one of these.
            Format::Parquet | Format::Arrow => Ok(()),
        }
    }

    fn text(&mut self, take: &mut Take<'_>) -> Result<(), Error> {
        let mut line = Vec::new();
        while self.line(&mut line)? {
            if !line.is_empty() {
                take(&line)?;
            }
        }
        Ok(())
    }

    fn json(&mut self, take: &mut Take<'_>) -> Result<(), Error> {
        let mut line = Vec::new();
        while self.line(&mut line)? {
            if line.trim_ascii().is_empty() {
                continue;
            }
            let row: Row<'_> = match serde_json::from_slice(&line) {
                Ok(row) => row,
                Err(error) => return Err(self.wrong(&format!("not a row of JSON: {error}"))),
            };
            match row.url {
                Some(url) => take(url.as_bytes())?,
                None => return Err(self.wrong(NO_URL)),
            }
        }
        Ok(())
    }

    /// Reads a table whose cells tabs separate, and whose first row has the names of the columns.
    fn tab_separated(&mut self, take: &mut Take<'_>) -> Result<(), Error> {
        let mut line = Vec::new();
        if !self.line(&mut line)? {
            return Ok(());
        }
        let Some(column) = cells(&line).position(is_url) else {
            return Err(self.wrong(NO_URL));
        };
        while self.line(&mut line)? {
            match cells(&line).nth(column) {
                Some(url) => take(&unescaped(url))?,
                None if line.is_empty() => {}
                None => return Err(self.wrong(NO_URL)),
            }
        }
        Ok(())
    }

    /// Reads a table whose cells commas separate, as RFC 4180 describes it, and whose first row has
    /// the names of the columns.
    fn comma_separated(&mut self, take: &mut Take<'_>) -> Result<(), Error> {
        let left = Cell::new(MAX_ROW);
        let rows = ShortRows {
            rows: std::mem::replace(&mut self.rows, Box::new(io::empty())),
            left: &left,
        };
        let mut table = csv::ReaderBuilder::new().flexible(true).from_reader(rows);
        let column = table.byte_headers().map(|names| {
            let is_empty = names.is_empty();
            (is_empty, names.iter().position(is_url))
        });
        self.row = 1;
        let column = match column.map_err(|error| self.unread(error))? {
            (true, _) => return Ok(()),
            (false, Some(column)) => column,
            (false, None) => return Err(self.wrong(NO_URL)),
        };
        let mut row = csv::ByteRecord::new();
        loop {
            left.set(MAX_ROW);
            self.row = table.position().line();
            let is_row = table.read_byte_record(&mut row);
            if !is_row.map_err(|error| self.unread(error))? {
                return Ok(());
            }
            match row.get(column) {
                Some(url) => take(url)?,
                None => return Err(self.wrong(NO_URL)),
            }
        }
    }

    fn unread(&self, error: csv::Error) -> Error {
        match error.into_kind() {
            csv::ErrorKind::Io(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                self.wrong(TOO_LONG)
            }
            csv::ErrorKind::Io(error) => Error::File(self.path.to_owned(), error),
            // Rows may have any number of cells, of any bytes.
            other => self.wrong(&format!("not a table: {other:?}")),
        }
    }

    /// Reads a row without its end. Returns whether there was one.
    fn line(&mut self, line: &mut Vec<u8>) -> Result<bool, Error> {
        line.clear();
        self.row += 1;
        let mut rows = (&mut self.rows).take(MAX_ROW);
        let read = rows.read_until(self.end, line);
        let read = read.map_err(|error| Error::File(self.path.to_owned(), error))?;
        if read as u64 == MAX_ROW {
            return Err(self.wrong(TOO_LONG));
        }
        if line.last() == Some(&self.end) {
            line.pop();
        }
        if self.end == b'\n' && line.last() == Some(&b'\r') {
            line.pop();
        }
        Ok(read > 0)
    }

    fn wrong(&self, what: &str) -> Error {
        let place = match self.row {
            0 => String::new(),
            row => format!(":{row}"),
        };
        Error::Usage(format!("{}{place}: {what}", self.path.display()))
    }
}

/// Rows of a table, none of which may be too long: after so many bytes without a new row it fails.
struct ShortRows<'l> {
    rows: Box<dyn BufRead>,
    left: &'l Cell<u64>,
}

impl Read for ShortRows<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let count = self.rows.read(out)?;
        self.left.set(self.left.get().saturating_sub(count as u64));
        Ok(count)
    }
}

const NO_URL: &str = "no field `url`, which --diff compares";
const TOO_LONG: &str = "the row is too long";

/// Opens the file at `path`, and reads its head.
fn open(path: &Path) -> io::Result<(Vec<u8>, Box<dyn Read>)> {
    let mut rest: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path)?)
    };
    let mut head = Vec::new();
    (&mut rest).take(HEAD).read_to_end(&mut head)?;
    Ok((head, rest))
}

fn by_extension(path: &Path) -> Option<Format> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match &*extension {
        "jsonl" | "ndjson" | "json" => Some(Format::JsonLines),
        "csv" => Some(Format::Csv),
        "tsv" => Some(Format::Tsv),
        _ => None,
    }
}

/// The format of a list that begins with `head`.
fn by_content(head: &[u8]) -> Format {
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = line.trim_ascii();
    let are_columns = |separator: u8| {
        let mut cells = line.split(|&byte| byte == separator);
        cells.clone().all(is_column) && cells.any(is_url)
    };
    if line.starts_with(b"{") {
        Format::JsonLines
    } else if are_columns(b'\t') {
        Format::Tsv
    } else if are_columns(b',') {
        Format::Csv
    } else {
        Format::Text
    }
}

fn is_column(name: &[u8]) -> bool {
    let mut fields = Field::ALL.iter();
    name == CHANGE.as_bytes() || fields.any(|field| field.name().as_bytes() == name)
}

fn is_url(name: &[u8]) -> bool {
    name == URL.as_bytes()
}

fn cells(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&byte| byte == b'\t')
}

/// A cell that tabs separate, without its escapes.
fn unescaped(cell: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(cell.len());
    let mut bytes = cell.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        out.push(match bytes.next() {
            Some(b't') => b'\t',
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(other) => other,
            None => b'\\',
        });
    }
    out
}

/// Returns `url` as a list of that format has it: only text has bytes that are not UTF-8.
pub(super) fn spelled(format: Format, url: &[u8]) -> Cow<'_, [u8]> {
    if format == Format::Text || str::from_utf8(url).is_ok() {
        return Cow::Borrowed(url);
    }
    in_utf8(url)
}
