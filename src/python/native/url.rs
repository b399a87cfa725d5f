//! `extract` and `find`: the URLs in a text.

use std::io;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use urlint::Event;
use urlint::list::{Cells, Field, Fields, Place, Time};
use urlint::text::Spans;

use crate::how::How;
use crate::text::{Offsets, Text, shown};

/// Returns the URLs in a text, in their order.
///
/// `text` is a `str`, `bytes` or `bytearray`. Keyword arguments are the keys of `urlint.toml`, with `_` for
/// `-`, such as `schemes`, `rejoin` and `standard`; no configuration file is read. `kind` is the kind of
/// document, and `path` the name of the text, by which the kind is told if `kind` does not say it.
///
/// Returns a `list` of `str`: each URL is whole, put together where a line break had split it, and has
/// its fragment. Bytes that are not UTF-8 become U+FFFD. What counts as a URL is what stands between
/// `<URL:` and `>` as in the appendix of RFC 1738, between brackets or quotes, or alone in the text.
///
/// Raises `TypeError` for another type of text or setting, `ValueError` for a mistake in a setting and for
/// a `str` with surrogates. Other threads run meanwhile.
///
///     >>> import urlint
///     >>> urlint.extract("See <URL:http://www.a.example/his\n  tory/> and (http://b.example/#top).")
///     ['http://www.a.example/history/', 'http://b.example/#top']
///     >>> urlint.extract('<a href="/x?a=1&amp;b=2">', kind="html")
///     []
///     >>> urlint.extract('<a href="http://a.example/?a=1&amp;b=2">', kind="html")
///     ['http://a.example/?a=1&b=2']
#[pyfunction]
#[pyo3(signature = (text, **how))]
pub(crate) fn extract(
    py: Python<'_>,
    text: Text,
    how: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<String>> {
    let how = How::of(how)?;
    Ok(py.detach(|| {
        let mut urls = Vec::new();
        each(&how, &[Field::Url], text.bytes(), |cells| {
            urls.extend(cells.into_iter().filter_map(Cell::text));
        });
        urls
    }))
}

/// Returns the URLs in a text, in their order, with what is known of each.
///
/// Takes and raises the same as `extract`. Returns a `list` of `Url`. Offsets are in code points for a
/// `str` and in bytes for `bytes` and `bytearray`, so that `text[url.start:url.end]` is what the URL was
/// found in.
///
///     >>> import urlint
///     >>> text = "Größe: <URL:http://a.example/x\n  /y>"
///     >>> [url] = urlint.find(text)
///     >>> url
///     <urlint.Url "http://a.example/x/y" at 7:36>
///     >>> text[url.start:url.end]
///     '<URL:http://a.example/x\n  /y>'
///     >>> [text[start:end] for start, end in url.pieces]
///     ['http://a.example/x', '/y']
///     >>> url.valid, url.host, url.delimiter
///     (True, 'a.example', 'wrapper')
#[pyfunction]
#[pyo3(signature = (text, **how))]
pub(crate) fn find(
    py: Python<'_>,
    text: Text,
    how: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Url>> {
    let how = How::of(how)?;
    Ok(py.detach(|| {
        let offsets = text.offsets();
        let mut urls = Vec::new();
        each(&how, &FIELDS, text.bytes(), |cells| {
            urls.push(Url::of(cells, &offsets));
        });
        urls
    }))
}

/// Hands what `fields` tell about each URL to `take`.
fn each(how: &How, fields: &[Field], text: &[u8], mut take: impl FnMut(Vec<Cell>)) {
    let fields = Fields::new(fields);
    let place = Place::new(how.path(), None);
    let read = how.reader().read_bytes(how.path(), text, &mut |event| {
        if let Event::Found(found) = event {
            let mut row = Row::default();
            fields.write(&mut row, place, &found, &how.settings);
            take(row.0);
        }
        Ok::<(), io::Error>(())
    });
    // Nothing fails in memory.
    drop(read);
}

/// The fields of a [`Url`], in the order in which it takes them.
const FIELDS: [Field; 11] = [
    Field::Url,
    Field::Fragment,
    Field::Scheme,
    Field::Host,
    Field::Delimiter,
    Field::Start,
    Field::End,
    Field::Pieces,
    Field::Valid,
    Field::Problems,
    Field::Alternatives,
];

/// A URL in a text, as `find` returns it.
///
/// `str(url)` is the URL with its fragment; `repr(url)` shows a password in it as `***`, and what would be
/// one if the URL were longer.
///
///     >>> import urlint
///     >>> [url] = urlint.find("ftp://ann:secret@a.example/")
///     >>> print(url)
///     ftp://ann:secret@a.example/
///     >>> url
///     <urlint.Url "ftp://ann:***@a.example/" at 0:27>
#[pyclass(frozen, get_all, module = "urlint")]
pub(crate) struct Url {
    /// The URL with its fragment, put together (`str`). Bytes that are not UTF-8 become U+FFFD; the
    /// exact ones are in the text, at `pieces`.
    url: String,
    /// What follows the first `#` (`str`), or `None`.
    fragment: Option<String>,
    /// The scheme in lower case (`str`; RFC 1738, section 2.1), or `None`.
    scheme: Option<String>,
    /// The host in lower case (`str`; RFC 1738, section 3.1), or `None`.
    host: Option<String>,
    /// How the URL is delimited in the text (`str`), such as `wrapper` for `<URL:` and `>` or `bare`.
    delimiter: String,
    /// Where the URL starts, with its delimiter (`int`): in code points in a `str`, else in bytes.
    start: usize,
    /// Where the URL ends, with its delimiter (`int`): in code points in a `str`, else in bytes.
    end: usize,
    /// Where the pieces of the URL are in the text (`list` of pairs of start and end): in code points in
    /// a `str`, else in bytes. There are several if line breaks have split it, or if parts of it are
    /// encoded, as `&amp;` in HTML.
    pieces: Vec<(usize, usize)>,
    /// Whether the standard allows the URL (`bool`); `None` if it holds a placeholder.
    valid: Option<bool>,
    /// The rules of the standard's grammar that the URL breaks (`list` of `str`): names for
    /// `urlint rule`.
    problems: Vec<String>,
    /// Other readings (`list` of `str`), if a hyphen at a line break may or may not belong to the URL.
    alternatives: Vec<String>,
}

impl Url {
    fn of(cells: Vec<Cell>, offsets: &Offsets<'_>) -> Self {
        let mut cells = cells.into_iter();
        let mut next = || cells.next().unwrap_or(Cell::Absent);
        let place = |at| offsets.of_byte(at);
        Url {
            url: next().text().unwrap_or_default(),
            fragment: next().text(),
            scheme: next().text(),
            host: next().text(),
            delimiter: next().text().unwrap_or_default(),
            start: place(next().number()),
            end: place(next().number()),
            pieces: {
                let pieces = next().ranges().into_iter();
                pieces
                    .map(|(start, end)| (place(start), place(end)))
                    .collect()
            },
            valid: next().flag(),
            problems: next().texts(),
            alternatives: next().texts(),
        }
    }
}

#[pymethods]
impl Url {
    fn __str__(&self) -> &str {
        &self.url
    }

    fn __repr__(&self) -> String {
        let shown = shown(&self.url);
        format!("<urlint.Url {shown:?} at {}:{}>", self.start, self.end)
    }
}

/// What a field tells.
enum Cell {
    Absent,
    Text(String),
    Texts(Vec<String>),
    Number(u64),
    Flag(bool),
    Ranges(Vec<(u64, u64)>),
}

impl Cell {
    fn text(self) -> Option<String> {
        match self {
            Cell::Text(text) => Some(text),
            _ => None,
        }
    }

    fn texts(self) -> Vec<String> {
        match self {
            Cell::Texts(texts) => texts,
            _ => Vec::new(),
        }
    }

    fn number(self) -> u64 {
        match self {
            Cell::Number(number) => number,
            _ => 0,
        }
    }

    fn flag(self) -> Option<bool> {
        match self {
            Cell::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    fn ranges(self) -> Vec<(u64, u64)> {
        match self {
            Cell::Ranges(ranges) => ranges,
            _ => Vec::new(),
        }
    }
}

/// The cells of a row, in the order of its fields.
#[derive(Default)]
struct Row(Vec<Cell>);

impl Cells for Row {
    fn absent(&mut self) {
        self.0.push(Cell::Absent);
    }

    fn text(&mut self, text: &[u8]) {
        self.0.push(Cell::Text(string(text)));
    }

    fn texts<T: AsRef<[u8]>>(&mut self, texts: impl IntoIterator<Item = T>) {
        let texts = texts.into_iter().map(|text| string(text.as_ref()));
        self.0.push(Cell::Texts(texts.collect()));
    }

    fn number(&mut self, number: u64) {
        self.0.push(Cell::Number(number));
    }

    fn flag(&mut self, flag: bool) {
        self.0.push(Cell::Flag(flag));
    }

    fn time(&mut self, time: Time) {
        self.0.push(Cell::Text(time.to_string()));
    }

    fn ranges(&mut self, ranges: &Spans) {
        let ranges = ranges.iter().map(|span| (span.start, span.end));
        self.0.push(Cell::Ranges(ranges.collect()));
    }
}

/// `text` as a string: bytes that are not UTF-8 become U+FFFD.
pub(crate) fn string(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
