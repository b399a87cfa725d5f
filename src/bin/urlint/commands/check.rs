//! `urlint check`: diagnostics.

use std::io::Read;
use std::path::PathBuf;

use urlint::{Diagnostic, Found, Position, Severity, Span, Suppressions, Window};

use super::add_ignore;
use super::baseline::{Baseline, BaselineArgs};
use super::fix::{FixArgs, Fixer, least_made};
use super::read::ReadArgs;
use super::reports::{ReportOptions, Reports};
use super::rules::RuleArgs;
use super::show::show;
use super::summary::Counts;
use crate::config::{ConfigArgs, Configs, Options, Set, parser};
use crate::error::{Error, Exit};
use crate::report::excerpt::Place;
use crate::report::{Format, OutputSpec};
use crate::terminal::Output;
use crate::terminal::{complain, count, say};
use crate::walk::{Input, PathArgs, Totals};

/// The most bytes of a source that are searched for suppression comments. The rest is read in a
/// window, so that memory stays bounded.
pub(super) const MAX_MARKED: usize = 16 << 20;

/// How far back passwords are remembered, in bytes: no excerpt goes further back.
const REMEMBERED: u64 = 1024;

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
        value_name = "FORMAT[=FILE]",
        help = format!(
            "The output format, and a file to write it to; may be repeated [default: full] [formats: {}]",
            Format::names()
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
    pub(crate) fn run(&self, output: &mut Output, quiet: bool) -> Result<Exit, Error> {
        let configs = self.configuration.configs(self.options())?;
        if let Some(shown) = show(
            &self.configuration,
            &configs,
            &self.inputs,
            &self.reader,
            output,
        ) {
            return shown;
        }
        let current = configs.current()?;
        if self.add_ignore {
            return add_ignore::run(&self.inputs, &configs, &self.reader);
        }
        let mut fixer = self.fixing.is_asked_for().then(|| Fixer {
            fixing: &self.fixing,
            reader: &self.reader,
            counts: Default::default(),
        });
        let mut baseline = self.baseline.open(current.baseline())?;
        if let Some(fixer) = fixer.as_mut().filter(|_| self.fixing.is_alone()) {
            return self.only_fix(&configs, fixer, baseline.as_ref(), output, quiet);
        }
        // Standard output is for the text that standard input has become.
        let mut errors = output.errors();
        let (output, mut text) = if fixer.is_some() && self.inputs.has_stdin() {
            (&mut errors, Some(output))
        } else {
            (output, None)
        };
        let wanted = ReportOptions {
            formats: &current.output_format(),
            file: self.output_file.as_deref(),
            statistics: self.statistics,
        };
        let mut reports = Reports::new(&wanted, output)?;
        let mut found = Counts::default();
        let show_skipped = self.reader.show_skipped;
        let tally = self
            .inputs
            .each(&configs, show_skipped, &mut |input, reader| {
                let mended = match &mut fixer {
                    Some(fixer) if input.is_fixable() => {
                        let text = text.as_deref_mut();
                        match fixer.mend(input, reader, baseline.as_ref(), text)? {
                            Some(mended) => Some(mended),
                            None => return Ok(()),
                        }
                    }
                    _ => None,
                };
                let before = found.all();
                let mut source = Source {
                    input,
                    most: self.max_diagnostics.unwrap_or(u64::MAX),
                    reports: &mut reports,
                    found: &mut found,
                    passwords: Vec::new(),
                    suppressions: Suppressions::default(),
                    baseline: &mut baseline,
                };
                let checked = match &mended {
                    Some(mended) => source.read(&self.reader, &mut &mended[..]),
                    None => source.read(&self.reader, reader),
                };
                found.files += u64::from(found.all() > before);
                checked
            })?;
        let for_people = reports.for_people;
        reports.finish()?;
        let kept_back = match baseline {
            Some(baseline) => baseline.finish()?,
            None => 0,
        };
        if !quiet {
            self.summarise(tally, &found, for_people, fixer.as_ref());
            if kept_back > 0 && for_people {
                say(&format!(
                    "{} in the baseline.",
                    count(kept_back, "diagnostic")
                ));
            }
        }
        let fixer = fixer.as_ref();
        let has_failed = tally.failed > 0 || fixer.is_some_and(Fixer::has_failed);
        let is_found = found.are_faults() || fixer.is_some_and(Fixer::fails_on_fix);
        Ok(if has_failed {
            Exit::Failed
        } else if is_found && !self.exit_zero {
            Exit::Found
        } else {
            Exit::Done
        })
    }

    fn only_fix(
        &self,
        configs: &Configs,
        fixer: &mut Fixer<'_>,
        baseline: Option<&Baseline>,
        output: &mut Output,
        quiet: bool,
    ) -> Result<Exit, Error> {
        let show_skipped = self.reader.show_skipped;
        let tally = self
            .inputs
            .each(configs, show_skipped, &mut |input, reader| {
                if !input.is_fixable() {
                    return fixer.leave(input, reader, baseline);
                }
                let mended = fixer.mend(input, reader, baseline, Some(&mut *output));
                mended.map(drop)
            })?;
        output.finish().map_err(Error::Write)?;
        if tally.read == 0 && tally.failed == 0 && !quiet {
            complain("no files checked");
        } else if !quiet {
            fixer.summarise_alone(tally);
        }
        Ok(match fixer.exit(tally) {
            Exit::Found if self.exit_zero => Exit::Done,
            exit => exit,
        })
    }

    /// Returns what the flags set.
    fn options(&self) -> Options {
        let formats = Some(self.output_format.clone()).filter(|formats| !formats.is_empty());
        let own = Options {
            min_severity: self.min_severity.map(Set::by_flag),
            output_format: formats.map(Set::by_flag),
            baseline: self.baseline.file().map(|file| Set::by_flag(Some(file))),
            unsafe_fixes: self.fixing.takes_unsafe().then(|| Set::by_flag(true)),
            ..Options::default()
        };
        self.select
            .options()
            .over(&self.reader.options().over(&own))
    }

    fn summarise(
        &self,
        tally: Totals,
        found: &Counts,
        for_people: bool,
        fixer: Option<&Fixer<'_>>,
    ) {
        if tally.read == 0 && tally.failed == 0 {
            complain("no files checked");
        } else if tally.read > 0 && for_people {
            match fixer.and_then(Fixer::summary) {
                Some(fixed) => say(&format!("{fixed}, {}", found.remaining())),
                None => say(&found.summary(tally)),
            }
            if let Some(fixable) = found.fixable().filter(|_| fixer.is_none()) {
                say(&fixable);
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
    }
}

/// A source that is being checked.
struct Source<'s, 'o> {
    input: &'s Input<'s>,
    /// How many diagnostics are printed at most.
    most: u64,
    reports: &'s mut Reports<'o>,
    found: &'s mut Counts,
    /// The passwords of the last candidates.
    passwords: Vec<Span>,
    suppressions: Suppressions,
    baseline: &'s mut Option<Baseline>,
}

impl Source<'_, '_> {
    fn read(&mut self, by: &ReadArgs, reader: &mut dyn Read) -> Result<(), Error> {
        let mut text = Vec::new();
        let limit = MAX_MARKED as u64 + 1;
        (&mut *reader).take(limit).read_to_end(&mut text)?;
        self.suppressions = Suppressions::of(&text);
        let is_whole = text.len() <= MAX_MARKED;
        by.read(self.input, &mut text.chain(reader), true, &mut |found| {
            self.check(found)
        })?;
        if is_whole { self.unused(&text) } else { Ok(()) }
    }

    /// Reports the suppression comments of `text` that suppress nothing.
    fn unused(&mut self, text: &[u8]) -> Result<(), Error> {
        let mut position = Position::default();
        let mut at = 0;
        for diagnostic in self
            .suppressions
            .unused(&self.input.settings.lint().selection)
        {
            let start = diagnostic.outer.start as usize;
            position = position.after(&text[at..start]);
            at = start;
            let place = Place {
                outer: diagnostic.outer,
                position,
                line_start: memchr::memrchr2(b'\n', b'\r', &text[..at]).map_or(0, |end| end + 1)
                    as u64,
                window: Window {
                    start: 0,
                    bytes: text,
                },
                part: self.input.part(None),
                passwords: &[],
            };
            self.report(&place, diagnostic)?;
        }
        Ok(())
    }

    fn check(&mut self, found: &Found<'_>) -> Result<(), Error> {
        let outer = found.candidate.outer;
        let mut passwords = std::mem::take(&mut self.passwords);
        passwords.retain(|span: &Span| span.end + REMEMBERED > outer.start);
        let at = found.place.unwrap_or_default();
        passwords.extend(found.passwords());
        let mut reported = Ok(());
        found.lint(self.input.settings.lint(), &mut |diagnostic| {
            if reported.is_err() || self.suppressions.suppresses(&diagnostic) {
                return;
            }
            let known = passwords.len();
            let own = diagnostic.password.iter().flat_map(urlint::Spans::iter);
            passwords.extend(own);
            let place = Place {
                outer,
                position: at.position,
                line_start: at.line_start,
                window: found.window,
                part: self.input.part(found.member),
                passwords: &passwords,
            };
            reported = self.report(&place, diagnostic);
            passwords.truncate(known);
        });
        self.passwords = passwords;
        reported
    }

    fn report(&mut self, place: &Place<'_>, diagnostic: Diagnostic) -> Result<(), Error> {
        if diagnostic.severity < self.input.settings.resolved.min_severity {
            return Ok(());
        }
        if let Some(baseline) = &mut self.baseline
            && baseline.knows(self.input.name, &diagnostic)
        {
            return Ok(());
        }
        let input = self.input;
        let least = input.is_fixable().then(|| least_made(input));
        self.found.add(&diagnostic, least);
        if self.found.all() > self.most {
            return Ok(());
        }
        self.reports.report(self.input.file, place, &diagnostic)
    }
}
