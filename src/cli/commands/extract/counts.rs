//! Lists of counts.

use std::borrow::Cow;

use urlint_list::{Cell, DataType, Time};
use urlint_standard::url::host;

use super::cells::{Column, Layout};
use super::shape::{Grouping, SortKey};
use super::varint;

/// Returns the columns of a list of counts.
pub(super) fn columns(counted: Grouping) -> Vec<Column> {
    let mut columns = vec![Column::new("count", DataType::Number)];
    if counted.has_dates {
        columns.extend(["first", "last"].map(|name| Column {
            is_optional: true,
            ..Column::new(name, DataType::Time)
        }));
    }
    columns.push(Column::new("key", DataType::Text));
    columns
}

/// How counts are written.
pub(super) struct Counts {
    has_dates: bool,
    layout: Layout,
    /// The key that the counts are sorted by.
    sort: Option<SortKey>,
}

impl Counts {
    pub(super) fn new(counted: Grouping, layout: Layout, sort: Option<SortKey>) -> Self {
        Counts {
            has_dates: counted.has_dates,
            layout,
            sort,
        }
    }

    /// Writes the value that the count of `key` is sorted by, and its row.
    pub(super) fn write(&self, out: &mut Vec<u8>, key: &[u8], count: &[u8]) {
        let count = &Count::read(count);
        if let Some(sort) = self.sort {
            varint::put_text(out, &self.sorted(sort, key, count));
        }
        let (times, key) = (Cell::Number(count.times), Cell::from(key));
        if self.has_dates {
            let dates = count.dates().map(|dates| dates.map(Cell::Time));
            let [first, last] = dates.unwrap_or([Cell::Absent, Cell::Absent]);
            self.layout.row(out, [times, first, last, key]);
        } else {
            self.layout.row(out, [times, key]);
        }
    }

    /// Returns the value that the count of `key` is sorted by.
    fn sorted<'k>(&self, sort: SortKey, key: &'k [u8], count: &Count) -> Cow<'k, [u8]> {
        match sort {
            // Inverted, so that the greatest number comes first.
            SortKey::Count => (!count.times).to_be_bytes().to_vec().into(),
            SortKey::Host => host(key).unwrap_or_default().to_ascii_lowercase().into(),
            SortKey::Scheme => {
                let colon = memchr::memchr(b':', key).unwrap_or(0);
                key[..colon].to_ascii_lowercase().into()
            }
            SortKey::Url | SortKey::File | SortKey::Key => self.layout.sorted(key),
        }
    }
}

/// How often a key occurs in some of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    times: u64,
    /// The first date, its bits inverted, and the last one; 0 if there is none.
    seen: [u64; 2],
}

/// A count as the value of a record.
pub(super) type Value = [u8; size_of::<Count>()];

/// The bit of the sign: without it, numbers of dates are in their order.
const SIGN: u64 = 1 << 63;

/// Returns a date as a number, which is not 0.
pub(super) fn number_of(date: Time) -> u64 {
    date.microseconds.cast_unsigned() ^ SIGN
}

/// Returns the count of a single row, as a value.
pub(super) fn of_row(row: &[u8]) -> Value {
    let (date, _) = varint::number(row);
    let first = if date == 0 { 0 } else { !date };
    Count {
        times: 1,
        seen: [first, date],
    }
    .value()
}

/// Adds the count of other rows to `count`.
pub(super) fn combine(count: &mut [u8], next: &[u8]) {
    let (one, other) = (Count::read(count), Count::read(next));
    let sum = Count {
        times: one.times + other.times,
        seen: [0, 1].map(|at| one.seen[at].max(other.seen[at])),
    };
    count.copy_from_slice(&sum.value());
}

impl Count {
    fn value(&self) -> Value {
        let mut value = [0; size_of::<Count>()];
        let numbers = [self.times, self.seen[0], self.seen[1]];
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
            seen: [next(), next()],
        }
    }

    /// Returns the first and the last date, in UTC.
    fn dates(&self) -> Option<[Time; 2]> {
        let [first, last] = self.seen;
        let time = |date: u64| Time::of_unix((date ^ SIGN).cast_signed());
        (last > 0).then(|| [time(!first), time(last)])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Count, SIGN, combine, of_row, varint};
    use urlint_testing::tries;

    /// Counts rows with these dates, of which 0 is none.
    fn counted(dates: &[u64]) -> Count {
        let values = dates.iter().map(|&date| {
            let mut row = Vec::new();
            varint::put_number(&mut row, date);
            of_row(&row)
        });
        let sum = values.reduce(|mut sum, next| {
            combine(&mut sum, &next);
            sum
        });
        Count::read(&sum.unwrap_or_default())
    }

    proptest! {
        #![proptest_config(tries(200))]

        #[test]
        fn parts_are_counted_as_the_whole(
            dates in prop::collection::vec(prop_oneof![Just(0), SIGN - 9..SIGN + 9], 2..60),
            at in any::<prop::sample::Index>(),
        ) {
            let (one, other) = dates.split_at(1 + at.index(dates.len() - 1));
            let mut sum = counted(one).value();
            combine(&mut sum, &counted(other).value());
            let sum = Count::read(&sum);
            prop_assert_eq!(sum.times, dates.len() as u64);
            prop_assert_eq!(sum, counted(&dates));
            let known = || dates.iter().filter(|date| **date > 0);
            prop_assert_eq!(known().max().copied().unwrap_or(0), sum.seen[1]);
            prop_assert_eq!(known().min().map_or(0, |date| !date), sum.seen[0]);
        }
    }
}
