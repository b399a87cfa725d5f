//! Where the rows of the list go, and the form in which they get there.

use std::io::{self, Write};

use super::table::Table;
use crate::commands::replace::Pending;
use crate::error::Error;
use crate::terminal::Stream;

/// Takes the rows of the list in their order.
pub(super) struct Sink<'o> {
    target: Target<'o>,
    /// What the rows become, if they are not written as they are.
    table: Option<Table>,
}

/// Where the list is written.
pub(super) enum Target<'o> {
    /// Standard output.
    Stream(&'o mut Stream),
    /// A file, which takes its place when the list is complete.
    File(Box<Pending>),
}

impl Target<'_> {
    fn write(&mut self, act: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
        match self {
            Target::Stream(stream) => act(stream).map_err(Error::Write),
            Target::File(file) => act(file.file()).map_err(|error| file.error(error)),
        }
    }
}

impl<'o> Sink<'o> {
    pub(super) fn new(target: Target<'o>, table: Option<Table>) -> Self {
        Sink { target, table }
    }

    /// Writes what stands above the rows.
    pub(super) fn heading(&mut self, heading: &[u8]) -> Result<(), Error> {
        self.target.write(|out| out.write_all(heading))
    }

    /// Writes rows.
    pub(super) fn rows(&mut self, rows: &[u8]) -> Result<(), Error> {
        let table = &mut self.table;
        self.target.write(|out| match table {
            Some(table) => table.rows(rows, out),
            None => out.write_all(rows),
        })
    }

    /// Ends the list. A file takes its place only if the list is complete.
    pub(super) fn finish(mut self, is_complete: bool) -> Result<(), Error> {
        if let Some(table) = &mut self.table {
            self.target.write(|out| table.finish(out))?;
        }
        match self.target {
            Target::File(file) if is_complete => file.persist(),
            Target::File(_) | Target::Stream(_) => Ok(()),
        }
    }
}
