//! External merge sort: sorted runs are written to a file and merged.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::Emit;
use super::store::{Reader, SpillFile, Store};
use crate::commands::extract::batch;
use crate::commands::extract::batch::KeyLayout;
use crate::error::Error;

/// How many runs are merged at once.
const TOGETHER: usize = 256;

/// The least number of records that are kept before those beyond the limit are dropped.
const FEW: usize = 1024;

/// Takes a record and its place.
pub(super) type EmitPlaced<'e> = dyn FnMut(u64, &[u8]) -> Result<(), Error> + 'e;

/// Sorts records by their keys, those with equal keys by their places.
#[derive(Debug)]
pub(in super::super) struct Sorter {
    order: Order,
    store: Store,
    /// How many bytes of memory records may use.
    memory: usize,
    /// How many records are wanted, from the first.
    limit: usize,
    /// The bytes of the records that are in no run.
    bytes: Vec<u8>,
    /// Where they are in `bytes`.
    records: Vec<Record>,
    runs: Vec<SpillFile>,
    /// The last record within the limit so far, and its place. Records after it are not wanted.
    last: Option<(Vec<u8>, u64)>,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    place: u64,
    start: u32,
    end: u32,
}

/// How records are compared.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Order {
    pub(in super::super) layout: KeyLayout,
    pub(in super::super) reverse: bool,
}

impl Order {
    /// The order of keys, the least first.
    pub(super) fn by_key(layout: KeyLayout) -> Self {
        Order {
            layout,
            reverse: false,
        }
    }

    fn compare(self, one: (&[u8], u64), other: (&[u8], u64)) -> Ordering {
        let keys = self.layout.split(one.0).0.cmp(self.layout.split(other.0).0);
        let keys = if self.reverse { keys.reverse() } else { keys };
        keys.then(one.1.cmp(&other.1))
    }
}

impl Sorter {
    pub(in super::super) fn new(order: Order, limit: usize, store: &Store, memory: usize) -> Self {
        Sorter {
            order,
            store: store.clone(),
            memory,
            limit,
            bytes: Vec::new(),
            records: Vec::new(),
            runs: Vec::new(),
            last: None,
        }
    }

    /// Adds a record.
    pub(in super::super) fn add(&mut self, place: u64, record: &[u8]) -> Result<(), Error> {
        if !self.is_wanted(place, record) {
            return Ok(());
        }
        let size = self.bytes.len() + record.len() + size_of_val(&*self.records);
        let is_full = size > self.memory || self.records.len() >= self.most();
        if is_full && !self.records.is_empty() {
            self.make_room()?;
        }
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(record);
        let end = self.bytes.len() as u32;
        self.records.push(Record { place, start, end });
        Ok(())
    }

    /// Returns how many records are kept before those beyond the limit are dropped.
    fn most(&self) -> usize {
        self.limit.saturating_mul(2).max(FEW)
    }

    /// Returns whether the record may be within the limit.
    fn is_wanted(&self, place: u64, record: &[u8]) -> bool {
        let last = self.last.as_ref();
        let is_before = |(last, at): &(Vec<u8>, u64)| {
            let order = self.order.compare((record, place), (last, *at));
            order == Ordering::Less
        };
        last.is_none_or(is_before)
    }

    fn sort(&mut self) {
        let (order, bytes) = (self.order, &self.bytes);
        let of = |record: &Record| (&bytes[record.range()], record.place);
        self.records
            .sort_unstable_by(|one, other| order.compare(of(one), of(other)));
        self.records.truncate(self.limit);
        let is_all = self.records.len() == self.limit;
        if let Some(last) = self.records.last().filter(|_| is_all) {
            self.last = Some((bytes[last.range()].to_vec(), last.place));
        }
    }

    /// Frees memory: drops the records beyond the limit or, if that is not enough, writes all to a run.
    fn make_room(&mut self) -> Result<(), Error> {
        self.sort();
        let kept: usize = self.records.iter().map(|record| record.range().len()).sum();
        if kept + size_of_val(&*self.records) <= self.memory / 2 {
            let mut bytes = Vec::with_capacity(kept);
            for record in &mut self.records {
                let start = bytes.len() as u32;
                bytes.extend_from_slice(&self.bytes[record.range()]);
                *record = Record {
                    start,
                    end: bytes.len() as u32,
                    ..*record
                };
            }
            self.bytes = bytes;
            return Ok(());
        }
        self.write_run()
    }

    fn write_run(&mut self) -> Result<(), Error> {
        let mut run = SpillFile::new(&self.store);
        let mut placed = Vec::new();
        for record in &self.records {
            placed.clear();
            batch::put_number(&mut placed, record.place);
            placed.extend_from_slice(&self.bytes[record.range()]);
            run.push_record(&placed)?;
        }
        self.bytes.clear();
        self.records.clear();
        self.add_run(run)
    }

    /// Adds records with their places, which are in order.
    pub(super) fn add_run(&mut self, mut run: SpillFile) -> Result<(), Error> {
        run.end()?;
        self.runs.push(run);
        Ok(())
    }

    /// Emits the rows of all records, in order.
    pub(in super::super) fn finish(self, emit: &mut Emit<'_>) -> Result<(), Error> {
        let layout = self.order.layout;
        self.records(&mut |_, record| emit(layout.split(record).1))
    }

    /// Emits all records, in order.
    fn records(mut self, emit: &mut EmitPlaced<'_>) -> Result<(), Error> {
        self.sort();
        if self.runs.is_empty() {
            let mut records = self.records.iter();
            return records.try_for_each(|record| emit(record.place, &self.bytes[record.range()]));
        }
        self.write_run()?;
        (self.bytes, self.records) = (Vec::new(), Vec::new());
        while self.runs.len() > TOGETHER {
            let rest = self.runs.split_off(TOGETHER);
            let mut run = SpillFile::new(&self.store);
            let mut placed = Vec::new();
            self.merge(&mut |place, record| {
                placed.clear();
                batch::put_number(&mut placed, place);
                placed.extend_from_slice(record);
                run.push_record(&placed)
            })?;
            self.runs = rest;
            self.add_run(run)?;
        }
        self.merge(emit)
    }

    /// Merges all runs.
    fn merge(&self, emit: &mut EmitPlaced<'_>) -> Result<(), Error> {
        let mut heads = BinaryHeap::new();
        for run in &self.runs {
            let mut head = Head {
                order: self.order,
                run: run.reader(),
                place: 0,
                record: Vec::new(),
            };
            if head.next()? {
                heads.push(head);
            }
        }
        let mut left = self.limit;
        while let Some(mut head) = heads.peek_mut() {
            if left == 0 {
                break;
            }
            left -= 1;
            emit(head.place, &head.record)?;
            if !head.next()? {
                PeekMut::pop(head);
            }
        }
        Ok(())
    }
}

impl Record {
    fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The next record of a run. In the heap, the greatest head is the one that is emitted first.
struct Head<'t> {
    order: Order,
    run: Reader<'t>,
    place: u64,
    record: Vec<u8>,
}

impl Head<'_> {
    /// Advances to the next record; returns whether there is one.
    fn next(&mut self) -> Result<bool, Error> {
        let Some(placed) = self.run.record()? else {
            return Ok(false);
        };
        let (place, record) = batch::number(placed);
        self.place = place;
        self.record.clear();
        self.record.extend_from_slice(record);
        Ok(true)
    }
}

impl Ord for Head<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let other = (&*other.record, other.place);
        self.order.compare(other, (&self.record, self.place))
    }
}

impl PartialOrd for Head<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Head<'_> {}
