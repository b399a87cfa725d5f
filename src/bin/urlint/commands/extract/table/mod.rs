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

use std::io;

use urlint::list::{DataType, Field};

use crate::error::Error;
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
pub(crate) struct Column {
    pub(super) name: &'static str,
    pub(super) data_type: DataType,
    /// Whether a row may have nothing in it.
    pub(super) is_optional: bool,
}

impl Column {
    /// A column in which every row has something.
    pub(super) const fn new(name: &'static str, data_type: DataType) -> Self {
        Column {
            name,
            data_type,
            is_optional: false,
        }
    }

    /// Columns of texts.
    pub(super) fn texts(names: &[&'static str]) -> Vec<Self> {
        let columns = names.iter().map(|name| Column::new(name, DataType::Text));
        columns.collect()
    }
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

/// Takes what has been encoded.
type Write<'w> = dyn FnMut(&[u8]) -> Result<(), Error> + 'w;

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

    /// Takes packed rows, and hands what is complete of the table to `write`.
    pub(super) fn rows(&mut self, mut packed: &[u8], write: &mut Write<'_>) -> Result<(), Error> {
        let (most_rows, most_bytes) = self.encoder.limits();
        while !packed.is_empty() {
            packed = self.columns.take(packed);
            if self.columns.rows >= most_rows || self.columns.bytes >= most_bytes {
                self.encode()?;
                self.hand_on(write)?;
            }
        }
        Ok(())
    }

    /// Hands what is left of the table to `write`.
    pub(super) fn finish(&mut self, write: &mut Write<'_>) -> Result<(), Error> {
        if self.columns.rows > 0 {
            self.encode()?;
        }
        let ended = self.encoder.finish(&mut self.encoded);
        ended.map_err(Error::Write)?;
        self.hand_on(write)
    }

    fn encode(&mut self) -> Result<(), Error> {
        let encoded = self.encoder.rows(&mut self.columns, &mut self.encoded);
        encoded.map_err(Error::Write)
    }

    fn hand_on(&mut self, write: &mut Write<'_>) -> Result<(), Error> {
        write(&self.encoded)?;
        self.encoded.clear();
        Ok(())
    }
}
