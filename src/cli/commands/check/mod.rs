//! `urlint check`: diagnostics.

pub(super) mod baseline;
mod batch;
mod files;
mod fix;
mod reporter;
mod reports;
pub(super) mod work;

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use urlint_config::{Keys, OutputFormat, OutputSpec, Outputs, Show};
use urlint_engine::{Inputs, OutputFiles, Totals};
use urlint_lint::{Fate, Severity};

use crate::config::{ConfigArgs, by_flags, parser};
use crate::error::{Error, Exit};
use crate::flags::paths::{LimitArgs, PathArgs, WorkArgs};
use crate::flags::read::ReadArgs;
use crate::flags::rules::RuleArgs;
use crate::flags::show::show;
use crate::interrupt;
use crate::output::summary::{self, Counts};
use crate::progress::{Progress, When};
use crate::session::Session;
use crate::stdout::Output;
use baseline::BaselineArgs;
use files::RunFiles;
use fix::{DiffStyle, FixArgs, FixCounts, Fixing};
use reporter::Reporter;
use reports::Reports;
use urlint_report::terminal::say;
use work::Checking;

#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    #[command(flatten)]
    inputs: PathArgs,

    #[command(flatten)]
    reader: ReadArgs,

    #[command(flatten)]
    select: RuleArgs,

    #[command(flatten)]
    fixing: FixArgs,

    #[command(flatten)]
    configuration: ConfigArgs,

    #[arg(
        long,
        short = 'f',
        visible_alias = "format",
        value_name = "FORMAT[=FILE]",
        help = format!(
            "The output format, and a file to write it to; may be repeated [default: by the \
             extension of --output-file, or full] [formats: {}]",
            OutputFormat::names()
        ),
        help_heading = "Output"
    )]
    output_format: Vec<OutputSpec>,

    /// Write diagnostics to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output_file: Option<PathBuf>,

    /// Report only diagnostics of at least this severity [default: hint]
    #[arg(long, value_name = "SEVERITY", value_parser = parser::<Severity>(), help_heading = "Output")]
    min_severity: Option<Severity>,

    /// The diagnostics to show in full and concise output; the hidden ones count too [default: first]
    #[arg(long, value_name = "WHICH", value_parser = parser::<Show>(), help_heading = "Output")]
    show: Option<Show>,

    /// Print the number of diagnostics for each rule instead of the diagnostics
    #[arg(long, help_heading = "Output")]
    statistics: bool,

    #[command(flatten)]
    baseline: BaselineArgs,

    /// Also open archives and compressed files in folders; those that are named are always opened
    #[arg(long, help_heading = "Files")]
    archives: bool,

    /// Exit with 0 even if there are errors or warnings
    #[arg(long, help_heading = "Output")]
    exit_zero: bool,

    #[command(flatten)]
    work: WorkArgs,

    #[command(flatten)]
    limits: LimitArgs,
}

impl Check {
    /// Chooses the input if no path is given.
    pub(crate) fn choose_inputs(&mut self) {
        self.inputs.choose(!self.configuration.is_shown());
    }

    pub(crate) fn run(&self, output: &mut Output) -> Result<Exit, Error> {
        let verbosity = output.verbosity;
        self.inputs.explain_choice(self.writes())?;
        let configs = self.configuration.configs(by_flags(self.keys())?)?;
        let inputs = |outputs: OutputFiles| {
            let (configs, limits, work) = (configs.clone(), self.limits, &self.work);
            let mut inputs =
                (self.inputs).inputs(configs, &self.reader, limits, work, outputs, verbosity)?;
            inputs.archives = self.archives;
            let mut seen = HashSet::new();
            (inputs.paths)
                .retain(|path| seen.insert(path.strip_prefix(".").unwrap_or(path).to_owned()));
            Ok::<_, Error>(inputs)
        };
        let files = || RunFiles::new(self, &configs);
        if self.configuration.is_shown() {
            // A configuration error is reported with the files that the configuration applies to.
            let outputs = files().map(|files| files.outputs).unwrap_or_default();
            return show(&self.configuration, inputs(outputs)?, output);
        }
        // A configuration error in the current folder ends every run.
        let mut files = files()?;
        let reports = !self.fixing.skips_report();
        if reports {
            files.check(self, &configs)?;
        }
        let mut inputs = inputs(std::mem::take(&mut files.outputs))?;
        inputs.replaces_files = self.fixing.writes();
        inputs.baseline = (self.baseline).read(files.baseline.as_deref(), &inputs.current)?;
        let inputs = Arc::new(inputs);
        let prints_text = !reports || self.fixing.is_asked_for() && inputs.has_stdin();
        if !prints_text {
            return self.check(inputs, &files, output, None);
        }
        // Standard output is for the fixed text of standard input, or for changes.
        if !reports {
            files.reports.formats.clear();
        }
        let mut errors = output.errors();
        self.check(inputs, &files, &mut errors, Some(output))
    }

    /// Returns whether files that are read, or the baseline, are written to.
    fn writes(&self) -> bool {
        self.fixing.writes() || self.baseline.update_baseline
    }

    /// Checks the sources, and fixes them if the flags say so. Diagnostics go to `output`; fixed text and
    /// changes go to `printed`.
    fn check(
        &self,
        inputs: Arc<Inputs>,
        files: &RunFiles<'_>,
        output: &mut Output,
        mut printed: Option<&mut Output>,
    ) -> Result<Exit, Error> {
        let verbosity = output.verbosity;
        let new_baseline =
            self.baseline
                .begin_update(files.baseline.as_deref(), &inputs.current, verbosity)?;
        let progress = self.progress(&inputs, output, printed.as_deref());
        let reports = Reports::new(&files.reports, output)?;
        let for_people = reports.for_people;
        interrupt::ends(&inputs.stop);
        let diff = printed.as_deref().filter(|_| self.fixing.diff);
        let fixing = Fixing::new(diff.map(DiffStyle::of));
        let checking = Arc::new(Checking {
            inputs: inputs.clone(),
            fixing: self.fixing.is_asked_for().then_some(fixing),
            reports: !self.fixing.skips_report(),
        });
        let mut reporter = Reporter::new(reports, new_baseline);
        let mut session = Session::start(inputs.clone(), checking, progress)?;
        let mut fixes = FixCounts::default();
        while let Some(batch) = session.next()? {
            fixes.add(batch.fixes);
            if let Some(printed) = &mut printed {
                let written = printed.stream.write_all(&batch.printed);
                written.map_err(Error::Write)?;
            }
            session.progress.found += reporter.take(batch)?;
        }
        let interrupted = session.end();
        let totals = session.totals;
        let mut found = reporter.finish(interrupted.is_none())?;
        found.known += totals.fates.of(Fate::Known);
        found.mended = totals.mended;
        if let Some(printed) = printed {
            printed.finish().map_err(Error::Write)?;
        }
        if let Some(exit) = interrupted {
            return Ok(exit);
        }
        // A hook may run many processes at once, and shows the output of all of them.
        let has_something = found.all() > 0 || fixes.are_any();
        if !verbosity.is_quiet() && (has_something || !self.inputs.force_exclude) {
            self.summarise(totals, &found, for_people, fixes);
            summary::report_nothing_done(totals, "checked", verbosity);
            // pre-commit names hidden files too.
            if for_people && !self.inputs.force_exclude && totals.read > 0 {
                summary::report_hidden(&inputs);
                summary::report_skipped(totals, verbosity);
            }
            summary::report_notices(totals);
        }
        Ok(self.exit(totals, &found, fixes))
    }

    fn exit(&self, totals: Totals, found: &Counts, fixes: FixCounts) -> Exit {
        let is_diff = self.fixing.diff;
        let exit = match self.fixing.skips_report() {
            _ if totals.failed > 0 || fixes.failed > 0 => Exit::Failed,
            true => fixes.exit(is_diff),
            false if found.has_errors_or_warnings() => Exit::Found,
            false => Exit::Done,
        };
        match exit {
            Exit::Found if self.exit_zero => Exit::Done,
            exit => exit,
        }
    }

    /// `printed`: where fixed text or changes are printed, at any time.
    fn progress(&self, inputs: &Inputs, output: &Output, printed: Option<&Output>) -> Progress {
        let Some(printed) = printed else {
            return Progress::new(self.work.progress, inputs, "diagnostic", output);
        };
        let when = match self.work.progress {
            When::Auto if printed.terminal => When::Never,
            when => when,
        };
        let progress = Progress::new(when, inputs, "diagnostic", printed);
        // It is written while the bar is away already.
        printed.bar.take();
        progress
    }

    /// Returns the keys that the flags set.
    fn keys(&self) -> Keys {
        let mut keys = Keys::default();
        self.select.set(&mut keys);
        self.reader.set(&mut keys);
        let formats = self.output_format.clone();
        keys.output_format = (!formats.is_empty()).then_some(Outputs(formats)).into();
        keys.min_severity = self.min_severity.into();
        keys.show = self.show.into();
        keys.baseline = self.baseline.baseline.clone();
        keys.unsafe_fixes = self.fixing.unsafe_fixes.then_some(true).into();
        keys
    }

    fn summarise(&self, totals: Totals, found: &Counts, for_people: bool, fixes: FixCounts) {
        let is_diff = self.fixing.diff;
        if self.fixing.skips_report() {
            if totals.read > 0 || totals.failed > 0 {
                fixes.summarise_fix_only(is_diff.then(|| self.fixing.flags()), totals.read);
            }
            return;
        }
        if totals.read == 0 || !for_people {
            return;
        }
        match fixes.summary(is_diff) {
            Some(fixed) => say(&format!("{fixed}, {}", found.remaining())),
            None => say(&found.summary(totals, self.inputs.is_stdin_chosen)),
        }
        if self.fixing.is_asked_for() {
            fixes.report_unmade(None);
            return;
        }
        let lines = [
            found.fixable(self.fixing.flags()),
            found.mended(),
            summary::of_ietf(totals),
        ];
        for line in lines.into_iter().flatten() {
            say(&line);
        }
    }
}
