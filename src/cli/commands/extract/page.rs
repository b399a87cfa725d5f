//! A page about a list: charts of domains, hosts, files and months, and the URLs, the most frequent first.

use std::cmp::Reverse;
use std::collections::HashMap;

use urlint_lint::shortened;
use urlint_list::Field;
use urlint_standard::text::shown::with_commas;

use super::out::{Emit, Encode};
use super::packed::Unpack;
use crate::error::Error;
use urlint_report::page::{Figure, Page, TopCounts};
use urlint_report::terminal;

/// The fields of which the page is made, in the order in which [`ListPage::row`] unpacks them.
pub(super) const FIELDS: [Field; 15] = [
    Field::Url,
    Field::Host,
    Field::Domain,
    Field::Scheme,
    Field::Path,
    Field::Member,
    Field::Line,
    Field::Kind,
    Field::Date,
    Field::Pieces,
    Field::Problems,
    Field::Placeholder,
    Field::Standard,
    Field::Anchor,
    Field::Context,
];

/// The greatest length of all that is listed, in bytes. URLs that do not fit in are only counted.
const MOST_LISTED: usize = 64 << 20;

/// The columns of the list: a class, and a heading.
const COLUMNS: [(&str, &str); 6] = [
    ("number", "Links"),
    ("url", "URL"),
    ("words", "Words"),
    ("place", "First place"),
    ("date", "Date"),
    ("remarks", "Remarks"),
];

/// The longest URL that is shown whole, in bytes.
const MOST_SHOWN: usize = 500;

/// The counts of the rows, and the first row of each URL.
#[derive(Default)]
pub(super) struct ListPage {
    domains: TopCounts,
    hosts: TopCounts,
    schemes: TopCounts,
    kinds: TopCounts,
    files: TopCounts,
    months: TopCounts,
    standards: TopCounts,
    all: u64,
    joined: u64,
    invalid: u64,
    placeholders: u64,
    /// The index of each URL that is listed.
    indices: HashMap<String, usize>,
    /// How many links lead to each, and the other cells of the first, with tabs between them.
    urls: Vec<(u64, String)>,
    /// How many bytes they have.
    listed: usize,
    /// How many links lead to URLs that are not listed.
    left_out: u64,
}

impl Encode for ListPage {
    fn rows(&mut self, packed: &[u8], _: &mut Emit<'_>) -> Result<(), Error> {
        let mut unpack = Unpack(packed);
        while !unpack.0.is_empty() {
            self.row(&mut unpack);
        }
        Ok(())
    }

    fn finish(&mut self, emit: &mut Emit<'_>) -> Result<(), Error> {
        let all = self.all;
        let about = "The URLs that <code>urlint extract</code> found: the most frequent domains, and the dates and places of their links.";
        let mut page = Page::new("Links", about);
        let more = if self.left_out > 0 { "more than " } else { "" };
        let valid = format!("valid by {}", self.standards.keys().join(", "));
        page.figures(&[
            ("links", Figure::Number(all)),
            (
                "URLs",
                Figure::Text(format!("{more}{}", with_commas(self.urls.len() as u64))),
            ),
            ("domains", Figure::Text(self.domains.number())),
            ("hosts", Figure::Text(self.hosts.number())),
            ("files", Figure::Text(self.files.number())),
            (
                &valid,
                Figure::Share(all - self.invalid - self.placeholders, all),
            ),
            ("not valid", Figure::Share(self.invalid, all)),
            ("with a placeholder", Figure::Share(self.placeholders, all)),
            ("joined over lines", Figure::Share(self.joined, all)),
        ]);
        page.charts(&[
            ("Domains", &self.domains),
            ("Hosts", &self.hosts),
            ("Schemes", &self.schemes),
            ("Files", &self.files),
            ("Kinds of document", &self.kinds),
        ]);
        page.months(&self.months);
        if all > 0 {
            page.items(
                "links",
                all - self.left_out,
                all,
                "<code>--output-format csv</code> lists all",
            );
            // The sort is stable: of equally frequent URLs, the first is first.
            self.urls.sort_by_key(|&(count, _)| Reverse(count));
            let rows = self.urls.iter();
            page.table(
                &COLUMNS,
                rows.map(|(count, cells)| format!("{count}\t{cells}")),
            );
        }
        emit(page.finish().as_bytes())
    }
}

impl ListPage {
    /// Takes the next row.
    fn row(&mut self, unpack: &mut Unpack<'_>) {
        let mut text = || String::from_utf8_lossy(unpack.text().unwrap_or_default());
        let (url, host, domain, scheme) = (text(), text(), text(), text());
        let (path, member) = (text(), text());
        let line = unpack.number().unwrap_or_default();
        let kind = String::from_utf8_lossy(unpack.text().unwrap_or_default());
        let date = unpack.time();
        // The ends of its pieces.
        let is_joined = std::iter::from_fn(|| unpack.number()).count() > 2;
        let problems: Vec<_> = std::iter::from_fn(|| unpack.text()).collect();
        let has_placeholder = unpack.number() == Some(1);
        let mut text = || String::from_utf8_lossy(unpack.text().unwrap_or_default());
        let (standard, anchor, context) = (text(), text(), text());
        let date = date.map(|date| date.to_string());
        let date = date.unwrap_or_default();

        self.all += 1;
        self.joined += u64::from(is_joined);
        self.invalid += u64::from(!problems.is_empty());
        self.placeholders += u64::from(has_placeholder);
        let name = if domain.is_empty() { &host } else { &domain };
        for (counts, key) in [
            (&mut self.domains, &**name),
            (&mut self.hosts, &host),
            (&mut self.schemes, &scheme),
            (&mut self.kinds, &kind),
            (&mut self.files, &path),
            (&mut self.standards, &standard),
            (
                &mut self.months,
                date.get(.."2003-08".len()).unwrap_or_default(),
            ),
        ] {
            if !key.is_empty() {
                counts.add(key);
            }
        }
        if let Some(&index) = self.indices.get(&*url) {
            self.urls[index].0 += 1;
            return;
        }
        let place = match &*member {
            "" => format!("{path}:{line}"),
            member => format!("{path}!{member}:{line}"),
        };
        let words = match &*anchor {
            // The URL has a column of its own.
            "" if context == url => String::new(),
            "" => context.replacen(&*url, "…", 1),
            anchor => anchor.to_owned(),
        };
        let mut remarks: Vec<_> = problems
            .iter()
            .map(|name| String::from_utf8_lossy(name))
            .collect();
        remarks.extend(is_joined.then_some("joined".into()));
        remarks.extend(has_placeholder.then_some("placeholder".into()));
        let shown = match url.len() > MOST_SHOWN {
            true => shortened(&url),
            false => (&*url).into(),
        };
        let date = date.get(.."2003-08-31".len()).unwrap_or_default();
        let cells = [&*shown, &*words, &*place, date, &*remarks.join(", ")];
        let cells = cells.map(|cell| terminal::line(cell.as_bytes()));
        let cells = cells.join("\t");
        let length = url.len() + cells.len();
        if self.listed + length > MOST_LISTED {
            self.left_out += 1;
            return;
        }
        self.listed += length;
        self.indices.insert(url.into_owned(), self.urls.len());
        self.urls.push((1, cells));
    }
}
