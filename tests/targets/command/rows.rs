//! Rows of lists: a parser of their format reads the values of the cells.

use std::io::Error;

use serde_json::{Value, json};
use urlint::document::Kind;
use urlint::lint::Checker;
use urlint::list::{Cell, Field, Fields, SourceInfo};
use urlint::{Event, Reader, Settings};

use urlint_cli::rows::{Column, Format, Layout};

/// The maximum length of a source: each row is written in each format.
const LONGEST: usize = 4 << 10;

/// The first byte chooses the kind of document for the rest, the second the form of the cells.
pub(super) fn rows(input: &[u8]) {
    let [kind, how, source @ ..] = input else {
        return;
    };
    if source.len() > LONGEST {
        return;
    }
    let reader = Reader::default()
        .with_kind(Kind::ALL[usize::from(*kind) % Kind::ALL.len()])
        .with_positions(true);
    let mut fields = Fields::new(Field::ALL);
    fields.redact = how & 1 != 0;
    fields.normalize = how & 2 != 0;
    fields.context_chars = usize::from(how >> 2);
    let formats = [Format::JsonLines, Format::Csv, Format::Tsv].map(|format| {
        let columns = Field::ALL.iter().copied().map(Column::from).collect();
        Layout::new(format, columns, b"\n", false)
    });
    let mut all = Vec::new();
    let mut written = [const { Vec::new() }; 3];
    let read = reader.read(b"a", source, &mut |event| {
        if let Event::Found(found) = event {
            let settings = Settings::default();
            let checker = Checker::new(&settings);
            let judged = checker.judge(&found);
            let row = fields.row(SourceInfo::new(b"a", None), &judged);
            all.push(row.cells().map(value).collect::<Vec<_>>());
            for (layout, out) in formats.iter().zip(&mut written) {
                layout.row(out, row.cells());
            }
        }
        Ok::<(), Error>(())
    });
    read.unwrap();
    let [json, csv, tsv] = written.map(|text| String::from_utf8(text).expect("rows are UTF-8"));
    assert_eq!(json.lines().count(), all.len());
    for (line, row) in json.lines().zip(&all) {
        let object: Value = serde_json::from_str(line).expect("it is JSON");
        for (field, value) in Field::ALL.iter().zip(row) {
            assert_eq!(&object[field.name()], value, "{field:?}");
        }
    }
    let mut csv = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(csv.as_bytes());
    let records: Vec<_> = csv.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), all.len());
    for (record, row) in records.iter().zip(&all) {
        assert!(record.iter().eq(row.iter().map(shown)));
    }
    assert_eq!(tsv.lines().count(), all.len());
    for (line, row) in tsv.split('\n').zip(&all) {
        assert!(line.split('\t').map(unescaped).eq(row.iter().map(shown)));
    }
}

/// Returns `bytes` with U+FFFD for each byte that is not UTF-8.
fn text(bytes: &[u8]) -> Value {
    let mut text = String::new();
    urlint_report::terminal::each_char(bytes, |_, c| text.push(c));
    text.into()
}

/// Returns the value of a cell, in JSON.
fn value(cell: Cell<'_>) -> Value {
    match cell {
        Cell::Text(bytes) => text(&bytes),
        Cell::Name(name) => name.into(),
        Cell::Texts(texts) => texts.iter().map(|bytes| text(bytes)).collect(),
        Cell::Number(number) => number.into(),
        Cell::Flag(flag) => flag.into(),
        Cell::Time(time) => time.to_string().into(),
        Cell::Ranges(ranges) => {
            let range = |span: urlint::Span| json!([span.start, span.end]);
            ranges.iter().map(range).collect()
        }
        _ => Value::Null,
    }
}

/// Returns a value as written on a line: the items of a list in sequence, the ends of a range with
/// a hyphen.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let separator = if items.iter().all(Value::is_u64) && !items.is_empty() {
                "-"
            } else {
                " "
            };
            let items: Vec<_> = items.iter().map(shown).collect();
            items.join(separator)
        }
        other => other.to_string(),
    }
}

/// A cell of a line with tabs.
fn unescaped(cell: &str) -> String {
    let mut text = String::new();
    let mut rest = cell.chars();
    while let Some(c) = rest.next() {
        text.push(match c {
            '\\' => match rest.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                other => {
                    assert_eq!(other, Some('\\'));
                    '\\'
                }
            },
            c => c,
        });
    }
    text
}
