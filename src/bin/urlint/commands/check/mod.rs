//! `urlint check`: diagnostics.

mod baseline;
mod batch;
mod files;
mod fix;
mod reporter;
mod reports;
mod tree;
mod work;

use std::cell::RefCell;
use std::path::PathBuf;

use urlint::Severity;
use urlint::config::{Configs, Hints, Keys, OutputFormat, OutputSpec, Outputs};
use urlint::read::Content;

use crate::add_ignore;
use crate::config::{ConfigArgs, by_flags, parser};
use crate::error::{Error, Exit};
use crate::flags::read::ReadArgs;
use crate::flags::rules::RuleArgs;
use crate::flags::show::show;
use crate::flags::standard::StandardArgs;
use crate::jobs::interrupt::Interrupt;
use crate::jobs::{Collector, Context, Progress, Spare, ToRead, When, WorkArgs};
use crate::output::summary::{self, Counts};
use crate::terminal::{Output, Verbosity, say};
use crate::walk::{Input, LimitArgs, OutputFiles, PathArgs, Totals};
use baseline::BaselineArgs;
use files::RunFiles;
use fix::{FixArgs, Fixer};
use reporter::Reporter;
use reports::{ReportOptions, Reports};
use tree::tree;
use work::Checking;

#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    #[command(flatten)]
    inputs: PathArgs,

    #[command(flatten)]
    reader: ReadArgs,

    #[command(flatten)]
    standard: StandardArgs,

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

    /// Which hints are shown in full and concise output, the first of each rule by default; all count
    #[arg(long, value_name = "WHICH", value_parser = parser::<Hints>(), help_heading = "Output")]
    hints: Option<Hints>,

    /// Print how often each rule reported instead of the diagnostics
    #[arg(long, help_heading = "Output")]
    statistics: bool,

    #[command(flatten)]
    baseline: BaselineArgs,

    /// Add suppression comments for all diagnostics to the files, and report none
    #[arg(long, help_heading = "Fixing", conflicts_with_all = ["fix", "fix_only", "diff"])]
    add_ignore: bool,

    /// Exit with 0 even if there are errors or warnings
    #[arg(long, help_heading = "Output")]
    exit_zero: bool,

    #[command(flatten)]
    work: WorkArgs,

    #[command(flatten)]
    limits: LimitArgs,
}

impl Check {
    /// Chooses what is read if no path is given.
    pub(crate) fn choose_inputs(&mut self) {
        self.inputs.choose(!self.configuration.is_shown());
    }

    pub(crate) fn run(&'static self, output: &mut Output) -> Result<Exit, Error> {
        let verbosity = output.verbosity;
        self.inputs.explain_choice(self.writes())?;
        let configs = self.configuration.configs(by_flags(self.keys()))?;
        let files = || RunFiles::new(self, &configs);
        if let Some(shown) = show(
            &self.configuration,
            &configs,
            &self.inputs,
            &|| files().map(|files| files.outputs),
            &self.reader,
            self.limits,
            output,
        ) {
            return shown;
        }
        // A configuration error in the current folder ends every run.
        let files = files()?;
        if self.add_ignore {
            let (inputs, outputs) = (&self.inputs, files.outputs);
            let (reader, limits) = (&self.reader, self.limits);
            return add_ignore::run(inputs, outputs, &configs, reader, limits, verbosity);
        }
        let mut fixer =
            (self.fixing.is_asked_for()).then(|| Fixer::new(&self.fixing, &self.reader, verbosity));
        match &mut fixer {
            Some(fixer) if self.fixing.skips_report() => {
                self.fix_only(configs, files, fixer, output)
            }
            // Standard output is for the fixed text of standard input.
            Some(fixer) if self.inputs.has_stdin() => {
                let mut errors = output.errors();
                fixer.output = Some(output);
                self.report(configs, files, Some(fixer), &mut errors)
            }
            fixer => self.report(configs, files, fixer.as_mut(), output),
        }
    }

    /// Returns whether files that are read, or the baseline, are written to.
    fn writes(&self) -> bool {
        self.fixing.writes() || self.add_ignore || self.baseline.is_update()
    }

    /// Reports diagnostics to `output`, after `fixer` has made fixes.
    fn report(
        &'static self,
        configs: Configs,
        files: RunFiles<'_>,
        mut fixer: Option<&mut Fixer<'_>>,
        output: &mut Output,
    ) -> Result<Exit, Error> {
        let verbosity = output.verbosity;
        files.check(self, &configs)?;
        let baseline = self.baseline.open(files.baseline)?;
        let is_text_printed = fixer.as_ref().is_some_and(|fixer| fixer.output.is_some());
        let progress = self.progress(output, is_text_printed);
        let reports = Reports::new(&files.reports, output)?;
        let for_people = reports.for_people;
        let checking = self.checking(configs, files.outputs, &reports, verbosity)?;
        if let Some(fixer) = &mut fixer {
            fixer.tree = checking.tree.clone();
        }
        let reporter = RefCell::new(Reporter::new(reports, baseline));
        let mut collector = Collector::new(checking, progress);
        match &mut fixer {
            // Fixes are made on one thread, in the order of the files: one may be named twice.
            Some(fixer) => collector.run_here(
                &mut |input, content| {
                    if !input.is_fixable() {
                        return Ok(ToRead::Source);
                    }
                    let baseline = &reporter.borrow().baseline;
                    let mended = fixer.mend(input, content, baseline.as_ref())?;
                    Ok(mended.map_or(ToRead::Nothing, ToRead::Bytes))
                },
                &mut |batch| reporter.borrow_mut().take(batch),
            )?,
            None => {
                while let Some(batch) = collector.next()? {
                    collector.add_found(reporter.borrow_mut().take(batch)?);
                }
            }
        }
        let interrupted = collector.end();
        let totals = collector.totals;
        let found = reporter.into_inner().finish(interrupted.is_none())?;
        if let Some(exit) = interrupted {
            return Ok(exit);
        }
        let fixer = fixer.as_deref();
        // A hook may run many processes at once, and shows the output of all of them.
        let has_something = found.all() > 0 || fixer.is_some_and(Fixer::has_fixes);
        if !verbosity.is_quiet() && (has_something || !self.inputs.force_exclude()) {
            self.summarise(totals, &found, for_people, fixer);
            self.report_skipped(totals, for_people, verbosity);
        }
        Ok(self.exit(totals, &found, fixer))
    }

    fn exit(&self, totals: Totals, found: &Counts, fixer: Option<&Fixer<'_>>) -> Exit {
        if totals.failed > 0 || fixer.is_some_and(Fixer::has_failed) {
            Exit::Failed
        } else if self.exit_zero {
            Exit::Done
        } else if found.has_errors_or_warnings() {
            Exit::Found
        } else {
            Exit::Done
        }
    }

    /// Returns what the threads share. It is leaked, since threads that wait for input may never end.
    fn checking(
        &'static self,
        configs: Configs,
        outputs: OutputFiles,
        reports: &Reports<'_>,
        verbosity: Verbosity,
    ) -> Result<&'static Checking, Error> {
        let configs = Box::leak(Box::new(configs));
        let mut opener = self.reader.opener(&self.inputs, configs, verbosity);
        opener.outputs = outputs;
        opener.limits = self.limits.into();
        let context = Context {
            inputs: &self.inputs,
            reader: &self.reader,
            opener,
            interrupt: Interrupt::new(),
            threads: self.work.threads(),
            verbosity,
            spare: Spare::default(),
        };
        Ok(Box::leak(Box::new(Checking {
            tree: tree(&context, configs)?,
            context,
            renderers: reports.renderers(),
        })))
    }

    /// `is_text_printed`: fixed text or a patch is printed, at any time.
    fn progress(&self, output: &Output, is_text_printed: bool) -> Progress {
        let when = match self.work.progress {
            When::Auto if is_text_printed && output.terminal => When::Never,
            when => when,
        };
        let progress = Progress::new(when, &self.inputs, "diagnostic", output);
        if is_text_printed {
            // It is written while the bar is away already.
            output.bar.take();
        }
        progress
    }

    fn fix_only<'o>(
        &'static self,
        configs: Configs,
        files: RunFiles<'_>,
        fixer: &mut Fixer<'o>,
        output: &'o mut Output,
    ) -> Result<Exit, Error> {
        let verbosity = output.verbosity;
        let baseline = self.baseline.open(files.baseline)?;
        let baseline = baseline.as_ref();
        let progress = self.progress(output, true);
        let checking = {
            let nowhere = ReportOptions {
                formats: Vec::new(),
                file: None,
                statistics: false,
                hints: Hints::default(),
            };
            self.checking(
                configs,
                files.outputs,
                &Reports::new(&nowhere, output)?,
                verbosity,
            )?
        };
        fixer.tree = checking.tree.clone();
        let mut collector = Collector::new(checking, progress);
        fixer.output = Some(output);
        let mut fix = |input: &Input<'_>, content: Content<'_>| {
            if input.is_fixable() {
                fixer.mend(input, content, baseline)?;
            } else {
                fixer.leave(input, content, baseline)?;
            }
            Ok(ToRead::Nothing)
        };
        collector.run_here(&mut fix, &mut |_| Ok(0))?;
        let interrupted = collector.end();
        let totals = collector.totals;
        fixer.finish()?;
        if let Some(exit) = interrupted {
            return Ok(exit);
        }
        let force_exclude = self.inputs.force_exclude();
        if !verbosity.is_quiet() && (fixer.has_fixes() || !force_exclude) {
            if totals.read > 0 || totals.failed > 0 {
                fixer.summarise_fix_only(totals);
            }
            let notices = totals.notices + fixer.notices.get();
            let totals = Totals { notices, ..totals };
            self.report_skipped(totals, true, verbosity);
        }
        Ok(match fixer.exit(totals) {
            Exit::Found if self.exit_zero => Exit::Done,
            exit => exit,
        })
    }

    /// Reports what was skipped, and how many warnings were not printed.
    fn report_skipped(&self, totals: Totals, for_people: bool, verbosity: Verbosity) {
        summary::report_nothing_done(totals, "checked", verbosity);
        if totals.read > 0 && for_people {
            summary::report_skipped(totals, verbosity);
        }
        summary::report_notices(totals);
    }

    /// Returns the keys that the flags set.
    fn keys(&self) -> Keys {
        let mut keys = Keys::default();
        self.standard.set(&mut keys);
        self.select.set(&mut keys);
        self.reader.set(&mut keys);
        let formats = self.output_format.clone();
        keys.output_format = (!formats.is_empty()).then_some(Outputs(formats)).into();
        keys.min_severity = self.min_severity.into();
        keys.hints = self.hints.into();
        keys.baseline = self.baseline.file();
        keys.unsafe_fixes = self.fixing.includes_unsafe().then_some(true).into();
        keys
    }

    fn summarise(
        &self,
        totals: Totals,
        found: &Counts,
        for_people: bool,
        fixer: Option<&Fixer<'_>>,
    ) {
        if totals.read > 0 && for_people {
            match fixer.and_then(Fixer::summary) {
                Some(fixed) => say(&format!("{fixed}, {}", found.remaining())),
                None => say(&found.summary(totals, self.inputs.is_stdin_chosen)),
            }
            if let Some(fixable) = found.fixable().filter(|_| fixer.is_none()) {
                say(&fixable);
            }
            if let Some(outdated) = found.outdated().filter(|_| fixer.is_none()) {
                say(&outdated);
            }
            if let Some(fixer) = fixer {
                fixer.report_unmade();
            }
        }
    }
}
