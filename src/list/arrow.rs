//! Rows as columns of Apache Arrow.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    BooleanBuilder, Int64Builder, ListBuilder, StringBuilder, StructBuilder,
    TimestampMicrosecondBuilder,
};
use arrow_schema as arrow;
use arrow_schema::TimeUnit;

use super::{Cells, DataType, Time};
use urlint_standard::text::Spans;

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
    /// The column that takes the next cell.
    next: usize,
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
            next: 0,
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

    /// Ends a row, after each column has received a cell.
    pub fn end_row(&mut self) {
        self.next = 0;
        self.rows += 1;
    }

    /// Returns the rows so far, and starts over.
    pub fn finish(&mut self) -> Vec<ArrayRef> {
        self.rows = 0;
        self.bytes = 0;
        self.columns.iter_mut().map(Column::finish).collect()
    }

    /// Returns the column of the next cell.
    fn column(&mut self) -> Option<&mut Column> {
        let column = self.columns.get_mut(self.next);
        self.next += 1;
        column
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

impl Cells for Columns {
    fn absent(&mut self) {
        match self.column() {
            Some(Column::Texts(texts)) => texts.append_null(),
            Some(Column::Lists(lists)) => lists.append(true),
            Some(Column::Numbers(numbers)) => numbers.append_null(),
            Some(Column::Flags(flags)) => flags.append_null(),
            Some(Column::Times(times)) => times.append_null(),
            Some(Column::Ranges(ranges)) => ranges.append(true),
            None => {}
        }
    }

    #[inline]
    fn text(&mut self, text: &[u8]) {
        self.bytes += text.len();
        if let Some(Column::Texts(texts)) = self.column() {
            texts.append_value(String::from_utf8_lossy(text));
        }
    }

    #[inline]
    fn texts<T: AsRef<[u8]>>(&mut self, texts: impl IntoIterator<Item = T>) {
        let mut bytes = 0;
        if let Some(Column::Lists(lists)) = self.column() {
            for text in texts {
                bytes += text.as_ref().len();
                let values = lists.values();
                values.append_value(String::from_utf8_lossy(text.as_ref()));
            }
            lists.append(true);
        }
        self.bytes += bytes;
    }

    #[inline]
    fn number(&mut self, number: u64) {
        if let Some(Column::Numbers(numbers)) = self.column() {
            numbers.append_value(signed(number));
        }
    }

    #[inline]
    fn flag(&mut self, flag: bool) {
        if let Some(Column::Flags(flags)) = self.column() {
            flags.append_value(flag);
        }
    }

    fn time(&mut self, time: Time) {
        if let Some(Column::Times(times)) = self.column() {
            times.append_value(time.microseconds);
        }
    }

    fn ranges(&mut self, ranges: &Spans) {
        self.bytes += 16 * ranges.iter().count();
        if let Some(Column::Ranges(column)) = self.column() {
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
        }
    }
}

/// No file is longer than the greatest number.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
