//! Rows as columns in memory, laid out as Apache Arrow does it.

use urlint::list::DataType;

use super::Column;
use super::packed::Unpack;

/// The rows that have been taken since the last were encoded.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) columns: Vec<Cells>,
    pub(super) rows: usize,
    /// How many bytes the rows had.
    pub(super) bytes: usize,
}

/// The cells of a column.
#[derive(Debug)]
pub(super) struct Cells {
    /// Whether there is something in each row, if that is not so by itself. Where there is nothing,
    /// the value is empty or zero.
    pub(super) present: Option<Vec<bool>>,
    /// Where the elements of each row begin and end, if the cells are lists.
    pub(super) lists: Option<Offsets>,
    pub(super) values: Values,
}

/// The values of a column one after another: its cells, or the elements of its lists.
#[derive(Debug)]
pub(super) enum Values {
    Texts(Texts),
    Numbers(Vec<i64>),
    /// Microseconds since 1970.
    Times(Vec<i64>),
    Flags(Vec<bool>),
    /// Ranges of bytes: where they start and end.
    Ranges(Vec<i64>, Vec<i64>),
}

/// Texts in UTF-8.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub(super) bytes: Vec<u8>,
    pub(super) offsets: Offsets,
}

/// Zero, and where each of the things that follow one another ends.
#[derive(Debug)]
pub(super) struct Offsets(pub(super) Vec<i32>);

impl Default for Offsets {
    fn default() -> Self {
        Offsets(vec![0])
    }
}

impl Offsets {
    /// Adds the end of the next thing. Columns are encoded long before they have so many bytes that
    /// it is not a number of 32 bits.
    #[inline]
    fn push(&mut self, end: usize) {
        self.0.push(i32::try_from(end).unwrap_or(i32::MAX));
    }

    /// Where each thing begins and ends.
    #[cfg(feature = "parquet")]
    pub(super) fn ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        self.0
            .windows(2)
            .map(|ends| ends[0] as usize..ends[1] as usize)
    }
}

impl Texts {
    #[inline]
    fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.offsets.push(self.bytes.len());
    }
}

impl Columns {
    pub(super) fn new(columns: &[Column]) -> Self {
        Columns {
            columns: columns.iter().map(Cells::new).collect(),
            rows: 0,
            bytes: 0,
        }
    }

    /// Takes the first of packed rows, and returns those that follow.
    pub(super) fn take<'p>(&mut self, packed: &'p [u8]) -> &'p [u8] {
        let mut unpack = Unpack(packed);
        for cells in &mut self.columns {
            cells.take(&mut unpack);
        }
        self.rows += 1;
        self.bytes += packed.len() - unpack.0.len();
        unpack.0
    }

    /// Takes all rows away.
    pub(super) fn clear(&mut self) {
        self.columns.iter_mut().for_each(Cells::clear);
        self.rows = 0;
        self.bytes = 0;
    }
}

impl Cells {
    fn new(column: &Column) -> Self {
        let (is_list, values) = match column.data_type {
            DataType::Texts => (true, Values::Texts(Texts::default())),
            DataType::Ranges => (true, Values::Ranges(Vec::new(), Vec::new())),
            DataType::Number => (false, Values::Numbers(Vec::new())),
            DataType::Time => (false, Values::Times(Vec::new())),
            DataType::Flag => (false, Values::Flags(Vec::new())),
            _ => (false, Values::Texts(Texts::default())),
        };
        Cells {
            // A list without elements is empty.
            present: (column.is_optional && !is_list).then(Vec::new),
            lists: is_list.then(Offsets::default),
            values,
        }
    }

    /// Takes the next cell.
    #[inline]
    fn take(&mut self, unpack: &mut Unpack<'_>) {
        if let Some(lists) = &mut self.lists {
            while self.values.take(unpack) {}
            lists.push(self.values.len());
            return;
        }
        let is_present = self.values.take(unpack);
        if !is_present {
            self.values.push_empty();
        }
        if let Some(present) = &mut self.present {
            present.push(is_present);
        }
    }

    fn clear(&mut self) {
        if let Some(present) = &mut self.present {
            present.clear();
        }
        if let Some(lists) = &mut self.lists {
            lists.0.truncate(1);
        }
        match &mut self.values {
            Values::Texts(texts) => {
                texts.bytes.clear();
                texts.offsets.0.truncate(1);
            }
            Values::Numbers(numbers) | Values::Times(numbers) => numbers.clear(),
            Values::Flags(flags) => flags.clear(),
            Values::Ranges(starts, ends) => {
                starts.clear();
                ends.clear();
            }
        }
    }
}

impl Values {
    /// Takes the next value. Returns whether there is one.
    #[inline]
    fn take(&mut self, unpack: &mut Unpack<'_>) -> bool {
        match self {
            Values::Texts(texts) => unpack.text().map(|text| texts.push(text)).is_some(),
            Values::Numbers(numbers) => unpack.number().map(|n| numbers.push(signed(n))).is_some(),
            Values::Times(times) => unpack.microseconds().map(|t| times.push(t)).is_some(),
            Values::Flags(flags) => unpack.number().map(|n| flags.push(n > 0)).is_some(),
            Values::Ranges(starts, ends) => {
                let Some(start) = unpack.number() else {
                    return false;
                };
                starts.push(signed(start));
                ends.push(signed(unpack.number().unwrap_or(start)));
                true
            }
        }
    }

    fn push_empty(&mut self) {
        match self {
            Values::Texts(texts) => texts.push(b""),
            Values::Numbers(numbers) | Values::Times(numbers) => numbers.push(0),
            Values::Flags(flags) => flags.push(false),
            Values::Ranges(starts, ends) => {
                starts.push(0);
                ends.push(0);
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Values::Texts(texts) => texts.offsets.0.len() - 1,
            Values::Numbers(numbers) | Values::Times(numbers) => numbers.len(),
            Values::Flags(flags) => flags.len(),
            Values::Ranges(starts, _) => starts.len(),
        }
    }
}

/// Signed numbers are those that all engines know. No file is so long that it needs more.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
