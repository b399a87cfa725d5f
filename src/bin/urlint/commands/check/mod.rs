//! `urlint check`: diagnostics.

mod batch;
mod files;
mod reporter;
mod work;

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use urlint::Severity;
use urlint::config::{Configs, Options, OutputFormat, OutputSpec};

use super::add_ignore;
use super::baseline::BaselineArgs;
use super::fix::{FixArgs, Fixer};
use super::interrupt::Interrupt;
use super::jobs::{Collector, Context, Progress, ToRead, WorkArgs};
use super::read::ReadArgs;
use super::reports::{ReportOptions, Reports};
use super::rules::RuleArgs;
use super::show::show;
use super::standard::StandardArgs;
use super::summary::{self, Counts};
use crate::config::{ConfigArgs, by_flag, parser};
use crate::error::{Error, Exit};
use crate::terminal::{Output, Verbosity, count, say};
use crate::walk::{Own, PathArgs, Totals};
use batch::Batch;
use files::Files;
use reporter::Reporter;
use work::Checking;

/// The most bytes of a source that are searched for suppression comments. The rest is read in a
/// window, so that memory stays bounded.
pub(super) const MAX_MARKED: usize = 16 << 20;

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

    #[command(flatten)]
    work: WorkArgs,

    #[arg(
        long,
        value_name = "FORMAT[=FILE]",
        help = format!(
            "The output format, and a file to write it to; may be repeated [default: full] [formats: {}]",
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

    /// Print at most this many diagnostics, but count all
    #[arg(long, value_name = "NUMBER", help_heading = "Output")]
    max_diagnostics: Option<u64>,

    /// Print how many diagnostics each rule has instead of the diagnostics
    #[arg(long, help_heading = "Output")]
    statistics: bool,

    #[command(flatten)]
    baseline: BaselineArgs,

    /// Add suppression comments to the files for all diagnostics, and report none
    #[arg(long, help_heading = "Fixing", conflicts_with_all = ["fix", "fix_only", "diff"])]
    add_ignore: bool,

    /// Exit with 0 even if there are errors or warnings
    #[arg(long, help_heading = "Output")]
    exit_zero: bool,
}

impl Check {
    pub(crate) fn run(
        &'static self,
        output: &mut Output,
        verbosity: Verbosity,
    ) -> Result<Exit, Error> {
        let configs = self.configuration.configs(self.options())?;
        self.standard.check(&configs)?;
        let files = || Files::new(self, &configs);
        if let Some(shown) = show(
            &self.configuration,
            &configs,
            (&self.inputs, &|| files().map(|files| files.own)),
            &self.reader,
            (output, verbosity),
        ) {
            return shown;
        }
        // A wrong configuration of the current folder ends every run.
        let files = files()?;
        if self.add_ignore {
            let inputs = (&self.inputs, files.own);
            return add_ignore::run(inputs, &configs, &self.reader, verbosity);
        }
        let mut fixer = self.fixing.is_asked_for().then(|| Fixer {
            fixing: &self.fixing,
            reader: &self.reader,
            verbosity,
            counts: Default::default(),
            notices: Default::default(),
        });
        // Standard output is for the text that standard input has become.
        let mut errors = output.errors();
        let is_text = fixer.is_some() && self.inputs.has_stdin() && !self.fixing.is_alone();
        match &mut fixer {
            Some(fixer) if self.fixing.is_alone() => {
                self.only_fix(configs, files, fixer, (output, verbosity))
            }
            fixer if is_text => {
                let fixer = fixer.as_mut().map(|fixer| (fixer, Some(output)));
                self.report(configs, files, fixer, (&mut errors, verbosity))
            }
            fixer => {
                let fixer = fixer.as_mut().map(|fixer| (fixer, None));
                self.report(configs, files, fixer, (output, verbosity))
            }
        }
    }

    /// Reports to `output`. `fixer` makes fixes before that, and writes what standard input has
    /// become.
    fn report(
        &'static self,
        configs: Configs,
        files: Files<'_>,
        mut fixer: Option<(&mut Fixer<'_>, Option<&mut Output>)>,
        (output, verbosity): (&mut Output, Verbosity),
    ) -> Result<Exit, Error> {
        files.check(self, &configs)?;
        let baseline = self.baseline.open(files.baseline)?;
        let progress = self.progress(output, verbosity);
        let reports = Reports::new(&files.reports, output)?;
        let for_people = reports.for_people;
        let checking = self.checking(configs, files.own, &reports, verbosity);
        let most = self.max_diagnostics.unwrap_or(u64::MAX);
        let reporter = RefCell::new(Reporter::new(checking, reports, most, baseline));
        let mut take = |batch: Batch| reporter.borrow_mut().take(batch);
        let mut collector = Collector::new(checking, progress, &mut take);
        let interrupted = match &mut fixer {
            // Fixes are made in the order of the files: one may be named twice.
            Some((fixer, text)) => collector.run_here(&mut |input, reader| {
                if !input.is_fixable() {
                    return Ok(ToRead::Source);
                }
                let reporter = reporter.borrow();
                let mended = fixer.mend(
                    input,
                    reader,
                    reporter.baseline.as_ref(),
                    text.as_deref_mut(),
                )?;
                Ok(mended.map_or(ToRead::Nothing, ToRead::Bytes))
            }),
            None => collector.run(),
        }?;
        let totals = collector.totals;
        let (found, known) = reporter.into_inner().finish(interrupted.is_none())?;
        if let Some(exit) = interrupted {
            return Ok(exit);
        }
        let fixer = fixer.map(|(fixer, _)| &*fixer);
        // A hook may run many processes at once, and shows what all of them print.
        let has_something = found.all() > 0 || fixer.is_some_and(Fixer::has_something_to_say);
        if !verbosity.is_quiet() && (has_something || !self.inputs.is_for_hooks()) {
            self.summarise(totals, (&found, known), for_people, fixer);
            self.say_what_was_not_said(totals, for_people, verbosity);
        }
        Ok(self.exit(totals, &found, fixer))
    }

    fn exit(&self, totals: Totals, found: &Counts, fixer: Option<&Fixer<'_>>) -> Exit {
        if totals.failed > 0 || fixer.is_some_and(Fixer::has_failed) {
            Exit::Failed
        } else if self.exit_zero {
            Exit::Done
        } else if found.are_faults() || fixer.is_some_and(Fixer::fails_on_fix) {
            Exit::Found
        } else {
            Exit::Done
        }
    }

    /// What the threads need to know. It lasts as long as they do, which may be left where they wait.
    fn checking(
        &'static self,
        configs: Configs,
        own: Own,
        reports: &Reports<'_>,
        verbosity: Verbosity,
    ) -> &'static Checking {
        let configs = Box::leak(Box::new(configs));
        let mut opener = self.reader.opener(&self.inputs, configs, verbosity);
        opener.own = own;
        Box::leak(Box::new(Checking {
            context: Context {
                inputs: &self.inputs,
                reader: &self.reader,
                opener,
                interrupt: Interrupt::new(),
                threads: self.work.threads(),
                verbosity,
            },
            renderers: reports.renderers(),
            has_enough: AtomicBool::new(false),
        }))
    }

    fn progress(&self, output: &Output, verbosity: Verbosity) -> Progress {
        let is_listed = output.terminal;
        let (when, size) = (self.work.progress, self.inputs.size());
        Progress::new(when, (verbosity.is_quiet(), is_listed), size, "diagnostic")
    }

    fn only_fix(
        &'static self,
        configs: Configs,
        files: Files<'_>,
        fixer: &mut Fixer<'_>,
        (output, verbosity): (&mut Output, Verbosity),
    ) -> Result<Exit, Error> {
        let baseline = self.baseline.open(files.baseline)?;
        let baseline = baseline.as_ref();
        let progress = self.progress(output, verbosity);
        let checking = {
            let nowhere = ReportOptions {
                formats: Vec::new(),
                file: None,
                statistics: false,
            };
            self.checking(
                configs,
                files.own,
                &Reports::new(&nowhere, output)?,
                verbosity,
            )
        };
        let mut take = |_: Batch| Ok(0);
        let mut collector = Collector::new(checking, progress, &mut take);
        let interrupted = collector.run_here(&mut |input, reader| {
            if input.is_fixable() {
                fixer.mend(input, reader, baseline, Some(&mut *output))?;
            } else {
                fixer.leave(input, reader, baseline)?;
            }
            Ok(ToRead::Nothing)
        })?;
        let totals = collector.totals;
        output.finish().map_err(Error::Write)?;
        if let Some(exit) = interrupted {
            return Ok(exit);
        }
        let is_for_hooks = self.inputs.is_for_hooks();
        if !verbosity.is_quiet() && (fixer.has_something_to_say() || !is_for_hooks) {
            if totals.read > 0 || totals.failed > 0 {
                fixer.summarise_alone(totals);
            }
            let notices = totals.notices + fixer.notices.get();
            let totals = Totals { notices, ..totals };
            self.say_what_was_not_said(totals, true, verbosity);
        }
        Ok(match fixer.exit(totals) {
            Exit::Found if self.exit_zero => Exit::Done,
            exit => exit,
        })
    }

    /// Says what was passed over, and how many warnings were not printed.
    fn say_what_was_not_said(&self, totals: Totals, for_people: bool, verbosity: Verbosity) {
        summary::nothing_done(totals, "checked", &self.reader, verbosity);
        if totals.read > 0 && for_people {
            summary::passed_over(totals, &self.reader, verbosity);
        }
        summary::notices(totals);
    }

    /// Returns what the flags set.
    fn options(&self) -> Options {
        let formats = Some(self.output_format.clone()).filter(|formats| !formats.is_empty());
        let mut own = Options::default();
        own.min_severity = self.min_severity.map(by_flag);
        own.output_format = formats.map(by_flag);
        own.baseline = self.baseline.file().map(|file| by_flag(Some(file)));
        own.unsafe_fixes = self.fixing.takes_unsafe().then(|| by_flag(true));
        let own = self.standard.options().over(&own);
        self.select
            .options()
            .over(&self.reader.options().over(&own))
    }

    fn summarise(
        &self,
        totals: Totals,
        (found, known): (&Counts, u64),
        for_people: bool,
        fixer: Option<&Fixer<'_>>,
    ) {
        if totals.read > 0 && for_people {
            match fixer.and_then(Fixer::summary) {
                Some(fixed) => say(&format!("{fixed}, {}", found.remaining())),
                None => say(&found.summary(totals)),
            }
            if let Some(fixable) = found.fixable().filter(|_| fixer.is_none()) {
                say(&fixable);
            }
            if let Some(outdated) = found.outdated().filter(|_| fixer.is_none()) {
                say(&outdated);
            }
            if let Some(fixer) = fixer {
                fixer.say_what_is_left();
            }
        }
        let hidden = found
            .all()
            .saturating_sub(self.max_diagnostics.unwrap_or(u64::MAX));
        if hidden > 0 && !self.statistics {
            say(&format!("{} not shown.", count(hidden, "diagnostic")));
        }
        if known > 0 && for_people {
            say(&format!("{} in the baseline.", count(known, "diagnostic")));
        }
    }
}
