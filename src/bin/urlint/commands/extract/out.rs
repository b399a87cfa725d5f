//! Where the rows of the list go.

use std::io::Write;

use super::resume::Journal;
use super::split::Split;
use super::table::Table;
use crate::commands::replace::Pending;
use crate::error::Error;
use crate::terminal::Stream;
use crate::walk::Totals;

/// Takes the rows in their order, those after the limit excepted.
pub(super) struct Out<'o> {
    place: Place<'o>,
    /// What the rows become, if they are not written as they are.
    table: Option<Table>,
    /// How many more rows are wanted.
    left: u64,
}

/// Where rows are written.
pub(super) enum Place<'o> {
    /// Standard output.
    Stream(&'o mut Stream),
    /// Files of a folder. Rows have the keys of their files before them.
    Folder(Box<Split>),
    /// A file, which takes its place once it is complete.
    File(Pending),
    /// A file that another run can go on with.
    Kept(Box<Journal>),
}

impl<'o> Out<'o> {
    /// Takes `most` rows.
    pub(super) fn new(place: Place<'o>, table: Option<Table>, most: u64) -> Self {
        Out {
            place,
            table,
            left: most,
        }
    }

    /// Returns whether no more rows are wanted.
    pub(super) fn is_full(&self) -> bool {
        self.left == 0
    }

    /// Writes what stands above the rows.
    pub(super) fn heading(&mut self, heading: &[u8]) -> Result<(), Error> {
        match &mut self.place {
            Place::Folder(split) => split.set_heading(heading),
            Place::Kept(journal) if !journal.is_new() => {}
            place => place.write(heading)?,
        }
        Ok(())
    }

    /// Writes a row, if it is wanted.
    pub(super) fn row(&mut self, row: &[u8]) -> Result<(), Error> {
        if self.left == 0 {
            return Ok(());
        }
        self.left -= 1;
        self.write(row)
    }

    /// Writes `count` rows one after another, if all of them are wanted and go to the same file. Returns
    /// whether it did.
    pub(super) fn rows(&mut self, rows: &[u8], count: u64) -> Result<bool, Error> {
        let left = self.left.checked_sub(count);
        let Some(left) = left.filter(|_| !matches!(self.place, Place::Folder(_))) else {
            return Ok(false);
        };
        self.left = left;
        self.write(rows)?;
        Ok(true)
    }

    fn write(&mut self, rows: &[u8]) -> Result<(), Error> {
        let place = &mut self.place;
        match &mut self.table {
            Some(table) => table.rows(rows, &mut |bytes| place.write(bytes)),
            None => place.write(rows),
        }
    }

    /// Takes note that all rows of a file have been written.
    pub(super) fn file_end(&mut self, line: &[u8], totals: Totals) -> Result<(), Error> {
        match &mut self.place {
            Place::Kept(journal) => journal.file_end(line, totals),
            _ => Ok(()),
        }
    }

    /// Returns what earlier runs have read.
    pub(super) fn earlier(&self) -> Totals {
        match &self.place {
            Place::Kept(journal) => journal.earlier(),
            _ => Totals::default(),
        }
    }

    /// Returns whether the beginning of the list is of use to whoever reads it.
    pub(super) fn shows_beginning(&self) -> bool {
        matches!(self.place, Place::Stream(_))
    }

    /// Ends the work, though the list is not complete.
    pub(super) fn break_off(self) -> Result<(), Error> {
        match self.place {
            Place::Kept(journal) => journal.keep(),
            Place::Stream(_) | Place::Folder(_) | Place::File(_) => Ok(()),
        }
    }

    /// Ends the list.
    pub(super) fn finish(self) -> Result<(), Error> {
        let mut place = self.place;
        if let Some(mut table) = self.table {
            table.finish(&mut |bytes| place.write(bytes))?;
        }
        match place {
            Place::Stream(_) => Ok(()),
            Place::Folder(split) => split.finish(),
            Place::File(file) => file.persist(),
            Place::Kept(journal) => journal.finish(),
        }
    }
}

impl Place<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match self {
            Place::Stream(stream) => stream.write_all(bytes).map_err(Error::Write),
            Place::Folder(split) => split.add(bytes),
            Place::File(file) => {
                let written = file.file().write_all(bytes);
                written.map_err(|error| file.error(error))
            }
            Place::Kept(journal) => journal.write(bytes),
        }
    }
}
