//! Rows of lists: a parser of their format reads the values of the cells.

use std::io::Error;

use serde_json::{Value, json};
use urlint::document::Kind;
use urlint::lint::Checker;
use urlint::list::{Cells, Field, Fields, SourceInfo, Time};
use urlint::text::Spans;
use urlint::{Event, Found, Reader, Settings};

use urlint_cli::rows::{Column, Format, Layout, RowOf};

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
    let fields = Fields::new(Field::ALL)
        .with_redact(how & 1 != 0)
        .with_normalize(how & 2 != 0)
        .with_context_chars(usize::from(how >> 2));
    let formats = [Format::JsonLines, Format::Csv, Format::Tsv].map(|format| {
        let columns = Field::ALL.iter().copied().map(Column::from).collect();
        Layout::new(format, columns, b"\n", false)
    });
    let mut all = Vec::new();
    let mut written = [const { Vec::new() }; 3];
    let read = reader.read(b"a", source, &mut |event| {
        if let Event::Found(found) = event {
            let row = || Row {
                fields: &fields,
                found: &found,
            };
            let mut values = Values::default();
            row().fill(&mut values);
            all.push(values.0);
            for (layout, out) in formats.iter().zip(&mut written) {
                layout.row(out, row());
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

struct Row<'r, 'w> {
    fields: &'r Fields,
    found: &'r Found<'w>,
}

impl RowOf for Row<'_, '_> {
    fn fill(self, cells: &mut impl Cells) {
        let info = SourceInfo::new(b"a", None);
        let settings = Settings::default();
        let checker = Checker::new(&settings);
        self.fields.write(cells, info, &checker.judge(self.found));
    }
}

/// The values of the cells, in JSON.
#[derive(Default)]
struct Values(Vec<Value>);

/// Returns `bytes` with U+FFFD for each byte that is not UTF-8.
fn text(bytes: &[u8]) -> Value {
    let mut text = String::new();
    urlint_report::terminal::each_char(bytes, |_, c| text.push(c));
    text.into()
}

impl Cells for Values {
    fn absent(&mut self) {
        self.0.push(Value::Null);
    }

    fn text(&mut self, bytes: &[u8]) {
        self.0.push(text(bytes));
    }

    fn texts<T: AsRef<[u8]>>(&mut self, texts: impl IntoIterator<Item = T>) {
        self.0.push(
            texts
                .into_iter()
                .map(|bytes| text(bytes.as_ref()))
                .collect(),
        );
    }

    fn number(&mut self, number: u64) {
        self.0.push(number.into());
    }

    fn flag(&mut self, flag: bool) {
        self.0.push(flag.into());
    }

    fn time(&mut self, time: Time) {
        self.0.push(time.to_string().into());
    }

    fn ranges(&mut self, ranges: &Spans) {
        let range = |span: urlint::Span| json!([span.start, span.end]);
        self.0.push(ranges.iter().map(range).collect());
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
