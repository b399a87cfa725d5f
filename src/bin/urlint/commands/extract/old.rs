//! Reading a list that was made before.

use std::borrow::Cow;
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
            Format::Csv => self.table(Old::comma_separated, take),
            Format::Tsv => self.table(Old::tab_separated, take),
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

    /// Reads a table whose first row has the names of the columns.
    fn table(
        &mut self,
        next: fn(&mut Self, &mut Vec<Vec<u8>>) -> Result<bool, Error>,
        take: &mut Take<'_>,
    ) -> Result<(), Error> {
        let mut cells = Vec::new();
        if !next(self, &mut cells)? {
            return Ok(());
        }
        let Some(column) = cells.iter().position(|cell| cell == URL.as_bytes()) else {
            return Err(self.wrong(NO_URL));
        };
        while next(self, &mut cells)? {
            match cells.get(column) {
                Some(url) => take(url)?,
                None if cells.is_empty() => {}
                None => return Err(self.wrong(NO_URL)),
            }
        }
        Ok(())
    }

    /// Reads the cells of a row that tabs separate. An empty row has none.
    fn tab_separated(&mut self, cells: &mut Vec<Vec<u8>>) -> Result<bool, Error> {
        cells.clear();
        let mut line = Vec::new();
        if !self.line(&mut line)? {
            return Ok(false);
        }
        if !line.is_empty() {
            cells.extend(line.split(|&byte| byte == b'\t').map(unescaped));
        }
        Ok(true)
    }

    /// Reads the cells of a row that commas separate, as RFC 4180 describes it. An empty row has none.
    fn comma_separated(&mut self, cells: &mut Vec<Vec<u8>>) -> Result<bool, Error> {
        cells.clear();
        let (mut line, mut more) = (Vec::new(), Vec::new());
        if !self.line(&mut line)? {
            return Ok(false);
        }
        // A line break in quotes does not end the row.
        let mut quotes = quotes_in(&line);
        while quotes % 2 == 1 && self.line(&mut more)? {
            line.push(b'\n');
            line.extend_from_slice(&more);
            quotes += quotes_in(&more);
            if line.len() as u64 > MAX_ROW {
                return Err(self.wrong(TOO_LONG));
            }
        }
        if line.is_empty() {
            return Ok(true);
        }
        let (mut cell, mut is_quoted, mut was_quote) = (Vec::new(), false, false);
        for byte in line {
            // Two quotes in quotes are one.
            let is_again = std::mem::take(&mut was_quote);
            match byte {
                b'"' => {
                    is_quoted = !is_quoted;
                    was_quote = !is_quoted;
                    if is_again {
                        cell.push(b'"');
                    }
                }
                b',' if !is_quoted => cells.push(std::mem::take(&mut cell)),
                byte => cell.push(byte),
            }
        }
        cells.push(cell);
        Ok(true)
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
        cells.clone().all(is_column) && cells.any(|cell| cell == URL.as_bytes())
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

fn quotes_in(line: &[u8]) -> usize {
    memchr::memchr_iter(b'"', line).count()
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
