//! What came into a list since one of before, and what went.

use std::path::Path;

use super::Format;
use super::batch::Layout;
use super::cells;
use super::cells::Texts;
use super::old::{Old, spelled};
use super::spill::sorter::{Order, Sorter};
use super::spill::store::Store;
use super::spill::unique::Emit;
use crate::error::Error;

/// The column that says whether a URL came or went.
pub(super) const CHANGE: &str = "change";

/// The columns of a list of differences.
pub(super) const COLUMNS: [&str; 2] = [CHANGE, "url"];

/// The ends of records: the URL is in the old list, or in the new one.
const OLD: u8 = b'-';
const NEW: u8 = b'+';

/// Compares lists, and writes each URL that is only in one of them.
#[derive(Debug)]
pub(super) struct Differences {
    /// The URLs of both lists.
    urls: Sorter,
    count: u64,
    /// The format of the old list.
    old: Format,
    writing: Writing,
    record: Vec<u8>,
}

/// How differences are written.
#[derive(Debug)]
pub(super) struct Writing {
    pub(super) format: Format,
    pub(super) layout: cells::Layout,
    /// What ends a row of text.
    pub(super) end: &'static [u8],
}

impl Differences {
    /// Reads the old list at `path`.
    pub(super) fn new(
        path: &Path,
        writing: Writing,
        store: &Store,
        memory: usize,
    ) -> Result<Self, Error> {
        let order = Order {
            layout: Layout::Within(1),
            reverse: false,
        };
        let end = writing.end.first().copied();
        let old = Old::open(path, end.unwrap_or(b'\n'))?;
        let mut differences = Differences {
            urls: Sorter::new(order, usize::MAX, store, memory),
            count: 0,
            old: old.format,
            writing,
            record: Vec::new(),
        };
        old.each(&mut |url| differences.put(url, OLD))?;
        Ok(differences)
    }

    /// Adds a URL of the new list.
    pub(super) fn add(&mut self, url: &[u8]) -> Result<(), Error> {
        let url = spelled(self.old, url);
        if self.old == Format::Text {
            return self.put(&cells::within(&url, self.writing.end), NEW);
        }
        self.put(&url, NEW)
    }

    fn put(&mut self, url: &[u8], list: u8) -> Result<(), Error> {
        self.record.clear();
        self.record.extend_from_slice(url);
        self.record.push(list);
        self.count += 1;
        self.urls.add(self.count, &self.record)
    }

    /// Emits the rows, by URL.
    pub(super) fn finish(self, emit: &mut Emit<'_>) -> Result<(), Error> {
        let writing = self.writing;
        let (mut url, mut is_old, mut is_new) = (Vec::new(), false, false);
        let mut row = Vec::new();
        let mut end = |url: &[u8], is_old: bool, is_new: bool| {
            if is_old == is_new {
                return Ok(());
            }
            row.clear();
            writing.row(&mut row, url, is_new);
            emit(&row)
        };
        self.urls.finish(&mut |record| {
            let (&list, next) = record.split_last().unwrap_or((&OLD, b""));
            if next != url {
                end(&url, is_old, is_new)?;
                (is_old, is_new) = (false, false);
                url.clear();
                url.extend_from_slice(next);
            }
            is_old |= list == OLD;
            is_new |= list == NEW;
            Ok(())
        })?;
        end(&url, is_old, is_new)
    }
}

impl Writing {
    fn row(&self, out: &mut Vec<u8>, url: &[u8], is_new: bool) {
        if self.format == Format::Text {
            out.push(if is_new { NEW } else { OLD });
            self.layout.bare(out, url);
            return;
        }
        let change: &[u8] = if is_new { b"added" } else { b"removed" };
        self.layout.row(out, Texts(&[change, url]));
    }
}
