//! The list that rows are added to.

use super::batch::RowBatch;
use super::counts::CountList;
use super::out::Out;
use super::spill::sorter::Sorter;
use super::spill::unique::Unique;
use crate::error::Error;

/// The list that is being written. Rows are added in the order in which their URLs occur.
pub(super) struct List<'o> {
    /// Drops rows whose key has occurred before, if each URL is listed once.
    unique: Option<Unique>,
    end: End<'o>,
}

/// What is done with the rows that remain.
struct End<'o> {
    kind: ListKind,
    out: Out<'o>,
    /// How many rows have been added.
    rows: u64,
    /// How many documents, and the name of the last one.
    documents: u64,
    document: Vec<u8>,
}

/// What is done with rows.
pub(super) enum ListKind {
    /// They are printed at once.
    Print,
    /// They are sorted, and printed at the end.
    Sort(Sorter),
    /// They are counted, and the counts are printed at the end.
    Count(Box<CountList>),
}

impl List<'_> {
    /// Adds the rows of `batch`.
    pub(super) fn add(&mut self, batch: RowBatch) -> Result<(), Error> {
        let end = &mut self.end;
        match (&mut self.unique, &end.kind) {
            (Some(unique), _) => {
                unique.take(batch.rows(), &mut |row| end.row(row))?;
            }
            (None, ListKind::Print) => end.print(&batch)?,
            (None, ListKind::Count(_)) => end.count(&batch)?,
            (None, _) => batch.rows().try_for_each(|row| end.row(row))?,
        }
        Ok(())
    }

    /// Returns whether no more rows are wanted.
    pub(super) fn has_enough(&self) -> bool {
        let end = &self.end;
        matches!(end.kind, ListKind::Print) && end.out.is_full()
    }
}

impl<'o> List<'o> {
    /// A list below `heading`.
    pub(super) fn new(
        heading: &[u8],
        unique: Option<Unique>,
        kind: ListKind,
        mut out: Out<'o>,
    ) -> Result<Self, Error> {
        out.heading(heading)?;
        let end = End {
            kind,
            out,
            rows: 0,
            documents: 0,
            document: Vec::new(),
        };
        Ok(List { unique, end })
    }

    /// Ends the list after an interruption, with the rows so far if they are of use.
    pub(super) fn break_off(self) -> Result<(), Error> {
        if self.end.out.shows_beginning() {
            return self.finish();
        }
        Ok(())
    }

    /// Prints what has not been printed yet.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        if let Some(unique) = self.unique {
            unique.finish(&mut |row| self.end.row(row))?;
        }
        let mut out = self.end.out;
        let print = &mut |row: &[u8]| out.row(row);
        match self.end.kind {
            ListKind::Print => {}
            ListKind::Sort(sorter) => sorter.finish(print)?,
            ListKind::Count(counts) => counts.finish(print)?,
        }
        out.finish()
    }
}

impl End<'_> {
    /// Prints the rows of `batch`: all at once, or one by one if the limit ends among them.
    fn print(&mut self, batch: &RowBatch) -> Result<(), Error> {
        if self.out.rows(&batch.text, batch.count)? {
            return Ok(());
        }
        batch.rows().try_for_each(|row| self.out.row(row))
    }

    fn row(&mut self, row: &[u8]) -> Result<(), Error> {
        match &mut self.kind {
            ListKind::Sort(sorter) => sorter.add(self.rows, row)?,
            ListKind::Print | ListKind::Count(_) => self.out.row(row)?,
        }
        self.rows += 1;
        Ok(())
    }

    fn count(&mut self, batch: &RowBatch) -> Result<(), Error> {
        let ListKind::Count(counts) = &mut self.kind else {
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
