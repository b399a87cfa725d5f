//! Rows of lists: each has a cell of the right type for each field, whatever is read and however it
//! is written.

use std::io::Error;

use urlint::lint::Checker;
use urlint::list::{Cell, DataType, Field, Fields, Row, SourceInfo};
use urlint::{Event, Settings, Standard};

use super::documents::reader;

/// The first byte chooses the kind of document for the rest, the second how it is read and written.
pub(super) fn lists(input: &[u8]) {
    let [kind, how, source @ ..] = input else {
        return;
    };
    let reader = reader(*kind, *how | 0x80).with_positions(true);
    let mut plain = Fields::new(Field::ALL);
    plain.normalize = how & 1 != 0;
    plain.context_chars = usize::from(how & 0x38);
    let mut hidden = plain.clone();
    hidden.redact = true;
    let standard = Standard::ALL[usize::from(how >> 1) % Standard::ALL.len()];
    let settings = Settings::default().with_standard(standard);
    let read = reader.read(b"a", source, &mut |event| {
        let Event::Found(found) = event else {
            return Ok(());
        };
        let info = SourceInfo::new(b"a", None);
        let checker = Checker::new(&settings);
        let judged = checker.judge(&found);
        let [plain, hidden] = [&plain, &hidden].map(|fields| fields.row(info, &judged));
        assert_complete(&plain);
        assert_complete(&hidden);
        // Only text can hold a password; where one is hidden, the host may differ or be absent.
        let is_text = |cell: &Cell<'_>| matches!(cell, Cell::Text(_) | Cell::Absent);
        let are_texts = |cell: &Cell<'_>| matches!(cell, Cell::Texts(_));
        for (plain, hidden) in plain.cells().zip(hidden.cells()) {
            let is_of = |kind: &dyn Fn(&Cell<'_>) -> bool| kind(&plain) && kind(&hidden);
            assert!(plain == hidden || is_of(&is_text) || is_of(&are_texts));
        }
        Ok::<(), Error>(())
    });
    read.unwrap();
}

fn assert_complete(row: &Row<'_, '_>) {
    assert_eq!(row.cells().count(), Field::ALL.len());
    for (field, cell) in Field::ALL.iter().zip(row.cells()) {
        match data_type(&cell) {
            None => assert!(field.is_optional(), "{field:?}"),
            Some(data_type) => assert_eq!(data_type, field.data_type(), "{field:?}"),
        }
        if let Cell::Time(time) = cell {
            // However odd it is, it can be written.
            assert!(!time.to_string().is_empty());
        }
    }
}

fn data_type(cell: &Cell<'_>) -> Option<DataType> {
    match cell {
        Cell::Text(_) | Cell::Name(_) => Some(DataType::Text),
        Cell::Texts(_) => Some(DataType::Texts),
        Cell::Number(_) => Some(DataType::Number),
        Cell::Flag(_) => Some(DataType::Flag),
        Cell::Time(_) => Some(DataType::Time),
        Cell::Ranges(_) => Some(DataType::Ranges),
        _ => None,
    }
}
