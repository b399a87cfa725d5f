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
    rows: Rows,
    writer: Writer,
}

/// The rows that have not been encoded yet.
struct Rows {
    schema: SchemaRef,
    types: Vec<DataType>,
    columns: Columns,
    /// How many bytes the packed rows had.
    bytes: usize,
}

impl Rows {
    fn new(columns: &[Column]) -> Self {
        let fields = columns
            .iter()
            .map(|column| field(column.name, column.data_type, column.is_optional));
        let metadata = METADATA.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let fields: Vec<_> = fields.collect();
        let types: Vec<_> = columns.iter().map(|column| column.data_type).collect();
        Rows {
            schema: Arc::new(Schema::new_with_metadata(fields, HashMap::from(metadata))),
            columns: Columns::new(types.iter().copied()),
            types,
            bytes: 0,
        }
    }

    /// Takes the first of the packed rows, and returns the others.
    fn take<'p>(&mut self, packed: &'p [u8]) -> &'p [u8] {
        let mut unpack = Unpack(packed);
        for data_type in &self.types {
            unpack.cell(*data_type, &mut self.columns);
        }
        self.columns.end_row();
        self.bytes += packed.len() - unpack.0.len();
        unpack.0
    }

    fn is_batch(&self) -> bool {
        self.columns.rows() >= BATCH_ROWS || self.bytes >= BATCH_BYTES
    }

    /// Returns all rows, and starts over.
    fn finish(&mut self) -> Result<RecordBatch, Error> {
        self.bytes = 0;
        let columns = self.columns.finish();
        RecordBatch::try_new(self.schema.clone(), columns).map_err(failed)
    }
}

/// Encodes record batches. The bytes are taken out as soon as they are there.
enum Writer {
    Parquet(Box<ArrowWriter<Vec<u8>>>),
    Arrow(Box<StreamWriter<Vec<u8>>>),
}

impl Table {
    /// Creates a table in Apache Parquet. `sorted` is the order of its rows, if they are sorted.
    pub(super) fn parquet(columns: &[Column], sorted: Option<Sorted>) -> Result<Self, Error> {
        let rows = Rows::new(columns);
        let options = ArrowWriterOptions::new()
            .with_properties(properties(columns, sorted))
            .with_schema_root("urlint".to_owned())
            .with_skip_arrow_metadata(true);
        let schema = rows.schema.clone();
        let writer = ArrowWriter::try_new_with_options(Vec::new(), schema, options);
        Ok(Table {
            writer: Writer::Parquet(Box::new(writer.map_err(failed)?)),
            rows,
        })
    }

    /// Creates a stream of Apache Arrow's IPC format.
    pub(super) fn arrow(columns: &[Column]) -> Result<Self, Error> {
        let rows = Rows::new(columns);
        let writer = StreamWriter::try_new(Vec::new(), &rows.schema);
        Ok(Table {
            writer: Writer::Arrow(Box::new(writer.map_err(failed)?)),
            rows,
        })
    }

    fn end_batch(&mut self, emit: &mut Emit<'_>) -> Result<(), Error> {
        self.writer.write(&self.rows.finish()?)?;
        self.writer.hand_on(emit)
    }
}

impl Encode for Table {
    fn rows(&mut self, mut packed: &[u8], emit: &mut Emit<'_>) -> Result<(), Error> {
        while !packed.is_empty() {
            packed = self.rows.take(packed);
            if self.rows.is_batch() {
                self.end_batch(emit)?;
            }
        }
        Ok(())
    }

    fn finish(&mut self, emit: &mut Emit<'_>) -> Result<(), Error> {
        if self.rows.columns.rows() > 0 {
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
        leaf += if column.data_type == DataType::Ranges {
            2
        } else {
            1
        };
    }
    builder.build()
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Write(io::Error::other(error))
}
