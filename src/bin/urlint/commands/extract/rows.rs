//! The rows of a list: how each URL is written.

use std::borrow::Cow;

use urlint::list::{Cells, Field, Fields, SourceInfo, Time, domain};
use urlint::url::host;
use urlint::{Found, Settings, Standard};

use super::Format;
use super::batch;
use super::batch::{KeyLayout, RowBatch};
use super::cells;
use super::cells::RowOf;
use super::shape::{Key, Shape};
use super::spill::counter::Count;
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
        if let Some(counted) = self.shape.counts {
            let part = Part {
                member: info.member,
                message: found.member,
            };
            batch.set_document(info.path, part);
            if counted.has_dates {
                let date = date_of(info, found);
                batch::put_number(&mut batch.text, date.map_or(0, Count::of_date));
            }
            let url = url();
            let value = |key: Key| {
                let value = match key {
                    Key::Date | Key::Month | Key::Year => calendar(key, date_of(info, found)),
                    Key::From | Key::Subject | Key::ListId | Key::Element => {
                        Cow::Owned(self.cell(key.field(), info, found, settings))
                    }
                    key => key_of(key, info.path, found, standard, &url),
                };
                if value.is_empty() { NONE.into() } else { value }
            };
            match counted.second {
                None => batch.text.extend_from_slice(&value(counted.key)),
                Some(second) => {
                    batch::put_key(&mut batch.text, &value(counted.key));
                    batch.text.extend_from_slice(&value(second));
                }
            }
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

    /// Returns the value of `field` as text, empty if it is absent.
    fn cell(
        &self,
        field: Field,
        info: SourceInfo<'_>,
        found: &Found<'_>,
        settings: &Settings,
    ) -> Vec<u8> {
        let layout = cells::Layout::new(Format::Text, Vec::new(), b"", false).verbatim();
        let fields = &Fields::new([field]).with_redact(self.fields.redact);
        let mut text = Vec::new();
        let row = UrlRow {
            fields,
            info,
            found,
            settings,
        };
        layout.row(&mut text, row);
        text
    }

    /// Returns whether the places where URLs stand unbroken are listed.
    pub(super) fn name_witnesses(&self) -> bool {
        self.fields.fields.contains(&Field::Witness)
    }

    /// Returns whether lines have to be counted.
    pub(super) fn are_placed(&self) -> bool {
        self.fields.redact || self.fields.need_positions()
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
        // What follows is only counted by.
        _ => none,
    }
}

/// Returns the date of the message, or of the record of a web archive.
fn date_of(info: SourceInfo<'_>, found: &Found<'_>) -> Option<Time> {
    if let Some(message) = found.message() {
        return Time::of_message(str::from_utf8(&message.date()?).ok()?);
    }
    Time::of_archive(str::from_utf8(info.record?.date.as_deref()?).ok()?)
}

/// Returns the day, the month or the year of `date` in UTC.
fn calendar(key: Key, date: Option<Time>) -> Cow<'static, [u8]> {
    let date = date.map(|date| Time::of_unix(date.microseconds).to_string());
    let mut text = date.unwrap_or_default().into_bytes();
    text.truncate(match key {
        Key::Year => "2003".len(),
        Key::Month => "2003-08".len(),
        _ => "2003-08-31".len(),
    });
    text.into()
}

/// The key of URLs that have none.
const NONE: &[u8] = b"(none)";
