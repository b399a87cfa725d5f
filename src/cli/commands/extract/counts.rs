//! Lists of counts.

use std::borrow::Cow;

use urlint_list::{Cells, DataType, Time};
use urlint_standard::url::host;

use super::cells::{Column, RowOf};
use super::shape::{Grouping, SortKey};
use super::{cells, varint};

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
    columns.extend((counted.second).map(|_| Column::new("key2", DataType::Text)));
    columns
}

/// How rows are counted, and how counts are written.
pub(super) struct Counts {
    counted: Grouping,
    layout: cells::Layout,
    /// The key that the counts are sorted by.
    sort: Option<SortKey>,
    /// How many documents there are so far, and the name of the last one.
    documents: u64,
    document: Vec<u8>,
}

impl Counts {
    pub(super) fn new(counted: Grouping, layout: cells::Layout, sort: Option<SortKey>) -> Self {
        Counts {
            counted,
            layout,
            sort,
            documents: 0,
            document: Vec::new(),
        }
    }

    /// Returns the count of a single row, as a value. `document` is the name of the document that begins
    /// there, if one does, or continues from the last batch.
    pub(super) fn of_row(&mut self, row: &[u8], document: Option<&[u8]>) -> Value {
        if let Some(name) = document
            && name != self.document
        {
            self.documents += 1;
            self.document = name.to_vec();
        }
        let (date, _) = varint::number(row);
        Count {
            times: 1,
            documents: 1,
            within: (self.documents, self.documents),
            seen: (if date == 0 { 0 } else { !date }, date),
        }
        .value()
    }

    /// Writes the value that the count of `key` is sorted by, and its row.
    pub(super) fn write(&self, out: &mut Vec<u8>, key: &[u8], count: &[u8]) {
        let count = &Count::read(count);
        if let Some(sort) = self.sort {
            varint::put_text(out, &self.sorted(sort, key, count));
        }
        let keys = self.keys(key);
        let dates = self.counted.has_dates.then(|| count.dates());
        self.layout.row(out, CountRow { keys, dates, count });
    }

    /// Returns the value that the count of `key` is sorted by.
    fn sorted<'k>(&self, sort: SortKey, key: &'k [u8], count: &Count) -> Cow<'k, [u8]> {
        match sort {
            // Inverted, so that the greatest number comes first.
            SortKey::Count => (!count.times).to_be_bytes().to_vec().into(),
            SortKey::Documents => (!count.documents).to_be_bytes().to_vec().into(),
            SortKey::Host => host(key).unwrap_or_default().to_ascii_lowercase().into(),
            SortKey::Scheme => {
                let colon = memchr::memchr(b':', key).unwrap_or(0);
                key[..colon].to_ascii_lowercase().into()
            }
            SortKey::Url | SortKey::File | SortKey::Key => match self.keys(key) {
                (key, None) => self.layout.sorted(key),
                (key, Some(second)) => {
                    let [key, second] = [key, second].map(|key| self.layout.sorted(key));
                    [&key[..], b"\0", &second].concat().into()
                }
            },
        }
    }

    /// Splits the key of a group into one or two keys.
    fn keys<'k>(&self, key: &'k [u8]) -> (&'k [u8], Option<&'k [u8]>) {
        if self.counted.second.is_none() {
            return (key, None);
        }
        let (key, second) = varint::text(key);
        (key, Some(second))
    }
}

/// How often a key occurs in some of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    times: u64,
    /// In how many documents.
    documents: u64,
    /// The numbers of the first and of the last document in which it occurs.
    within: (u64, u64),
    /// The first date, its bits inverted, and the last one; 0 if there is none.
    seen: (u64, u64),
}

/// A count as the value of a record.
pub(super) type Value = [u8; size_of::<Count>()];

/// The bit of the sign: without it, numbers of dates are in their order.
const SIGN: u64 = 1 << 63;

/// Returns a date as a number, which is not 0.
pub(super) fn number_of(date: Time) -> u64 {
    date.microseconds.cast_unsigned() ^ SIGN
}

/// Adds the count of rows that follow to `count`.
pub(super) fn combine(count: &mut [u8], next: &[u8]) {
    let (first, next) = (Count::read(count), Count::read(next));
    // A document may be the last of one and the first of the next.
    let both = u64::from(next.within.0 == first.within.1);
    let sum = Count {
        times: first.times + next.times,
        documents: first.documents + next.documents - both,
        within: (first.within.0, next.within.1),
        seen: (first.seen.0.max(next.seen.0), first.seen.1.max(next.seen.1)),
    };
    count.copy_from_slice(&sum.value());
}

impl Count {
    fn value(&self) -> Value {
        let (first, last) = self.within;
        let (times, documents, seen) = (self.times, self.documents, self.seen);
        let mut value = [0; size_of::<Count>()];
        let numbers = [times, documents, first, last, seen.0, seen.1];
        for (bytes, number) in value.chunks_exact_mut(8).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        value
    }

    fn read(value: &[u8]) -> Self {
        let mut numbers = value.chunks_exact(8);
        let mut next = || {
            let bytes = numbers.next().and_then(|bytes| bytes.try_into().ok());
            bytes.map_or(0, u64::from_le_bytes)
        };
        Count {
            times: next(),
            documents: next(),
            within: (next(), next()),
            seen: (next(), next()),
        }
    }

    /// Returns the first and the last date, in UTC.
    fn dates(&self) -> Option<[Time; 2]> {
        let (first, last) = self.seen;
        let time = |date: u64| Time::of_unix((date ^ SIGN).cast_signed());
        (last > 0).then(|| [time(!first), time(last)])
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::{Count, combine};
    use urlint_testing::tries;

    /// Counts one row in each of these documents, whose numbers do not fall.
    fn counted(documents: &[u64]) -> Option<Count> {
        let values = documents.iter().map(|&document| {
            let count = Count {
                times: 1,
                documents: 1,
                within: (document, document),
                seen: (0, 0),
            };
            count.value()
        });
        let value = values.reduce(|mut sum, next| {
            combine(&mut sum, &next);
            sum
        });
        value.map(|value| Count::read(&value))
    }

    proptest! {
        #![proptest_config(tries(200))]

        #[test]
        fn parts_are_counted_as_the_whole(
            mut documents in prop::collection::vec(0..20_u64, 2..60), at in any::<prop::sample::Index>(),
        ) {
            documents.sort_unstable();
            let (one, other) = documents.split_at(1 + at.index(documents.len() - 1));
            let [Some(one), Some(other)] = [counted(one), counted(other)] else {
                return Err(TestCaseError::fail("a part is empty"));
            };
            let mut sum = one.value();
            combine(&mut sum, &other.value());
            let sum = Count::read(&sum);
            prop_assert_eq!(sum.times, documents.len() as u64);
            prop_assert_eq!(Some(sum), counted(&documents));
            let distinct: BTreeSet<_> = documents.iter().collect();
            prop_assert_eq!(sum.documents, distinct.len() as u64);
        }
    }
}
