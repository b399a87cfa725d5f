//! Lists of counts.

use urlint::list::{Cells, DataType, Time};
use urlint::url::host;

use super::batch;
use super::batch::KeyLayout;
use super::cells;
use super::cells::{Column, RowOf};
use super::shape::{Grouping, Key, Ranking};
use super::spill::Emit;
use super::spill::counter::{Count, Counter};
use super::spill::sorter::{Order, Sorter};
use super::spill::store::Store;
use crate::error::Error;

/// Returns the columns of a list of counts.
pub(super) fn columns(counted: Grouping) -> Vec<Column> {
    let mut columns = vec![
        Column::new("count", DataType::Number),
        Column::new("documents", DataType::Number),
    ];
    if counted.has_dates {
        columns.extend(["first", "last"].map(|name| Column {
            is_optional: true,
            ..Column::new(name, DataType::Time)
        }));
    }
    columns.push(Column::new("key", DataType::Text));
    let second = || Column::new("key2", DataType::Text);
    columns.extend(counted.second.map(|_| second()));
    columns
}

/// Counts keys, and writes how often each occurs.
#[derive(Debug)]
pub(super) struct CountList {
    counter: Counter,
    writing: Writing,
    sorter: Sorter,
}

/// How counts are written, and their order.
#[derive(Debug)]
pub(super) struct Writing {
    pub(super) counted: Grouping,
    pub(super) layout: cells::Layout,
    pub(super) ranking: Ranking,
    pub(super) reverse: bool,
    /// The most counts that are written.
    pub(super) most: usize,
}

impl CountList {
    pub(super) fn new(writing: Writing, store: &Store, memory: usize) -> Self {
        let order = Order {
            layout: KeyLayout::Before,
            reverse: writing.reverse,
        };
        CountList {
            counter: Counter::new(store, memory),
            sorter: Sorter::new(order, writing.most, store, memory),
            writing,
        }
    }

    /// Counts row number `place`, which is in document number `document`.
    pub(super) fn add(&mut self, row: &[u8], document: u64, place: u64) -> Result<(), Error> {
        let count = Count::once(document, place);
        if self.writing.counted.has_dates {
            let (date, key) = batch::number(row);
            return self.counter.add(key, count.with_date(date));
        }
        self.counter.add(row, count)
    }

    /// Emits the rows.
    pub(super) fn finish(mut self, emit: &mut Emit<'_>) -> Result<(), Error> {
        let (writing, sorter) = (&self.writing, &mut self.sorter);
        let mut record = Vec::new();
        self.counter.finish(&mut |key, count| {
            record.clear();
            writing.record(&mut record, key, count);
            sorter.add(count.place, &record)
        })?;
        self.sorter.finish(emit)
    }
}

impl Writing {
    /// Writes the sort key of the row, and the row.
    fn record(&self, out: &mut Vec<u8>, key: &[u8], count: &Count) {
        match self.ranking {
            Ranking::FirstRow => batch::put_key(out, b""),
            // Inverted, so that the greatest number comes first.
            Ranking::Count => batch::put_key(out, &(!count.times).to_be_bytes()),
            Ranking::Documents => batch::put_key(out, &(!count.documents).to_be_bytes()),
            Ranking::Url(part) => match part {
                Key::Host | Key::Domain => {
                    let host = host(key).unwrap_or_default().to_ascii_lowercase();
                    batch::put_key(out, &host);
                }
                Key::Scheme => {
                    let colon = memchr::memchr(b':', key).unwrap_or(0);
                    batch::put_key(out, &key[..colon].to_ascii_lowercase());
                }
                _ => batch::put_key(out, key),
            },
            Ranking::Key => match self.keys(key) {
                (key, None) => batch::put_key(out, &self.layout.sorted(key)),
                (key, Some(second)) => {
                    let [key, second] = [key, second].map(|key| self.layout.sorted(key));
                    batch::put_key(out, &[&key[..], b"\0", &second].concat());
                }
            },
        }
        let keys = self.keys(key);
        let dates = self.counted.has_dates.then(|| count.dates());
        self.layout.row(out, CountRow { keys, dates, count });
    }

    /// Splits what is counted into one or two keys.
    fn keys<'k>(&self, key: &'k [u8]) -> (&'k [u8], Option<&'k [u8]>) {
        if self.counted.second.is_none() {
            return (key, None);
        }
        let (key, second) = KeyLayout::Before.split(key);
        (key, Some(second))
    }
}

/// The row of a key: how often it occurs.
struct CountRow<'r> {
    keys: (&'r [u8], Option<&'r [u8]>),
    /// The first and the last date, if they are shown.
    dates: Option<Option<[Time; 2]>>,
    count: &'r Count,
}

impl RowOf for CountRow<'_> {
    fn fill(self, cells: &mut impl Cells) {
        cells.number(self.count.times);
        cells.number(self.count.documents);
        match self.dates {
            Some(Some(dates)) => dates.into_iter().for_each(|date| cells.time(date)),
            Some(None) => (0..2).for_each(|_| cells.absent()),
            None => {}
        }
        cells.text(self.keys.0);
        if let Some(second) = self.keys.1 {
            cells.text(second);
        }
    }
}
