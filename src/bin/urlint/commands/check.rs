//! `urlint check`: diagnostics.

use std::io::Read;
use std::path::PathBuf;

use clap::ValueEnum;
use urlint::{Diagnostic, Found, Position, Severity, Span, Suppressions, Window};

use super::baseline::{Baseline, Kept};
use super::configured::show;
use super::counts::Counts;
use super::fix::{Fixer, Fixing, least_made};
use super::marks;
use super::output::Output;
use super::read::Reader;
use super::reports::{Asked, Reports, Wanted};
use super::select::Select;
use super::{Error, Exit, complain, count, say};
use crate::config::{Configs, Configuration, Keys, Set};
use crate::report::excerpt::Place;
use crate::walk::{Input, Inputs, Tally};

/// How much of a source is looked through for marks, in bytes; whatever lies behind is read in a
/// window, so that memory stays bounded.
pub(super) const MAX_MARKED: usize = 16 << 20;

/// How far back passwords are remembered: no excerpt reaches further back.
const REMEMBERED: u64 = 1024;

#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    reader: Reader,

    #[command(flatten)]
    select: Select,

    #[command(flatten)]
    fixing: Fixing,

    #[command(flatten)]
    configuration: Configuration,

    /// How to print diagnostics: full, concise, json, json-lines, sarif, github, gitlab, junit,
    /// rdjson or checkstyle; may be given several times, with `=FILE` to print to a file; `full`
    /// unless configured otherwise
    #[arg(long, value_name = "FORMAT[=FILE]", help_heading = "Output")]
    output_format: Vec<Asked>,

    /// Print diagnostics to a file, which is replaced when all is done
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output_file: Option<PathBuf>,

    /// Report nothing less severe
    #[arg(long, value_name = "SEVERITY", help_heading = "Output")]
    min_severity: Option<Least>,

    /// Print no more diagnostics than so many; all are counted
    #[arg(long, value_name = "NUMBER", help_heading = "Output")]
    max_diagnostics: Option<u64>,

    /// Print how often each rule reported, and no diagnostics
    #[arg(long, help_heading = "Output")]
    statistics: bool,

    #[command(flatten)]
    baseline: Kept,

    /// Put marks into the files that keep back what there is to report, and report nothing
    #[arg(long, help_heading = "Fixing", conflicts_with_all = ["fix", "fix_only", "diff"])]
    add_ignore: bool,

    /// Exit with 0 even if there are errors or warnings
    #[arg(long, help_heading = "Output")]
    exit_zero: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Least {
    Error,
    Warning,
    Hint,
}

impl From<Least> for Severity {
    fn from(least: Least) -> Severity {
        match least {
            Least::Error => Severity::Error,
            Least::Warning => Severity::Warning,
            Least::Hint => Severity::Hint,
        }
    }
}

impl Check {
    pub(crate) fn run(&self, output: &mut Output, quiet: bool) -> Result<Exit, Error> {
        let configs = self.configuration.configs(self.keys())?;
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
            return marks::add(&self.inputs, &configs, &self.reader);
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
        let (output, mut text) = match fixer.is_some() && self.inputs.has_stdin() {
            true => (&mut errors, Some(output)),
            false => (output, None),
        };
        let full = [Asked::default()];
        let wanted = Wanted {
            formats: current.output_format().unwrap_or(&full),
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
                    Some(fixer) if input.can_be_mended() => {
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
                    marks: Suppressions::default(),
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
        Ok(match () {
            () if tally.failed > 0 || fixer.is_some_and(Fixer::has_failed) => Exit::Failed,
            () if self.exit_zero => Exit::Done,
            () if found.are_faults() || fixer.is_some_and(Fixer::fails_on_fix) => Exit::Found,
            () => Exit::Done,
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
                if !input.can_be_mended() {
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

    /// What the flags say.
    fn keys(&self) -> Keys {
        let formats = Some(self.output_format.clone()).filter(|formats| !formats.is_empty());
        let own = Keys {
            min_severity: self.min_severity.map(|least| Set::by_flag(least.into())),
            output_format: formats.map(Set::by_flag),
            baseline: self.baseline.asked().map(Set::by_flag),
            unsafe_fixes: self.fixing.takes_unsafe().then(|| Set::by_flag(true)),
            ..Keys::default()
        };
        self.select.keys().over(&self.reader.keys().over(&own))
    }

    fn summarise(&self, tally: Tally, found: &Counts, for_people: bool, fixer: Option<&Fixer<'_>>) {
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
    /// How many diagnostics are printed.
    most: u64,
    reports: &'s mut Reports<'o>,
    found: &'s mut Counts,
    /// Where the passwords of the last candidates stand.
    passwords: Vec<Span>,
    marks: Suppressions,
    baseline: &'s mut Option<Baseline>,
}

impl Source<'_, '_> {
    fn read(&mut self, by: &Reader, reader: &mut dyn Read) -> Result<(), Error> {
        let mut text = Vec::new();
        let limit = MAX_MARKED as u64 + 1;
        (&mut *reader).take(limit).read_to_end(&mut text)?;
        self.marks = Suppressions::of(&text);
        let is_whole = text.len() <= MAX_MARKED;
        by.read(self.input, &mut text.chain(reader), true, &mut |found| {
            self.check(found)
        })?;
        if is_whole { self.unused(&text) } else { Ok(()) }
    }

    /// Reports the marks of `text` that keep nothing back.
    fn unused(&mut self, text: &[u8]) -> Result<(), Error> {
        let mut position = Position::default();
        let mut at = 0;
        for diagnostic in self.marks.unused(&self.input.holding.lint().selection) {
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
        found.lint(self.input.holding.lint(), &mut |diagnostic| {
            if reported.is_err() || self.marks.suppresses(&diagnostic) {
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
        if diagnostic.severity < self.input.holding.settings.min_severity {
            return Ok(());
        }
        if let Some(baseline) = &mut self.baseline
            && baseline.knows(self.input.name, &diagnostic)
        {
            return Ok(());
        }
        let input = self.input;
        let least = input.can_be_mended().then(|| least_made(input));
        self.found.add(&diagnostic, least);
        if self.found.all() > self.most {
            return Ok(());
        }
        self.reports.report(self.input.file, place, &diagnostic)
    }
}
