//! The report for each output format of `urlint check`.

use urlint_config::OutputFormat;

use super::full::Full;
use super::json::ArrayReport;
use super::sarif::Sarif;
use super::statistics::Statistics;
use super::xml::Junit;
use super::{Report, concise, github, gitlab, json_lines};
use crate::terminal::Style;

/// Returns whether a format is for people, who also get a summary, rather than for programs.
pub fn is_for_people(format: OutputFormat) -> bool {
    matches!(format, OutputFormat::Full | OutputFormat::Concise)
}

/// Creates a report in a format.
pub fn report(format: OutputFormat, style: Style) -> Box<dyn Report> {
    match format {
        OutputFormat::Concise => Box::new(concise::line),
        OutputFormat::Json => Box::new(ArrayReport::new(|placed, _| json_lines::object(placed))),
        OutputFormat::JsonLines => Box::new(json_lines::line),
        OutputFormat::Sarif => Box::new(Sarif::new()),
        OutputFormat::Github => Box::new(github::command),
        OutputFormat::Gitlab => Box::new(ArrayReport::new(gitlab::issue)),
        OutputFormat::Junit => Box::<Junit>::default(),
        // All formats of the library are here; the enum is non-exhaustive.
        OutputFormat::Full | _ => Box::new(Full::new(style)),
    }
}

/// Creates a report of how often each rule reported: a table for people, JSON for programs.
pub fn statistics(format: OutputFormat) -> Box<dyn Report> {
    Box::new(Statistics::new(!is_for_people(format)))
}
