//! Rows as Arrow's columns.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    BooleanBuilder, Int64Builder, ListBuilder, StringBuilder, StructBuilder,
    TimestampMicrosecondBuilder,
};
use urlint::list::{Cells, DataType, Field, Time};
use urlint::text::Spans;

use crate::schema;

/// The rows so far, a column for each field.
pub(crate) struct Builder {
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

impl Builder {
    pub(crate) fn new(fields: &[Field]) -> Self {
        Builder {
            columns: fields.iter().copied().map(Column::new).collect(),
            next: 0,
            rows: 0,
            bytes: 0,
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// The approximate number of bytes of text in the rows.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Ends a row, after each column has received a cell.
    pub(crate) fn end_row(&mut self) {
        self.next = 0;
        self.rows += 1;
    }

    /// Returns the rows so far, and starts over.
    pub(crate) fn finish(&mut self) -> Vec<ArrayRef> {
        self.rows = 0;
        self.bytes = 0;
        self.columns.iter_mut().map(Column::finish).collect()
    }

    /// The column of the next cell.
    fn column(&mut self) -> Option<&mut Column> {
        let column = self.columns.get_mut(self.next);
        self.next += 1;
        column
    }
}

impl Column {
    fn new(field: Field) -> Self {
        match field.data_type() {
            DataType::Texts => {
                let texts = ListBuilder::new(StringBuilder::new());
                Column::Lists(texts.with_field(schema::item()))
            }
            DataType::Number => Column::Numbers(Int64Builder::new()),
            DataType::Flag => Column::Flags(BooleanBuilder::new()),
            DataType::Time => {
                Column::Times(TimestampMicrosecondBuilder::new().with_timezone("UTC"))
            }
            DataType::Ranges => {
                let ranges = StructBuilder::from_fields(schema::ends(), 0);
                Column::Ranges(ListBuilder::new(ranges).with_field(schema::range()))
            }
            _ => Column::Texts(StringBuilder::new()),
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

impl Cells for Builder {
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
            numbers.append_value(number.cast_signed());
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
                        ends.append_value(end.cast_signed());
                    }
                }
                values.append(true);
            }
            column.append(true);
        }
    }
}
