//! Sorts rows, or finds the first of them in an order.

use std::borrow::Cow;

use super::records::Records;
use super::runs::Runs;
use super::{Emit, Spill};
use crate::error::Error;

/// The least number of rows that are kept before those beyond the limit are dropped.
const FEW: usize = 1024;

/// How rows are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Order {
    /// By their keys, then by their places.
    Key,
    /// By their keys in reverse, then by their places.
    Reverse,
    /// By their places.
    Place,
}

/// Sorts rows.
#[derive(Debug)]
pub(in super::super) struct Sorter {
    order: Order,
    /// How many rows are wanted, from the first.
    limit: usize,
    memory: usize,
    /// The rows that are in no run.
    records: Records,
    runs: Runs,
    /// The last row within the limit so far. Those after it are not wanted.
    last: Records,
}

impl Sorter {
    pub(in super::super) fn new(order: Order, limit: usize, spill: &Spill) -> Self {
        Sorter {
            order,
            limit,
            memory: spill.memory,
            records: Records::default(),
            runs: Runs::new(spill),
            last: Records::default(),
        }
    }

    /// Adds a row.
    pub(in super::super) fn add(
        &mut self,
        key: &[u8],
        place: u64,
        row: &[u8],
    ) -> Result<(), Error> {
        let added = self.records.len();
        let rank = match self.order {
            Order::Place => place,
            Order::Key | Order::Reverse => 0,
        };
        self.records.push(rank, |record| {
            put_key(record, key, self.order);
            record.extend_from_slice(&place.to_be_bytes());
            record.extend_from_slice(row);
        });
        if self.last.len() > 0 && self.records.get(added) >= self.last.get(0) {
            self.records.pop();
        }
        let most = self.limit.saturating_mul(2).max(FEW);
        if self.records.size() > self.memory || self.records.len() >= most {
            self.make_room()?;
        }
        Ok(())
    }

    /// Frees memory: drops the rows beyond the limit and, if that is not enough, writes all to a run.
    fn make_room(&mut self) -> Result<(), Error> {
        self.records.sort(self.limit);
        if self.records.len() == self.limit {
            self.records = self.records.iter().collect();
            self.last = self.records.iter().next_back().into_iter().collect();
        }
        if self.records.size() > self.memory / 2 {
            self.runs.write(&mut self.records)?;
        }
        Ok(())
    }

    /// Emits the keys and the rows, in order.
    pub(in super::super) fn finish(mut self, emit: &mut Emit<'_>) -> Result<(), Error> {
        self.records.sort(self.limit);
        let emit = &mut |_, record: &[u8]| {
            let (key, rest) = key(record, self.order);
            let row = rest.get(size_of::<u64>()..).unwrap_or_default();
            emit(&key, row)
        };
        if self.runs.is_empty() {
            let mut records = self.records.iter();
            return records.try_for_each(|(rank, record)| emit(rank, record));
        }
        self.runs.write(&mut self.records)?;
        drop(self.records);
        self.runs.merge(self.limit, emit)
    }
}

/// Writes `key` so that its bytes are in the order of keys, whatever follows: 0 ends it, and 0 and 1 are
/// written as two bytes. In the reverse order all bits are inverted.
fn put_key(out: &mut Vec<u8>, key: &[u8], order: Order) {
    let start = out.len();
    let mut rest = key;
    while let Some(at) = memchr::memchr2(0, 1, rest) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(&[1, rest[at] + 1]);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.push(0);
    if order == Order::Reverse {
        out[start..].iter_mut().for_each(|byte| *byte = !*byte);
    }
}

/// Reads the key at the start of `record`; returns it and the rest.
fn key(record: &[u8], order: Order) -> (Cow<'_, [u8]>, &[u8]) {
    let is_reverse = order == Order::Reverse;
    let mask = if is_reverse { !0 } else { 0 };
    let end = memchr::memchr(mask, record).unwrap_or(record.len());
    let (key, rest) = record.split_at(end);
    let rest = rest.get(1..).unwrap_or_default();
    if !is_reverse && memchr::memchr(1, key).is_none() {
        return (key.into(), rest);
    }
    let mut bytes = key.iter().map(|byte| byte ^ mask);
    let mut key = Vec::with_capacity(key.len());
    while let Some(byte) = bytes.next() {
        key.push(match byte {
            1 => bytes.next().map_or(1, |byte| byte - 1),
            _ => byte,
        });
    }
    (key.into(), rest)
}
