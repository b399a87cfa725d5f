//! `urlint extract`: link lists.

mod batch;
pub(crate) mod cells;
mod columns;
mod counts;
mod filter;
mod list;
mod out;
mod packed;
mod page;
mod rows;
mod shape;
mod spill;
#[cfg(feature = "tables")]
mod table;
mod varint;
mod work;

use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;
use urlint_config::Keys;
use urlint_engine::{OutputFiles, Use};
use urlint_list::{Field, Fields};

use crate::commands::check::baseline;
use crate::config::{ConfigArgs, by_flags};
use crate::error::{Error, Exit};
use crate::flags::paths::{LimitArgs, PathArgs, WorkArgs};
use crate::flags::read::ReadArgs;
use crate::flags::show::show;
use crate::interrupt;
use crate::output::replace::Pending;
use crate::output::{format_of, summary};
use crate::progress::Progress;
use crate::session::Session;
use crate::stdout::Output;
use columns::FieldArg;
use counts::Counts;
use filter::FilterArgs;
use list::{Grouped, List};
use out::{Destination, Encode, Out};
use rows::Rows;
use shape::Shaping;
use spill::sorter::Sorter;
use spill::{Spill, SpillArgs};
use urlint_report::terminal::{Verbosity, complain};
use work::{Extraction, Resolve};

#[derive(Debug, clap::Args)]
pub(crate) struct Extract {
    #[command(flatten)]
    inputs: PathArgs,

    #[command(flatten)]
    reader: ReadArgs,

    /// Also list relative link targets, resolved by the base of their document; without a value, in all
    /// documents that have a base
    #[arg(
        long,
        value_name = "WHERE",
        num_args = 0..=1,
        require_equals = true,
        default_value = "archives",
        default_missing_value = "always",
        hide_short_help = true,
        help_heading = "Finding"
    )]
    resolve: Resolve,

    #[command(flatten)]
    configuration: ConfigArgs,

    #[command(flatten)]
    filter: FilterArgs,

    #[command(flatten)]
    shaping: Shaping,

    /// The output format [default: by the extension of --output-file, or text]
    #[arg(
        long,
        short = 'f',
        visible_alias = "format",
        value_name = "FORMAT",
        help_heading = "Output"
    )]
    output_format: Option<Format>,

    /// Write the list to this file
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output_file: Option<PathBuf>,

    /// End each URL with NUL instead of a line break; requires the format `text`
    #[arg(long, short = '0', hide_short_help = true, help_heading = "Output")]
    null: bool,

    /// Print these fields, in order; `help` lists them
    ///
    /// `all` prints all fields. `help` lists them with their types.
    #[arg(
        long,
        value_name = "FIELD",
        value_delimiter = ',',
        value_parser = columns::parser(),
        hide_possible_values = true,
        help_heading = "Output"
    )]
    fields: Vec<FieldArg>,

    /// Normalize URLs: equivalent ones become equal
    ///
    /// The standard decides which URLs are equivalent.
    #[arg(long, help_heading = "Output")]
    normalize: bool,

    /// Show passwords as `***`
    #[arg(long, help_heading = "Output")]
    redact: bool,

    #[command(flatten)]
    work: WorkArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    spill: SpillArgs,

    /// The maximum number of characters in the field `context` on either side of the URL, up to 120
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 60,
        value_parser = clap::value_parser!(u8).range(..=120),
        hide_short_help = true,
        help_heading = "Advanced"
    )]
    context_chars: u8,
}

/// The formats of lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
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
    /// A stream in Apache Arrow's IPC format, which can be read while it is written
    Arrow,
    /// An HTML page with charts and a table of the URLs; passwords are `***`
    Html,
}

impl Format {
    /// Returns whether a terminal shows it.
    fn is_for_terminals(self) -> bool {
        !matches!(self, Format::Parquet | Format::Arrow | Format::Html)
    }

    /// The extensions of files that stand for a format.
    const EXTENSIONS: [(&str, Self); 9] = [
        ("jsonl", Format::JsonLines),
        ("ndjson", Format::JsonLines),
        ("json", Format::JsonLines),
        ("csv", Format::Csv),
        ("tsv", Format::Tsv),
        ("parquet", Format::Parquet),
        ("arrow", Format::Arrow),
        ("html", Format::Html),
        ("htm", Format::Html),
    ];
}

impl Extract {
    /// Chooses the input if no path is given.
    pub(crate) fn choose_inputs(&mut self) {
        let may_wait = !self.configuration.is_shown() && !self.fields.contains(&FieldArg::Help);
        self.inputs.choose(may_wait);
    }

    pub(crate) fn run(&self, output: &mut Output) -> Result<Exit, Error> {
        let verbosity = output.verbosity;
        if self.fields.contains(&FieldArg::Help) {
            return columns::help(output);
        }
        if self.null && self.format() != Format::Text {
            return Err(Error::usage("--null requires `--output-format text`"));
        }
        self.inputs.explain_choice(false)?;
        let is_terminal = output.terminal && self.output_file.is_none();
        let rows = self.rows(is_terminal)?;
        let mut keys = Keys::default();
        self.reader.set(&mut keys);
        self.filter.set(&mut keys);
        let configs = self.configuration.configs(by_flags(keys)?)?;
        let (limits, work) = (self.limits, &self.work);
        let outputs = self.outputs();
        let inputs = |outputs| {
            let configs = configs.clone();
            (self.inputs).inputs(configs, &self.reader, limits, work, outputs, verbosity)
        };
        if self.configuration.is_shown() {
            return show(&self.configuration, inputs(outputs)?, output);
        }
        self.inputs.reject_inputs_among(&outputs)?;
        self.configuration
            .ensure_not_outputs(outputs.replaced(), &configs)?;
        self.filter.ensure_dates()?;
        self.ensure_format(verbosity)?;
        self.check_terminal(is_terminal)?;
        let spill = self.spill.spill();
        let mut inputs = inputs(outputs)?;
        inputs.records = self.resolve != Resolve::Never
            || rows.fields.need_records()
            || self.filter.needs_records();
        if work::needs_rules(&self.filter, &rows) {
            let current = configs.current()?;
            let known = current.options().first(|keys| keys.baseline.as_ref());
            let known = known.map(|(file, _)| file.as_path());
            baseline::ensure_not_output(known, self.output_file.as_deref())?;
            inputs.baseline = baseline::read(known, &inputs.current)?;
        }
        interrupt::ends(&inputs.stop);
        let inputs = Arc::new(inputs);
        let progress = Progress::new(self.work.progress, &inputs, "URL", output);
        let place = self.destination(output)?;
        let list = self.list(&rows, spill, place)?;
        let extraction = Arc::new(Extraction {
            inputs: inputs.clone(),
            filter: self.filter.clone(),
            resolve: self.resolve,
            rows,
            enough: self.shaping.enough(),
        });
        let session = Session::start(inputs, extraction, progress)?;
        self.collect(session, list, verbosity)
    }

    /// Writes the list, to its end or until it has enough rows or is interrupted.
    fn collect(
        &self,
        mut session: Session<Extraction>,
        mut list: List<'_>,
        verbosity: Verbosity,
    ) -> Result<Exit, Error> {
        while !list.has_enough()
            && let Some(batch) = session.next()?
        {
            session.progress.found += batch.count;
            list.add(&batch)?;
        }
        if let Some(interrupted) = session.end() {
            list.break_off()?;
            return Ok(interrupted);
        }
        let has_enough = list.has_enough();
        list.finish()?;
        // Sources that were not read do not matter.
        if has_enough {
            return Ok(Exit::Done);
        }
        if !verbosity.is_quiet() {
            summary::report_nothing_done(session.totals, "read", verbosity);
            if session.totals.read > 0 {
                summary::report_skipped(session.totals, verbosity);
            }
            self.filter.idle().for_each(|message| complain(&message));
            summary::report_notices(session.totals);
        }
        Ok(session.exit())
    }

    /// Returns the format of the list.
    fn format(&self) -> Format {
        let of_file = || self.format_of_file().ok().flatten();
        (self.output_format.or_else(of_file)).unwrap_or(Format::Text)
    }

    /// Returns the format that the name of the file stands for.
    fn format_of_file(&self) -> Result<Option<Format>, Error> {
        match &self.output_file {
            Some(file) => format_of(file, &Format::EXTENSIONS),
            None => Ok(None),
        }
    }

    /// Fails if neither a flag nor the name of the file says the format; warns if they differ.
    fn ensure_format(&self, verbosity: Verbosity) -> Result<(), Error> {
        let of_file = self.format_of_file();
        let Some(format) = self.output_format else {
            return of_file.map(|_| ());
        };
        if let Ok(Some(of_file)) = of_file
            && of_file != format
            && !verbosity.is_quiet()
        {
            complain("the file gets the format of --output-format, which its name does not say");
        }
        Ok(())
    }

    /// Returns the files that the run writes.
    fn outputs(&self) -> OutputFiles {
        let mut outputs = OutputFiles::new();
        if let Some(file) = &self.output_file {
            outputs.add(file, Use::Asked);
        }
        outputs
    }

    /// Fails if a binary table or a page would go to a terminal.
    fn check_terminal(&self, is_terminal: bool) -> Result<(), Error> {
        if !is_terminal || self.format().is_for_terminals() {
            return Ok(());
        }
        let message = "a terminal cannot show this format: write it to a file with --output-file, or pipe it to a program";
        Err(Error::usage(message))
    }

    /// Returns where the list goes.
    fn destination<'o>(&self, output: &'o mut Output) -> Result<Destination<'o>, Error> {
        Ok(match &self.output_file {
            Some(file) => Destination::File(Pending::new(file, output.verbosity)?),
            None => Destination::Stream(&mut output.stream),
        })
    }

    fn rows(&self, escape_controls: bool) -> Result<Rows, Error> {
        let is_page = self.format() == Format::Html;
        if is_page && (self.shaping.counts() || !self.fields.is_empty()) {
            let message = "an HTML page has its own columns and counts: leave out --fields, --count and --group-by";
            return Err(Error::usage(message));
        }
        let fields = match (self.fields.is_empty(), self.format()) {
            (true, Format::Html) => page::FIELDS.to_vec(),
            (false, _) => columns::fields(&self.fields),
            (true, Format::Text) => vec![Field::Url],
            (true, _) => Field::USUAL.to_vec(),
        };
        let is_bare = self.format() == Format::Text && fields == [Field::Url];
        let shape = self.shaping.shape(!self.fields.is_empty())?;
        let end: &[u8] = if self.null { b"\0" } else { b"\n" };
        let (columns, fields) = match shape.counts {
            Some(counted) => (counts::columns(counted), counted.fields()),
            None => {
                let columns = fields.iter().copied().map(cells::Column::from);
                (columns.collect(), fields)
            }
        };
        let mut fields = Fields::new(fields);
        fields.redact = self.redact || is_page;
        fields.normalize = self.normalize;
        fields.context_chars = self.context_chars.into();
        let layout = cells::Layout::new(self.format(), columns, end, escape_controls);
        Ok(Rows::new(fields, layout, shape, is_bare))
    }

    fn list<'o>(
        &self,
        rows: &Rows,
        spill: Spill,
        place: Destination<'o>,
    ) -> Result<List<'o>, Error> {
        let counts = match rows.shape.counts {
            None => None,
            Some(counted) => {
                let layout = rows.layout.clone().verbatim();
                let sort = self.shaping.counts_sorted_by()?;
                Some(Counts::new(counted, layout, sort))
            }
        };
        let most = self.shaping.limit.unwrap_or(u64::MAX);
        let most_sorted = usize::try_from(most).unwrap_or(usize::MAX);
        let order = self.shaping.order();
        let sorter = order.map(|order| Sorter::new(order, most_sorted, &spill));
        let is_grouped = rows.shape.unique || counts.is_some();
        let grouped = is_grouped.then(|| Grouped::new(counts, spill));
        let layout = &rows.layout;
        let out = Out::new(place, layout.end, self.encoder(&layout.columns)?, most);
        List::new(&layout.heading, grouped, sorter, out)
    }

    /// Returns the encoder of the rows, if they are not text.
    fn encoder(&self, columns: &[cells::Column]) -> Result<Option<Box<dyn Encode>>, Error> {
        Ok(match self.format() {
            Format::Text | Format::JsonLines | Format::Csv | Format::Tsv => None,
            Format::Html => Some(Box::<page::ListPage>::default()),
            #[cfg(feature = "tables")]
            Format::Parquet => {
                let sorted = self.shaping.sorted();
                Some(Box::new(table::Table::parquet(columns, sorted)?))
            }
            #[cfg(feature = "tables")]
            Format::Arrow => Some(Box::new(table::Table::arrow(columns)?)),
            #[cfg(not(feature = "tables"))]
            Format::Parquet | Format::Arrow => {
                let _ = columns;
                return Err(Error::usage(
                    "this urlint was built without Parquet and Arrow: use a released binary, or `cargo install urlint --features tables`",
                ));
            }
        })
    }
}
