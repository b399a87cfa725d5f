//! Rows of lists: each has a cell of the right type for each field, whatever is read and however it
//! is written.

use std::io::Error;

use urlint::lint::Checker;
use urlint::list::{Cells, DataType, Field, Fields, SourceInfo, Time};
use urlint::text::Spans;
use urlint::{Event, Settings, Standard};

use super::documents::reader;

/// The first byte chooses the kind of document for the rest, the second how it is read and written.
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
    let read = reader.read(b"a", source, &mut |event| {
        let Event::Found(found) = event else {
            return Ok(());
        };
        let info = SourceInfo::new(b"a", None);
        let [plain, hidden] = [&plain, &hidden].map(|fields| {
            let mut row = Row::default();
            fields.write(&mut row, info, &Checker::new(&settings).judge(&found));
            row.assert_complete();
            row
        });
        // Only text can hold a password; where one is hidden, the host may differ or be absent.
        let is_text = |cell: &Cell| matches!(cell, Cell::Text | Cell::Absent);
        for (plain, hidden) in plain.0.iter().zip(&hidden.0) {
            assert!(plain == hidden || is_text(plain) && is_text(hidden));
        }
        Ok::<(), Error>(())
    });
    read.unwrap();
}

#[derive(Debug, PartialEq)]
enum Cell {
    Absent,
    Text,
    Texts,
    Number(u64),
    Flag(bool),
    Time(Time),
    Ranges(Spans),
}

impl Cell {
    fn data_type(&self) -> Option<DataType> {
        match self {
            Cell::Absent => None,
            Cell::Text => Some(DataType::Text),
            Cell::Texts => Some(DataType::Texts),
            Cell::Number(_) => Some(DataType::Number),
            Cell::Flag(_) => Some(DataType::Flag),
            Cell::Time(_) => Some(DataType::Time),
            Cell::Ranges(_) => Some(DataType::Ranges),
        }
    }
}

/// The cells of a row.
#[derive(Default)]
struct Row(Vec<Cell>);

impl Row {
    fn assert_complete(&self) {
        assert_eq!(self.0.len(), Field::ALL.len());
        for (field, cell) in Field::ALL.iter().zip(&self.0) {
            match cell.data_type() {
                None => assert!(field.is_optional(), "{field:?}"),
                Some(data_type) => assert_eq!(data_type, field.data_type(), "{field:?}"),
            }
        }
    }
}

impl Cells for Row {
    fn absent(&mut self) {
        self.0.push(Cell::Absent);
    }

    fn text(&mut self, _: &[u8]) {
        self.0.push(Cell::Text);
    }

    fn texts<T: AsRef<[u8]>>(&mut self, texts: impl IntoIterator<Item = T>) {
        // They may be computed as they are taken.
        texts.into_iter().for_each(drop);
        self.0.push(Cell::Texts);
    }

    fn number(&mut self, number: u64) {
        self.0.push(Cell::Number(number));
    }

    fn flag(&mut self, flag: bool) {
        self.0.push(Cell::Flag(flag));
    }

    fn time(&mut self, time: Time) {
        // However odd it is, it can be written.
        assert!(!time.to_string().is_empty());
        self.0.push(Cell::Time(time));
    }

    fn ranges(&mut self, ranges: &Spans) {
        self.0.push(Cell::Ranges(ranges.clone()));
    }
}
