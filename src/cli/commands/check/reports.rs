//! Where diagnostics go: standard output and files, in several formats at once.

use std::io::Write;
use std::path::Path;

use urlint_config::{OutputFormat, OutputSpec, Show};

use crate::error::Error;
use crate::output::replace::{Pending, collide};
use crate::stdout::Output;
use urlint_report::folded::Folded;
use urlint_report::terminal::Style;
use urlint_report::{PlacedDiagnostic, Report, format};

/// The reports that a run writes, each in its own format.
pub(crate) struct Reports<'o> {
    output: &'o mut Output,
    to_output: Option<Box<dyn Report>>,
    /// The diagnostics that are left out of standard output, if it is for people.
    folded: Option<Folded>,
    to_files: Vec<(Box<dyn Report>, Pending)>,
    /// Whether standard output is for people and not for programs.
    pub(crate) for_people: bool,
}

/// The settings of the reports, from the flags and the configuration.
pub(crate) struct ReportOptions<'w> {
    pub(crate) formats: Vec<OutputSpec>,
    /// The file of `--output-file`, for formats without one of their own.
    pub(crate) file: Option<&'w Path>,
    /// Whether to report statistics instead of diagnostics.
    pub(crate) statistics: bool,
    /// Which diagnostics people are shown.
    pub(crate) show: Show,
}

impl ReportOptions<'_> {
    /// Returns the files that are written.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let formats = self.formats.iter();
        formats.filter_map(|spec| spec.file.as_deref().or(self.file))
    }

    fn report(&self, format: OutputFormat, style: Style) -> Box<dyn Report> {
        if self.statistics {
            format::statistics(format)
        } else {
            format::report(format, style)
        }
    }
}

impl<'o> Reports<'o> {
    /// Creates the reports and begins the files of those that go to files.
    ///
    /// # Errors
    ///
    /// Fails if two formats go to the same place, or if a file cannot be created.
    pub(crate) fn new(options: &ReportOptions<'_>, output: &'o mut Output) -> Result<Self, Error> {
        let mut reports = Reports {
            output,
            to_output: None,
            folded: None,
            to_files: Vec::new(),
            for_people: true,
        };
        for spec in &options.formats {
            match spec.file.as_deref().or(options.file) {
                Some(file) => {
                    reports.add_file(file, options.report(spec.format, Style::default()))?;
                }
                None if reports.to_output.is_some() => {
                    let message = "only one format can go to standard output; write FORMAT=FILE for the others";
                    return Err(Error::usage(message));
                }
                None => {
                    let report = options.report(spec.format, reports.output.style());
                    reports.to_output = Some(report);
                    reports.for_people = format::is_for_people(spec.format);
                    let folds = reports.for_people && !options.statistics;
                    reports.folded = folds.then(|| Folded::new(options.show));
                }
            }
        }
        Ok(reports)
    }

    fn add_file(&mut self, file: &Path, report: Box<dyn Report>) -> Result<(), Error> {
        if (self.to_files.iter()).any(|(_, other)| collide(&other.path, file)) {
            let message = format!(
                "two formats go to {}; give each its own file",
                file.display()
            );
            return Err(Error::Usage(message));
        }
        let pending = Pending::new(file, self.output.verbosity)?;
        self.to_files.push((report, pending));
        Ok(())
    }

    /// Adds a diagnostic to all reports.
    pub(crate) fn report(&mut self, placed: &PlacedDiagnostic<'_>) -> Result<(), Error> {
        let folded = self.folded.as_mut();
        let is_folded = folded.is_some_and(|folded| folded.takes(placed));
        if let Some(report) = self.to_output.as_mut().filter(|_| !is_folded) {
            let written = report.report(&mut self.output.stream, placed);
            written.map_err(Error::Write)?;
        }
        for (report, pending) in &mut self.to_files {
            let written = report.report(pending.file(), placed);
            written.map_err(|error| pending.error(error))?;
        }
        Ok(())
    }

    /// Returns how many diagnostics are not shown, since a rule or a URL has many.
    pub(crate) fn folded(&self) -> u64 {
        self.folded.as_ref().map_or(0, Folded::number)
    }

    /// Writes the end of each report, and moves the files into place if the reports are complete.
    pub(crate) fn finish(self, is_complete: bool) -> Result<(), Error> {
        if let Some(mut report) = self.to_output {
            let finished = report.finish(&mut self.output.stream);
            finished.map_err(Error::Write)?;
            for line in self.folded.iter().flat_map(Folded::lines) {
                writeln!(self.output.stream, "{line}").map_err(Error::Write)?;
            }
        }
        self.output.finish().map_err(Error::Write)?;
        if !is_complete {
            return Ok(());
        }
        for (mut report, mut pending) in self.to_files {
            if let Err(error) = report.finish(pending.file()) {
                return Err(pending.error(error));
            }
            pending.persist()?;
        }
        Ok(())
    }
}
