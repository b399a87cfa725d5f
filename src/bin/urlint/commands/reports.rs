//! Where diagnostics go: to standard output, to files, in several formats at once.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;
use urlint::Diagnostic;

use super::Error;
use super::output::Output;
use super::replace::Pending;
use crate::report::excerpt::Place;
use crate::report::{
    Checkstyle, Concise, Full, Github, Gitlab, Json, JsonLines, Junit, Rdjson, Render, Report,
    Sarif, Statistics,
};

/// A format for diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The source lines with marks under them
    Full,
    /// `path:line:column: severity[rule] message`
    Concise,
    /// JSON objects in an array
    Json,
    /// A JSON object on each line
    JsonLines,
    /// SARIF 2.1.0
    Sarif,
    /// Annotations of GitHub's workflows
    Github,
    /// GitLab's report of code quality
    Gitlab,
    /// Failed test cases
    Junit,
    /// Reviewdog's format
    Rdjson,
    /// Checkstyle's XML
    Checkstyle,
}

impl Format {
    /// Whether people read it, who want a summary too.
    fn is_for_people(self) -> bool {
        matches!(self, Format::Full | Format::Concise)
    }
}

/// `FORMAT`, or `FORMAT=FILE`.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    format: Format,
    file: Option<PathBuf>,
}

impl FromStr for Asked {
    type Err = String;

    fn from_str(asked: &str) -> Result<Self, String> {
        let (name, file) = match asked.split_once('=') {
            Some((_, "")) => return Err("there is no file behind the `=`".into()),
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (asked, None),
        };
        let format = Format::from_str(name, false).map_err(|_| {
            let names = Format::value_variants()
                .iter()
                .filter_map(|format| Some(format.to_possible_value()?.get_name().to_owned()));
            format!("there are {}", names.collect::<Vec<_>>().join(", "))
        })?;
        Ok(Asked { format, file })
    }
}

impl Asked {
    /// The same, its file relative to `folder`.
    pub(crate) fn relative_to(mut self, folder: &Path) -> Self {
        self.file = self.file.map(|file| folder.join(file));
        self
    }
}

impl Default for Asked {
    fn default() -> Self {
        Asked {
            format: Format::Full,
            file: None,
        }
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.format.to_possible_value();
        f.write_str(name.as_ref().map_or("", |name| name.get_name()))?;
        match &self.file {
            Some(file) => write!(f, "={}", file.display()),
            None => Ok(()),
        }
    }
}

/// The formats asked for and where each goes.
pub(crate) struct Reports<'o> {
    output: &'o mut Output,
    to_output: Option<Box<dyn Report>>,
    to_files: Vec<(Box<dyn Report>, Pending)>,
    pub(crate) for_people: bool,
}

/// How the reports are to be made.
pub(crate) struct Wanted<'w> {
    pub(crate) formats: &'w [Asked],
    pub(crate) file: Option<&'w Path>,
    pub(crate) statistics: bool,
}

impl<'o> Reports<'o> {
    pub(crate) fn new(wanted: &Wanted<'_>, output: &'o mut Output) -> Result<Self, Error> {
        let mut reports = Reports {
            output,
            to_output: None,
            to_files: Vec::new(),
            for_people: true,
        };
        for asked in wanted.formats {
            let format = asked.format;
            match asked.file.as_deref().or(wanted.file) {
                Some(file) if reports.to_files.iter().any(|(_, other)| other.path == file) => {
                    return Err(Error::Usage(format!(
                        "two formats go to {}",
                        file.display()
                    )));
                }
                Some(file) => {
                    let pending = Pending::new(file)?;
                    let report = report(format, wanted.statistics, None);
                    reports.to_files.push((report, pending));
                }
                None if reports.to_output.is_some() => {
                    return Err(Error::Usage(
                        "only one format can go to standard output; write FORMAT=FILE for the others"
                            .into(),
                    ));
                }
                None => {
                    let report = report(format, wanted.statistics, Some(reports.output));
                    reports.to_output = Some(report);
                    reports.for_people = format.is_for_people();
                }
            }
        }
        Ok(reports)
    }

    /// What renders diagnostics for each report, on any thread; `None` for a report that renders them
    /// when they are handed to it.
    pub(crate) fn renderers(&self) -> Vec<Option<Box<dyn Render>>> {
        let to_files = self.to_files.iter().map(|(report, _)| report);
        let all = self.to_output.iter().chain(to_files);
        all.map(|report| report.renderer()).collect()
    }

    /// Takes the next diagnostic. `rendered` are the texts of the [renderers](Reports::renderers), in
    /// their order; where there are reports without one, `place` must be known.
    pub(crate) fn report<'r>(
        &mut self,
        path: &[u8],
        place: Option<&Place<'_>>,
        diagnostic: &Diagnostic,
        rendered: impl IntoIterator<Item = &'r [u8]>,
    ) -> Result<(), Error> {
        let mut rendered = rendered.into_iter();
        let mut write = |report: &mut dyn Report, out: &mut dyn Write| {
            let rendered = rendered.next().unwrap_or_default();
            match place.filter(|_| rendered.is_empty()) {
                Some(place) => report.report(out, path, place, diagnostic),
                None => report.print(out, rendered),
            }
        };
        if let Some(report) = &mut self.to_output {
            let out = &mut self.output.stream;
            write(&mut **report, out).map_err(Error::Write)?;
        }
        for (report, pending) in &mut self.to_files {
            let written = write(&mut **report, &mut pending.file);
            written.map_err(|error| pending.error(error))?;
        }
        Ok(())
    }

    /// Writes what stands behind the last diagnostic, and puts the files in their places, if the
    /// reports are whole.
    pub(crate) fn finish(self, is_whole: bool) -> Result<(), Error> {
        if let Some(mut report) = self.to_output {
            let finished = report.finish(&mut self.output.stream);
            finished.map_err(Error::Write)?;
        }
        self.output.finish().map_err(Error::Write)?;
        if !is_whole {
            return Ok(());
        }
        for (mut report, mut pending) in self.to_files {
            if let Err(error) = report.finish(&mut pending.file) {
                return Err(pending.error(error));
            }
            pending.persist()?;
        }
        Ok(())
    }
}

/// A report that goes to `output`, or to a file.
fn report(format: Format, statistics: bool, output: Option<&Output>) -> Box<dyn Report> {
    match format {
        format if statistics => Box::new(Statistics {
            json: !format.is_for_people(),
            ..Statistics::default()
        }),
        Format::Full => Box::new(match output {
            Some(output) => Full::new(output.color, output.width(), output.hyperlinks()),
            None => Full::new(false, None, false),
        }),
        Format::Concise => Box::new(Concise),
        Format::Json => Box::new(Json::default()),
        Format::JsonLines => Box::new(JsonLines),
        Format::Sarif => Box::new(Sarif::default()),
        Format::Github => Box::new(Github),
        Format::Gitlab => Box::new(Gitlab::default()),
        Format::Junit => Box::new(Junit::default()),
        Format::Rdjson => Box::new(Rdjson::default()),
        Format::Checkstyle => Box::new(Checkstyle::default()),
    }
}
