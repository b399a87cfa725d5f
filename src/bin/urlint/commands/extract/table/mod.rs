//! Rows in the formats that are tables: columns of a type, many rows at once.
//!
//! On their way to the list rows are [packed](Packed), so that they can be told apart, dropped and
//! sorted as those of text are. At the end of that way they become [Columns], and many of them
//! together a row group or a record batch.

mod arrow;
mod columns;
mod packed;
#[cfg(feature = "parquet")]
mod parquet;

use std::io::{self, Write};

use urlint::list::{DataType, Field};

use columns::Columns;
pub(super) use packed::Packed;

/// The version of what the columns are: their names, types and meanings. It becomes another one if
/// who reads the columns has to know about it.
const SCHEMA_VERSION: &str = "1";

/// What files say about themselves: names and values.
const METADATA: [(&str, &str); 2] = [
    ("urlint.schema", SCHEMA_VERSION),
    ("urlint.version", env!("CARGO_PKG_VERSION")),
];

/// What a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) data_type: DataType,
    /// Whether a row may have nothing in it.
    pub(super) is_optional: bool,
}

impl From<Field> for Column {
    fn from(field: Field) -> Self {
        Column {
            name: field.name(),
            data_type: field.data_type(),
            is_optional: field.is_optional(),
        }
    }
}

/// The order of the rows by one of their columns.
#[cfg(feature = "parquet")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sorted {
    /// The name of the column.
    pub(super) by: &'static str,
    /// Whether the greatest comes first.
    pub(super) descending: bool,
}

/// Writes rows as a table.
pub(super) struct Table {
    columns: Columns,
    encoder: Box<dyn Encoder>,
    /// What has been encoded and not written yet.
    encoded: Vec<u8>,
}

/// What a format makes of columns.
trait Encoder {
    /// How many rows, and about how many bytes, are encoded at once.
    fn limits(&self) -> (usize, usize);

    /// Encodes the rows of `columns`, and leaves it empty.
    fn rows(&mut self, columns: &mut Columns, out: &mut Vec<u8>) -> io::Result<()>;

    /// Encodes the end of the table.
    fn finish(&mut self, out: &mut Vec<u8>) -> io::Result<()>;
}

impl Table {
    /// A table in Apache Parquet. `sorted` says how its rows are sorted, if they are.
    #[cfg(feature = "parquet")]
    pub(super) fn parquet(columns: &[Column], sorted: Option<Sorted>) -> io::Result<Self> {
        let encoder = parquet::Parquet::new(columns, sorted)?;
        Ok(Table::new(columns, Box::new(encoder), Vec::new()))
    }

    /// A stream of Apache Arrow's IPC format.
    pub(super) fn arrow(columns: &[Column]) -> Self {
        let mut encoded = Vec::new();
        let encoder = arrow::Arrow::new(columns, &mut encoded);
        Table::new(columns, Box::new(encoder), encoded)
    }

    fn new(columns: &[Column], encoder: Box<dyn Encoder>, encoded: Vec<u8>) -> Self {
        Table {
            columns: Columns::new(columns),
            encoder,
            encoded,
        }
    }

    /// Takes packed rows, and writes what is complete of the table to `out`.
    pub(super) fn rows(&mut self, mut packed: &[u8], out: &mut dyn Write) -> io::Result<()> {
        let (most_rows, most_bytes) = self.encoder.limits();
        while !packed.is_empty() {
            packed = self.columns.take(packed);
            if self.columns.rows >= most_rows || self.columns.bytes >= most_bytes {
                self.encoder.rows(&mut self.columns, &mut self.encoded)?;
                self.write(out)?;
            }
        }
        Ok(())
    }

    /// Writes what is left of the table to `out`.
    pub(super) fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.columns.rows > 0 {
            self.encoder.rows(&mut self.columns, &mut self.encoded)?;
        }
        self.encoder.finish(&mut self.encoded)?;
        self.write(out)
    }

    fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.encoded)?;
        self.encoded.clear();
        Ok(())
    }
}
