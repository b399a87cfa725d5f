//! `urlint check`: diagnostics.

use std::fmt;
use std::io::Read;
use std::path::PathBuf;

use clap::ValueEnum;
use urlint::{Diagnostic, Found, Settings, Severity, Span};

use super::fix::{Fixer, Fixing};
use super::output::Output;
use super::read::Reader;
use super::reports::{Asked, Reports, Wanted};
use super::select::Select;
use super::{Error, Exit, complain, count, say};
use crate::input::{Inputs, Tally};
use crate::show;
use crate::source::Place;

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

    /// How to print diagnostics: full, concise, json, json-lines, sarif, github, gitlab, junit,
    /// rdjson or checkstyle; may be given several times, with `=FILE` to print to a file
    #[arg(
        long,
        value_name = "FORMAT[=FILE]",
        default_value = "full",
        help_heading = "Output"
    )]
    output_format: Vec<Asked>,

    /// Print diagnostics to a file, which is replaced when all is done
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output_file: Option<PathBuf>,

    /// Report nothing less severe
    #[arg(
        long,
        value_name = "SEVERITY",
        default_value = "hint",
        help_heading = "Output"
    )]
    min_severity: Least,

    /// Print no more diagnostics than so many; all are counted
    #[arg(long, value_name = "NUMBER", help_heading = "Output")]
    max_diagnostics: Option<u64>,

    /// Print how often each rule reported, and no diagnostics
    #[arg(long, help_heading = "Output")]
    statistics: bool,

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

/// How much was found.
#[derive(Default)]
struct Counts {
    errors: u64,
    warnings: u64,
    hints: u64,
    files: u64,
}

impl Counts {
    fn add(&mut self, severity: Severity) {
        match severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Hint => self.hints += 1,
        }
    }

    fn all(&self) -> u64 {
        self.errors + self.warnings + self.hints
    }
}

impl Check {
    pub(crate) fn run(&self, output: &mut Output, quiet: bool) -> Result<Exit, Error> {
        let settings = Settings {
            finder: self.reader.finder(),
            selection: self.select.selection(),
        };
        let wants = Wants {
            settings: &settings,
            least: self.min_severity.into(),
        };
        let mut fixer = self.fixing.is_asked_for().then(|| Fixer {
            fixing: &self.fixing,
            reader: &self.reader,
            wants,
            counts: Default::default(),
        });
        if let Some(fixer) = fixer.as_mut().filter(|_| self.fixing.is_alone()) {
            return self.only_fix(fixer, output, quiet);
        }
        // Standard output is for the text that standard input has become.
        let mut errors = output.errors();
        let (output, mut text) = match fixer.is_some() && self.inputs.has_stdin() {
            true => (&mut errors, Some(output)),
            false => (output, None),
        };
        let wanted = Wanted {
            formats: &self.output_format,
            file: self.output_file.as_deref(),
            statistics: self.statistics,
        };
        let mut reports = Reports::new(&wanted, output)?;
        let mut found = Counts::default();
        let tally = self
            .inputs
            .each(self.reader.show_skipped, &mut |name, origin, reader| {
                let before = found.all();
                let mut source = Source {
                    name,
                    wants,
                    most: self.max_diagnostics.unwrap_or(u64::MAX),
                    reports: &mut reports,
                    found: &mut found,
                    passwords: Vec::new(),
                };
                let mut check = |reader: &mut dyn Read| {
                    let visit = &mut |found: &Found<'_>| source.check(found);
                    self.reader.read(name, reader, true, visit)
                };
                let checked = match &mut fixer {
                    Some(fixer) => match fixer.mend(name, origin, reader, text.as_deref_mut())? {
                        Some(mended) => check(&mut &mended[..]),
                        None => Ok(()),
                    },
                    None => check(reader),
                };
                found.files += u64::from(found.all() > before);
                checked
            })?;
        let for_people = reports.for_people;
        reports.finish()?;
        if !quiet {
            self.summarise(tally, &found, for_people, fixer.as_ref());
        }
        let fixer = fixer.as_ref();
        Ok(match () {
            () if tally.failed > 0 || fixer.is_some_and(|fixer| fixer.counts.failed > 0) => {
                Exit::Failed
            }
            () if self.exit_zero => Exit::Done,
            () if found.errors + found.warnings > 0 => Exit::Found,
            () if fixer.is_some_and(Fixer::fails_on_fix) => Exit::Found,
            () => Exit::Done,
        })
    }

    fn only_fix(
        &self,
        fixer: &mut Fixer<'_>,
        output: &mut Output,
        quiet: bool,
    ) -> Result<Exit, Error> {
        let tally = self
            .inputs
            .each(self.reader.show_skipped, &mut |name, origin, reader| {
                let mended = fixer.mend(name, origin, reader, Some(&mut *output));
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

    fn summarise(
        &self,
        tally: Tally,
        found: &Counts,
        for_people: bool,
        fixer: Option<&Fixer<'_>>,
    ) {
        if tally.read == 0 && tally.failed == 0 {
            complain("no files checked");
        } else if tally.read > 0 && for_people {
            match fixer.and_then(Fixer::summary) {
                Some(fixed) => say(&format!("{fixed}, {}", remaining(found))),
                None => say(&summary(tally, found)),
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

/// `Found 3 errors, 1 warning in 2 files.`
fn summary(tally: Tally, found: &Counts) -> String {
    match found.all() {
        0 => format!("Nothing to report in {}.", count(tally.read, "file")),
        _ => format!("Found {found} in {}.", count(found.files, "file")),
    }
}

/// What remains where something was fixed: `4 remain: 3 errors, 1 warning in 2 files.`
fn remaining(found: &Counts) -> String {
    match found.all() {
        0 => "nothing remains.".to_owned(),
        all => {
            let verb = if all == 1 { "remains" } else { "remain" };
            let files = count(found.files, "file");
            format!("{all} {verb}: {found} in {files}.")
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.errors, "error"),
            (self.warnings, "warning"),
            (self.hints, "hint"),
        ];
        let counts: Vec<_> = counts
            .into_iter()
            .filter(|&(number, _)| number > 0)
            .map(|(number, noun)| count(number, noun))
            .collect();
        f.write_str(&counts.join(", "))
    }
}

/// Which diagnostics are wanted.
#[derive(Clone, Copy)]
pub(super) struct Wants<'s> {
    settings: &'s Settings,
    /// The least severity that is reported.
    least: Severity,
}

impl Wants<'_> {
    /// Hands on the diagnostics of a candidate that are wanted.
    pub(super) fn each(&self, found: &Found<'_>, take: &mut dyn FnMut(Diagnostic)) {
        found.lint(self.settings, &mut |diagnostic| {
            if diagnostic.severity >= self.least {
                take(diagnostic);
            }
        });
    }
}

/// A source that is being checked.
struct Source<'s, 'o> {
    name: &'s [u8],
    wants: Wants<'s>,
    /// How many diagnostics are printed.
    most: u64,
    reports: &'s mut Reports<'o>,
    found: &'s mut Counts,
    /// Where the passwords of the last candidates stand.
    passwords: Vec<Span>,
}

impl Source<'_, '_> {
    fn check(&mut self, found: &Found<'_>) -> Result<(), Error> {
        let outer = found.candidate.outer;
        self.passwords
            .retain(|span: &Span| span.end + REMEMBERED > outer.start);
        self.passwords.extend(passwords_of(found));
        let mut written = Ok(());
        self.wants.each(found, &mut |mut diagnostic| {
            scrub(&mut diagnostic);
            self.found.add(diagnostic.severity);
            let known = self.passwords.len();
            let own = diagnostic.password.iter().flat_map(urlint::Spans::iter);
            self.passwords.extend(own);
            let place = Place {
                outer,
                position: found.position,
                line_start: found.line_start,
                window: found.window,
                member: found.member,
                passwords: &self.passwords,
            };
            if written.is_ok() && self.found.all() <= self.most {
                written = self.reports.report(self.name, &place, &diagnostic);
            }
            self.passwords.truncate(known);
        });
        written
    }
}

/// Where the candidate's passwords stand in the source.
pub(super) fn passwords_of(found: &Found<'_>) -> Vec<Span> {
    let text = &found.candidate.text;
    // The cheap test first: this runs for every candidate.
    if memchr::memchr(b'@', text).is_none() {
        return Vec::new();
    }
    show::passwords_of(text)
        .into_iter()
        .flat_map(|range| found.spans(range).iter().collect::<Vec<_>>())
        .collect()
}

/// Hides passwords in all texts of a diagnostic, should any have got there: this output ends in
/// logs.
fn scrub(diagnostic: &mut Diagnostic) {
    let hide = |text: &mut String, find: fn(&[u8]) -> Vec<std::ops::Range<usize>>| {
        let passwords = find(text.as_bytes());
        for range in passwords.into_iter().rev() {
            text.replace_range(range, show::HIDDEN);
        }
    };
    hide(&mut diagnostic.url, show::passwords_of);
    for alternative in &mut diagnostic.alternatives {
        hide(alternative, show::passwords_of);
    }
    hide(&mut diagnostic.message, show::passwords_in);
    hide(&mut diagnostic.label, show::passwords_in);
    for note in &mut diagnostic.notes {
        hide(note, show::passwords_in);
    }
    let tells = |fix: &urlint::Fix| {
        let mut edits = fix.edits.iter();
        edits.any(|edit| !show::passwords_in(edit.replacement.as_bytes()).is_empty())
    };
    // A fix that would print the password is better not offered than offered with `***` in it.
    if diagnostic.fix.as_ref().is_some_and(tells) {
        diagnostic.fix = None;
    }
}
