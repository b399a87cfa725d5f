//! `urlint check --fix` and `--diff`: makes fixes in files.

mod counts;
mod filter;

use std::cell::Cell;
use std::fs;
use std::io::{self, Read, Write};
use std::ops::Range;

use urlint::lint::{Applicability, Fix};
use urlint::url::password::passwords_in_source;
use urlint::{Event, fix};

use super::baseline::Baseline;
use super::check::MAX_MARKED;
use super::diff::{self, Side};
use super::read::{NoticePrinter, ReadArgs};
use super::replace::{Replaced, replace};
use crate::error::{Error, Exit};
use crate::terminal::{Output, Verbosity, complain};
use crate::walk::{Input, Origin, Totals};
use counts::Counts;
use filter::Reported;

/// The longest source that is fixed, in bytes. It is held in memory whole.
const MAX_SOURCE: u64 = 256 << 20;

/// The flags for fixing.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Fixing")]
pub(crate) struct FixArgs {
    /// Make safe fixes, which do not change what a URL refers to, and report what remains; with
    /// standard input, print its fixed text and report to standard error
    #[arg(long)]
    fix: bool,

    /// Make unsafe fixes too, which may change what a URL refers to
    #[arg(long)]
    unsafe_fixes: bool,

    /// Make fixes, but do not report what remains
    #[arg(long)]
    fix_only: bool,

    /// Print the changes of `--fix-only` as a unified diff instead of making them; exit with 1 if
    /// there are any
    #[arg(long)]
    diff: bool,

    /// Exit with 1 if anything was fixed, even if nothing remains
    #[arg(long)]
    exit_non_zero_on_fix: bool,
}

impl FixArgs {
    /// Returns whether the flag for unsafe fixes is set.
    pub(super) fn takes_unsafe(&self) -> bool {
        self.unsafe_fixes
    }

    /// Returns whether fixes are made or shown.
    pub(super) fn is_asked_for(&self) -> bool {
        self.fix || self.is_alone()
    }

    /// Returns whether fixes are made or shown, and diagnostics are not reported.
    pub(super) fn is_alone(&self) -> bool {
        self.fix_only || self.diff
    }
}

/// Returns the least applicability of the fixes that are made in a source.
pub(super) fn least_made(input: &Input<'_>) -> Applicability {
    if input.settings.resolved.unsafe_fixes() {
        Applicability::Unsafe
    } else {
        Applicability::Safe
    }
}

/// Makes fixes, source by source.
pub(super) struct Fixer<'f> {
    pub(super) fixing: &'f FixArgs,
    pub(super) reader: &'f ReadArgs,
    pub(super) verbosity: Verbosity,
    pub(super) counts: Counts,
    /// How many warnings about documents were not printed.
    pub(super) notices: Cell<u64>,
}

impl Fixer<'_> {
    /// Makes the fixes of a source. The fixed text of standard input goes to `output`, as does a
    /// diff. Returns the fixed bytes, or `None` if the source is too long.
    pub(super) fn mend(
        &mut self,
        input: &Input<'_>,
        reader: &mut dyn Read,
        baseline: Option<&Baseline>,
        output: Option<&mut Output>,
    ) -> Result<Option<Vec<u8>>, Error> {
        let Some(source) = read_whole(input, reader)? else {
            let limit = MAX_SOURCE >> 20;
            self.fail(input.name, &format!("longer than {limit} MiB"));
            return Ok(None);
        };
        let mended = self.mended(input, &source, baseline)?;
        if mended.given_up {
            self.fail(input.name, "fixes kept making other fixes necessary");
        }
        let before = self.counts;
        self.counts.add(&mended);
        match self.write(input, &source, mended.bytes.as_deref(), output) {
            Ok(()) => Ok(Some(mended.bytes.unwrap_or(source))),
            Err(Failed::File(reason)) => {
                self.counts = before;
                self.fail(input.name, &reason);
                Ok(Some(source))
            }
            Err(Failed::Run(error)) => Err(error),
        }
    }

    /// Writes what has become of `source`, to the file, to standard output or as a diff.
    fn write(
        &self,
        input: &Input<'_>,
        source: &[u8],
        fixed: Option<&[u8]>,
        output: Option<&mut Output>,
    ) -> Result<(), Failed> {
        match (output, input.origin) {
            (Some(output), _) if self.fixing.diff => match fixed {
                Some(fixed) => Ok(self.diff(output, input, source, fixed)?),
                None => Ok(()),
            },
            (Some(output), Origin::Stdin) => {
                let written = output.stream.write_all(fixed.unwrap_or(source));
                Ok(written.map_err(Error::Write)?)
            }
            (_, Origin::File(path)) => match fixed.map(|fixed| replace(path, source, fixed)) {
                None | Some(Ok(Replaced::Yes)) => Ok(()),
                Some(Ok(Replaced::No)) => Err(Failed::File("changed by another program".into())),
                Some(Err(error)) => Err(Failed::File(error.to_string())),
            },
            (None, Origin::Stdin) | (_, Origin::Archive) => Ok(()),
        }
    }

    /// Makes the fixes of a source in memory. Notices are printed only if the source is not read
    /// again for its diagnostics.
    fn mended(
        &self,
        input: &Input<'_>,
        source: &[u8],
        baseline: Option<&Baseline>,
    ) -> io::Result<fix::Mended> {
        // A baseline has diagnostics without passwords, and to find those takes the context.
        let reader = self.reader.reader(input, baseline.is_some());
        let is_alone = self.fixing.is_alone();
        let mut printer = is_alone.then(|| self.printer(input));
        let (lint, least) = (input.settings.lint(), least_made(input));
        fix::mend(source, lint, least, |source, urls| {
            let mut reported = Reported::new(input, source, baseline);
            // The source is read again after each round of fixes.
            let mut notices = printer.take();
            let done = reader.read(input.path, source, &mut |event| {
                match (event, &mut notices) {
                    (Event::Found(found), _) => {
                        urls.add_if(&found, |diagnostic| reported.has(diagnostic));
                    }
                    (Event::Notice(notice), Some(notices)) => notices.print(&notice),
                    _ => {}
                }
                Ok(())
            });
            if let Some(notices) = notices {
                notices.finish();
            }
            done
        })
    }

    fn printer<'p>(&'p self, input: &Input<'p>) -> NoticePrinter<'p> {
        NoticePrinter::new(self.reader, input, self.verbosity, &self.notices)
    }

    /// Reports how many fixes there are in a compressed file or an archive, which is not changed.
    pub(super) fn leave(
        &mut self,
        input: &Input<'_>,
        reader: &mut dyn Read,
        baseline: Option<&Baseline>,
    ) -> Result<(), Error> {
        let mut start = Vec::new();
        (&mut *reader)
            .take(MAX_MARKED as u64)
            .read_to_end(&mut start)?;
        let mut reported = Reported::new(input, &start, baseline);
        let least = least_made(input);
        let mut left = 0;
        let mut whole = start.chain(reader);
        let context = baseline.is_some();
        let printer = self.printer(input);
        self.reader
            .read(input, &mut whole, context, printer, &mut |found| {
                found.lint(input.settings.lint(), &mut |diagnostic| {
                    let is_reported = reported.has(&diagnostic);
                    let is_made = |fix: Fix| fix.applicability >= least;
                    left += u64::from(is_reported && diagnostic.fix.is_some_and(is_made));
                });
                Ok(())
            })?;
        self.counts.in_archives += left;
        if left > 0 {
            let name = String::from_utf8_lossy(input.name);
            complain(&format!(
                "{name}: {left} not fixed: compressed files and archives are not changed"
            ));
        }
        Ok(())
    }

    fn diff(
        &self,
        output: &mut Output,
        input: &Input<'_>,
        old: &[u8],
        new: &[u8],
    ) -> Result<(), Error> {
        let old = Side::new(old, self.passwords(input, old)?);
        let new = Side::new(new, self.passwords(input, new)?);
        diff::write(output, input.name, &old, &new).map_err(Error::Write)
    }

    /// Returns where the passwords of a source are: those of its URLs, and what looks like one
    /// anywhere else.
    fn passwords(&self, input: &Input<'_>, source: &[u8]) -> io::Result<Vec<Range<usize>>> {
        let mut passwords = passwords_in_source(source);
        self.reader
            .reader(input, true)
            .read(input.path, source, &mut |event| {
                if let Event::Found(found) = event {
                    let own = found.passwords().into_iter();
                    passwords.extend(own.map(|span| span.start as usize..span.end as usize));
                }
                Ok::<(), io::Error>(())
            })?;
        Ok(passwords)
    }

    fn fail(&mut self, name: &[u8], reason: &str) {
        let name = String::from_utf8_lossy(name);
        complain(&format!("{name}: not fixed: {reason}"));
        self.counts.failed += 1;
    }

    /// Returns how a run ends that only fixes.
    pub(super) fn exit(&self, totals: Totals) -> Exit {
        let counts = &self.counts;
        if totals.failed + counts.failed > 0 {
            Exit::Failed
        } else if self.fixing.diff {
            if counts.made > 0 {
                Exit::Found
            } else {
                Exit::Done
            }
        } else if counts.in_archives > 0 {
            // They were asked for and not made.
            Exit::Failed
        } else if self.fails_on_fix() {
            Exit::Found
        } else {
            Exit::Done
        }
    }

    /// Returns whether a source could not be fixed.
    pub(super) fn has_failed(&self) -> bool {
        self.counts.failed > 0
    }

    /// Returns whether something was fixed, or could be.
    pub(super) fn has_something_to_say(&self) -> bool {
        self.counts.are_any()
    }

    /// Returns whether something was fixed, and `--exit-non-zero-on-fix` is set.
    pub(super) fn fails_on_fix(&self) -> bool {
        self.fixing.exit_non_zero_on_fix && self.counts.made > 0
    }

    /// Returns `Fixed 3 in 1 file`, or `None` if nothing was fixed.
    pub(super) fn summary(&self) -> Option<String> {
        self.counts.summary(self.fixing.diff)
    }

    /// Prints how many fixes were not made.
    pub(super) fn say_what_is_left(&self) {
        self.counts.say_what_is_left();
    }

    /// Prints the summary of a run that only fixes.
    pub(super) fn summarise_alone(&self, totals: Totals) {
        self.counts.summarise_alone(self.fixing.diff, totals.read);
    }
}

/// Why the fixed text of a source could not be written.
enum Failed {
    /// The file could not be replaced, for this reason; the others are still fixed.
    File(String),
    Run(Error),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Failed::Run(error)
    }
}

/// Reads a source whole; returns `None` if it is longer than [`MAX_SOURCE`].
fn read_whole(input: &Input<'_>, reader: &mut dyn Read) -> io::Result<Option<Vec<u8>>> {
    if let Origin::File(path) = input.origin
        && fs::metadata(path)?.len() > MAX_SOURCE
    {
        return Ok(None);
    }
    let mut source = Vec::new();
    reader.take(MAX_SOURCE + 1).read_to_end(&mut source)?;
    Ok((source.len() as u64 <= MAX_SOURCE).then_some(source))
}
