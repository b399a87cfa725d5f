//! Rows of lists: each has a cell for each field, of its type, whatever is read and however it is written.

use std::io::Error;

use urlint::list::{Cells, DataType, Field, Fields, Place, Time};
use urlint::text::Spans;
use urlint::{Event, Settings, Standard};

use super::documents::reader;

/// The first byte says what kind of document the rest is, the second how it is read and written.
pub(super) fn lists(input: &[u8]) {
    let [kind, how, source @ ..] = input else {
        return;
    };
    let reader = reader(*kind, *how | 0x80).with_positions(true);
    let all = Fields::new(Field::ALL)
        .with_normalize(how & 1 != 0)
        .with_context_chars(usize::from(how & 0x38));
    let plain = all.clone().with_redact(false);
    let hidden = all.with_redact(true);
    let standard = Standard::ALL[usize::from(how >> 1) % Standard::ALL.len()];
    let settings = Settings::default().with_standard(standard);
    let read = reader.read_bytes(b"a", source, &mut |event| {
        let Event::Found(found) = event else {
            return Ok(());
        };
        let place = Place::new(b"a", None);
        let [plain, hidden] = [&plain, &hidden].map(|fields| {
            let mut row = Row::default();
            fields.write(&mut row, place, &found, &settings);
            row.assert_complete();
            row
        });
        // Only what is text can hold a password.
        for ((field, plain), hidden) in Field::ALL.iter().zip(&plain.0).zip(&hidden.0) {
            if !matches!(field.data_type(), DataType::Text | DataType::Texts) {
                assert_eq!(plain, hidden, "{field:?}");
            }
        }
        Ok::<(), Error>(())
    });
    read.unwrap();
}

#[derive(Debug, PartialEq)]
enum Cell {
    Absent,
    Is(DataType, String),
}

/// The cells of a row.
#[derive(Default)]
struct Row(Vec<Cell>);

impl Row {
    fn assert_complete(&self) {
        assert_eq!(self.0.len(), Field::ALL.len());
        for (field, cell) in Field::ALL.iter().zip(&self.0) {
            match cell {
                Cell::Absent => assert!(field.is_optional(), "{field:?}"),
                Cell::Is(data_type, _) => assert_eq!(*data_type, field.data_type(), "{field:?}"),
            }
        }
    }

    fn add(&mut self, data_type: DataType, value: impl std::fmt::Debug) {
        self.0.push(Cell::Is(data_type, format!("{value:?}")));
    }
}

impl Cells for Row {
    fn absent(&mut self) {
        self.0.push(Cell::Absent);
    }

    fn text(&mut self, text: &[u8]) {
        self.add(DataType::Text, text);
    }

    fn texts<T: AsRef<[u8]>>(&mut self, texts: impl IntoIterator<Item = T>) {
        let texts: Vec<_> = texts
            .into_iter()
            .map(|text| text.as_ref().to_vec())
            .collect();
        self.add(DataType::Texts, texts);
    }

    fn number(&mut self, number: u64) {
        self.add(DataType::Number, number);
    }

    fn flag(&mut self, flag: bool) {
        self.add(DataType::Flag, flag);
    }

    fn time(&mut self, time: Time) {
        // However odd it is, it can be written.
        assert!(!time.to_string().is_empty());
        self.add(DataType::Time, time);
    }

    fn ranges(&mut self, ranges: &Spans) {
        self.add(DataType::Ranges, ranges);
    }
}
