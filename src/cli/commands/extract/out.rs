//! Where the rows of the list go.

use std::io::Write;

use crate::error::Error;
use crate::output::replace::Pending;
use crate::stdout::Stream;

/// Takes a part of a table.
pub(super) type Emit<'e> = dyn FnMut(&[u8]) -> Result<(), Error> + 'e;

/// Encodes rows as a binary table.
pub(super) trait Encode {
    /// Takes packed rows, and passes the parts of the table that are complete to `emit`.
    fn rows(&mut self, packed: &[u8], emit: &mut Emit<'_>) -> Result<(), Error>;

    /// Passes the rest of the table to `emit`.
    fn finish(&mut self, emit: &mut Emit<'_>) -> Result<(), Error>;
}

/// Writes the rows in their order, up to the limit.
pub(super) struct Out<'o> {
    destination: Destination<'o>,
    /// The end of a row of text.
    end: &'static [u8],
    /// The encoder of the rows, if they are not written as they are.
    table: Option<Box<dyn Encode>>,
    /// How many more rows are wanted.
    left: u64,
}

/// Where rows are written.
pub(super) enum Destination<'o> {
    /// Standard output.
    Stream(&'o mut Stream),
    /// A file, which is moved into place once it is complete.
    File(Pending),
}

impl<'o> Out<'o> {
    /// Creates an output for `most` rows.
    pub(super) fn new(
        destination: Destination<'o>,
        end: &'static [u8],
        table: Option<Box<dyn Encode>>,
        most: u64,
    ) -> Self {
        Out {
            destination,
            end,
            table,
            left: most,
        }
    }

    /// Returns whether no more rows are wanted.
    pub(super) fn is_full(&self) -> bool {
        self.left == 0
    }

    /// Writes the heading above the rows.
    pub(super) fn heading(&mut self, heading: &[u8]) -> Result<(), Error> {
        self.destination.write(heading)
    }

    /// Writes a row, unless the limit is reached. A row that is empty is its key and the end of a row.
    pub(super) fn row(&mut self, key: &[u8], row: &[u8]) -> Result<(), Error> {
        if self.left == 0 {
            return Ok(());
        }
        self.left -= 1;
        if row.is_empty() {
            self.write(key)?;
            return self.write(self.end);
        }
        self.write(row)
    }

    /// Writes `count` rows if the limit allows all of them; returns whether it does.
    pub(super) fn rows(&mut self, rows: &[u8], count: u64) -> Result<bool, Error> {
        let Some(left) = self.left.checked_sub(count) else {
            return Ok(false);
        };
        self.left = left;
        self.write(rows)?;
        Ok(true)
    }

    fn write(&mut self, rows: &[u8]) -> Result<(), Error> {
        let destination = &mut self.destination;
        match &mut self.table {
            Some(table) => table.rows(rows, &mut |bytes| destination.write(bytes)),
            None => destination.write(rows),
        }
    }

    /// Returns whether an incomplete list is written at all, as it is to standard output.
    pub(super) fn shows_beginning(&self) -> bool {
        matches!(self.destination, Destination::Stream(_))
    }

    /// Ends the list.
    pub(super) fn finish(self) -> Result<(), Error> {
        let mut destination = self.destination;
        if let Some(mut table) = self.table {
            table.finish(&mut |bytes| destination.write(bytes))?;
        }
        match destination {
            Destination::Stream(_) => Ok(()),
            Destination::File(file) => file.persist(),
        }
    }
}

impl Destination<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match self {
            Destination::Stream(stream) => stream.write_all(bytes).map_err(Error::Write),
            Destination::File(file) => {
                let written = file.file().write_all(bytes);
                written.map_err(|error| file.error(error))
            }
        }
    }
}
