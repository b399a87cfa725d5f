//! `urlint check --fix` and `--diff`: makes fixes in files.

mod counts;
mod diff;
mod filter;

use std::cell::Cell;
use std::fs;
use std::io::{self, Read, Write};
use std::sync::Arc;

use urlint::config::FileSettings;
use urlint::document::{Notice, NoticeKind};
use urlint::lint::{Applicability, Fix, Tree};
use urlint::read::Content;
use urlint::{Event, fix};

use super::baseline::Baseline;
use super::tree::settings;
use crate::error::{Error, Exit};
use crate::flags::MAX_MARKED;
use crate::flags::read::{ReadArgs, message};
use crate::output::replace::{Replaced, replace};
use crate::terminal::{Output, Verbosity, complain};
use crate::walk::{Input, Origin, Totals};
use counts::FixCounts;
use filter::ReportedFilter;

/// The longest source that is fixed, in bytes. It is held in memory whole.
const MAX_SOURCE: u64 = 256 << 20;

/// The flags for fixing.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Fixing")]
pub(crate) struct FixArgs {
    /// Make safe fixes, which do not change what a URL refers to, and report what remains; the fixed
    /// text of standard input goes to standard output, and the report to standard error
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
}

impl FixArgs {
    /// Returns whether the flag for unsafe fixes is set.
    pub(super) fn includes_unsafe(&self) -> bool {
        self.unsafe_fixes
    }

    /// Returns whether fixes are made or shown.
    pub(super) fn is_asked_for(&self) -> bool {
        self.fix || self.skips_report()
    }

    /// Returns whether fixes are made in files.
    pub(super) fn writes(&self) -> bool {
        self.fix || self.fix_only
    }

    /// Returns whether fixes are made or shown without a report of diagnostics.
    pub(super) fn skips_report(&self) -> bool {
        self.fix_only || self.diff
    }
}

/// Returns the least applicability of the fixes that are made in a source.
pub(super) fn least_made(settings: &FileSettings) -> Applicability {
    if settings.resolved.unsafe_fixes() {
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
    pub(super) counts: FixCounts,
    /// The hosts of all sources, if a rule asks for them.
    pub(super) tree: Option<Arc<Tree>>,
    /// How many warnings about documents were not printed.
    pub(super) notices: Cell<u64>,
    /// Where the fixed text of standard input and diffs go; `None` if diagnostics go to standard output.
    pub(super) output: Option<&'f mut Output>,
}

impl<'f> Fixer<'f> {
    pub(super) fn new(fixing: &'f FixArgs, reader: &'f ReadArgs, verbosity: Verbosity) -> Self {
        Fixer {
            fixing,
            reader,
            verbosity,
            counts: FixCounts::default(),
            tree: None,
            notices: Cell::default(),
            output: None,
        }
    }

    /// Makes the fixes of a source. Returns the fixed bytes, or `None` if the source is too long.
    pub(super) fn mend(
        &mut self,
        input: &Input<'_>,
        content: Content<'_>,
        baseline: Option<&Baseline>,
    ) -> Result<Option<Vec<u8>>, Error> {
        let Some(source) = read_whole(input, content)? else {
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
        match self.write(input, &source, &mended) {
            Ok(()) => Ok(Some(mended.bytes.unwrap_or(source))),
            Err(Failed::File(reason)) => {
                self.counts = before;
                self.fail(input.name, &reason);
                Ok(Some(source))
            }
            Err(Failed::Run(error)) => Err(error),
        }
    }

    /// Writes the fixed text of `source` to its file or to standard output, or prints a diff.
    fn write(
        &mut self,
        input: &Input<'_>,
        source: &[u8],
        mended: &fix::Mended,
    ) -> Result<(), Failed> {
        let fixed = mended.bytes.as_deref();
        if self.fixing.diff {
            let replacements = &mended.replacements;
            return match (self.output.as_deref_mut(), fixed) {
                (Some(output), Some(fixed)) => {
                    let written = diff::write(output, input.name, source, fixed, replacements);
                    Ok(written.map_err(Error::Write)?)
                }
                _ => Ok(()),
            };
        }
        match (self.output.as_deref_mut(), input.origin) {
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
        let reader = self.reader.reader(input, false);
        let mut prints = self.fixing.skips_report();
        let lint = settings(input.settings, self.tree.as_ref());
        fix::mend(source, &lint, least_made(input.settings), |source, urls| {
            let mut reported = ReportedFilter::new(input, source, baseline);
            // The source is read again after each round of fixes.
            let prints = std::mem::take(&mut prints);
            reader.read(input.path, source, &mut |event| {
                match event {
                    Event::Found(found) => {
                        urls.add_if(&found, |diagnostic| reported.has(diagnostic));
                    }
                    Event::Notice(notice) if prints => self.notice(input, &notice),
                    _ => {}
                }
                Ok(())
            })
        })
    }

    /// Prints a notice about a source to standard error, or counts it.
    fn notice(&self, input: &Input<'_>, notice: &Notice) {
        if self.verbosity.is_verbose() {
            complain(&message(input.name, notice));
        } else {
            let counted = u64::from(notice.kind != NoticeKind::Skipped);
            self.notices.set(self.notices.get() + counted);
        }
    }

    /// Reports how many fixes there are in a compressed file or an archive, which is not changed.
    pub(super) fn leave(
        &mut self,
        input: &Input<'_>,
        content: Content<'_>,
        baseline: Option<&Baseline>,
    ) -> Result<(), Error> {
        let mut content = content;
        let mut start = Vec::new();
        let mut marked = content.by_ref().take(MAX_MARKED as u64);
        marked.read_to_end(&mut start)?;
        let mut reported = ReportedFilter::new(input, &start, baseline);
        let least = least_made(input.settings);
        let lint = settings(input.settings, self.tree.as_ref());
        let mut left = 0;
        let whole = &mut start.chain(content);
        let reader = self.reader.reader(input, baseline.is_some());
        reader.read(input.path, whole, &mut |event| {
            match event {
                Event::Found(found) => {
                    for diagnostic in found.lint(&lint) {
                        let is_reported = reported.has(&diagnostic);
                        let is_made = |fix: Fix| fix.applicability >= least;
                        left += u64::from(is_reported && diagnostic.fix.is_some_and(is_made));
                    }
                }
                Event::Notice(notice) => self.notice(input, &notice),
                _ => {}
            }
            Ok::<(), Error>(())
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

    /// Writes fixed texts and diffs that are still buffered.
    pub(super) fn finish(&mut self) -> Result<(), Error> {
        let output = self.output.as_deref_mut();
        output.map_or(Ok(()), Output::finish).map_err(Error::Write)
    }

    fn fail(&mut self, name: &[u8], reason: &str) {
        let name = String::from_utf8_lossy(name);
        complain(&format!("{name}: not fixed: {reason}"));
        self.counts.failed += 1;
    }

    /// Returns the exit code of a run that only makes fixes.
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
            // These fixes were asked for and not made.
            Exit::Failed
        } else {
            Exit::Done
        }
    }

    /// Returns whether a source could not be fixed.
    pub(super) fn has_failed(&self) -> bool {
        self.counts.failed > 0
    }

    /// Returns whether something was fixed, or could be.
    pub(super) fn has_fixes(&self) -> bool {
        self.counts.are_any()
    }

    /// Returns `Fixed 3 in 1 file`, or `None` if nothing was fixed.
    pub(super) fn summary(&self) -> Option<String> {
        self.counts.summary(self.fixing.diff)
    }

    /// Prints how many fixes were not made.
    pub(super) fn report_unmade(&self) {
        self.counts.report_unmade();
    }

    /// Prints the summary of a run that only makes fixes.
    pub(super) fn summarise_fix_only(&self, totals: Totals) {
        self.counts
            .summarise_fix_only(self.fixing.diff, totals.read);
    }
}

/// Why the fixed text of a source could not be written.
enum Failed {
    /// The file could not be replaced, for this reason; other files are still fixed.
    File(String),
    Run(Error),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Failed::Run(error)
    }
}

/// Reads a source whole; returns `None` if it is longer than [`MAX_SOURCE`].
fn read_whole(input: &Input<'_>, content: Content<'_>) -> io::Result<Option<Vec<u8>>> {
    if let Origin::File(path) = input.origin
        && fs::metadata(path)?.len() > MAX_SOURCE
    {
        return Ok(None);
    }
    let mut source = Vec::new();
    content.take(MAX_SOURCE + 1).read_to_end(&mut source)?;
    Ok((source.len() as u64 <= MAX_SOURCE).then_some(source))
}
