//! Lists as tables of typed columns, in Apache Parquet or Apache Arrow.
//!
//! On their way to the list, rows are [packed](super::packed), so that they can be separated, dropped
//! and sorted like rows of text. At the end they become [Columns], and many rows together a record
//! batch.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use urlint_list::DataType;
use urlint_list::arrow::{Columns, field};

use super::cells::Column;
use super::out::{Emit, Encode};
use super::packed::Unpack;
use crate::error::Error;

/// The version of the columns: their names, types and meanings. It changes if readers of the columns
/// have to know about a change.
const SCHEMA_VERSION: &str = "1";

/// The metadata of files: names and values.
const METADATA: [(&str, &str); 2] = [
    ("urlint.schema", SCHEMA_VERSION),
    ("urlint.version", env!("CARGO_PKG_VERSION")),
];

/// How many rows, and about how many bytes, are in a record batch. The reader of a stream waits for each
/// batch.
const BATCH_ROWS: usize = 16 * 1024;
const BATCH_BYTES: usize = 8 << 20;

/// How many rows, and about how many bytes, are in a row group: engines read row groups in parallel,
/// and each is in memory until it is written.
const GROUP_ROWS: usize = 128 * 1024;
const GROUP_BYTES: usize = 64 << 20;

/// The order of the rows by one of their columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sorted {
    /// The name of the column.
    pub(super) by: &'static str,
    /// Whether the greatest comes first.
    pub(super) descending: bool,
}

/// Writes rows as a table.
pub(super) struct Table {
    schema: SchemaRef,
    types: Vec<DataType>,
    /// The rows that have not been encoded yet, and how many bytes they had when they were packed.
    columns: Columns,
    bytes: usize,
    writer: Writer,
}

/// Encodes record batches. The bytes are taken out as soon as they are there.
enum Writer {
    Parquet(Box<ArrowWriter<Vec<u8>>>),
    Arrow(Box<StreamWriter<Vec<u8>>>),
}

impl Table {
    /// Creates a table in Apache Parquet. `sorted` is the order of its rows, if they are sorted.
    pub(super) fn parquet(columns: &[Column], sorted: Option<Sorted>) -> Result<Self, Error> {
        let options = ArrowWriterOptions::new()
            .with_properties(properties(columns, sorted))
            .with_schema_root("urlint".to_owned())
            .with_skip_arrow_metadata(true);
        Table::new(columns, |schema| {
            let writer = ArrowWriter::try_new_with_options(Vec::new(), schema, options);
            Ok(Writer::Parquet(Box::new(writer.map_err(failed)?)))
        })
    }

    /// Creates a stream of Apache Arrow's IPC format.
    pub(super) fn arrow(columns: &[Column]) -> Result<Self, Error> {
        Table::new(columns, |schema| {
            let writer = StreamWriter::try_new(Vec::new(), &schema);
            Ok(Writer::Arrow(Box::new(writer.map_err(failed)?)))
        })
    }

    fn new(
        columns: &[Column],
        writer: impl FnOnce(SchemaRef) -> Result<Writer, Error>,
    ) -> Result<Self, Error> {
        let fields = columns
            .iter()
            .map(|column| field(column.name, column.data_type, column.is_optional));
        let fields: Vec<_> = fields.collect();
        let metadata = METADATA.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let schema = Arc::new(Schema::new_with_metadata(fields, HashMap::from(metadata)));
        let types: Vec<_> = columns.iter().map(|column| column.data_type).collect();
        Ok(Table {
            writer: writer(schema.clone())?,
            schema,
            columns: Columns::new(types.iter().copied()),
            types,
            bytes: 0,
        })
    }

    /// Encodes all rows, and starts over.
    fn end_batch(&mut self, emit: &mut Emit<'_>) -> Result<(), Error> {
        self.bytes = 0;
        let columns = self.columns.finish();
        let batch = RecordBatch::try_new(self.schema.clone(), columns).map_err(failed)?;
        self.writer.write(&batch)?;
        self.writer.hand_on(emit)
    }
}

impl Encode for Table {
    fn rows(&mut self, packed: &[u8], emit: &mut Emit<'_>) -> Result<(), Error> {
        let mut unpack = Unpack(packed);
        while !unpack.0.is_empty() {
            let before = unpack.0.len();
            let row = self.types.iter().map(|data_type| unpack.cell(*data_type));
            self.columns.add(row);
            self.bytes += before - unpack.0.len();
            if self.columns.rows() >= BATCH_ROWS || self.bytes >= BATCH_BYTES {
                self.end_batch(emit)?;
            }
        }
        Ok(())
    }

    fn finish(&mut self, emit: &mut Emit<'_>) -> Result<(), Error> {
        if self.columns.rows() > 0 {
            self.end_batch(emit)?;
        }
        self.writer.finish()?;
        self.writer.hand_on(emit)
    }
}

impl Writer {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        match self {
            Writer::Parquet(parquet) => parquet.write(batch).map_err(failed),
            Writer::Arrow(arrow) => arrow.write(batch).map_err(failed),
        }
    }

    fn finish(&mut self) -> Result<(), Error> {
        match self {
            Writer::Parquet(parquet) => parquet.finish().map(drop).map_err(failed),
            Writer::Arrow(arrow) => arrow.finish().map_err(failed),
        }
    }

    /// Passes the bytes that have been encoded to `emit`.
    fn hand_on(&mut self, emit: &mut Emit<'_>) -> Result<(), Error> {
        let encoded = match self {
            Writer::Parquet(parquet) => parquet.inner_mut(),
            Writer::Arrow(arrow) => arrow.get_mut(),
        };
        emit(encoded)?;
        encoded.clear();
        Ok(())
    }
}

fn properties(columns: &[Column], sorted: Option<Sorted>) -> WriterProperties {
    let metadata = METADATA.map(|(key, value)| KeyValue::new(key.to_owned(), value.to_owned()));
    let mut builder = WriterProperties::builder()
        .set_created_by(concat!("urlint version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(metadata.to_vec()))
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_max_row_group_bytes(Some(GROUP_BYTES))
        // The elements of lists have the names that the specification of Parquet gives them.
        .set_coerce_types(true)
        // The index of all pages would stay in memory to the end.
        .set_offset_index_disabled(true);
    let mut leaf = 0;
    for column in columns {
        let paths: &[&[&str]] = match column.data_type {
            DataType::Number => &[&[]],
            DataType::Ranges => &[&["list", "element", "start"], &["list", "element", "end"]],
            _ => &[],
        };
        // Numbers grow from row to row.
        for path in paths {
            let names = std::iter::once(column.name).chain(path.iter().copied());
            let path = ColumnPath::new(names.map(str::to_owned).collect());
            builder = builder
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
        if let Some(sorted) = sorted.filter(|sorted| sorted.by == column.name) {
            builder = builder.set_sorting_columns(Some(vec![SortingColumn {
                column_idx: leaf,
                descending: sorted.descending,
                // Nulls are sorted as if they were empty.
                nulls_first: !sorted.descending,
            }]));
        }
        leaf += 1 + i32::from(column.data_type == DataType::Ranges);
    }
    builder.build()
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Write(io::Error::other(error))
}
