//! The list that rows are added to.

use super::batch::Batch;
use super::counts::Counts;
use super::differences::Differences;
use super::out::Out;
use super::sample::Sample;
use super::spill::sorter::Sorter;
use super::spill::unique::Unique;
use crate::commands::jobs::Take;
use crate::error::Error;
use crate::walk::Totals;

/// The list that is being written. Rows are added in the order of their URLs.
pub(super) struct List<'o> {
    /// Drops rows with a key that has come before, if each URL is listed once.
    unique: Option<Unique>,
    end: End<'o>,
}

/// What is done with the rows that are left.
struct End<'o> {
    /// Draws some of the rows, if not all are listed.
    sample: Option<Sample>,
    kind: Kind,
    out: Out<'o>,
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
    /// Their URLs are compared with those of another list.
    Compare(Box<Differences>),
}

impl Take<Batch> for List<'_> {
    fn batch(&mut self, batch: Batch) -> Result<u64, Error> {
        let end = &mut self.end;
        match (&mut self.unique, &end.sample, &end.kind) {
            (Some(unique), ..) => unique.take(&batch, &mut |row| end.row(row))?,
            (None, None, Kind::Print) => end.print(&batch)?,
            (None, None, Kind::Count(_)) => end.count(&batch)?,
            (None, ..) => batch.rows().try_for_each(|row| end.row(row))?,
        }
        Ok(batch.count)
    }

    fn file_end(&mut self, line: &[u8], totals: Totals) -> Result<(), Error> {
        self.end.out.file_end(line, totals)
    }

    fn has_enough(&self) -> bool {
        let end = &self.end;
        matches!(end.kind, Kind::Print) && end.sample.is_none() && end.out.is_full()
    }
}

impl<'o> List<'o> {
    /// A list below `heading`.
    pub(super) fn new(
        heading: &[u8],
        (unique, sample): (Option<Unique>, Option<Sample>),
        kind: Kind,
        mut out: Out<'o>,
    ) -> Result<Self, Error> {
        out.heading(heading)?;
        let end = End {
            sample,
            kind,
            out,
            rows: 0,
            documents: 0,
            document: Vec::new(),
        };
        Ok(List { unique, end })
    }

    /// Adds what earlier runs have read to what this one has.
    pub(super) fn add_earlier(&self, totals: &mut Totals) {
        totals.add(self.end.out.earlier());
    }

    /// Prints what is true of the rows that have come, though not all have.
    pub(super) fn break_off(self) -> Result<(), Error> {
        match self.end.kind {
            // What has not been found is not what went.
            Kind::Compare(_) => self.end.out.break_off(),
            _ if !self.end.out.shows_beginning() => self.end.out.break_off(),
            _ => self.finish(),
        }
    }

    /// Prints what has not been printed yet.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        if let Some(unique) = self.unique {
            unique.finish(&mut |row| self.end.row(row))?;
        }
        if let Some(sample) = self.end.sample.take() {
            self.end.rows = 0;
            sample.finish(&mut |row| self.end.row(row))?;
        }
        let mut out = self.end.out;
        let print = &mut |row: &[u8]| out.row(row);
        match self.end.kind {
            Kind::Print => {}
            Kind::Sort(sorter) => sorter.finish(print)?,
            Kind::Count(counts) => counts.finish(print)?,
            Kind::Compare(differences) => differences.finish(print)?,
        }
        out.finish()
    }
}

impl End<'_> {
    /// Prints the rows of `batch`, which are told apart if there is a limit.
    fn print(&mut self, batch: &Batch) -> Result<(), Error> {
        if self.out.rows(&batch.text, batch.count)? {
            return Ok(());
        }
        batch.rows().try_for_each(|row| self.out.row(row))
    }

    fn row(&mut self, row: &[u8]) -> Result<(), Error> {
        match (&mut self.sample, &mut self.kind) {
            (Some(sample), _) => sample.add(self.rows, row)?,
            (None, Kind::Sort(sorter)) => sorter.add(self.rows, row)?,
            (None, Kind::Compare(differences)) => differences.add(row)?,
            (None, Kind::Print | Kind::Count(_)) => self.out.row(row)?,
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
