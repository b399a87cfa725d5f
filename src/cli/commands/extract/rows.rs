//! The rows of a list: how each URL is written.

use std::borrow::Cow;

use urlint_lint::Judged;
use urlint_list::{Cell, Fields, Row, SourceInfo};

use super::batch::RowBatch;
use super::cells::Layout;
use super::shape::{Key, Shape};
use super::{counts, varint};

/// How rows are written.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) fields: Fields,
    pub(super) layout: Layout,
    /// The needs of the list in addition to the row.
    pub(super) shape: Shape,
    /// Whether a row is only a URL.
    is_bare: bool,
    /// Whether a row is only the last of its keys.
    is_key: bool,
}

impl Rows {
    pub(super) fn new(fields: Fields, layout: Layout, shape: Shape, is_bare: bool) -> Self {
        let is_last_key = match shape.sort {
            Some(key) => key == Key::Url,
            None => shape.unique,
        };
        Rows {
            fields,
            is_key: is_bare && is_last_key && !layout.escape_controls,
            layout,
            shape,
            is_bare,
        }
    }

    /// Adds the row of a URL of the source `info`. As far as the list needs them, two keys are before it: one to group it by, and one to sort it by. The row is left
    /// out if it is only the last key.
    pub(super) fn add(&self, batch: &mut RowBatch, info: SourceInfo<'_>, judged: &Judged<'_, '_>) {
        batch.begin_row();
        let row = self.fields.row(info, judged);
        if let Some(counted) = self.shape.counts {
            let key = self.value(counted.key, &row);
            let key = if key.is_empty() { NONE } else { &key };
            varint::put_text(&mut batch.text, key);
            if counted.has_dates {
                let date = info.date(judged.found).map_or(0, counts::number_of);
                varint::put_number(&mut batch.text, date);
            }
            batch.end_row();
            return;
        }
        if self.shape.unique {
            varint::put_text(&mut batch.text, &self.url(&row));
        }
        if let Some(sorted) = self.shape.sort {
            let key = self.value(sorted, &row);
            varint::put_text(&mut batch.text, &self.layout.sorted(&key));
        }
        if !self.is_bare {
            self.layout.row(&mut batch.text, row.cells());
        } else if !self.is_key {
            batch.text.extend_from_slice(&self.layout.bare(row.url()));
            batch.text.extend_from_slice(self.layout.end);
        }
        if self.shape.has_rows() {
            batch.end_row();
        }
    }

    /// Returns the value of `key`, empty if it is absent.
    fn value<'r>(&self, key: Key, row: &'r Row<'_, '_>) -> Cow<'r, [u8]> {
        if key == Key::Url {
            return self.url(row);
        }
        let cells = key.fields().iter().map(|field| row.cell(*field));
        let mut texts = cells.map(|cell| match cell {
            Cell::Text(text) => text,
            Cell::Time(time) => {
                let mut time = time.to_string();
                time.truncate(key.length());
                time.into_bytes().into()
            }
            _ => Cow::default(),
        });
        texts.find(|text| !text.is_empty()).unwrap_or_default()
    }

    /// Returns the URL as it is listed; if it is a key and a row, as it is written.
    fn url<'r>(&self, row: &'r Row<'_, '_>) -> Cow<'r, [u8]> {
        if self.is_key {
            self.layout.bare(row.url())
        } else {
            row.url().into()
        }
    }

    /// Returns whether lines have to be counted.
    pub(super) fn are_placed(&self) -> bool {
        self.fields.redact || self.fields.need_positions()
    }
}

/// The key of URLs that have none.
const NONE: &[u8] = b"(none)";
