//! `urlint extract`: link lists.

mod batch;
pub(crate) mod cells;
mod columns;
mod counts;
mod differences;
mod list;
mod old;
mod out;
mod resume;
mod rows;
mod sample;
mod shape;
mod spill;
mod split;
pub(crate) mod table;
mod work;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use urlint::config::Configs;
use urlint::list::{Field, Fields};

use super::filter::FilterArgs;
use super::interrupt::Interrupt;
use super::jobs::{Collector, Context, Progress, Take, WorkArgs};
use super::read::ReadArgs;
use super::replace::Pending;
use super::show::show;
use super::standard::StandardArgs;
use super::summary;
use crate::config::ConfigArgs;
use crate::error::{Error, Exit};
use crate::hash::Hash;
use crate::terminal::{Output, Verbosity, complain};
use crate::walk::{Own, PathArgs, Use};
use columns::Column;
use counts::{Counts, Writing};
use differences::Differences;
use list::{Kind, List};
use out::{Out, Place};
use resume::{Past, Run};
use rows::Rows;
use sample::Sample;
use shape::Shaping;
use spill::sorter::{Order, Sorter};
use spill::store::Store;
use spill::unique::Unique;
use split::Split;
use table::Table;
use work::Listing;

#[derive(Debug, clap::Args)]
pub(crate) struct Extract {
    #[command(flatten)]
    inputs: PathArgs,

    #[command(flatten)]
    reader: ReadArgs,

    #[command(flatten)]
    standard: StandardArgs,

    #[command(flatten)]
    configuration: ConfigArgs,

    #[command(flatten)]
    filter: FilterArgs,

    #[command(flatten)]
    shaping: Shaping,

    /// The output format
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Output"
    )]
    output_format: Format,

    /// Write the list to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output_file: Option<PathBuf>,

    /// Go on where an earlier run with the same flags and paths was, if it was killed or interrupted
    /// before its list was complete; requires -o, and not for lists that are sorted, counted,
    /// deduplicated or cut
    #[arg(long, requires = "output_file", help_heading = "Output")]
    resume: bool,

    /// End each URL with NUL instead of a line break; requires the format `text`
    #[arg(long, short = '0', help_heading = "Output")]
    null: bool,

    /// Print these fields, in this order; `all` stands for all of them, and `help` lists them with
    /// their types
    #[arg(
        long,
        value_name = "FIELD",
        value_delimiter = ',',
        value_parser = columns::parser(),
        hide_possible_values = true,
        help_heading = "Output"
    )]
    fields: Vec<Column>,

    /// How many characters the field `context` has at most on either side of the URL, up to 120
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 60,
        value_parser = clap::value_parser!(u8).range(..=120),
        help_heading = "Output"
    )]
    context_chars: u8,

    /// Also print why each URL begins, goes on after line breaks, and ends where it does: the fields
    /// `delimiter`, `evidence` and `ending`
    #[arg(long, help_heading = "Output")]
    explain: bool,

    /// Normalize URLs, so that those that are equivalent by the standard become equal
    #[arg(long, help_heading = "Output")]
    normalize: bool,

    /// Show passwords as `***`
    #[arg(long, help_heading = "Output")]
    redact: bool,

    #[command(flatten)]
    work: WorkArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A URL on each line, with its fragment; or the fields of --fields, as in `tsv`
    Text,
    /// A JSON object on each line; bytes that are not UTF-8 become U+FFFD
    JsonLines,
    /// Comma-separated values with a header
    Csv,
    /// Tab-separated values with a header; tabs, line breaks and backslashes are written `\t`,
    /// `\n`, `\r` and `\\`
    Tsv,
    /// Apache Parquet
    Parquet,
    /// A stream of Apache Arrow's IPC format, which programs read while it is written
    Arrow,
}

impl Format {
    /// Whether it is a table of columns with types, and not text.
    fn is_table(self) -> bool {
        matches!(self, Format::Parquet | Format::Arrow)
    }
}

/// What `--explain` adds.
const EXPLAINING: [Field; 3] = [Field::Delimiter, Field::Evidence, Field::Ending];

impl Extract {
    pub(crate) fn run(
        &'static self,
        output: &mut Output,
        verbosity: Verbosity,
    ) -> Result<Exit, Error> {
        if self.fields.contains(&Column::Help) {
            return columns::help(output);
        }
        if self.null && self.output_format != Format::Text {
            return Err(Error::Null);
        }
        let is_printed = self.output_file.is_none() && !self.shaping.splits();
        let is_terminal = output.terminal && is_printed;
        let rows = self.rows(is_terminal)?;
        let keys = self.reader.options().over(&self.filter.options());
        let configs = self
            .configuration
            .configs(keys.over(&self.standard.options()))?;
        self.standard.check(&configs)?;
        if let Some(shown) = show(
            &self.configuration,
            &configs,
            (&self.inputs, &|| self.own()),
            &self.reader,
            (output, verbosity),
        ) {
            return shown;
        }
        let own = self.own()?;
        self.check_files(&own)?;
        self.configuration
            .are_not_written(own.replaced(), &configs)?;
        self.check_table(output.terminal)?;
        let store = Store::new(self.shaping.folder()?);
        let (place, past) = self.destination(&store, output)?;
        let place = match place {
            // An earlier run was killed just before its end.
            Place::Kept(journal) if journal.is_whole() => {
                let failed = journal.earlier().failed;
                journal.finish()?;
                return Ok(exit(failed));
            }
            place => place,
        };
        let progress = Progress::new(
            self.work.progress,
            (verbosity.is_quiet(), is_terminal),
            self.inputs.size(),
            "URL",
        );
        let list = self.list(&rows, &store, place)?;
        let listing = self.listing(configs, (rows, own), past, verbosity);
        self.collect(listing, list, progress)
    }

    /// What is listed, and how. It lasts as long as the threads that work on it, which may be left
    /// where they wait.
    fn listing(
        &'static self,
        configs: Configs,
        (rows, own): (Rows, Own),
        past: Option<Past>,
        verbosity: Verbosity,
    ) -> &'static Listing {
        let configs = Box::leak(Box::new(configs));
        let mut opener = self.reader.opener(&self.inputs, configs, verbosity);
        opener.records = rows.need_records();
        opener.own = own;
        let context = Context {
            inputs: &self.inputs,
            reader: &self.reader,
            opener,
            verbosity,
            interrupt: Interrupt::new(),
            threads: self.work.threads(),
        };
        let enough = self.shaping.enough();
        let listing = Listing::new(context, &self.filter, rows, enough, past);
        Box::leak(Box::new(listing))
    }

    /// Lists everything, to the end or until something ends it before.
    fn collect(
        &self,
        listing: &'static Listing,
        mut list: List<'_>,
        progress: Progress,
    ) -> Result<Exit, Error> {
        let verbosity = listing.context.verbosity;
        let mut collector = Collector::new(listing, progress, &mut list);
        let ran = collector.run();
        let has_panicked = collector.has_panicked;
        let mut totals = collector.totals;
        let interrupted = match ran {
            Err(error) if self.resume => {
                // That it cannot be kept has the same reason, as a rule.
                let _ = list.break_off();
                return Err(error);
            }
            ran => ran?,
        };
        if interrupted.is_some() || has_panicked {
            list.break_off()?;
            if self.resume && !verbosity.is_quiet() {
                complain("the same command goes on from here");
            }
            return Ok(interrupted.unwrap_or(Exit::Failed));
        }
        listing.check_past()?;
        list.add_earlier(&mut totals);
        let has_enough = list.has_enough();
        list.finish()?;
        // What was not read does not matter.
        if has_enough {
            return Ok(Exit::Done);
        }
        if !verbosity.is_quiet() {
            summary::nothing_done(totals, "read", &self.reader, verbosity);
            summary::notices(totals);
        }
        Ok(exit(totals.failed))
    }

    /// Returns what the run writes.
    fn own(&self) -> Result<Own, Error> {
        let mut own = Own::new();
        if let Some(file) = &self.output_file {
            own.add(file, Use::Asked);
            let beside = self.resume.then(|| resume::beside(file)).into_iter();
            (beside.flatten()).for_each(|file| own.add(&file, Use::Asked));
        }
        if let Some((_, folder)) = self.shaping.split()? {
            let lists = split::lists(folder, self.shaping.overwrites(), self.output_format);
            lists?.into_iter().for_each(|lists| own.set_lists(lists));
        }
        Ok(own)
    }

    /// Checks the flags that name files and folders.
    fn check_files(&self, own: &Own) -> Result<(), Error> {
        let is_stdin = |path: &Path| path.as_os_str() == "-";
        let usage = |message: &str| Err(Error::Usage(message.to_owned()));
        if self.inputs.has_stdin() && self.shaping.old().is_some_and(is_stdin) {
            return usage(
                "standard input cannot be both OLD of --diff and what is read: write one of them to a file",
            );
        }
        let old = self.shaping.old().filter(|old| !is_stdin(old));
        own.are_not_read(old, false)?;
        self.inputs.have_none_of(own)?;
        if self.output_file.is_some() && self.shaping.splits() {
            return usage("--split-by names the lists that it writes: leave out --output-file");
        }
        if !self.resume {
            return Ok(());
        }
        if let Some(flag) = self.shaping.needs_all_rows() {
            return Err(Error::Usage(format!(
                "{flag} needs all rows, which --resume does not keep: write the plain list with --resume, and read it with {flag} then"
            )));
        }
        if self.inputs.has_stdin() {
            return usage("--resume cannot read standard input a second time: write it to a file");
        }
        Ok(())
    }

    /// Checks that a table can go where it is to go.
    fn check_table(&self, is_terminal: bool) -> Result<(), Error> {
        if !self.output_format.is_table() {
            return Ok(());
        }
        let message = if self.shaping.splits() {
            "--split-by writes text: choose another format than `parquet` and `arrow`"
        } else if self.resume {
            "--resume goes on with text: choose another format than `parquet` and `arrow`"
        } else if is_terminal && self.output_file.is_none() {
            "a terminal cannot show this format: write it to a file with --output-file, or pipe it to a program"
        } else {
            return Ok(());
        };
        Err(Error::Usage(message.to_owned()))
    }

    /// Where the list goes, and what of it an earlier run has.
    fn destination<'o>(
        &self,
        store: &Store,
        output: &'o mut Output,
    ) -> Result<(Place<'o>, Option<Past>), Error> {
        let place = match (self.shaping.split()?, &self.output_file) {
            (Some((_, folder)), _) => {
                let (overwrite, memory) = (self.shaping.overwrites(), self.shaping.memory());
                let split = Split::new(folder, overwrite, self.output_format, store, memory)?;
                Place::Folder(Box::new(split))
            }
            (None, Some(file)) if self.resume => {
                let Run { past, journal } = Run::new(file, self.flags())?;
                return Ok((Place::Kept(Box::new(journal)), Some(past)));
            }
            (None, Some(file)) => Place::File(Pending::new(file)?),
            (None, None) => Place::Stream(&mut output.stream),
        };
        Ok((place, None))
    }

    /// A hash of all flags and paths that the list depends on.
    fn flags(&self) -> u64 {
        let columns = (&self.fields, self.explain, self.context_chars);
        let looks = (self.output_format, self.null, columns);
        let urls = (self.normalize, self.redact, &self.filter, &self.standard);
        let sources = (&self.inputs, &self.reader, &self.configuration);
        Hash::of_shown(&(env!("CARGO_PKG_VERSION"), looks, urls, sources))
    }

    fn rows(&self, harmless: bool) -> Result<Rows, Error> {
        let mut fields = match (self.fields.is_empty(), self.output_format) {
            (false, _) => columns::fields(&self.fields),
            (true, Format::Text) => vec![Field::Url],
            (true, _) => Field::USUAL.to_vec(),
        };
        if self.explain {
            let missing = EXPLAINING
                .into_iter()
                .filter(|field| !fields.contains(field));
            let missing: Vec<_> = missing.collect();
            fields.extend(missing);
        }
        let is_bare = self.output_format == Format::Text && fields == [Field::Url];
        let shape = self.shaping.shape(
            is_bare && !harmless,
            !self.fields.is_empty() || self.explain,
        )?;
        let is_changed = self.redact || self.normalize || harmless;
        let end: &[u8] = if self.null { b"\0" } else { b"\n" };
        let columns = if shape.is_compared {
            table::Column::texts(&differences::COLUMNS)
        } else if shape.counts.is_some() {
            counts::COLUMNS.to_vec()
        } else {
            fields.iter().copied().map(table::Column::from).collect()
        };
        Ok(Rows {
            layout: cells::Layout::new(self.output_format, columns, end, harmless),
            fields: Fields::new(fields)
                .with_redact(self.redact)
                .with_normalize(self.normalize)
                .with_context_chars(self.context_chars.into()),
            end,
            shape,
            is_bare,
            is_raw: is_bare && !is_changed && shape.is_bare(),
        })
    }

    fn list<'o>(&self, rows: &Rows, store: &Store, place: Place<'o>) -> Result<List<'o>, Error> {
        let memory = self.shaping.memory();
        let shape = rows.shape;
        let unique = shape.unique;
        let unique = unique.map(|layout| Unique::new(layout, store, memory, self.work.threads()));
        let reverse = self.shaping.is_reversed();
        let most = self.shaping.most().unwrap_or(u64::MAX);
        let most_sorted = usize::try_from(most).unwrap_or(usize::MAX);
        let kind = match (self.shaping.old(), shape.counts, shape.sort) {
            (Some(old), ..) => {
                let writing = differences::Writing {
                    format: self.output_format,
                    layout: rows.layout.clone(),
                    end: rows.end,
                };
                let differences = Differences::new(old, writing, store, memory)?;
                Kind::Compare(Box::new(differences))
            }
            (None, Some(_), _) => Kind::Count(Box::new(Counts::new(
                Writing {
                    layout: rows.layout.clone().verbatim(),
                    ranking: self.shaping.ranking()?,
                    reverse,
                    most: most_sorted,
                },
                store,
                memory,
            ))),
            (None, None, Some((_, layout))) => {
                let order = Order { layout, reverse };
                Kind::Sort(Sorter::new(order, most_sorted, store, memory))
            }
            (None, None, None) => Kind::Print,
        };
        let out = Out::new(place, self.table(&rows.layout.columns)?, most);
        let sample = self.shaping.sample();
        let sample = sample.map(|(size, seed)| Sample::new(size, seed, store, memory));
        List::new(&rows.layout.heading, (unique, sample), kind, out)
    }

    /// What the rows become, if they are not text.
    fn table(&self, columns: &[table::Column]) -> Result<Option<Table>, Error> {
        match self.output_format {
            Format::Text | Format::JsonLines | Format::Csv | Format::Tsv => Ok(None),
            Format::Parquet => self.parquet(columns).map(Some),
            Format::Arrow => Ok(Some(Table::arrow(columns))),
        }
    }

    #[cfg(feature = "parquet")]
    fn parquet(&self, columns: &[table::Column]) -> Result<Table, Error> {
        Table::parquet(columns, self.shaping.sorted()).map_err(Error::Write)
    }

    #[cfg(not(feature = "parquet"))]
    fn parquet(&self, _: &[table::Column]) -> Result<Table, Error> {
        Err(Error::Usage(
            "this urlint was built without Parquet: the released binaries have it, as has what `cargo install urlint --features parquet` builds"
                .to_owned(),
        ))
    }
}

/// How the command ends if so many files could not be read.
fn exit(failed: u64) -> Exit {
    if failed > 0 { Exit::Failed } else { Exit::Done }
}
