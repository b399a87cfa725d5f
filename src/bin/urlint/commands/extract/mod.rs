//! `urlint extract`: link lists.

mod batch;
mod cells;
mod columns;
mod counts;
mod list;
mod rows;
mod shape;
mod sink;
mod spill;
mod table;
mod work;

use std::path::PathBuf;

use clap::ValueEnum;
use urlint::list::{Field, Fields};

use super::filter::FilterArgs;
use super::interrupt::Interrupt;
use super::jobs::{Collector, Context, Progress, WorkArgs};
use super::read::ReadArgs;
use super::replace::Pending;
use super::show::show;
use super::standard::StandardArgs;
use super::summary;
use crate::config::ConfigArgs;
use crate::error::{Error, Exit};
use crate::terminal::{Output, Verbosity};
use crate::walk::PathArgs;
use columns::Column;
use counts::{Counts, Writing};
use list::{Kind, List};
use rows::Rows;
use shape::Shaping;
use sink::{Sink, Target};
use spill::sorter::{Order, Sorter};
use spill::store::Store;
use spill::unique::Unique;
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
enum Format {
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
    /// Whether it is not text.
    fn is_binary(self) -> bool {
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
        let is_terminal = output.terminal && self.output_file.is_none();
        let rows = self.rows(is_terminal)?;
        let keys = self.reader.options().over(&self.filter.options());
        let configs = self
            .configuration
            .configs(keys.over(&self.standard.options()))?;
        self.standard.check(&configs)?;
        if let Some(shown) = show(
            &self.configuration,
            &configs,
            &self.inputs,
            &self.reader,
            (output, verbosity),
        ) {
            return shown;
        }
        let progress = Progress::new(
            self.work.progress,
            (verbosity.is_quiet(), is_terminal),
            self.inputs.size(),
            "URL",
        );
        let mut list = self.list(&rows, output)?;
        // These last as long as the threads that use them, which may be left where they wait.
        let configs = Box::leak(Box::new(configs));
        let context = Context {
            inputs: &self.inputs,
            reader: &self.reader,
            opener: self.reader.opener(&self.inputs, configs, verbosity),
            verbosity,
            interrupt: Interrupt::new(),
            threads: self.work.threads(),
        };
        let listing = Box::leak(Box::new(Listing::new(context, &self.filter, rows)));
        let mut take = |mut batch: batch::Batch| {
            let count = batch.count;
            list.take(&mut batch)?;
            Ok(count)
        };
        let mut collector = Collector::new(listing, progress, &mut take);
        let interrupted = collector.run()?;
        let totals = collector.totals;
        list.finish(interrupted.is_none())?;
        if let Some(exit) = interrupted {
            return Ok(exit);
        }
        if !verbosity.is_quiet() {
            summary::nothing_done(totals, "read", &self.reader, verbosity);
            summary::notices(totals);
        }
        Ok(if totals.failed > 0 {
            Exit::Failed
        } else {
            Exit::Done
        })
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
        let columns = if shape.counts.is_some() {
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

    fn list<'o>(&self, rows: &Rows, output: &'o mut Output) -> Result<List<'o>, Error> {
        let store = Store::new(self.shaping.folder()?);
        let memory = self.shaping.memory();
        let shape = rows.shape;
        let unique = shape.unique;
        let unique = unique.map(|layout| Unique::new(layout, &store, memory, self.work.threads()));
        let reverse = self.shaping.is_reversed();
        let kind = match (shape.counts, shape.sort) {
            (Some(_), _) => Kind::Count(Box::new(Counts::new(
                Writing {
                    layout: rows.layout.clone().verbatim(),
                    ranking: self.shaping.ranking()?,
                    reverse,
                    most: self.shaping.most(),
                },
                &store,
                memory,
            ))),
            (None, Some((_, layout))) => {
                let order = Order { layout, reverse };
                Kind::Sort(Sorter::new(order, usize::MAX, &store, memory))
            }
            (None, None) => Kind::Print,
        };
        let sink = self.sink(&rows.layout.columns, output)?;
        List::new(&rows.layout.heading, unique, kind, sink)
    }

    /// Where the list goes, and the form it gets there. `columns` are those of a table.
    fn sink<'o>(
        &self,
        columns: &[table::Column],
        output: &'o mut Output,
    ) -> Result<Sink<'o>, Error> {
        if self.output_format.is_binary() && self.output_file.is_none() && output.terminal {
            return Err(Error::Usage(
                "a terminal cannot show this format: write it to a file with --output-file, or pipe it to a program"
                    .to_owned(),
            ));
        }
        let table = match self.output_format {
            Format::Text | Format::JsonLines | Format::Csv | Format::Tsv => None,
            Format::Parquet => Some(self.parquet(columns)?),
            Format::Arrow => Some(Table::arrow(columns)),
        };
        let target = match &self.output_file {
            Some(file) => Target::File(Box::new(Pending::new(file)?)),
            None => Target::Stream(&mut output.stream),
        };
        Ok(Sink::new(target, table))
    }

    #[cfg(feature = "parquet")]
    fn parquet(&self, columns: &[table::Column]) -> Result<Table, Error> {
        Table::parquet(columns, self.shaping.sorted()).map_err(Error::Write)
    }

    #[cfg(not(feature = "parquet"))]
    #[expect(clippy::unused_self, reason = "it is used where there is Parquet")]
    fn parquet(&self, _: &[table::Column]) -> Result<Table, Error> {
        Err(Error::Usage(
            "this urlint was built without Parquet: those of the releases have it, and `cargo install urlint --features parquet` builds one that has"
                .to_owned(),
        ))
    }
}
