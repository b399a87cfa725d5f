//! Lists of counts.

use urlint::list::{Cells, DataType};
use urlint::url::host;

use super::batch;
use super::batch::KeyLayout;
use super::cells;
use super::cells::{Column, RowOf};
use super::shape::{Key, Ranking};
use super::spill::Emit;
use super::spill::counter::{Count, Counter};
use super::spill::sorter::{Order, Sorter};
use super::spill::store::Store;
use crate::error::Error;

/// The columns of a list of counts.
pub(super) const COLUMNS: [Column; 3] = [
    Column::new("count", DataType::Number),
    Column::new("documents", DataType::Number),
    Column::new("key", DataType::Text),
];

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
    pub(super) fn add(&mut self, key: &[u8], document: u64, place: u64) -> Result<(), Error> {
        self.counter.add(key, Count::once(document, place))
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
                Key::Url | Key::File => batch::put_key(out, key),
            },
            Ranking::Key => batch::put_key(out, &self.layout.sorted(key)),
        }
        self.layout.row(out, CountRow { key, count });
    }
}

/// The row of a key: how often it occurs.
struct CountRow<'r> {
    key: &'r [u8],
    count: &'r Count,
}

impl RowOf for CountRow<'_> {
    fn fill(self, cells: &mut impl Cells) {
        cells.number(self.count.times);
        cells.number(self.count.documents);
        cells.text(self.key);
    }
}
