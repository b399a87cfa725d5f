//! `extract` and `find`: the URLs in a text.

use std::io;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use urlint::Event;
use urlint::list::{Cells, Field, Fields, Place, Time};
use urlint::text::Spans;

use crate::how::How;
use crate::text::{Offsets, Text};

/// Returns the URLs in a text, in their order, with their fragments.
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

/// Returns the URLs in a text with what is known of each.
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
    let read = how.reader.read_bytes(how.path(), text, &mut |event| {
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

/// A URL in a text.
#[pyclass(frozen, get_all, module = "urlint")]
pub(crate) struct Url {
    url: String,
    fragment: Option<String>,
    scheme: Option<String>,
    host: Option<String>,
    delimiter: String,
    start: usize,
    end: usize,
    pieces: Vec<(usize, usize)>,
    valid: Option<bool>,
    problems: Vec<String>,
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
        let shown = urlint::url::password::redacted(self.url.as_bytes());
        let shown = String::from_utf8_lossy(&shown);
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
