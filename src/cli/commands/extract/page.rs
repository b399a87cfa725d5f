//! A page about a list: charts of domains, hosts, files and months, and the URLs, the most frequent first.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;

use urlint_lint::shortened;
use urlint_list::{Field, Time};
use urlint_standard::text::shown::with_commas;

use super::out::{Emit, Encode};
use super::packed::Unpack;
use crate::error::Error;
use urlint_report::ascii_host;
use urlint_report::page::{Page, TopCounts, share};
use urlint_report::terminal;

/// The fields of which the page is made, in the order in which [`ListPage::row`] unpacks them.
pub(super) const FIELDS: [Field; 17] = [
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
    Field::Subject,
    Field::From,
];

/// The greatest length of all that is listed, in bytes. URLs that do not fit in are only counted.
const MOST_LISTED: usize = 64 << 20;

/// The columns of the list: a class, and a heading.
const COLUMNS: [(&str, &str); 9] = [
    ("number", "Links"),
    ("date", "First date"),
    ("date", "Last date"),
    ("url", "URL"),
    ("words", "Words"),
    ("place", "First place"),
    ("message", "Message"),
    ("remarks", "Remarks"),
    ("joined", "Joined"),
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
    urls: Vec<Listed>,
    /// How many bytes they have.
    listed: usize,
    /// How many links lead to URLs that are not listed.
    left_out: u64,
}

/// A URL of the list.
#[derive(Default)]
struct Listed {
    /// How many links lead to it.
    links: u64,
    /// Their first and last date, in microseconds since 1970.
    dates: Option<[i64; 2]>,
    /// The other cells, of the first link, with tabs between them.
    cells: String,
    /// Where it is joined first.
    joined: String,
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
        let valid_by = format!("valid by {}", self.standards.keys().join(", "));
        let valid = share(all - self.invalid - self.placeholders, all);
        let urls = with_commas(self.urls.len() as u64);
        page.figures(&[
            ("links", with_commas(all)),
            ("URLs", format!("{more}{urls}")),
            ("domains", self.domains.number()),
            ("hosts", self.hosts.number()),
            ("files", self.files.number()),
            (&valid_by, valid),
            ("not valid", share(self.invalid, all)),
            ("with a placeholder", share(self.placeholders, all)),
            ("joined over lines", share(self.joined, all)),
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
            let more = "<code>--output-format csv</code> lists all";
            page.filter(all - self.left_out, all, more);
            // The sort is stable: of equally frequent URLs, the first is first.
            self.urls.sort_by_key(|url| Reverse(url.links));
            let rows = self.urls.iter().map(Listed::row);
            page.table(&COLUMNS, rows);
        }
        emit(page.finish().as_bytes())
    }
}

impl Listed {
    /// Adds a link with this date, joined at this place, if it is.
    fn add(&mut self, date: Option<Time>, joined: String) {
        self.links += 1;
        if let Some(Time { microseconds, .. }) = date {
            let [first, last] = self.dates.get_or_insert([microseconds; 2]);
            *first = microseconds.min(*first);
            *last = microseconds.max(*last);
        }
        if self.joined.is_empty() {
            self.joined = joined;
        }
    }

    /// Returns the row of the table.
    fn row(&self) -> String {
        let day = |date| {
            let mut day = Time::of_unix(date).to_string();
            day.truncate("2003-08-31".len());
            day
        };
        let [first, last] = self
            .dates
            .map_or_else(Default::default, |dates| dates.map(day));
        let (links, cells, joined) = (self.links, &self.cells, &self.joined);
        format!("{links}\t{first}\t{last}\t{cells}\t{joined}")
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
        // The starts and ends of its pieces.
        let pieces = std::iter::from_fn(|| unpack.number()).count() / 2;
        let problems: Vec<_> = std::iter::from_fn(|| unpack.text()).collect();
        let has_placeholder = unpack.number() == Some(1);
        let mut text = || String::from_utf8_lossy(unpack.text().unwrap_or_default());
        let (standard, anchor, context) = (text(), text(), text());
        let (subject, from) = (text(), text());

        self.all += 1;
        self.joined += u64::from(pieces > 1);
        self.invalid += u64::from(!problems.is_empty());
        self.placeholders += u64::from(has_placeholder);
        let ascii = ascii_host(host.as_bytes());
        let apart = |name: &str| match ascii_host(name.as_bytes()) {
            Some(ascii) => format!("{name} ({ascii})"),
            None => name.to_owned(),
        };
        let name = if domain.is_empty() { &host } else { &domain };
        let month = date.map(|date| date.to_string()).unwrap_or_default();
        let month = month.get(.."2003-08".len()).unwrap_or_default();
        for (counts, key) in [
            (&mut self.domains, &*apart(name)),
            (&mut self.hosts, &apart(&host)),
            (&mut self.schemes, &scheme),
            (&mut self.kinds, &kind),
            (&mut self.files, &path),
            (&mut self.standards, &standard),
            (&mut self.months, month),
        ] {
            if !key.is_empty() {
                counts.add(key);
            }
        }
        let place = match &*member {
            "" => format!("{path}:{line}"),
            member => format!("{path}!{member}:{line}"),
        };
        let joined = if pieces > 1 {
            terminal::line(format!("{pieces} lines from {place}").as_bytes()).into_owned()
        } else {
            String::new()
        };
        if let Some(&index) = self.indices.get(&*url) {
            self.urls[index].add(date, joined);
            return;
        }
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
        remarks.extend(has_placeholder.then_some("placeholder".into()));
        remarks.extend(ascii.map(Cow::from));
        let shown = if url.len() > MOST_SHOWN {
            shortened(&url)
        } else {
            (&*url).into()
        };
        let message = [&*subject, &*from]
            .into_iter()
            .filter(|text| !text.is_empty());
        let message = message.collect::<Vec<_>>().join(" — ");
        let cells = [&*shown, &*words, &*place, &*message, &*remarks.join(", ")];
        let cells = cells.map(|cell| terminal::line(cell.as_bytes()));
        let cells = cells.join("\t");
        let length = url.len() + cells.len();
        if self.listed + length > MOST_LISTED {
            self.left_out += 1;
            return;
        }
        self.listed += length;
        self.indices.insert(url.into_owned(), self.urls.len());
        let mut listed = Listed {
            cells,
            ..Listed::default()
        };
        listed.add(date, joined);
        self.urls.push(listed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_has_the_dates_of_all_links_and_where_it_is_joined() {
        let mut url = Listed {
            cells: "http://a.example/\t\ta:1\t\tbad-port".to_owned(),
            ..Listed::default()
        };
        for (date, joined) in [
            ("2010-01-04T23:59:59Z", ""),
            ("", "2 lines from b:7"),
            ("2001-12-31T23:00:00Z", "3 lines from c:8"),
            ("2009-01-01T00:00:00Z", ""),
        ] {
            url.add(Time::parse(date), joined.to_owned());
        }
        assert_eq!(
            url.row(),
            "4\t2001-12-31\t2010-01-04\thttp://a.example/\t\ta:1\t\tbad-port\t2 lines from b:7"
        );
    }
}
