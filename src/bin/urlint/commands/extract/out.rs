//! Where the rows of the list go.

use std::io::Write;

use super::split::Split;
use crate::error::Error;
use crate::terminal::Stream;

/// Takes the rows in their order, those after the limit excepted.
pub(super) struct Out<'o> {
    place: Place<'o>,
    /// How many more rows are wanted.
    left: u64,
}

/// Where rows are written.
pub(super) enum Place<'o> {
    /// Standard output.
    Stream(&'o mut Stream),
    /// Files of a folder. Rows have the keys of their files before them.
    Folder(Box<Split>),
}

impl<'o> Out<'o> {
    /// Takes `most` rows.
    pub(super) fn new(place: Place<'o>, most: u64) -> Self {
        Out { place, left: most }
    }

    /// Returns whether no more rows are wanted.
    pub(super) fn is_full(&self) -> bool {
        self.left == 0
    }

    /// Writes what stands above the rows.
    pub(super) fn heading(&mut self, heading: &[u8]) -> Result<(), Error> {
        match &mut self.place {
            Place::Folder(split) => split.set_heading(heading),
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
        self.place.write(row)
    }

    /// Writes `count` rows one after another, if all of them are wanted and go to the same file. Returns
    /// whether it did.
    pub(super) fn rows(&mut self, rows: &[u8], count: u64) -> Result<bool, Error> {
        let left = self.left.checked_sub(count);
        let Some(left) = left.filter(|_| !matches!(self.place, Place::Folder(_))) else {
            return Ok(false);
        };
        self.left = left;
        self.place.write(rows)?;
        Ok(true)
    }

    /// Returns whether what has been written so far is of any use.
    pub(super) fn shows_beginning(&self) -> bool {
        matches!(self.place, Place::Stream(_))
    }

    /// Ends the list.
    pub(super) fn finish(self) -> Result<(), Error> {
        match self.place {
            Place::Stream(_) => Ok(()),
            Place::Folder(split) => split.finish(),
        }
    }
}

impl Place<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match self {
            Place::Stream(stream) => stream.write_all(bytes).map_err(Error::Write),
            Place::Folder(split) => split.add(bytes),
        }
    }
}
