//! Packed rows as columns of Apache Arrow.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Int64Builder, ListBuilder, StringBuilder, StructBuilder,
    TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use urlint::list;

use super::METADATA;
use crate::commands::extract::cells::Column;
use crate::commands::extract::packed::Unpack;

/// The rows that have not been encoded yet, as columns.
pub(super) struct Columns {
    pub(super) schema: SchemaRef,
    columns: Vec<Builder>,
    pub(super) rows: usize,
    /// How many bytes the rows had.
    pub(super) bytes: usize,
}

/// The cells of a column.
enum Builder {
    Texts(StringBuilder),
    Numbers(Int64Builder),
    Times(TimestampMicrosecondBuilder),
    Flags(BooleanBuilder),
    TextLists(ListBuilder<StringBuilder>),
    /// Ranges of bytes: where they start and end.
    RangeLists(ListBuilder<StructBuilder>),
}

impl Columns {
    pub(super) fn new(columns: &[Column]) -> Self {
        let fields: Vec<_> = columns.iter().map(field).collect();
        let metadata = METADATA.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let schema = Schema::new_with_metadata(fields, HashMap::from(metadata));
        Columns {
            schema: Arc::new(schema),
            columns: columns.iter().map(Builder::new).collect(),
            rows: 0,
            bytes: 0,
        }
    }

    /// Takes the first of the packed rows, and returns the others.
    pub(super) fn take<'p>(&mut self, packed: &'p [u8]) -> &'p [u8] {
        let mut unpack = Unpack(packed);
        for column in &mut self.columns {
            column.take(&mut unpack);
        }
        self.rows += 1;
        self.bytes += packed.len() - unpack.0.len();
        unpack.0
    }

    /// Returns all rows, and starts over.
    pub(super) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        (self.rows, self.bytes) = (0, 0);
        let columns = self.columns.iter_mut().map(Builder::finish).collect();
        RecordBatch::try_new(self.schema.clone(), columns)
    }
}

impl Builder {
    fn new(column: &Column) -> Self {
        match column.data_type {
            list::DataType::Number => Builder::Numbers(Int64Builder::new()),
            list::DataType::Time => {
                Builder::Times(TimestampMicrosecondBuilder::new().with_timezone(UTC))
            }
            list::DataType::Flag => Builder::Flags(BooleanBuilder::new()),
            list::DataType::Texts => {
                Builder::TextLists(ListBuilder::new(StringBuilder::new()).with_field(text()))
            }
            list::DataType::Ranges => {
                let ranges = StructBuilder::from_fields(ends(), 0);
                Builder::RangeLists(ListBuilder::new(ranges).with_field(range()))
            }
            _ => Builder::Texts(StringBuilder::new()),
        }
    }

    /// Takes the next cell.
    #[inline]
    fn take(&mut self, unpack: &mut Unpack<'_>) {
        match self {
            Builder::Texts(texts) => texts.append_option(unpack.text()),
            Builder::Numbers(numbers) => numbers.append_option(unpack.number().map(signed)),
            Builder::Times(times) => times.append_option(unpack.microseconds()),
            Builder::Flags(flags) => flags.append_option(unpack.number().map(|flag| flag > 0)),
            Builder::TextLists(lists) => {
                while let Some(text) = unpack.text() {
                    lists.values().append_value(text);
                }
                lists.append(true);
            }
            Builder::RangeLists(lists) => {
                while let Some(start) = unpack.number() {
                    let end = unpack.number().unwrap_or(start);
                    for (index, number) in [start, end].into_iter().enumerate() {
                        let numbers = lists.values().field_builder::<Int64Builder>(index);
                        if let Some(numbers) = numbers {
                            numbers.append_value(signed(number));
                        }
                    }
                    lists.values().append(true);
                }
                lists.append(true);
            }
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Builder::Texts(texts) => Arc::new(texts.finish()),
            Builder::Numbers(numbers) => Arc::new(numbers.finish()),
            Builder::Times(times) => Arc::new(times.finish()),
            Builder::Flags(flags) => Arc::new(flags.finish()),
            Builder::TextLists(lists) => Arc::new(lists.finish()),
            Builder::RangeLists(lists) => Arc::new(lists.finish()),
        }
    }
}

const UTC: &str = "UTC";

fn field(column: &Column) -> Field {
    let data_type = match column.data_type {
        list::DataType::Number => DataType::Int64,
        list::DataType::Time => DataType::Timestamp(TimeUnit::Microsecond, Some(UTC.into())),
        list::DataType::Flag => DataType::Boolean,
        list::DataType::Texts => DataType::List(Arc::new(text())),
        list::DataType::Ranges => DataType::List(Arc::new(range())),
        _ => DataType::Utf8,
    };
    Field::new(column.name, data_type, column.is_optional)
}

/// A text in a list.
fn text() -> Field {
    Field::new("item", DataType::Utf8, false)
}

/// A range in a list.
fn range() -> Field {
    Field::new("item", DataType::Struct(ends()), false)
}

fn ends() -> Fields {
    ["start", "end"]
        .map(|name| Field::new(name, DataType::Int64, false))
        .into_iter()
        .collect()
}

/// Returns a signed number, since some engines have no others. No file is longer than that.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
