//! The list that rows are added to.

use super::batch::RowBatch;
use super::counts::Counts;
use super::out::Out;
use super::spill::Spill;
use super::spill::groups::Groups;
use super::spill::sorter::{Order, Sorter};
use super::{counts, varint};
use crate::error::Error;

/// How many keys are looked up together: see [`Groups::warm`].
const TOGETHER: usize = 64;

/// The list that is being written. Rows are added in the order in which their URLs occur.
pub(super) struct List<'o> {
    grouped: Option<Grouped>,
    end: End<'o>,
    /// How many rows have been added.
    rows: u64,
}

/// Rows that are grouped by their keys.
pub(super) struct Grouped {
    groups: Groups,
    /// How the rows of each group are counted; without it, the first one is listed.
    counts: Option<Counts>,
    /// The place of the last row that was listed at once, which ends when memory is full.
    listed: u64,
    spill: Spill,
}

/// The last step for the rows that are listed: they are sorted or printed.
struct End<'o> {
    /// Whether they are sorted by the key before each.
    is_sorted: bool,
    sorter: Option<Sorter>,
    out: Out<'o>,
}

impl<'o> List<'o> {
    /// A list below `heading`.
    pub(super) fn new(
        heading: &[u8],
        grouped: Option<Grouped>,
        sorter: Option<Sorter>,
        mut out: Out<'o>,
    ) -> Result<Self, Error> {
        out.heading(heading)?;
        Ok(List {
            grouped,
            end: End {
                is_sorted: sorter.is_some(),
                sorter,
                out,
            },
            rows: 0,
        })
    }

    /// Adds the rows of `batch`.
    pub(super) fn add(&mut self, batch: &RowBatch) -> Result<(), Error> {
        let first = self.rows + 1;
        self.rows += batch.count;
        if let Some(grouped) = &mut self.grouped {
            return grouped.add(batch, first, &mut self.end);
        }
        // All at once, or one by one if they are sorted or the limit ends among them.
        if self.end.sorter.is_none() && self.end.out.rows(&batch.text, batch.count)? {
            return Ok(());
        }
        let mut rows = batch.rows().zip(first..);
        rows.try_for_each(|(row, place)| self.end.add(b"", place, row))
    }

    /// Returns whether no more rows are wanted.
    pub(super) fn has_enough(&self) -> bool {
        let is_counted = (self.grouped.as_ref()).is_some_and(|grouped| grouped.counts.is_some());
        self.end.sorter.is_none() && !is_counted && self.end.out.is_full()
    }

    /// Ends the list after an interruption, with the rows so far if they are of use.
    pub(super) fn break_off(self) -> Result<(), Error> {
        if self.end.out.shows_beginning() {
            return self.finish();
        }
        Ok(())
    }

    /// Prints the rows that have not been printed yet.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        if let Some(grouped) = self.grouped {
            grouped.finish(&mut self.end)?;
        }
        let End {
            sorter, mut out, ..
        } = self.end;
        if let Some(sorter) = sorter {
            sorter.finish(&mut |key, row| out.row(key, row))?;
        }
        out.finish()
    }
}

impl Grouped {
    /// Groups that are counted as `counts` says, or whose first rows are listed.
    pub(super) fn new(counts: Option<Counts>, spill: Spill) -> Self {
        let combine = match counts {
            Some(_) => counts::combine,
            None => |_: &mut [u8], _: &[u8]| {},
        };
        Grouped {
            groups: Groups::new(combine, &spill),
            counts,
            listed: 0,
            spill,
        }
    }

    /// Adds the rows of `batch`, the first of which has the place `first`.
    fn add(&mut self, batch: &RowBatch, first: u64, end: &mut End<'_>) -> Result<(), Error> {
        let rows = batch.rows().zip(first..);
        let hashed = rows.map(|(row, place)| {
            let (key, row) = varint::text(row);
            (self.groups.hash(key), key, place, row)
        });
        let hashed: Vec<_> = hashed.collect();
        for together in hashed.chunks(TOGETHER) {
            (together.iter()).for_each(|&(hash, ..)| self.groups.warm(hash));
            for &(hash, key, place, row) in together {
                if self.counts.is_some() {
                    self.groups.add(hash, key, place, &counts::of_row(row))?;
                } else if !self.groups.is_whole() {
                    self.groups.add(hash, key, place, row)?;
                } else if self.groups.add(hash, key, place, b"")? {
                    self.listed = place;
                    end.add(key, place, row)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the rows that are not listed yet to `end`.
    fn finish(self, end: &mut End<'_>) -> Result<(), Error> {
        if end.sorter.is_none() && !self.groups.is_whole() {
            end.sorter = Some(Sorter::new(Order::Place, usize::MAX, &self.spill));
        }
        let mut row = Vec::new();
        self.groups.finish(|key, place, value| match &self.counts {
            Some(counts) => {
                row.clear();
                counts.write(&mut row, key, value);
                end.add(key, place, &row)
            }
            None if place > self.listed => end.add(key, place, value),
            None => Ok(()),
        })
    }
}

impl End<'_> {
    fn add(&mut self, key: &[u8], place: u64, row: &[u8]) -> Result<(), Error> {
        let (key, row) = if self.is_sorted {
            varint::text(row)
        } else {
            (key, row)
        };
        match &mut self.sorter {
            Some(sorter) => sorter.add(key, place, row),
            None => self.out.row(key, row),
        }
    }
}
