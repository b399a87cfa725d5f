//! Rows as columns of Apache Arrow.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    BooleanBuilder, Int64Builder, ListBuilder, StringBuilder, StructBuilder,
    TimestampMicrosecondBuilder,
};
use arrow_schema as arrow;
use arrow_schema::TimeUnit;

use super::{Cell, DataType};

/// Returns what Arrow says of a column. Some engines have no unsigned numbers.
pub fn field(name: &str, data_type: DataType, is_optional: bool) -> arrow::Field {
    let data_type = match data_type {
        DataType::Text => arrow::DataType::Utf8,
        DataType::Texts => arrow::DataType::List(Arc::new(text())),
        DataType::Number => arrow::DataType::Int64,
        DataType::Flag => arrow::DataType::Boolean,
        DataType::Time => arrow::DataType::Timestamp(TimeUnit::Microsecond, Some(UTC.into())),
        DataType::Ranges => arrow::DataType::List(Arc::new(range())),
    };
    arrow::Field::new(name, data_type, is_optional)
}

const UTC: &str = "UTC";

/// A text in a list.
fn text() -> arrow::Field {
    arrow::Field::new("item", arrow::DataType::Utf8, false)
}

/// A range in a list.
fn range() -> arrow::Field {
    arrow::Field::new("item", arrow::DataType::Struct(ends()), false)
}

fn ends() -> arrow::Fields {
    let end = |name| arrow::Field::new(name, arrow::DataType::Int64, false);
    [end("start"), end("end")].into_iter().collect()
}

/// The rows so far, a column for each of their types.
pub struct Columns {
    columns: Vec<Column>,
    rows: usize,
    /// The approximate number of bytes of text in the rows.
    bytes: usize,
}

enum Column {
    Texts(StringBuilder),
    Lists(ListBuilder<StringBuilder>),
    Numbers(Int64Builder),
    Flags(BooleanBuilder),
    Times(TimestampMicrosecondBuilder),
    Ranges(ListBuilder<StructBuilder>),
}

impl Columns {
    /// Creates columns of these types, without rows.
    pub fn new(types: impl IntoIterator<Item = DataType>) -> Self {
        Columns {
            columns: types.into_iter().map(Column::new).collect(),
            rows: 0,
            bytes: 0,
        }
    }

    /// Returns how many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the approximate number of bytes of text in the rows.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds a row, a cell for each column.
    pub fn add<'c>(&mut self, row: impl IntoIterator<Item = Cell<'c>>) {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            self.bytes += column.add(&cell);
        }
        self.rows += 1;
    }

    /// Returns the rows so far, and starts over.
    pub fn finish(&mut self) -> Vec<ArrayRef> {
        self.rows = 0;
        self.bytes = 0;
        self.columns.iter_mut().map(Column::finish).collect()
    }
}

impl Column {
    fn new(data_type: DataType) -> Self {
        match data_type {
            DataType::Text => Column::Texts(StringBuilder::new()),
            DataType::Texts => {
                Column::Lists(ListBuilder::new(StringBuilder::new()).with_field(text()))
            }
            DataType::Number => Column::Numbers(Int64Builder::new()),
            DataType::Flag => Column::Flags(BooleanBuilder::new()),
            DataType::Time => Column::Times(TimestampMicrosecondBuilder::new().with_timezone(UTC)),
            DataType::Ranges => {
                let ranges = StructBuilder::from_fields(ends(), 0);
                Column::Ranges(ListBuilder::new(ranges).with_field(range()))
            }
        }
    }

    /// Adds a cell of the type of the column, and returns about how many bytes of text it has.
    #[inline]
    fn add(&mut self, cell: &Cell<'_>) -> usize {
        match (self, cell) {
            (Column::Texts(texts), Cell::Text(text)) => {
                texts.append_value(String::from_utf8_lossy(text));
                return text.len();
            }
            (Column::Texts(texts), Cell::Name(name)) => {
                texts.append_value(name);
                return name.len();
            }
            (Column::Texts(texts), _) => texts.append_null(),
            (Column::Lists(lists), cell) => {
                let texts: &[_] = if let Cell::Texts(texts) = cell {
                    texts
                } else {
                    &[]
                };
                for text in texts {
                    lists.values().append_value(String::from_utf8_lossy(text));
                }
                lists.append(true);
                return texts.iter().map(|text| text.len()).sum();
            }
            (Column::Numbers(numbers), Cell::Number(number)) => {
                numbers.append_value(signed(*number));
            }
            (Column::Numbers(numbers), _) => numbers.append_null(),
            (Column::Flags(flags), Cell::Flag(flag)) => flags.append_value(*flag),
            (Column::Flags(flags), _) => flags.append_null(),
            (Column::Times(times), Cell::Time(time)) => times.append_value(time.microseconds),
            (Column::Times(times), _) => times.append_null(),
            (Column::Ranges(column), Cell::Ranges(ranges)) => {
                for range in ranges.iter() {
                    let values = column.values();
                    for (at, end) in [range.start, range.end].into_iter().enumerate() {
                        if let Some(ends) = values.field_builder::<Int64Builder>(at) {
                            ends.append_value(signed(end));
                        }
                    }
                    values.append(true);
                }
                column.append(true);
                return 16 * ranges.iter().count();
            }
            (Column::Ranges(ranges), _) => ranges.append(true),
        }
        0
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Column::Texts(texts) => Arc::new(texts.finish()),
            Column::Lists(lists) => Arc::new(lists.finish()),
            Column::Numbers(numbers) => Arc::new(numbers.finish()),
            Column::Flags(flags) => Arc::new(flags.finish()),
            Column::Times(times) => Arc::new(times.finish()),
            Column::Ranges(ranges) => Arc::new(ranges.finish()),
        }
    }
}

/// No file is longer than the greatest number.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
