//! `urlint check --fix` and `--diff`: makes fixes in files.

pub(super) mod counts;
mod diff;

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use urlint_config::FileSettings;
use urlint_engine::{Error, Message, Origin, Out, Results, Source, Totals, lock};
use urlint_lint::fix::Mended;
use urlint_lint::{Applicability, Checked, Checker, Settings, fix};

use super::batch::DiagnosticBatch;
use crate::output::replace::replace;
pub(crate) use counts::FixCounts;
pub(crate) use diff::DiffStyle;

/// The flags for fixing.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Fixing")]
pub(crate) struct FixArgs {
    /// Make safe fixes, which keep the meaning of a URL, and report the remaining diagnostics; the fixed
    /// text of standard input goes to standard output, and the report to standard error
    #[arg(long)]
    fix: bool,

    /// Make unsafe fixes too, which may change the meaning of a URL
    #[arg(long)]
    pub(super) unsafe_fixes: bool,

    /// Make fixes, but do not report the remaining diagnostics
    #[arg(long)]
    fix_only: bool,

    /// Print the changes of `--fix-only` as a unified diff instead of making them; exit with 1 if
    /// there are any
    #[arg(long)]
    pub(super) diff: bool,
}

impl FixArgs {
    /// Returns whether fixes are made or shown.
    pub(super) fn is_asked_for(&self) -> bool {
        self.fix || self.skips_report()
    }

    /// Returns the flags that make the same fixes.
    pub(super) fn flags(&self) -> &'static str {
        if self.unsafe_fixes {
            "--fix --unsafe-fixes"
        } else {
            "--fix"
        }
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
    Applicability::least(settings.resolved.unsafe_fixes())
}

/// How fixes are made. All threads share it.
#[derive(Debug)]
pub(super) struct Fixing {
    /// How changes are shown, if they are not made.
    diff: Option<DiffStyle>,
    /// The files that are being fixed or were, by their real paths: one may be named twice.
    files: Mutex<HashMap<PathBuf, Arc<Mutex<()>>>>,
}

impl Fixing {
    /// The longest source that is fixed, in bytes. It is held in memory whole.
    pub(super) const MAX_SOURCE: usize = 256 << 20;

    /// `diff`: how changes are shown, if they are not made.
    pub(super) fn new(diff: Option<DiffStyle>) -> Self {
        let files = Mutex::default();
        Fixing { diff, files }
    }

    /// Makes the fixes of the diagnostics of `checker` about a source. Returns the current bytes of the
    /// source, if they are not `bytes`. With `is_all`, nothing else is reported, so this reports notices.
    pub(super) fn fix(
        &self,
        source: &Source,
        checker: &Checker<Arc<Settings>>,
        bytes: &[u8],
        is_all: bool,
        out: &Out<'_, DiagnosticBatch>,
    ) -> Result<Option<Vec<u8>>, Error> {
        let file = match &source.origin {
            Origin::File(path) if self.diff.is_none() => fs::canonicalize(path).ok(),
            _ => None,
        };
        let (own, was_known) = match &file {
            None => Default::default(),
            Some(file) => {
                let mut files = lock(&self.files);
                let was_known = files.contains_key(file);
                (files.entry(file.clone()).or_default().clone(), was_known)
            }
        };
        let _held = lock(&own);
        let now = file.filter(|_| was_known).map(fs::read).transpose()?;
        let bytes = now.as_deref().unwrap_or(bytes);
        let (reader, least) = (source.reader(), least_made(&source.settings));
        let mended = fix::mend(
            checker,
            &reader,
            source.path(),
            bytes,
            least,
            &mut |checked| match checked {
                Checked::Notice(notice) if is_all => out.notice(source.name(), notice),
                _ => Ok(()),
            },
        )?;
        if mended.given_up {
            fail(source, "the fixes kept requiring further fixes", out)?;
        }
        let before = out.batch().fixes;
        let is_diff = self.diff.is_some();
        out.batch().fixes.add_source(&mended, is_diff);
        let written = self.write(source, bytes, &mended, &mut out.batch());
        if let Err(reason) = written {
            out.batch().fixes = before;
            fail(source, &reason, out)?;
            return Ok(now);
        }
        out.flush_full()?;
        Ok(mended.bytes.or(now))
    }

    /// Writes the fixed text of a source to its file or to standard output, or shows the changes. Fails
    /// with the reason.
    fn write(
        &self,
        source: &Source,
        bytes: &[u8],
        mended: &Mended,
        batch: &mut DiagnosticBatch,
    ) -> Result<(), String> {
        let fixed = mended.bytes.as_deref();
        match (&source.origin, &self.diff, fixed) {
            (_, Some(style), Some(fixed)) => {
                let (printed, name) = (&mut batch.printed, source.name().whole());
                diff::write(printed, *style, name, [bytes, fixed], &mended.replacements);
                Ok(())
            }
            (Origin::Stdin, None, fixed) => {
                batch.printed.extend_from_slice(fixed.unwrap_or(bytes));
                Ok(())
            }
            (Origin::File(path), None, Some(fixed)) => {
                replace(path, bytes, fixed).map_err(|error| error.to_string())
            }
            _ => Ok(()),
        }
    }

    /// Returns the results of a source that is too long to be fixed.
    pub(super) fn too_long(&self, source: &Source) -> Results<DiagnosticBatch> {
        let mut results = Results::<DiagnosticBatch>::default();
        results.batch.fixes.failed += 1;
        let text = format!("not fixed: longer than {} MiB", Fixing::MAX_SOURCE >> 20);
        results.note(Message::about(source, text), Totals::default());
        results
    }
}

/// Reports that a source could not be fixed.
fn fail(source: &Source, reason: &str, out: &Out<'_, DiagnosticBatch>) -> Result<(), Error> {
    out.batch().fixes.failed += 1;
    let message = Message::about(source, format!("not fixed: {reason}"));
    out.note(message, Totals::default())
}

/// Reports that so many fixes are not made in a source, which is in an archive.
pub(super) fn report_unfixed(
    source: &Source,
    number: u64,
    out: &Out<'_, DiagnosticBatch>,
) -> Result<(), Error> {
    if number == 0 {
        return Ok(());
    }
    let text = format!("{number} not fixed: compressed files and archives are not changed");
    out.note(Message::about(source, text), Totals::default())
}
