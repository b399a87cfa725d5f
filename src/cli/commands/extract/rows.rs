//! The rows of a list: how each URL is written.

use std::borrow::Cow;

use urlint_lint::Judged;
use urlint_list::{Cells, Field, Fields, SourceInfo};

use super::batch::RowBatch;
use super::cells::{Layout, RowOf};
use super::shape::{Key, Shape};
use super::{Format, counts, varint};

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
    /// The key that URLs are counted by.
    counted: Option<KeyFields>,
    /// The key that they are sorted by.
    sorted: Option<KeyFields>,
    /// How keys are written.
    keys: Layout,
}

/// A key, and the fields that it may be.
#[derive(Debug)]
struct KeyFields {
    key: Key,
    fields: Vec<Fields>,
}

/// The row of a URL.
#[derive(Clone, Copy)]
struct UrlRow<'r, 'w> {
    fields: &'r Fields,
    info: SourceInfo<'r>,
    judged: &'r Judged<'r, 'w>,
}

impl RowOf for UrlRow<'_, '_> {
    #[inline]
    fn fill(self, cells: &mut impl Cells) {
        self.fields.write(cells, self.info, self.judged);
    }
}

impl Rows {
    pub(super) fn new(fields: Fields, layout: Layout, shape: Shape, is_bare: bool) -> Self {
        let of_key = |key: Key| {
            let fields_of = |field: &Field| {
                let mut fields = fields.clone();
                fields.fields = vec![*field];
                fields
            };
            let fields = key.fields().iter().map(fields_of).collect();
            KeyFields { key, fields }
        };
        let is_last_key = match shape.sort {
            Some(key) => key == Key::Url,
            None => shape.unique,
        };
        Rows {
            counted: shape.counts.map(|counted| of_key(counted.key)),
            sorted: shape.sort.map(of_key),
            keys: Layout::new(Format::Text, Vec::new(), b"", false).verbatim(),
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
        let row = UrlRow {
            fields: &self.fields,
            info,
            judged,
        };
        if let Some(counted) = self.shape.counts {
            varint::put_text(&mut batch.text, &self.group(row));
            if counted.has_dates {
                let date = info.date(judged.found).map_or(0, counts::number_of);
                varint::put_number(&mut batch.text, date);
            }
            batch.end_row();
            return;
        }
        if self.shape.unique {
            varint::put_text(&mut batch.text, &self.url(row));
        }
        if let Some(sorted) = &self.sorted {
            let key = self.value(sorted, row);
            varint::put_text(&mut batch.text, &self.layout.sorted(&key));
        }
        if !self.is_bare {
            self.layout.row(&mut batch.text, row);
        } else if !self.is_key {
            let url = self.url(row);
            batch.text.extend_from_slice(&self.layout.bare(&url));
            batch.text.extend_from_slice(self.layout.end);
        }
        if self.shape.has_rows() {
            batch.end_row();
        }
    }

    /// Returns the value that the URL of `row` is counted by.
    fn group<'r>(&'r self, row: UrlRow<'r, '_>) -> Cow<'r, [u8]> {
        let value = (self.counted.as_ref()).map_or(NONE.into(), |key| self.value(key, row));
        if value.is_empty() { NONE.into() } else { value }
    }

    /// Returns the value of `key`, empty if it is absent.
    fn value<'r>(&'r self, key: &'r KeyFields, row: UrlRow<'r, '_>) -> Cow<'r, [u8]> {
        match key.key {
            Key::Url => return self.url(row),
            Key::File => return row.info.path.into(),
            _ => {}
        }
        let mut text = Vec::new();
        for fields in &key.fields {
            self.keys.row(&mut text, UrlRow { fields, ..row });
            if !text.is_empty() {
                break;
            }
        }
        text.truncate(key.key.length());
        text.into()
    }

    /// Returns the URL as it is listed; if it is a key and a row, as it is written.
    fn url<'r>(&self, row: UrlRow<'r, '_>) -> Cow<'r, [u8]> {
        let url = &row.judged.found.candidate.text;
        let url = (self.fields).url(url, row.judged.found, row.judged.settings.standard);
        match url {
            url if !self.is_key => url,
            Cow::Borrowed(url) => self.layout.bare(url),
            Cow::Owned(url) => self.layout.bare(&url).into_owned().into(),
        }
    }

    /// Returns whether lines have to be counted.
    pub(super) fn are_placed(&self) -> bool {
        self.fields.redact || self.fields.need_positions()
    }
}

/// The key of URLs that have none.
const NONE: &[u8] = b"(none)";
