//! The list that rows are added to.

use super::batch::Batch;
use super::counts::Counts;
use super::sink::Sink;
use super::spill::sorter::Sorter;
use super::spill::unique::Unique;
use crate::error::Error;

/// The list that is being written. Rows are added in the order of their URLs.
pub(super) struct List<'o> {
    /// Drops rows with a key that has come before, if each URL is listed once.
    unique: Option<Unique>,
    end: End<'o>,
}

/// What is done with the rows that are left.
struct End<'o> {
    out: Sink<'o>,
    kind: Kind,
    /// How many rows have been added.
    rows: u64,
    /// How many documents, and the name of the last one.
    documents: u64,
    document: Vec<u8>,
}

/// What is done with rows.
pub(super) enum Kind {
    /// They are printed at once.
    Print,
    /// They are sorted, and printed at the end.
    Sort(Sorter),
    /// They are counted, and the counts are printed at the end.
    Count(Box<Counts>),
}

impl<'o> List<'o> {
    /// A list below `heading`.
    pub(super) fn new(
        heading: &[u8],
        unique: Option<Unique>,
        kind: Kind,
        mut out: Sink<'o>,
    ) -> Result<Self, Error> {
        out.heading(heading)?;
        let end = End {
            out,
            kind,
            rows: 0,
            documents: 0,
            document: Vec::new(),
        };
        Ok(List { unique, end })
    }

    /// Adds all rows of `batch`, and clears it.
    pub(super) fn take(&mut self, batch: &mut Batch) -> Result<(), Error> {
        let end = &mut self.end;
        match (&mut self.unique, &mut end.kind) {
            (None, Kind::Print) => end.out.rows(&batch.text)?,
            (None, Kind::Count(_)) => end.count(batch)?,
            (None, Kind::Sort(_)) => batch.rows().try_for_each(|row| end.row(row))?,
            (Some(unique), _) => unique.take(batch, &mut |row| end.row(row))?,
        }
        batch.clear();
        Ok(())
    }

    /// Prints what has not been printed yet. If the list is not complete, a file for it stays as it is.
    pub(super) fn finish(mut self, is_complete: bool) -> Result<(), Error> {
        if let Some(unique) = self.unique {
            unique.finish(&mut |row| self.end.row(row))?;
        }
        let mut out = self.end.out;
        let print = &mut |row: &[u8]| out.rows(row);
        match self.end.kind {
            Kind::Print => {}
            Kind::Sort(sorter) => sorter.finish(print)?,
            Kind::Count(counts) => counts.finish(print)?,
        }
        out.finish(is_complete)
    }
}

impl End<'_> {
    fn row(&mut self, row: &[u8]) -> Result<(), Error> {
        match &mut self.kind {
            Kind::Sort(sorter) => sorter.add(self.rows, row)?,
            Kind::Print | Kind::Count(_) => self.out.rows(row)?,
        }
        self.rows += 1;
        Ok(())
    }

    fn count(&mut self, batch: &Batch) -> Result<(), Error> {
        let Kind::Count(counts) = &mut self.kind else {
            return Ok(());
        };
        let mut documents = batch.documents().peekable();
        for (row, key) in batch.rows().enumerate() {
            // A document may continue from the last batch.
            if let Some((_, name)) = documents.next_if(|&(first, _)| first == row)
                && name != self.document
            {
                self.documents += 1;
                self.document = name.to_vec();
            }
            counts.add(key, self.documents, self.rows)?;
            self.rows += 1;
        }
        Ok(())
    }
}
