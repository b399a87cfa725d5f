//! The rows of a list: how each URL is written.

use std::borrow::Cow;

use urlint::list::{Cells, Field, Fields, SourceInfo, domain};
use urlint::url::host;
use urlint::{Found, Settings, Standard};

use super::batch;
use super::batch::{KeyLayout, RowBatch};
use super::cells;
use super::cells::RowOf;
use super::shape::{Key, Shape};
use crate::report::excerpt::Part;

/// How rows are written.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) fields: Fields,
    pub(super) layout: cells::Layout,
    /// What ends a row of text.
    pub(super) end: &'static [u8],
    /// What the list needs in addition to the row.
    pub(super) shape: Shape,
    /// Whether a row is only a URL.
    pub(super) is_bare: bool,
    /// Whether a record is only the URL as it was found and what ends it.
    pub(super) is_raw: bool,
}

/// The row of a URL.
struct UrlRow<'r, 'w> {
    fields: &'r Fields,
    info: SourceInfo<'r>,
    found: &'r Found<'w>,
    settings: &'r Settings,
}

impl RowOf for UrlRow<'_, '_> {
    #[inline]
    fn fill(self, cells: &mut impl Cells) {
        self.fields
            .write(cells, self.info, self.found, self.settings);
    }
}

impl Rows {
    /// Adds the row of `found`, a URL of the source `info`, with the `settings` that apply there.
    pub(super) fn add(
        &self,
        batch: &mut RowBatch,
        info: SourceInfo<'_>,
        found: &Found<'_>,
        settings: &Settings,
    ) {
        batch.begin_row();
        if self.is_raw {
            let url = cells::escape_end(&found.candidate.text, self.end);
            batch.text.extend_from_slice(&url);
            batch.text.extend_from_slice(self.end);
            if self.shape.has_rows() {
                batch.end_row();
            }
            return;
        }
        let standard = settings.standard;
        let url = || self.fields.url(&found.candidate.text, found, standard);
        if let Some(key) = self.shape.counts {
            let part = Part {
                member: info.member,
                message: found.member,
            };
            batch.set_document(info.path, part);
            let url = url();
            let counted = key_of(key, info.path, found, standard, &url);
            let is_missing = counted.is_empty() && matches!(key, Key::Host | Key::Domain);
            let counted = if is_missing { NO_HOST.into() } else { counted };
            batch.text.extend_from_slice(&counted);
            batch.end_row();
            return;
        }
        if self.shape.unique == Some(KeyLayout::Before) {
            batch::put_key(&mut batch.text, &url());
        }
        if let Some((key, KeyLayout::Before)) = self.shape.sort {
            let url = url();
            let sorted = key_of(key, info.path, found, standard, &url);
            batch::put_key(&mut batch.text, &self.layout.sorted(&sorted));
        }
        if self.is_bare {
            self.layout.bare(&mut batch.text, &url());
        } else {
            let row = UrlRow {
                fields: &self.fields,
                info,
                found,
                settings,
            };
            self.layout.row(&mut batch.text, row);
        }
        if self.shape.has_rows() {
            batch.end_row();
        }
    }

    /// Returns whether the records of web archives are needed.
    pub(super) fn need_records(&self) -> bool {
        self.shape.counts.is_none() && self.fields.need_records()
    }

    /// Returns whether the links of markup are needed.
    pub(super) fn need_links(&self) -> bool {
        self.shape.counts.is_none() && self.fields.need_links()
    }

    /// Returns whether the places where URLs stand unbroken are listed.
    pub(super) fn name_witnesses(&self) -> bool {
        self.fields.fields.contains(&Field::Witness)
    }

    /// Returns whether lines have to be counted.
    pub(super) fn are_placed(&self) -> bool {
        self.fields.redact || self.shape.counts.is_none() && self.fields.need_positions()
    }
}

/// Returns the key by which a URL is counted or sorted.
fn key_of<'k>(
    key: Key,
    path: &'k [u8],
    found: &Found<'_>,
    standard: Standard,
    url: &'k [u8],
) -> Cow<'k, [u8]> {
    let none = Cow::Borrowed(&b""[..]);
    match key {
        Key::Url => Cow::Borrowed(url),
        Key::File => Cow::Borrowed(path),
        Key::Host => host(url).map_or(none, |host| Cow::Owned(host.to_ascii_lowercase())),
        Key::Domain => host(url).map_or(none, |name| {
            let name = name.to_ascii_lowercase();
            match domain(&name) {
                Some(domain) => Cow::Owned(domain.to_vec()),
                None => Cow::Owned(name),
            }
        }),
        Key::Scheme => {
            let judged = found.candidate.judged_by(standard);
            let scheme = standard.judge(judged, |_| {}).scheme;
            scheme.map_or(none, |part| {
                Cow::Owned(part.of(judged).to_ascii_lowercase())
            })
        }
    }
}

/// The key of URLs without a host.
const NO_HOST: &[u8] = b"(none)";
