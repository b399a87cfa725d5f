//! The rows of a list: how a URL is written.

use std::borrow::Cow;

use urlint::{Found, Rule, Span};

use super::Format;
use crate::report::json;
use crate::show;
use crate::source::Part;

/// The columns of CSV, and the keys of JSON.
const COLUMNS: [&str; 14] = [
    "path",
    "member",
    "url",
    "fragment",
    "alternatives",
    "scheme",
    "delimiter",
    "start",
    "end",
    "line",
    "column",
    "pieces",
    "valid",
    "problems",
];

/// How many bytes of rows are handed on at once.
const ENOUGH: usize = 64 * 1024;

/// Rows that have been written, and what is listed in each.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// The rows, one behind the other.
    pub(super) text: Vec<u8>,
    /// What is listed in each row, one behind the other, if the list asks for it.
    pub(super) keys: Vec<u8>,
    pub(super) rows: Vec<Row>,
    /// How many rows there are.
    pub(super) count: u64,
}

/// Where a row ends, and what is listed in it; it begins where the one before it ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) text_end: usize,
    pub(super) key_end: usize,
}

impl Batch {
    pub(super) fn is_full(&self) -> bool {
        self.text.len() + self.keys.len() >= ENOUGH
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.keys.clear();
        self.rows.clear();
        self.count = 0;
    }
}

/// How rows are written.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) format: Format,
    pub(super) end: &'static [u8],
    pub(super) redact: bool,
    /// Whether control characters must not go out as they are.
    pub(super) harmless: bool,
    /// Whether the list is to know what is listed in a row.
    pub(super) keyed: bool,
}

impl Rows {
    /// What stands above the rows.
    pub(super) fn heading(&self) -> Vec<u8> {
        match self.format {
            Format::Csv => (COLUMNS.join(",") + "\n").into_bytes(),
            Format::Text | Format::JsonLines => Vec::new(),
        }
    }

    /// Adds the row of `found`, in that part of the file `path`.
    pub(super) fn add(&self, batch: &mut Batch, path: &[u8], part: Part<'_>, found: &Found<'_>) {
        batch.count += 1;
        let text = &mut batch.text;
        if text.is_empty() {
            // Growing would go beyond what is allocated quickly.
            text.reserve(ENOUGH + ENOUGH / 8);
        }
        match self.format {
            Format::Text => self.text(text, &found.candidate.text),
            Format::JsonLines => self.json(text, path, part, found),
            Format::Csv => self.csv(text, path, part, found),
        }
        if self.keyed {
            batch.keys.extend_from_slice(&found.candidate.text);
            batch.rows.push(Row {
                text_end: batch.text.len(),
                key_end: batch.keys.len(),
            });
        }
    }

    fn text(&self, out: &mut Vec<u8>, url: &[u8]) {
        if self.redact || self.harmless {
            out.extend_from_slice(&self.shown(url));
        } else {
            out.extend_from_slice(url);
        }
        out.extend_from_slice(self.end);
    }

    fn json(&self, out: &mut Vec<u8>, path: &[u8], part: Part<'_>, found: &Found<'_>) {
        let candidate = &found.candidate;
        let parsed = urlint::rfc1738::parse(candidate.url());
        json::object(out, |object| {
            object.string("path", path);
            object.optional("member", part.name().as_deref());
            object.string("url", &self.redacted(&candidate.text));
            object.optional("fragment", candidate.fragment());
            let alternatives = candidate.alternatives.iter();
            object.strings(
                "alternatives",
                alternatives.map(|other| self.redacted(&other.text)),
            );
            object.optional("scheme", scheme(&parsed).as_deref());
            object.string("delimiter", candidate.delimiter.name().as_bytes());
            object.number("start", candidate.outer.start);
            object.number("end", candidate.outer.end);
            object.number("line", found.position.line);
            object.number("column", found.position.column);
            json::list(object.field("pieces"), candidate.pieces.iter(), json::pair);
            object.boolean("valid", parsed.is_valid());
            object.strings("problems", problems(&parsed));
        });
        out.push(b'\n');
    }

    fn csv(&self, out: &mut Vec<u8>, path: &[u8], part: Part<'_>, found: &Found<'_>) {
        let candidate = &found.candidate;
        let parsed = urlint::rfc1738::parse(candidate.url());
        let alternatives: Vec<_> = candidate
            .alternatives
            .iter()
            .map(|other| self.shown(&other.text))
            .collect();
        let pieces: Vec<_> = candidate.pieces.iter().map(range).collect();
        let number = |number: u64| number.to_string().into_bytes();
        let row: [Vec<u8>; COLUMNS.len()] = [
            self.tamed(path).into_owned(),
            self.tamed(&part.name().unwrap_or_default()).into_owned(),
            self.shown(&candidate.text).into_owned(),
            self.shown(candidate.fragment().unwrap_or_default())
                .into_owned(),
            alternatives.join(&b' '),
            scheme(&parsed).unwrap_or_default(),
            candidate.delimiter.name().into(),
            number(candidate.outer.start),
            number(candidate.outer.end),
            number(found.position.line),
            number(found.position.column),
            pieces.join(" ").into(),
            parsed.is_valid().to_string().into(),
            problems(&parsed).join(" ").into(),
        ];
        let mut writer = csv::Writer::from_writer(out);
        // Nothing that is written to memory fails.
        let _ = writer.write_record(&row);
        let _ = writer.flush();
    }

    fn redacted<'u>(&self, url: &'u [u8]) -> Cow<'u, [u8]> {
        if self.redact {
            show::redact(url)
        } else {
            Cow::Borrowed(url)
        }
    }

    /// The URL as it goes out where control characters are not escaped.
    fn shown<'u>(&self, url: &'u [u8]) -> Cow<'u, [u8]> {
        match self.redacted(url) {
            Cow::Borrowed(url) => self.tamed(url),
            Cow::Owned(url) => Cow::Owned(self.tamed(&url).into_owned()),
        }
    }

    /// `bytes`, fit for a terminal if they go to one.
    fn tamed<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        if !self.harmless {
            return Cow::Borrowed(bytes);
        }
        Cow::Owned(show::line(bytes).into_owned().into_bytes())
    }
}

/// The scheme in lower case.
pub(crate) fn scheme(parsed: &urlint::rfc1738::Parsed<'_>) -> Option<Vec<u8>> {
    Some(parsed.scheme()?.to_ascii_lowercase().into_bytes())
}

/// The names of the problems, each once, in the order of their places.
fn problems(parsed: &urlint::rfc1738::Parsed<'_>) -> Vec<&'static str> {
    let mut names = Vec::new();
    for problem in &parsed.problems {
        let name = Rule::from(problem.kind).name();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn range(span: Span) -> String {
    format!("{}-{}", span.start, span.end)
}
