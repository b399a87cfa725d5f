//! `urlint extract`: link lists.

mod collect;
mod crew;
mod driver;
mod job;
mod list;
mod outlet;
mod progress;
mod rows;

use std::num::NonZeroU16;
use std::thread;

use clap::ValueEnum;

use super::configured::show;
use super::interrupt::Interrupt;
use super::output::Output;
use super::pick::Pick;
use super::read::Reader;
use super::{Error, Exit, complain};
use crate::config::Configuration;
use crate::input::{Inputs, Opening};
use collect::Collector;
use job::Office;
use list::List;
use progress::{Progress, When};
use rows::Rows;
pub(crate) use rows::scheme;

#[derive(Debug, clap::Args)]
pub(crate) struct Extract {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    reader: Reader,

    #[command(flatten)]
    configuration: Configuration,

    #[command(flatten)]
    pick: Pick,

    /// How to print URLs
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Output"
    )]
    output_format: Format,

    /// End each URL with NUL instead of a line break; for `text` only
    #[arg(long, short = '0', help_heading = "Output")]
    null: bool,

    /// Print each URL once, where it comes first
    #[arg(long, help_heading = "Output")]
    unique: bool,

    /// Show passwords as `***`
    #[arg(long, help_heading = "Output")]
    redact: bool,

    /// Read with so many threads; the list is the same. By default with one for each processor
    #[arg(long, value_name = "NUMBER", help_heading = "Work")]
    threads: Option<NonZeroU16>,

    /// Show on standard error how far the work has come
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Work"
    )]
    progress: When,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A URL on each line, with its fragment
    Text,
    /// A JSON object on each line; bytes that are not UTF-8 are shown as U+FFFD
    JsonLines,
    /// Comma-separated values, the first row naming the columns
    Csv,
}

impl Extract {
    pub(crate) fn run(&'static self, output: &mut Output, quiet: bool) -> Result<Exit, Error> {
        if self.null && self.output_format != Format::Text {
            return Err(Error::Null);
        }
        let configs = self.configuration.configs(self.reader.keys())?;
        if let Some(shown) = show(
            &self.configuration,
            &configs,
            &self.inputs,
            &self.reader,
            output,
        ) {
            return shown;
        }
        let rows = self.rows(output.terminal);
        let progress = Progress::new(self.progress, quiet, output.terminal, self.inputs.size());
        let mut list = List::new(self.unique, &mut output.stream);
        list.write(&rows.heading()).map_err(Error::Write)?;
        // These last as long as the threads that use them, which may be left where they wait.
        let configs = Box::leak(Box::new(configs));
        let office = Box::leak(Box::new(Office {
            asked: self,
            rows,
            opening: Opening::new(&self.inputs, configs, self.reader.show_skipped),
            // The text alone needs no lines, so none are counted.
            positions: self.output_format != Format::Text,
            interrupt: Interrupt::new(),
        }));
        let threads = self
            .threads
            .map_or_else(available, |threads| threads.get().into());
        let mut collector = Collector::new(office, list, progress);
        let interrupted = collector.run(threads)?;
        let tally = collector.tally;
        if let Some(exit) = interrupted {
            return Ok(exit);
        }
        if tally.read == 0 && tally.failed == 0 && !quiet {
            complain("no files read");
        }
        Ok(if tally.failed > 0 {
            Exit::Failed
        } else {
            Exit::Done
        })
    }

    fn rows(&self, harmless: bool) -> Rows {
        Rows {
            format: self.output_format,
            end: if self.null { b"\0" } else { b"\n" },
            redact: self.redact,
            harmless,
            keyed: self.unique,
        }
    }
}

/// How many threads are worth their while.
fn available() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
