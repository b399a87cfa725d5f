//! `urlint extract`: link lists.

mod batch;
mod counts;
mod differences;
mod field;
mod list;
mod old;
mod out;
mod rows;
mod sample;
mod shape;
mod spill;
mod split;
mod work;

use std::path::Path;

use clap::ValueEnum;

use super::filter::FilterArgs;
use super::interrupt::Interrupt;
use super::jobs::{Collector, Context, Progress, Take, WorkArgs};
use super::read::ReadArgs;
use super::show::show;
use super::standard::StandardArgs;
use super::summary;
use crate::config::ConfigArgs;
use crate::error::{Error, Exit};
use crate::terminal::{Output, Verbosity};
use crate::walk::PathArgs;
use counts::{Counts, Writing};
use differences::Differences;
use field::Field;
use list::{Kind, List};
use out::{Out, Place};
use rows::Rows;
use sample::Sample;
use shape::Shaping;
use spill::sorter::{Order, Sorter};
use spill::store::Store;
use spill::unique::Unique;
use split::Split;
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

    /// End each URL with NUL instead of a line break; requires the format `text`
    #[arg(long, short = '0', help_heading = "Output")]
    null: bool,

    /// Print these fields, in this order
    #[arg(
        long,
        value_name = "FIELD",
        value_delimiter = ',',
        help_heading = "Output"
    )]
    fields: Vec<Field>,

    /// Also print why each URL begins, goes on after line breaks, and ends where it does: the fields
    /// `delimiter`, `evidence` and `ending`
    #[arg(long, help_heading = "Output")]
    explain: bool,

    /// Normalize URLs, so that those that are equivalent by RFC 1738 and RFC 3986 become equal
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
}

impl Extract {
    pub(crate) fn run(
        &'static self,
        output: &mut Output,
        verbosity: Verbosity,
    ) -> Result<Exit, Error> {
        if self.null && self.output_format != Format::Text {
            return Err(Error::Null);
        }
        let is_terminal = output.terminal && self.shaping.split()?.is_none();
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
        let is_stdin = |path: &Path| path.as_os_str() == "-";
        if self.inputs.has_stdin() && self.shaping.old().is_some_and(is_stdin) {
            return Err(Error::Usage(
                "standard input cannot be both OLD of --diff and what is read: write one of them to a file"
                    .to_owned(),
            ));
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
        let enough = self.shaping.enough();
        let listing = Listing::new(context, &self.filter, rows, enough);
        let mut collector = Collector::new(Box::leak(Box::new(listing)), progress, &mut list);
        let interrupted = collector.run()?;
        let totals = collector.totals;
        let has_enough = list.has_enough();
        if let Some(exit) = interrupted {
            list.break_off()?;
            return Ok(exit);
        }
        list.finish()?;
        // What was not read does not matter.
        if has_enough {
            return Ok(Exit::Done);
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
        let fields = match (self.fields.is_empty(), self.output_format) {
            (false, _) => &*self.fields,
            (true, Format::Text) => &[Field::Url],
            (true, _) => &Field::USUAL,
        };
        let mut fields = fields.to_vec();
        if self.explain {
            let missing = Field::EXPLAINING
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
        Ok(Rows {
            format: self.output_format,
            end: if self.null { b"\0" } else { b"\n" },
            redact: self.redact,
            normalize: self.normalize,
            harmless,
            columns: fields.iter().map(|field| (*field, field.name())).collect(),
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
        let most = self.shaping.most().unwrap_or(u64::MAX);
        let most_sorted = usize::try_from(most).unwrap_or(usize::MAX);
        let kind = match (self.shaping.old(), shape.counts, shape.sort) {
            (Some(old), ..) => {
                let writing = differences::Writing {
                    format: rows.format,
                    end: rows.end,
                    harmless: rows.harmless,
                };
                let differences = Differences::new(old, writing, &store, memory)?;
                Kind::Compare(Box::new(differences))
            }
            (None, Some(_), _) => Kind::Count(Counts::new(
                Writing {
                    format: rows.format,
                    end: rows.end,
                    harmless: rows.harmless,
                    ranking: self.shaping.ranking()?,
                    reverse,
                    most: most_sorted,
                },
                &store,
                memory,
            )),
            (None, None, Some((_, layout))) => {
                let order = Order { layout, reverse };
                Kind::Sort(Sorter::new(order, most_sorted, &store, memory))
            }
            (None, None, None) => Kind::Print,
        };
        let place = match self.shaping.split()? {
            Some((_, folder)) => {
                let overwrite = self.shaping.overwrites();
                let split = Split::new(folder, overwrite, rows.format, &store, memory)?;
                Place::Folder(Box::new(split))
            }
            None => Place::Stream(&mut output.stream),
        };
        let out = Out::new(place, most);
        let sample = self.shaping.sample();
        let sample = sample.map(|(size, seed)| Sample::new(size, seed, &store, memory));
        List::new(&rows.heading(), (unique, sample), kind, out)
    }
}
