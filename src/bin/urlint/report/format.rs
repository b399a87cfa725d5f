//! The output formats of `urlint check`: their names, and which report each one writes.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;

use super::Report;
use super::concise::Concise;
use super::full::Full;
use super::github::Github;
use super::gitlab::Gitlab;
use super::json_lines::{Json, JsonLines};
use super::rdjson::Rdjson;
use super::sarif::Sarif;
use super::statistics::Statistics;
use super::xml::{Checkstyle, Junit};
use crate::terminal::Style;

/// An output format for diagnostics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The source lines with annotations
    #[default]
    Full,
    /// `path:line:column: severity[rule] message`
    Concise,
    /// JSON objects in an array
    Json,
    /// A JSON object on each line
    JsonLines,
    /// SARIF 2.1.0
    Sarif,
    /// GitHub Actions workflow commands
    Github,
    /// GitLab code quality report
    Gitlab,
    /// JUnit XML: failed test cases
    Junit,
    /// Reviewdog diagnostic format
    Rdjson,
    /// Checkstyle XML
    Checkstyle,
}

impl Format {
    /// Returns whether the format is for people, who get a summary too, and not for programs.
    pub(crate) fn is_for_people(self) -> bool {
        matches!(self, Format::Full | Format::Concise)
    }

    /// Creates a report in this format.
    pub(crate) fn report(self, style: Style) -> Box<dyn Report> {
        match self {
            Format::Full => Box::new(Full::new(style)),
            Format::Concise => Box::new(Concise),
            Format::Json => Box::<Json>::default(),
            Format::JsonLines => Box::<JsonLines>::default(),
            Format::Sarif => Box::<Sarif>::default(),
            Format::Github => Box::new(Github),
            Format::Gitlab => Box::<Gitlab>::default(),
            Format::Junit => Box::<Junit>::default(),
            Format::Rdjson => Box::<Rdjson>::default(),
            Format::Checkstyle => Box::<Checkstyle>::default(),
        }
    }

    /// Creates a report of how many diagnostics each rule has: a table for people, JSON for
    /// programs.
    pub(crate) fn statistics(self) -> Box<dyn Report> {
        Box::new(Statistics::new(!self.is_for_people()))
    }

    /// The names of all formats, separated by commas.
    pub(crate) fn names() -> String {
        let names: Vec<_> = Format::value_variants()
            .iter()
            .map(Format::to_string)
            .collect();
        names.join(", ")
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.write_str(value.as_ref().map_or("", |value| value.get_name()))
    }
}

/// `FORMAT` or `FORMAT=FILE`: an output format, and the file to write it to if that is not standard
/// output.
#[derive(Clone, Debug, Default)]
pub(crate) struct OutputSpec {
    pub(crate) format: Format,
    pub(crate) file: Option<PathBuf>,
}

impl FromStr for OutputSpec {
    type Err = String;

    fn from_str(spec: &str) -> Result<Self, String> {
        let (name, file) = match spec.split_once('=') {
            Some((_, "")) => return Err("expected a file after `=`".into()),
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (spec, None),
        };
        match Format::from_str(name, false) {
            Ok(format) => Ok(OutputSpec { format, file }),
            Err(_) => Err(format!("expected one of {}", Format::names())),
        }
    }
}

impl OutputSpec {
    /// Resolves the file against `folder`.
    pub(crate) fn relative_to(mut self, folder: &Path) -> Self {
        self.file = self.file.map(|file| folder.join(file));
        self
    }
}

impl fmt::Display for OutputSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{}={}", self.format, file.display()),
            None => self.format.fmt(f),
        }
    }
}
