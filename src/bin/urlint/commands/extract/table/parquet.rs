//! Apache Parquet: <https://parquet.apache.org/docs/file-format/>.

use std::io;
use std::sync::Arc;

use parquet::basic::{
    Compression, ConvertedType, Encoding, LogicalType, Repetition, TimeUnit, Type as Physical,
    ZstdLevel,
};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType as Primitive, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type};
use urlint::list::DataType;

use super::columns::{Cells, Columns, Offsets, Values};
use super::{Column, Encoder, METADATA, Sorted};

/// How many rows, and about how many bytes, are in a row group: engines read row groups in parallel,
/// and each is in memory until it is written.
const LIMITS: (usize, usize) = (128 * 1024, 64 << 20);

/// Encodes row groups.
pub(super) struct Parquet {
    /// What is written is taken out after each row group.
    writer: SerializedFileWriter<Vec<u8>>,
    levels: Levels,
    texts: Vec<ByteArray>,
}

/// What tells rows that have nothing, and the rows of lists, apart.
#[derive(Default)]
struct Levels {
    /// Whether there is a value; of lists, an element.
    definition: Vec<i16>,
    /// Whether the element is in the same list as the one before.
    repetition: Vec<i16>,
}

impl Parquet {
    pub(super) fn new(columns: &[Column], sorted: Option<Sorted>) -> io::Result<Self> {
        let fields: Result<Vec<_>, _> = columns.iter().map(|column| field(*column)).collect();
        let schema = Type::group_type_builder("urlint").with_fields(fields.map_err(failed)?);
        let schema = Arc::new(schema.build().map_err(failed)?);
        let properties = Arc::new(properties(columns, sorted));
        let writer = SerializedFileWriter::new(Vec::new(), schema, properties);
        Ok(Parquet {
            writer: writer.map_err(failed)?,
            levels: Levels::default(),
            texts: Vec::new(),
        })
    }

    fn row_group(&mut self, columns: &mut Columns) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for cells in &mut columns.columns {
            let (definition, repetition) = self.levels.of(cells);
            match &mut cells.values {
                Values::Texts(texts) => {
                    let bytes = ByteArray::from(std::mem::take(&mut texts.bytes));
                    let present = cells.present.as_deref();
                    let ranges = those_of(texts.offsets.ranges(), present);
                    self.texts.clear();
                    self.texts
                        .extend(ranges.map(|range| bytes.slice(range.start, range.len())));
                    write::<ByteArrayType>(&mut group, &self.texts, definition, repetition)?;
                }
                Values::Numbers(numbers) | Values::Times(numbers) => {
                    keep(numbers, cells.present.as_deref());
                    write::<Int64Type>(&mut group, numbers, definition, repetition)?;
                }
                Values::Flags(flags) => {
                    keep(flags, cells.present.as_deref());
                    write::<BoolType>(&mut group, flags, definition, repetition)?;
                }
                Values::Ranges(starts, ends) => {
                    write::<Int64Type>(&mut group, starts, definition, repetition)?;
                    write::<Int64Type>(&mut group, ends, definition, repetition)?;
                }
            }
        }
        group.close()?;
        Ok(())
    }

    /// Moves what has been written to `out`.
    fn drain(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        self.writer.flush()?;
        out.append(self.writer.inner_mut());
        Ok(())
    }
}

impl Encoder for Parquet {
    fn limits(&self) -> (usize, usize) {
        LIMITS
    }

    fn rows(&mut self, columns: &mut Columns, out: &mut Vec<u8>) -> io::Result<()> {
        self.row_group(columns).map_err(failed)?;
        self.texts.clear();
        columns.clear();
        self.drain(out)
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        self.writer.finish().map_err(failed)?;
        self.drain(out)
    }
}

impl Levels {
    /// The levels of definition and repetition of a column that has any.
    fn of(&mut self, cells: &Cells) -> (Option<&[i16]>, Option<&[i16]>) {
        self.definition.clear();
        if let Some(lists) = &cells.lists {
            self.of_lists(lists);
            return (Some(&self.definition), Some(&self.repetition));
        }
        let Some(present) = &cells.present else {
            return (None, None);
        };
        self.definition
            .extend(present.iter().copied().map(i16::from));
        (Some(&self.definition), None)
    }

    fn of_lists(&mut self, lists: &Offsets) {
        self.repetition.clear();
        for range in lists.ranges() {
            self.definition.push(i16::from(!range.is_empty()));
            self.repetition.push(0);
            for _ in range.skip(1) {
                self.definition.push(1);
                self.repetition.push(1);
            }
        }
    }
}

/// Writes the next column of the row group.
fn write<T: Primitive>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: &[T::T],
    definition: Option<&[i16]>,
    repetition: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("no column is left".to_owned()));
    };
    let writer = column.typed::<T>();
    writer.write_batch(values, definition, repetition)?;
    column.close()
}

/// Those of `values` that are present.
fn those_of<T>(
    values: impl Iterator<Item = T>,
    present: Option<&[bool]>,
) -> impl Iterator<Item = T> {
    let is_present = move |index: usize| present.is_none_or(|present| present[index]);
    let values = values.enumerate();
    values.filter_map(move |(index, value)| is_present(index).then_some(value))
}

/// Drops those of `values` that are not present.
fn keep<T>(values: &mut Vec<T>, present: Option<&[bool]>) {
    if let Some(present) = present {
        let mut present = present.iter();
        values.retain(|_| present.next().copied().unwrap_or(false));
    }
}

/// The type of a column, by the names that the format's rules for lists prescribe.
fn field(column: Column) -> Result<Arc<Type>, ParquetError> {
    let repetition = if column.is_optional {
        Repetition::OPTIONAL
    } else {
        Repetition::REQUIRED
    };
    let name = column.name;
    match column.data_type {
        DataType::Texts => list(name, text("element", Repetition::REQUIRED)?),
        DataType::Ranges => {
            let fields = vec![
                primitive("start", Physical::INT64, Repetition::REQUIRED)?,
                primitive("end", Physical::INT64, Repetition::REQUIRED)?,
            ];
            let range = Type::group_type_builder("element").with_repetition(Repetition::REQUIRED);
            list(name, Arc::new(range.with_fields(fields).build()?))
        }
        DataType::Number => primitive(name, Physical::INT64, repetition),
        DataType::Flag => primitive(name, Physical::BOOLEAN, repetition),
        DataType::Time => {
            let time = Type::primitive_type_builder(name, Physical::INT64)
                .with_repetition(repetition)
                .with_logical_type(Some(LogicalType::timestamp(true, TimeUnit::MICROS)))
                .with_converted_type(ConvertedType::TIMESTAMP_MICROS);
            Ok(Arc::new(time.build()?))
        }
        _ => text(name, repetition),
    }
}

fn list(name: &str, element: Arc<Type>) -> Result<Arc<Type>, ParquetError> {
    let repeated = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![element]);
    let list = Type::group_type_builder(name)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(Some(LogicalType::List))
        .with_converted_type(ConvertedType::LIST)
        .with_fields(vec![Arc::new(repeated.build()?)]);
    Ok(Arc::new(list.build()?))
}

fn text(name: &str, repetition: Repetition) -> Result<Arc<Type>, ParquetError> {
    let text = Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
        .with_repetition(repetition)
        .with_logical_type(Some(LogicalType::String))
        .with_converted_type(ConvertedType::UTF8);
    Ok(Arc::new(text.build()?))
}

fn primitive(
    name: &str,
    physical: Physical,
    repetition: Repetition,
) -> Result<Arc<Type>, ParquetError> {
    let number = Type::primitive_type_builder(name, physical).with_repetition(repetition);
    Ok(Arc::new(number.build()?))
}

fn properties(columns: &[Column], sorted: Option<Sorted>) -> WriterProperties {
    let metadata = METADATA.map(|(key, value)| KeyValue::new(key.to_owned(), value.to_owned()));
    let mut builder = WriterProperties::builder()
        .set_created_by(concat!("urlint version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(metadata.to_vec()))
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        // What is known of each page would be in memory up to the end.
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
                // They are compared as if they were empty.
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

fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error)
}
