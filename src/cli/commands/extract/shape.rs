//! The flags that shape the list: deduplicating, counting, sorting, limiting.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use urlint_list::Field;

use super::spill::sorter::Order;
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

    /// Print each URL once, with the number of its occurrences
    #[arg(long, short)]
    count: bool,

    /// Count by this key
    #[arg(long, value_name = "KEY")]
    group_by: Option<Key>,

    /// With each count, print its first and last date, in UTC
    ///
    /// These are the dates of messages, of records of web archives and of entries of feeds.
    #[arg(long)]
    dates: bool,

    /// Sort the list, in reverse with `-`; equal rows stay in order
    #[arg(long, value_name = "[-]KEY", value_parser = sort_parser(), allow_hyphen_values = true)]
    sort: Option<Sort>,

    /// Print only the first rows
    ///
    /// This comes after `--unique` and `--sort`. Reading stops as soon as the rest is not needed.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    pub(super) limit: Option<u64>,
}

/// A property that URLs are counted or compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Key {
    /// The URL as it is printed
    Url,
    /// The host in lower case, or `(none)`
    Host,
    /// The registered domain, by the public suffix list, such as `example.co.uk`; the host if there is no
    /// such domain, or `(none)`
    Domain,
    /// The scheme in lower case
    Scheme,
    /// The file
    File,
    /// The day of the message or the record of a web archive, in UTC, such as `2003-08-31`; `(none)` if
    /// there is no date, as for the keys below
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
    /// Returns the fields of which the first that is not absent is the key, or begins with it.
    pub(super) fn fields(self) -> &'static [Field] {
        match self {
            Key::Url => &[Field::Url],
            Key::Host => &[Field::Host],
            Key::Domain => &[Field::Domain, Field::Host],
            Key::Scheme => &[Field::Scheme],
            Key::File => &[Field::Path],
            Key::Date | Key::Month | Key::Year => &[Field::Date],
            Key::From => &[Field::From],
            Key::Subject => &[Field::Subject],
            Key::ListId => &[Field::ListId],
            Key::Element => &[Field::Element],
        }
    }

    /// Returns how long the key is at most.
    pub(super) fn length(self) -> usize {
        match self {
            Key::Date => "2003-08-31".len(),
            Key::Month => "2003-08".len(),
            Key::Year => "2003".len(),
            _ => usize::MAX,
        }
    }
}

/// How URLs are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grouping {
    pub(super) key: Key,
    /// Whether the first and the last date are shown.
    pub(super) has_dates: bool,
}

impl Grouping {
    /// Returns the fields that are needed.
    pub(super) fn fields(self) -> Vec<Field> {
        let keys = self.key.fields().iter().copied();
        keys.chain(self.has_dates.then_some(Field::Date)).collect()
    }
}

/// The order of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SortKey {
    /// By URL, byte by byte
    Url,
    /// By host
    Host,
    /// By scheme
    Scheme,
    /// By the path of the file
    File,
    /// By the number of occurrences, highest first
    Count,
    /// By the value that is counted
    Key,
}

impl SortKey {
    /// Returns the key that is compared; `None` for counts.
    fn key(self) -> Option<Key> {
        match self {
            SortKey::Url => Some(Key::Url),
            SortKey::Host => Some(Key::Host),
            SortKey::Scheme => Some(Key::Scheme),
            SortKey::File => Some(Key::File),
            SortKey::Count | SortKey::Key => None,
        }
    }
}

/// The value of `--sort`.
#[derive(Clone, Copy, Debug)]
struct Sort {
    by: SortKey,
    reverse: bool,
}

/// Returns the parser of the value of `--sort`.
fn sort_parser() -> impl TypedValueParser<Value = Sort> {
    let keys = SortKey::value_variants().iter();
    let keys = keys.filter_map(SortKey::to_possible_value);
    let reversed = keys.clone().map(|key| format!("-{}", key.get_name()));
    let reversed = reversed.map(|key| PossibleValue::new(key).hide(true));
    PossibleValuesParser::new(keys.chain(reversed)).try_map(|name| {
        let key = name.strip_prefix('-');
        let by = SortKey::from_str(key.unwrap_or(&name), false)?;
        let reverse = key.is_some();
        Ok::<_, String>(Sort { by, reverse })
    })
}

/// The needs of the list: the keys that rows must have, and their order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shape {
    /// Each URL is listed once.
    pub(super) unique: bool,
    /// Rows are sorted by this.
    pub(super) sort: Option<Key>,
    /// Only keys are needed, to be counted.
    pub(super) counts: Option<Grouping>,
    /// The number of rows is limited.
    pub(super) is_cut: bool,
}

impl Shape {
    /// Returns whether the end of each row has to be known.
    pub(super) fn has_rows(&self) -> bool {
        self.unique || self.sort.is_some() || self.counts.is_some() || self.is_cut
    }
}

impl Shaping {
    /// Returns the needs of the list. `columns`: `--fields` is given.
    pub(super) fn shape(&self, columns: bool) -> Result<Shape, Error> {
        if self.counts() {
            self.counts_sorted_by()?;
            if columns {
                return Err(Error::usage(
                    "--fields chooses the columns of a list, not of counts: choose the key to count with --group-by",
                ));
            }
            if self.unique {
                return Err(Error::usage(match self.key() {
                    Key::Url => "counts contain each URL once: leave out --unique",
                    Key::File => {
                        "to count each URL once in each file, pipe `urlint extract --fields path,url` into `sort -u | cut -f1 | uniq -c`"
                    }
                    _ => {
                        "to count each URL once, pipe `urlint extract --unique` into `urlint extract --group-by KEY -`"
                    }
                }));
            }
            return Ok(Shape {
                counts: Some(Grouping {
                    key: self.key(),
                    has_dates: self.dates,
                }),
                ..Shape::default()
            });
        }
        if self.dates {
            return Err(Error::usage("--dates requires --count or --group-by"));
        }
        let sort = self.sort.map(|sort| {
            let key = sort.by.key();
            key.ok_or_else(|| Error::usage("sorting by a count requires --count or --group-by"))
        });
        Ok(Shape {
            unique: self.unique,
            sort: sort.transpose()?,
            counts: None,
            is_cut: self.limit.is_some(),
        })
    }

    /// Returns whether URLs are counted.
    pub(super) fn counts(&self) -> bool {
        self.count || self.group_by.is_some()
    }

    fn key(&self) -> Key {
        self.group_by.unwrap_or(Key::Url)
    }

    /// Returns the order of the counts; `None` for the order in which their keys occur.
    pub(super) fn counts_sorted_by(&self) -> Result<Option<SortKey>, Error> {
        let is_of_url = self.key() == Key::Url;
        let Some(sort) = self.sort else {
            return Ok(None);
        };
        match sort.by.key() {
            None => Ok(Some(sort.by)),
            Some(key) if key == self.key() => Ok(Some(SortKey::Key)),
            Some(Key::Host | Key::Scheme) if is_of_url => Ok(Some(sort.by)),
            Some(_) => Err(Error::usage("--sort must name the key that is counted")),
        }
    }

    /// Returns the limit, if the first rows are enough whatever follows.
    pub(super) fn enough(&self) -> Option<u64> {
        let is_in_order = self.sort.is_none() && !self.counts();
        self.limit.filter(|_| is_in_order)
    }

    /// Returns the column that the rows are sorted by, if they are sorted. The column of hosts is not
    /// returned, since sorting does not distinguish an absent host from an empty one.
    #[cfg(feature = "tables")]
    pub(super) fn sorted(&self) -> Option<Sorted> {
        let sort = self.sort?;
        let by = if self.counts() {
            self.counts_sorted_by().ok()??
        } else {
            sort.by
        };
        let by = match by {
            SortKey::Count => "count",
            SortKey::Key => "key",
            SortKey::Url => "url",
            SortKey::Scheme if !self.counts() => "scheme",
            SortKey::File => "path",
            SortKey::Host | SortKey::Scheme => return None,
        };
        Some(Sorted {
            by,
            // Counts are sorted, the greatest first.
            descending: sort.reverse != (by == "count"),
        })
    }

    /// Returns the order of the rows, if they are sorted.
    pub(super) fn order(&self) -> Option<Order> {
        Some(if self.sort?.reverse {
            Order::Reverse
        } else {
            Order::Key
        })
    }
}
