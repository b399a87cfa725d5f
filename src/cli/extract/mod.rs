//! `urlint extract`: link lists.

mod list;
mod rows;

use std::io::Read;

use clap::ValueEnum;

use super::configured::show;
use super::output::Output;
use super::pick::Pick;
use super::read::Reader;
use super::{Error, Exit, complain};
use crate::config::Configuration;
use crate::input::Inputs;
use list::List;
pub(crate) use rows::scheme;
use rows::{Batch, Rows};

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
    pub(crate) fn run(&self, output: &mut Output, quiet: bool) -> Result<Exit, Error> {
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
        // The text alone needs no lines, so none are counted.
        let positions = self.output_format != Format::Text;
        let rows = self.rows(output.terminal);
        let mut batch = Batch::default();
        let mut list = List::new(self.unique, &mut output.stream);
        list.write(&rows.heading()).map_err(Error::Write)?;
        let tally = self.inputs.each(
            &configs,
            self.reader.show_skipped,
            &mut |input, reader: &mut dyn Read| {
                self.reader.read(input, reader, positions, &mut |found| {
                    if self.pick.takes(&found.candidate) {
                        rows.add(&mut batch, input.file, input.part(found.member), found);
                    }
                    match batch.is_full() {
                        true => list.take(&mut batch).map_err(Error::Write),
                        false => Ok(()),
                    }
                })
            },
        )?;
        list.take(&mut batch).map_err(Error::Write)?;
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
