//! The flags that shape the list: deduplicating, counting, sorting, limiting.

use clap::ValueEnum;
use urlint::list::Field;

use super::batch::KeyLayout;
#[cfg(feature = "tables")]
use super::table::Sorted;
use crate::error::Error;

/// The flags that shape the list.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "List")]
pub(crate) struct Shaping {
    /// Print each URL once, at its first occurrence
    #[arg(long, short)]
    unique: bool,

    /// Print each URL once, with how often it occurs and in how many documents
    #[arg(long, short)]
    count: bool,

    /// Count by this instead of by URL, or by two of these, such as `host,year`; implies `--count`
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    group_by: Vec<Key>,

    /// With each count, print the first and the last date of the messages or records, in UTC
    #[arg(long)]
    dates: bool,

    /// Sort the list; equal rows stay in order of occurrence
    #[arg(long, value_name = "KEY")]
    sort: Option<SortKey>,

    /// Reverse the order of --sort
    #[arg(long, requires = "sort")]
    reverse: bool,

    /// Print at most this many rows, after `--unique` and `--sort`, and stop reading as soon as the
    /// rest is not needed
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
}

/// What URLs are counted or compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Key {
    /// The URL as it is printed
    Url,
    /// The host in lower case, or `(none)`
    Host,
    /// The registered domain, by the public suffix list, such as `example.co.uk`; the host if it is in
    /// none, or `(none)`
    Domain,
    /// The scheme in lower case
    Scheme,
    /// The file
    File,
    /// The day of the message or the record of a web archive, in UTC, such as `2003-08-31`; `(none)`
    /// if it has none, as for the keys below
    Date,
    /// The month, such as `2003-08`
    Month,
    /// The year
    Year,
    /// Who wrote the message
    From,
    /// The subject of the message
    Subject,
    /// The mailing list of the message
    ListId,
    /// The element of the link
    Element,
}

impl Key {
    /// Returns the field that the key is, or needs.
    pub(super) fn field(self) -> Field {
        match self {
            Key::Url => Field::Url,
            Key::Host => Field::Host,
            Key::Domain => Field::Domain,
            Key::Scheme => Field::Scheme,
            Key::File => Field::Path,
            Key::Date | Key::Month | Key::Year => Field::WarcDate,
            Key::From => Field::From,
            Key::Subject => Field::Subject,
            Key::ListId => Field::ListId,
            Key::Element => Field::Element,
        }
    }
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grouping {
    pub(super) key: Key,
    pub(super) second: Option<Key>,
    /// Whether the first and the last date are shown.
    pub(super) has_dates: bool,
}

impl Grouping {
    /// Returns the fields that are needed.
    pub(super) fn fields(self) -> Vec<Field> {
        let keys = std::iter::once(self.key).chain(self.second);
        let date = self.has_dates.then_some(Field::WarcDate);
        keys.map(Key::field).chain(date).collect()
    }
}

/// What a list is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SortKey {
    /// By URL, byte by byte
    Url,
    /// By host
    Host,
    /// By scheme
    Scheme,
    /// By the path of the file
    File,
    /// By the number of occurrences, the greatest first
    Count,
    /// By the number of documents, the greatest first
    Documents,
    /// By what is counted
    Key,
}

impl SortKey {
    /// Returns what is compared; `None` for counts.
    fn key(self) -> Option<Key> {
        match self {
            SortKey::Url => Some(Key::Url),
            SortKey::Host => Some(Key::Host),
            SortKey::Scheme => Some(Key::Scheme),
            SortKey::File => Some(Key::File),
            SortKey::Count | SortKey::Documents | SortKey::Key => None,
        }
    }
}

/// What the list needs from rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shape {
    /// Each URL is listed once.
    pub(super) unique: Option<KeyLayout>,
    /// Rows are sorted by this.
    pub(super) sort: Option<(Key, KeyLayout)>,
    /// Only keys are needed, to be counted.
    pub(super) counts: Option<Grouping>,
    /// The number of rows is limited.
    pub(super) is_cut: bool,
}

impl Shape {
    /// Returns whether the end of each row has to be known.
    pub(super) fn has_rows(&self) -> bool {
        self.unique.is_some() || self.sort.is_some() || self.counts.is_some() || self.is_cut
    }

    /// Returns whether a record is the row and nothing else.
    pub(super) fn is_bare(&self) -> bool {
        let is_within = |layout| matches!(layout, KeyLayout::Within(_));
        self.counts.is_none()
            && self.unique.is_none_or(is_within)
            && self.sort.is_none_or(|(_, layout)| is_within(layout))
    }
}

/// How counts are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ranking {
    /// By where each key occurs first.
    FirstRow,
    /// By the key.
    Key,
    /// By a part of the key, which is a URL.
    Url(Key),
    Count,
    Documents,
}

impl Shaping {
    /// Returns what the list needs from rows. `raw`: a row is the listed URL and one byte that ends it.
    /// `columns`: `--fields` is given.
    pub(super) fn shape(&self, raw: bool, columns: bool) -> Result<Shape, Error> {
        let within = |layout| {
            if layout {
                KeyLayout::Within(1)
            } else {
                KeyLayout::Before
            }
        };
        if self.counts() {
            self.ranking()?;
            if columns {
                return Err(usage(
                    "--fields names the columns of a list, and counts have their own: --group-by says what is counted",
                ));
            }
            if self.unique {
                return Err(usage(match self.key() {
                    Key::Url => "counts have each URL once: leave out --unique",
                    Key::File => {
                        "to count each URL once in each file, pipe `urlint extract --fields path,url` into `sort -u | cut -f1 | uniq -c`"
                    }
                    _ => {
                        "to count each URL once, pipe `urlint extract --unique` into `urlint extract --group-by KEY -`"
                    }
                }));
            }
            return Ok(Shape {
                counts: Some(self.grouping()?),
                ..Shape::default()
            });
        }
        if self.dates {
            return Err(usage("--dates takes --count or --group-by"));
        }
        let sort = match self.sort.map(SortKey::key) {
            None => None,
            Some(Some(key)) => Some((key, within(raw && key == Key::Url))),
            Some(None) => return Err(usage("sorting by how often something comes takes --count")),
        };
        let is_before = matches!(sort, Some((_, KeyLayout::Before)));
        Ok(Shape {
            unique: self.unique.then(|| within(raw && !is_before)),
            sort,
            counts: None,
            is_cut: self.limit.is_some(),
        })
    }

    /// Returns whether URLs are counted.
    pub(super) fn counts(&self) -> bool {
        self.count || !self.group_by.is_empty()
    }

    fn key(&self) -> Key {
        self.group_by.first().copied().unwrap_or(Key::Url)
    }

    fn grouping(&self) -> Result<Grouping, Error> {
        if self.group_by.len() > 2 {
            return Err(usage("--group-by takes one or two keys"));
        }
        Ok(Grouping {
            key: self.key(),
            second: self.group_by.get(1).copied(),
            has_dates: self.dates,
        })
    }

    /// Returns how counts are sorted.
    pub(super) fn ranking(&self) -> Result<Ranking, Error> {
        let by_key = self.sort.and_then(SortKey::key);
        match (self.sort, by_key) {
            (None, _) => Ok(Ranking::FirstRow),
            (Some(SortKey::Documents), _) => Ok(Ranking::Documents),
            (Some(SortKey::Key), _) => Ok(Ranking::Key),
            (Some(_), None) => Ok(Ranking::Count),
            (Some(_), Some(key)) if key == self.key() => Ok(Ranking::Key),
            (Some(_), Some(key))
                if key != Key::File && matches!(self.group_by[..], [] | [Key::Url]) =>
            {
                Ok(Ranking::Url(key))
            }
            _ => Err(usage("--sort names something else than what is counted")),
        }
    }

    /// Returns the most rows that are listed.
    pub(super) fn most(&self) -> Option<u64> {
        self.limit
    }

    /// Returns the limit, if the first rows are enough whatever follows.
    pub(super) fn enough(&self) -> Option<u64> {
        let is_in_order = self.sort.is_none() && !self.counts();
        self.limit.filter(|_| is_in_order)
    }

    /// Returns the order of the rows, if it is that of a column. That of hosts is not, since sorting does not
    /// distinguish an absent host from an empty one.
    #[cfg(feature = "tables")]
    pub(super) fn sorted(&self) -> Option<Sorted> {
        let (by, descending) = if self.counts() {
            match self.ranking().ok()? {
                Ranking::Count => ("count", !self.reverse),
                Ranking::Documents => ("documents", !self.reverse),
                Ranking::Key => ("key", self.reverse),
                Ranking::FirstRow | Ranking::Url(_) => return None,
            }
        } else {
            let by = match self.sort? {
                SortKey::Url => "url",
                SortKey::Scheme => "scheme",
                SortKey::File => "path",
                _ => return None,
            };
            (by, self.reverse)
        };
        Some(Sorted { by, descending })
    }

    /// Returns whether the order is reversed.
    pub(super) fn is_reversed(&self) -> bool {
        self.reverse
    }
}

fn usage(message: &str) -> Error {
    Error::Usage(message.to_owned())
}
