//! The report for each output format of `urlint check`.

use urlint::config::OutputFormat;

use super::Report;
use super::concise::Concise;
use super::full::Full;
use super::github::Github;
use super::gitlab::Gitlab;
use super::html::Html;
use super::json_lines::{Json, JsonLines};
use super::rdjson::Rdjson;
use super::sarif::Sarif;
use super::statistics::Statistics;
use super::xml::{Checkstyle, Junit};
use crate::terminal::Style;

/// Returns whether a format is for people, who also get a summary, rather than for programs.
pub(crate) fn is_for_people(format: OutputFormat) -> bool {
    matches!(format, OutputFormat::Full | OutputFormat::Concise)
}

/// Creates a report in a format.
pub(crate) fn report(format: OutputFormat, style: Style) -> Box<dyn Report> {
    match format {
        OutputFormat::Concise => Box::new(Concise),
        OutputFormat::Json => Box::<Json>::default(),
        OutputFormat::JsonLines => Box::<JsonLines>::default(),
        OutputFormat::Sarif => Box::<Sarif>::default(),
        OutputFormat::Github => Box::new(Github),
        OutputFormat::Gitlab => Box::<Gitlab>::default(),
        OutputFormat::Junit => Box::<Junit>::default(),
        OutputFormat::Rdjson => Box::<Rdjson>::default(),
        OutputFormat::Checkstyle => Box::<Checkstyle>::default(),
        OutputFormat::Html => Box::<Html>::default(),
        // All formats of the library are here; the enum is non-exhaustive.
        OutputFormat::Full | _ => Box::new(Full::new(style)),
    }
}

/// Creates a report of how often each rule reported: a table for people, JSON for programs. A page shows
/// that anyway.
pub(crate) fn statistics(format: OutputFormat) -> Box<dyn Report> {
    if format == OutputFormat::Html {
        return Box::<Html>::default();
    }
    Box::new(Statistics::new(!is_for_people(format)))
}
