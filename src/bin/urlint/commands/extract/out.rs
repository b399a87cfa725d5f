//! Where the rows of the list go.

use std::io::Write;

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
        self.place.write(heading)
    }

    /// Writes a row, if it is wanted.
    pub(super) fn row(&mut self, row: &[u8]) -> Result<(), Error> {
        if self.left == 0 {
            return Ok(());
        }
        self.left -= 1;
        self.place.write(row)
    }

    /// Writes `count` rows one after another, if all of them are wanted. Returns whether it did.
    pub(super) fn rows(&mut self, rows: &[u8], count: u64) -> Result<bool, Error> {
        let Some(left) = self.left.checked_sub(count) else {
            return Ok(false);
        };
        self.left = left;
        self.place.write(rows)?;
        Ok(true)
    }
}

impl Place<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match self {
            Place::Stream(stream) => stream.write_all(bytes).map_err(Error::Write),
        }
    }
}
