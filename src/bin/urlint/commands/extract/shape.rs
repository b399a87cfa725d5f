//! The flags that shape the list: each URL once, counted, sorted.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::batch::Layout;
use super::spill::MOST_MEMORY;
#[cfg(feature = "parquet")]
use super::table::Sorted;
use crate::error::Error;
use crate::walk::bytes;

/// The flags that shape the list.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "List")]
pub(crate) struct Shaping {
    /// Print each URL once, at its first occurrence
    #[arg(long)]
    unique: bool,

    /// Print each URL once, with how often it occurs and in how many documents
    #[arg(long)]
    count: bool,

    /// Count by this instead of by URL; implies `--count`
    #[arg(long, value_name = "KEY")]
    group_by: Option<Key>,

    /// Print only this many, the most frequent first; implies `--count`
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    top: Option<u64>,

    /// Sort the list; equal rows stay in order of occurrence
    #[arg(long, value_name = "KEY")]
    sort: Option<Order>,

    /// Reverse the order of --sort
    #[arg(long, requires = "sort")]
    reverse: bool,

    /// Print only the first so many rows, after `--unique` and `--sort`, and stop reading as soon as
    /// there are so many
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,

    /// Print only so many rows, drawn at random, in the order of the list; with `--unique`, each URL
    /// has the same chance, whether it occurs once or often
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,

    /// Draw another sample; the same number always draws the same rows of a list
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "sample")]
    seed: u64,

    /// Print what has changed since the list in the file OLD was made: `+` and each URL that is not in
    /// it, `-` and each that is only in it; sorted by URL, each once. OLD has a URL on each line, or is
    /// a list of another format with the field `url`; `-` is standard input
    #[arg(long, value_name = "OLD")]
    diff: Option<PathBuf>,

    /// Write a list for each `host`, `domain` or `scheme` into the folder DIR instead of printing one,
    /// and its index `_index.tsv`. DIR must be new, empty, or hold such lists only, which are replaced
    #[arg(long, num_args = 2, value_names = ["KEY", "DIR"])]
    split_by: Option<Vec<OsString>>,

    /// Let the folder of --split-by hold other files, which stay unless they have the name of a list
    #[arg(long, requires = "split_by")]
    overwrite: bool,

    /// How much memory each of `--unique`, `--count`, `--sort`, `--sample`, `--diff` and `--split-by`
    /// may use before it writes to temporary files
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "256M",
        value_parser = bytes,
        hide_short_help = true
    )]
    memory: u64,

    /// The folder for temporary files instead of the system's
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    temp_dir: Option<PathBuf>,
}

/// What URLs are counted or compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Key {
    /// The URL as it is printed
    Url,
    /// The host in lower case, or `(none)`
    Host,
    /// The domain that was registered, by the public suffix list, such as `example.co.uk`; the host if
    /// it is in none, or `(none)`
    Domain,
    /// The scheme in lower case
    Scheme,
    /// The file
    File,
}

/// What a list is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Order {
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
}

impl Order {
    /// What it compares, if that is not how often something comes.
    fn key(self) -> Option<Key> {
        match self {
            Order::Url => Some(Key::Url),
            Order::Host => Some(Key::Host),
            Order::Scheme => Some(Key::Scheme),
            Order::File => Some(Key::File),
            Order::Count | Order::Documents => None,
        }
    }
}

/// What the list asks of rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shape {
    /// Each URL is listed once.
    pub(super) unique: Option<Layout>,
    /// Rows are sorted by this.
    pub(super) sort: Option<(Key, Layout)>,
    /// There are no rows but this to be counted, or compared with another list.
    pub(super) counts: Option<Key>,
    /// The list is compared with another one.
    pub(super) is_compared: bool,
    /// There is a list for each of these.
    pub(super) split: Option<Key>,
    /// Only some of the rows are listed.
    pub(super) is_cut: bool,
}

impl Shape {
    /// Whether rows have to be told apart.
    pub(super) fn has_rows(&self) -> bool {
        self.unique.is_some()
            || self.sort.is_some()
            || self.counts.is_some()
            || self.split.is_some()
            || self.is_cut
    }

    /// Whether a record is the row and nothing else.
    pub(super) fn is_bare(&self) -> bool {
        let is_within = |layout| matches!(layout, Layout::Within(_));
        self.counts.is_none()
            && self.split.is_none()
            && self.unique.is_none_or(is_within)
            && self.sort.is_none_or(|(_, layout)| is_within(layout))
    }
}

/// How counts are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ranking {
    /// By where each key comes first.
    Place,
    /// By the key.
    Key,
    /// By a part of it, which is a URL.
    Url(Key),
    Count,
    Documents,
}

impl Shaping {
    /// What the list asks of rows. `raw`: whether a row is the URL as it is listed and what ends
    /// it, of one byte; `columns`: whether somebody has named columns.
    pub(super) fn shape(&self, raw: bool, columns: bool) -> Result<Shape, Error> {
        let within = |layout| {
            if layout {
                Layout::Within(1)
            } else {
                Layout::Before
            }
        };
        let split = self.split()?;
        let raw = raw && split.is_none();
        if self.counts() {
            if split.is_some() {
                return Err(usage(
                    "--split-by splits lists of URLs, not counts: leave out --count, --group-by and --top",
                ));
            }
            if self.diff.is_some() {
                return Err(usage(
                    "--diff compares lists of URLs, not counts: leave out --count, --group-by and --top",
                ));
            }
            self.ranking()?;
            if self.top.is_some() && self.limit.is_some() {
                return Err(usage(
                    "--top says how many counts are listed: leave out --limit",
                ));
            }
            if self.sample.is_some() {
                return Err(usage(
                    "to count a sample, pipe `urlint extract --sample NUMBER` into `urlint extract --count -`",
                ));
            }
            if columns {
                return Err(usage(
                    "--fields names the columns of a list, and counts have their own: --group-by says what is counted",
                ));
            }
            if self.unique {
                return Err(usage(match self.group() {
                    Key::Url => "counts have each URL once: leave out --unique",
                    Key::File => {
                        "to count each URL once in each file, pipe `urlint extract --fields path,url` into `sort -u | cut -f1 | uniq -c`"
                    }
                    Key::Host | Key::Domain | Key::Scheme => {
                        "to count each URL once, pipe `urlint extract --unique` into `urlint extract --group-by KEY -`"
                    }
                }));
            }
            return Ok(Shape {
                counts: Some(self.group()),
                ..Shape::default()
            });
        }
        if self.diff.is_some() {
            self.check_diff(columns)?;
            return Ok(Shape {
                counts: Some(Key::Url),
                is_compared: true,
                ..Shape::default()
            });
        }
        let sort = match self.sort.map(Order::key) {
            None => None,
            Some(Some(key)) => Some((key, within(raw && key == Key::Url))),
            Some(None) => return Err(usage("sorting by how often something comes takes --count")),
        };
        let is_before = matches!(sort, Some((_, Layout::Before)));
        Ok(Shape {
            unique: self.unique.then(|| within(raw && !is_before)),
            sort,
            counts: None,
            is_compared: false,
            split: split.map(|(key, _)| key),
            is_cut: self.limit.is_some() || self.sample.is_some(),
        })
    }

    /// Checks the flags that do not go together with `--diff`.
    fn check_diff(&self, columns: bool) -> Result<(), Error> {
        Err(usage(if self.unique {
            "--diff has each URL once: leave out --unique"
        } else if self.sort.is_some() {
            "--diff sorts by URL: leave out --sort"
        } else if self.sample.is_some() {
            "--diff compares whole lists: leave out --sample"
        } else if self.split_by.is_some() {
            "--diff prints one list: leave out --split-by"
        } else if columns {
            "--diff compares URLs, and its columns are `change` and `url`: leave out --fields and --explain"
        } else {
            return Ok(());
        }))
    }

    fn counts(&self) -> bool {
        self.count || self.group_by.is_some() || self.top.is_some()
    }

    fn group(&self) -> Key {
        self.group_by.unwrap_or(Key::Url)
    }

    /// How counts are sorted.
    pub(super) fn ranking(&self) -> Result<Ranking, Error> {
        let by_key = self.sort.and_then(Order::key);
        if self.top.is_some() && by_key.is_some() {
            return Err(usage("--top sorts by `count` or `documents` only"));
        }
        match (self.sort, by_key) {
            (None, _) if self.top.is_some() => Ok(Ranking::Count),
            (None, _) => Ok(Ranking::Place),
            (Some(Order::Documents), _) => Ok(Ranking::Documents),
            (Some(_), None) => Ok(Ranking::Count),
            (Some(_), Some(key)) if key == self.group() => Ok(Ranking::Key),
            (Some(_), Some(key)) if key != Key::File && self.group() == Key::Url => {
                Ok(Ranking::Url(key))
            }
            _ => Err(usage("--sort names something else than what is counted")),
        }
    }

    /// How many rows are listed at most.
    pub(super) fn most(&self) -> Option<u64> {
        self.top.or(self.limit)
    }

    /// How many rows are known to be all that are listed, whatever follows.
    pub(super) fn enough(&self) -> Option<u64> {
        let is_in_order = self.sort.is_none() && self.sample.is_none() && !self.counts();
        let is_in_order = is_in_order && self.diff.is_none();
        self.limit.filter(|_| is_in_order)
    }

    /// The list that this one is compared with.
    pub(super) fn old(&self) -> Option<&Path> {
        self.diff.as_deref()
    }

    /// Whether there are several lists, in a folder.
    pub(super) fn splits(&self) -> bool {
        self.split_by.is_some()
    }

    /// What there is a list for each of, and the folder of the lists.
    pub(super) fn split(&self) -> Result<Option<(Key, &Path)>, Error> {
        let Some([key, folder]) = self.split_by.as_deref() else {
            return Ok(None);
        };
        let named = key.to_str().and_then(|key| Key::from_str(key, false).ok());
        match named {
            Some(key @ (Key::Host | Key::Domain | Key::Scheme)) => {
                Ok(Some((key, Path::new(folder))))
            }
            _ => Err(Error::Usage(format!(
                "--split-by {}: expected `host`, `domain` or `scheme`, and then a folder",
                Path::new(key).display()
            ))),
        }
    }

    /// Whether that folder may hold other files.
    pub(super) fn overwrites(&self) -> bool {
        self.overwrite
    }

    /// The flag whose list a run cannot go on with, if there is one.
    pub(super) fn needs_all_rows(&self) -> Option<&'static str> {
        let flags = [
            (self.unique, "--unique"),
            (self.count, "--count"),
            (self.group_by.is_some(), "--group-by"),
            (self.top.is_some(), "--top"),
            (self.sort.is_some(), "--sort"),
            (self.limit.is_some(), "--limit"),
            (self.sample.is_some(), "--sample"),
            (self.diff.is_some(), "--diff"),
            (self.split_by.is_some(), "--split-by"),
        ];
        let given = flags.into_iter().find(|(is_given, _)| *is_given);
        given.map(|(_, flag)| flag)
    }

    /// How many rows are drawn at random, and the number that says which.
    pub(super) fn sample(&self) -> Option<(u64, u64)> {
        Some((self.sample?, self.seed))
    }

    /// Returns the order of the rows, if it is that of a column. URLs without a host and those with an
    /// empty one are not told apart when they are sorted by host.
    #[cfg(feature = "parquet")]
    pub(super) fn sorted(&self) -> Option<Sorted> {
        let (by, descending) = if self.counts() {
            match self.ranking().ok()? {
                Ranking::Count => ("count", !self.reverse),
                Ranking::Documents => ("documents", !self.reverse),
                Ranking::Key => ("key", self.reverse),
                Ranking::Place | Ranking::Url(_) => return None,
            }
        } else {
            let by = match self.sort? {
                Order::Url => "url",
                Order::Scheme => "scheme",
                Order::File => "path",
                Order::Host | Order::Count | Order::Documents => return None,
            };
            (by, self.reverse)
        };
        Some(Sorted { by, descending })
    }

    /// Whether the greatest comes first.
    pub(super) fn is_reversed(&self) -> bool {
        self.reverse
    }

    /// How many bytes of memory to take.
    pub(super) fn memory(&self) -> usize {
        usize::try_from(self.memory).map_or(MOST_MEMORY, |memory| memory.min(MOST_MEMORY))
    }

    /// Where to put what does not fit into memory.
    pub(super) fn folder(&self) -> Result<PathBuf, Error> {
        match &self.temp_dir {
            // Better said now than hours later.
            Some(folder) if !folder.is_dir() => {
                let folder = folder.display();
                Err(Error::Usage(format!("--temp-dir {folder}: not a folder")))
            }
            Some(folder) => Ok(folder.clone()),
            None => Ok(std::env::temp_dir()),
        }
    }
}

fn usage(message: &str) -> Error {
    Error::Usage(message.to_owned())
}
